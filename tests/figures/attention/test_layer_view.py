from __future__ import annotations

import json
import struct
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.figures import (
    About,
    Inner,
    LayerAttention,
    LayerTitles,
    OnPage,
    Patterns,
    Picture,
    attention_of,
    layer_of,
    layer_view,
    style,
)
from core.figures.attention.logsum import diagonals
from core.figures.link import Link
from core.measures import as_block
from core.pretrained import Model
from tests.browser.pictures import heads_pictures as made

HEADS, N, M, D = 2, 3, 5, 7
RANDOM = np.random.default_rng(0)
Q = RANDOM.normal(size=(HEADS, N, D)).astype(np.float32)
K = RANDOM.normal(size=(HEADS, M, D)).astype(np.float32)
QUERIES, KEYS = ("the", "<b>", "##ing"), ("v", "w", "x", "y", " ")
TITLES = LayerTitles("Layer 3", "One layer.", "layer")


def softmax(scores: np.ndarray) -> np.ndarray:
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    found: np.ndarray = exp / exp.sum(axis=-1, keepdims=True)
    return found


def unpacked(picture: Picture) -> tuple[dict[str, Any], np.ndarray]:
    sent = picture.to_bytes()
    (length,) = struct.unpack_from("<I", sent)
    return json.loads(sent[4 : 4 + length]), np.frombuffer(sent[4 + length :], "<f4")


def draw(
    *,
    state: dict[str, Any] | None = None,
    on_page: OnPage | None = None,
    without: str | None = None,
    **more: Any,
) -> Picture:
    shown = LayerAttention(QUERIES, KEYS, **{"inner": Inner(Q, K), **more})
    titles = replace(TITLES, without=without)
    return layer_view(shown, titles, state=state, on_page=on_page or OnPage())


def test_query_key_and_log_sums_travel_in_this_order_and_give_every_weight() -> None:
    header, sent = unpacked(draw())
    assert (header["kind"], header["heads"], header["d"], header["bias"]) == ("inner", 2, 7, None)
    assert header["scale"] == pytest.approx(1 / np.sqrt(7), rel=1e-15)
    assert header["queries"] == ["the", "<b>", "·ing"]
    assert header["keys"] == ["v", "w", "x", "y", "(space)"]
    q, k, sums = np.split(sent, [Q.size, Q.size + K.size])
    np.testing.assert_array_equal(q.reshape(Q.shape), Q)
    np.testing.assert_array_equal(k.reshape(K.shape), K)
    scores = np.einsum("hid,hjd->hij", Q, K, dtype=np.float64) * header["scale"]
    got = np.exp(scores - sums.reshape(HEADS, N)[..., None])
    np.testing.assert_allclose(got, softmax(scores), atol=2e-6)


def test_what_is_said_of_heads_goes_along() -> None:
    patterns = Patterns(("before", "after"), [[[0.25, 1], [np.nan, 0.5]]], None, (0.5, 0.5))
    about = About(3, patterns, (1, None), ([(0, 1, 0.123456)], []), "Or so.")
    header, _ = unpacked(draw(on_page=OnPage(about=about)))
    assert header["about"] == {
        "layer": 3,
        "names": ["before", "after"],
        "scores": [[0.25, None], [1.0, 0.5]],
        "typical": None,
        "follows": [1, None],
        "similar": [[[0, 1, 0.1235]], []],
        "note": "Or so.",
    }
    with pytest.raises(ValueError, match="1 and 2 heads do not fit 2"):
        draw(on_page=OnPage(about=About(3, patterns, (1,), ([], []))))


def test_masks_scales_and_both_kinds_of_bias() -> None:
    n = 300  # more than one block of rows
    query, key = RANDOM.normal(size=(2, 2, n, D)).astype(np.float32)
    slope = -np.abs(np.subtract.outer(np.arange(n), np.arange(n))) / np.array([[[3]], [[50]]])
    free = RANDOM.normal(size=(1, n, n))
    by_key = np.stack([np.tile(np.arange(n) / 50, (n, 1)), np.tile(np.arange(n) / -7, (n, 1))])
    for bias, kind, count in (
        (slope, "diagonals", 2 * (2 * n - 1)),
        (by_key, "keys", 2 * n),
        (free, "full", n * n),  # one for both heads
    ):
        for causal in (False, True):
            inner = Inner(query, key, scale=0.5, bias=bias)
            shown = LayerAttention(["a"] * n, ["a"] * n, inner=inner, causal=causal)
            picture = layer_view(shown, TITLES)
            header, sent = unpacked(picture)
            assert (header["bias"], header["causal"], header["scale"]) == (kind, causal, 0.5)
            assert len(sent) == 2 * query.size + 2 * n + count
            assert header["biases"] == len(bias)
            scores = np.einsum("hid,hjd->hij", query, key, dtype=np.float64) / 2 + bias
            scores[:, np.triu(np.ones((n, n), bool), 1) & causal] = -np.inf
            sums = sent[2 * query.size :][: 2 * n].reshape(2, n)
            np.testing.assert_allclose(np.exp(scores - sums[..., None]), softmax(scores), atol=1e-5)
            if kind == "diagonals":
                line = sent[2 * query.size + 2 * n :].reshape(2, -1)
                assert line[1, 7 - 205 + n - 1] == pytest.approx(bias[1, 205, 7])


