"""The tree of all continuations that were tried: each branch can be gone back to."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from core.figures import Branch, Picture, branches
from pages.next_word.shaded import scored
from pages.next_word.state import NextWordState, Path
from ui import figure, layout
from ui.models.attempt import attempt


class Tree(NamedTuple):
    """The nodes of a tree, and which continuation each stands for.

    Attributes:
        nodes: the root, then each token behind its parent.
        paths: the continuation that ends at each node.
    """

    nodes: tuple[Branch, ...]
    paths: tuple[Path, ...]


def show(s: NextWordState, model: str) -> None:
    """Draw the tree, if there is more than one way."""
    tried = s.tried.get()
    if not tried:
        return
    st.subheader("What was tried", anchor=False)
    found = attempt(made, model, s.text.get(), tried)
    if found is None:
        return
    here = found.paths.index(s.written.get()) if s.written.get() in found.paths else 0
    figure.show(
        picture(found, here),
        "tried",
        on_bar=lambda place: s.written.set(found.paths[place]) if place < len(found.paths) else None,
        scale=layout.scale(),
    )
    st.caption(
        "Click on a token to go back to it and go on from there: nothing that was tried is lost."
    )


def made(model: str, typed: str, tried: tuple[Path, ...]) -> Tree:
    """The tree of these continuations.

    Raises:
        PolyseeError: see `Model.score`.
    """
    places: dict[Path, int] = {(): 0}
    nodes = [Branch(-1, typed, 1.0)]
    for path in tried:
        score = scored(model, typed, path)
        first = len(score.tokens) - len(path)
        for depth in range(1, len(path) + 1):
            own = path[:depth]
            if own in places:
                continue
            at = first + depth - 1
            start, end = score.offsets[at]
            before = score.offsets[at - 1][1] if at else 0
            text = score.text[min(before, start) : end] if end > start else score.tokens[at]
            places[own] = len(nodes)
            nodes.append(Branch(places[own[:-1]], text, float(2.0 ** -score.bits[at])))
    return Tree(tuple(nodes), tuple(places))


def picture(tree: Tree, here: int) -> Picture:
    """The tree, with the way to where the page is."""
    return branches(
        tree.nodes,
        chosen=here,
        sentence=f"{len(tree.nodes) - 1} tokens that were tried, as a tree.",
        name="tried",
    )
