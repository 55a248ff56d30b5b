"""The catalogue that a page brings for its JavaScript."""

from __future__ import annotations

import json

import pytest

from core.localization import browser, gettext, spoken


def test_english_needs_none() -> None:
    assert browser.content("en") == b"null"
    assert browser.of("ui/page/transformer_map/map.js") == {}
    with pytest.raises(ValueError, match="xx"):
        browser.content("xx")


def test_it_has_what_scripts_say_and_how_counts_and_numbers_are_written() -> None:
    made = json.loads(browser.content("de"))
    assert (made["language"], made["decimal"], made["group"]) == ("de", ",", "\u202f")
    assert len(made["forms"]) == 200
    assert [int(made["forms"][count]) for count in (0, 1, 2, 101)] == [1, 0, 1, 1]
    with spoken("de"):
        for english in ("no position yet", "sides with"):  # of a script, and of the shared table
            assert made["messages"][english] == gettext(english) != english
    assert "Reveal" not in made["messages"]  # Python's alone
    one = "{count} more group in the table"
    assert made["messages"][one] == [
        "{count} weitere Gruppe in der Tabelle",
        "{count} weitere Gruppen in der Tabelle",
    ]


def test_a_component_may_take_its_own_messages_alone() -> None:
    with spoken("de"):
        words = browser.of("ui/page/transformer_map/map.js")
    assert words["layers"] == "Schichten"
    assert "no position yet" not in words
