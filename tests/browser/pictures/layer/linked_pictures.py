"""Two linked layers with different heads and tokens."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from typing import Any

from core.figures import LayerAttention, LayerTitles, Link, OnPage, Picture, layer_view
from tests.browser.pictures import heads_pictures as made

FIRST = ("[CLS]", "on", "the", "river", "bank", "she", "[SEP]")
SECOND = ("<s>", "on", "the", "ri", "##ver", "bank", "she", "</s>")  # it has no "river"
NUMBERS = ((0, 1, 2, 3, 4, 5, 6), (0, 1, 2, None, None, 4, 5, 6))
_OWN = ("head", "on")
_TOKENS = ("query", "key")


def layer(second: int, state: dict[str, Any], n: int = 0) -> Picture:
    """The first or the second layer; with `n`, of so many tokens, all of them shared."""
    tokens = made.tokens(n) if n else (FIRST, SECOND)[second]
    numbers = tuple(range(n)) if n else NUMBERS[second]
    ends = [0, len(tokens) - 1]
    inner = made.inner(len(tokens), heads=(12, 3)[second], d_head=(32, 5)[second], seed=1 + second)
    return layer_view(
        LayerAttention(tokens, tokens, inner=inner, special=(ends, ends)),
        LayerTitles(f"Layer {3 + second}", f"Model {second + 1}.", "linked"),
        state=state,
        on_page=OnPage(link=Link("tokens", numbers, numbers)),
    )


def show(kept: Any, start: dict[str, Any], n: int, slow: float) -> None:
    """Show both, as on a page that stores the choices: heads of each, tokens of both; delayed."""
    import streamlit as st

    from ui import figure

    time.sleep(slow)
    kept.setdefault("linked", [dict(start), dict(start)])
    kept.setdefault("heard", [0, 0])

    def hear(second: int, sent: Mapping[str, Any]) -> None:
        kept["heard"] = [count + (i == second) for i, count in enumerate(kept["heard"])]
        own, other = (NUMBERS if not n else (range(n), range(n)))[:: -1 if second else 1]
        shared = {what: value for what, value in sent.items() if what not in _OWN}
        for what in _TOKENS:
            number = None if shared[what] is None else own[shared[what]]
            shared[what] = other.index(number) if number is not None and number in other else None
        states = list(kept["linked"])
        states[second] = dict(sent)
        states[1 - second] = {**states[1 - second], **shared}
        kept["linked"] = states

    for second, column in enumerate(st.columns(2)):
        with column:
            picture = layer(second, kept["linked"][second], n)
            figure.show(picture, f"linked {second}", on_state=partial(hear, second))
    st.write(f"heard {kept['heard'][0]} and {kept['heard'][1]}")
