"""Generated words: greedy decoding as in `transformers`, and their traces."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import core
from core.language import Sampling, choose, draw, shaped
from core.pretrained import EngineName
from tests.generated import written_ids
from tests.pretrained.small_models import Eager
from tests.pretrained.word_models import DECODERS, PAIRED, TARGET, logits, plain, untied
from tests.tiers import some

pytestmark = pytest.mark.check

Made = Callable[..., Path]
TEXT = "On the river bank, the"
STEPS = 12


def by_transformers(oracle: Eager, kind: str, steps: int = STEPS, text: str = TEXT) -> list[int]:
    """The tokens that `generate` itself adds, greedily, without the prompt."""
    inputs = oracle.tokenizer(text, return_tensors="pt", return_token_type_ids=False)
    oracle.model.generation_config.forced_eos_token_id = None  # it would end every text after `steps`
    if "t5" in kind:
        oracle.model.generation_config.decoder_start_token_id = 0
    out = oracle.model.generate(**inputs, do_sample=False, num_beams=1, max_new_tokens=steps)[0]
    before = 1 if kind in PAIRED else inputs["input_ids"].shape[1]
    return [int(n) for n in out[before:]]


def settled(folder: Path, place: Path, legacy: bool = False, **said: Any) -> Path:
    """A copy with these generation settings; with `legacy`, in config.json, as before 2023."""
    shutil.copytree(folder, place)
    file = place / "generation_config.json"
    if legacy:
        file.unlink()
        file = place / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | said))
    return place


@pytest.mark.parametrize("kind", some([*DECODERS, *PAIRED], 3))
def test_greedy_is_what_transformers_writes(made: Made, kind: str) -> None:
    oracle = plain(made(kind, change=untied))
    model = core.load(str(made(kind, change=untied)))
    found = written_ids(model, TEXT, n=STEPS, temperature=0)
    assert list(found) == by_transformers(oracle, kind)
    assert len(set(found)) > 2
    # Generating one by one gives the same tokens.
    one: tuple[int, ...] = ()
    for _ in range(len(found)):
        one += written_ids(model, TEXT, more=one, temperature=0)
    assert one == found
    # The caller's own model.
    assert written_ids(core.load(oracle.model, oracle.tokenizer), TEXT, n=4, temperature=0) == found[:4]
    # Each is the expected token there, and the one by the logits over the whole text.
    reads, inputs = whole(oracle, kind, found)
    expected = logits(oracle.model, **inputs)
    for k, token in enumerate(found):
        (there,) = model.expects(TEXT, more=found[:k])
        assert there.position == len(reads) - len(found) + k - 1
        assert there.ids[0] == token == int(expected[there.position].argmax())


def whole(oracle: Eager, kind: str, more: tuple[int, ...]) -> tuple[list[int], dict[str, Any]]:
    """The decoder's input for TEXT and its continuation."""
    ids = oracle.tokenizer(TEXT)["input_ids"]
    if kind not in PAIRED:
        ids += more
        return ids, {"input_ids": torch.tensor([ids])}
    reads = [0 if "t5" in kind else oracle.model.config.decoder_start_token_id, *more]
    return reads, {"input_ids": torch.tensor([ids]), "decoder_input_ids": torch.tensor([reads])}


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", [*DECODERS, *PAIRED])
def test_the_trace_of_what_was_written(made: Made, kind: str) -> None:
    oracle, model = plain(made(kind)), core.load(str(made(kind)))
    more = written_ids(model, TEXT, n=5, seed=3)
    reads, inputs = whole(oracle, kind, more)
    trace = model.trace(TEXT, more=more)
    if kind in PAIRED:
        same = model.trace(TEXT, "", more=more)
        np.testing.assert_array_equal(trace.decoder.hidden, same.decoder.hidden)
        assert trace.cross.queries == trace.decoder.tokens
        trace = trace.decoder
    assert list(trace.tokens) == oracle.tokenizer.convert_ids_to_tokens(reads)
    with torch.inference_mode():
        out = oracle.model(**inputs, output_hidden_states=True, output_attentions=True)
    attention = out.decoder_attentions if kind in PAIRED else out.attentions
    weights = torch.stack(attention)[:, 0]
    np.testing.assert_allclose(trace.attention.weights, weights, rtol=0, atol=1e-5)
    # The text has grown by their spelling.
    before = 0 if kind in PAIRED else len(TEXT)
    assert trace.texts[0][:before] == TEXT[:before]
    spans = trace.offsets[-len(more) :]
    ends = [before, *(end for _, end in spans)]
    assert ends == sorted(ends)
    assert spans[0][0] == before
    assert max(ends) == len(trace.texts[0])
    with pytest.raises(core.TooLarge):
        model.trace(TEXT, more=more * 13)


