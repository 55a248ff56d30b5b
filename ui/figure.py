"""The pictures of `core.figures` as components of a page."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from core.figures import Picture, web
from ui import permalink, picture_events
from ui.serving import border

# The picture brings a shadow of its own; `render` is the module's.
_ADAPTER = """
export default ({ data, parentElement, setTriggerValue }) => {
  parentElement.querySelector(".room")?.remove();
  return render(parentElement, data, (name, value) => setTriggerValue(name, value));
};
"""
# Pictures that choose their own height by what they show; until they do, this much is kept free.
_OWN_HEIGHT = {
    module: f'<div class="room" style="height:{pixels}px"></div>'
    for module, pixels in (
        ("layer", 420),
        ("overview", 610),
        ("working", 420),
        ("trajectory", 430),
    )
}
# Registered once a process, when this module is imported: a second registration would win for all.
_COMPONENTS = {
    module: st.components.v2.component(
        f"polysee_{module}",
        html=_OWN_HEIGHT.get(module),
        js=web.code(module) + _ADAPTER,
        isolate_styles=False,
    )
    for module in web.MODULES
}


class Cell(NamedTuple):
    """A cell that a visitor chose."""

    row: int
    column: int


class Head(NamedTuple):
    """A head that a visitor chose, counted from 0."""

    layer: int
    head: int


def show(
    picture: Picture,
    key: str,
    *,
    on_cell: Callable[[Cell], None] | None = None,
    on_depth: Callable[[int], None] | None = None,
    on_head: Callable[[Head], None] | None = None,
    on_bar: Callable[[int], None] | None = None,
    on_state: Callable[[Mapping[str, Any]], None] | None = None,
    scale: float = 1.0,
    address: Mapping[str, Any] | None = None,
) -> None:
    """Draw a picture in its place; its height is kept free before it is drawn.

    What a visitor does reaches the server only where the page gives a function for it, which is called
    before the page runs again.

    Args:
        picture: what to draw.
        key: its name on the page; with the same name, new numbers are painted into the same place.
        on_cell: called with the cell that a visitor clicks, or chooses with Enter.
        on_depth: called with the depth, from 0, that a visitor has moved the picture's slider to.
        on_head: called with the head that a visitor clicks, or chooses with Enter.
        on_bar: called with the row, from 0, of a bar that a visitor clicks, or chooses with Enter.
        on_state: called with what a visitor has chosen inside the picture, as its `state` takes it.
            All of these came from a browser, and were checked (`ui.picture_events`); but a place in a
            state may be beyond the text.
        scale: how much higher than usual it is to be, where the page's letters are larger.
        address: see `permalink.address`. A picture of a layer then writes what is chosen into the URL
            by itself, and `on_state` is called when the visitor leaves the picture.
    """
    acts: dict[str, tuple[picture_events.Schema, Callable[[dict[str, Any]], None]]] = {}
    header = picture.header
    if on_cell is not None:
        size = len(header["rows"]), len(header["columns"])
        acts["cell"] = picture_events.cell(*size), lambda sent: on_cell(Cell(**sent))
    if on_depth is not None:
        acts["depth"] = picture_events.depth(len(header["steps"])), lambda sent: on_depth(sent["depth"])
    if on_head is not None:
        grid = len(header["layers"]), int(header["heads"])
        acts["head"] = picture_events.head(*grid), lambda sent: on_head(Head(**sent))
    if on_bar is not None:
        acts["bar"] = picture_events.bar(len(header["labels"])), lambda sent: on_bar(sent["index"])
    if on_state is not None:

        def chosen(sent: dict[str, Any]) -> None:
            on_state(sent)
            _told(key, sent)

        acts["state"] = picture_events.STATES[picture.module], chosen

    def heard(event: str) -> None:
        schema, handler = acts[event]
        border.pass_on(schema, st.session_state[key][event], handler)

    callbacks: dict[str, Any] = {f"on_{event}_change": partial(heard, event) for event in acts}
    if scale != 1:
        picture = picture.scaled(scale)
    if on_state is not None:
        picture = _as_begun(picture, key)
    if address is not None:
        picture = Picture(picture.module, {**picture.header, "address": address}, picture.payload)
    _COMPONENTS[picture.module](
        key=key,
        data=picture.to_bytes(events=tuple(acts)),
        height="content" if picture.module in _OWN_HEIGHT else picture.height,
        **callbacks,
    )


def show_apart(
    picture: Picture,
    key: str,
    *,
    on_depth: Callable[[int], None],
    on_wanted: Callable[[], None],
) -> None:
    """Draw a picture whose data and choices come apart, so that other choices send no data again.

    Args:
        picture: what to draw; its header holds `choices`, all else in it is data.
        key: its name on the page.
        on_depth: called with the layer that a visitor has moved the picture to, 0 for none.
        on_wanted: called once when it has drawn what it has, and asks for the rest of its numbers.
    """
    acts: dict[str, tuple[picture_events.Schema, Callable[[dict[str, Any]], None]]] = {
        "depth": (
            picture_events.depth(int(picture.header["layers"]) + 1),
            lambda sent: on_depth(sent["depth"]),
        ),
        "wanted": (picture_events.WANTED, lambda sent: on_wanted()),
    }

    def heard(event: str) -> None:
        schema, handler = acts[event]
        border.pass_on(schema, st.session_state[key][event], handler)

    sent = json.loads(json.dumps(dict(picture.header), default=dict, allow_nan=False))
    choices = sent.pop("choices")
    callbacks: dict[str, Any] = {f"on_{event}_change": partial(heard, event) for event in acts}
    _COMPONENTS[picture.module](
        key=key,
        data={"data": {**sent, "events": list(acts)}, "choices": choices},
        height="content",
        **callbacks,
    )


class _Begun(NamedTuple):
    """What a picture was sent, and how often anew; what the page wants, and what the picture shows.

    Attributes:
        sent: the state in the header of its bytes.
        turn: how often another state was sent than the one that a visitor chose.
        wanted: the state that the page asked for last.
        shows: what a visitor has chosen in it since.
        follows: whether it changes by itself to what the page will ask for next.
        link: how many links this visitor had followed by then.
    """

    sent: Mapping[str, Any] | None = None
    turn: int = 0
    wanted: Mapping[str, Any] | None = None
    shows: Mapping[str, Any] | None = None
    follows: bool = False
    link: int = 0


def follows(key: str) -> None:
    """The picture changes with one that it is linked to, by itself: its next state need not be sent."""
    begun = st.session_state.get(f"state {key}", _Begun())
    st.session_state[f"state {key}"] = begun._replace(follows=True)


def _told(key: str, state: Mapping[str, Any]) -> None:
    """The picture shows this state: it was chosen there."""
    begun = st.session_state.get(f"state {key}", _Begun())
    st.session_state[f"state {key}"] = begun._replace(shows=_plain(state))


def _as_begun(picture: Picture, key: str) -> Picture:
    """The picture with the state that it was begun with, while it shows the one that is wanted.

    With another state in its header all of it would be sent once more, 1.6 MB at 512 tokens, for
    nothing: a picture that is on the page keeps what was chosen in it, until it is asked in turn.
    """
    wanted = _plain(picture.header["state"])
    begun: _Begun = st.session_state.get(f"state {key}", _Begun())
    link = permalink.now().followed
    if link != begun.link:
        # Back may come before the page has run with what was chosen last: what is on the screen counts.
        shown = not begun.follows and wanted == (begun.shows or begun.wanted)
    else:
        shown = begun.follows or wanted in (begun.wanted, begun.shows)
    if shown and key in st.session_state:  # or it is drawn for the first time, and shows nothing yet
        begun = begun._replace(wanted=wanted, follows=False, link=link)
    else:
        begun = _Begun(wanted, begun.turn + 1, wanted, link=link)
    st.session_state[f"state {key}"] = begun
    header = {**picture.header, "state": begun.sent or wanted, "turn": begun.turn}
    return Picture(picture.module, header, picture.payload)


def _plain(state: Mapping[str, Any]) -> dict[str, Any]:
    """As it comes from a browser. To be compared as values, not as texts: there, 0.0 is written 0."""
    return dict(json.loads(json.dumps(dict(state))))
