"""What a picture may tell the page, field by field: all that a browser sends is checked here, once.

A program in place of a browser may send anything under the name of an event. What is none of the
schemas below is turned away before any of our own code sees it; what passes is plain, of the types
that the pictures send, and no larger than they can be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from core.figures.attention.layer_state import LEVELS, MEAN, PINS, SORTS, VIEWS
from core.measures import PATTERNS

MOST_LAYERS = MOST_HEADS = 999
MOST_PLACES = 99_999  # tokens, sentences, bars, rows: none of our texts and files has as many
MOST_ID = 64  # letters of the name of what a picture shows
_FULL_TURN = 360  # degrees


class NotAPicture(ValueError):
    """What was sent is nothing that a picture sends. The message holds nothing of it."""


Check = Callable[[object], Any]


class Field(NamedTuple):
    """What a field may hold, and whether it is always there.

    Attributes:
        check: the value, as handlers take it; raises `NotAPicture`.
        required: whether a picture always sends it.
    """

    check: Check
    required: bool = True


Schema = Mapping[str, Field]


def read(schema: Schema, sent: object) -> dict[str, Any]:
    """The fields of what was sent, each checked.

    Raises:
        NotAPicture: it is no mapping, a field is missing, is none of the schema's, or holds what that
            field cannot.
    """
    if not isinstance(sent, Mapping):
        raise NotAPicture("It is no mapping.")
    if not sent.keys() <= schema.keys():
        raise NotAPicture("It has a field that no picture has.")
    missing = [name for name, field in schema.items() if field.required and name not in sent]
    if missing:
        raise NotAPicture(f"It has no {missing[0]}.")
    return {name: field.check(sent[name]) for name, field in schema.items() if name in sent}


def whole(low: int, high: int) -> Check:
    """A whole number from `low` to `high`; 3.0 is 3 in JavaScript."""

    def check(value: object) -> int:
        number = int(value) if isinstance(value, float) and value.is_integer() else value
        if isinstance(number, bool) or not isinstance(number, int) or not low <= number <= high:
            raise NotAPicture(f"It is no whole number from {low} to {high}.")
        return number

    return check


def share(value: object) -> float:
    """A number from 0 to 1."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1:  # type: ignore[operator]  # NaN is in no range
        raise NotAPicture("It is no number from 0 to 1.")
    return value  # type: ignore[return-value]


def text(most: int) -> Check:
    """A text of at most so many characters."""

    def check(value: object) -> str:
        if not isinstance(value, str) or len(value) > most:
            raise NotAPicture("It is no text of that length.")
        return value

    return check


def flag(value: object) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise NotAPicture("It is neither true nor false.")
    return value


def one_of(*names: str) -> Check:
    """One of some names."""

    def check(value: object) -> str:
        if not isinstance(value, str) or value not in names:
            raise NotAPicture("It is none of the names.")
        return value

    return check


def or_none(check: Check) -> Check:
    """None, or what a check lets pass."""
    return lambda value: None if value is None else check(value)


def several(check: Check, most: int, least: int = 0) -> Check:
    """A list of so many, each checked."""

    def checked(value: object) -> list[Any]:
        if not isinstance(value, list | tuple) or not least <= len(value) <= most:
            raise NotAPicture("It is no list of that length.")
        return [check(one) for one in value]

    return checked


def inside(schema: Schema) -> Check:
    """A mapping inside another."""
    return lambda value: read(schema, value)


def _schema(**fields: Check | Field) -> Schema:
    return MappingProxyType(
        {name: one if isinstance(one, Field) else Field(one) for name, one in fields.items()}
    )


_PLACE = whole(0, MOST_PLACES - 1)
_LAYER, _HEAD = whole(0, MOST_LAYERS - 1), whole(0, MOST_HEADS - 1)
_HEAD_OR_MEAN = whole(MEAN, MOST_HEADS - 1)

_OPENED = _schema(layer=_LAYER, head=_HEAD)


def cell(rows: int, columns: int) -> Schema:
    """A cell of a matrix of this size."""
    return _schema(row=whole(0, rows - 1), column=whole(0, columns - 1))


def head(layers: int, heads: int) -> Schema:
    """A head of so many layers with so many heads each."""
    return _schema(layer=whole(0, layers - 1), head=whole(0, heads - 1))


def bar(count: int) -> Schema:
    """One of so many bars."""
    return _schema(index=whole(0, count - 1))


# The moving picture has drawn its dots, and asks for what each word adds.
WANTED: Schema = MappingProxyType({"id": Field(text(MOST_ID))})

# Of each picture that tells its state, by its module: the fields of the state in its header. A place
# may be beyond the text that is shown by now: the handlers know how long that is, and leave it out.
STATES: Mapping[str, Schema] = MappingProxyType(
    {
        "layer": _schema(
            level=one_of(*LEVELS),
            on=several(_HEAD_OR_MEAN, MOST_HEADS),
            head=_HEAD_OR_MEAN,
            query=or_none(_PLACE),
            key=or_none(_PLACE),
            pin=or_none(one_of(*PINS)),
            threshold=share,
            alone=share,
            special=or_none(flag),
            view=one_of(*VIEWS),
            sort=one_of(*SORTS),
            # Where a visitor leaves the picture for all heads, or for one of another layer.
            up=Field(flag, required=False),
            open=Field(or_none(inside(_OPENED)), required=False),
        ),
        "overview": _schema(
            token=or_none(_PLACE),
            way=one_of("to", "from"),
            pattern=or_none(whole(0, len(PATTERNS) - 1)),
            usual=flag,
            least=share,
            special=or_none(flag),
        ),
        "working": _schema(step=_PLACE, row=_PLACE, column=_PLACE),
        "cloud": _schema(depth=_PLACE, chosen=or_none(_PLACE)),
        "plane": _schema(depth=_PLACE),
        "space": _schema(depth=_PLACE, view=or_none(several(whole(-_FULL_TURN, _FULL_TURN), 2, 2))),
        "trajectory": _schema(depth=_PLACE),
    }
)
MOST_TOLD = 10**9  # choices in one visit


def state(module: str) -> Schema:
    """The state of a picture, with the number of the choice that it tells."""
    return MappingProxyType({"n": Field(whole(1, MOST_TOLD)), **STATES[module]})
