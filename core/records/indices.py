"""Indices as a caller gives them: whole numbers of something that is there."""

from __future__ import annotations

from operator import index as as_index
from typing import SupportsIndex, TypeGuard

import numpy as np

from ..errors import OutOfRange


def is_index(value: object) -> TypeGuard[SupportsIndex]:
    """Whether this is a whole number, of Python or NumPy; True and False are none."""
    if type(value) is int:  # nearly always, and much quicker than asking a protocol
        return True
    return isinstance(value, SupportsIndex) and not isinstance(value, bool | np.bool_)


def index(value: object, count: int, what: str, *, from_end: bool = True) -> int:
    """An index, from 0.

    Args:
        value: what was given.
        count: how many there are.
        what: the name of one of them ("layer").
        from_end: whether −1 is the last one, as in lists of Python.

    Raises:
        OutOfRange: there is no such index, or it is no whole number.
    """
    if is_index(value):
        number = as_index(value)
        if 0 <= number < count:
            return number
        if from_end and -count <= number < 0:
            return number + count
    there = f"is 1 {what}" if count == 1 else f"are {count} {what}s"
    raise OutOfRange(f"There {there}, counted from 0: there is no {what} {str(value)[:40]}.")
