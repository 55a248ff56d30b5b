"""How many tokens each of two texts keeps so that both fit."""

from __future__ import annotations

from collections.abc import Sequence


def fit(lengths: Sequence[int], room: int) -> tuple[int, ...]:
    """The number of tokens that each text keeps so that all fit; the longer text loses tokens first."""
    if sum(lengths) <= room:
        return tuple(lengths)
    if len(lengths) == 1:
        return (room,)
    first, second = lengths
    short, swapped = min(first, second), first > second
    fitted = (short, room - short) if short <= room // 2 else (room // 2, room - room // 2)
    return fitted[::-1] if swapped else fitted


def fit_as_python(lengths: Sequence[int], room: int) -> tuple[int, ...]:
    """`fit` as in the Python tokenizers, which round an odd number the other way."""
    too_many = sum(lengths) - room
    if too_many <= 0 or len(lengths) == 1:
        return fit(lengths, room)
    first, second = lengths
    longer = min(abs(first - second), too_many)
    half = (too_many - longer) // 2
    both = too_many - longer - half
    return (
        (first - longer - half, second - both)
        if first > second
        else (first - half, second - longer - both)
    )
