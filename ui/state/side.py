"""The choices in a three-dimensional picture: the camera angle, and a selected point."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ui import formats
from ui.state.fields import Field, Whole


class Side(NamedTuple):
    """The camera angle, in degrees: around the third axis, and elevation."""

    turn: int
    tilt: int

    def __str__(self) -> str:
        return f"{self.turn}.{self.tilt}"


class _Angle(formats.Dotted):
    """Two whole numbers of degrees, such as "34.-20"."""

    def __call__(self, text: str, /) -> Side:
        """The angle."""
        return Side(*super().__call__(text))


ANGLE = _Angle((formats.Whole(0, 359), formats.Whole(-90, 90)))


def take_side(field: Field[Side | None], sent: Mapping[str, Any]) -> None:
    """Take the angle from the state that a picture sent; the default angle becomes None."""
    if (view := sent.get("view")) is not None:
        turn, tilt = map(int, view)
        field.set(Side(turn % 360, min(max(-90, tilt), 90)))


def point_in(field: Whole, count: int) -> int | None:
    """The index of the chosen point, from 0; None if none is chosen, or there is no such point.

    Args:
        field: the field with the number of the point, from 1; 0 for none.
        count: how many points there are.
    """
    number = field.get()
    return number - 1 if 0 < number <= count else None


def take_point(field: Whole, sent: Mapping[str, Any]) -> None:
    """Take the point from the state that a picture sent."""
    chosen = sent.get("chosen")
    field.set(0 if chosen is None else int(chosen) + 1)
