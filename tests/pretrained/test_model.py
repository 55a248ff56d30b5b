"""A loaded model: batches, streams, `keep`, refused requests."""

from __future__ import annotations

import gc
import itertools
import resource
import tracemalloc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import core
from core.pretrained import model as module
from tests.tiers import some

BOUND = 1e-5
RIVER = "Write a poem about a man fishing on a river bank."
MONEY = "Write a poem about a man withdrawing money from a bank."
MIXED = [
    RIVER,
    "",
    "bank",
    "🎣 👨‍👩‍👧‍👦 on the bank",
    MONEY * 9,
    "我去银行。",
    "the bank's unaffordable riverbank",
    "bank bank bank",
    RIVER,
    " ",
]
LABELS = (
    "tokens",
    "word_ids",
    "segments",
    "offsets",
    "special",
    "left_out",
    "left_out_by_text",
    "texts",
    "model",
    "cased",
)
ARRAYS = ("learned", "embedded", "hidden", "query", "key", "value")


@pytest.fixture(scope="module", params=["scratch", "huggingface"])
def small(request: pytest.FixtureRequest, make_folder: Any) -> core.Model:
    return core.load(str(make_folder("bert")), engine=request.param)


@pytest.fixture(params=["minilm", "minilm_hf"])
def real(request: pytest.FixtureRequest) -> core.Model:
    model: core.Model = request.getfixturevalue(request.param)
    return model


def assert_same(a: core.Trace, b: core.Trace, bound: float = BOUND) -> None:
    """Every field, not only the numbers."""
    for field in LABELS:
        assert getattr(a, field) == getattr(b, field), field
    for name in ARRAYS:
        x, y = getattr(a, name), getattr(b, name)
        assert (x is None) == (y is None), name
        if x is not None:
            assert x.shape == y.shape
            np.testing.assert_allclose(x, y, rtol=0, atol=bound, err_msg=name)
    assert (a.attention is None) == (b.attention is None)
    if a.attention is not None and b.attention is not None:
        np.testing.assert_allclose(a.attention.weights, b.attention.weights, rtol=0, atol=bound)


# trace


def test_a_trace_says_what_it_is_of(real: core.Model) -> None:
    trace = real.trace("The bank's riverbank")
    assert trace.tokens == ("[CLS]", "the", "bank", "'", "s", "river", "##bank", "[SEP]")
    assert trace.word_ids == (None, 0, 1, 2, 2, 3, 3, None)
    assert trace.offsets == ((0, 0), (0, 3), (4, 8), (8, 9), (9, 10), (11, 16), (16, 20), (0, 0))
    assert trace.special == (True, *[False] * 6, True)
    assert trace.segments == (0,) * 8
    assert trace.texts == ("The bank's riverbank",)
    assert trace.left_out is None
    assert trace.left_out_by_text == (None,)
    assert trace.model == "minilm"
    assert not trace.cased
    assert trace.final is None
    assert trace.find("riverbank").tolist() == [5, 6]
    assert trace.find_all("BANK")[0].tolist() == [2]
    assert len(trace.find_all("bank")) == 1
    assert trace.words() == ("the", "bank", "'s", "riverbank")


def test_arrays_are_in_their_shapes_and_own_their_numbers(real: core.Model) -> None:
    trace = real.trace(RIVER)
    n = len(trace.tokens)
    assert n == 14
    shapes = [(n, 384), (n, 384), (6, n, 384), *[(6, 12, n, 32)] * 3]
    for name, shape in zip(ARRAYS, shapes, strict=True):
        array = getattr(trace, name)
        assert array.shape == shape
        assert array.flags.owndata  # a slice would keep its whole batch alive
        assert not array.flags.writeable
        assert array.dtype == np.float32
    assert trace.attention is not None
    assert trace.attention.weights.shape == (6, 12, n, n)
    assert trace.attention.weights.flags.owndata
    assert trace.attention.queries == trace.attention.keys == trace.tokens


