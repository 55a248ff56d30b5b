"""What was answered in the lessons, as the CSV that the browser saves."""

from __future__ import annotations

import csv
import json
import subprocess
from io import StringIO
from pathlib import Path

from core import spreadsheet
from tools import node

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "ui/lessons/progress.js"
_READ = """
import {{ table }} from {script};
process.stdout.write(table({answers}, {lessons}, {rules}));
"""


def saved(answers: dict[str, object], lessons: dict[str, int]) -> list[list[str]]:
    code = _READ.format(
        script=json.dumps(SCRIPT.as_uri()),
        answers=json.dumps(answers),
        lessons=json.dumps(lessons),
        rules=json.dumps(spreadsheet.rules()),
    )
    return [*csv.reader(StringIO(run(code)))]


def run(code: str) -> str:
    said = subprocess.run(
        [node.NODE / "node", "--input-type=module", "-e", code],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return said.stdout


def test_its_cells_are_those_of_every_other_writer() -> None:
    """The table of cases of `core.spreadsheet`, and of the browser's other writer."""
    cases = json.loads((ROOT / "tests" / "spreadsheet.json").read_text("utf-8"))
    rules, cells = json.dumps(spreadsheet.rules()), json.dumps([cell for cell, _ in cases])
    code = (
        f"import {{ inertBy }} from {json.dumps(SCRIPT.as_uri())};"
        f"process.stdout.write(JSON.stringify({cells}.map(inertBy({rules}))));"
    )
    assert json.loads(run(code)) == [expected for _, expected in cases]


def test_a_row_for_each_step_and_no_cell_is_a_formula() -> None:
    answers = {
        "one-vector.2": {
            "asked": "Where?",
            "predicted": "−1",
            "model": "1",
            "right": False,
            "why": '=HYPERLINK("http://x"), "so"\nand;+1',
        },
        "one-vector.9": {"asked": "no such step"},
        "tokens.1": "broken",
    }
    head, *rows = saved(answers, {"one-vector": 6, "tokens": 6})
    assert head == ["lesson", "step", "question", "prediction", "answer", "holds", "why"]
    assert len(rows) == 1
    lesson, step, question, predicted, model, holds, why = rows[0]
    assert (lesson, step, question, holds) == ("one-vector", "2", "Where?", "no")
    assert (predicted, model) == ("−1", "1")
    assert why.startswith("'=HYPERLINK(")
    assert ";'+1" in why


def test_nothing_answered_is_a_head_alone() -> None:
    assert len(saved({}, {"one-vector": 6})) == 1


def test_the_question_before_and_after_has_a_row_each_with_its_reason() -> None:
    asked = {"before": 0, "after": 1, "asked": "Why?", "answers": ["a", "b"], "right": 1}
    words = {"before why": "=1", "after why": "It reads the others."}
    _, before, after = saved({"one-vector check": {**asked, **words}}, {"one-vector": 6})
    assert before == ["one-vector", "before", "Why?", "a", "b", "no", "'=1"]
    assert after == ["one-vector", "after", "Why?", "b", "b", "yes", "It reads the others."]