def ids_of(model: core.Model, *tokens: str) -> list[int]:
    return [model._reader._tokenizer.token_to_id(token) for token in tokens]


def test_words_over_the_seam(made: Made) -> None:
    """Generated tokens may continue the last word of the text."""
    model = core.load(str(made("gpt2")))
    more = ids_of(model, "k", "Ġbank", "Ġthe", "Ġ", "riv", "er")
    trace = model.trace("a ban", more=more)
    assert trace.texts == ("a bank bank the river",)
    assert trace.words() == ("a", "bank", "the", "river")
    n = len(trace.tokens)
    assert trace.find("bank").tolist() == [n - 7, n - 6]
    assert trace.find("bank", occurrence=1).tolist() == [n - 5]
    assert trace.find("river").tolist() == [n - 2, n - 1]
    assert trace.word_ids[n - 7] == trace.word_ids[n - 6] == 1
    assert trace.left_out is None
    assert not any(trace.special)


def test_a_character_of_several_tokens(made: Made) -> None:
    for kind, bytes_ in (("gpt2", ("ç", "Į", "«")), ("llama", ("<0xE7>", "<0x8C>", "<0xAB>"))):
        model = core.load(str(made(kind)))
        cat = ids_of(model, *bytes_)
        trace = model.trace("bank", more=[*cat, *ids_of(model, "b", bytes_[0])])
        assert trace.texts == ("bank猫b\ufffd",)
        assert trace.offsets[-5:] == ((4, 5), (4, 5), (4, 5), (5, 6), (6, 7))
        assert trace.find("猫").tolist() == [len(trace.tokens) - k for k in (5, 4, 3)]
        # A character that is never completed, and a separate token after it.
        broken = model.trace("bank", more=[*cat[:2], *ids_of(model, "b")])
        assert broken.texts[0].startswith("bank\ufffd")
        assert broken.texts[0].endswith("\ufffdb")
        assert broken.offsets[-1] == (len(broken.texts[0]) - 1, len(broken.texts[0]))


def test_spaces_of_sentence_pieces(made: Made) -> None:
    for kind, before in (("llama", "the river"), ("t5", ""), ("marian", "")):
        model = core.load(str(made(kind)))
        more = ids_of(model, "▁the", "▁bank", "b", "▁bank")
        trace = model.trace("the river", more=more)
        trace = trace if kind == "llama" else trace.decoder
        assert trace.texts == (f"{before} the bankb bank".strip(),)
        assert len(trace.find("bank")) == 1
        assert trace.find("bank").tolist() == [len(trace.tokens) - 1]


def test_special_tokens_are_no_text(made: Made) -> None:
    model = core.load(str(made("bart")))
    more = ids_of(model, "<s>", "Ġbank", "</s>")
    trace = model.trace("the river", more=more).decoder
    assert trace.texts == (" bank",)
    assert trace.special == (True, True, False, True)
    assert trace.offsets == ((0, 0), (0, 0), (0, 5), (5, 5))
    assert trace.word_ids == (None, None, 0, None)


def test_behind_a_target(made: Made) -> None:
    """The target without its end token, then the generated tokens; the truncated text stays."""
    for kind in PAIRED:
        model = core.load(str(made(kind)))
        alone, (new,) = (
            model.trace(TEXT, TARGET),
            written_ids(model, TEXT, second=TARGET, temperature=0),
        )
        trace = model.trace(TEXT, TARGET, more=[new])
        n = len(alone.decoder.tokens)
        assert trace.decoder.tokens[:n] == alone.decoder.tokens
        assert len(trace.decoder.tokens) == n + 1
        np.testing.assert_allclose(trace.decoder.hidden[:, :n], alone.decoder.hidden, rtol=0, atol=1e-5)
        assert trace.decoder.texts[0].startswith(TARGET)
        with pytest.raises(core.NotSupported, match="its decoder needs a text too"):
            model.trace(TEXT)