def test_bank_is_learned_once_and_means_two_things(minilm: core.Model) -> None:
    river, money = minilm.trace(RIVER), minilm.trace(MONEY)
    (a,), (b,) = river.find("bank"), money.find("bank")
    np.testing.assert_array_equal(river.learned[a], money.learned[b])
    cosine = river.contextual[a] @ money.contextual[b]
    cosine /= np.linalg.norm(river.contextual[a]) * np.linalg.norm(money.contextual[b])
    assert 0.7 < cosine < 0.9


def test_a_pair(real: core.Model) -> None:
    trace = real.trace("river bank", "The bank falls")
    assert trace.tokens == ("[CLS]", "river", "bank", "[SEP]", "the", "bank", "falls", "[SEP]")
    assert trace.segments == (0, 0, 0, 0, 1, 1, 1, 1)
    assert trace.word_ids == (None, 0, 1, None, 2, 3, 4, None)
    assert trace.find("bank", segment=0).tolist() == [2]
    assert trace.find("bank", segment=1).tolist() == trace.find("bank", occurrence=1).tolist() == [5]
    with pytest.raises(core.WordNotFound, match=r"“river”.*the, bank, falls"):
        trace.find("river", segment=1)
    # Each text has its own offsets, and the token types of the second have an effect.
    assert trace.offsets[4] == (0, 3)
    alone = real.trace("river bank [SEP] The bank falls")
    assert alone.tokens == trace.tokens
    assert np.abs(alone.embedded - trace.embedded).max() > 0.01


@pytest.mark.parametrize("keep", ["all", "attention", "hidden"])
def test_keep_says_what_is_kept(small: core.Model, keep: Any) -> None:
    full, trace = small.trace(RIVER), small.trace(RIVER, keep=keep)
    kept = {
        "all": {"hidden", "attention", "query", "key", "value"},
        "attention": {"attention"},
        "hidden": {"hidden"},
    }[keep]
    for name in ("hidden", "attention", "query", "key", "value"):
        assert (getattr(trace, name) is not None) == (name in kept)
    for name in {"learned", "embedded", *kept} - {"attention"}:
        np.testing.assert_allclose(getattr(trace, name), getattr(full, name), rtol=0, atol=BOUND)
    if keep != "hidden":
        assert trace.attention is not None
        assert full.attention is not None
        np.testing.assert_array_equal(trace.attention.weights, full.attention.weights)
        assert trace.grid == (5, 3)


def test_keep_of_something_else_is_refused(small: core.Model) -> None:
    for ask in (
        lambda: small.trace(RIVER, keep="everything"),  # type: ignore[call-overload]
        lambda: small.trace_many([RIVER], keep="everything"),  # type: ignore[arg-type]
        lambda: small.trace_many([], keep=""),  # type: ignore[arg-type]
    ):
        with pytest.raises(core.SettingError, match="all, attention, hidden"):
            ask()


@pytest.mark.parametrize("text", [None, 7, b"bank", ["bank"]])
def test_what_is_no_text_is_refused(small: core.Model, text: Any) -> None:
    with pytest.raises(core.SettingError, match="must be a string"):
        small.trace(text)
    with pytest.raises(core.SettingError, match="must be a string"):
        small.trace_many(["bank", text])
    with pytest.raises(core.SettingError, match="must be a string"):
        list(small.vectors(["bank", text], "bank"))
    if text is not None:
        with pytest.raises(core.SettingError, match="must be a string"):
            small.trace("bank", text)


# Texts that are too long


def test_600_words_lose_their_end(small: core.Model) -> None:
    words = [f"bank{'s' * (i % 2)}" for i in range(600)]
    text = " ".join(words)
    trace = small.trace(text, keep="hidden")
    assert len(trace.tokens) == small.max_tokens == 512
    assert trace.tokens[-1] == "[SEP]"
    assert trace.left_out == (len(" ".join(words[:510])) + 1, len(text))
    assert trace.left_out_by_text == (trace.left_out,)
    assert text[slice(*trace.left_out)].split() == words[510:]
    assert len(trace.find_all("bank")) == 255
    assert trace.texts == (text,)


