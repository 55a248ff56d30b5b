"""How values stand in links: what each format takes, and that its text comes back."""

from __future__ import annotations

from typing import Any

import pytest

from ui import formats
from ui.formats import AsText, Counted, Dotted, Either, Listed, Maybe, Name, Real, Switch, Whole, Words

HEAD = Either("mean", -1, Counted(12))
GOOD: tuple[tuple[formats.Parser[Any], str, Any], ...] = (
    (Whole(0, 9), "7", 7),
    (Whole(-9, 9), "-7", -7),
    (Real(0, 1), "0.35", 0.35),
    (Real(0, 1), "0.00001", 1e-5),
    (Words(("a", "")), "", ""),
    (Switch(), "1", True),
    (Name(), "all minilm", "all minilm"),
    (Counted(12), "12", 11),
    (HEAD, "mean", -1),
    (HEAD, "3", 2),
    (Listed(HEAD, "none"), "1.mean", (0, -1)),
    (Listed(HEAD, "none"), "none", ()),
    (Listed(Listed(Whole(0, 9), "_"), between="_", most=2), "1.2_3", ((1, 2), (3,))),
    (Dotted((Whole(0, 359), Whole(-90, 90))), "34.-20", (34, -20)),
    (Maybe(Whole(1, 2)), "", None),
    (AsText(Either("mean", "mean", Whole(0, 999))), "12", "12"),
)
OTHERWISE: tuple[tuple[formats.Parser[Any], str, str], ...] = (
    (Whole(0, 9), "007", "7"),
    (Real(0, 1), "1.", "1"),
    (Real(0, 1), ".5e-1", "0.05"),
    (Real(0, 1), "-0", "0"),
    (Name(), " all \n minilm", "all minilm"),
    (AsText(Whole(0, 999)), "012", "12"),
)
BAD: tuple[tuple[formats.Parser[Any], str], ...] = (
    *(
        (Whole(0, 99), one)
        for one in ("", "+3", " 3", "1_0", "٣", "²", "0x1", "1.0", "1e1", "0" * 16, "-1")
    ),
    *(
        (Real(0, 1), one)
        for one in ("", "+.5", " .5", "1_0e-2", "٣", "0x1", "inf", "nan", "1e999", ".", "1.1")
    ),
    (Words(("a",)), "b"),
    (Switch(), "2"),
    (Name(), "\u200b \n"),
    (Counted(12), "0"),
    (HEAD, "13"),
    (Listed(HEAD, "none"), "1..2"),
    (Listed(Listed(Whole(0, 9), "_"), between="_", most=2), "1_2_3"),
    (Listed(Listed(Whole(0, 9), "_"), between="_", most=2), "1__2"),
    (Listed(HEAD, "none"), ""),
    (Dotted((Whole(0, 9), Whole(0, 9))), "1"),
    (Dotted((Whole(0, 9), Whole(0, 9))), "1.2.3"),
    (Maybe(Whole(1, 2)), "3"),
)


@pytest.mark.parametrize(("parse", "text", "value"), GOOD)
def test_a_value_comes_back_from_its_text(parse: formats.Parser[Any], text: str, value: Any) -> None:
    assert parse(text) == value
    assert type(parse(text)) is type(value)
    assert formats.writer(parse)(value) == text


@pytest.mark.parametrize(("parse", "text", "again"), OTHERWISE)
def test_a_text_of_ones_own_becomes_the_usual_one(
    parse: formats.Parser[Any], text: str, again: str
) -> None:
    assert formats.writer(parse)(parse(text)) == again


@pytest.mark.parametrize(("parse", "text"), BAD)
def test_what_is_no_value_is_refused(parse: formats.Parser[Any], text: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        parse(text)


def test_a_parser_that_is_no_format_keeps_its_text() -> None:
    assert formats.described(str) == {"kind": "text"}
    assert formats.writer(str)(True) == "1"