def test_a_tokenizer_that_ends_every_text(made: Made) -> None:
    """A decoder continues from the text, not from its end token."""
    from tokenizers import processors

    oracle = plain(made("llama"))
    oracle.tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 1), ("</s>", 2)]
    )
    model = core.load(oracle.model, oracle.tokenizer)
    ended = model.trace("the bank")
    assert ended.tokens[-1] == "</s>"
    (found,) = model.expects("the bank")
    assert found.position == len(ended.tokens) - 2
    trace = model.trace("the bank", more=[9])
    assert trace.tokens == (*ended.tokens[:-1], model._reader.name(9))
    ids = [1, *oracle.tokenizer("the bank", add_special_tokens=False)["input_ids"]]
    expected = logits(oracle.model, input_ids=torch.tensor([ids]))[-1]
    np.testing.assert_allclose(found.logits, expected, rtol=0, atol=1e-4)


# Allowed tokens, and the end of a text


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["gpt2", "bart", "marian"])
def test_it_stops_behind_the_end_token(made: Made, tmp_path: Path, kind: str) -> None:
    free = written_ids(core.load(str(made(kind, change=untied))), TEXT, n=STEPS, temperature=0)
    end = next(token for k, token in enumerate(free) if k >= 2 and token not in free[:k])
    expected = free[: free.index(end) + 1]
    for value in (end, [end, 3]):
        folder = settled(made(kind, change=untied), tmp_path / str(value), eos_token_id=value)
        model = core.load(str(folder))
        found = written_ids(model, TEXT, n=STEPS, temperature=0)
        assert list(found) == by_transformers(plain(folder), kind)
        assert found[: len(expected)] == expected[: len(found)]
        assert found[-1] in (end, 3)
        assert written_ids(model, TEXT, more=found, n=3) == ()


def test_an_end_token_in_the_text_ends_nothing(made: Made) -> None:
    """OPT begins every text with the token that also ends one."""
    model = core.load(str(made("opt")))
    assert model.trace("").tokens == ("</s>",)
    assert len(written_ids(model, "", temperature=0)) == 1


@pytest.mark.parametrize(
    ("kind", "legacy"),
    some([("gpt2", False), ("bart", False), ("marian", True), ("bart", True)], 1),
)
def test_what_may_not_come(made: Made, tmp_path: Path, kind: str, legacy: bool) -> None:
    free = written_ids(core.load(str(made(kind, change=untied))), TEXT, n=STEPS, temperature=0)
    rules: dict[str, dict[str, Any]] = {
        "suppressed": {"suppress_tokens": [free[1]]},
        "at first": {"begin_suppress_tokens": [free[0]]},
        "bad": {"bad_words_ids": [[free[0]]]},
        "rows": {"bad_words_ids": [[free[0], free[1]], [free[1], free[2]]]},
        "first": {"forced_bos_token_id": 5},
        "both": {"forced_bos_token_id": 5, "begin_suppress_tokens": [free[1]]},
    }
    for name, said in rules.items():
        folder = settled(made(kind, change=untied), tmp_path / name, legacy, **said)
        found = written_ids(core.load(str(folder)), TEXT, n=6, temperature=0)
        assert list(found) == by_transformers(plain(folder), kind, 6), name
        if name in ("suppressed", "at first", "bad"):
            assert found != free[:6], name
        if "first" in name and name != "at first":
            assert (found[0] == 5) == (kind in PAIRED), name


