"""How far a model sees: steps between words, operations of a layer, windows of published models."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.figures import Line, bars, lines, style
from core.records import words
from core.walkthroughs.reach import WINDOWS, LayerCost, layer_costs, steps_from
from pages.positions import controls as chosen
from pages.positions.state import LONGEST, PositionsState
from ui import figure, files, layout
from ui.layout import choose_named, row
from ui.state import paragraph, select
from ui.text import plain

MOST_WORDS = 200
WORD = 200  # pixels


def show(s: PositionsState) -> None:
    """Draw the steps in the visitor's sentence, Table 1 for it, and the windows."""
    typed = paragraph(s.text, "Text", placeholder="Text", named=False)
    every = [word.text for word in words.split(typed) if any(map(str.isalnum, word.text))]
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
        st.caption(f"This page shows {MOST_WORDS} words: the text is cut there.")


def _steps(s: PositionsState, own: list[str]) -> None:
    title, choices, picture = st.container(), row(), st.container()
    with choices:
        at = choose_named(s.word, "From", {i: f"{w} ({i + 1})" for i, w in enumerate(own)}, WORD)
        window = chosen.number(s.window, "Window r", about="Of restricted self-attention.")
    steps = steps_from(at, len(own), window)
    far = int(steps.recurrent.max())
    with title:
        if far:
            other = own[int(steps.recurrent.argmax())]
            st.markdown(
                f"**Steps from “{plain(own[at])}” to every word.** To “{plain(other)}”, a recurrent "
                f"network takes **{far}**, one from each word to the next; attention takes **1**."
            )
        else:
            st.markdown("A single word has nothing to reach. Type a longer text.")
    with picture:
        drawn = (
            Line("recurrent", steps.recurrent, style.SENTENCE_B, mark="none"),
            Line(f"attention within {window}", steps.restricted, style.LEARNED, mark="none"),
            Line("attention", steps.attention, style.SENTENCE_A, mark="none"),
        )
        names = [line.name for line in drawn]
        table = pd.DataFrame(dict(zip(names, [line.values for line in drawn], strict=True)))
        by_word = table.assign(word=own).set_index("word")
        figure.show(
            lines(
                drawn,
                steps=own,
                ticks=[str(i + 1) for i in range(len(own))],
                axis="word",
                sentence=f"Steps from “{own[at]}” to every word, by kind of layer.",
                name="steps-between-words",
                bounds=(0, 1),
                digits=0,
                height=280,
            ),
            "reach steps",
            saved_as=[files.csv(lambda: by_word, "steps-between-words")],
            scale=layout.scale(),
        )


def _table(s: PositionsState, n: int) -> None:
    st.subheader(f"One layer on {n} words", anchor=False)
    with row():
        width = chosen.number(s.layer_width, "d", about="The number of dimensions of each vector.")
        kernel = chosen.number(s.kernel, "Kernel k", about="Words that a convolution reads at once.")
    costs = layer_costs(n, width, kernel, s.window.get())
    st.markdown(_rows(costs))
    attention, recurrent = costs[:2]
    st.markdown(
        f"With n = {n} and d = {width}, self-attention needs {attention.operations:,} operations and "
        f"a recurrent layer {recurrent.operations:,}. {_cheaper(n, width)} The recurrent layer also "
        f"has to do {recurrent.sequential:,} steps one after the other; attention does all at once."
    )


def _cheaper(n: int, width: int) -> str:
    if n < width:
        return f"Attention stays cheaper as long as the text is shorter than {width:,} words."
    if n > width:
        return f"Above {width:,} words, attention needs more."
    return "At n = d, both need the same."


def _rows(costs: tuple[LayerCost, ...]) -> str:
    """Table 1 (Markdown): each formula with its value."""
    head = "| layer | operations | sequential steps | longest path |\n|---|---|---|---|"
    body = [
        f"| {one.name} | "
        + " | ".join(
            f"${formula}$ = {number:,}" if formula != "1" else "1"
            for formula, number in zip(
                one.formulas, (one.operations, one.sequential, one.path), strict=True
            )
        )
        + " |"
        for one in costs
    ]
    return "\n".join([head, *body])


def _windows(s: PositionsState, n: int) -> None:
    st.markdown("**Context windows**: how many tokens a model can attend to at once")
    longest = int(select(s.longest, LONGEST, "Longest shown", style="segments"))
    shown = [one for one in WINDOWS if one.tokens <= longest]
    named = [(f"your text, {n:,}", n), *((f"{w.model}, {w.tokens:,}", w.tokens) for w in shown)]
    table = pd.DataFrame([("your text", "", n), *WINDOWS], columns=["model", "year", "tokens"])
    figure.show(
        bars(
            [min(1, tokens / longest) for _, tokens in named],
            [name for name, _ in named],
            unit="share of the longest",
            sentence=f"Windows of up to {longest:,} tokens as lengths, and your text of {n:,} words.",
            name="context-windows",
            notes=["", *(str(one.year) for one in shown)],
            chosen=0,
            most=1,
            digits=4,
        ),
        "context windows",
        saved_as=[files.csv(lambda: table.set_index("model"), "context-windows")],
        scale=layout.scale(),
    )
