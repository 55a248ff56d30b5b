"""Unusual shapes of families: the table of them, and what is said of those that ours does not run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import core
from tools.every_model import shapes
from tools.every_model.__main__ import SHAPES, put

PAGE = Path(__file__).resolve().parents[3] / "docs" / "models.md"


def test_the_page_has_each_shape_near_or_in_transformers() -> None:
    section = PAGE.read_text("utf-8").partition(f"{SHAPES}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.+?) \| (\S+) \| (.+) \|$", section, re.MULTILINE)
    found = {label: (runs_in, cells.split("|")) for label, runs_in, cells in rows}
    assert {*shapes.SHAPES} <= found.keys()
    ours = [found[label][1] for label in shapes.SHAPES if found[label][0] == "**ours**"]
    assert len(ours) > 25
    numbers = [[float(cell) for cell in cells if cell.strip()] for cells in ours]
    assert all(len(each) in (2, 4) for each in numbers)
    assert max(map(max, numbers)) < 1e-5


def test_the_section_is_replaced_and_nothing_else() -> None:
    page = "# A\n\n| x |\n\n## Not tried\n\n- y\n"
    once = put(page, f"{SHAPES}\n\nold\n\n")
    assert once == f"# A\n\n| x |\n\n{SHAPES}\n\nold\n\n## Not tried\n\n- y\n"
    assert put(once, f"{SHAPES}\n\nnew\n\n") == once.replace("old", "new")


@pytest.mark.check
def test_a_shape_is_near() -> None:
    found = shapes.of("Gemma 3, mixed windows")
    assert found is not None
    assert max(one for one in found[1:] if one is not None) < 1e-5


def test_a_shape_that_ours_does_not_compute_says_so(tmp_path: Path) -> None:
    label = "OPT-350m (norms behind, embeddings projected)"
    shapes.saved(shapes.SHAPES[label], tmp_path)
    with pytest.warns(core.ModelNote, match="transformers runs it whole"):
        model = core.load(tmp_path, name=label)
    assert model.engine == "huggingface"
    with pytest.raises(core.NotSupported, match="shapes in which most of them are published"):
        model.why("on the bank", "river")


def test_longrope_is_read_up_to_where_long_texts_begin(tmp_path: Path) -> None:
    label = "Phi-3, longrope (128k)"
    shapes.saved(shapes.SHAPES[label], tmp_path)
    with pytest.warns(core.ModelNote) as caught:
        model = core.load(tmp_path, name="phi")
    assert any("up to 16 tokens" in str(one.message) for one in caught)
    assert model.max_tokens == 16