def test_it_stops_where_the_model_is_full(made: Made) -> None:
    for kind in ("gpt2", "bart"):
        model = core.load(str(made(kind)))
        text = "the river bank " * 4
        found = written_ids(model, text, n=100, seed=2)
        trace = model.trace(text, more=found)
        trace = trace.decoder if kind == "bart" else trace
        assert len(trace.tokens) == model.max_tokens == 64
        assert written_ids(model, text, more=found) == ()
        (last,) = model.expects(text, more=found)
        assert last.position == 63
    model = core.load(str(made("gpt2")))
    full = "the river bank " * 40
    assert written_ids(model, full, n=3) == ()
    assert model.expects(full)[0].position == 63
    with pytest.raises(core.TooLarge, match=r"64 tokens .* 1 that follow are more than the 64"):
        model.trace(full, more=[1])


@pytest.mark.parametrize("kind", ["gpt2", "t5"])
def test_ids_that_there_are_not(made: Made, kind: str) -> None:
    model = core.load(str(made(kind)), name="it")
    size = len(model._runner.table)
    for ask in (model.trace, model.expects, model.generate):
        for number in (-1, size):
            with pytest.raises(core.SettingError, match=f"no token {number}: “it” knows {size}"):
                ask(TEXT, more=[3, number])
        with pytest.raises(core.SettingError, match="whole number"):
            ask(TEXT, more=["a"])  # type: ignore[list-item]


def test_nothing_to_go_on_from(made: Made) -> None:
    model = core.load(str(made("gpt2")))
    for ask in (model.expects, model.generate):
        with pytest.raises(core.NotSupported, match="no token from it and adds none"):
            ask("")
    assert model.trace("", more=[40, 41]).tokens == tuple(model._reader.name(n) for n in (40, 41))
    with pytest.raises(core.NotSupported, match="it is a decoder"):
        model.generate("a", second="b")


# Sampling


def test_a_seed_draws_the_same(made: Made) -> None:
    model = core.load(str(made("gpt2")))
    first = written_ids(model, TEXT, n=8, seed=5)
    assert written_ids(model, TEXT, n=8, seed=5) == first
    assert written_ids(model, TEXT, n=8, seed=6) != first
    one: tuple[int, ...] = ()
    for _ in range(8):
        one += written_ids(model, TEXT, more=one, seed=5)
    assert one == first
    likeliest = written_ids(model, TEXT, n=4, temperature=0)
    assert written_ids(model, TEXT, n=4, top_k=1, seed=9) == likeliest
    assert written_ids(model, TEXT, n=4, temperature=1e-6, seed=9) == likeliest


@pytest.mark.parametrize(("temperature", "top_k"), [(1.0, None), (0.5, None), (2.0, 3)])
def test_draws_follow_the_probabilities(temperature: float, top_k: int | None) -> None:
    scores = np.array([1.0, -np.inf, 3.0, 2.0, 0.5], np.float32)
    drawn = Counter(choose(scores, Sampling(temperature, top_k), seed, 7).id for seed in range(4000))
    p = np.exp(scores / temperature)
    if top_k:
        p[np.argsort(-p)[top_k:]] = 0
    p /= p.sum()
    for token, share in enumerate(p):
        assert abs(drawn[token] / 4000 - share) < 0.03
        assert share > 0 or drawn[token] == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"n": 0},
        {"n": 1.5},
        {"temperature": -0.1},
        {"temperature": float("inf")},
        {"temperature": float("nan")},
        {"top_k": 0},
        {"top_k": True},
        {"top_p": 0},
        {"min_p": 2},
        {"stop": ("a", "")},
        {"stop": 5},
        {"seed": -1},
        {"seed": None},
    ],
)
def test_what_is_no_way_to_draw(made: Made, wrong: Any) -> None:
    model = core.load(str(made("gpt2")))
    with pytest.raises(core.SettingError, match=next(iter(wrong))):
        written_ids(model, TEXT, **wrong)


# One by one


@pytest.mark.parametrize("kind", some(DECODERS, 3))
@pytest.mark.parametrize("engine", [None, "huggingface"])
def test_with_kept_keys_it_writes_what_it_writes_without(
    made: Made, kind: str, engine: EngineName | None
) -> None:
    model = core.load(str(made(kind, change=untied)), engine=engine)
    assert model._runner.following() is not None
    kept = list(model.generate(TEXT, STEPS, temperature=0.9, seed=4))
    other = core.load(str(made(kind, change=untied)), engine="huggingface")
    other._runner._follows = False  # type: ignore[attr-defined]
    whole = list(other.generate(TEXT, STEPS, temperature=0.9, seed=4))
    assert [one.id for one in kept] == [one.id for one in whole]
    for one, same in zip(kept, whole, strict=True):
        np.testing.assert_allclose(one.expectation.logits, same.expectation.logits, atol=1e-4)


