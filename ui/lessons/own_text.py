"""The last step of a lesson: a text of the visitor's own, which the step's page and its answer take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar

import streamlit as st

from core.errors import PolyseeError
from core.lessons import Step
from core.lessons.expressions import filled
from core.localization import _
from ui import permalink, text
from ui.session import SessionValue
from ui.state import MODEL, Choice, Field, Place
from ui.state import text as text_box

P = ParamSpec("P")
T = TypeVar("T")

MOST = 400  # letters of a text
MOST_TOLD = 240  # of a reason: a model of few words names all of them


def box(place: Place, fields: permalink.Fields, changed: Callable[[], None]) -> None:
    """A box for the text; a new one comes into the fields of the page that show it.

    Args:
        place: the step.
        fields: those of the page.
        changed: called when there is another text.
    """
    typed = _typed(place)
    on_page = _on_page(place.its_step, fields)
    if (
        on_page is not None
        and not _refused(place).get()  # it may have been typed on the page
        and on_page.strip() != typed.get().strip()  # the lesson's own may be typed as well
    ):
        typed.set("" if on_page in _examples(place) else on_page)

    def take() -> None:
        _refused(place).set(not _put(place, fields))
        changed()

    text_box(
        typed,
        _("Your own text"),
        most=MOST,
        follows=False,
        placeholder=_("Your own, then Enter"),
        named=False,
        changed=take,
    )


def with_own(place: Place, texts: Mapping[str, str]) -> Mapping[str, str]:
    """The texts of a lesson with the visitor's own among them.

    Args:
        place: the step.
        texts: the texts as the page has them.
    """
    step, typed = place.its_step, _typed(place).get()
    if not step.own or not typed.strip():
        return texts
    if _key(step) is not None and not _refused(place).get():
        return texts
    return {**texts, step.own: typed}


def missing(place: Place, texts: Mapping[str, str]) -> str:
    """What a visitor has to type first; "" if nothing is missing, or the step has no own text."""
    own = place.its_step.own
    if not own or _typed(place).get().strip():
        return ""
    if not texts[own].strip() or texts[own] in _examples(place):
        return _("Type a text of your own in the box first, and press Enter.")
    return ""


def attempt(ask: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
    """The result; or None, with a reason that does not read like a fault: anything may be typed."""
    try:
        return ask(*args, **kwargs)
    except PolyseeError as error:
        why = text.of_error(error)
        short = why if len(why) <= MOST_TOLD else f"{why[: MOST_TOLD - 1].rstrip()}…"
        said = _("The model has no answer for this text. {why} Try another one.")
        st.info(said.format(why=short))
        return None


def _typed(place: Place) -> SessionValue[str]:
    return SessionValue(f"lesson own {place}", "")


def _refused(place: Place) -> SessionValue[bool]:
    """Whether the page did not take the text, such as a word where it needs a number."""
    return SessionValue(f"lesson own refused {place}", False)


def _examples(place: Place) -> tuple[str, ...]:
    """The texts that the lesson itself has there."""
    lesson, own = place.lesson, place.its_step.own
    return lesson.texts[own], lesson.with_second()[own]


def _key(step: Step) -> str | None:
    """The key in the link of the step that has this text and nothing else."""
    return next((key for key, value in step.state if value == f"{{{step.own}}}"), None)


def _is_of_text(one: Field[Any]) -> bool:
    """Whether a choice on the page may name words or tokens of its text."""
    chosen = isinstance(one.default, str | tuple) and not isinstance(one, Choice)
    return chosen and one.scope == "page" and not one.stays and one.url != MODEL.url


def _as_opened(one: Field[Any]) -> Any:
    return one.default if one.default_in_link is None else one.default_in_link


def _on_page(step: Step, fields: permalink.Fields) -> str | None:
    key = _key(step)
    found = next((one for one in fields if one.url == key), None)
    return None if found is None else str(found.write(found.get()))


def _put(place: Place, fields: permalink.Fields) -> bool:
    """Set the fields of the page whose value contains the text; False if one does not take it."""
    step, own = place.its_step, place.lesson.with_second() if place.second else place.lesson.texts
    typed = _typed(place).get().strip()
    texts = {**own, step.own: typed or own[step.own]}
    # What was chosen for the text before, such as one of its words, goes with it.
    named = {key for key, _value in step.state}
    values = {one: _as_opened(one) for one in fields if _is_of_text(one) and one.url not in named}
    for key, value in step.state:
        field = next((one for one in fields if one.url == key), None)
        if field is None or f"{{{step.own}}}" not in value:
            continue
        try:
            values[field] = field.parse(filled(value, texts))
        except (ValueError, KeyError):
            return False
    permalink.assign(values)
    return True
