"""Each regular expression of our Python code is run by a function whose growth is measured."""

from __future__ import annotations

import importlib
import re
import sys
from typing import Any

import pytest
import regex

from tests.growth import patterns
from tests.growth.measure import seconds
from tests.growth.registry import OURS, READERS
from tests.growth.shapes import SHAPES

MEASURED = {pattern for reader in READERS.values() for pattern in reader.runs}


@pytest.mark.check
def test_every_pattern_has_its_place() -> None:
    there = patterns.patterns()
    assert len(there) > 60
    assert there - MEASURED - OURS.keys() == set(), "add the function that runs it to READERS"
    assert (MEASURED | OURS.keys()) - there == set(), "these are gone"
    assert not MEASURED & OURS.keys()
    assert all(OURS.values())


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import re\nA = re.compile('a')", ["A"]),
        ("import regex as rx\ndef f(t):\n    return rx.split('a', t)", ["f"]),
        (
            "from re import sub as change\nclass C:\n    def f(self, t):\n        change('a', '', t)",
            ["C.f"],
        ),
        ("import re\nA: dict = {'a': re.compile('a'), 'b': re.compile('b')}", ["A", "A"]),
        ("import re\nif True:\n    re.match('a', 'a')", ["a line of the module"]),
        ("import re\nA = re.escape('a')\nB: re.Pattern[str]\ndef f(m: re.Match[str]): m.split()", []),
        ("def f(t):\n    t.split('a')", []),
    ],
)
def test_a_pattern_is_found_wherever_it_stands(source: str, found: list[str]) -> None:
    assert [*patterns.in_source(source)] == found


class Watched:
    """A pattern that notes that it was run."""

    def __init__(self, pattern: Any) -> None:
        self.pattern, self.ran = pattern, False

    def __getattr__(self, name: str) -> Any:
        self.ran = True
        return getattr(self.pattern, name)


@pytest.mark.few(16)
@pytest.mark.check
@pytest.mark.parametrize("name", [name for name, reader in READERS.items() if reader.runs])
def test_a_reader_runs_the_patterns_that_it_names(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = READERS[name]
    watched: dict[str, Watched] = {}
    for place in reader.runs:
        file, _, of = place.partition(":")
        module = importlib.import_module(
            file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        )
        value = getattr(module, of, None)
        if callable(forget := getattr(value, "cache_clear", None)):
            forget()  # another test may have run it
        if isinstance(value, re.Pattern | regex.Pattern):
            watched[place] = Watched(value)
            monkeypatch.setattr(module, of, watched[place])
    ran: set[str] = set()

    def note(frame: Any, event: str, _: object) -> None:
        if event == "call":
            name = frame.f_code.co_qualname.replace(".<locals>", "")
            ran.add(f"{frame.f_code.co_filename.replace(chr(92), '/')}:{name}")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        for shape in SHAPES.values():
            seconds(reader.read, shape(60), 1)
    finally:
        sys.setprofile(before)
    idle = [place for place, one in watched.items() if not one.ran]
    functions = [
        place for place in reader.runs if place not in watched and place.rpartition(":")[2].islower()
    ]
    idle += [place for place in functions if not any(one.endswith(place) for one in ran)]
    assert not idle
