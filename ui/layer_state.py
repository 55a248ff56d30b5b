"""What is chosen inside the picture of a layer, as short texts for the link, and back.

In the link, heads and tokens count from 1, as on the screen; what is as usual is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ui import permalink

_NONE = "none"
_PARTS: Mapping[str, tuple[str, Callable[[str], Any], Callable[[Any], str]]] = {
    "rung": ("r", str, str),
    "on": (
        "on",
        lambda typed: [] if typed == _NONE else [int(part) - 1 for part in typed.split(".")],
        lambda heads: ".".join(str(head + 1) for head in heads) or _NONE,
    ),
    "head": ("h", lambda typed: int(typed) - 1, lambda head: str(head + 1)),
    "query": ("q", lambda typed: int(typed) - 1, lambda token: str(token + 1)),
    "key": ("k", lambda typed: int(typed) - 1, lambda token: str(token + 1)),
    "pin": ("pin", str, str),
    "threshold": ("th", float, str),
    "special": ("s", lambda typed: {"0": False, "1": True}[typed], lambda shown: str(int(shown))),
    "view": ("vw", str, str),
    "sort": ("so", str, str),
}

PARAMETERS = {
    what: permalink.Parameter(short, f"heads {what}", "") for what, (short, _, _) in _PARTS.items()
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