def test_weights_are_checked_against_query_and_key() -> None:
    scores = np.einsum("hid,hjd->hij", Q, K) / np.sqrt(D)
    weights = softmax(scores).astype(np.float32)
    assert draw(weights=weights).payload == draw().payload
    with pytest.raises(ValueError, match=r"difference is 0\.\d"):
        draw(weights=weights[:, :, ::-1])


def test_without_query_and_key_the_weights_travel() -> None:
    weights = RANDOM.dirichlet(np.ones(M), (HEADS, N)).astype(np.float32)
    header, sent = unpacked(draw(inner=None, weights=weights))
    assert header["kind"] == "weights"
    assert "no query and key" in header["whyNoScores"]
    np.testing.assert_array_equal(sent.reshape(weights.shape), weights)


def test_a_state_out_of_a_link_is_taken_as_far_as_it_makes_sense() -> None:
    usual = draw().header["state"]
    assert usual == {
        **{"level": "lines", "on": (0, 1), "head": 0, "query": None, "key": None, "pin": None},
        **{"threshold": 0.05, "alone": 0.01, "special": None, "view": "weights", "sort": "place"},
        "all": None,
    }
    good = {
        **{"level": "product", "on": (1,), "head": 1, "query": 2, "key": 4, "pin": "key"},
        **{"threshold": 0.3, "alone": 0.1, "special": False, "view": "scores", "sort": "size"},
        "all": True,
    }
    assert draw(state=good).header["state"] == good
    bad = {
        **{"level": "<b>", "on": [2], "head": "1", "query": 3, "key": -1, "pin": 0, "threshold": "x"},
        **{"alone": 1.5, "special": 1, "view": [], "sort": None, "more": 1},
    }
    assert draw(state=bad).header["state"] == usual


def test_the_mean_of_several_heads_is_a_state_and_of_one_is_none() -> None:
    for on, head in (((-1,), -1), ((0, 1), -1), ((-1,), 1)):
        state = draw(state={"on": on, "head": head}).header["state"]
        assert (state["on"], state["head"]) == (on, head)
    for bad in ({"on": (-1, 0)}, {"on": (-1, -1)}, {"on": (-2,)}, {"on": (-1.0,)}, {"head": -2}):
        assert draw(state=bad).header["state"] == draw().header["state"]
    alone = draw(inner=Inner(Q[:1], K[:1]), state={"on": [-1], "head": -1})
    assert (alone.header["state"]["on"], alone.header["state"]["head"]) == ((0,), 0)


def test_what_stays_alone_is_a_token_that_is_there() -> None:
    assert draw(state={"pin": "query"}).header["state"]["pin"] is None
    assert draw(state={"pin": "query", "query": 9}).header["state"]["pin"] is None
    assert draw(state={"pin": "key", "key": 4}).header["state"]["pin"] == "key"


def test_weights_are_sent_where_query_and_key_do_not_lead_to_them() -> None:
    weights = RANDOM.dirichlet(np.ones(M), (HEADS, N)).astype(np.float32)
    header, sent = unpacked(draw(weights=weights, or_weights=True))
    assert header["kind"] == "weights"
    assert "more than query and key" in header["whyNoScores"]
    np.testing.assert_array_equal(sent.reshape(weights.shape), weights)
    assert (
        draw(weights=weights, or_weights=True, without="Because.").header["whyNoScores"] == "Because."
    )
    right = softmax(np.einsum("hid,hjd->hij", Q, K) / np.sqrt(D))
    assert draw(weights=right, or_weights=True).payload == draw().payload
    with pytest.raises(ValueError, match="query has the shape"):  # that is another mistake
        draw(inner=Inner(Q[:, :2], K), weights=weights, or_weights=True)


def test_a_link_names_the_tokens_of_the_group() -> None:
    assert "link" not in draw().header
    link = draw(on_page=OnPage(Link("pair", (0, None, 2), (4, 3, None, 1, 0)))).header["link"]
    assert dict(link) == {"group": "pair", "queries": (0, None, 2), "keys": (4, 3, None, 1, 0)}
    with pytest.raises(ValueError, match="does not fit a picture of 3 × 5"):
        draw(on_page=OnPage(Link("pair", (0, 1), (0, 1, 2, 3, 4))))


