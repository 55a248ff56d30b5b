"""A picture that moves by itself when it is opened: once a visit, never where a link has a depth."""

from __future__ import annotations

from ui.state import SessionValue


def starts(name: str, back: SessionValue[int]) -> bool:
    """Whether a picture moves by itself this time; asking spends the one time of a visit.

    Args:
        name: of the picture, the same in every run.
        back: how many layers before the last one it stands.
    """
    spent = SessionValue(f"{name} has moved by itself", False)
    first = not spent.get() and not back.get()
    spent.set(True)
    return first
