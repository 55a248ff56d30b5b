from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from core.figures import head_heatmap, style
from core.measures import HeadMap

# Three queries and five keys: swapped axes cannot pass.
QUERIES = ("the", "bank", "the")
KEYS = ("the", "<b>", "the", "&", "##ing")
WEIGHTS = np.array(
    [[0.5, 0.25, 0.125, 0.0625, 0.0625], [0, 0, 1, 0, 0], [0.04, 0.06, 0.09, 0.16, 0.65]], np.float32
)


def view(
    queries: tuple[str, ...] = QUERIES, keys: tuple[str, ...] = KEYS, weights: Any = None
) -> HeadMap:
    weights = WEIGHTS if weights is None else weights
    return HeadMap(
        queries, keys, weights, renormalised=False, dropped=np.zeros(len(queries)), tokens=np.arange(3)
    )


def square(n: int, seed: int = 0) -> HeadMap:
    tokens = tuple(f"w{i % 7}" for i in range(n))
    return view(tokens, tokens, np.random.default_rng(seed).dirichlet(np.ones(n), n))


def draw(head: HeadMap, marked: tuple[int, ...] = (), root: bool = False) -> go.Figure:
    return head_heatmap(head, marked=marked, colour=style.SENTENCE_B, root=root)


def test_rows_are_queries_with_the_first_on_top_and_columns_are_keys() -> None:
    figure = draw(view())
    np.testing.assert_array_equal(figure.data[0].z, WEIGHTS)
    assert figure.data[0].z.shape == (3, 5)
    assert list(figure.layout.yaxis.range) == [2.5, -0.5]
    assert list(figure.layout.xaxis.range) == [-0.5, 4.5]
    assert figure.layout.xaxis.side == "top"
    assert not figure.data[0].transpose
    assert figure.data[0].x is None
    assert figure.data[0].y is None


def test_repeated_tokens_keep_all_their_labels_and_are_text() -> None:
    figure = draw(view())
    assert list(figure.layout.yaxis.tickvals) == [0, 1, 2]
    assert list(figure.layout.yaxis.ticktext) == ["the", "bank", "the"]
    assert list(figure.layout.xaxis.tickvals) == [0, 1, 2, 3, 4]
    assert list(figure.layout.xaxis.ticktext) == ["the", "&lt;b&gt;", "the", "&amp;", "·ing"]


def test_hover_says_who_looks_at_whom() -> None:
    heat = draw(view()).data[0]
    assert np.array(heat.text).shape == (3, 5)
    assert heat.text[1][4] == "bank → ·ing"
    assert heat.text[2][1] == "the → &lt;b&gt;"
    assert heat.hovertemplate.startswith("%{text}: <b>%{customdata:.4f}</b>")


@pytest.mark.parametrize("root", [False, True])
def test_the_scale_is_fixed_and_zero_is_paper(root: bool) -> None:
    heat = draw(view(weights=WEIGHTS / 2), root=root).data[0]
    assert (heat.zmin, heat.zmax) == (0, 1)
    low, high = heat.colorscale
    assert low == (0.0, "rgba(222, 46, 130, 0)")
    assert high[0] == 1.0
    assert draw(view()).layout.plot_bgcolor == style.NO_PAPER


def test_square_root_changes_the_colours_and_no_number() -> None:
    heat = draw(view(), root=True).data[0]
    np.testing.assert_array_equal(heat.customdata, WEIGHTS)
    np.testing.assert_allclose(heat.z, np.sqrt(WEIGHTS))
    assert heat.z.dtype == np.float32
    assert "square-root" in heat.colorbar.title.text
    for value, text in zip(heat.colorbar.tickvals, heat.colorbar.ticktext, strict=True):
        assert value**2 == pytest.approx(float(text))
    plain = draw(view()).data[0].colorbar
    assert plain.title.text == "weight"
    assert list(plain.tickvals) == [float(text) for text in plain.ticktext]


def test_the_word_is_marked_and_its_row_framed() -> None:
    figure = draw(view(), marked=(1, 2))
    bold = f'<b><span style="color:{style.SENTENCE_B}">'
    assert [text.startswith(bold) for text in figure.layout.yaxis.ticktext] == [False, True, True]
    assert [text.startswith(bold) for text in figure.layout.xaxis.ticktext] == [
        False,
        True,
        True,
        False,
        False,
    ]
    assert figure.layout.xaxis.ticktext[1] == f"{bold}&lt;b&gt;</span></b>"
    (frame,) = figure.layout.shapes
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == (-0.5, 4.5, 0.5, 2.5)
    assert frame.line.color == style.SENTENCE_B
    assert not draw(view()).layout.shapes


@pytest.mark.parametrize("n", [1, 63, 64, 65, 67, 128, 131, 256, 512])
@pytest.mark.parametrize("marked", [(), (0,), (-1,), (3, 4, 5)])
def test_at_most_64_labels_with_the_marked_ones_among_them(n: int, marked: tuple[int, ...]) -> None:
    marked = tuple(sorted({i % n for i in marked}))
    figure = draw(square(n), marked=marked)
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        shown = list(axis.tickvals)
        assert len(shown) == len(axis.ticktext) <= 64
        assert set(marked) <= set(shown)
        assert shown == sorted(set(shown))
        assert max(shown) < n
        if n <= 64:
            assert shown == list(range(n))
        else:
            assert len(shown) > 25
        for at, text in zip(shown, axis.ticktext, strict=True):
            assert f"w{at % 7}" in text
            assert text.startswith("<b>") == (at in marked)


def test_a_word_of_more_than_64_pieces_still_draws_64_labels() -> None:
    shown = draw(square(131), marked=tuple(range(10, 110))).layout.xaxis.tickvals
    assert len(shown) <= 64


def numbers(node: Any) -> Iterator[dict[str, str]]:
    """Every typed array in what travels to the browser."""
    if isinstance(node, dict):
        if "bdata" in node:
            yield node
        else:
            for value in node.values():
                yield from numbers(value)
    elif isinstance(node, list):
        assert len(node) <= 512 or not isinstance(node[0], float), "a long list of numbers"
        for value in node:
            yield from numbers(value)


@pytest.mark.parametrize("root", [False, True])
def test_what_travels_is_float32_and_bounded_at_512_tokens(root: bool) -> None:
    sent = draw(square(512), marked=(5,), root=root).to_json()
    arrays = list(numbers(json.loads(sent)))
    assert [a["dtype"] for a in arrays] == ["f4", "f4"]
    assert [len(base64.b64decode(a["bdata"])) for a in arrays] == [4 * 512**2] * 2
    # Colours and weights, 4 bytes each, a third more for base64, whose "/" Plotly writes in six signs.
    assert len(sent) < 3_100_000


def test_the_first_screen_is_light() -> None:
    assert len(draw(square(14), marked=(11,)).to_json()) < 16_000
