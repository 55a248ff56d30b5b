"""How far a model sees: steps between words, operations of a layer, windows of published models."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.figures import Line, StepAxis, ValueAxis, bars, lines, style
from core.figures.curves import counted
from core.localization import _, decimal, gettext, ngettext
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
    typed = paragraph(s.text, _("Text"), placeholder=_("Text"), named=False)
    every = words_of(typed)
    own = every[:MOST_WORDS]
    if not own:
        st.info(_("There is no word yet. Type a sentence."))
        return
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _steps(s, own)
    with right:
        _windows(s, len(own))
    _table(s, len(own))
    if len(every) > MOST_WORDS:
        st.caption(_("This page reads {count} words: the text is cut there.").format(count=MOST_WORDS))
    same_in_python.show(s.python, partial(python.reach, s, len(own)))


def words_of(text: str) -> list[str]:
    """The words of a text, without punctuation marks."""
    return [word.text for word in words.split(text) if any(map(str.isalnum, word.text))]


def _steps(s: PositionsState, own: list[str]) -> None:
    title, choices, picture = st.container(), row(), st.container()
    with choices:
        named = {i: f"{w} ({i + 1})" for i, w in enumerate(own)}
        at = choose_named(s.word, _("From"), named, WORD)
        window = chosen.number(
            s.window,
            _("Window r"),
            about=_("How many words on each side a word attends to, in restricted self-attention."),
        )
    steps = steps_from(at, len(own), window)
    with title:
        st.markdown(_says(own, at, window))
    with picture:
        drawn = (
            Line(_("recurrent"), steps.recurrent, style.SENTENCE_B, mark="none"),
            Line(
                _("attention, r = {window}").format(window=window),
                steps.restricted,
                style.LEARNED,
                mark="none",
            ),
            Line(_("attention"), steps.attention, style.SENTENCE_A, mark="none"),
        )
        names = [line.name for line in drawn]
        table = pd.DataFrame(dict(zip(names, [line.values for line in drawn], strict=True)))
        by_word = table.assign(word=own).set_index("word")
        guides = counted(max(1, int(steps.recurrent.max())))
        figure.show(
            lines(
                drawn,
                StepAxis(own, [str(i + 1) for i in range(len(own))], _("word of your text")),
                ValueAxis(guides, bounds=(0, 1), unit=_("steps"), digits=0),
                sentence=_("Steps from “{word}” to every word, by kind of layer.").format(word=own[at]),
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
        return _("A single word has no other to reach. Type a longer text.")
    return _(
        "**Steps from “{word}” to every word.** “{other}” stands {distance} away: a recurrent network "
        "takes **{steps}**, one from each word to the next; attention to at most {window} on each side "
        "takes **{restricted}**; attention to the whole text takes **1**."
    ).format(
        word=plain(own[at]),
        other=plain(own[other]),
        distance=_words(far),
        steps=_steps_of(far),
        window=_words(window),
        restricted=_whole(int(steps.restricted[other])),
    )


def _table(s: PositionsState, n: int) -> None:
    st.subheader(_("One layer on {words}").format(words=_words(n)), anchor=False)
    with row():
        width = chosen.number(s.layer_width, "d", about=_("The number of dimensions of each vector."))
        kernel = chosen.number(
            s.kernel, _("Kernel k"), about=_("How many words a convolution reads at once.")
        )
    costs = layer_costs(n, width, kernel, s.window.get())
    operations, lengths = st.columns([2, 3], gap="medium")  # on a phone, one below the other
    operations.markdown(_operations(costs))
    lengths.markdown(_lengths(costs, n))
    attention, recurrent = costs[:2]
    far = (
        _(
            " From the first word to the last, a recurrent layer takes one step fewer, "
            "n − 1 = {steps}, as in the picture."
        ).format(steps=_whole(n - 1))
        if n > 1
        else ""
    )
    said = _(
        "With n = {n} and d = {width}, self-attention needs {attention} operations and a recurrent "
        "layer {recurrent}. {cheaper} A recurrent layer reads the words one after the other, in n = "
        "{n} sequential steps; attention reads them all at once."
    ).format(
        n=_whole(n),
        width=_whole(width),
        attention=_whole(attention.operations),
        recurrent=_whole(recurrent.operations),
        cheaper=_cheaper(n, width),
    )
    st.markdown(said + far)
    published = "; ".join(
        _("{layer} {operations}, path {path}").format(
            layer=gettext(one.name),
            operations=f"${_of_order(one.published[0])}$",
            path=f"${_of_order(one.published[2])}$",
        )
        for one in costs
    )
    st.caption(
        _(
            "The table counts what Table 1 of Vaswani et al. (2017) counts: of attention, the products "
            "of queries with keys, and of a recurrent layer, those of its state with one matrix. The "
            "weighted sum of the values, and the matrices for q, k, v and the output, are not counted. "
            "Table 1 itself leaves out constants such as the −1 and the 2: {published}."
        ).format(published=published)
    )


def _of_order(formula: str) -> str:
    return f"O({formula})"


def _cheaper(n: int, width: int) -> str:
    if n < width:
        return _(
            "Attention stays cheaper as long as the text is shorter than d = {width} words."
        ).format(width=_whole(width))
    if n > width:
        return _("Above d = {words}, attention needs more.").format(words=_words(width))
    return _("Here n = d, and both need the same.")


def _operations(costs: tuple[LayerCost, ...]) -> str:
    """The operations of Table 1 (Markdown): each formula with its number."""
    rows = [f"| {gettext(one.name)} | {_cell(one.formulas[0], one.operations)} |" for one in costs]
    head = " | ".join([_("layer"), _("operations")])
    return "\n".join([f"| {head} |", "|---|---|", *rows])


def _lengths(costs: tuple[LayerCost, ...], n: int) -> str:
    """The steps of Table 1 (Markdown): a single word has no path to another."""
    rows = [
        f"| {gettext(one.name)} | {_cell(one.formulas[1], one.sequential)} | "
        f"{_cell(one.formulas[2], one.path) if n > 1 else '–'} |"
        for one in costs
    ]
    head = " | ".join([_("layer"), _("sequential steps"), _("longest path")])
    return "\n".join([f"| {head} |", "|---|---|---|", *rows])


def _cell(formula: str, number: int) -> str:
    return f"${formula}$ = {_whole(number)}" if formula != "1" else "1"


def _windows(s: PositionsState, n: int) -> None:
    st.markdown(_("**Context windows**: how many tokens a model can attend to at once"))
    choices = {key: decimal(label) for key, label in LONGEST.items()}
    longest = int(select(s.longest, choices, _("Longest shown"), style="segments"))
    shown = [one for one in WINDOWS if one.tokens <= longest]
    table = pd.DataFrame(
        [(_("your text, in words"), "", n), *WINDOWS], columns=["model", "year", "tokens"]
    )
    figure.show(
        bars(
            [n, *(one.tokens for one in shown)],
            [_("your text"), *(one.model for one in shown)],
            unit=_("tokens"),
            sentence=_(
                "Bars for context windows of up to {tokens} tokens, and for your text of {words}."
            ).format(tokens=_whole(longest), words=_words(n)),
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
        _(
            "The windows are counted in tokens, your text in words. A word is one token or several: "
            "your text has at least as many tokens as words."
        )
    )


def _words(count: int) -> str:
    return ngettext("{count} word", "{count} words", count).format(count=_whole(count))


def _steps_of(count: int) -> str:
    return ngettext("{count} step", "{count} steps", count).format(count=_whole(count))


def _whole(count: int) -> str:
    return decimal(f"{count:,}")
