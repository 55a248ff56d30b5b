"""An error says the same in the language of a screen; to a program, it is English."""

from __future__ import annotations

import pickle
from pathlib import Path

from core.errors import Filled, ModelBroken, NotSupported, TooLarge, without_paths
from core.localization import said, spoken
from ui import text

LARGE = TooLarge(
    "Reading these {tokens} tokens would take {count:.0f} MB, and the limit is {trace_bytes:.0f} MB "
    "(POLYSEE_TRACE_MB). Shorten the text.",
    tokens=700,
    count=1234.5,
    trace_bytes=64.0,
)


def test_a_program_reads_english_and_a_screen_its_language() -> None:
    assert str(LARGE).startswith("Reading these 700 tokens would take 1234 MB")
    with spoken("de"):
        assert str(LARGE).startswith("Reading")
        assert said(LARGE).startswith("Diese 700 Tokens zu lesen würde 1234 MB brauchen")
    assert said(LARGE) == str(LARGE)


def test_what_comes_from_another_process_can_be_said_too() -> None:
    with spoken("de"):
        assert said(pickle.loads(pickle.dumps(LARGE))) == said(LARGE)


def test_a_message_in_a_message_is_said_as_well_and_a_number_has_its_decimal_sign() -> None:
    advice = Filled("Put a complete copy of the model into {folder}.", folder=Path("/srv/models/own"))
    error = ModelBroken(
        "The {file} of “{name}” is damaged: {in_short} {advice}",
        **{"file": "config.json", "name": "own", "in_short": "x.", "advice": advice},
    )
    rate = NotSupported(
        "The learning rate is {value:g}; it must be from {least:g} to {most:g}.",
        value=2.5,
        least=0.001,
        most=1,
    )
    with spoken("de"):
        assert text.of_error(error) == text.of_error(type(error)(without_paths(error.args[0])))
        assert "Lege eine vollständige Kopie des Modells in own" in said(without_paths(error.args[0]))
        assert "2,5" in said(rate)


def test_a_message_without_values_is_looked_up_as_it_is() -> None:
    with spoken("de"):
        assert said(NotSupported("The text has no [MASK].")) == "Der Text hat kein [MASK]."
        assert said(NotSupported("no such message")) == "no such message"
