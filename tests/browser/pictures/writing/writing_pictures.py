"""Shaded texts and trees of continuations."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.figures import Branch, Picture, branches, shaded_text

PIECES = ("When", " Mary", " went", " to", " the", " st", "ore", ",", "\n", " <b>she</b>", ".", " ")
BITS = (np.nan, 8.0, 4.0, 0.5, 0.0, 6.0, 0.0123456, 1.0, 2.0, 12.0, 3.0, 5.0)
NOTES = ("", "here it expected I 31 %, <i>the</i> 12 %", *[""] * 10)
HEBREW = ("ה", "בית", " נמצא", " the", " old", " river", ",", " ב", "עיר", " 12", ".")
# "to" goes on with Mary or with the; Mary with a full stop or with and.
NODES = (
    Branch(-1, "John gave a drink to", 1.0),
    Branch(0, " Mary", 0.5),
    Branch(1, ".", 0.5),
    Branch(2, "\n", 0.25),
    Branch(0, " <b>the</b>", 0.125),
    Branch(4, " girl", 0.0625),
    Branch(1, " and", 0.0123456),
)


def surprise(*, chosen: int = 2) -> Picture:
    """A text shaded by bits, of which the model has written the second line."""
    words: dict[str, Any] = {"unit": "bits", "sentence": "Twelve pieces.", "name": "surprise"}
    return shaded_text(PIECES, BITS, notes=NOTES, first_written=9, chosen=chosen, most=10, **words)


def contributions() -> Picture:
    """A text from right to left, shaded by signed numbers."""
    numbers = np.linspace(-3, 3, len(HEBREW))
    words: dict[str, Any] = {"unit": "logit", "sentence": "Hebrew.", "name": "contributions"}
    return shaded_text(HEBREW, numbers, kind="signed", **words)


def long(count: int = 600) -> Picture:
    """A text that scrolls."""
    pieces = [f" word{i}" for i in range(count)]
    words: dict[str, Any] = {"unit": "bits", "sentence": "Many pieces.", "name": "long"}
    return shaded_text(pieces, np.arange(count) % 10, chosen=count - 1, **words)


def tree(*, chosen: int = 3) -> Picture:
    """A small tree with a chosen path."""
    return branches(NODES, chosen=chosen, sentence="Seven tokens.", name="branches")


def wide_tree(count: int = 300, depth: int = 60) -> Picture:
    """A chain of tokens, and at each of them other continuations."""
    chain = [Branch(i - 1, f" t{i}", 0.5) for i in range(depth)]
    others = [Branch(i % (depth - 1), f" other{i}", 0.1) for i in range(count - depth)]
    return branches([*chain, *others], sentence="A large tree.", name="large")


def show() -> None:
    """A text and a tree whose chosen parts are those that a visitor chose."""
    import streamlit as st

    from ui import figure

    kept = st.session_state
    figure.show(surprise(chosen=kept.get("piece", 2)), "text", on_bar=lambda i: kept.update(piece=i))
    figure.show(tree(chosen=kept.get("node", 3)), "tree", on_bar=lambda i: kept.update(node=i))
    st.write(f"piece {kept.get('piece')}, node {kept.get('node')}")
