"""Tables as files for a spreadsheet: no cell is a formula, and numbers stay numbers."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import spreadsheet

ROOT = Path(__file__).parent.parent
# The browser's writer is held to the same cases: tests/figures/web/static/numbers.test.js.
CELLS = json.loads((ROOT / "tests" / "spreadsheet.json").read_text("utf-8"))
FORMULA = "=+-@＝＋－＠"


@pytest.mark.parametrize(("cell", "expected"), CELLS)
def test_cells(cell: str, expected: str) -> None:
    assert spreadsheet.inert(cell) == expected


def test_a_table_whose_every_name_is_a_formula() -> None:
    names = pd.Index(["=a", "b"], name="@n")
    table = pd.DataFrame([[-0.5, "=1", None], [1 / 3, "-0.5", True]], names, ["=x", "=x", "y"])
    before = table.copy()
    assert spreadsheet.csv(table) == "'@n,'=x,'=x,y\n'=a,-0.5,'=1,\nb,0.333333333,-0.5,True\n"
    assert spreadsheet.csv(table, index=False).startswith("'=x,")
    pd.testing.assert_frame_equal(table, before)


def test_several_levels_and_other_kinds_of_columns() -> None:
    levels = pd.MultiIndex.from_tuples([("=a", 1), ("b", -2)], names=["+p", "q"])
    days = pd.to_datetime(["2020-01-02", "2021-01-02"])
    table = pd.DataFrame({"c": pd.Categorical(["=x", "y"]), "d": days, "-e": [-1, 2]}, levels)
    lines = spreadsheet.csv(table).splitlines()
    assert lines == ["'+p,q,c,d,'-e", "'=a,1,'=x,2020-01-02,-1", "b,-2,y,2021-01-02,2"]


@given(
    st.lists(
        st.text(st.sampled_from("=+-@ \t\r\n;,\"'a1.\u00a0＝"), max_size=6), min_size=1, max_size=4
    )
)
def test_wherever_a_spreadsheet_cuts(cells: list[str]) -> None:
    """With any of three separators, and with blanks taken away, no field begins as a formula."""
    text = spreadsheet.csv(pd.DataFrame({"n": [-0.5] * len(cells), "t": cells}), index=False)
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert len(rows) == len(cells) + 1
    for row in rows[1:]:
        assert float(row[0]) == -0.5
        for field in re.split(r"[;\t\r\n]", row[1]):
            field = field.strip().strip("\ufeff")
            number = re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)", row[1])
            assert number or not field.startswith(tuple(FORMULA)), text


def test_it_takes_time_in_proportion() -> None:
    """A cell of blanks and signs, any visitor's."""
    for cell in ("\n" * 200_000, " =" * 100_000, "\t" * 100_000 + "=" * 100_000, "=" * 200_000):
        spreadsheet.inert(cell)


@pytest.mark.check
def test_nobody_else_writes_csv() -> None:
    files = [*ROOT.glob("core/**/*.py"), *ROOT.glob("ui/**/*.py"), *ROOT.glob("pages/**/*.py")]
    found = {
        str(file.relative_to(ROOT))
        for file in files
        if re.search(r"\.to_csv\(|csv\.(Dict)?[wW]riter|to_clipboard|to_excel", file.read_text("utf-8"))
    }
    assert found == {"core/spreadsheet.py"}
    scripts = [
        p for p in [*ROOT.glob("core/**/*.js"), *ROOT.glob("ui/**/*.js")] if "dist" not in p.parts
    ]
    wrote = {p.name for p in scripts if "text/csv" in p.read_text("utf-8")}
    assert wrote == {"numbers.js", "progress.js"}  # the latter: tests/ui/lessons/test_progress.py


def test_numbers_have_nine_digits_and_missing_ones_are_empty() -> None:
    table = pd.DataFrame({"a": np.array([np.nan, -1 / 3], np.float32)})
    assert spreadsheet.csv(table) == ",a\n0,\n1,-0.333333343\n"