def test_a_pair_loses_from_its_longer_text(small: core.Model) -> None:
    short, long = "the river", "bank " * 600
    trace = small.trace(short, long, keep="hidden")
    assert len(trace.tokens) == 512
    assert trace.left_out_by_text == (None, (5 * 507, len(long)))
    assert trace.left_out == (5 * 507, len(long))
    assert trace.segments.count(0) == 4
    other = small.trace(long, short, keep="hidden")
    assert other.left_out_by_text == ((5 * 507, len(long)), None)
    both = small.trace(long, long, keep="hidden")
    assert both.left_out_by_text == ((5 * 254, len(long)), (5 * 255, len(long)))
    assert both.left_out == (5 * 254, len(long))
    assert len(both.find_all("bank", segment=0)) == 254
    assert len(both.find_all("bank", segment=1)) == 255


def test_a_word_that_does_not_fit_whole_is_not_found(small: core.Model) -> None:
    text = "bank " * 509 + "unaffordable"
    trace = small.trace(text, keep="hidden")
    assert trace.tokens[-2] == "un"
    assert trace.find_all("unaffordable") == []
    assert "unaffordable" not in trace.words()
    assert list(small.vectors([text], "unaffordable")) == []
    assert text[slice(*trace.left_out)] == "affordable"  # type: ignore[misc]


@pytest.mark.parametrize("engine", ["scratch", "huggingface"])
def test_a_trace_above_the_limit_is_refused(
    monkeypatch: pytest.MonkeyPatch, make_folder: Any, engine: Any
) -> None:
    monkeypatch.setenv("POLYSEE_TRACE_MB", "1")
    model = core.load(str(make_folder("bert")), engine=engine)
    text = "bank " * 198  # 200 tokens: 15 maps of 40,000 weights are 2.4 MB
    with pytest.raises(core.TooLarge, match=r"200 tokens.*3 MB.*1 MB \(POLYSEE_TRACE_MB\).*keep="):
        model.trace(text)
    for keep in ("all", "attention"):
        with pytest.raises(core.TooLarge):
            model.trace_many(["bank", text], keep=keep)
    assert model.trace(text, keep="hidden").nbytes < 10**6
    assert model.trace("bank " * 98).nbytes < 10**6


def test_the_limit_counts_what_a_trace_takes(
    monkeypatch: pytest.MonkeyPatch, small: core.Model
) -> None:
    for keep in ("all", "attention", "hidden"):
        size = small.trace(RIVER, keep=keep).nbytes
        monkeypatch.setattr(small, "_trace_bytes", size)
        small.trace(RIVER, keep=keep)
        monkeypatch.setattr(small, "_trace_bytes", size - 1)
        with pytest.raises(core.TooLarge):
            small.trace(RIVER, keep=keep)


# trace_many


@pytest.mark.few(9)
@pytest.mark.parametrize("keep", ["all", "attention", "hidden"])
@pytest.mark.parametrize("batch_size", [1, 3, 32])
def test_many_equal_one_at_a_time(small: core.Model, keep: Any, batch_size: int) -> None:
    many = small.trace_many(MIXED, keep=keep, batch_size=batch_size)
    assert len(many) == len(MIXED)
    for text, trace in zip(MIXED, many, strict=True):
        assert_same(trace, small.trace(text, keep=keep))
        for name in ARRAYS:
            array = getattr(trace, name)
            assert array is None or array.flags.owndata


@pytest.mark.few(1)
@pytest.mark.parametrize("keep", ["all", "hidden"])
def test_many_equal_one_at_a_time_on_minilm(real: core.Model, keep: Any) -> None:
    for text, trace in zip(MIXED, real.trace_many(MIXED, keep=keep), strict=True):
        assert_same(trace, real.trace(text, keep=keep))


def test_many_keep_hidden_by_default(small: core.Model) -> None:
    (trace,) = small.trace_many(iter([RIVER]))
    assert trace.hidden is not None
    assert trace.attention is None
    assert small.trace_many([]) == []


