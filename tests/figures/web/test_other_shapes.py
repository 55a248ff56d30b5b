"""Attention in models unlike BERT, as sent to a picture: every weight can be recovered."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from core.errors import NotSupported
from core.figures import (
    AllHeads,
    LayerAttention,
    LayerTitles,
    Picture,
    heads_of,
    heatmap,
    layer_of,
    layer_view,
    overview,
)
from core.figures.attention.packed import packed
from core.measures import (
    block_difference,
    blocks,
    head_map,
    mean_of_all,
    part,
    without_special,
    word_map,
)
from core.measures.attention.visible_keys import later
from core.records.trace import Attention, Trace
from tests.browser.pictures.hand_made import D_HEAD, HEADS, LAYERS, traced, window

N = 9
LOCAL = np.stack([window(N, 2, 2), np.zeros((N, N), bool), window(N, 3, 0)])
HOLES = np.stack([np.eye(N, k=2, dtype=bool)] * LAYERS)
BY_DISTANCE = np.subtract.outer(np.arange(N), np.arange(N))[None] / np.arange(2, 7)[:, None, None]
FREE = np.random.default_rng(3).normal(size=(LAYERS, 1, N, N))


def unpacked(picture: Picture) -> tuple[dict[str, Any], np.ndarray]:
    sent = picture.to_bytes()
    (length,) = struct.unpack_from("<I", sent)
    return json.loads(sent[4 : 4 + length]), np.frombuffer(sent[4 + length :], np.uint8)


def weights_sent(picture: Picture) -> np.ndarray:
    """(heads, queries, keys): the weights from the bytes of a layer with query and key, by hand."""
    header, sent = unpacked(picture)
    assert header["kind"] == "inner"
    numbers = sent.view("<f4").astype(float)
    heads, n, m, d = header["heads"], len(header["queries"]), len(header["keys"]), header["d"]
    line = {"full": n * m, "diagonals": n + m - 1, "keys": m}.get(header["bias"], 0)
    sizes = (heads * n * d, heads * m * d, heads * n, header["biases"] * line)
    q, k, sums, bias, sinks = np.split(numbers, np.cumsum(sizes))
    scores = np.einsum("hid,hjd->hij", q.reshape(heads, n, d), k.reshape(heads, m, d)) * header["scale"]
    if header["softcap"]:
        scores = header["softcap"] * np.tanh(scores / header["softcap"])
    if line:
        at = np.arange(m)[None] - np.arange(n)[:, None] + n - 1
        whole = {"full": lambda b: b.reshape(-1, n, m), "diagonals": lambda b: b.reshape(-1, n + m - 1)}
        scores = scores + (
            whole["full"](bias)
            if header["bias"] == "full"
            else whole["diagonals"](bias)[:, at]
            if header["bias"] == "diagonals"
            else bias.reshape(-1, 1, m)
        )
    assert sinks.size == (heads * n if header["sink"] else 0)
    found = np.exp(scores - sums.reshape(heads, n, 1))
    found[:, unseen(header)] = 0
    found[np.isnan(sums).reshape(heads, n)] = np.nan  # of a missing row, what is masked as well
    return found


def unseen(header: Mapping[str, Any]) -> np.ndarray:
    """(queries, keys) bool: the masked cells, from the header."""
    n, m, mask = len(header["queries"]), len(header["keys"]), header["mask"]
    if header["causal"]:
        return later(n, m)
    if mask is None:
        return np.zeros((n, m), bool)
    if "bits" in mask:
        bits = np.frombuffer(base64.b64decode(mask["bits"]), np.uint8)
        return np.unpackbits(bits, bitorder="little", count=n * m).reshape(n, m).astype(bool)
    at = np.arange(m)
    seen = (at >= np.array(mask["from"])[:, None]) & (at < np.array(mask["to"])[:, None])
    found: np.ndarray = ~seen
    return found


def weights(trace: Trace) -> np.ndarray:
    assert trace.attention is not None
    return trace.attention.weights


@pytest.mark.parametrize(
    "made",
    [
        {"masked": LOCAL},
        {"masked": HOLES},
        {"causal": True},
        {"softcap": 3.0},
        {"bias": BY_DISTANCE},
        {"bias": FREE},
        {"bias": np.tile(BY_DISTANCE[:, :1], (1, N, 1))},
        {"sinks": True},
        {"sinks": True, "masked": LOCAL, "softcap": 2.0, "bias": FREE},
        {"sinks": True, "causal": True, "gone": ((0, 3), (2, 0))},
    ],
    ids=lambda made: " ".join(made),
)
def test_every_weight_comes_out_of_what_is_sent(made: dict[str, Any]) -> None:
    trace = traced(N, **made)
    (block,) = blocks(trace).values()
    for layer in range(LAYERS):
        picture = layer_of(trace, layer)
        np.testing.assert_allclose(weights_sent(picture), weights(trace)[layer], atol=2e-6)
        masked = unseen(picture.header)
        mask = block.mask(layer)
        np.testing.assert_array_equal(masked, np.zeros((N, N), bool) if mask is None else mask)
        bare = layer_of(without_special(block), layer)
        expected = without_special(block).attention.weights[layer]
        np.testing.assert_allclose(weights_sent(bare), expected, atol=1e-5)
    parts = block.bias_of(1)
    assert (parts is None) == ("bias" not in made)


def test_a_mask_is_a_few_numbers_a_row_or_bits() -> None:
    n = 512
    plain = traced(n, layers=1, heads=2)
    size = len(layer_of(plain, 0).to_bytes())
    for masked in (window(n, 64, 64), window(n, 127, 0)):
        local = layer_of(traced(n, layers=1, heads=2, masked=masked[None]), 0)
        assert len(local.to_bytes()) < size + 5_500
    holes = layer_of(traced(n, layers=1, heads=2, masked=np.eye(n, k=2, dtype=bool)[None]), 0)
    assert len(holes.to_bytes()) < size + n * n / 6 + 500


def test_captions_say_what_is_seen() -> None:
    trace = traced(N, masked=LOCAL)
    assert "2 before it and 2 after it" in layer_of(trace, 0).header["maskDescription"]
    assert layer_of(trace, 1).header["maskDescription"] == ""
    assert "the 3 before it" in layer_of(trace, 2).header["maskDescription"]
    said = heads_of(trace).header["captions"]
    assert len(said) == 2
    assert said[0].startswith("layer 1: ")
    assert said[1].startswith("layer 3: ")
    assert heads_of(traced(N)).header["captions"] == ()
    mixed = np.stack([window(N, 2, 0), later(N, N), later(N, N)])
    (only,) = heads_of(traced(N, masked=mixed)).header["captions"]
    assert only.startswith("layer 1: ")  # the others see what is usual
    assert heads_of(traced(N, masked=np.stack([later(N, N)] * 3))).header["captions"] == ()
    every = np.stack([window(N, 2, 0)] * LAYERS)
    (one,) = heads_of(traced(N, masked=every)).header["captions"]
    assert not one.startswith("layer")
    (sinks,) = heads_of(traced(N, sinks=True)).header["captions"]
    assert "sink" in sinks


def test_a_row_that_goes_to_its_sink_alone_has_no_weight_and_no_warning() -> None:
    trace = traced(N, sinks=True)
    given, sink = weights(trace).copy(), np.array(trace.attention.sink)  # type: ignore[union-attr]
    given[1, 2, 4], sink[1, 2, 4] = 0, 1
    tokens = trace.tokens
    fields = {name: getattr(trace, name) for name in trace.__dataclass_fields__}
    lonely = Trace(**{**fields, "attention": Attention(tokens, tokens, given, sink)})
    picture = layer_of(lonely, 1)
    np.testing.assert_allclose(weights_sent(picture), given[1], atol=2e-6)
    assert 2 * N + 4 in picture.header["empty"]  # without special tokens nothing is left of it


@pytest.mark.parametrize("products", [True, False])
def test_a_row_of_which_nothing_remains_is_told_even_where_products_are_more_exact(
    products: bool,
) -> None:
    lost = ((1, 2, 4), (1, 0, 6))
    trace = traced(N, lost=lost, products=products)
    (block,) = blocks(trace).values()
    bare = without_special(block)
    assert np.argwhere(bare.attention.missing).tolist() == [[1, 0, 5], [1, 2, 3]]
    header = layer_of(trace, 1).header
    assert header["kind"] == ("inner" if products else "weights")
    if products:
        assert sorted(header["empty"]) == [0 * N + 6, 2 * N + 4]
        assert layer_of(trace, 0).header["empty"] == ()


def test_query_and_key_that_lead_to_other_rests_are_not_shown() -> None:
    """Their weights differ by less than 1e-4, but their rest without special tokens differs by more."""
    trace = traced(N, lost=((1, 2, 4),))
    given = weights(trace).copy()
    given[1, 2, 4, 0], given[1, 2, 4, 5] = 1 - 5e-5, 5e-5
    tokens = trace.tokens
    fields = {name: getattr(trace, name) for name in trace.__dataclass_fields__}
    other = Trace(**{**fields, "attention": Attention(tokens, tokens, given)})
    header = layer_of(other, 1).header
    assert header["kind"] == "weights"
    assert "more than query and key" in header["whyNoScores"]
    assert layer_of(other, 0).header["kind"] == "inner"


def test_a_layer_without_attention_is_a_picture_that_says_so() -> None:
    trace = traced(N, gone=((0, None), (2, 3)))
    picture = layer_of(trace, 0, state={"head": 3, "on": [1, 3]})
    assert (picture.header["kind"], picture.payload) == ("none", b"")
    assert "no attention" in picture.header["whyNoScores"]
    assert picture.header["state"]["head"] == 3  # it is the head of the next layer again
    some = layer_of(trace, 2, state={"head": 3, "on": [1, 3]}).header
    assert some["missingHeads"] == (3,)
    assert some["state"]["head"] == 0
    assert some["state"]["on"] == (0, 1, 2, 4)
    assert layer_of(trace, 2, state={"on": [1, 2]}).header["state"]["on"] == (1, 2)
    first = traced(N, gone=((1, 0), (1, 1)))
    assert layer_of(first, 1).header["state"]["head"] == 2
    alone = traced(N, gone=tuple((1, head) for head in range(1, HEADS)))
    assert layer_of(alone, 1, state={"head": -1, "on": [-1]}).header["state"]["on"] == (0,)


def test_heads_that_are_missing_are_told_and_said() -> None:
    trace = traced(N, gone=((0, None), (2, 3)))
    header, sent = unpacked(heads_of(trace))
    assert header["hasMissingRows"] is True
    assert header["missingHeads"] == [0, 1, 2, 3, 4, 13]
    assert [one is None for one in header["strongest"]] == [
        i in header["missingHeads"] for i in range(15)
    ]
    assert [text for text in header["captions"] if "layer 1" in text and "no attention" in text]
    assert [text for text in header["captions"] if "layer 3" in text and "fewer heads" in text]
    cells = 15 * (N * N + 2 * N)
    bits = np.unpackbits(sent[cells:], bitorder="little", count=15 * N).reshape(15, N)
    np.testing.assert_array_equal(bits, np.isnan(weights(trace)[..., 0]).reshape(15, N))
    maps = sent[: 15 * N * N].reshape(15, N, N) / 255
    expected = np.nan_to_num(weights(trace)).reshape(15, N, N)
    np.testing.assert_allclose(maps, expected, atol=0.51 / 255)
    whole, plain = unpacked(heads_of(traced(N)))
    assert whole["hasMissingRows"] is False
    assert len(plain) == cells


@pytest.mark.parametrize("how", ["max", "mean"])
def test_missing_rows_have_no_part_in_what_is_pooled(how: Any) -> None:
    n, block = 200, 3
    given = np.random.default_rng(1).dirichlet(np.full(n, 0.3), (1, 2, n)).astype(np.float32)
    gone = np.zeros((1, 2, n), bool)
    gone[0, 0, [0, 3, 4, 5, 7, 199]] = True  # one of three, all three, one of three, one of two
    given[gone] = np.nan
    header, sent = unpacked(
        overview(AllHeads(given, tokens=["a"] * n), pool=how, sentence="s", name="n", root=False)
    )
    assert header["block"] == [block, block]
    rows = -(-n // block)
    maps, to, away, bits = np.split(sent, np.cumsum([2 * rows * rows, 2 * n, 2 * n]))
    pooled = getattr(np, f"nan{how}")
    for head in range(2):
        for r in range(rows):
            some = given[0, head, block * r : block * (r + 1)]
            for c in (0, 5, rows - 1):
                cell = some[:, block * c : block * (c + 1)]
                want = 0 if np.isnan(cell).all() else pooled(cell)
                assert abs(maps.reshape(2, rows, rows)[head, r, c] / 255 - want) < 0.51 / 255
    ends = header["maxima"]
    shares = (to.reshape(2, n) / 255) ** 2 * ends["to"]
    np.testing.assert_allclose(shares, np.nanmean(given[0], axis=1), atol=0.004 * ends["to"])
    largest = np.where(gone[0], 0, np.nan_to_num(given[0]).max(axis=-1))
    roots = np.sqrt(largest / ends["from"])
    np.testing.assert_allclose(away.reshape(2, n) / 255, roots, atol=0.51 / 255)
    np.testing.assert_array_equal(np.unpackbits(bits, bitorder="little", count=2 * n), gone.ravel())


def test_heads_of_which_nothing_is_left_are_not_heads_that_are_absent() -> None:
    lost = tuple((1, 2, place) for place in range(1, N - 1))
    (block,) = blocks(traced(N, lost=lost)).values()
    bare = without_special(block)
    assert bare.attention.missing[1, 2].all()
    header = heads_of(bare, state={"special": False}, missing_heads=block.absent).header
    assert header["missingHeads"] == ()
    assert header["strongest"][HEADS + 2] is None


def test_why_there_are_no_products_is_told_by_the_record() -> None:
    why = "its attention adds distances to query and key."
    trace = traced(N, products=False, why_no_products=why)
    assert layer_of(trace, 0).header["whyNoScores"].endswith(why)
    assert "no scores" in layer_of(trace, 0).header["whyNoScores"]
    unkept = traced(N, query=None, key=None)
    assert "keep='all'" in layer_of(unkept, 0).header["whyNoScores"]
    (block,) = blocks(trace).values()
    assert layer_of(without_special(block), 0).header["whyNoScores"].endswith(why)
    with pytest.raises(NotSupported, match="distances"):
        trace.scores(0, 0)


def test_rows_that_are_missing_travel_among_large_weights() -> None:
    n, heads = 230, 12
    given = np.random.default_rng(2).dirichlet(np.full(n, 0.2), (heads, n)).astype(np.float32)
    given[3, 5] = np.nan
    tiny = np.random.default_rng(4).dirichlet(np.full(n - 2, 0.3)) * 1e-7
    given[4, 6] = (1 - 1e-7, *tiny, 0)
    picture = layer_view(
        LayerAttention(["a"] * n, ["a"] * n, weights=given, special=([0, n - 1], [0, n - 1])),
        LayerTitles("Layer 1", "s", "n"),
    )
    header, sent = unpacked(picture)
    assert (header["dtype"], header["exact"]) == ("uint8", [0, n - 1])
    rows = heads * n
    most, step = sent[: 8 * rows].view("<f4").reshape(2, rows, 1).astype(float)
    own = sent[8 * rows : 16 * rows].view("<f4").reshape(rows, 2)
    fine = sent[16 * rows : 16 * rows + 2 * header["apart"]].view("<u2")
    levels = sent[16 * rows + 2 * header["apart"] :].reshape(rows, n - 2)
    got = levels * step
    got[levels == 255] = fine * np.repeat(most[:, 0], (levels == 255).sum(axis=1)) / 65535
    flat = given.reshape(rows, n)
    np.testing.assert_array_equal(own, flat[:, [0, n - 1]])
    np.testing.assert_allclose(got, flat[:, 1:-1], rtol=0, atol=1.001e-5)
    # The same holds if both are hidden, and the rest is rescaled to 1.
    left = flat[:, 1:-1] / flat[:, 1:-1].sum(axis=1, keepdims=True)
    np.testing.assert_allclose(got / got.sum(axis=1, keepdims=True), left, rtol=0, atol=2e-5)
    assert len(packed(given, [0, n - 1])[1]) < 0.45 * given.nbytes


def test_a_head_of_compare_says_what_is_hatched_and_how_rows_are_scaled() -> None:
    trace = traced(N, masked=LOCAL, lost=((1, 2, 4),), gone=((2, None),))
    one = heatmap(head_map(trace, 1, 2, special=False), sentence="s", name="n").header["scale"]
    assert any("nothing is left" in note for note in one["notes"])
    assert not any("averaged" in note for note in one["notes"])
    mean = heatmap(head_map(trace, 0, None, special=False), sentence="s", name="n").header["scale"]
    assert any("then averaged" in note for note in mean["notes"])
    assert any("2 before it and 2 after it" in note for note in mean["notes"])
    np.testing.assert_array_equal(
        unseen({"queries": range(7), "keys": range(7), **mean["masked"]}), LOCAL[0, 1:-1, 1:-1]
    )
    gone = heatmap(head_map(trace, 2, None, special=True), sentence="s", name="n").header["scale"]
    assert any("no attention" in note for note in gone["notes"])
    rows = heatmap(word_map(trace, np.array([4]), special=False), sentence="s", name="n").header[
        "scale"
    ]
    assert any("no attention" in note for note in rows["notes"])
    whole = heatmap(head_map(trace, 1, 2, special=True), sentence="s", name="n").header["scale"]
    assert whole["notes"] == ()
    assert "masked" not in whole


def test_the_mean_of_layers_that_see_differently_hides_what_none_sees() -> None:
    trace = traced(N, masked=np.stack([window(N, 2, 2), window(N, 3, 0), window(N, 0, 1)]))
    (block,) = blocks(trace).values()
    header = layer_of(mean_of_all(block), 0, averaged=True).header
    np.testing.assert_array_equal(unseen(header), window(N, 3, 2))
    gone = traced(
        N, masked=np.stack([window(N, 2, 2), window(N, 3, 0), window(N, 0, 1)]), gone=((1, None),)
    )
    (block,) = blocks(gone).values()
    assert mean_of_all(block).mask(0) is not None
    np.testing.assert_array_equal(mean_of_all(block).mask(0), window(N, 2, 2))


def test_differences_with_missing_rows_have_a_scale() -> None:
    (one,) = blocks(traced(N)).values()
    (other,) = blocks(traced(N, gone=((1, None),))).values()
    found = block_difference(one, other, head_a=(0, 1), head_b=(1, 1))
    assert np.isnan(found.values).all()


def test_a_pair_in_a_causal_model_is_masked_where_the_first_text_cannot_look_ahead() -> None:
    n, segments = 9, (0, 0, 0, 0, 0, 1, 1, 1, 1)
    (block,) = blocks(
        traced(n, causal=True, segments=segments, texts=("a", "b"), offsets=((0, 0),) * n)
    ).values()
    ahead = part(block, "ab")
    assert ahead.attention.missing.all()
    assert layer_of(ahead, 0).header["kind"] == "none"
    back = part(block, "ba")
    assert not back.attention.missing.any()
    assert layer_of(back, 0).header["kind"] == "inner"
    within = part(block, "bb")
    assert within.causal
    assert layer_of(within, 0).header["kind"] == "inner"
    assert layer_of(within, 0).header["d"] == D_HEAD
