from __future__ import annotations

import pytest

from core.corpus.storage.columns import as_kind, column_name, column_names, kind_of, value_of, wider


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("Year", "year"),
        ("Publication date", "publication_date"),
        ("word", "word_"),
        ("vector_6", "vector_6_"),
        ("2nd", "column_2nd"),
        ("a'; DROP TABLE b --", "a_drop_table_b"),
        ("année", "ann_e"),
        ("🎣", "column"),
    ],
)
def test_a_name_needs_no_quotes_in_a_filter(given: str, name: str) -> None:
    assert column_name(given) == name


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
