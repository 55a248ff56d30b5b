"""What is chosen in a picture in three dimensions: the side that it is seen from, and a point of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ui import permalink
from ui.state.fields import Field, Whole


class Side(NamedTuple):
    """From which side it is seen, in degrees: round the third direction, and from above."""

    turn: int
    tilt: int

    def __str__(self) -> str:
        return f"{self.turn}.{self.tilt}"

    @classmethod
    def read(cls, typed: str) -> Side:
        """Out of a link.

        Raises:
            ValueError: it is not two whole numbers of degrees, such as "34.-20".
        """
        turn, _, tilt = typed.partition(".")
        up = permalink.whole(0, 90)(tilt.removeprefix("-"))
        return cls(permalink.whole(0, 359)(turn), -up if tilt.startswith("-") else up)


def take_side(field: Field[Side | None], sent: Mapping[str, Any]) -> None:
    """The side out of what a picture tells; the usual one is None."""
    if (view := sent.get("view")) is not None:
        turn, tilt = map(int, view)
        field.set(Side(turn % 360, min(max(-90, tilt), 90)))


def point_in(field: Whole, count: int) -> int | None:
    """The chosen point of so many, from 0; None where none is chosen, or there is no such point.

    Args:
        field: its number, from 1; 0 for none.
        count: how many points there are.
    """
    number = field.get()
    return number - 1 if 0 < number <= count else None


def take_point(field: Whole, sent: Mapping[str, Any]) -> None:
    """The point out of what a picture tells."""
    chosen = sent.get("chosen")
    field.set(0 if chosen is None else int(chosen) + 1)