def test_one_text_is_no_list_of_texts(small: core.Model) -> None:
    with pytest.raises(core.SettingError, match=r"list of texts.*call trace"):
        small.trace_many(RIVER)
    with pytest.raises(core.SettingError, match="list of texts"):
        small.vectors(RIVER, "bank")  # refused at once, before anything is asked of it


# vectors


def by_traces(model: core.Model, texts: list[str], word: str) -> list[tuple[Any, ...]]:
    """The same in another way: each text alone, and `Trace.find_all`."""
    result = []
    for i, text in enumerate(texts):
        trace = model.trace(text, keep="hidden")
        assert trace.hidden is not None
        for n, tokens in enumerate(trace.find_all(word)):
            result.append(
                (i, n, trace.learned[tokens].mean(0), trace.hidden[:, tokens].mean(1), len(tokens))
            )
    return result


@pytest.mark.check
@pytest.mark.parametrize(
    ("word", "pieces"),
    some([("riverbank", 2), ("bank", 1), ("unaffordable", 4), ("river bank", 2), ("🎣", 1)], 2),
)
@pytest.mark.parametrize("which", ["scratch", "huggingface", "minilm"])
def test_vectors_are_those_of_the_traces(
    minilm: core.Model, make_folder: Any, which: Any, word: str, pieces: int
) -> None:
    model = (
        minilm
        if which == "minilm"
        else core.load(str(make_folder("bert", every_piece=True)), engine=which)
    )
    expected = by_traces(model, MIXED, word)
    assert expected
    assert expected[0][4] == pieces
    for found, (text, occurrence, learned, hidden, _) in zip(
        model.vectors(MIXED, word, batch_size=3), expected, strict=True
    ):
        assert (found.text, found.occurrence) == (text, occurrence)
        np.testing.assert_allclose(found.learned, learned, rtol=0, atol=BOUND)
        np.testing.assert_allclose(found.hidden, hidden, rtol=0, atol=BOUND)


def test_a_vector_unpacks_and_is_frozen(small: core.Model) -> None:
    (found,) = small.vectors([RIVER], word="Bank")
    learned, hidden = found
    assert learned is found.learned
    assert hidden is found.hidden
    assert learned.shape == (21,)
    assert hidden.shape == (5, 21)
    assert learned.dtype == hidden.dtype == np.float32
    for array in found:
        assert array.flags.owndata
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    assert found.nbytes == 4 * 6 * 21


def test_several_occurrences_are_numbered_from_left_to_right(small: core.Model) -> None:
    found = list(small.vectors(["no word", "bank bank", "a bank"], "bank"))
    assert [(v.text, v.occurrence) for v in found] == [(1, 0), (1, 1), (2, 0)]
    np.testing.assert_array_equal(found[0].learned, found[1].learned)
    assert np.abs(found[0].hidden - found[1].hidden).max() > 0.01


def test_nothing_to_find(small: core.Model) -> None:
    assert list(small.vectors([], "bank")) == []
    assert list(small.vectors(MIXED, "shore")) == []
    assert list(small.vectors(MIXED, "")) == []


def test_order_is_kept_over_several_windows(monkeypatch: pytest.MonkeyPatch, small: core.Model) -> None:
    monkeypatch.setattr(module, "WINDOW_TEXTS", 7)
    # Lengths that fall within a window, so that its batches run in another order than its texts;
    # two windows in a row without the word.
    texts = [f"{'so ' * (i * 5 % 11)}{'' if 14 <= i < 28 else 'bank ' * (i % 3)}{i}" for i in range(47)]
    expected = by_traces(small, texts, "bank")
    found = list(small.vectors(texts, "bank", batch_size=2))
    assert [(v.text, v.occurrence) for v in found] == [(t, n) for t, n, *_ in expected]
    for vector, (_, _, _, hidden, _) in zip(found, expected, strict=True):
        np.testing.assert_allclose(vector.hidden, hidden, rtol=0, atol=BOUND)


