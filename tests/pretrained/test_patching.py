"""Patching between two prompts, beside forward hooks on the same models in `transformers`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from torch import Tensor

import core
from core.attribution import patching
from core.records.patching import Patching
from tests.pretrained.families.test_own_engine import saved
from tests.pretrained.test_smollm2 import smollm2  # noqa: F401

A, B = "a kid saw the bank", "a kip sow the bank"  # two letters differ
BOUND = 1e-4


class Theirs(NamedTuple):
    """A model of `transformers`, its layers, and the matrix that joins the heads of each."""

    model: Any
    tokenizer: Any
    layers: list[Any]
    joins: list[Any]
    d_head: int

    def ids(self, text: str) -> Tensor:
        found: Tensor = self.tokenizer(text, return_tensors="pt").input_ids
        return found

    @torch.no_grad()
    def logits(self, text: str) -> np.ndarray:
        found: np.ndarray = self.model(self.ids(text)).logits[0, -1].numpy()
        return found

    @torch.no_grad()
    def inputs(self, text: str, modules: list[Any]) -> list[Tensor]:
        """What each of these modules is given."""
        found: list[Tensor] = []
        hooks = [
            one.register_forward_pre_hook(lambda _, args: found.append(args[0].clone()))
            for one in modules
        ]
        self.model(self.ids(text))
        for hook in hooks:
            hook.remove()
        return found

    def put(
        self, text: str, module: Any, value: Tensor, at: Iterable[int], part: slice = slice(None)
    ) -> np.ndarray:
        """The logits if a module is given something else at these tokens."""

        def replaced(_: Any, args: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
            new = args[0].clone()
            for i in at:
                new[:, i, part] = value[:, i, part]
            return (new, *args[1:])

        hook = module.register_forward_pre_hook(replaced)
        try:
            return self.logits(text)
        finally:
            hook.remove()


class Both(NamedTuple):
    """One model in both, and the tokens that either prompt raises most against the other."""

    ours: core.Model
    theirs: Theirs
    answers: tuple[int, int]

    def patch(self, a: str = A, b: str = B, **more: Any) -> Patching:
        return self.ours.patch(a, b, **({"answers": self.answers} | more))


def theirs_of(folder: Path) -> Theirs:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager").eval()
    if hasattr(model, "transformer"):
        layers = [*model.transformer.h]
        joins = [layer.attn.c_proj for layer in layers]
        width = layers[0].attn.head_dim
    else:
        layers = [*model.model.layers]
        joins = [layer.self_attn.o_proj for layer in layers]
        width = layers[0].self_attn.head_dim
    return Theirs(model, AutoTokenizer.from_pretrained(folder), layers, joins, width)


@pytest.fixture(scope="module", params=["llama", "gpt2", "mistral"])
def both(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    fill_randomly: Callable[..., None],
) -> Both:
    folder = saved(tmp_path_factory.mktemp("patching"), request.param, fill_randomly)
    theirs = theirs_of(folder)
    moved = theirs.logits(A) - theirs.logits(B)
    return Both(core.load(str(folder)), theirs, (int(moved.argmax()), int(moved.argmin())))


def close(ours: Any, theirs: Any) -> None:
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=BOUND * max(1.0, np.abs(theirs).max()))


def test_every_position_is_what_hooks_give(both: Both) -> None:
    theirs = both.theirs
    found = both.patch()
    one, other = found.ids
    n = len(found.tokens[0])
    assert len(found.differ) == 2
    assert found.differences.shape == (len(theirs.layers) + 1, n)
    norm = theirs.model.transformer.ln_f if hasattr(theirs.model, "transformer") else None
    modules = [*theirs.layers, theirs.model.model.norm if norm is None else norm]
    states = theirs.inputs(A, modules)
    for depth, (module, state) in enumerate(zip(modules, states, strict=True)):
        for i in range(n):
            logits = theirs.put(B, module, state, [i])
            close(found.differences[depth, i], logits[one] - logits[other])
    close(found.a, theirs.logits(A)[one] - theirs.logits(A)[other])
    close(found.words, found.differences[0])


@pytest.mark.few(4)
@pytest.mark.parametrize("at", [-1, None, "middle"])
def test_every_head_is_what_hooks_give(both: Both, at: int | str | None) -> None:
    ours, theirs, _ = both
    n = len(ours.read(A).ids)
    found = both.patch(by="head", at=n // 2 if at == "middle" else at)
    positions = range(n) if at is None else [n - 1 if at == -1 else n // 2]
    assert found.at == (None if at is None else positions[0])
    one, other = found.ids
    outputs = theirs.inputs(A, theirs.joins)
    for layer, (module, output) in enumerate(zip(theirs.joins, outputs, strict=True)):
        for head in range(found.differences.shape[1]):
            part = slice(head * theirs.d_head, (head + 1) * theirs.d_head)
            logits = theirs.put(B, module, output, positions, part)
            close(found.differences[layer, head], logits[one] - logits[other])
    close(found.words, both.patch().words)


def test_answers_are_by_default_the_likeliest_tokens(both: Both) -> None:
    ends = tuple(int(both.theirs.logits(text).argmax()) for text in (A, B))
    if ends[0] == ends[1]:
        with pytest.raises(core.NotSupported, match="Both answers are"):
            both.ours.patch(A, B)
    else:
        assert both.ours.patch(A, B).ids == ends
    other = both.answers[1] if both.answers[1] != ends[0] else both.answers[0]
    assert both.ours.patch(A, B, answers=(None, other)).ids == (ends[0], other)


def test_all_of_the_input_is_run_a_and_nothing_is_run_b(both: Both) -> None:
    ours, theirs, _ = both
    n, layers = len(ours.read(A).ids), len(theirs.layers)
    close(ours.patched(A, B, 0, range(n)).logits, theirs.logits(A))
    close(ours.patched(A, B, 0, []).logits, theirs.logits(B))
    close(ours.patched(A, B, layers, [-1]).logits, theirs.logits(A))
    found = both.patch()
    for depth, i in ((0, found.differ[0]), (1, n - 3), (layers, n - 1)):
        logits = ours.patched(A, B, depth, [i]).logits
        close(found.differences[depth, i], logits[found.ids[0]] - logits[found.ids[1]])
    np.testing.assert_allclose(found.recovered[-1, :-1], 0, atol=BOUND)
    np.testing.assert_allclose(found.recovered[-1, -1], 1, atol=BOUND)


def test_it_goes_on_where_it_was_stopped(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = both.patch()
    parts: list[Patching] = []
    both.patch(on_part=parts.append)
    assert [part.done for part in parts] == sorted(part.done for part in parts)
    assert parts[0].done < 1
    assert parts[-1].done == 1
    ran: list[int] = []
    by_depth = patching.by_depth

    def counted(*args: Any) -> Tensor:
        ran.append(args[3])
        return by_depth(*args)

    monkeypatch.setattr(patching, "by_depth", counted)
    resumed = both.patch(begun=parts[1])
    np.testing.assert_array_equal(resumed.differences, whole.differences)
    missing = np.isnan(parts[1].differences).any(axis=0)
    assert sorted(ran) == np.flatnonzero(missing).tolist()
    assert min(ran) == whole.differ[0]  # nothing before the first difference runs
    ran.clear()
    both.patch(B, A, begun=parts[1])  # another patching: nothing of it counts
    assert len(ran) == missing.size - whole.differ[0]


def test_what_cannot_be_patched_is_said(both: Both) -> None:
    ours = both.ours
    with pytest.raises(core.NotSupported, match="same tokens in both"):
        ours.patch(A, A)
    with pytest.raises(core.NotSupported) as short:
        ours.patch(A, B.replace("sow", "slow"))
    n = len(ours.read(A).ids)
    assert f"Prompt A has {n} tokens and prompt B {n + 1} tokens" in str(short.value)
    assert "1 token longer" in str(short.value)
    assert "From the first difference to the last, A has “" in str(short.value)
    assert "| bank" in str(short.value) or "| ▁bank" in str(short.value)
    with pytest.raises(core.NotSupported, match="Both answers are"):
        ours.patch(A, B, answers=(7, 7))
    with pytest.raises(core.SettingError, match="single token"):
        ours.patch(A, B, answers=("several words", None))
    letter = both.patch(answers=("k", both.answers[1])).ids[0]
    assert both.patch(answers=(" k", both.answers[1])).ids[0] in (letter, ours._reader.one_token(" k"))
    with pytest.raises(core.SettingError, match="by is"):
        ours.patch(A, B, by="layer")  # type: ignore[arg-type]
    with pytest.raises(IndexError):
        both.patch(by="head", at=99)
    with pytest.raises(IndexError):
        ours.patched(A, B, 99, [0])
    with pytest.raises(core.NotSupported):
        ours.patch("", B)
    with pytest.raises(core.NotSupported, match="no more are compared here"):
        ours.patch("bank " * 70, "bank " * 70 + "on")


def test_a_difference_too_small_to_divide_by_is_said(both: Both) -> None:
    """Two answers whose logits differ alike after both prompts: found among the whole vocabulary."""
    a, b = both.theirs.logits(A).astype(float), both.theirs.logits(B).astype(float)
    moved = a - b
    order = np.argsort(moved)
    gaps = np.diff(moved[order])
    at = int(np.argmin(gaps))
    assert gaps[at] < 0.01
    pair = int(order[at]), int(order[at + 1])
    with pytest.raises(core.NotSupported, match="no difference that could come back"):
        both.ours.patch(A, B, answers=pair)


def test_a_prompt_before_the_first_difference_gives_nothing_back(both: Both) -> None:
    found = both.patch(by="head", at=0)
    np.testing.assert_array_equal(found.recovered, 0)


def test_the_table_has_every_run(both: Both) -> None:
    found = both.patch()
    frame = found.to_frame()
    assert list(frame) == ["depth", "position", "token_a", "token_b", "difference", "recovered"]
    assert len(frame) == found.differences.size
    row = frame[(frame.depth == 1) & (frame.position == found.differ[1])].iloc[0]
    assert row.token_a != row.token_b
    assert row.recovered == pytest.approx(float(found.recovered[1, found.differ[1]]))
    heads = both.patch(by="head")
    assert list(heads.to_frame()) == ["layer", "head", "difference", "recovered"]


def test_models_that_do_not_predict_the_next_token_say_so(
    minilm: core.Model, tmp_path: Path, fill_randomly: Callable[..., None]
) -> None:
    with pytest.raises(core.NotSupported, match="does not predict the next token"):
        minilm.patch(A, B)
    with pytest.raises(core.NotSupported, match="does not predict the next token"):
        minilm.patched(A, B, 0, [0])
    folder = saved(tmp_path, "gpt2", fill_randomly)
    theirs = core.load(str(folder), engine="huggingface")
    with pytest.raises(core.NotSupported, match="does not run in our own transformer"):
        theirs.patch(A, B)


FRANCE, ITALY = "The capital of France is", "The capital of Italy is"
JOHN = "When Mary and John went to the store, John gave a drink to"
MARY = "When Mary and John went to the store, Mary gave a drink to"


@pytest.mark.fuzz
@pytest.mark.check
def test_a_fact_stays_at_its_word_until_a_late_layer(smollm2: core.Model) -> None:  # noqa: F811
    found = smollm2.patch(FRANCE, ITALY)
    assert found.answers == (" Paris", " Rome")
    assert found.differ == (3,)
    back = found.recovered
    assert (np.abs(back[:24, 3] - 1) < 0.03).all()
    assert (np.abs(back[24:, 4] - 1) < 0.03).all()
    assert (back[:, :3] == 0).all()
    heads = smollm2.patch(FRANCE, ITALY, by="head").recovered
    assert int(np.argmax(heads)) == 23 * 9 + 4


@pytest.mark.check
def test_who_gets_the_drink(smollm2: core.Model) -> None:  # noqa: F811
    """Head 23.3 (from 0) moves the name: the same whose ablation costs most (facts of the round)."""
    found = smollm2.patch(JOHN, MARY)
    assert found.answers == (" Mary", " John")
    assert found.differ == (9,)
    heads = smollm2.patch(JOHN, MARY, by="head").recovered
    assert int(np.argmax(heads)) == 23 * 9 + 3
    assert heads[23, 3] == pytest.approx(0.55, abs=0.02)
    folder = core.load("smollm2", engine="huggingface")
    for depth, i in ((12, 9), (20, 13)):
        patched = smollm2.patched(JOHN, MARY, depth, [i]).logits
        assert found.differences[depth, i] == pytest.approx(
            float(patched[found.ids[0]] - patched[found.ids[1]]), abs=1e-3
        )
    ends = folder.expects(JOHN)[0].logits, folder.expects(MARY)[0].logits
    for logits, ours in zip(ends, (found.a, found.b), strict=True):
        assert ours == pytest.approx(float(logits[found.ids[0]] - logits[found.ids[1]]), abs=1e-3)
