"""The frozen records, on a trace made by hand; all axes have different prime lengths."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest

import core
from core.records.trace import Attention, Record, Trace, frozen

LAYERS, HEADS, TOKENS, D_EMBEDDING, D_MODEL, D_HEAD = 2, 3, 7, 5, 11, 13
ARRAYS = ("learned", "embedded", "hidden", "query", "key", "value")


def numbers(*shape: int) -> np.ndarray:
    """Different numbers that own their memory."""
    return np.sin(np.arange(1, np.prod(shape) + 1, dtype=np.float64)).reshape(shape).astype(np.float32)


def rows(*shape: int) -> np.ndarray:
    """Attention weights: the rows sum to 1, the columns do not."""
    raw = np.exp(numbers(*shape))
    return raw / raw.sum(-1, keepdims=True)


# "river bank" with "the Bank", as BERT would split it: 7 tokens.
PAIR: dict[str, Any] = {
    "tokens": ("[CLS]", "ri", "##ver", "bank", "[SEP]", "Bank", "[SEP]"),
    "word_ids": (None, 0, 0, 1, None, 3, None),
    "segments": (0, 0, 0, 0, 0, 1, 1),
    "offsets": ((0, 0), (0, 2), (2, 5), (6, 10), (0, 0), (4, 8), (0, 0)),
    "special": (True, False, False, False, True, False, True),
    "left_out": None,
    "texts": ("River bank", "the Bank"),
    "left_out_by_text": (None, None),
    "model": "by hand",
    "cased": False,
}


def by_hand(**changes: Any) -> Trace:
    tokens = PAIR["tokens"]
    arrays = {
        "learned": numbers(TOKENS, D_EMBEDDING),
        "embedded": numbers(TOKENS, D_MODEL),
        "hidden": numbers(LAYERS, TOKENS, D_MODEL),
        "final": None,
        "attention": Attention(tokens, tokens, rows(LAYERS, HEADS, TOKENS, TOKENS)),
        "query": numbers(LAYERS, HEADS, TOKENS, D_HEAD),
        "key": numbers(LAYERS, HEADS, TOKENS, D_HEAD) * 2,
        "value": numbers(LAYERS, HEADS, TOKENS, D_HEAD) * 3,
    }
    return Trace(**(PAIR | arrays | changes))


def text_of(pieces: list[tuple[str, int, int]], text: str, **changes: Any) -> Trace:
    """A trace of one text split into these pieces, between two special tokens."""
    n = len(pieces) + 2
    record: dict[str, Any] = {
        "tokens": ("[CLS]", *(piece for piece, _, _ in pieces), "[SEP]"),
        "word_ids": (None,) * n,
        "segments": (0,) * n,
        "offsets": ((0, 0), *((start, end) for _, start, end in pieces), (0, 0)),
        "special": (True, *(False for _ in pieces), True),
        "learned": numbers(n, D_EMBEDDING),
        "embedded": numbers(n, D_MODEL),
        "hidden": numbers(LAYERS, n, D_MODEL),
        "attention": None,
        "query": None,
        "key": None,
        "value": None,
        "texts": (text,),
        "left_out_by_text": (None,),
    }
    return by_hand(**(record | changes))


# Attention


def test_attention_keeps_rows_as_queries_and_columns_as_keys() -> None:
    weights = rows(2, 3, 5, 7)
    block = Attention(tuple("abcde"), tuple("tuvwxyz"), weights)
    assert block.weights.shape == (2, 3, 5, 7)
    assert block.weights.dtype == np.float32
    np.testing.assert_array_equal(block.weights, weights)
    with pytest.raises(ValueError, match=r"\(2, 3, 7, 5\).*5 queries, 7 keys"):
        Attention(tuple("abcde"), tuple("tuvwxyz"), np.swapaxes(weights, 2, 3))


def test_attention_whose_labels_are_no_strings_is_refused() -> None:
    with pytest.raises(ValueError, match="must be strings"):
        Attention(range(5), tuple("tuvwxyz"), rows(2, 3, 5, 7))  # type: ignore[arg-type]


def test_attention_whose_columns_sum_to_1_is_refused() -> None:
    with pytest.raises(ValueError, match="a sum of 1"):
        Attention(tuple("abcde"), tuple("abcde"), np.swapaxes(rows(2, 3, 5, 5), 2, 3))


def test_a_row_that_is_missing_is_no_number_all_along() -> None:
    weights = rows(2, 3, 5, 7)
    weights[1, 2, 4] = np.nan
    weights[0, 1] = np.nan
    block = Attention(tuple("abcde"), tuple("tuvwxyz"), weights)
    expected = np.zeros((2, 3, 5), bool)
    expected[1, 2, 4] = expected[0, 1] = True
    np.testing.assert_array_equal(block.missing, expected)
    weights = weights.copy()
    weights[1, 2, 4, 3] = 1  # a row of which a part is no number
    with pytest.raises(ValueError, match="must be numbers"):
        Attention(tuple("abcde"), tuple("tuvwxyz"), weights)


def test_what_goes_into_a_sink_is_a_part_of_the_row() -> None:
    weights, sink = rows(2, 3, 5, 7) * 0.75, np.full((2, 3, 5), 0.25)
    assert Attention(tuple("abcde"), tuple("tuvwxyz"), weights, sink).sink is not None
    with pytest.raises(ValueError, match=r"a sum of 1 by 0\.25"):
        Attention(tuple("abcde"), tuple("tuvwxyz"), weights)
    with pytest.raises(ValueError, match=r"sink has the shape \(2, 3\), not \(2, 3, 5\)"):
        Attention(tuple("abcde"), tuple("tuvwxyz"), weights, sink[..., 0])


@pytest.mark.parametrize("shape", [(5, 7), (1, 2, 3, 5, 7), (2, 3, 7, 7), (2, 3, 5, 5)])
def test_attention_of_another_shape_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="must be"):
        Attention(tuple("abcde"), tuple("tuvwxyz"), rows(*shape))


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (np.nan, "must be numbers"),
        (-0.1, "at least 0"),
        (np.inf, "a sum of 1"),
        (0.9, "a sum of 1"),
    ],
)
def test_attention_that_is_no_distribution_is_refused(cell: float, message: str) -> None:
    weights = rows(2, 3, 5, 7)
    weights[1, 2, 4, 6] = cell
    with pytest.raises(ValueError, match=message):
        Attention(tuple("abcde"), tuple("tuvwxyz"), weights)


def test_attention_row_sums_may_be_off_by_rounding_only() -> None:
    weights = rows(1, 1, 2, 3)
    assert Attention("ab", "xyz", weights * np.float32(1 + 5e-5)).keys == ("x", "y", "z")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a sum of 1"):
        Attention(("a", "b"), ("x", "y", "z"), weights * np.float32(1 + 2e-4))


def test_long_rows_are_summed_exactly_enough() -> None:
    n = 4099  # float32 sums of many small numbers drift
    Attention(("q",), tuple(map(str, range(n))), np.full((1, 1, 1, n), 1 / n, np.float32))


# Trace: refused arguments


def test_by_hand_is_accepted() -> None:
    trace = by_hand()
    assert trace.hidden is not None
    assert trace.hidden.shape == (LAYERS, TOKENS, D_MODEL)
    for name in ARRAYS:
        assert getattr(trace, name).dtype == np.float32


@pytest.mark.parametrize("name", ["word_ids", "segments", "offsets", "special"])
def test_labels_of_another_length_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} has 6 entries for 7 tokens"):
        by_hand(**{name: PAIR[name][:-1]})


@pytest.mark.parametrize("name", [*ARRAYS, "final"])
def test_swapped_axes_are_refused(name: str) -> None:
    array = numbers(TOKENS, D_MODEL) if name == "final" else getattr(by_hand(), name)
    with pytest.raises(ValueError, match=f"{name} has the shape"):
        by_hand(**{name: np.swapaxes(array, -1, -2)})
    with pytest.raises(ValueError, match=f"{name} has the shape"):
        by_hand(**{name: array[None]})  # a batch axis that was not dropped


@pytest.mark.parametrize("name", [*ARRAYS, "final"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none_are_refused(name: str, bad: float) -> None:
    array = numbers(TOKENS, D_MODEL) if name == "final" else getattr(by_hand(), name).copy()
    array[..., -1, -1] = bad
    with pytest.raises(ValueError, match=f"{name} .*not finite"):
        by_hand(**{name: array})


@pytest.mark.parametrize("name", ["hidden", "query", "key", "value"])
def test_arrays_that_disagree_on_the_layers_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="number of layers"):
        by_hand(**{name: getattr(by_hand(), name)[:1]})


def test_attention_of_another_text_is_refused() -> None:
    tokens = ("other", *PAIR["tokens"][1:])
    weights = rows(LAYERS, HEADS, TOKENS, TOKENS)
    for queries, keys in ((tokens, tokens), (PAIR["tokens"], tokens), (tokens, PAIR["tokens"])):
        with pytest.raises(ValueError, match="labels of the attention"):
            by_hand(attention=Attention(queries, keys, weights))
    with pytest.raises(ValueError, match="number of layers"):
        by_hand(attention=Attention(PAIR["tokens"], PAIR["tokens"], weights[:1]))


# Freezing


def arrays_of(trace: Trace) -> list[np.ndarray]:
    assert trace.attention is not None
    return [*(getattr(trace, name) for name in ARRAYS), trace.attention.weights]


def test_an_array_that_owns_its_data_is_frozen_in_place() -> None:
    hidden = numbers(LAYERS, TOKENS, D_MODEL).copy()
    trace = by_hand(hidden=hidden)
    assert trace.hidden is hidden
    with pytest.raises(ValueError, match="read-only"):
        hidden[0, 0, 0] = 1


def test_a_view_is_copied_so_that_its_base_can_neither_change_nor_keep_it() -> None:
    batch = np.stack([numbers(LAYERS, TOKENS, D_MODEL)] * 3)
    trace = by_hand(hidden=batch[1])
    assert trace.hidden is not None
    assert trace.hidden.flags.owndata
    assert trace.hidden.base is None
    before = trace.hidden.copy()
    batch[:] = 99
    np.testing.assert_array_equal(trace.hidden, before)
    assert not trace.hidden.flags.writeable


def test_other_number_types_become_float32() -> None:
    assert frozen(np.arange(5, dtype=np.float64)).dtype == np.float32
    assert frozen([1, 2, 3]).dtype == np.float32
    assert frozen([1, 2, 3], np.int64).dtype == np.int64


def test_nothing_of_a_trace_can_be_changed() -> None:
    trace = by_hand()
    for array in arrays_of(trace):
        assert array.flags.owndata
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        trace.model = "another"  # type: ignore[misc]


@pytest.mark.parametrize(
    "again",
    [copy.deepcopy, copy.copy, *(lambda t, p=p: pickle.loads(pickle.dumps(t, p)) for p in (2, 4, 5))],
    ids=["deepcopy", "copy", "pickle2", "pickle4", "pickle5"],
)
def test_copies_stay_frozen_and_equal(again: Any) -> None:
    trace = by_hand()
    other = again(trace)
    for mine, theirs in zip(arrays_of(trace), arrays_of(other), strict=True):
        np.testing.assert_array_equal(mine, theirs)
        assert theirs.dtype == mine.dtype
        assert theirs.flags.owndata
        assert not theirs.flags.writeable
    assert other.tokens == trace.tokens
    assert other.texts == trace.texts
    assert other.find("bank").tolist() == [3]


def test_out_of_band_pickles_stay_frozen_when_their_buffer_changes() -> None:
    trace = by_hand()
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(trace, 5, buffer_callback=buffers.append)
    held = [bytearray(buffer.raw()) for buffer in buffers]
    other = pickle.loads(data, buffers=held)
    for buffer in held:
        buffer[:] = bytes(len(buffer))
    for mine, theirs in zip(arrays_of(trace), arrays_of(other), strict=True):
        np.testing.assert_array_equal(mine, theirs)
        assert not theirs.flags.writeable


def test_replace_checks_and_freezes_again() -> None:
    trace = dataclasses.replace(by_hand(), final=numbers(TOKENS, D_MODEL))
    assert trace.final is not None
    assert not trace.final.flags.writeable
    with pytest.raises(ValueError, match="final has the shape"):
        dataclasses.replace(trace, final=numbers(TOKENS + 1, D_MODEL))


def test_nbytes_counts_every_array_once() -> None:
    vectors = D_EMBEDDING + D_MODEL + LAYERS * D_MODEL
    heads = 3 * LAYERS * HEADS * D_HEAD
    attention = LAYERS * HEADS * TOKENS
    trace = by_hand()
    assert trace.nbytes == 4 * TOKENS * (vectors + heads + attention)
    assert trace.attention is not None
    assert trace.attention.nbytes == 4 * TOKENS * attention
    assert by_hand(attention=None, query=None, key=None, value=None).nbytes == 4 * TOKENS * vectors
    assert isinstance(trace, Record)


# The methods of a trace


def test_contextual_is_the_last_layer_or_the_final_norm() -> None:
    trace = by_hand()
    assert trace.hidden is not None
    np.testing.assert_array_equal(trace.contextual, trace.hidden[-1])
    final = numbers(TOKENS, D_MODEL) + 1
    np.testing.assert_array_equal(by_hand(final=final).contextual, final)
    np.testing.assert_array_equal(by_hand(final=final, hidden=None).contextual, final)
    with pytest.raises(core.NotSupported, match="keep='hidden'"):
        _ = by_hand(hidden=None).contextual


def test_scores_by_hand() -> None:
    trace = text_of(
        [],
        "",
        query=np.array([[[[1, 2, 3, 4], [0, 1, 0, 0]], [[2, 0, 0, 0], [0, 0, 0, 6]]]]),
        key=np.array([[[[1, 1, 1, 1], [5, 6, 7, 8]], [[3, 0, 0, 1], [4, 9, 9, 2]]]]),
        hidden=None,
    )
    scores = trace.scores(0, 0)
    # (1,2,3,4)·(1,1,1,1) = 10, ·(5,6,7,8) = 70, divided by √4; rows are queries.
    assert scores.values.tolist() == [[5, 35], [0.5, 3]]
    assert trace.scores(0, 1).values.tolist() == [[3, 4], [3, 6]]
    assert scores.values.dtype == np.float32
    assert scores.masked.dtype == np.bool_
    assert not scores.masked.any()
    assert not scores.values.flags.writeable
    assert not scores.masked.flags.writeable
    for layer, head in ((1, 0), (0, 2)):
        with pytest.raises(IndexError):
            trace.scores(layer, head)


def test_scores_of_a_trace_without_query_and_key() -> None:
    with pytest.raises(core.NotSupported, match="keep='all'"):
        by_hand(query=None).scores(0, 0)
    with pytest.raises(core.NotSupported, match="keep='all'"):
        by_hand(key=None).scores(0, 0)


def test_find_by_hand() -> None:
    trace = by_hand()
    assert trace.find("river").tolist() == [1, 2]
    assert trace.find("RIVER bank").tolist() == [1, 2, 3]
    assert trace.find("bank").tolist() == [3]
    assert trace.find("bank", occurrence=1).tolist() == [5]
    assert trace.find("bank", segment=1).tolist() == [5]
    assert [tokens.tolist() for tokens in trace.find_all("bank")] == [[3], [5]]
    assert [tokens.tolist() for tokens in trace.find_all("bank", segment=0)] == [[3]]
    assert trace.find_all("shore") == []
    assert trace.find_all("bank", segment=2) == []
    assert trace.find("bank").dtype == np.int64
    assert not trace.find("bank").flags.writeable


def test_find_tells_case_apart_where_the_model_does() -> None:
    trace = by_hand(cased=True)
    assert trace.find("bank").tolist() == [3]
    assert trace.find("Bank").tolist() == [5]
    assert trace.words() == ("River", "bank", "Bank")


def test_words_are_those_that_reached_the_model() -> None:
    trace = by_hand()
    assert trace.words() == ("river", "bank")  # "the" has no token here
    assert trace.words(segment=1) == ("bank",)


@pytest.mark.parametrize(
    ("word", "occurrence", "segment", "message"),
    [
        (
            "ban",
            0,
            None,
            "“ban” is not a whole word of this text. The words here are: river, bank. "
            "“ban*” finds “bank”.",
        ),
        (
            "ver",
            0,
            None,
            "“ver” is not a whole word of this text. The words here are: river, bank. "
            "“*ver” finds “river”.",
        ),
        ("river", 0, 1, "“river” is not a whole word of this text. The words here are: bank."),
        (
            "bank",
            2,
            None,
            "“bank” occurs here 2 times; occurrence 2 was requested (the first is 0).",
        ),
        ("bank", 1, 0, "“bank” occurs here once; occurrence 1 was requested (the first is 0)."),
        (
            "bank",
            -1,
            None,
            "“bank” occurs here 2 times; occurrence -1 was requested (the first is 0).",
        ),
    ],
)
def test_word_not_found_says_what_is_there(
    word: str, occurrence: int, segment: int | None, message: str
) -> None:
    with pytest.raises(core.WordNotFound) as caught:
        by_hand().find(word, occurrence, segment)
    assert str(caught.value) == message


def test_word_not_found_in_many_words_names_the_first_thirty() -> None:
    words = [f"w{i}" for i in range(37)]
    pieces, at = [], 0
    for word in words:
        pieces.append((word, at, at + len(word)))
        at += len(word) + 1
    with pytest.raises(core.WordNotFound) as caught:
        text_of(pieces, " ".join(words)).find("bank")
    assert ", w29 and 7 more." in str(caught.value)
    assert "w30" not in str(caught.value)


def test_word_not_found_in_a_text_without_words() -> None:
    with pytest.raises(core.WordNotFound, match="There are no words here"):
        text_of([], "").find("bank")


def test_a_word_cut_in_half_is_not_found() -> None:
    # "the river" lost its end: of "river" only "ri" reached the model.
    cut = {"left_out": (6, 9), "left_out_by_text": ((6, 9),)}
    trace = text_of([("the", 0, 3), ("ri", 4, 6)], "the river", **cut)
    assert trace.find("the").tolist() == [1]
    assert trace.find_all("river") == []
    assert trace.find_all("the river") == []
    assert trace.words() == ("the",)
    with pytest.raises(core.WordNotFound) as caught:
        trace.find("river")
    assert str(caught.value) == (
        "“river” is not a whole word of this text. The words here are: the. Whatever did not fit the "
        "model was left out."
    )


def test_each_text_of_a_pair_has_its_own_end() -> None:
    whole = by_hand(left_out=(5, 8), left_out_by_text=(None, (5, 8)))
    assert whole.find_all("bank", segment=1) == []
    assert whole.find("bank", segment=0).tolist() == [3]


def test_a_word_whose_pieces_span_its_neighbour_is_found_by_overlap() -> None:
    # A piece may begin with the space before its word, as in RoBERTa or XLM-R.
    trace = text_of([("▁a", 0, 1), ("▁ba", 1, 4), ("nk", 4, 6)], "a bank")
    assert trace.find("a").tolist() == [1]
    assert trace.find("bank").tolist() == [2, 3]


def test_occurrences_are_what_find_finds(minilm: core.Model) -> None:
    trace = minilm.trace("The Bank's bank banked on a riverbank; don't bank 🏦 on unbelievability.")
    found = trace.occurrences()
    assert [(o.word, o.number) for o in found if o.word == "bank"] == [
        ("bank", 0),
        ("bank", 1),
        ("bank", 2),
    ]
    assert {"banked", "riverbank", "don't", "'s", "unbelievability", ".", ";"} <= {
        o.word for o in found
    }
    for occurrence in found:
        np.testing.assert_array_equal(occurrence.tokens, trace.find(occurrence.word, occurrence.number))
        written = trace.texts[0][occurrence.start : occurrence.end]
        assert written.lower() == occurrence.word
    assert len(next(o for o in found if o.word == "unbelievability").tokens) > 1


def test_occurrences_of_a_pair_are_counted_on(minilm: core.Model) -> None:
    trace = minilm.trace("a bank", "the bank, a bank")
    assert [o.number for o in trace.occurrences() if o.word == "bank"] == [0, 1, 2]
    assert [o.number for o in trace.occurrences(1) if o.word == "bank"] == [0, 1]


def test_occurrences_stop_at_the_cut(minilm: core.Model) -> None:
    trace = minilm.trace("bank " * 600)
    assert len(trace.occurrences()) == len(trace.find_all("bank")) == 510


# Scores of models unlike BERT


def test_each_layer_masks_what_it_may_not_see() -> None:
    masked = np.zeros((LAYERS, TOKENS, TOKENS), bool)
    masked[1, 0, 3:] = True
    trace = by_hand(masked=masked)
    assert not trace.scores(0, 0).masked.any()
    np.testing.assert_array_equal(trace.scores(1, 2).masked, masked[1])
    with pytest.raises(ValueError, match="layers"):
        by_hand(masked=masked[:1])
    with pytest.raises(ValueError, match="masked"):
        by_hand(masked=masked[:, 1:])


def test_a_score_is_squeezed_before_the_bias_is_added() -> None:
    bias = numbers(HEADS, TOKENS, TOKENS)
    plain, made = by_hand().scores(1, 2).values, by_hand(softcap=0.5, bias=bias).scores(1, 2).values
    np.testing.assert_allclose(made, 0.5 * np.tanh(plain / 0.5) + bias[2], rtol=1e-6)


def test_a_bias_may_be_of_each_layer_and_one_for_all_heads() -> None:
    bias = numbers(LAYERS, 1, TOKENS, TOKENS)
    plain, made = by_hand().scores(1, 2).values, by_hand(bias=bias).scores(1, 2).values
    np.testing.assert_allclose(made, plain + bias[1, 0], rtol=1e-6)
    with pytest.raises(ValueError, match="layers"):
        by_hand(bias=bias[:1])


def test_a_layer_without_attention_has_no_scores() -> None:
    weights = rows(LAYERS, HEADS, TOKENS, TOKENS)
    query, key = (numbers(LAYERS, HEADS, TOKENS, D_HEAD) for _ in range(2))
    for array in (weights, query, key):
        array[0] = np.nan
    tokens = PAIR["tokens"]
    trace = by_hand(attention=Attention(tokens, tokens, weights), query=query, key=key, value=key)
    assert trace.scores(1, 0).values.shape == (TOKENS, TOKENS)
    with pytest.raises(core.NotSupported, match="has no head 0 in layer 0"):
        trace.scores(0, 0)
    query = query.copy()
    query[0, 0, 0, 0] = 1  # a number among those that are none
    with pytest.raises(ValueError, match="not finite"):
        by_hand(attention=None, query=query)
