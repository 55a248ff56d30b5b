"""How far a model sees: the view's pictures, its table, and its link."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from core.walkthroughs.reach import WINDOWS, layer_costs, steps_from
from tests.pages.positions.test_page import pictures, visit
from tests.sentences import bold, numbers, saying
from tests.visits import said
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
    farthest = [int(of.max()) for of in (steps.recurrent, steps.restricted, steps.attention)]
    told = bold(said(app).split("to every word.**", 1)[1])[:3]
    assert [numbers(one)[0] for one in told] == farthest


def test_the_picture_has_a_scale_with_its_unit() -> None:
    header, values = drawn(visit(p="reach"), "steps-between-words")
    assert header["unit"] == "steps"
    assert "word" in header["axis"]
    guides = dict(header["guides"])
    assert guides[0.0] == "0"
    assert len(guides) >= 3
    assert max(guides) <= values.max()


def tables(app: AppTest) -> dict[str, list[str]]:
    """The cells of both tables for each layer: a formula and its number."""
    found: dict[str, list[str]] = {}
    for one in app.markdown:
        if one.value.startswith("| layer"):
            for line in one.value.split("\n")[2:]:
                name, *cells = [cell.strip() for cell in line.strip("|").split("|")]
                found.setdefault(name, []).extend(cells)
    return found


def test_the_table_has_the_numbers_of_table_1() -> None:
    app = visit(p="reach", t="one two three four five", cd="7", ck="3", cr="1")
    found = tables(app)
    for cost in layer_costs(5, 7, 3, 1):
        cells = zip(cost.formulas, (cost.operations, cost.sequential, cost.path), strict=True)
        assert found[cost.name] == [f"${one}$ = {n:,}" if one != "1" else "1" for one, n in cells]
    assert "shorter than d = 7 words" in said(app)
    assert "both need the same" in said(visit(p="reach", t="a b c", cd="3"))
    assert "Above d = 2 words" in said(visit(p="reach", t="a b c", cd="2"))


def test_whole_numbers_of_steps_are_rounded_up_in_the_formula_too() -> None:
    found = tables(visit(p="reach"))
    for name in ("convolutional", "restricted self-attention"):
        assert r"\lceil" in found[name][2]
        assert r"\rceil" in found[name][2]


def test_the_picture_the_table_and_the_text_count_the_same_steps() -> None:
    app = visit(p="reach", w="0", cr="4")
    _, values = drawn(app, "steps-between-words")
    found = tables(app)
    layers = ("recurrent", "restricted self-attention", "self-attention")
    assert [numbers(found[name][2])[-1] for name in layers] == [13, 4, 1]
    assert values.max(axis=1).tolist() == [13, 4, 1]
    assert numbers(saying(said(app), "as in the picture"))[-1] == 13
    assert numbers(saying(said(app), "sequential steps;"))[0] == 14


def test_windows_are_lengths_beside_one_another_in_tokens() -> None:
    for longest in (1_024, 8_192, 131_072, 1_000_000):
        header, values = drawn(visit(p="reach", t="a b", cw=str(longest)), "context-windows")
        shown = [one for one in WINDOWS if one.tokens <= longest]
        assert values[0].tolist() == [2, *(one.tokens for one in shown)]
        assert (header["unit"], header["kind"], header["most"]) == ("tokens", "counts", longest)
        assert header["labels"] == ["your text", *(one.model for one in shown)]
        assert header["notes"][0] == "2 words"  # which is no number of tokens, and says so


def test_one_word_is_not_many() -> None:
    app = visit(p="reach", t="one", cr="1", cd="1")
    whole = said(app) + "".join(str(header) for header, _ in pictures(app).values())
    assert "1 word" in whole
    assert "1 words" not in whole
    assert "1 steps" not in said(visit(p="reach", t="one two"))


def test_a_single_word_none_and_very_many() -> None:
    assert "no other to reach" in said(visit(p="reach", t="one"))
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
