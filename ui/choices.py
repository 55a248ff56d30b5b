"""What is chosen on the page that goes step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.walkthroughs.steps.descriptions import PLAIN, STEPS
from core.walkthroughs.tiny_numbers import read_edits
from ui import permalink
from ui.permalink import Parameter

VIEWS = {"layer": "One layer", "plain": "Without weights", "what-if": "What if …"}
SIZES = {"0": "of a trained model", "1": "of a tiny model", "paper": "of the paper's size, untrained"}
WHAT_IFS = {"no-scale": "no ÷ √d", "no-position": "no positions", "one-head": "one head"}
VECTORS = {"embedded": "what layer 1 receives", "learned": "learned vectors"}


def _edits(typed: str) -> str:
    read_edits(typed)
    return typed


TEXT = Parameter("t", "steps text", "the cat ate the mouse", typed=True)
ORDER = Parameter("t2", "steps order", "the mouse ate the cat")
TINY_TEXT = Parameter("tt", "steps tiny text", "the more the merrier", typed=True)
SIZE = Parameter("ti", "steps size", "0", permalink.one_of("0", "1", "paper"))
CAUSAL = Parameter("c", "steps causal", False, permalink.switch)
EDITS = Parameter("ed", "steps edits", "", _edits)
VIEW = Parameter("p", "steps view", "layer", permalink.one_of(*VIEWS))
STEP = Parameter("st", "steps step", "query", permalink.one_of(*STEPS))
PLAIN_STEP = Parameter("ps", "steps plain", "plain-scores", permalink.one_of(*PLAIN))
WHAT_IF = Parameter("wi", "steps what-if", "no-scale", permalink.one_of(*WHAT_IFS))
VECTOR = Parameter("x", "steps vectors", "embedded", permalink.one_of(*VECTORS))
LAYER = Parameter("l", "steps layer", 1, permalink.whole(1, 999))
HEAD = Parameter("h", "steps head", 1, permalink.whole(1, 999))
TOKEN = Parameter("q", "steps token", 2, permalink.whole(0, 999))
COLUMN = Parameter("k", "steps column", 0, permalink.whole(0, 99_999))
BLOCK = Parameter("bl", "steps block", 0, permalink.whole(0, 9_999))

LESSON = (
    *(TEXT, ORDER, TINY_TEXT, SIZE, CAUSAL, EDITS, VIEW, STEP, PLAIN_STEP, WHAT_IF, VECTOR),
    *(LAYER, HEAD, TOKEN, COLUMN, BLOCK),
)


def chosen(parameter: Parameter) -> Any:
    """What is chosen now."""
    return st.session_state.get(parameter.key, parameter.default)


def choose(parameter: Parameter, value: object) -> None:
    """For the callbacks of buttons."""
    st.session_state[parameter.key] = value


def accept(parameter: Parameter, value: object) -> None:
    """What came back from a list: the parameter keeps what it has where it cannot be read."""
    try:
        choose(parameter, parameter.parse(str(value)))
    except ValueError:
        return


def take(sent: Mapping[str, Any], of: Parameter, names: tuple[str, ...]) -> None:
    """What a visitor chose in the picture: a step, a cell. It came from a browser.

    Args:
        sent: "step", "row" and "column".
        of: the parameter of the step.
        names: of all steps.
    """
    step, row, column = (_whole(sent.get(key)) for key in ("step", "row", "column"))
    if step is not None and step < len(names):
        choose(of, names[step])
    if row is not None and row <= 999:
        choose(TOKEN, row)
    if column is not None and column <= 99_999:
        choose(COLUMN, column)


def _whole(value: object) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
