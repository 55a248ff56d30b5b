"""Numbers as people type them: none is taken for another, and what is none is none."""

from __future__ import annotations

import pytest

from core.untrusted import Kind, number


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        *((".5", 0.5), ("0,5", 0.5), ("50 %", 0.5), ("50%", 0.5), ("50\u00a0%", 0.5), ("5.e-1", None)),
        *(
            ("1", 1.0),
            ("−0.25", -0.25),
            ("–0,25", -0.25),
            ("12.5 %", 0.125),
            ("120 %", None),
            ("2", None),
        ),
        *(("", None), ("%", None), ("a half", None), ("1/2", None)),
    ],
)
def test_a_share_is_also_a_percentage_and_never_above_1(typed: str, value: float | None) -> None:
    assert number(typed, "share") == value


@pytest.mark.parametrize(("typed", "value"), [("7", 7.0), ("34,560", 34560.0), ("34 560", 34560.0)])
def test_a_count_has_groups_of_three_digits(typed: str, value: float) -> None:
    assert number(typed, "whole") == value


@pytest.mark.parametrize("typed", [".5", "0,5", "7.5", "50 %", "five", "1e3"])
def test_a_count_is_never_rounded(typed: str) -> None:
    assert number(typed, "whole") is None


@pytest.mark.parametrize("kind", ["number", "whole"])
def test_a_percentage_is_no_number_of_things(kind: Kind) -> None:
    assert number("50 %", kind) is None


def test_a_long_text_is_none_and_is_not_read() -> None:
    assert number("1" * 25) is None
    assert number(" " * 1_000_000) is None
