"""From one token to another: all heads of the model, ranked by that weight in this text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.figures import Picture, bars, style
from core.measures import RankedHeads, rank_heads
from pages.heads import importance
from pages.heads.atlas import ablation, pairs
from pages.heads.atlas.pairs import Pair
from pages.heads.displayed import Panel, called, panel_of
from pages.heads.state import HeadsState
from ui import figure, files, layout
from ui.contributions.state import OPEN
from ui.page import terms
from ui.query import TextQuery
from ui.state import toggle
from ui.text import plain

TITLE = "Which heads attend from one token to another?"
DIGITS = 3
FIRST = 20  # bars that are seen before the picture is scrolled


def show(s: HeadsState, panels: Sequence[Panel]) -> None:
    """Draw the folded section about the first panel."""
    if not toggle(s.ranked, TITLE):
        return
    one = panels[0]
    pair = pairs.choose(s, one)
    ranked = rank_heads(one.block, pair.query, pair.key)
    if limits := _limits(one, len(panels) > 1):
        st.caption(" ".join(limits))
    if not len(ranked.weights):
        st.markdown(f"No head has a row for **{plain(pair.names[0])}** here.")
        return
    here = _open(one)
    st.markdown(" ".join(filter(None, [caption(ranked, pair), of_open(ranked, here)])))
    figure.show(
        picture(ranked, pair, here),
        "ranked heads",
        on_bar=partial(_open_ranked, s, one.text_query, pair),
        saved_as=[files.csv(partial(table, ranked), "ranked-heads")],
        scale=layout.scale(),
    )
    terms.caption(
        "Click a bar, or choose it by arrow keys and Enter, to open its head at this weight. The "
        "outline shows uniform attention: the weight if a head spread its row evenly over all tokens "
        "that it can see. A large weight says what the head attends to, not what it passes on.",
        "ranked heads",
    )
    if not importance.why_none(one):
        _offer_ablation(s, ranked, pair, here)


def _offer_ablation(s: HeadsState, ranked: RankedHeads, pair: Pair, here: ablation.Head | None) -> None:
    """A button that opens the head, ablates it, and shows where the word then stands."""
    head = (int(ranked.layers[0]), int(ranked.heads[0])) if here is None else here

    def ablate() -> None:
        s.open_head(0, *head)
        s.choose_from(pair.query)
        s.choose_to(pair.key)
        s.ablated.set((head[0] + 1, head[1] + 1))
        OPEN.set(True)

    st.button(
        f"Does it matter? Ablate {ablation.name(head)}",
        key="heads ablate ranked",
        on_click=ablate,
        help=f"Shows below where {pair.names[0]} stands without this head.",
    )


def caption(ranked: RankedHeads, pair: Pair) -> str:
    """Which head has the largest weight, and how it compares with all others (Markdown)."""
    names = " → ".join(f"**{plain(name)}**" for name in pair.names)
    if ranked.masked.all():
        return f"{names}: a mask hides this token, and the weight is 0 in every head."
    first, count = float(ranked.weights[0]), len(ranked.weights)
    over = int((ranked.weights > ranked.uniform).sum())
    return (
        f"{names}: the weight is largest in **{name(ranked, 0)}**, with "
        f"**{style.signed(first, DIGITS)}**. The median over {count:,} heads is "
        f"{style.signed(float(np.median(ranked.weights)), DIGITS)}; {over:,} of them exceed uniform "
        f"attention, which puts {style.signed(float(ranked.uniform[0]), DIGITS)} there."
    )


def of_open(ranked: RankedHeads, here: ablation.Head | None) -> str:
    """Where the open head stands among all (Markdown); "" if none is open."""
    heads = _heads(ranked)
    if here not in heads or not ranked.weights[0]:
        return ""
    rank = heads.index(here)
    return (
        f"The open head, **{ablation.name(here)}**, has rank {rank + 1:,}, with "
        f"{style.signed(float(ranked.weights[rank]), DIGITS)}."
    )


def name(ranked: RankedHeads, rank: int) -> str:
    """The name of the head at a rank, from 0: "layer 4, head 7"."""
    return f"layer {ranked.layers[rank] + 1}, head {ranked.heads[rank] + 1}"


def picture(ranked: RankedHeads, pair: Pair, here: tuple[int, int] | None) -> Picture:
    """One bar for each head, the strongest first; the open head is framed."""
    heads = _heads(ranked)
    # A picture opens at its framed row: one far below would hide the strongest.
    framed = heads.index(here) if here in heads[:FIRST] else None
    return bars(
        ranked.weights,
        [f"layer {layer + 1}, head {head + 1}" for layer, head in heads],
        unit="weight",
        sentence=f"All heads, ranked by their weight from {pair.names[0]} to {pair.names[1]}.",
        name="ranked-heads",
        other=ranked.uniform,
        names=("this head", "uniform attention"),
        chosen=framed,
        digits=DIGITS,
    )


def table(ranked: RankedHeads) -> pd.DataFrame:
    """The numbers of the picture."""
    return pd.DataFrame(
        {
            "layer": ranked.layers + 1,
            "head": ranked.heads + 1,
            "weight": ranked.weights,
            "uniform attention": ranked.uniform,
            "masked": ranked.masked.astype(int),
        },
        pd.RangeIndex(1, len(ranked.weights) + 1, name="rank"),
    )


def _heads(ranked: RankedHeads) -> list[ablation.Head]:
    """The heads in their order."""
    return list(zip(ranked.layers.tolist(), ranked.heads.tolist(), strict=True))


def _open(one: Panel) -> tuple[int, int] | None:
    """The open head of the panel; None while the lines of a whole layer are shown."""
    if one.layer is None or one.averaged or one.head < 0:
        return None
    return None if one.chosen.inside.get("level", "lines") == "lines" else (one.layer, one.head)


def _open_ranked(s: HeadsState, text_query: TextQuery, pair: Pair, rank: int) -> None:
    """Open the head of a bar, at the weight that ranks it."""
    # The session stores no results: they are cached, and asked for again.
    one = panel_of(text_query, s.choices(0))
    ranked = rank_heads(one.block, pair.query, pair.key)
    if rank < len(ranked.weights):
        s.open_head(0, int(ranked.layers[rank]), int(ranked.heads[rank]))
        s.choose_from(pair.query)
        s.choose_to(pair.key)


def _limits(one: Panel, two: bool) -> list[str]:
    """What the ranking does not cover here, and how its numbers differ from those of the model."""
    said = []
    if two:
        said.append(f"Ranked in {plain(called(one.text_query))}, the first of the two models.")
    if one.block.title:
        said.append(
            f"Ranked among the heads of one attention block, *{one.block.title}*. The heads of the "
            "other two blocks read other tokens; choose one under *Where*."
        )
    if one.block.title == "Cross-attention":
        said.append(
            "*From* is a token of the target, *To* one of the source. No head attends the other way."
        )
    if any("part(block" in step for step in one.steps):
        said.append(
            "Within one part of a pair, each row is rescaled to 1 over the tokens shown: these are not "
            "the weights of the whole pair. For a weight between any two tokens of the pair, choose "
            "*All*."
        )
    if any(step.startswith("whole_words") for step in one.steps):
        said.append(
            "With whole words, the weight is the sum over the pieces of *To*, and the mean over those "
            "of *From*."
        )
    gone = int(one.block.absent.sum())
    if gone:
        said.append(f"{gone:,} heads of layers without attention are not ranked.")
    if one.hidden and any(one.block.special):
        said.append(
            "The weights are those of the model, with special tokens, even if the picture hides them."
        )
    return said
