from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

import core
from tools.site import live
from tools.site.live import Page


@pytest.fixture(autouse=True)
def checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a checkout, the package is `core`."""
    import sys

    for name in ("", ".figures", ".notebook", ".notebook.views"):
        module = __import__(f"core{name}", fromlist=["_"])
        monkeypatch.setitem(sys.modules, f"polysee{name}", module)


@pytest.fixture
def page(tmp_path: Path) -> Page:
    return Page(tmp_path, "guides/own.md")


def test_a_cell_shows_its_last_line_and_what_it_printed() -> None:
    names: dict[str, Any] = {}
    assert live.run("x = 3\nprint('x')\nx + 1", names) == ("x\n", 4)
    assert live.run("y = x", names) == ("", None)
    assert live.run("", names) == ("", None)
    assert names["y"] == 3


def test_only_marked_blocks_run_and_their_outputs_stand_below(page: Page) -> None:
    text = (
        "a\n\n```python\n1 / 0\n```\n\n```python live\nx = 6\n```\n\nb\n\n```python live\nx * 7\n```\n"
    )
    assert live.with_outputs(text, page) == (
        "a\n\n```python\n1 / 0\n```\n\n```python\nx = 6\n```\n\n\n\nb\n\n"
        "```python\nx * 7\n```\n\n```text\n42\n```\n"
    )
    assert live.with_outputs("```python\n1 / 0\n```\n", page) == "```python\n1 / 0\n```\n"


@pytest.mark.parametrize("cell", ["1 / 0", "import warnings\nwarnings.warn('x')", "x ="])
def test_a_cell_that_fails_or_warns_ends_the_build(page: Page, cell: str) -> None:
    with pytest.raises(RuntimeError, match=r"guides/own\.md: cell 1 fails"):
        list(live.outputs(["x = 1", cell], page))


@pytest.mark.check
def test_a_picture_is_a_page_of_its_own_in_a_frame(page: Page) -> None:
    weights = np.full((1, 2, 2, 2), 0.5, np.float32)
    own = core.Attention(("<i>a</i>", "b"), ("c", "d"), weights)
    for number, value in enumerate([own, core.head(own, 0, 1), core.figures.heads_of(own)]):
        frame = live.shown(value, page, number)
        assert f'src="../live/guides-own-{number}.html"' in frame
        assert "<i>" not in frame
        content = (page.folder / "live" / f"guides-own-{number}.html").read_text("utf-8")
        assert "<h1>" in content
        assert content.count("</head>") == 1


def test_a_notebook_is_a_page_with_its_outputs(page: Page) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "[x](../models.md)"]},
        {"cell_type": "code", "source": ["y = 2\n", "y + 1"], "outputs": []},
    ]
    assert live.notebook_page(json.dumps({"cells": cells}), page) == (
        "# Title\n[x](../models.md)\n\n```python\ny = 2\ny + 1\n```\n\n```text\n3\n```\n"
    )


def test_figures_share_one_plotly(page: Page) -> None:
    figure = go.Figure(go.Scatter(y=[1, 2], name="</script><b>"), layout={"title": "A & B"})
    frames = [live.shown(figure, page, number) for number in (0, 1)]
    assert 'title="A &amp; B"' in frames[0]
    content = (page.folder / "live" / "guides-own-1.html").read_text("utf-8")
    assert content.count("</script>") == 2
    assert len(content) < 20_000
    assert (page.folder / "live" / live.PLOTLY).stat().st_size > 1_000_000


def test_numbers_are_tables_and_text(page: Page) -> None:
    table = live.shown(pd.DataFrame({"a<b": range(40)}), page, 0)
    assert table.count("<tr") < 20
    assert "a&lt;b" in table
    assert "<table" in live.shown(pd.Series([1.5], name="share"), page, 0)
    assert live.shown((1, 2), page, 0) == "```text\n(1, 2)\n```"
    assert live.shown(None, page, 0) == ""
