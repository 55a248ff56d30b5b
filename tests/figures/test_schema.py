"""The schema of choices in pictures: valid values, and that the pictures' own builders obey it."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest

from core.figures import schema
from core.figures.attention.layer_state import LEVELS, MEAN, start
from core.figures.web import MODULES
from core.measures import PATTERNS
from tests.browser.pictures.every_module import MADE
from ui import figure

WORDS = {"type", "enum", "minimum", "maximum", "maxLength", "items", "minItems", "maxItems"}
WORDS |= {"properties", "nullable", "default", "optional", "own", "of", "steps"}
POSITION = {"type": "position"}
SOURCES = Path(__file__).resolve().parents[2] / "core/figures/web/src"


def nested(fields: schema.Fields) -> list[schema.Field]:
    """All fields, and those within lists and mappings."""
    found = []
    for field in fields.values():
        inner = {**field.get("properties", {}), **({"": field["items"]} if "items" in field else {})}
        found += [field, *nested(inner)]
    return found


def test_each_field_is_said_in_words_that_both_languages_know() -> None:
    fields = nested({"": {"type": "object", "properties": schema.TYPES}})[1:]
    for some in (*schema.STATES.values(), *schema.EVENTS.values()):
        fields += nested(some)
    assert len(fields) > 40
    for field in fields:
        assert field.keys() <= WORDS
        kind = "enum" if "enum" in field else field["type"]
        assert kind in schema.TYPES or kind in schema._FITTED
        assert kind != "string" or "maxLength" in field
        assert kind != "array" or "maxItems" in field  # what a browser sends has an end
        if "default" in field:
            assert schema.fits(field, field["default"])


def test_one_of_each_picture_is_made_for_these_tests() -> None:
    assert {*MADE} == {*MODULES}, "tests/browser/pictures/every_module.py makes one of each picture"


@pytest.mark.parametrize("module", schema.STATES)
def test_the_class_of_a_picture_names_its_schema(module: str) -> None:
    named = re.compile(rf"^  schema = .*\bSTATES\.{module}\b", re.M)
    classes = [file for file in SOURCES.rglob("*.js") if named.search(file.read_text("utf-8"))]
    assert len(classes) == 1, f"the class of {module} lacks the line: schema = STATES.{module};"


@pytest.mark.parametrize("module", MODULES)
def test_what_a_picture_shows_first_fits_its_schema(module: str) -> None:
    state = figure.plain(MADE[module]().state)
    if module not in schema.STATES:
        assert state == {}
        return
    fitted = schema.read(schema.STATES[module], state)
    assert fitted == state
    assert state.keys() == schema.state(module).keys()


def test_a_picture_from_an_odd_link_fits_it_too() -> None:
    odd: dict[str, Any] = dict.fromkeys(schema.state("layer"), math.nan)
    for state in (odd, {"on": [MEAN], "head": MEAN}, {"on": [], "key": 10**9, "threshold": True}):
        schema.read(schema.STATES["layer"], start(state, 12, (9, 9)))


def test_names_stand_once() -> None:
    assert schema.options("layer", "level") == LEVELS
    assert MEAN == -1
    assert schema.fits(schema.STATES["layer"]["head"], MEAN)
    assert not schema.fits(schema.STATES["layer"]["head"], MEAN - 1)
    pattern = schema.STATES["overview"]["pattern"]
    assert schema.fits(pattern, len(PATTERNS) - 1)
    assert not schema.fits(pattern, len(PATTERNS))


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        (POSITION, [0, 99_998, 3.0], [-1, 99_999, 0.5, True, "1", None, math.nan, math.inf, [1]]),
        ({**POSITION, "maximum": 4}, [0, 4], [5]),
        ({**POSITION, "nullable": True}, [None, 7], [False, -1]),
        ({"type": "headOrMean"}, [-1, 998], [-2, 999]),
        ({"type": "share"}, [0, 1, 0.5], [-0.1, 1.01, True, math.nan, "0.5", 10**400]),
        ({"type": "boolean"}, [True, False], [0, 1, None, "true"]),
        ({"enum": ["to", "from"]}, ["to"], ["", "towards", None, 0, ["to"]]),
        ({"type": "string", "maxLength": 3}, ["", "abc"], ["abcd", None, 1, b"a"]),
        (
            {"type": "array", "items": POSITION, "minItems": 1, "maxItems": 2},
            [[1], [1, 2]],
            [[], [1, 2, 3], [None], "12", {1: 2}],
        ),
        (
            {"type": "object", "properties": {"a": POSITION, "b": {**POSITION, "optional": True}}},
            [{"a": 1}, {"a": 1, "b": 2}],
            [{}, {"b": 2}, {"a": 1, "c": 3}, {"a": None}, [1], None],
        ),
    ],
)
def test_what_fits_a_field(field: schema.Field, good: list[Any], bad: list[Any]) -> None:
    assert [schema.fitted(field, value) for value in good] == good
    assert not any(schema.fits(field, value) for value in bad)


def test_what_fits_is_plain() -> None:
    assert type(schema.fitted(POSITION, 3.0)) is int
    assert schema.fitted({"type": "array", "items": POSITION, "maxItems": 2}, (1.0, 2)) == [1, 2]
    with pytest.raises(schema.Misfit) as error:
        schema.read({"depth": POSITION}, {"depth": "<script>"})
    assert "script" not in str(error.value)
