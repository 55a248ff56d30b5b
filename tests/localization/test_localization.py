"""The language of a context, its messages and its numbers; German is the language that there is."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import pytest

from core import localization
from core.lessons.expressions import Value, filled
from core.localization import decimal, gettext, ngettext, pgettext, spoken
from core.localization.catalogues import catalogue


def test_each_language_is_named_in_itself() -> None:
    named = {one.code: one.name for one in localization.languages()}
    assert named["en"] == "English"
    assert named["de"] == "Deutsch"


def test_a_message_is_in_the_language_of_the_context() -> None:
    assert gettext("Reveal") == "Reveal"
    with spoken("de"):
        assert gettext("Reveal") == "Aufdecken"
        assert gettext("no such message") == "no such message"
        assert gettext("") == ""  # the head of the catalogue is no message
        with spoken("en"):
            assert gettext("Reveal") == "Reveal"
        assert gettext("Reveal") == "Aufdecken"
    assert gettext("Reveal") == "Reveal"


def test_a_count_has_the_form_of_the_language() -> None:
    def said(count: int) -> str:
        return ngettext("{count} step", "{count} steps", count).format(count=count)

    assert [said(one) for one in (0, 1, 2)] == ["0 steps", "1 step", "2 steps"]
    with spoken("de"):
        assert [said(one) for one in (0, 1, 2)] == ["0 Schritte", "1 Schritt", "2 Schritte"]


def test_one_word_may_mean_two_things() -> None:
    assert pgettext("of answers", "key") == "key"
    with spoken("de"):
        assert pgettext("of answers", "key") != gettext("key")


@pytest.mark.parametrize(
    ("code", "written", "shown"),
    [
        ("en", "−1,234.50", "−1,234.50"),
        ("de", "−1,234.50", "−1\u202f234,50"),
        ("de", "97.3 %", "97,3 %"),
        ("de", "30,522", "30\u202f522"),
    ],
)
def test_a_number_is_written_as_in_the_language(code: str, written: str, shown: str) -> None:
    with spoken(code):
        assert decimal(written) == shown


def test_a_lesson_fills_in_numbers_of_its_language_and_leaves_texts_alone() -> None:
    names: dict[str, Value] = {
        "share": 0.478,
        "rows": 30522.0,
        "part": 0.0004,
        "a": "It is 0.5, or 1,000.",
    }
    template = "{share} {share%} {rows:,} {part%} {a}"
    assert filled(template, names) == "0.48 48 % 30,522 less than 0.1 % It is 0.5, or 1,000."
    with spoken("de"):
        german = "0,48 48 % 30\u202f522 weniger als 0,1 % It is 0.5, or 1,000."
        assert filled(template, names) == german


@pytest.mark.parametrize(
    ("accepted", "code"),
    [
        ("de-AT", "de"),
        ("de-DE,de;q=0.9,en;q=0.8", "de"),
        ("en-GB,de;q=0.9", "en"),
        ("fr,de;q=0.5,en;q=0.7", "en"),
        ("fr,de;q=0.8,en;q=0.7", "de"),
        ("fr-FR", "en"),
        ("de;q=0", "en"),
        ("*", "en"),
        ("", "en"),
        (None, "en"),
        ("de;q=many,;;,,-,xx-yy-zz", "en"),
        ("x" * 9_000, "en"),
    ],
)
def test_a_browser_gets_the_language_that_it_prefers(accepted: str | None, code: str) -> None:
    assert localization.preferred(accepted) == code


def test_two_contexts_do_not_hear_each_other() -> None:
    def said(code: str) -> str:
        localization.use(code)
        return gettext("Reveal")

    with ThreadPoolExecutor(2) as threads:
        both = [threads.submit(copy_context().run, said, code) for code in ("de", "en")]
        assert [one.result() for one in both] == ["Aufdecken", "Reveal"]
    assert localization.current() == "en"


def test_there_is_no_other_language() -> None:
    for code in ("xx", "../de", "DE"):
        with pytest.raises(ValueError, match=code):
            localization.use(code)
        with pytest.raises(ValueError, match=code):
            catalogue(code)
