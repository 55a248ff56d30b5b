"""A small drawing of the transformer that marks the part of the current page, and leads to the others.

A page declares where it is (`PageState.locations`); from that and the address alone the browser marks
the part (`map.js`). A picture that goes through the layers tells the browser which one it shows. A
click is an event: the page of that part then opens with the current sentence, if this page has one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.figures import schema
from core.localization import browser, ngettext
from ui import events, permalink
from ui.models import choice, model_cache
from ui.page import leads
from ui.session import SessionValue
from ui.state import MODEL, Location, thread
from ui.state.location import OwnModel, Part, described

_HERE = Path(__file__).parent
_COMPONENT = st.components.v2.component(
    "polysee_map",
    html='<nav class="polysee-map"></nav>',
    css=(_HERE / "map.css").read_text("utf-8"),
    js=(_HERE / "map.js").read_text("utf-8"),
    isolate_styles=False,
)
_SCRIPT = "ui/page/transformer_map/map.js"
_MOST = 999  # layers or heads


class _Target(NamedTuple):
    """The page of a part, its state there, and the keys of sentence, layer and head in its link."""

    page: str
    state: Mapping[str, str] = {}
    sentence: str = "t"
    layer: str = ""
    head: str = ""


_TARGETS = {
    "tokens": _Target("step_by_step", {"p": "tokens"}, "bt"),
    "embedding": _Target("embeddings", {"p": "words"}),
    "position": _Target("positions"),
    "layer": _Target("heads", {"r": "lines"}, layer="l"),
    "head": _Target("heads", {"r": "head"}, layer="l", head="h"),
    "score": _Target("step_by_step", {"p": "layer", "st": "scores", "ti": "0"}, layer="l", head="h"),
    "vector": _Target("compare", {}, "a"),
}
_KEY = "transformer map"  # “map” is a picture of Senses
_GO: schema.Fields = {
    "part": {"enum": [*_TARGETS]},
    "number": {"type": "integer", "minimum": 0, "maximum": _MOST},
    "layer": {"type": "integer", "minimum": 0, "maximum": _MOST},
    "stack": {"enum": ["", "encoder", "decoder", "cross"]},
}
_WANTED = SessionValue[tuple[str, dict[str, str]] | None]("map wanted", None)


def target(part: str, number: int, layer: int, here: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """The page of a part of the transformer, and the state in which it opens.

    Args:
        part: one of the parts in the drawing.
        number: the number of the layer or the head, from 1; 0 for other parts.
        layer: the layer of the current page, from 1; 0 if it has none.
        here: the strands of the current page (`ui.state.thread`).
    """
    of = _TARGETS[part]
    query = dict(of.state)
    if here.get("sentence"):
        query[of.sentence] = str(here["sentence"])
    if of.layer:
        query[of.layer] = str(number if part == "layer" else layer or here.get("layer") or 1)
    if of.head:
        query[of.head] = str(number if part == "head" else here.get("head") or 1)
    return of.page, query


def target_in(own: OwnModel, part: str, number: int, stack: str) -> dict[str, str] | None:
    """The state in which a page shows a part of its own model; None for what it leaves to others.

    Args:
        own: the model.
        part: one of the parts in the drawing.
        number: the number of the layer or the head, from 1.
        stack: where the layer or the head is, if there are an encoder and a decoder; "cross" is between
            them.
    """
    opened = own.opened.get(cast(Part, part))
    if part not in ("head", "layer"):
        return None if opened is None else dict(opened)
    count = own.head if part == "head" else own.layer
    chosen = {count.url: str(number)} | ({own.stack.url: stack} if stack else {})
    return {**(opened or {}), **chosen}


class HeadRow(NamedTuple):
    """The heads of one kind of attention in a layer.

    Attributes:
        name: "self" or "across" if a layer has both; "".
        heads: how many there are.
        stack: the value that opens them; "" if they need none.
        shown: whether the page is about this kind.
    """

    name: str
    heads: int
    stack: str
    shown: bool


def head_rows(heads: int, own: OwnModel | None) -> tuple[HeadRow, ...]:
    """The heads of a layer, by their kinds of attention.

    Args:
        heads: of a layer of the model that the visitor has chosen.
        own: the page's own model, if it has one.
    """
    if own is None or not own.across:
        return (HeadRow("", heads if own is None else own.heads, "", True),)
    across = own.is_across()
    inside = "decoder" if across else own.stack.get()
    return (
        HeadRow("self", own.heads, inside, not across),
        HeadRow("across", own.across, "cross", across),
    )


def counted(stacks: Sequence[tuple[str, int]]) -> str:
    """How many layers each stack of a model has, in words; "" for a model that has but one stack.

    Args:
        stacks: the name of each, and its number of layers.
    """
    said = {
        "encoder": lambda n: ngettext("{count} encoder layer", "{count} encoder layers", n),
        "decoder": lambda n: ngettext("{count} decoder layer", "{count} decoder layers", n),
    }
    if len(stacks) < 2:
        return ""
    return " + ".join(said[name](count).format(count=count) for name, count in stacks)


def show(
    place: DeltaGenerator, page: str, locations: Sequence[Location], own: OwnModel | None = None
) -> None:
    """Draw the map.

    Args:
        place: the container to draw in.
        page: the address of the page.
        locations: where in the transformer it is.
        own: the page's own model; None for the model that the visitor has chosen.
    """

    def gone() -> None:
        events.receive(_GO, _KEY, "go", take)

    def take(sent: Mapping[str, Any]) -> None:
        inside = own and target_in(own, sent["part"], sent["number"], sent["stack"])
        if inside:
            permalink.change(inside)
            return
        page, query = target(sent["part"], sent["number"], sent["layer"], thread.here())
        if choice.shown() != MODEL.get():  # the drawing is of this page's model
            query["m"] = choice.shown()
        if page == leads.here():
            permalink.change(query)
        else:
            _WANTED.set((page, query))

    layers, heads = model_cache.shape_if_loaded(choice.shown()) or (0, 0)
    stacks: list[tuple[str, int]] = [("", layers)]
    if own is not None:
        stacks = [(name, count) for name, count in own.stacks.items() if count]
    with place:
        # With the page's address, the data of no two pages are the same: the browser hears of each.
        rows = head_rows(heads, own)
        shown = next(row.heads for row in rows if row.shown)
        data = {"stacks": stacks, "heads": shown, "page": page, **described(locations)}
        data["rows"] = [tuple(row) for row in rows]
        data["words"] = browser.of(_SCRIPT)
        data["counted"] = counted(stacks)
        _COMPONENT(key=_KEY, data=data, on_go_change=gone)


def go() -> None:
    """At the start of a run, open the page that a visitor has chosen in the drawing, if any."""
    if (wanted := _WANTED.take()) is not None:
        leads.go(*wanted)
