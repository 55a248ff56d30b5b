"""The tree of all continuations that were tried: each can be gone back to, and two compared."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import streamlit as st

from core.figures import Branch, Picture, branches
from core.figures.labels import spelled
from core.localization import _
from core.measures.function_words import FUNCTION_WORDS
from core.records.words import split
from core.sentences import sentence
from pages.next_word import ending, hidden, reading
from pages.next_word.state import NextWordState, Path
from ui import figure, layout, text
from ui.models.attempt import attempt
from ui.page import leads
from ui.state import MODEL, Part, select

MOST_NAME = 50  # letters of a branch in a list


class Tree(NamedTuple):
    """The nodes of a tree, and which continuation each stands for.

    Attributes:
        nodes: the root, then each token behind its parent.
        paths: the continuation that ends at each node.
        texts: for each continuation that was tried, the whole text with it.
    """

    nodes: tuple[Branch, ...]
    paths: tuple[Path, ...]
    texts: tuple[str, ...]


def show(s: NextWordState, model: str) -> Picture | None:
    """Draw the tree, and return its picture; None if nothing was tried."""
    tried = s.branches()
    if not tried:
        return None
    typed = ending.read_of(s, model)
    found = attempt(made, model, typed, tried)
    if found is None:
        return None
    st.subheader(_("What was tried"), anchor=False)
    here = found.paths.index(s.written.get()) if s.written.get() in found.paths else 0
    drawn = picture(found, here)
    figure.show(
        drawn,
        "tried",
        on_bar=lambda place: s.written.set(found.paths[place]) if place < len(found.paths) else None,
        scale=layout.scale(),
    )
    st.caption(sentence("next-word.go-back"))
    _two(s, typed, found)
    return drawn


def _two(s: NextWordState, typed: str, found: Tree) -> None:
    """Two branches side by side: a link to Compare."""
    count = len(found.texts)
    if count < 2:
        return
    names = {
        i: f"{i + 1}. …{text.clipped(spelled(hidden.text(one[len(typed) :])), MOST_NAME)}"
        for i, one in enumerate(found.texts)
    }
    at = tuple(i if i < count else count - 1 for i in s.leaves.get())
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="two branches"):
        for side, label in enumerate((_("Branch A"), _("Branch B"))):

            def put(to: int, side: int = side) -> None:
                now = [*at]
                now[side] = to
                s.leaves.set((now[0], now[1]))

            place = Part(f"next word leaf {side}", partial(at.__getitem__, side), put)
            # A branch that grows keeps its number: a browser would go on showing its old name.
            select(place, names, label, by_names=True)
        a, b = (found.texts[i] for i in at)
        word = shared_word(a, b)
        if a == b:
            st.caption(_("Choose two branches."))
        elif not word:
            st.caption(_("The two branches share no word that *Compare* could follow."))
        else:
            # A model that reads from left to right gives a word before the fork one vector in both.
            given = {} if _behind(a, b, word) else {MODEL.url: MODEL.default}
            leads.down(
                _("Compare “{word}” in the two").format(word=word),
                "compare",
                {"a": a, "b": b, "w": word, **given},
            )


def shared_word(a: str, b: str) -> str:
    """The word to follow in two branches: the longest that both have behind their fork.

    Without one, the last word before the fork that carries meaning; "" if there is none.
    """
    fork = fork_of(a, b)
    behind = [_words(one[fork:]) for one in (a, b)]
    both = [one for one in behind[0] if one.casefold() in {word.casefold() for word in behind[1]}]
    if both:
        return max(both, key=len)
    return next(iter(reversed(_words(a[:fork]))), "")


def fork_of(a: str, b: str) -> int:
    """Where two texts part: at the beginning of the word in which they do."""
    same = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    while same and a[same - 1].isalnum():
        same -= 1
    return same


def _behind(a: str, b: str, word: str) -> bool:
    return any(word.casefold() == one.casefold() for one in _words(a[fork_of(a, b) :]))


def _words(said: str) -> list[str]:
    """The words that carry meaning, in their order."""
    every = (one.text for one in split(said))
    return [one for one in every if one.isalpha() and one.casefold() not in FUNCTION_WORDS]


def made(model: str, typed: str, tried: tuple[Path, ...]) -> Tree | None:
    """The tree of these continuations; None for a model that scores no text.

    Raises:
        PolyseeError: see `Model.next_token`.
    """
    places: dict[Path, int] = {(): 0}
    nodes = [Branch(-1, typed, 1.0)]
    texts = []
    for path in tried:
        score = reading.scored(model, typed, path)
        if score is None:
            return None
        texts.append(score.text)
        first = len(score.tokens) - len(path)
        named = hidden.pieces(score.pieces)
        for depth in range(1, len(path) + 1):
            own = path[:depth]
            if own in places:
                continue
            at = first + depth - 1
            places[own] = len(nodes)
            nodes.append(
                Branch(
                    places[own[:-1]],
                    named[at] or score.text[slice(*score.offsets[at])],
                    float(2.0 ** -score.bits[at]),
                )
            )
    return Tree(tuple(nodes), tuple(places), tuple(texts))


def picture(tree: Tree, here: int) -> Picture:
    """The tree, with the way to where the page is."""
    return branches(
        tree.nodes,
        chosen=here,
        sentence=sentence("next-word.tried", count=str(len(tree.nodes) - 1)),
        name="tried",
    )
