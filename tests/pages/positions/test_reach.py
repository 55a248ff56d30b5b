"""How far a model sees: the view's pictures, its table, and its link."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from core.walkthroughs.reach import WINDOWS, layer_costs, steps_from
from tests.pages.positions.test_page import pictures, said, visit
from ui.page import prose

PROSE = Path(__file__).resolve().parents[3] / "pages/positions/page.py"


def drawn(app: AppTest, name: str) -> tuple[dict[str, Any], np.ndarray]:
    header, sent = pictures(app)[name]
    rows = len(header["lines"]) if "lines" in header else 1
    return header, np.frombuffer(sent, "<f4").reshape(rows, -1)


def test_the_steps_of_ones_own_sentence() -> None:
    app = visit(p="reach", t="one two three four five", w="1", cr="2")
    header, values = drawn(app, "steps-between-words")
    assert header["steps"] == ["one", "two", "three", "four", "five"]
    steps = steps_from(1, 5, 2)
    np.testing.assert_array_equal(values, [steps.recurrent, steps.restricted, steps.attention])
    assert "takes **3**" in said(app)


def test_the_table_has_the_numbers_of_table_1() -> None:
    app = visit(p="reach", t="one two three four five", cd="7", ck="3", cr="2")
    table = next(one.value for one in app.markdown if one.value.startswith("| layer"))
    for cost, line in zip(layer_costs(5, 7, 3, 2), table.split("\n")[2:], strict=True):
        assert cost.name in line
        assert f"= {cost.operations:,} |" in line
        assert re.findall(r"(\d+) \|", line)[1:] == [str(cost.sequential), str(cost.path)]
    assert "shorter than 7 words" in said(app)
    assert "both need the same" in said(visit(p="reach", t="a b c", cd="3"))
    assert "Above 2 words" in said(visit(p="reach", t="a b c", cd="2"))


def test_windows_are_lengths_beside_one_another() -> None:
    for longest in (1_024, 8_192, 131_072, 1_000_000):
        header, values = drawn(visit(p="reach", t="a b", cw=str(longest)), "context-windows")
        shown = [one for one in WINDOWS if one.tokens <= longest]
        lengths = [2, *(one.tokens for one in shown)]
        np.testing.assert_allclose(values[0], np.array(lengths) / longest, rtol=1e-6)
        assert header["labels"][0] == "your text, 2"
        assert header["labels"][-1].endswith(f"{shown[-1].tokens:,}")


def test_a_single_word_none_and_very_many() -> None:
    assert "nothing to reach" in said(visit(p="reach", t="one"))
    assert "no word yet" in said(visit(p="reach", t=" "))
    assert "the text is cut" in said(visit(p="reach", t="word " * 201))


def test_the_examples_state_the_right_numbers() -> None:
    of = {item.label: item for item in prose.read(str(PROSE)).more}
    item = of["A bank and its river"]
    app = visit(**dict(item.state))
    header, values = drawn(app, "steps-between-words")
    assert header["steps"][1] == "bank"
    away = values[0, header["steps"].index("river")]
    assert f"in {away:.0f} steps" in item.look_for
    item = of["Longer than it is wide"]
    attention, recurrent, *_ = layer_costs(4, int(dict(item.state)["cd"]), 3, 4)
    assert (
        f"{attention.operations} operations, a recurrent layer {recurrent.operations}" in item.look_for
    )
