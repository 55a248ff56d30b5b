from __future__ import annotations

import base64
import json
import re
from dataclasses import replace

import numpy as np
import pytest

from core.figures import Axis, Picture, Point, in_space, scatter, strips
from core.figures.saved_page import Part, Series, saved_page
from core.figures.web import bundle


def strip(*values: float) -> Picture:
    return strips({"v": np.array(values)}, sentence="<s>", name="x")


def test_words_are_escaped_and_pictures_bring_their_code_once() -> None:
    page = saved_page("<b> & co", [Part("<h>", "<p>mine</p>", (strip(1, 2), strip(3, 4)))])
    assert "<title>&lt;b&gt; &amp; co</title>" in page
    assert "<h2>&lt;h&gt;</h2>" in page
    assert "<p>mine</p>" in page
    assert page.count("all.strips = (") == 1
    assert page.count("<div data-polysee=") == 2
    assert "plotly" not in page


def test_plotly_comes_once_and_only_with_a_picture_in_space() -> None:
    points = [Point(name, np.eye(3)[:2] * i, "red") for i, name in enumerate("ab")]
    flat = scatter(
        [replace(point, coordinates=np.eye(2)) for point in points],
        steps=["one", "two"],
        depth=0,
        x=Axis("x"),
        y=Axis("y"),
        sentence="s",
        name="n",
    )
    solid = in_space(flat, points, "xyz")
    page = saved_page("x", [Part("", shown=(strip(1, 2), flat, solid, solid))])
    assert page.count(bundle.packed("plotly")) == page.count('polysee-plotly">') == 1
    assert page.index('polysee-plotly">') < page.index('data-polysee="space"')
    without = saved_page("x", [Part("", shown=(strip(1, 2), flat))])
    assert "plotly" not in without
    assert len(without) < 100_000 < 1_900_000 < len(page) < 2_100_000


def test_nothing_is_fetched() -> None:
    page = saved_page("x", [Part("", shown=(strip(1, 2),))])
    assert not re.search(r"""(?:src|href)=["'](?!data:)""", page)
    assert "@import" not in page


def test_series_shows_the_chosen_set_and_carries_all_others() -> None:
    sets = tuple((strip(i, i + 0.5),) for i in range(6))
    series = Series((("Layer", ("1", "2")), ("Head", ("all", "1", "2"))), (1, 2), sets)
    assert series.first == 5
    page = saved_page("x", [Part("", shown=(series,))])
    (packed,) = re.findall(r'<script type="application/json">(.*?)</script>', page)
    found = json.loads(packed)
    assert found[5] == [None]  # which is in the picture itself
    assert [base64.b64decode(some[0]) for some in found[:5]] == [s[0].to_bytes() for s in sets[:5]]
    assert re.findall(r'max="(\d)" value="(\d)"', page) == [("1", "1"), ("2", "2")]
    assert f'data-bytes="{base64.b64encode(sets[5][0].to_bytes()).decode()}"' in page


def test_captions_are_one_for_each_picture() -> None:
    with pytest.raises(ValueError, match="zip"):
        saved_page("x", [Part("", shown=(strip(1, 2),), captions=("a", "b"))])