@pytest.mark.few(1)
def test_an_endless_stream_is_read_one_window_ahead(small: core.Model) -> None:
    asked = 0

    def endless() -> Iterator[str]:
        nonlocal asked
        for i in itertools.count():
            asked += 1
            yield f"the bank {i}" if i % 3 == 0 else f"no such word {i}"

    stream = small.vectors(endless(), "bank")
    assert asked == 0  # nothing is read before anything is wanted
    first = next(stream)
    assert first.text == 0
    assert asked == module.WINDOW_TEXTS
    for vector in itertools.islice(stream, 700):
        assert asked - vector.text <= 2 * module.WINDOW_TEXTS
    assert asked == 3 * module.WINDOW_TEXTS


@pytest.mark.fuzz
def test_memory_does_not_grow_with_the_texts(make_folder: Any) -> None:
    model = core.load(str(make_folder("bert", num_hidden_layers=2)))
    # New texts of words that come again: `core.records.spelling` remembers the keys of many words.
    texts = (f"{i % 997} men fish on the bank of river {i % 7}" for i in range(6 * module.WINDOW_TEXTS))
    stream = model.vectors(texts, "bank")

    def resident() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

    gc.collect()
    gc.freeze()  # or how often garbage is collected would depend on what other tests have left
    tracemalloc.start()
    try:
        # Two windows are in memory when one replaces the other; then the texts end.
        count = sum(1 for _ in itertools.islice(stream, 3 * module.WINDOW_TEXTS))
        _, first_peak = tracemalloc.get_traced_memory()
        highest = resident()
        tracemalloc.reset_peak()
        count += sum(1 for _ in stream)
        _, second_peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        gc.unfreeze()
    assert count == 6 * module.WINDOW_TEXTS
    assert second_peak < 1.1 * first_peak
    assert resident() - highest < 16 * 2**20


@pytest.mark.parametrize("size", [0, -1])
def test_a_batch_of_no_texts_is_refused(minilm: core.Model, size: int) -> None:
    with pytest.raises(core.SettingError, match="batch_size"):
        minilm.trace_many(["a bank"], batch_size=size)
    with pytest.raises(core.SettingError, match="batch_size"):
        list(minilm.vectors(["a bank"], "bank", batch_size=size))


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("texts", "word", "found"),
    [
        (["un café", "a cafe"], "cafe", ["café", "cafe"]),
        (["İyi", "iyi"], "İYİ", ["İyi", "iyi"]),
        (["البَنْكِ", "البنك"], "البنك", ["البَنْكِ", "البنك"]),
        (["❤️", "I ❤ it"], "❤", ["❤️", "❤"]),
        (["ﬁne", "a fine day"], "fine", ["ﬁne", "fine"]),
        (["l'eau", "jusqu’à l’eau"], "eau", ["eau", "eau"]),
        (["我在银行存钱"], "银行", ["银行"]),
        (["은행에서", "은행 앞"], "은행", ["은행에서", "은행"]),
        (["the riverbank", "bankers bank"], "*bank*", ["riverbank", "bankers", "bank"]),
        (["the riverbank", "bankers"], "bank", []),
    ],
)
def test_vectors_of_a_word_in_every_spelling_that_the_model_reads_alike(
    minilm: core.Model, texts: list[str], word: str, found: list[str]
) -> None:
    vectors = list(minilm.vectors(texts, word))
    assert [one.word for one in vectors] == found
    for one in vectors:
        trace = minilm.trace(texts[one.text], keep="hidden")
        assert trace.hidden is not None
        at = trace.find(word, one.occurrence)
        np.testing.assert_allclose(one.hidden, trace.hidden[:, at].mean(axis=1), atol=1e-5)


def test_a_trace_names_words_once_that_the_model_reads_alike(minilm: core.Model) -> None:
    trace = minilm.trace("Café, cafe: l'eau et l’eau")
    assert trace.words() == ("café", ",", ":", "l'", "eau", "et")
    for one in trace.occurrences():
        assert trace.find(one.word, one.number).tolist() == one.tokens.tolist()
    assert [(one.word, one.number) for one in trace.occurrences(of="*f*")] == [("café", 0), ("café", 1)]
