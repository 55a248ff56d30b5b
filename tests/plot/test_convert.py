"""Every kind of picture for papers becomes a figure, which can be read back from its page."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import numpy as np
import pytest

import core
from core import plot
from core.figures import (
    Band,
    GroupedPoints,
    Line,
    StepAxis,
    ValueAxis,
    bars,
    cloud,
    groups_of,
    heads_of,
    lines,
)
from core.records.attention import Attention
from tests.browser.pictures import every_module

SAID = "A < B & </script> “C”"


def test_a_figure_can_be_made_of_just_these_kinds() -> None:
    for module, make in every_module.MADE.items():
        picture = make()
        if module in plot.MODULES:
            figure = plot.of(picture)
            assert figure.data
            assert figure.layout.meta == {
                "sentence": picture.sentence,
                "file": picture.header["file"],
            }
        else:
            with pytest.raises(core.NotSupported, match="for paper"):
                plot.of(picture)
    assert set(every_module.MADE) >= plot.MODULES


def test_a_band_and_a_logarithmic_scale() -> None:
    curve = Line("loss", [1.0, 0.1, np.nan], "#000", "none")
    picture = lines(
        [curve],
        StepAxis(["1", "2", "3"], ["1", "2", "3"], "step"),
        ValueAxis([(0.1, "a tenth")], log=True),
        sentence="s",
        name="n",
        band=Band([0.5, 0.05, 0.01], [2, 1, 0.1], "usual"),
    )
    low, high, drawn = plot.of(picture).data
    np.testing.assert_allclose(drawn.y, [1, 0.1, np.nan], rtol=1e-5)
    np.testing.assert_allclose(low.y, [0.5, 0.05, 0.01], rtol=1e-5)
    np.testing.assert_allclose(high.y, [2, 1, 0.1], rtol=1e-5)
    assert plot.of(picture).layout.yaxis.type == "log"
    assert drawn.mode == "lines"


def test_the_others_of_bars_are_outlines_with_names() -> None:
    made = bars([0.2, 0.3], ["a", "b"], unit="probability", sentence="s", name="n", other=[0.1, 0.5])
    after, before = plot.of(made).data
    np.testing.assert_allclose(before.x, [0.1, 0.5], atol=1e-6)
    assert (after.name, before.name) == ("after", "before")


def test_a_cloud_has_the_groups_of_its_depth() -> None:
    at = np.arange(12, dtype=np.float32).reshape(3, 2, 2)
    texts = [("", "w", str(i)) for i in range(3)]
    group_of = [[0, 0, 1], [1, 0, 1]]
    points = GroupedPoints(at, texts, groups_of(["x", "y"]), group_of, ["learned", "Layer 1"])
    made = cloud(points, depth=1, titles=("t", "u"), words=("v", "w"), sentence="s", name="n")
    x, y = plot.of(made).data
    assert ([*x.x], [*x.customdata]) == ([6], ["w1"])
    assert [*y.x] == [2, 10]
    assert [*plot.of(made.choosing({"depth": 0, "chosen": None})).data[1].x] == [8]


def test_the_page_gives_the_figure_back(tmp_path: Path) -> None:
    weights = np.full((1, 1, 1, 2), 0.5)
    figure = plot.attention(Attention((SAID,), ("<b>", SAID), weights), 0, 0)
    figure.update_layout(meta={"sentence": SAID, "file": "x"})
    page = plot.to_html(figure, "x.html")
    assert page.count("</script> “C”") == 0
    (tmp_path / "x.html").write_text(page, "utf-8")
    again = plot.read(tmp_path / "x.html")
    assert json.loads(again.to_json()) == json.loads(figure.to_json())
    again.update_layout(template="simple_white", width=350)
    assert again.layout.width == 350
    (tmp_path / "y.html").write_text("<p>nothing", "utf-8")
    with pytest.raises(core.NotSupported, match="no Plotly figure"):
        plot.read(tmp_path / "y.html")


def test_many_heads_say_what_to_draw_instead() -> None:
    own = Attention(("a",), ("b", "c"), np.full((2, 2, 1, 2), 0.5))
    with pytest.raises(core.NotSupported, match="one head"):
        plot.of(heads_of(own))


def test_every_public_figure_is_documented() -> None:
    for name in plot.__all__:
        assert name == "MODULES" or inspect.getdoc(getattr(plot, name))
