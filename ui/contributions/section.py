"""What put a word where it stands: sums, cuts and attention by word; layers and heads; and what if."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.figures import Picture, sense_paths, style
from core.measures import Why
from core.measures.contributions.contribution_difference import Apart, apart
from ui import figure, layout, text, widgets
from ui.comparison import Question
from ui.contributions import all_interventions, captions, computed, sums, tables, what_if
from ui.contributions import pictures as why_pictures
from ui.contributions.state import HEADS, IN, SENTENCES, VIEW, VIEWS
from ui.selection import Ends
from ui.state import Field, select, toggle

MOST_RANKED = 20
NO_ENDS = "Choose a word that stands in both sentences, and name its two meanings."
SCALE = (
    "Each layer has an axis and a unit of its own: −1 and +1 are the two ends there. A position says "
    "where the word stands between them in this layer. A step from layer to layer comes from the word "
    "and from the ends, which move as well."
)


def show(asked: Question | None) -> None:
    """What each word adds to the position, where there are two senses to measure between.

    Args:
        asked: which word in which sentences, and between which senses; None: there is nothing to ask.
    """
    ends = _ends(asked, VIEW, VIEWS)
    if asked is None or ends is None:
        return
    chosen = VIEW.get()
    found = {}
    with st.spinner("Cutting one word’s attention after the other…"):
        for name in chosen:  # "AB" is both
            of = computed.ContributionQuery(asked.model, asked.side(name), ends)
            found[name] = of, widgets.attempt(computed.result, of)
    if chosen == "AB":
        a, b = (one for _, one in found.values())
        if a is not None and b is not None:
            _apart(asked, ends.names, a, b)
    else:
        for name, (of, one) in found.items():
            if one is not None:
                _one(of, one, name)


def show_if(asked: Question | None) -> None:
    """One thing changed in a sentence or in the model. The arguments are those of `show`."""
    ends = _ends(asked, IN, SENTENCES)
    if asked is None or ends is None:
        return
    name = IN.get()
    what_if.show(computed.ContributionQuery(asked.model, asked.side(name), ends), name)


def _ends(
    asked: Question | None,
    of: Field[str],
    sentences: Mapping[str, str],
) -> Ends | None:
    """The control of the sentence, and the two ends; where there is nothing to ask, it says why."""
    none = NO_ENDS if asked is None or asked.ends is None else computed.none(asked.model)
    if none or asked is None or asked.ends is None:
        st.caption(none)
        return None
    if not all(computed.measurable(asked.model, word, asked.ends) for word in asked.words):
        if not asked.one:  # of one word, the page has said above why there is no axis
            st.caption(NO_ENDS)
        return None
    select(of, sentences, "Sentence", style="segments")
    return asked.ends


def _one(of: computed.ContributionQuery, found: Why, name: str) -> None:
    show_words(of, found, name)
    if _wanted("Runs the model once for each head, and for each word that is not cut above."):
        show_layers(of, found, name)
        show_heads(of, found, name)


def _wanted(more: str | None = None) -> bool:
    return toggle(HEADS, "Layer by layer, head by head", about=more)


def show_path(of: computed.ContributionQuery, name: str) -> DeltaGenerator:
    """The word's place after every layer, and where it moves; `name` is "" where there is one text.

    Returns:
        The room beside the picture.
    """
    places = computed.path(of)
    low, high = of.ends.names
    picture = sense_paths({name: places}, low=low, high=high, file=f"why-path-{name or 'here'}")
    left, right = st.columns([3, 2], gap="medium", vertical_alignment="center")
    with left:
        figure.show(picture, "why path", scale=layout.scale())
    right.markdown(captions.path(computed.called(of.side), places, of.ends.names))
    right.caption(SCALE)
    return right


def show_words(of: computed.ContributionQuery, found: Why, name: str) -> None:
    """Sums, cuts and attention by word, side by side."""
    st.markdown(captions.claim(name, of, found))
    about = captions.about(found) | {"adds": sums.check(found)}
    show_three(why_pictures.by_word(found, name or "here"), "why", about, computed.called(of.side))
    layout.csv(lambda: tables.by_word(found), f"why-{name or 'here'}")
    if odds := captions.at_odds(found):
        st.markdown(odds)


def show_three(pictures: Mapping[str, Picture], key: str, about: Mapping[str, str], word: str) -> None:
    """What attention to each word adds, what its cut does, how strong it is; with captions."""
    for place, (which, picture) in zip(st.columns(3, gap="medium"), pictures.items(), strict=True):
        with place:
            st.markdown(captions.TITLES[which])
            figure.show(picture, f"{key} {which}", scale=layout.scale())
            st.caption(about[which].replace("{word}", text.plain(word)))


def _apart(asked: Question, ends: tuple[str, str], a: Why, b: Why) -> None:
    found = apart(a, b)
    shown = found.strongest(why_pictures.MOST_ROWS)
    st.markdown(captions.apart(asked.words, ends, found.coordinate))
    figure.show(why_pictures.apart_picture(found, shown), "why apart", scale=layout.scale())
    st.caption(sums.apart(found, shown, ends[1]))
    layout.csv(lambda: tables.apart(found), "why-apart")
    if _wanted():
        word = " / ".join(dict.fromkeys(asked.words))
        _show_layers(found, shown, "apart", sums.by_layer(found, shown, ends, word))
        _show_sums(found, "apart", ends)


def show_layers(of: computed.ContributionQuery, found: Why, name: str) -> None:
    """Where what adds up stands, layer by layer."""
    said = sums.by_layer(found, found.shown, of.ends.names, computed.called(of.side))
    _show_layers(found, found.shown, name or "here", said)


def _show_layers(found: Why | Apart, shown: Sequence[int], file: str, said: str) -> None:
    st.markdown("**What stands at each word adds**, layer by layer")
    figure.show(why_pictures.by_layer(found, shown, file), "why layers", scale=layout.scale())
    st.caption(said)
    layout.csv(lambda: tables.by_layer(found), f"why-layers-{file}")


def _show_sums(
    found: Why | Apart,
    file: str,
    ends: tuple[str, str],
    on_head: Callable[[figure.Cell], None] | None = None,
) -> None:
    """What each head adds, and what else each layer's row is the sum of."""
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**What each head adds**, by what it brings from other places")
        picture = why_pictures.by_head(found, file)
        figure.show(picture, "why by head", scale=layout.scale(), on_cell=on_head)
        st.caption(sums.heads(found, ends) + (sums.CLICK if on_head else ""))
    with right:
        st.markdown("**What each layer adds up to**, its heads from others among it")
        figure.show(why_pictures.parts(found, file), "why parts", scale=layout.scale())
        st.caption(sums.parts(found))
    layout.csv(lambda: tables.by_head(found), f"why-parts-{file}")


