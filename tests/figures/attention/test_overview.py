from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
import pytest

from core.figures import AllHeads, Patterns, Picture, overview
from core.figures.link import Link

RANDOM = np.random.default_rng(0)
WORDS: Any = {"sentence": "All heads.", "name": "heads"}


def weights(layers: int, heads: int, queries: int, keys: int) -> np.ndarray:
    return RANDOM.dirichlet(np.full(keys, 0.3), (layers, heads, queries)).astype(np.float32)


def unpacked(picture: Picture) -> tuple[dict[str, Any], np.ndarray]:
    sent = picture.to_bytes()
    (length,) = struct.unpack_from("<I", sent)
    return json.loads(sent[4 : 4 + length]), np.frombuffer(sent[4 + length :], np.uint8)


def pooled_by_hand(head: np.ndarray, block: tuple[int, int], how: str) -> np.ndarray:
    """One block after the other."""
    rows, columns = (-(-size // n) for size, n in zip(head.shape, block, strict=True))
    found = np.empty((rows, columns))
    for r in range(rows):
        for c in range(columns):
            part = head[r * block[0] : (r + 1) * block[0], c * block[1] : (c + 1) * block[1]]
            found[r, c] = part.max() if how == "max" else part.mean()
    return found


def test_short_texts_are_sent_as_they_are_layer_by_layer() -> None:
    numbers = weights(2, 3, 5, 7)
    header, sent = unpacked(overview(AllHeads(numbers), **WORDS))
    assert (header["layers"], header["heads"]) == (["Layer 1", "Layer 2"], 3)
    assert (header["maps"], header["block"]) == ([5, 7], [1, 1])
    assert header["scale"]["root"] is False
    np.testing.assert_allclose(sent.reshape(2, 3, 5, 7) / 255, numbers, atol=0.5 / 255 + 1e-6)
    np.testing.assert_allclose(header["strongest"], numbers.max(axis=(2, 3)).ravel(), atol=5e-5)


@pytest.mark.parametrize("how", ["max", "mean"])
@pytest.mark.parametrize(("queries", "keys"), [(101, 101), (193, 97), (97, 50)])
def test_long_texts_are_pooled_in_blocks(how: Any, queries: int, keys: int) -> None:
    numbers = weights(1, 2, queries, keys)
    header, sent = unpacked(overview(AllHeads(numbers), pool=how, **WORDS))
    block = tuple(header["block"])
    assert block == (-(-queries // 96), -(-keys // 96))
    assert header["pool"] == how
    assert header["scale"]["root"] is True
    by_hand = np.stack([pooled_by_hand(head, block, how) for head in numbers[0]])
    assert header["maps"] == list(by_hand.shape[1:])
    np.testing.assert_allclose(sent.reshape(by_hand.shape) / 255, np.sqrt(by_hand), atol=0.51 / 255)


def test_what_heads_look_to_and_from_is_there_for_every_token() -> None:
    numbers = weights(2, 3, 5, 5)
    tokens = ("a", "<b>", "##ing", "\x01", "a")
    state = {"token": 4, "direction": "from"}
    header, sent = unpacked(overview(AllHeads(numbers, tokens=tokens), state=state, **WORDS))
    assert header["tokens"] == ["a", "<b>", "·ing", "␁", "a"]
    assert (header["state"]["token"], header["state"]["direction"], header["queryTokens"]) == (
        4,
        "from",
        None,
    )
    maps, to, away = np.split(sent, [150, 180])
    assert len(maps) == 150
    for got, want, end in (
        (to, numbers.mean(axis=2), header["maxima"]["to"]),
        (away, numbers.max(axis=3), header["maxima"]["from"]),
    ):
        assert end == pytest.approx(want.max(), rel=1e-6)
        shares = (got.reshape(want.shape) / 255) ** 2 * end
        np.testing.assert_allclose(np.sqrt(shares / end), np.sqrt(want / end), atol=0.51 / 255)


def test_cross_attention_has_two_lists_of_tokens() -> None:
    numbers = weights(1, 2, 3, 5)
    shown = AllHeads(numbers, tokens=list("vwxyz"), query_tokens=list("abc"))
    picture = overview(shown, state={"token": 4, "direction": "from"}, **WORDS)
    header, sent = unpacked(picture)
    assert (header["tokens"], header["queryTokens"]) == (list("vwxyz"), list("abc"))
    assert header["state"]["token"] is None  # there is no such query
    assert len(sent) == 2 * (15 + 5 + 3)


@pytest.mark.parametrize("scored", [False, True])
@pytest.mark.parametrize(
    ("layers", "heads", "n"), [(6, 12, 512), (12, 12, 95), (12, 12, 512), (24, 16, 200)]
)
def test_never_more_than_the_bytes_of_the_bound(layers: int, heads: int, n: int, scored: bool) -> None:
    numbers = np.broadcast_to(np.float32(1 / n), (layers, heads, n, n))
    scores = RANDOM.uniform(size=(layers, heads, 7))
    known = Patterns(["a pattern"] * 7, scores, scores, [0.3] * 7) if scored else None
    picture = overview(AllHeads(numbers, tokens=["a"] * n, patterns=known), **WORDS)
    assert len(picture.to_bytes(events=("head", "state"))) <= 1_200_000


def test_scores_are_sent_pattern_by_pattern() -> None:
    here = np.round(RANDOM.uniform(size=(2, 3, 5)), 3)
    here[1, 0, 4] = np.nan
    known = Patterns(["<b>", "\x01", "c", "d", "e"], here, here[::-1], [0.1, 0.2, 0.3, 0.4, 0.5])
    plain, _ = unpacked(overview(AllHeads(weights(2, 3, 4, 4)), **WORDS))
    header, _ = unpacked(overview(AllHeads(weights(2, 3, 4, 4), patterns=known), **WORDS))
    sent = header["patterns"]
    assert plain["patterns"] is None
    assert sent["names"] == ["<b>", "␁", "c", "d", "e"]
    assert sent["scores"][4][3] is None
    np.testing.assert_array_equal(sent["scores"][1], here[..., 1].ravel())
    np.testing.assert_array_equal(sent["typical"][2], here[::-1, :, 2].ravel())
    assert sent["thresholds"] == [0.1, 0.2, 0.3, 0.4, 0.5]
    assert header["height"] > plain["height"]


SCORES = Patterns(["a", "b", "c"], np.zeros((1, 2, 3)), np.ones((1, 2, 3)), [0.5] * 3)
HERE_ALONE = Patterns(["a", "b", "c"], np.zeros((1, 2, 3)), None, [0.5] * 3)
KNOWN = {"patterns", "positions"}  # what is known of the heads; all else is the state
NOTHING = {
    "token": None,
    "direction": "to",
    "pattern": None,
    "typical": False,
    "threshold": 0,
    "special": None,
}


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (
            {
                "token": 4,
                "direction": "from",
                "pattern": 2,
                "typical": True,
                "threshold": 0.35,
                "special": False,
            },
            {
                "token": 4,
                "direction": "from",
                "pattern": 2,
                "typical": True,
                "threshold": 0.35,
                "special": False,
            },
        ),
        ({"token": 5, "direction": "sideways", "pattern": 3, "typical": "yes", "threshold": 1.1}, {}),
        ({"token": -1, "pattern": -1, "threshold": float("nan")}, {}),
        ({"pattern": True, "threshold": True}, {}),
        ({"pattern": "a", "threshold": "much"}, {}),
        ({"pattern": 0, "threshold": 0.33}, {"pattern": 0, "threshold": 0.35}),  # a step of the slider
        ({"patterns": HERE_ALONE, "pattern": 1, "typical": True}, {"pattern": 1}),
        ({"patterns": None, "pattern": 1, "typical": True, "threshold": 0.5}, {}),
        ({"positions": ([0, 2, 4, 6, 8], [1, 3, 5, 7, 9]), "token": 9}, {"token": 9}),
        ({"positions": ([0, 2, 4, 6, 8], [1, 3, 5, 7, 9]), "token": 4}, {}),
        (
            {"positions": ([0, 2, 4, 6, 8], [1, 3, 5, 7, 9]), "token": 4, "direction": "from"},
            {"token": 4, "direction": "from"},
        ),
    ],
)
def test_what_makes_no_sense_in_a_link_is_ignored(asked: dict[str, Any], found: dict[str, Any]) -> None:
    known = {"patterns": SCORES, **{name: asked[name] for name in KNOWN & set(asked)}}
    state = {name: value for name, value in asked.items() if name not in KNOWN}
    shown = AllHeads(weights(1, 2, 5, 5), tokens=list("vwxyz"), **known)
    header, _ = unpacked(overview(shown, state=state, **WORDS))
    assert header["state"] == NOTHING | found


def test_a_link_says_which_tokens_are_shared() -> None:
    link = Link("pair", (0, None, 1), (2, 0))
    shown = AllHeads(weights(1, 2, 3, 2), tokens=["a", "b"], query_tokens=list("xyz"))
    header, _ = unpacked(overview(shown, link=link, **WORDS))
    assert header["link"] == {"group": "pair", "queries": [0, None, 1], "keys": [2, 0]}


@pytest.mark.parametrize(
    ("numbers", "more", "said"),
    [
        (np.zeros((2, 3, 5)), {}, "Weights must be"),
        (np.zeros((0, 3, 5, 5)), {}, "Weights must be"),
        (np.full((1, 1, 2, 2), [0.5, np.nan]), {}, "from 0 to 1"),
        (np.full((1, 1, 2, 2), 0.5), {"missing_heads": [[True, False]]}, "1 × 1, not"),
        (np.full((1, 1, 2, 2), 0.5), {"seen": ["a", "b"]}, "Masks of 2 layers do not fit 1"),
        (np.full((1, 1, 2, 2), -0.5), {}, "from 0 to 1"),
        (np.full((1, 1, 2, 2), 1.5), {}, "from 0 to 1"),
        (np.full((1, 1, 2, 2), 0.5), {"tokens": ["a"]}, "do not fit maps"),
        (np.full((1, 1, 2, 2), 0.5), {"layers": ["a", "b"]}, "do not fit 1 layers"),
        (np.full((1, 1, 2, 2), 0.5), {"notes": [["a", "b"]]}, "1 rows of 1"),
        (np.full((1, 1, 2, 2), 0.5), {"chosen": (0, 1)}, "no layer 0 with a head 1"),
        (np.full((1, 1, 2, 2), 0.5), {"patterns": SCORES}, r"\(1, 2, 3\) do not fit \(1, 1, 3\)"),
        (
            np.full((1, 1, 2, 2), 0.5),
            {"patterns": Patterns(["a"], [[[1.5]]], None, [0])},
            "Scores.*0 to 1",
        ),
        (
            np.full((1, 1, 2, 2), 0.5),
            {"patterns": Patterns(["a"], [[[-1]]], None, [0])},
            "Scores.*0 to 1",
        ),
        (np.full((1, 1, 2, 2), 0.5), {"patterns": Patterns(["a"], [[[1]]], None, [])}, "0 thresholds"),
        (np.full((1, 1, 2, 2), 0.5), {"patterns": Patterns(["a"], [[[1]]], None, [2])}, "Thresholds"),
        (np.full((1, 1, 2, 2), 0.5), {"link": Link("a", [0, 1], [0, 1])}, "without tokens"),
        (np.full((1, 1, 2, 2), 0.5), {"tokens": "ab", "link": Link("a", [0], [0])}, "link of 1 × 1"),
        (np.full((1, 1, 2, 2), 0.5), {"positions": ([0], [0, 1])}, "positions do not fit 2 × 2"),
    ],
)
def test_what_cannot_be_drawn_is_refused(numbers: np.ndarray, more: dict[str, Any], said: str) -> None:
    beside = {name: more[name] for name in ("chosen", "link") if name in more}
    known = {name: value for name, value in more.items() if name not in beside}
    with pytest.raises(ValueError, match=said):
        overview(AllHeads(numbers, **known), **WORDS, **beside)
