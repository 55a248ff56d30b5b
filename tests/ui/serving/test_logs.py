from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from ui.serving import logs

SECRET = "zymurgic"


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """The output of our handler, as JSON; the rest of the process stays unchanged."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs._Json())
    before: dict[str, int] = {}
    for name in ("polysee", "somebody.else"):
        logger = logging.getLogger(name)
        monkeypatch.setattr(logger, "handlers", [handler])
        monkeypatch.setattr(logger, "propagate", False)
        before[name] = logger.level
        logger.setLevel(logging.INFO)  # it also forgets what it knew of levels
    yield stream
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


def line(written: io.StringIO) -> dict[str, Any]:
    [only] = written.getvalue().splitlines()
    found: dict[str, Any] = json.loads(only)
    return found


def test_an_event_is_one_line_with_its_facts(written: io.StringIO) -> None:
    logs.event("model loaded", model="minilm", seconds=3.5)
    told = line(written)
    assert told.pop("time").endswith("Z")
    assert told == {"level": "info", "event": "model loaded", "model": "minilm", "seconds": 3.5}


def broken() -> None:
    try:
        raise KeyError(SECRET)
    except KeyError as error:
        raise ValueError(f"cannot read {SECRET}") from error


def test_of_an_error_kinds_and_places_are_told_and_no_message(written: io.StringIO) -> None:
    try:
        broken()
    except ValueError as error:
        logs.event("error", logging.ERROR, error, id="1a2b")
    told = line(written)
    assert told["error"] == "ValueError from KeyError"
    assert told["at"][-1].startswith("tests/ui/serving/test_logs.py:")
    assert told["at"][-1].endswith(" broken")
    assert SECRET not in written.getvalue()


@pytest.mark.parametrize(
    ("message", "arguments", "said"),
    [
        ("read %s", (SECRET,), "read …"),
        ("%d of %d bytes of %s", (2, 3, SECRET), "2 of 3 bytes of …"),
        ("one %(name)s", ({"name": SECRET},), "one %(name)s"),
        (f"first line\n{SECRET}", (), "first line"),
    ],
)
def test_of_others_only_constant_words_and_numbers(
    message: str, arguments: tuple[object, ...], said: str, written: io.StringIO
) -> None:
    logging.getLogger("somebody.else").warning(message, *arguments)
    told = line(written)
    assert (told["event"], told["from"]) == (said, "somebody.else")
    assert SECRET not in written.getvalue()


def test_a_message_that_cannot_be_filled_in_is_told_as_it_stands() -> None:
    record = logging.LogRecord("x", logging.INFO, __file__, 1, "too few %s %s", (SECRET,), None)
    assert logs.message(record) == "too few %s %s"


def test_a_formatter_for_people_says_the_same() -> None:
    record = logging.LogRecord("polysee", logging.INFO, __file__, 1, "start", (), None)
    record.facts = {"hub": "off"}
    assert logs._Text().format(record).endswith(" info start hub=off")
