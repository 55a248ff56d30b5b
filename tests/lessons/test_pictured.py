"""The pictures of a lesson's answers: their numbers are those of its operations."""

from __future__ import annotations

from pathlib import Path

import pytest

import core
from core.lessons import OfModel, Records, TranslatorRecords, answer, find, read
from core.lessons.pictured import Bars, Lines, pictured
from core.measures import shipped
from core.tasks import shipped as shipped_translator
from tests.lessons.small_records import TEXT, Small

MADE = """# Made
aim: Aim
minutes: 1
needs: nothing
model: minilm
concepts: 1
a: {text}

## Weights
[Heads](/heads?t={{a}})
ask: How much?
number: ± 0.1
key: {key}
reveal: So.
"""


def made(tmp_path: Path, key: str) -> object:
    path = tmp_path / "21-made.md"
    path.write_text(MADE.format(text=TEXT, key=key))
    lesson = read(path)
    return pictured(lesson.steps[0], Small(), lesson.texts)


def test_one_weight_is_shown_in_its_row(tmp_path: Path) -> None:
    row = made(tmp_path, '{"weight": ["{a}", "the", "sat", 1, 2]}')
    other = made(tmp_path, '{"max": [{"weights": ["{a}", "the", 1, 2]}]}')
    assert isinstance(row, Bars)
    assert row == other
    assert len(row.names) == len(row.values)
    assert sum(row.values) == pytest.approx(1)


def test_what_paper_cannot_show_has_no_picture(tmp_path: Path) -> None:
    assert made(tmp_path, '{"count": [{"tokens": "{a}"}]}') is None


def test_only_what_is_asked_is_shown(tmp_path: Path) -> None:
    """A weight that only the reveal names is no picture of the answer; one that the key names is."""
    weight = '\nlet one = {"weight": ["{a}", "the", "sat", 1, 2]}'
    assert made(tmp_path, f'{{"count": [{{"tokens": "{{a}}"}}]}}{weight}') is None
    assert isinstance(made(tmp_path, f'{{"value": "one"}}{weight}'), Bars)


@pytest.fixture(scope="module")
def ours(minilm: core.Model) -> Records:
    return OfModel(lambda: minilm, "MiniLM", shipped("minilm"))


def test_a_word_between_its_ends_ends_where_the_answer_says(ours: Records) -> None:
    lesson = find("one-vector")
    assert lesson is not None
    step = lesson.steps[1]  # the word alone
    shown, said = pictured(step, ours, lesson.texts), answer(step, ours, lesson.texts)
    assert isinstance(shown, Lines)
    assert [name for name, _ in shown.lines] == ["A", "B", ""]
    assert shown.at == (1, 2, 3, 4, 5, 6)
    assert f"{shown.lines[2][1][-1]:.2f}".replace("-", "−") in said.reveal


def test_a_temperature_is_that_of_the_question() -> None:
    records, lesson = TranslatorRecords(shipped_translator()), find("translation")
    assert lesson is not None
    warm = next(one for one in lesson.steps if '"temperature"' in repr(one.key).replace("'", '"'))
    shown, said = pictured(warm, records, lesson.texts), answer(warm, records, lesson.texts)
    assert isinstance(shown, Bars)
    assert shown.values[0] == pytest.approx(said.key)
    assert [*shown.values] == sorted(shown.values, reverse=True)