def show_heads(
    of: computed.ContributionQuery,
    found: Why,
    name: str,
    on_head: Callable[[figure.Cell], None] | None = None,
) -> None:
    """What each head adds, and how far the word moves without it; and all cuts ranked.

    Args:
        of: what is asked.
        found: its answer.
        name: "A" or "B"; "" where there is one sentence.
        on_head: called with the layer and head, from 0, that a visitor chooses.
    """
    file = name or "here"
    _show_sums(found, file, of.ends.names, on_head)
    if long := all_interventions.too_long(of):
        st.caption(long)
        return
    with st.spinner("Ablating one head after the other…"):
        ablated = widgets.attempt(all_interventions.ablated, of)
        cuts = widgets.attempt(all_interventions.words, of)
    if ablated is None or cuts is None:
        return
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**How far the word moves when a head alone is ablated**")
        sentence = "How far the word moves when a head alone is ablated."
        picture = why_pictures.of_heads(ablated, "moves by", sentence, f"ablated-{file}")
        figure.show(picture, "why ablated", scale=layout.scale(), on_cell=on_head)
        st.caption(sums.missed(of.ends.names))
    with right:
        _show_ranked(tables.ranked(found, cuts, ablated), int(np.isnan(cuts).sum()), file)


def _show_ranked(ranked: pd.DataFrame, left: int, file: str) -> None:
    """`left`: how many words of the text are not in it."""
    st.markdown(f"**All {len(ranked):,} single cuts**, of a word or of a head, ranked")
    with st.expander(f"The {MOST_RANKED} that move the word farthest", expanded=True):
        st.table(ranked.head(MOST_RANKED).map(style.signed))
    if left:
        st.caption(f"Not cut, since the text is long: the {left:,} words that add least.")
    layout.csv(lambda: ranked, f"why-ranked-{file}")
