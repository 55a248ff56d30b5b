"""What is chosen inside the picture of a layer, as short texts for the link, and back.

In the link, heads and tokens count from 1, as on the screen, and the mean of all heads is "mean"; what
is as usual is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from core.figures.attention.layer_state import LEVELS, PINS, SORTS, VIEWS
from ui import permalink

_NONE, _MEAN = "none", "mean"
_OF_ALL = -1  # in the place of a head, as in `layer_view`


def _place(typed: str) -> int:
    if int(typed) < 1:
        raise ValueError(typed)
    return int(typed) - 1


def _head(typed: str) -> int:
    return _OF_ALL if typed == _MEAN else _place(typed)


def _written(head: int) -> str:
    return _MEAN if head == _OF_ALL else str(head + 1)


_PARTS: Mapping[str, tuple[str, Callable[[str], Any], Callable[[Any], str]]] = {
    "level": ("r", permalink.one_of(*LEVELS), str),
    "on": (
        "on",
        lambda typed: [] if typed == _NONE else [_head(part) for part in typed.split(".")],
        lambda heads: ".".join(map(_written, heads)) or _NONE,
    ),
    "head": ("h", _head, _written),
    "query": ("q", _place, lambda token: str(token + 1)),
    "key": ("k", _place, lambda token: str(token + 1)),
    "pin": ("pin", permalink.one_of(*PINS), str),
    "threshold": ("th", permalink.share, str),
    "alone": ("ta", permalink.share, str),
    "special": ("s", permalink.switch, lambda shown: str(int(shown))),
    "view": ("vw", permalink.one_of(*VIEWS), str),
    "sort": ("so", permalink.one_of(*SORTS), str),
}


def _readable(parse: Callable[[str], Any]) -> Callable[[str], str]:
    """The text itself, where it means something: in the link, nonsense is left out."""

    def read(typed: str) -> str:
        if typed:
            parse(typed)
        return typed

    return read


PARAMETERS = {
    what: permalink.Parameter(short, f"heads {what}", "", _readable(parse))
    for what, (short, parse, _) in _PARTS.items()
}


def read(typed: Mapping[str, str]) -> dict[str, Any]:
    """The state that these texts mean; what cannot be read is left out.

    Args:
        typed: part of the state -> its text in the link.
    """
    state = {}
    for what, (_, parse, _) in _PARTS.items():
        if typed.get(what):
            try:
                state[what] = parse(typed[what])
            except (ValueError, KeyError):
                continue
    return state


def write(state: Mapping[str, Any], usual: Mapping[str, Any]) -> dict[str, str]:
    """The texts of a state, "" for each part that is as `usual`, or that is not chosen."""
    return {
        what: ""
        if state.get(what) is None or _same(state[what], usual.get(what))
        else show(state[what])
        for what, (_, _, show) in _PARTS.items()
    }


def _same(one: Any, other: Any) -> bool:
    return (
        list(one) == list(other)
        if isinstance(one, list | tuple) and other is not None
        else one == other
    )
