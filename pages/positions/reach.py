"""How far a model sees: steps between words, operations of a layer, windows of published models."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.figures import Line, StepAxis, ValueAxis, bars, lines, style
from core.figures.curves import counted
from core.records import words
from core.walkthroughs.reach import WINDOWS, LayerCost, layer_costs, steps_from
from pages.positions import controls as chosen
from pages.positions import python
from pages.positions.state import LONGEST, PositionsState
from ui import figure, files, layout, same_in_python
from ui.layout import choose_named, row
from ui.state import paragraph, select
from ui.text import plain

MOST_WORDS = 200
WORD = 200  # pixels
STEPS = 300


def show(s: PositionsState) -> None:
    """Draw the steps in the visitor's sentence, Table 1 for it, and the windows."""
    typed = paragraph(s.text, "Text", placeholder="Text", named=False)
    every = words_of(typed)
    own = every[:MOST_WORDS]
    if not own:
        st.info("There is no word yet. Type a sentence.")
        return
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _steps(s, own)
    with right:
        _windows(s, len(own))
    _table(s, len(own))
    if len(every) > MOST_WORDS:
        st.caption(f"This page reads {MOST_WORDS} words: the text is cut there.")
    same_in_python.show(s.python, partial(python.reach, s, len(own)))


def words_of(text: str) -> list[str]:
    """The words of a text, without punctuation marks."""
    return [word.text for word in words.split(text) if any(map(str.isalnum, word.text))]


def _steps(s: PositionsState, own: list[str]) -> None:
    title, choices, picture = st.container(), row(), st.container()
    with choices:
        at = choose_named(s.word, "From", {i: f"{w} ({i + 1})" for i, w in enumerate(own)}, WORD)
        window = chosen.number(
            s.window,
            "Window r",
            about="How many words on each side a word attends to, in restricted self-attention.",
        )
    steps = steps_from(at, len(own), window)
    with title:
        st.markdown(_says(own, at, window))
    with picture:
        drawn = (
            Line("recurrent", steps.recurrent, style.SENTENCE_B, mark="none"),
            Line(f"attention, r = {window}", steps.restricted, style.LEARNED, mark="none"),
            Line("attention", steps.attention, style.SENTENCE_A, mark="none"),
        )
        names = [line.name for line in drawn]
        table = pd.DataFrame(dict(zip(names, [line.values for line in drawn], strict=True)))
        by_word = table.assign(word=own).set_index("word")
        guides = counted(max(1, int(steps.recurrent.max())))
        figure.show(
            lines(
                drawn,
                StepAxis(own, [str(i + 1) for i in range(len(own))], "word of your text"),
                ValueAxis(guides, bounds=(0, 1), unit="steps", digits=0),
                sentence=f"Steps from “{own[at]}” to every word, by kind of layer.",
                name="steps-between-words",
                height=STEPS,
            ),
            "reach steps",
            saved_as=[files.csv(lambda: by_word, "steps-between-words")],
            scale=layout.scale(),
        )


def _says(own: list[str], at: int, window: int) -> str:
    """How far the farthest word is, by each kind of layer (Markdown)."""
    steps = steps_from(at, len(own), window)
    other = int(steps.recurrent.argmax())
    far = int(steps.recurrent[other])
    if not far:
        return "A single word has no other to reach. Type a longer text."
    return (
        f"**Steps from “{plain(own[at])}” to every word.** “{plain(own[other])}” stands "
        f"{_words(far)} away: a recurrent network takes **{_steps_of(far)}**, one from each word to "
        f"the next; attention to at most {_words(window)} on each side takes "
        f"**{int(steps.restricted[other]):,}**; attention to the whole text takes **1**."
    )


def _table(s: PositionsState, n: int) -> None:
    st.subheader(f"One layer on {_words(n)}", anchor=False)
    with row():
        width = chosen.number(s.layer_width, "d", about="The number of dimensions of each vector.")
        kernel = chosen.number(
            s.kernel, "Kernel k", about="How many words a convolution reads at once."
        )
    costs = layer_costs(n, width, kernel, s.window.get())
    operations, lengths = st.columns([2, 3], gap="medium")  # on a phone, one below the other
    operations.markdown(_operations(costs))
    lengths.markdown(_lengths(costs, n))
    attention, recurrent = costs[:2]
    far = (
        f" From the first word to the last it is one step fewer, n − 1 = {n - 1:,}, as in the picture."
        if n > 1
        else ""
    )
    st.markdown(
        f"With n = {n:,} and d = {width:,}, self-attention needs {attention.operations:,} operations "
        f"and a recurrent layer {recurrent.operations:,}. {_cheaper(n, width)} A recurrent layer reads "
        f"the words one after the other, in n = {n:,} sequential steps; attention reads them all at "
        f"once.{far}"
    )
    published = "; ".join(
        f"{one.name} ${_of_order(one.published[0])}$, path ${_of_order(one.published[2])}$"
        for one in costs
    )
    st.caption(
        "The table counts every operation; Table 1 of Vaswani et al. (2017) leaves out constants "
        f"such as the −1 and the 2: {published}."
    )


def _of_order(formula: str) -> str:
    return f"O({formula})"


def _cheaper(n: int, width: int) -> str:
    if n < width:
        return f"Attention stays cheaper as long as the text is shorter than d = {width:,} words."
    if n > width:
        return f"Above d = {_words(width)}, attention needs more."
    return "Here n = d, and both need the same."


def _operations(costs: tuple[LayerCost, ...]) -> str:
    """The operations of Table 1 (Markdown): each formula with its number."""
    rows = [f"| {one.name} | {_cell(one.formulas[0], one.operations)} |" for one in costs]
    return "\n".join(["| layer | operations |", "|---|---|", *rows])


def _lengths(costs: tuple[LayerCost, ...], n: int) -> str:
    """The steps of Table 1 (Markdown): a single word has no path to another."""
    rows = [
        f"| {one.name} | {_cell(one.formulas[1], one.sequential)} | "
        f"{_cell(one.formulas[2], one.path) if n > 1 else '–'} |"
        for one in costs
    ]
    return "\n".join(["| layer | sequential steps | longest path |", "|---|---|---|", *rows])


def _cell(formula: str, number: int) -> str:
    return f"${formula}$ = {number:,}" if formula != "1" else "1"


def _windows(s: PositionsState, n: int) -> None:
    st.markdown("**Context windows**: how many tokens a model can attend to at once")
    longest = int(select(s.longest, LONGEST, "Longest shown", style="segments"))
    shown = [one for one in WINDOWS if one.tokens <= longest]
    table = pd.DataFrame(
        [("your text, in words", "", n), *WINDOWS], columns=["model", "year", "tokens"]
    )
    figure.show(
        bars(
            [n, *(one.tokens for one in shown)],
            ["your text", *(one.model for one in shown)],
            unit="tokens",
            sentence=f"Bars for context windows of up to {longest:,} tokens, and for your text of "
            f"{_words(n)}.",
            name="context-windows",
            notes=[_words(n), *(str(one.year) for one in shown)],
            chosen=0,
            most=longest,
            kind="counts",
        ),
        "context windows",
        saved_as=[files.csv(lambda: table.set_index("model"), "context-windows")],
        scale=layout.scale(),
    )
    st.caption(
        "The windows are counted in tokens, your text in words. A word is one token or several: your "
        "text has at least as many tokens as words."
    )


def _words(count: int) -> str:
    return f"{count:,} word{'s' * (count != 1)}"


def _steps_of(count: int) -> str:
    return f"{count:,} step{'s' * (count != 1)}"
