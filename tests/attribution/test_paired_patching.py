"""Two sources of an encoder–decoder patched, and its lens, beside hooks in `transformers`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from torch import Tensor

import core
from core.errors import NotSupported, SettingError
from core.pretrained.seq2seq import Seq2SeqModel
from core.records.patching import Patching
from tests.attribution.test_paired import SHAPES
from tests.pretrained.small_models import save

A, B, MORE = "a kid saw the bank", "a kip sow the bank", [9, 5, 11]


class Theirs(NamedTuple):
    """A model of `transformers`, and the parts of its two halves."""

    model: Any
    stacks: dict[str, Any]
    layers: dict[str, list[Any]]
    joins: list[Any]  # what joins the heads of each cross-attention

    @torch.no_grad()
    def logits(self, ids: list[int], start: list[int]) -> Tensor:
        given = {"input_ids": torch.tensor([ids]), "decoder_input_ids": torch.tensor([start])}
        found: Tensor = self.model(**given).logits[0]
        return found


class Made(NamedTuple):
    ours: Seq2SeqModel
    theirs: Theirs
    a: list[int]
    b: list[int]
    start: list[int]
    answers: tuple[int, int]  # the two tokens whose logits the sources move most, one up and one down


@pytest.fixture(
    scope="module",
    params=[one if one == "t5" else pytest.param(one, marks=pytest.mark.check) for one in SHAPES],
)
def made(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    fill_randomly: Callable[..., None],
) -> Made:
    from transformers import AutoModelForSeq2SeqLM

    shape, more = SHAPES[request.param]
    head = "MTModel" if shape == "marian" else "ForConditionalGeneration"
    # Not every random model is so tame that float32 itself is right to 1e-5: umT5 with seed 0 is not.
    fill = partial(fill_randomly, seed=1)
    folder: Path = save(tmp_path_factory.mktemp("pair"), shape, fill, head, **more)
    ours = core.load(str(folder))
    assert isinstance(ours, Seq2SeqModel)
    # In double precision, so that the differences are ours alone.
    model = AutoModelForSeq2SeqLM.from_pretrained(folder, attn_implementation="eager").double().eval()
    halves = (
        {name: model.get_submodule(name) for name in ("encoder", "decoder")}
        if (t5 := hasattr(model, "encoder"))
        else {"encoder": model.model.encoder, "decoder": model.model.decoder}
    )
    layers = {name: list(half.block if t5 else half.layers) for name, half in halves.items()}
    joins = [
        one.layer[1].EncDecAttention.o if t5 else one.encoder_attn.out_proj for one in layers["decoder"]
    ]
    (a, read), (b, _) = (ours._read_pair(text, "", MORE) for text in (A, B))
    ids = [list(one.ids) for one in (a, b, read)]
    theirs = Theirs(model, halves, layers, joins)
    moved = theirs.logits(ids[0], ids[2])[-1] - theirs.logits(ids[1], ids[2])[-1]
    return Made(ours, theirs, ids[0], ids[1], ids[2], (int(moved.argmax()), int(moved.argmin())))


@contextmanager
def hooked(module: Any, change: Callable[[Tensor], Tensor | None], *, output: bool) -> Any:
    """What a module is given, or returns, changed; a change to None leaves it."""

    def before(_: Any, args: tuple[Any, ...], given: dict[str, Any]) -> Any:
        if args:
            new = change(args[0])
            return None if new is None else ((new, *args[1:]), given)
        new = change(given["hidden_states"])
        return None if new is None else (args, given | {"hidden_states": new})

    def behind(_: Any, args: Any, out: Any) -> Any:
        first = out[0] if isinstance(out, tuple) else out
        new = change(first)
        if new is None:
            return None
        return (new, *out[1:]) if isinstance(out, tuple) else new

    if output:
        handle = module.register_forward_hook(behind)
    else:
        handle = module.register_forward_pre_hook(before, with_kwargs=True)
    yield
    handle.remove()


def place(theirs: Theirs, half: str, depth: int) -> tuple[Any, bool]:
    """The module that is given, or that returns, the state of a depth."""
    layers = theirs.layers[half]
    return (layers[depth - 1], True) if depth else (layers[0], False)


def patched(made: Made, module: Any, output: bool, at: list[int], part: slice) -> np.ndarray:
    """The last logits behind B, with what a module had behind A at these tokens."""
    kept: list[Tensor] = []
    with hooked(module, lambda x: kept.append(x.clone()), output=output):
        made.theirs.logits(made.a, made.start)

    def put(x: Tensor) -> Tensor:
        x = x.clone()
        x[:, at, part] = kept[0][:, at, part]
        return x

    with hooked(module, put, output=output):
        found: np.ndarray = made.theirs.logits(made.b, made.start)[-1].numpy()
    return found


def difference(made: Made, logits: np.ndarray) -> float:
    return float(logits[made.answers[0]] - logits[made.answers[1]])


def bound_of(made: Made) -> float:
    return 1e-5 * max(1.0, float(made.theirs.logits(made.b, made.start).abs().max()))


def of(made: Made, **more: Any) -> Patching:
    return made.ours.patch_pair(A, B, answers=made.answers, more=MORE, **more)


@pytest.mark.parametrize("half", ["encoder", "decoder"])
def test_states_of_either_half(made: Made, half: Any) -> None:
    found = of(made, block=half)
    bound = bound_of(made)
    for run, ids in ((found.a, made.a), (found.b, made.b)):
        whole = difference(made, made.theirs.logits(ids, made.start)[-1].numpy())
        assert abs(run - whole) <= bound
    depths, tokens = found.differences.shape
    assert tokens == len(made.a if half == "encoder" else made.start)
    assert depths == len(made.theirs.layers[half]) + 1
    for depth in range(depths):
        module, output = place(made.theirs, half, depth)
        for i in range(tokens):
            expected = patched(made, module, output, [i], slice(None))
            assert abs(found.differences[depth, i] - difference(made, expected)) <= bound
            if i == 2:
                own = made.ours.patched_pair(A, B, "", depth, i, block=half, more=MORE)
                np.testing.assert_allclose(own.logits, expected, rtol=0, atol=bound)
    moved = np.abs(found.differences - found.b).max(axis=1)
    assert (moved[half == "decoder" :] > 20 * bound).all()  # nothing differs at the decoder's input
    if half == "decoder":  # its last state is all that the head reads
        assert found.recovered[-1, -1] == pytest.approx(1, abs=1e-3)


def test_heads_of_the_cross_attention(made: Made) -> None:
    bound = bound_of(made)
    for at in (-1, 1, None):
        found = of(made, block="cross", at=at)
        layers, heads = found.differences.shape
        where = [*range(len(made.start))] if at is None else [at]
        for layer in range(layers):
            width = made.theirs.joins[layer].weight.shape[1] // heads
            for head in range(heads):
                part = slice(head * width, (head + 1) * width)
                expected = patched(made, made.theirs.joins[layer], False, where, part)
                assert abs(found.differences[layer, head] - difference(made, expected)) <= bound


def test_the_lens_reads_each_state_as_the_last(made: Made) -> None:
    """A state of any depth, put in the place of the last one, gives the logits that the head makes."""
    grid = made.ours.pair_lens(A, "", more=MORE, word=made.answers[0])
    depths, tokens, k = grid.likeliest.shape
    assert tokens == len(made.start) == len(grid.tokens)
    assert grid.word_probabilities is not None
    kept: list[Tensor] = []
    for depth in range(depths):
        module, output = place(made.theirs, "decoder", depth)
        with hooked(module, lambda x: kept.append(x.clone()), output=output):
            made.theirs.logits(made.a, made.start)
    last, _ = place(made.theirs, "decoder", depths - 1)
    for depth, state in enumerate(kept):

        def put(_: Tensor, state: Tensor = state) -> Tensor:
            return state

        with hooked(last, put, output=True):
            logits = made.theirs.logits(made.a, made.start)
        shares = torch.softmax(logits, dim=-1)
        best = shares.topk(k, dim=-1)
        np.testing.assert_allclose(grid.probabilities[depth], best.values, rtol=0, atol=2e-5)
        np.testing.assert_allclose(
            grid.word_probabilities[depth], shares[:, made.answers[0]], rtol=0, atol=2e-5
        )
        clear = (best.values[:, 0] - best.values[:, 1] > 1e-4).numpy()
        assert (grid.likeliest[depth, clear, 0] == best.indices[clear, 0].numpy()).all()
    assert grid.predicts == "next"
    column = made.ours.pair_lens(A, "", more=MORE, positions=[-1])
    np.testing.assert_array_equal(column.likeliest[:, 0], grid.likeliest[:, -1])


def test_parts_are_told_and_taken_up(made: Made) -> None:
    parts: list[Patching] = []
    whole = of(made, on_part=parts.append)
    assert parts[0].done < 1
    again = of(made, begun=parts[0])
    np.testing.assert_array_equal(again.differences, whole.differences)


def test_what_is_refused(made: Made) -> None:
    ours = made.ours
    with pytest.raises(SettingError, match="block"):
        ours.patch_pair(A, B, block="both")  # type: ignore[arg-type]
    with pytest.raises(NotSupported, match="same tokens"):
        ours.patch_pair(A, A)
    with pytest.raises(NotSupported, match="Source A has"):
        ours.patch_pair(A + " bank", B)
    with pytest.raises(NotSupported, match="Both answers"):
        ours.patch_pair(A, B, answers=(5, 5))
    with pytest.raises(IndexError):
        ours.patched_pair(A, B, "", 99, 0)
    with pytest.raises(NotSupported, match="pair_lens"):
        ours.lens(A)
    assert ours.patch_pair(A + " bank", B, answers=made.answers, more=MORE, block="cross").done == 1