def test_a_model_that_reads_otherwise_one_by_one_is_run_as_a_whole(made: Made) -> None:
    model = core.load(str(made("gpt2", change=untied)), engine="huggingface")
    want = written_ids(model, TEXT, 5, temperature=0)
    broken = core.load(str(made("gpt2", change=untied)), engine="huggingface")
    positions = broken._runner.model.wpe  # type: ignore[attr-defined]
    positions.register_forward_hook(lambda _, given, out: out * given[0].shape[-1])
    assert broken._runner.following() is None
    assert written_ids(model, TEXT, 5, temperature=0) == want


def test_each_token_comes_with_what_was_expected_and_how_it_was_drawn(made: Made) -> None:
    model = core.load(str(made("llama", change=untied)))
    way = Sampling(1.2, top_k=20, top_p=0.9, min_p=0.01)
    written = list(model.generate(TEXT, 6, temperature=1.2, top_k=20, top_p=0.9, min_p=0.01, seed=2))
    assert len(written) == 6
    for k, one in enumerate(written):
        (there,) = model.expects(TEXT, more=[before.id for before in written[:k]])
        np.testing.assert_allclose(one.expectation.logits, there.logits, atol=1e-5)
        distribution = shaped(one.expectation.logits, way)
        assert one.number is not None
        again = draw(distribution, one.number)
        assert (one.id, one.rank, one.probability) == (again.id, again.rank, again.probability)
        assert one.rank < distribution.kept <= 20
        assert one.token == model._reader.name(one.id)
    (greedy,) = model.generate(TEXT, temperature=0)
    assert (greedy.rank, greedy.number) == (0, None)
    assert greedy.probability == pytest.approx(model.predict(TEXT)[0].probabilities[0], rel=1e-5)


def test_it_is_written_when_it_is_asked_for(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    model = core.load(str(made("gpt2", change=untied)))
    runs: list[int] = []
    run = type(model)._logits

    def counted(self: core.Model, runs_: Any, batch: Any, positions: Any, **how: bool) -> Any:
        runs.append(batch.ids_BL.shape[1])
        return run(self, runs_, batch, positions, **how)

    monkeypatch.setattr(type(model), "_logits", counted)
    stream = model.generate(TEXT, 9, temperature=0)
    assert not runs
    next(stream)
    next(stream)
    assert runs == [len(model.trace(TEXT).tokens), 1]  # the second token alone is read


def test_a_stop_text_ends_it(made: Made) -> None:
    model = core.load(str(made("gpt2", change=untied)))
    every = list(model.generate(TEXT, STEPS, temperature=0))
    text = model._reader.decode([one.id for one in every])
    stop = text[2:4]
    some_ = list(model.generate(TEXT, STEPS, temperature=0, stop=stop))
    reached = next(
        k for k in range(STEPS) if stop in model._reader.decode([o.id for o in every[: k + 1]])
    )
    assert [one.id for one in some_] == [one.id for one in every[: reached + 1]]
    assert some_[-1].end
    assert not any(one.end for one in some_[:-1])
    assert written_ids(model, TEXT, STEPS, temperature=0, stop=["no such text", stop]) == tuple(
        one.id for one in some_
    )
    assert len(written_ids(model, TEXT, STEPS, temperature=0, stop="no such text")) == len(every)


def test_half_a_character_waits_for_its_other_half(made: Made) -> None:
    """Random weights write bytes at random: what is added never has a broken character at its end."""
    model = core.load(str(made("gpt2", change=untied)))
    start = len(model.read(TEXT))
    for seed in range(4):
        every = list(model.generate(TEXT, 30, seed=seed, temperature=3.0))
        said = "".join(one.added for one in every)
        whole = model._behind([*model.read(TEXT).ids, *(one.id for one in every)], start)
        assert whole.startswith(said)
        assert whole == said or whole.endswith("\ufffd")
