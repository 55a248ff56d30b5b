"""Whether the answer to a step is shown: one state for card, picture, presenter and wall."""

from __future__ import annotations

from core.lessons import Choice, Number, Value
from core.untrusted import number as typed_number
from ui.session import SessionValue
from ui.state import LESSON, Place


def predicted(place: Place) -> SessionValue[Value | None]:
    """The prediction with which a step was revealed; None for a reveal without one, and before."""
    return SessionValue(f"lesson revealed {place}", None)


def choice(place: Place) -> SessionValue[int | None]:
    """Which of the answers is chosen on the card, from 0; None for none."""
    return SessionValue(f"lesson choice {place}", None)


def number(place: Place) -> SessionValue[str]:
    """What is typed on the card where it asks for a number."""
    return SessionValue(f"lesson number {place}", "")


def given(place: Place) -> Value | None:
    """The prediction on the card: the place of a choice, or a number; None for a click or none."""
    kind = place.its_step.prediction
    if isinstance(kind, Number):
        return typed_number(number(place).get(), kind.kind)
    at = choice(place).get() if isinstance(kind, Choice) else None
    return None if at is None else float(at)


def is_shown(place: Place) -> bool:
    """Whether the answer is shown."""
    return _shown(place).get()


def is_hidden(part: str) -> bool:
    """Whether the step that is open covers a part of its page until it is revealed, or leaves it out.

    Args:
        part: its name, as a lesson's `covers` has it.
    """
    place = LESSON.get()
    if place is None:
        return False
    step = place.its_step
    covers = () if place.lesson.is_route or is_shown(place) else step.covers
    return part in (*covers, *step.hides)


def waits() -> bool:
    """Whether the step that is open still waits for its prediction: its page then gives no hint."""
    place = LESSON.get()
    return place is not None and not place.lesson.is_route and not is_shown(place)


def answered() -> bool:
    """Whether the step that is open has its answer: its page then shows what the answer is about."""
    place = LESSON.get()
    return place is not None and not place.lesson.is_route and is_shown(place)


def show(place: Place, value: Value | None) -> None:
    """Show the answer, beside the prediction if there is one; in a callback."""
    predicted(place).set(value)
    _shown(place).set(True)


def cover(place: Place) -> None:
    """Hide the answer again; what was predicted stays on the card. In a callback."""
    predicted(place).set(None)
    _shown(place).set(False)


def _shown(place: Place) -> SessionValue[bool]:
    return SessionValue(f"lesson shown {place}", False)
