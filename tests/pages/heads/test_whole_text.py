"""The heads on a text that is too long for a trace: what is drawn, and what is said of it."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace as Some
from typing import Any

import numpy as np
import pytest

from core.records.long_attention import LongAttention
from pages.heads import tile, whole_text
from pages.heads.tile import Tile

N, BLOCK = 101, 7


@pytest.fixture
def found() -> LongAttention:
    draw = np.random.default_rng(2)
    query, key = draw.normal(size=(2, 2, 4, N, 3)).astype(np.float32)
    scores = query @ key[:, ::2].repeat(2, 1).swapaxes(2, 3)
    scores[..., np.triu(np.ones((N, N), bool), 1)] = -np.inf
    log_sums = np.log(np.exp(scores).sum(-1))
    weights = np.exp(scores - log_sums[..., None])
    cells = -(-N // BLOCK)
    largest = np.zeros((2, 4, cells, cells), np.float32)
    for i in range(cells):
        for j in range(cells):
            block = weights[..., BLOCK * i : BLOCK * (i + 1), BLOCK * j : BLOCK * (j + 1)]
            largest[:, :, i, j] = block.max((2, 3))
    tokens, pieces = (tuple(f"{mark}t{i}" for i in range(N)) for mark in "Ġ ")
    key = np.ascontiguousarray(key[:, ::2])
    sizes = (1.0, 1.0), (0, 0), 0.0
    return LongAttention(tokens, query, key, log_sums, *sizes, largest, BLOCK, "minilm", None, pieces)


def test_a_tile_is_that_of_the_softmax(found: LongAttention) -> None:
    whole = found.attention(1, 3).weights[0, 0]
    np.testing.assert_allclose(whole.sum(-1), 1, atol=1e-5)
    np.testing.assert_array_equal(found.tile(1, 3, slice(9, 20), slice(30)), whole[9:20, :30])
    assert whole[7:14, :7].max() == pytest.approx(found.largest[1, 3, 1, 0], abs=1e-6)


def test_the_picture_says_how_large_its_blocks_are(found: LongAttention) -> None:
    picture = whole_text.picture(found)
    assert picture.header["block"] == (BLOCK, BLOCK)
    assert picture.header["maps"] == found.largest.shape[2:]
    assert "7 × 7" in picture.header["sentence"]
    assert picture.header["heads"] == 4


def test_it_is_said_what_is_pooled_and_what_is_cut(found: LongAttention) -> None:
    said = whole_text.said(found, 13)
    assert "first 13 tokens" in said
    assert "7 × 7 weights, the largest" in said
    assert "goes on" not in said
    assert "goes on" in whole_text.said(replace(found, left_out=(3, 9)), 13)


@pytest.mark.parametrize(("positions", "asked"), [("rotary", 1), ("linear bias", 0)])
def test_a_bias_for_positions_has_no_section(
    positions: str, asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = Some(model="m", text="t", second=None, causal=False, masked=(), more=())
    model = Some(scratch_decoder=Some(config=Some(positions=positions)))
    seen: Any = Some(left_out=(1, 2), tokens=("t",))
    said = list[str]()
    monkeypatch.setattr("ui.models.model_cache.model", lambda _: model)
    monkeypatch.setattr("ui.models.model_cache.ends_early", lambda _: True)
    monkeypatch.setattr("ui.models.answers.answer", lambda _: seen)
    monkeypatch.setattr(whole_text, "first_of", lambda one: one)
    monkeypatch.setattr(whole_text, "attempt", lambda *_: said.append("asked"))
    monkeypatch.setattr("streamlit.subheader", lambda *_, **__: None)
    panel: Any = Some(text_query=query)
    whole_text.show(Some(), [panel])  # type: ignore[arg-type]
    assert len(said) == asked


def test_a_head_opens_where_it_links_tokens_that_are_far_apart(found: LongAttention) -> None:
    opened = tile.chosen(found, (2, 3))
    assert opened is not None
    assert (opened.layer, opened.head) == (1, 2)
    far = np.tril(found.largest[1, 2], -1)[:, 1:]
    assert found.largest[1, 2, opened.row, opened.column] == far.max()
    assert 0 < opened.column < opened.row


@pytest.mark.parametrize("numbers", [(), (3, 1), (1, 5), (0, 1), (1,), (1, 2, 3)])
def test_a_link_to_no_head_opens_none(found: LongAttention, numbers: tuple[int, ...]) -> None:
    assert tile.chosen(found, numbers) is None


def test_a_link_beyond_the_map_opens_the_head_all_the_same(found: LongAttention) -> None:
    assert tile.chosen(found, (1, 2, 99, 1)) == tile.chosen(found, (1, 2))
    assert tile.chosen(found, (1, 2, 3, 4)) == tile.chosen(found, (1, 2))  # above the diagonal
    assert tile.chosen(found, (1, 2, 4, 3)) == Tile(0, 1, 3, 2)


@pytest.mark.parametrize(("row", "column"), [(0, 0), (8, 2), (14, 14), (14, 0)])
def test_a_tile_is_drawn_weight_by_weight_around_its_cell(
    found: LongAttention, row: int, column: int
) -> None:
    opened = Tile(1, 2, row, column)
    rows, columns = opened.sides(found)
    for side, cell in ((rows, row), (columns, column)):
        assert side.stop - side.start == tile.SIDE
        assert side.start <= BLOCK * cell < side.stop
    picture = tile.picture(found, opened)
    drawn = np.frombuffer(picture.payload, "<f4").reshape(tile.SIDE, tile.SIDE)
    np.testing.assert_array_equal(drawn, found.attention(1, 2).weights[0, 0][rows, columns])
    assert [*picture.header["rows"]] == [f"t{i}" for i in range(rows.start, rows.stop)]
    assert (
        "later tokens" in str(picture.header["scale"]["notes"]) or not picture.header["scale"]["notes"]
    )
    table = tile.table(found, opened)
    assert table["weight"].max() == drawn.max()
    at = table[table["key"] > 1].nlargest(1, "weight").iloc[0]  # the first token is the sink
    assert (at["query token"], at["key token"]) == (f"t{at['query'] - 1}", f"t{at['key'] - 1}")
    said = tile.said(found, opened)
    assert f"{at['weight']:.3f}, from “{at['query token']}” (token {at['query']})" in said
    assert f"to “{at['key token']}” (token {at['key']})" in said
    assert ("apart from" in said) == (columns.start == 0)
    small = tile.small(found, opened)
    marked = small.header["marked"]
    assert ([*marked["rows"]], [*marked["columns"]]) == ([row], [column])
    assert small.header["rows"][-1] == "99–101"


def test_a_text_shorter_than_a_tile_is_shown_whole(found: LongAttention) -> None:
    short = replace(
        found,
        tokens=found.tokens[:20],
        pieces=found.pieces[:20],
        query=found.query[:, :, :20],
        key=found.key[:, :, :20],
        log_sums=found.log_sums[:, :, :20],
        largest=found.largest[:, :, :3, :3],
    )
    assert Tile(0, 0, 2, 0).sides(short) == (slice(0, 20), slice(0, 20))
