"""From one token to another: all heads of the model, ranked by that weight in this text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.figures import Picture, bars, style
from core.localization import N_, _, decimal, gettext
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

TITLE = N_("Which heads attend from one token to another?")
DIGITS = 3
FIRST = 20  # bars that are seen before the picture is scrolled


def show(s: HeadsState, panels: Sequence[Panel]) -> None:
    """Draw the folded section about the first panel."""
    if not toggle(s.ranked, gettext(TITLE)):
        return
    one = panels[0]
    pair = pairs.choose(s, one)
    ranked = rank_heads(one.block, pair.query, pair.key)
    if limits := _limits(one, len(panels) > 1):
        st.caption(" ".join(limits))
    if not len(ranked.weights):
        st.markdown(_("No head has a row for **{word}** here.").format(word=plain(pair.names[0])))
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
        _(
            "Click a bar, or choose it by arrow keys and Enter, to open its head at this weight. The "
            "outline shows uniform attention: the weight if a head spread its row evenly over all "
            "tokens that it can see. A large weight says what the head attends to, not what it passes "
            "on."
        ),
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
        _("Does it matter? Ablate {head}").format(head=ablation.name(head)),
        key="heads ablate ranked",
        on_click=ablate,
        help=_("Shows below where {word} stands without this head.").format(word=pair.names[0]),
    )


def caption(ranked: RankedHeads, pair: Pair) -> str:
    """Which head has the largest weight, and how it compares with all others (Markdown)."""
    names = " → ".join(f"**{plain(name)}**" for name in pair.names)
    if ranked.masked.all():
        return _("{names}: a mask hides this token, and the weight is 0 in every head.").format(
            names=names
        )
    first, count = float(ranked.weights[0]), len(ranked.weights)
    over = int((ranked.weights > ranked.uniform).sum())
    return _(
        "{names}: the weight is largest in **{head}**, with **{weight}**. The median over {count} "
        "heads is {median}; {over} of them exceed uniform attention, which puts {uniform} there."
    ).format(
        names=names,
        head=name(ranked, 0),
        weight=style.signed(first, DIGITS),
        count=decimal(f"{count:,}"),
        median=style.signed(float(np.median(ranked.weights)), DIGITS),
        over=decimal(f"{over:,}"),
        uniform=style.signed(float(ranked.uniform[0]), DIGITS),
    )


def of_open(ranked: RankedHeads, here: ablation.Head | None) -> str:
    """Where the open head stands among all (Markdown); "" if none is open."""
    heads = _heads(ranked)
    if here not in heads or not ranked.weights[0]:
        return ""
    rank = heads.index(here)
    return _("The open head, **{head}**, has rank {rank}, with {weight}.").format(
        head=ablation.name(here),
        rank=decimal(f"{rank + 1:,}"),
        weight=style.signed(float(ranked.weights[rank]), DIGITS),
    )


def name(ranked: RankedHeads, rank: int) -> str:
    """The name of the head at a rank, from 0: "layer 4, head 7"."""
    return ablation.name((int(ranked.layers[rank]), int(ranked.heads[rank])))


def picture(ranked: RankedHeads, pair: Pair, here: tuple[int, int] | None) -> Picture:
    """One bar for each head, the strongest first; the open head is framed."""
    heads = _heads(ranked)
    # A picture opens at its framed row: one far below would hide the strongest.
    framed = heads.index(here) if here in heads[:FIRST] else None
    return bars(
        ranked.weights,
        [ablation.name(one) for one in heads],
        unit=_("weight"),
        sentence=_("All heads, ranked by their weight from {one} to {other}.").format(
            one=pair.names[0], other=pair.names[1]
        ),
        name="ranked-heads",
        other=ranked.uniform,
        names=(_("this head"), _("uniform attention")),
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
        said.append(
            _("Ranked in {model}, the first of the two models.").format(
                model=plain(called(one.text_query))
            )
        )
    if one.block.title:
        said.append(
            _(
                "Ranked among the heads of one attention block, *{block}*. The heads of the other two "
                "blocks read other tokens; choose one under *Where*."
            ).format(block=gettext(one.block.title))
        )
    if one.block.title == "Cross-attention":
        said.append(
            _("*From* is a token of the target, *To* one of the source. No head attends the other way.")
        )
    if any("part(block" in step for step in one.steps):
        said.append(
            _(
                "Within one part of a pair, each row is rescaled to 1 over the tokens shown: these are "
                "not the weights of the whole pair. For a weight between any two tokens of the pair, "
                "choose *All*."
            )
        )
    if any(step.startswith("whole_words") for step in one.steps):
        said.append(
            _(
                "With whole words, the weight is the sum over the pieces of *To*, and the mean over "
                "those of *From*."
            )
        )
    gone = int(one.block.absent.sum())
    if gone:
        said.append(
            _("{count} heads of layers without attention are not ranked.").format(
                count=decimal(f"{gone:,}")
            )
        )
    if one.hidden and any(one.block.special):
        said.append(
            _(
                "The weights are those of the model, with special tokens, even if the picture hides "
                "them."
            )
        )
    return said
