"""The one table of cases for what is written twice, in Python and in JavaScript.

`python -m tests.figures.web.twins.cases` computes with Python what each function should return, and
writes `cases.json`; `twins.test.js` runs all of it in Node, and fails if a function of a twin has no
case. Where a call needs more than plain values, `CALLS` there says how it is made.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.figures.web.twins.choices import of_choices
from tests.figures.web.twins.common import (
    Case,
    Reads,
    plain,
    rounded,
)
from tests.figures.web.twins.expecting import of_expecting
from tests.figures.web.twins.links import of_links
from tests.figures.web.twins.names import of_names
from tests.figures.web.twins.pairs import of_pairs
from tests.figures.web.twins.pictures import of_pictures, of_states
from tests.figures.web.twins.readings import of_readings
from tests.figures.web.twins.sampling import of_sampling
from tests.figures.web.twins.senses import of_senses
from tests.figures.web.twins.steps import of_steps
from tests.figures.web.twins.traces import in_json
from tests.figures.web.twins.verdicts import of_axes, of_verdicts
from tests.figures.web.twins.words import of_words
from tests.web import pairs

FILE = Path(__file__).with_name("cases.json")


def table() -> dict[str, Any]:
    """All cases, the settings of their tokenizer, and the texts of their traces."""
    reads, cases = Reads(), dict[str, dict[str, list[Case]]]()
    for some in (
        of_words(),
        of_links(),
        of_axes(reads),
        of_choices(reads),
        of_verdicts(),
        of_names(),
        of_states(),
        of_pictures(reads),
        of_sampling(),
        of_pairs(),
        of_expecting(),
        of_readings(),
        of_steps(),
        of_senses(),
    ):
        for module, functions in some.items():
            cases.setdefault(module, {}).update(functions)
    found: dict[str, Any] = plain(
        {
            "tokenizer": pairs.small(),
            "traces": {one: in_json(one) for one in reads.texts},
            "cases": cases,
        }
    )
    return found


def written() -> str:
    """The content of the table's file: a case on each line."""
    own = table()
    lines = [f'{{"tokenizer":{_short(own["tokenizer"])},', '"traces":{']
    lines.append(
        ",\n".join(f"{json.dumps(one)}:{_short(trace)}" for one, trace in own["traces"].items())
    )
    lines.append('},"cases":{')
    modules = []
    for module, functions in own["cases"].items():
        inner = ",\n".join(
            f"{json.dumps(name)}:[\n" + ",\n".join(_line(*case) for case in cases) + "]"
            for name, cases in functions.items()
        )
        modules.append(f"{json.dumps(module)}:{{\n{inner}}}")
    lines.append(",\n".join(modules))
    return "\n".join([*lines, "}}"]) + "\n"


def _line(args: Any, result: Any) -> str:
    return f"[{json.dumps(args, separators=(',', ':'))},{_short(result)}]"


def _short(value: Any) -> str:
    return json.dumps(rounded(value), separators=(",", ":"))


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
