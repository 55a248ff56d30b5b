"""The route: six scenes over live pages that say in two minutes what the app does.

It is a lesson whose steps ask nothing (`core.lessons`), with a card of its own: a sentence with the
numbers of what the page shows, and one click to the next scene.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from core.errors import PolyseeError
from core.lessons import keys, readable, route
from core.localization import _, ngettext
from ui import navigation, permalink, text
from ui.lessons import parts, step_links
from ui.models import lesson_records
from ui.models.attempt import attempt
from ui.page import terms, try_this_view
from ui.session import SessionValue
from ui.state import LESSON, MODEL, Place

_HERE = Path(__file__).parent
# Registered once a process, when this module is imported: a second registration would win for all.
_COMPONENT = st.components.v2.component(
    "polysee_route",
    css=(_HERE / "route.css").read_text("utf-8"),
    js=(_HERE / "route.js").read_text("utf-8"),
    isolate_styles=False,
)
_OWN = SessionValue("route own sentences", 0)  # how often the route led to a sentence of one's own


def scene() -> str:
    """The scene that a visitor is at; "" outside of the route."""
    place = LESSON.get()
    return str(place) if place is not None and place.lesson.is_route else ""


def first() -> Place | None:
    """The first scene; None if there is no route."""
    found = route()
    return None if found is None else Place(found.name, 1)


def start(key: str, fields: permalink.Fields, page: str, *, beside: bool = False) -> None:
    """A button that begins the route; nothing if there is none.

    Args:
        key: the first part of its name.
        fields: those of the page.
        page: its address.
        beside: whether it stands among others beside the page, and not alone below its headline.
    """
    if (place := first()) is None:
        return
    if beside:
        step_links.button(_label(place), key, place, fields, page, kind="tertiary")
    else:
        icon = ":material/play_circle:"
        step_links.button(_label(place), key, place, fields, page, kind="primary", icon=icon)


def link() -> None:
    """A link to the route from another page than that of its first scene."""
    if (place := first()) is not None:
        step_links.link(place, _label(place))


def _label(place: Place) -> str:
    minutes = place.lesson.minutes
    said = ngettext("**{title}** {count} minute", "**{title}** {count} minutes", minutes)
    return said.format(title=text.plain(place.lesson.title), count=minutes)


def show(place: Place, fields: permalink.Fields, page: str) -> None:
    """Draw the card of a scene above its page.

    Args:
        place: the scene.
        fields: those of the page.
        page: its address.
    """
    scene, of = place.its_step, len(place.lesson.steps)
    here = scene.page == page
    with st.container(border=True, key="route"):
        left, right = st.columns([5, 2], gap="medium", vertical_alignment="center")
        with left, st.container(key="route-words", gap="xxsmall"):
            title = text.plain(place.lesson.title)
            said = _("**{title}** {number} of {count}: {scene}")
            shown = text.plain(scene.title)
            st.markdown(said.format(title=title, number=place.step, count=of, scene=shown))
            if here:
                _say(place, fields)
            else:
                st.markdown(_("This scene belongs to another page."))
        with right:
            focus = _ways(place, fields, page).translate(_AS_CLASS)
        data = {"do": "scene", "scene": f"{page} {place}", "focus": focus}
        _COMPONENT(key="route-card", data=data, height="content")
    if here:
        st.html(_frame(scene.covers) + parts.left_out(scene.hides))
        try_this_view.bring(scene.covers[0] if scene.covers else "", scene=str(place))


_AS_CLASS = str.maketrans(" .", "--")  # a key as Streamlit makes a class of it


def _frame(names: tuple[str, ...]) -> str:
    """The style that frames what the scene is about."""
    if not names:
        return ""
    places = parts.selector(names)
    return (
        f"<style>:is({places}) {{outline: 2px solid light-dark(#3B6EA8, #7FB2E5); "
        "outline-offset: .15rem; border-radius: .3rem;}</style>"
    )


def present(place: Place, fields: permalink.Fields, page: str) -> None:
    """Draw the words of a scene in front of a class."""
    st.markdown(f"## {text.plain(place.its_step.title)}")
    if place.its_step.page == page:
        _say(place, fields)


def _say(place: Place, fields: permalink.Fields) -> None:
    """The sentence of a scene, with the numbers of what the page shows."""
    scene, own = place.its_step, place.lesson.texts
    texts = keys.texts_on(place.lesson, scene, step_links.on_page(fields), own)
    model = scene.model
    if lesson_records.is_text_model(model) and MODEL in fields:
        model = MODEL.get() or model
    note = "" if model == scene.model else _of_numbers(model)
    with st.spinner(_("The model computes …"), show_time=False):
        try:
            said: str | None = _sentence(place, model, texts)
        except PolyseeError:  # a text without the scene's words, or a model without its head
            note = _("These are the numbers of the scene’s own sentence in {model}.")
            note = note.format(model=_called(scene.model))
            said = attempt(_sentence, place, scene.model, own)
    if said is None:
        return
    terms.begin(said)
    st.markdown(terms.linked(said))
    if note:
        st.caption(note)


def _of_numbers(model: str) -> str:
    return _("These are the numbers of {model}.").format(model=_called(model))


def _called(model: str) -> str:
    return text.plain(lesson_records.called(model))


def _sentence(place: Place, model: str, texts: Mapping[str, str]) -> str:
    of_page = tuple(sorted(texts.items()))
    return lesson_records.answer_of(place.name, place.step - 1, model, of_page).reveal


def _ways(place: Place, fields: permalink.Fields, page: str) -> str:
    """Back and next; after the last scene, what comes then; and the way out.

    Returns:
        The key of the button that leads on.
    """
    before, after = (place._replace(step=place.step + by) for by in (-1, 1))
    here, last = place.its_step.page == page, place.step == len(place.lesson.steps)
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="route-ways"):
        if not here:
            first_one = f"route-again {place}"
            step_links.button(
                _("Back to this scene"), "route-again", place, fields, page, kind="primary"
            )
        else:
            if place.step > 1:
                step_links.button(_("← Back"), "route-back", before, fields, page)
            if last:
                first_one = "route-own"
                _then(place, fields, page)
            else:
                first_one = f"route-next {after}"
                step_links.button(_("Next →"), "route-next", after, fields, page, kind="primary")
        st.button(_("Leave"), key="route-leave", type="tertiary", on_click=LESSON.set, args=(None,))
    return first_one


def _then(place: Place, fields: permalink.Fields, page: str) -> None:
    """What may follow the last scene."""
    if st.button(_("Now your own sentence"), key="route-own", type="primary"):
        _OWN.set(_OWN.get() + 1)
        step_links.go_to(navigation.HOME, permalink.VERSION)
    step_links.button(_("Replay"), "route-replay", place._replace(step=1), fields, page)
    if readable()[0] and st.button(_("Take a lesson"), key="route-lesson"):
        step_links.go_to("lessons", permalink.VERSION)


def led_here() -> bool:
    """Whether the route has led to a sentence of one's own."""
    return _OWN.get() > 0


def caret(control: str) -> None:
    """Puts the caret into a text box, once, if the route has led to it.

    Args:
        control: the name of the box.
    """
    if count := _OWN.get():
        data = {"do": "own", "box": control, "own": count}
        _COMPONENT(key="route-caret", data=data, height="content")
