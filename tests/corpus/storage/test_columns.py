from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from core.corpus.storage.columns import (
    as_kind,
    column_name,
    column_names,
    kind_of,
    value_name,
    value_of,
    wider,
)
from core.corpus.storage.filters import checked


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("Year", "year"),
        ("Publication date", "publication_date"),
        ("word", "word_"),
        ("vector_6", "vector_6_"),
        ("2nd", "column_2nd"),
        ("a'; DROP TABLE b --", "a_drop_table_b"),
        ("année", "année"),
        ("anne\u0301e", "année"),
        ("ＹＥＡＲ", "year"),
        ("编号", "编号"),
        ("例文 (一)", "例文_一"),
        ("ลำดับที่", "ลำดับที่".replace("ำ", "\u0e4d\u0e32")),
        ("뜻", "뜻"),
        ("हिन्दी", "हिन्दी"),
        ("İd", "i\u0307d"),
        ("٣ب", "column_٣ب"),
        ("🎣", "fishing_pole_and_fish"),
        ("%", "percent_sign"),
        ("", "column"),
        ("\ue000", "column"),
        ("null", "null_"),
    ],
)
def test_a_name_keeps_the_letters_of_its_script(given: str, name: str) -> None:
    assert column_name(given) == name
    assert column_name(name) == name or name.endswith("_")


GIVEN = (
    *("编号", "句子的", "番号", "ลำดับที่", "뜻", "année", "straße", "ёлка", "हिन्दी", "नाम"),
    *("İd", "مَعنى", "🎣", "%"),
    *("Order", "group", "not", "null", "true", "false", "interval", "select", "exists", "trim", "with"),
    *("current_date", "current_time", "current_timestamp", "case", "date", "from", "in", "2nd", "#"),
)  # fmt: skip


def test_every_column_can_be_named_in_a_filter(tmp_path: Path) -> None:
    """Without quotes, in any normal form, and beside a text that looks alike."""
    import lancedb

    names = column_names(GIVEN)
    rows = pa.table({name: [1, 2, 3] for name in names} | {"source": ["a", names[3], "c"]})
    table = lancedb.connect(tmp_path).create_table("words", rows)
    for name in names:
        assert table.count_rows(checked(table, f"{name} >= 2 AND NOT ({name} = 3)")) == 1
    given = "ลำดับที่"
    assert table.count_rows(checked(table, f"{given}>1")) == 2
    assert table.count_rows(checked(table, f"`{names[3]}` = 2 AND source = '{names[3]}'")) == 1


def test_two_columns_never_have_one_name() -> None:
    assert column_names(["Year", "year", "YEAR "]) == ("year", "year_2", "year_3")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("1990", "int"),
        ("-3", "int"),
        ("0", "int"),
        ("007", "text"),
        ("1.5", "float"),
        ("1e5", "text"),
        ("nan", "text"),
        ("1_000", "text"),
        ("12345678901234567890", "float"),
        ("letters", "text"),
        (7, "int"),
        (1.5, "float"),
        (None, None),
    ],
)
def test_the_kind_of_a_value(value: str | int | float | None, kind: str | None) -> None:
    assert kind_of(value) == kind


def test_a_column_takes_the_widest_kind_of_its_values() -> None:
    assert wider(None, "int") == "int"
    assert wider("float", "int") == "float"
    assert wider("int", "text") == "text"
    assert [as_kind(value, "float") for value in ("1", "1.5", None)] == [1.0, 1.5, None]
    assert as_kind(1990, "text") == "1990"
    with pytest.raises(ValueError, match="no number"):
        as_kind("unknown", "int")


def test_what_a_column_cannot_hold_is_nothing() -> None:
    assert [value_of(one) for one in (["a"], {"a": 1}, float("inf"), "  ", None)] == [None] * 5
    assert value_of(True) == "true"
    assert value_of(2**70) == str(2**70)


def test_a_value_is_named_as_a_person_writes_it() -> None:
    assert [*map(value_name, (1990.0, 0.1, -3, "diary"))] == ["1990", "0.1", "-3", "diary"]
    assert value_name(19990101.0) != value_name(19990102.0)  # six digits would make them one
