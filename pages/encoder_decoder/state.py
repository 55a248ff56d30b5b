"""What is chosen on the page of the encoder–decoder: sentence, step, other words, where to look.

Steps count from 1 in the link, as on the screen: step 1 writes the first word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.figures.attention.layer_state import start
from core.tasks.languages.vocabulary import START
from ui import layer_state, permalink
from ui.permalink import Parameter

BLOCKS = ("encoder", "decoder", "cross")  # as `core.measures.attention.blocks` has them
VIEWS = {"layer": "Which token attends to which", "softmax": "Before and after softmax"}
HOTTEST = 5.0
_MOST_FORCED = 64


def read_forced(typed: str) -> dict[int, str]:
    """Step, from 0 -> the word that was chosen there, of "2.une,3.voiture".

    Raises:
        ValueError: it is no such list.
    """
    found = {}
    for part in typed.split(",") if typed else ():
        number, _, word = part.partition(".")
        if not word or word == START:
            raise ValueError(typed)
        found[permalink.whole(1, _MOST_FORCED)(number) - 1] = word
    return found


def write_forced(forced: Mapping[int, str]) -> str:
    """The same as it stands in a link."""
    return ",".join(f"{step + 1}.{forced[step]}" for step in sorted(forced))


def _forced(typed: str) -> str:
    return write_forced(read_forced(typed))


def _heat(typed: str) -> float:
    value = float(typed)
    if not 0.1 <= value <= HOTTEST:  # and no NaN
        raise ValueError(typed)
    return value


TEXT = Parameter("t", "translate text", "I am a student", typed=True)
STEP = Parameter("st", "translate step", 3, permalink.whole(1, _MOST_FORCED))
FORCED = Parameter("fw", "translate forced", "", _forced)
TEMPERATURE = Parameter("te", "translate temperature", 1.0, _heat)
BLOCK = Parameter("e", "translate block", "cross", permalink.one_of(*BLOCKS))
VIEW = Parameter("p", "translate view", "layer", permalink.one_of(*VIEWS))
LAYER = Parameter("l", "translate layer", 1, permalink.whole(1, 99))
MASK = Parameter("c", "translate mask", True, permalink.switch)
# Of the picture of a layer. In the decoder's blocks a row is a step, so that STEP is its query.
PICTURE = {
    what: Parameter(parameter.short, f"translate picture {what}", "")
    for what, parameter in layer_state.PARAMETERS.items()
}
# Have controls where there is a translation, and not always there.
MAY_BE_AWAY = tuple(one.key for one in (STEP, TEMPERATURE, BLOCK, VIEW, LAYER, MASK))
LESSON = (TEXT, STEP, FORCED, TEMPERATURE, BLOCK, VIEW, LAYER, MASK, *PICTURE.values())


def chosen(parameter: Parameter) -> Any:
    """What is chosen now."""
    return st.session_state.get(parameter.key, parameter.default)


def choose(parameter: Parameter, value: object) -> None:
    """For the callbacks of controls."""
    st.session_state[parameter.key] = value


def forget() -> None:
    """What belongs to one sentence, and means nothing in another."""
    choose(FORCED, "")
    choose(STEP, 1)
    forget_cell()


def forget_cell() -> None:
    """Which column is attended to, and of which row alone lines are drawn."""
    for what in ("query", "key", "pin"):
        choose(PICTURE[what], "")


def hold(*keys: str) -> None:
    """Keep what has no control on the page now: Streamlit would forget it."""
    for key in keys:
        if key in st.session_state:
            st.session_state[key] = st.session_state[key]
    _away().update(keys)


def bring(*keys: str) -> None:
    """Before a control that may have been away: the browser is told anew what it shows."""
    for key in keys:
        if key in _away() and key in st.session_state:
            st.session_state[key] = st.session_state[key]
    _away().difference_update(keys)


def _away() -> set[str]:
    found: set[str] = st.session_state.setdefault("translate away", set(MAY_BE_AWAY))
    return found


def forced() -> dict[int, str]:
    """Step, from 0 -> the word that a visitor chose there."""
    return read_forced(str(chosen(FORCED)))


def write_instead(step: int, word: str, likeliest: str) -> None:
    """Write this word at a step; what was chosen behind it is forgotten."""
    kept = {at: other for at, other in forced().items() if at < step}
    choose(FORCED, write_forced(kept if word == likeliest else {**kept, step: word}))


def take_back() -> None:
    """Forget the last word that was chosen."""
    kept = forced()
    if kept:
        del kept[max(kept)]
    choose(FORCED, write_forced(kept))


def head() -> int:
    """The head that is open, from 0; −1 for the mean."""
    return int(layer_state.read({"head": str(chosen(PICTURE["head"]))}).get("head", 0))


def picture_state(block: str) -> dict[str, Any]:
    """What is chosen inside the picture of a layer, as that picture takes it."""
    found = layer_state.read({what: str(chosen(PICTURE[what])) for what in PICTURE})
    return found if block == "encoder" else {**found, "query": int(chosen(STEP)) - 1}


def take_picture(block: str, shape: tuple[int, int, int], sent: Mapping[str, Any]) -> None:
    """Put what a visitor chose inside the picture into the session. It came from a browser.

    Args:
        block: which of `BLOCKS`.
        shape: its heads, rows and columns.
        sent: as `layer_view` sends it.
    """
    heads, rows, columns = shape
    usual = start({}, heads, (rows, columns))
    state = start(sent, heads, (rows, columns))
    for what, typed in layer_state.write(state, usual).items():
        choose(PICTURE[what], typed)
    if block != "encoder":
        choose(PICTURE["query"], "")
        if state["query"] is not None:
            choose(STEP, state["query"] + 1)


def take_cell(block: str, sent: Mapping[str, Any]) -> None:
    """Put the cell of a matrix that a visitor chose into the session. It came from a browser."""
    row, column = (_place(sent.get(axis)) for axis in ("row", "column"))
    if row is not None and block == "encoder":
        choose(PICTURE["query"], str(row + 1))
    elif row is not None:
        choose(STEP, row + 1)
    if column is not None:
        choose(PICTURE["key"], str(column + 1))


def _place(value: object) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and 0 <= value < _MOST_FORCED else None  # type: ignore[operator, return-value]
