"""The pictures of `core.figures` as components of a page.

A picture's numbers, and the code that draws it, go to the browser once (`ui.serving.sent_once`). Its
state is small, and goes along with each run of the page. A visitor's choice in a picture comes back as
the event "state", with a number. Each run of the page confirms the last number received; the picture
thus knows whether an answer takes its last choice into account (`runtime/report.js`).
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from core.figures import Picture, schema, web
from ui import events, files, permalink, session, spoken
from ui.serving import sent_once
from ui.session import SessionValue

# Fetches what draws the picture, which brings a shadow of its own. This much is sent in each run.
# A page in front of a class (`ui.presenter`) says how much larger pictures are and how high one may be;
# the event "polysee-room" says that this has changed, and
# "polysee-picture" that a picture has come.
# All pictures of the page are in `polyseeShown`, by their names. Whoever computes in the page puts
# other numbers there, as `instead`, and draws; "polysee-sent" says that the server has sent its own.
_ADAPTER = (
    spoken.SPEAK
    + """
const all = (globalThis.polyseePictures ??= new Map());
const shown = (globalThis.polyseeShown ??= new Map());
const fetched = (code) => {
  const text = code.startsWith("/") ? null : new Blob([code], { type: "text/javascript" });
  const address = text ? URL.createObjectURL(text) : new URL(code, document.baseURI).href;
  return import(address).then(({ render }) => { all.set(code, render); });
};
export default ({ data, parentElement, setTriggerValue }) => {
  const { code, name, words, ...sent } = data, said = speak(words);
  const emit = (event, value) => setTriggerValue(event, value);
  let clean = null, gone = false;
  const own = shown.get(name) ?? { instead: null };
  shown.set(name, Object.assign(own, { sent, root: parentElement }));
  document.dispatchEvent(new CustomEvent("polysee-sent", { detail: { name } }));
  const draw = (own.draw = () => {
    const set = (name) => parseFloat(document.documentElement.style.getPropertyValue(name));
    const most = set("--picture-most") || Infinity, scale = set("--picture-scale") || 1;
    const height = Math.round(Math.min(scale * sent.height, most));
    if (gone) return;
    const first = !clean;
    clean = all.get(code)(parentElement, { ...sent, ...own.instead, height }, emit);
    if (first) document.dispatchEvent(new Event("polysee-picture"));
  });
  const again = () => { if (clean) draw(); };
  document.addEventListener("polysee-room", again);
  if (typeof all.get(code) === "function" && !said) draw();
  else {
    if (!all.has(code)) all.set(code, fetched(code));
    Promise.all([all.get(code), said]).then(draw)
      .catch(() => { if (typeof all.get(code) !== "function") all.delete(code); }); // till the next run
  }
  return () => {
    gone = true;
    if (own.draw === draw) shown.delete(name);
    document.removeEventListener("polysee-room", again);
    clean?.();
  };
};
"""
)
# Pictures that choose their own height by what they show; until they do, this much is kept free.
_OWN_HEIGHT = {
    module: f'<div class="room" style="height:{pixels}px"></div>'
    for module, pixels in (
        ("layer", 420),
        ("overview", 610),
        ("steps", 420),
        ("forward", 420),
        ("trajectory", 430),
        ("nextword", 440),
        ("space", 440),
        ("shaded", 130),
        ("branches", 170),
        ("lens", 600),
    )
}
# Registered once a process, when this module is imported: a second registration would win for all.
_COMPONENTS = {
    module: st.components.v2.component(
        f"polysee_{module}",
        html=_OWN_HEIGHT.get(module),
        js=_ADAPTER,
        isolate_styles=False,
    )
    for module in web.MODULES
}
SMALL = 16_000  # bytes of numbers that come along each time: less than it takes to fetch them


class Cell(NamedTuple):
    """A cell that a visitor has chosen."""

    row: int
    column: int


class Edit(NamedTuple):
    """A number of a table that a visitor has changed; row and column count from 0."""

    table: str
    row: int
    column: int
    value: float


class Head(NamedTuple):
    """A head that a visitor has chosen, counted from 0."""

    layer: int
    head: int


def show(
    picture: Picture,
    key: str,
    *,
    on_cell: Callable[[Cell], None] | None = None,
    on_head: Callable[[Head], None] | None = None,
    on_bar: Callable[[int], None] | None = None,
    on_edit: Callable[[Edit], None] | None = None,
    on_state: Callable[[Mapping[str, Any]], None] | None = None,
    on_wanted: Callable[[], None] | None = None,
    saved_as: Sequence[files.File] = (),
    scale: float = 1.0,
    of: Sequence[str] = (),
) -> None:
    """Draw a picture, and reserve its height before it has loaded.

    An action of a visitor reaches the server only if the page passes a function for it, which is called
    before the next run of the page.

    Args:
        picture: the picture.
        key: its name on the page; new numbers with the same name replace the old ones in place.
        on_cell: called with the cell that a visitor clicks, or chooses with Enter.
        on_head: called with the head that a visitor clicks, or chooses with Enter.
        on_bar: called with the row, from 0, of a bar that a visitor clicks, or chooses with Enter.
        on_edit: called with the number that a visitor has changed; there may be no such table or cell.
        on_state: called with the state that a visitor has chosen in the picture. All arguments come
            from a browser and have been checked (`ui.events`), but a position in a state can lie
            beyond the text.
        on_wanted: called when the picture has drawn its first numbers and requests the others.
        saved_as: further files that its menu offers, below PNG and SVG; usually its numbers. A figure
            for a paper follows them, if there is one.
        scale: the factor of its height, if the page uses larger type.
        of: the texts that it is about, if the browser may compute it as well (`ui.device`).
    """
    acts: dict[str, tuple[schema.Fields, Callable[[dict[str, Any]], None]]] = {}
    header = picture.header
    if on_cell is not None:
        size = len(header["rows"]), len(header["columns"])
        acts["cell"] = events.cell(*size), lambda sent: on_cell(Cell(**sent))
    if on_head is not None:
        grid = len(header["layers"]), int(header["heads"])
        acts["head"] = events.head(*grid), lambda sent: on_head(Head(**sent))
    if on_bar is not None:
        acts["bar"] = events.bar(len(header["labels"])), lambda sent: on_bar(sent["index"])
    if on_edit is not None:
        acts["edit"] = events.EDIT, lambda sent: on_edit(Edit(**sent))
    if on_state is not None:
        acts["state"] = (
            events.state(picture.module),
            lambda sent: _take_choice(key, sent.pop("n"), partial(on_state, sent)),
        )
    if on_wanted is not None:
        acts["wanted"] = events.WANTED, lambda sent: on_wanted()

    def receive(event: str) -> None:
        fields, handler = acts[event]
        events.receive(fields, key, event, handler)

    callbacks: dict[str, Any] = {f"on_{event}_change": partial(receive, event) for event in acts}
    if scale != 1:
        picture = picture.scaled(scale)
    if picture.module not in _COMPONENTS:
        raise LookupError(
            f"No picture “{picture.module}” is built: "
            "add it to core/figures/web/build.js, and run `make dist`."
        )
    _COMPONENTS[picture.module](
        key=key,
        data={**_message(picture, key, [*acts], saved_as), "name": key, "of": [*of]},
        height="content" if picture.module in _OWN_HEIGHT else picture.height,
        on_lost_change=_run_again,
        **callbacks,
    )


def _run_again() -> None:
    """Called when the server no longer has the requested numbers; this run stores them again."""


def _take_choice(key: str, number: int, take: Callable[[], None]) -> None:
    """Apply a choice in a picture, unless the whole page has been set since the picture reported it."""
    _last_number(key).set(number)
    if not permalink.now().replaced:
        take()


def _last_number(key: str) -> SessionValue[int]:
    """The number of the last choice received from a picture."""
    return SessionValue(f"heard from {key}", 0)


def _message(
    picture: Picture, key: str, events_taken: list[str], saved_as: Sequence[files.File]
) -> dict[str, Any]:
    """The message to the browser, in the format of `runtime/message.js`."""
    sent = picture.numbers()
    address = sent_once.numbers(sent) if len(sent) > SMALL else None
    library = web.bundle.library(picture.module)
    more = {}
    if library is not None:
        more["library"] = sent_once.library(library) or web.bundle.packed(library)
    return {
        **more,
        "code": sent_once.code(picture.module) or sent_once.module_text(picture.module),
        "numbers": address,
        "bytes": None if address else base64.b64encode(sent.content).decode(),
        "words": spoken.address(),
        "height": picture.height,
        "state": plain(picture.state) or None,
        "autoplay": bool(picture.header.get("autoplay")),
        "events": events_taken,
        "files": files.offered(key, [*saved_as, *files.paper(picture), *files.offline(picture)]),
        "heard": _last_number(key).get(),
        "visit": session.name(),
    }


def plain(state: Mapping[str, Any]) -> dict[str, Any]:
    """As JSON carries it."""
    return dict(json.loads(json.dumps(dict(state), default=dict, allow_nan=False)))