def test_large_weights_travel_in_less_than_half_of_their_bytes() -> None:
    weights = made.maps(1, 12, 211)[0]
    weights[3, 5] = 0
    weights[3, 5, 7] = 1  # one token alone
    weights[4, 6] = 1 / 211
    n = 12 * 211
    picture = layer_view(LayerAttention(["a"] * 211, ["a"] * 211, weights=weights), TITLES)
    header = picture.header
    assert (header["kind"], header["dtype"]) == ("weights", "uint8")
    assert len(picture.payload) < 0.45 * weights.nbytes
    most, step = np.frombuffer(picture.payload, "<f4", 2 * n).reshape(2, n, 1).astype(float)
    fine = np.frombuffer(picture.payload, "<u2", header["apart"], 8 * n)
    levels = np.frombuffer(picture.payload, np.uint8, offset=8 * n + fine.nbytes).reshape(n, 211)
    got = levels * step
    got[levels == 255] = fine * np.repeat(most[:, 0], (levels == 255).sum(axis=1)) / 65535
    np.testing.assert_allclose(got, weights.reshape(n, 211), rtol=0, atol=1.001e-5)
    np.testing.assert_allclose(got.sum(axis=1), 1, atol=1.5e-4)
    fewer = LayerAttention(["a"] * 200, ["a"] * 200, weights=weights[:, :200, :200])
    small = layer_view(fewer, TITLES)
    assert small.header["dtype"] == "float32"
    assert small.payload == weights[:, :200, :200].tobytes()


def test_right_to_left_is_seen_by_its_letters() -> None:
    assert draw().header["rtl"] is False
    assert made.random_layer("hebrew", 7, {}).header["rtl"] is True
    assert draw(rtl=True).header["rtl"] is True


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"inner": None}, "needs its weights"),
        ({"inner": Inner(Q[:, :2], K)}, "query has the shape"),
        ({"inner": Inner(Q, K[:1])}, "key has the shape"),
        ({"inner": Inner(Q, K[..., :3])}, "key has the shape"),
        ({"inner": Inner(np.where(Q > 0, np.nan, Q), K)}, "not finite"),
        ({"inner": Inner(Q, K, bias=np.zeros((3, N, M)))}, "bias must be for one head"),
        ({"weights": np.zeros((HEADS, M, N))}, "weights has the shape"),
        ({"special": ([3], [])}, "not among the tokens"),
        ({"masked": np.zeros((M, N))}, r"masked has the shape \(5, 3\)"),
        ({"sink": np.zeros((HEADS, M))}, "sink has the shape"),
        ({"inner": None, "weights": np.full((HEADS, N, M), [0.5, 0.5, 0, 0, np.nan])}, "not finite"),
    ],
)
def test_what_cannot_be_drawn_is_refused(more: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        draw(**more)
    with pytest.raises(ValueError, match="nothing to draw"):
        LayerAttention((), (), inner=Inner(Q, K))


def test_a_bias_by_distance_is_recognised() -> None:
    bias = np.arange(12.0).reshape(1, 3, 4)
    assert diagonals(bias) is None
    by_distance = np.subtract.outer(np.arange(3), np.arange(4))[None] * 1.0
    np.testing.assert_array_equal(diagonals(by_distance), [[2, 1, 0, -1, -2, -3]])


def test_a_traced_layer_is_exact_and_a_layer_that_is_none_is_refused(minilm: Model) -> None:
    trace = minilm.trace(made.TEXT)
    assert trace.attention is not None
    for layer in range(6):
        picture = layer_of(trace, layer, sentence="s", name="n", state={"head": 11})
        header, sent = unpacked(picture)
        assert header["layer"] == style.layer_name(layer)
        assert header["special"] == [[0, 13], [0, 13]]
        q, k = sent[: 2 * 12 * 14 * 32].reshape(2, 12, 14, 32).astype(np.float64)
        sums = sent[2 * 12 * 14 * 32 :].reshape(12, 14, 1)
        got = np.exp(np.einsum("hid,hjd->hij", q, k) * header["scale"] - sums)
        np.testing.assert_allclose(got, trace.attention.weights[layer], atol=1e-4)
    assert trace.query is not None
    assert trace.key is not None
    inner = Inner(trace.query[0], trace.key[0], 1.0)
    shown = replace(attention_of(as_block(trace), 0), inner=inner)
    apart = layer_view(shown, LayerTitles(style.layer_name(0), "s", "n"))
    header, sent = unpacked(apart)
    assert header["kind"] == "weights"
    assert "more than query and key" in header["whyNoScores"]
    with pytest.raises(IndexError):
        layer_of(trace, 6, sentence="s", name="n")
