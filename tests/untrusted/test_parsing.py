"""JSON of strangers: what is read, and what is refused before anything walks it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.untrusted import MOST_DEPTH, NotJson, parse, read

NESTED = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=20,
)


@given(NESTED, st.booleans())
def test_what_python_writes_comes_back(value: object, as_ascii: bool) -> None:
    text = json.dumps(value, ensure_ascii=as_ascii)
    assert parse(text) == value
    assert parse(text.encode(), unique=True) == value
    assert parse(b"\xef\xbb\xbf" + text.encode()) == value  # the mark that Windows writes


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":', '[[0],{"b":[],"a":'])
@pytest.mark.parametrize("levels", [MOST_DEPTH + 1, 900, 100_000])
def test_too_deep(opening: str, levels: int) -> None:
    closing = {"[": "]", '{"a":': "}", '[{"a":': "}]", '[[0],{"b":[],"a":': "}]"}[opening]
    with pytest.raises(NotJson, match=str(MOST_DEPTH)):
        parse(opening * levels + "1" + closing * levels)
    n = MOST_DEPTH // len(closing) - 1
    assert parse(opening * n + "1" + closing * n)


UNREADABLE = ["", "{", "nul", "[1,]", '{"a" 1}', "'a'", "\x00", "[1] 2", '"\t"', "9" * 400]
UNREADABLE += ["-" + "9" * 5_000, "1e999", "NaN", "[-Infinity]", '"\\ud800"', '{"\\udfff": 1}']
UNREADABLE += ['["\\ude00\\ud83d"]', '{"a": 1, "a": 2}']


@pytest.mark.parametrize("text", UNREADABLE)
def test_what_nothing_behind_it_survives(text: str) -> None:
    with pytest.raises(NotJson) as error:
        parse(text, unique=True)
    assert len(str(error.value)) < 120  # a clause, whatever it quotes
    str(error.value).encode("utf-8")


def test_bytes_that_are_no_text() -> None:
    for data in (b"\xff[1]", b"\xff\xfe[\x001\x00]", b'"\xed\xa0\x80"'):
        with pytest.raises(NotJson, match="UTF-8"):
            parse(data)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_what_windows_writes(encoding: str) -> None:
    assert parse('["é", 1]'.encode(encoding)) == ["é", 1]


def test_half_characters_for_whoever_replaces_them() -> None:
    assert parse('"\\ud800"', halves=True) == "\ud800"


def test_half_characters_that_belong_together() -> None:
    assert parse('"\\ud83d\\ude00 \\\\ud800"') == "😀 \\ud800"


def test_numbers_of_other_programs() -> None:
    assert parse("[Infinity, 1e999]", finite=False) == [float("inf")] * 2
    assert (
        parse("1000000000000000019884624838656") == 10**30 + 19884624838656
    )  # of every BERT tokenizer


def test_its_size(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    with file.open("wb") as stream:
        stream.truncate(3_000_000_000)  # sparse: it takes no disk
    with pytest.raises(NotJson, match="3,000,000,000"):
        read(file)
    file.write_text("[1]")
    assert read(file, most_bytes=3) == [1]
    for text in ("[12]", b"[12]"):
        with pytest.raises(NotJson, match="4 bytes"):
            parse(text, most_bytes=3)
    with pytest.raises(OSError):  # noqa: PT011
        read(tmp_path)
