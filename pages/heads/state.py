"""What is chosen among the heads, for one model or for two beside each other.

Tokens are kept as places among the first model's; the second's are found by what they are in the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from core.figures.attention.layer_state import start
from core.measures import PARTS, PATTERNS, AttentionBlock
from ui import layer_state, permalink
from ui.permalink import Parameter

ALL, MEAN = "0", "mean"  # in the place of a layer's number: all heads as maps, or one mean of all


def _layer(typed: str) -> str:
    return typed if typed == MEAN else str(permalink.whole(0, 999)(typed))


def _numbers(typed: str) -> str:
    for part in typed.split(".") if typed else []:
        permalink.whole(0, 9_999_999)(part)
    return typed


def numbers(typed: str) -> tuple[int, ...]:
    """Numbers with dots between them, as they stand in a link."""
    return tuple(int(part) for part in typed.split(".")) if typed else ()


class Side(NamedTuple):
    """What is chosen for one of the models alone.

    Attributes:
        number: 0 or 1.
        layer: `ALL`, `MEAN`, or the number of a layer, from 1.
        place: where in an encoder–decoder, from 0.
        head: the head that is open, as in `layer_state`.
        on: the heads that draw lines, as in `layer_state`.
        masked: the tokens that are hidden behind the mask token, from 1.
        more: the ids of the tokens that the model has written on.
    """

    number: int
    layer: Parameter
    place: Parameter
    head: Parameter
    on: Parameter
    masked: Parameter
    more: Parameter


def _side(number: int) -> Side:
    second = "2" if number else ""

    def own(short: str, what: str, default: Any = "", parse: Any = str) -> Parameter:
        return Parameter(short + second, f"heads {what}{second}", default, parse)

    return Side(
        number,
        own("l", "layer", ALL, _layer),
        own("e", "place", 0, permalink.whole(0, 2)),
        own("h", "head", parse=layer_state.PARAMETERS["head"].parse),
        own("on", "on", parse=layer_state.PARAMETERS["on"].parse),
        own("mk", "masked", "", _numbers),
        own("g", "more", "", _numbers),
    )


SIDES = (_side(0), _side(1))
TOKEN = Parameter("x", "heads token", 0, permalink.whole(0, 99_999))  # 0: none
WAY = Parameter("y", "heads way", "to", permalink.one_of("to", "from"))
PATTERN = Parameter("f", "heads pattern", "", permalink.one_of("", *PATTERNS))
USUAL = Parameter("us", "heads usual", False, permalink.switch)
LEAST = Parameter("ge", "heads least", 0.0, permalink.share)
WORDS = Parameter("u", "heads words", False, permalink.switch)
PART = Parameter("n", "heads part", "", permalink.one_of("", *PARTS))  # of a pair
_SHARED = {
    what: parameter for what, parameter in layer_state.PARAMETERS.items() if what not in ("head", "on")
}
PARAMETERS = (
    *(parameter for side in SIDES for parameter in side[1:]),
    *(WORDS, PART, TOKEN, WAY, PATTERN, USUAL, LEAST),
    *_SHARED.values(),
)


def forget() -> None:
    """What belongs to one text in one model, and means nothing in another."""
    forget_tokens()
    for side in SIDES:
        for parameter in (side.masked, side.more):
            st.session_state[parameter.key] = ""


def forget_tokens() -> None:
    """Places of tokens, where words are counted in place of pieces, or the other way round."""
    st.session_state[TOKEN.key] = TOKEN.default
    for what in ("query", "key", "pin"):
        st.session_state[_SHARED[what].key] = ""


def within(
    values: Mapping[Any, Any], side: Side, first: AttentionBlock, own: AttentionBlock
) -> dict[str, Any]:
    """What is chosen inside the picture of a layer, as that picture takes it.

    Args:
        values: of each parameter, by its key.
        side: whose picture.
        first: what the first model shows, whose tokens the link counts.
        own: what this one shows.
    """
    typed = {what: str(values[parameter.key]) for what, parameter in _SHARED.items()}
    typed |= {"head": str(values[side.head.key]), "on": str(values[side.on.key])}
    return _counted(layer_state.read(typed), first, own)


def take_within(
    state: Mapping[str, Any], side: Side, first: AttentionBlock, own: AttentionBlock
) -> None:
    """Put what a visitor chose inside the picture of a layer into the session."""
    parameters = _of_layer(side)
    for what, typed in layer_state.write(_counted(state, own, first), _usual(side, own)).items():
        st.session_state[parameters[what].key] = typed


def _of_layer(side: Side) -> dict[str, Parameter]:
    return {**_SHARED, "head": side.head, "on": side.on}


def _usual(side: Side, own: AttentionBlock) -> dict[str, Any]:
    layers, heads, queries, keys = own.attention.weights.shape
    chosen = str(st.session_state[side.layer.key])
    gone: list[int] = []
    if chosen.isdecimal() and chosen != ALL:
        gone = np.flatnonzero(own.absent[min(int(chosen), layers) - 1]).tolist()
    return start({}, heads, (queries, keys), gone)


def _counted(
    state: Mapping[str, Any], counted: AttentionBlock, wanted: AttentionBlock
) -> dict[str, Any]:
    """The same state with its tokens as places in another block."""
    found = dict(state)
    for axis, what in enumerate(("query", "key")):
        place = found.get(what)
        if isinstance(place, int) and not isinstance(place, bool):
            found[what] = _moved(place, counted, wanted, axis)
    return found


def _moved(place: int, counted: AttentionBlock, wanted: AttentionBlock, axis: int) -> int | None:
    """Where the token at a place of one block stands in another; None where that lacks it."""
    marks = counted.marks[axis]
    if counted is wanted or not 0 <= place < len(marks):
        return place
    there = wanted.marks[axis]
    return there.index(marks[place]) if marks[place] in there else None


def above(values: Mapping[Any, Any], first: AttentionBlock, own: AttentionBlock) -> dict[str, Any]:
    """What is chosen in the picture of all heads, as `overview` takes it. The rest as `within`."""
    way = values[WAY.key]
    place = values[TOKEN.key] - 1
    token = _moved(place, first, own, int(way == "to")) if place >= 0 else None
    pattern = values[PATTERN.key]
    return {
        "token": token,
        "way": way,
        "pattern": PATTERNS.index(pattern) if pattern else None,
        "usual": values[USUAL.key],
        "least": values[LEAST.key],
    }


def take_above(sent: Mapping[str, Any], first: AttentionBlock, own: AttentionBlock) -> None:
    """Put what a visitor chose in the picture of all heads into the session."""
    way = "from" if sent.get("way") == "from" else "to"
    token, pattern = sent.get("token"), sent.get("pattern")
    place = None if token is None else _moved(int(token), own, first, int(way == "to"))
    st.session_state[TOKEN.key] = 0 if place is None else place + 1
    st.session_state[WAY.key] = way
    st.session_state[PATTERN.key] = "" if pattern is None else PATTERNS[int(pattern)]
    st.session_state[USUAL.key] = bool(sent.get("usual"))
    st.session_state[LEAST.key] = float(sent.get("least") or 0)
    if sent.get("special") is not None:
        # "1": shown in the lines too, where they are hidden unless a visitor chose so.
        key = _SHARED["special"].key
        now = str(st.session_state[key])
        st.session_state[key] = ("1" if now == "1" else "") if sent["special"] else "0"


def head(values: Mapping[Any, Any], side: Side) -> int:
    """The head that is open, from 0; −1 for the mean of its layer."""
    return int(layer_state.read({"head": str(values[side.head.key])}).get("head", 0))


def query(values: Mapping[Any, Any], side: Side, block: AttentionBlock, *, above: bool) -> int | None:
    """The token whose row is chosen, as a place in the block; None for none.

    Args:
        values: of each parameter, by its key.
        side: whose choices.
        block: what the first model shows.
        above: whether all heads are shown as maps.
    """
    if above and values[TOKEN.key]:
        return int(values[TOKEN.key]) - 1
    place = within(values, side, block, block).get("query")
    return place if isinstance(place, int) else None


def choose_query(place: int) -> None:
    """Choose the row of a token of the first model, from 0; for the callbacks of controls."""
    st.session_state[_SHARED["query"].key] = str(place + 1)
    if st.session_state[TOKEN.key]:
        st.session_state[TOKEN.key] = place + 1


def shows_special(values: Mapping[Any, Any], *, above: bool) -> bool:
    """Whether special tokens are shown: where it is not chosen, everywhere but in the lines of a layer.

    Args:
        values: of each parameter, by its key.
        above: whether all heads are shown as maps.
    """
    of = {what: str(values[_SHARED[what].key]) for what in ("special", "level")}
    chosen = layer_state.read(of)
    lines = not above and chosen.get("level", "lines") == "lines"
    return bool(chosen.get("special", not lines))


def open_head(side: Side, layer: int, head: int) -> None:
    """One zoom level down: this head of its layer, both from 0."""
    st.session_state[side.layer.key] = side.layer.parse(str(layer + 1))  # it may come from anybody
    st.session_state[side.head.key] = str(head + 1)
    st.session_state[_SHARED["level"].key] = "head"


def open_all(side: Side) -> None:
    """Up to all heads."""
    st.session_state[side.layer.key] = ALL
