"""Expressions: parsed, refused, and filled into sentences."""

from __future__ import annotations

import pytest

from core.lessons import BadExpression, Value, parse
from core.lessons.expressions import filled, names_in, used_in, written
from tests.lessons.small_records import value


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (3, 3.0),
        (True, True),
        ("bank", "bank"),
    ],
    ids=str,
)
def test_a_value_that_is_written_in_the_file(tree: object, expected: Value) -> None:
    assert value(tree) == expected


def test_texts_are_filled_into_strings_and_values_are_found_by_name() -> None:
    assert value("{a} and {b}", a="one", b="two") == "one and two"
    assert value({"+": [{"value": "x"}, 1]}, x=2.0) == 3.0
    made = parse('{"if": [{"=": ["{a}", "b"]}, {"value": "x"}, 1]}')
    assert names_in(made) == {"a", "x"}
    with pytest.raises(BadExpression, match="nobody"):
        value({"value": "nobody"})


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("{", "JSON"),
        ('{"max": [1, 2]', "bracket"),
        ("{“value”: “a”}", "straight quotes"),
        ("NaN", "NaN"),
        ("[1, 2]", "list"),
        ("null", "operation"),
        ("{}", "operation"),
        ('{"max": [1], "min": [1]}', "operation"),
        ('{"eval": "1"}', "eval"),
        ('{"__import__": "os"}', "__import__"),
        ('{"weight": {"text": "a", "nobody": 1}}', "nobody"),
        ('{"weight": {"text": "a"}}', "from"),
        ('{"-": [1, 2, 3]}', "-"),
        ('{"+": [1]}', "+"),
        ('{"max": {"list": [1]}, "max": {"list": [2]}}', "max"),
        ('{"value": 1}', "value"),
        ('{"not": ' * 30 + "true" + "}" * 30, "deep"),
        ("[" * 100_000, "JSON"),
    ],
)
def test_what_is_no_expression_is_refused(text: str, named: str) -> None:
    with pytest.raises(BadExpression, match=named.replace("+", r"\+").replace("(", r"\(")):
        parse(text)


def test_numbers_in_sentences() -> None:
    names: dict[str, Value] = {
        "a": 0.125,
        "n": 3.0,
        "m": -0.004,
        "w": "bank",
        "t": True,
        "l": (1.0, "x"),
    }
    assert filled("{a} {a:3} {a%} {n} {m} {w} {t} {l}", names) == "0.13 0.125 13 % 3 0.00 bank yes 1, x"
    assert filled("{n:1}", {"n": -3.25}) == "−3.3"
    assert (
        filled("{n:,} {m:,} {k:,}", {"n": 30522.0, "m": -1234567.0, "k": 7.0}) == "30,522 −1,234,567 7"
    )
    assert filled("{n:,} {m:,}", {"n": 2.5, "m": -0.4}) == "3 0"  # the tab rounds like this
    assert filled("a={w}", names, lambda text: f"<{text}>") == "a=<bank>"
    near = {"z": 0.0, "t": 1e-6, "s": 0.004, "o": 1.0, "m": 0.9999, "u": 0.996, "n": -0.02}
    assert filled("{z%} {t%} {s%} {o%} {m%} {u%} {n%}", near) == (
        "0 % less than 0.1 % 0.4 % 100 % more than 99.9 % 99.6 % −2 %"
    )
    assert used_in("{a} {b%} {A} { c }") == {"a", "b"}
    assert written(1e300).startswith("1")
    for wrong in ("{w%}", "{t:2}", "{w:,}", "{nobody}"):
        with pytest.raises(BadExpression):
            filled(wrong, names)
