from __future__ import annotations

import json
import struct
import time
from typing import Any

import numpy as np
import pytest

from core.figures.web import Picture, overview

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
    header, sent = unpacked(overview(numbers, **WORDS))
    assert (header["layers"], header["heads"]) == (["Layer 1", "Layer 2"], 3)
    assert (header["maps"], header["block"]) == ([5, 7], [1, 1])
    assert header["scale"]["root"] is False
    np.testing.assert_allclose(sent.reshape(2, 3, 5, 7) / 255, numbers, atol=0.5 / 255 + 1e-6)
    np.testing.assert_allclose(header["strongest"], numbers.max(axis=(2, 3)).ravel(), atol=5e-5)


@pytest.mark.parametrize("how", ["max", "mean"])
@pytest.mark.parametrize(("queries", "keys"), [(101, 101), (193, 97), (97, 50)])
def test_long_texts_are_pooled_in_blocks(how: Any, queries: int, keys: int) -> None:
    numbers = weights(1, 2, queries, keys)
    header, sent = unpacked(overview(numbers, pool=how, **WORDS))
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
    header, sent = unpacked(overview(numbers, tokens=tokens, token=4, way="from", **WORDS))
    assert header["tokens"] == ["a", "<b>", "·ing", "␁", "a"]
    assert (header["token"], header["way"], header["looking"]) == (4, "from", None)
    maps, to, away = np.split(sent, [150, 180])
    assert len(maps) == 150
    for got, want, end in (
        (to, numbers.mean(axis=2), header["ends"]["to"]),
        (away, numbers.max(axis=3), header["ends"]["from"]),
    ):
        assert end == pytest.approx(want.max(), rel=1e-6)
        shares = (got.reshape(want.shape) / 255) ** 2 * end
        np.testing.assert_allclose(np.sqrt(shares / end), np.sqrt(want / end), atol=0.51 / 255)


def test_cross_attention_has_two_lists_of_tokens() -> None:
    numbers = weights(1, 2, 3, 5)
    picture = overview(numbers, tokens=list("vwxyz"), looking=list("abc"), token=4, way="from", **WORDS)
    header, sent = unpacked(picture)
    assert (header["tokens"], header["looking"]) == (list("vwxyz"), list("abc"))
    assert header["token"] is None  # there is no such query
    assert len(sent) == 2 * (15 + 5 + 3)


@pytest.mark.parametrize(("layers", "heads", "n"), [(6, 12, 512), (12, 12, 95), (24, 16, 200)])
def test_never_more_than_the_bytes_of_the_bound(layers: int, heads: int, n: int) -> None:
    numbers = np.full((layers, heads, n, n), 1 / n, np.float32)
    sent = overview(numbers, tokens=["a"] * n, **WORDS).to_bytes(events=("head", "state"))
    assert len(sent) <= 1_200_000


def test_how_long_it_takes_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    for n in (14, 128, 512):
        numbers = np.full((6, 12, n, n), 1 / n, np.float32)
        times = []
        for _ in range(5):
            start = time.perf_counter()
            picture = overview(numbers, tokens=["a"] * n, **WORDS)
            times.append(1000 * (time.perf_counter() - start))
        with capsys.disabled():
            print(f"\noverview 6x12, {n}: {min(times):.0f} ms, {len(picture.to_bytes())} bytes", end="")


@pytest.mark.parametrize(
    ("numbers", "more", "said"),
    [
        (np.zeros((2, 3, 5)), {}, "All heads are"),
        (np.zeros((0, 3, 5, 5)), {}, "All heads are"),
        (np.full((1, 1, 2, 2), np.nan), {}, "from 0 to 1"),
        (np.full((1, 1, 2, 2), -0.5), {}, "from 0 to 1"),
        (np.full((1, 1, 2, 2), 1.5), {}, "from 0 to 1"),
        (np.full((1, 1, 2, 2), 0.5), {"tokens": ["a"]}, "do not fit maps"),
        (np.full((1, 1, 2, 2), 0.5), {"layers": ["a", "b"]}, "do not fit 1 layers"),
        (np.full((1, 1, 2, 2), 0.5), {"notes": [["a", "b"]]}, "1 rows of 1"),
        (np.full((1, 1, 2, 2), 0.5), {"chosen": (0, 1)}, "no layer 0 with a head 1"),
    ],
)
def test_what_cannot_be_drawn_is_refused(numbers: np.ndarray, more: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        overview(numbers, **WORDS, **more)
