"""What put a word where it stands: sums, cuts and attention by word; layers and heads; and what if."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.comparison import Ends, Question
from core.figures import Picture, sense_paths, style
from core.localization import N_, _, decimal, each, gettext
from core.measures import Why
from core.measures.contributions.contribution_difference import Apart, apart
from ui import figure, files, layout, text
from ui.contributions import all_interventions, captions, computed, sums, tables, what_if
from ui.contributions import pictures as why_pictures
from ui.contributions.state import HEADS, IN, SENTENCES, VIEW, VIEWS
from ui.models import answers, calibrations
from ui.models.attempt import attempt
from ui.page import terms
from ui.state import Field, select, toggle

MOST_RANKED = 20
NO_ENDS = N_("Choose a word that appears in both sentences, and name its two meanings.")
SCALE = N_(
    "Each layer has its own axis and unit: −1 and +1 are its two ends there, and a "
    "position says where the word stands between them. A step from one layer to the next "
    "reflects the ends as well as the word, because both move."
)


def show(question: Question | None) -> None:
    """Show what each word adds to the position, if there are two senses to measure between.

    Args:
        question: the word, the sentences, and the two senses; None if there is nothing to compute.
    """
    ends = _ends(question, VIEW, VIEWS)
    if question is None or ends is None:
        return
    chosen = VIEW.get()
    by_sentence = {}
    with st.spinner(_("Cutting the attention to one word after another …")):
        for name in chosen:  # "AB" means both sentences
            of = _query(question, name, ends)
            by_sentence[name] = of, attempt(computed.result, of)
    if chosen == "AB":
        a, b = (one for _, one in by_sentence.values())
        if a is not None and b is not None:
            _apart(question, ends.names, a, b)
    else:
        for name, (of, one) in by_sentence.items():
            if one is not None:
                _one(of, one, name)


def show_if(question: Question | None) -> None:
    """Show the effect of one change in a sentence or in the model. Arguments as in `show`."""
    ends = _ends(question, IN, SENTENCES)
    if question is None or ends is None:
        return
    name = IN.get()
    what_if.show(_query(question, name, ends), name)


def _query(question: Question, name: str, ends: Ends) -> computed.ContributionQuery:
    """The word of one sentence, after the layer of the verdict."""
    judged = calibrations.of(question.model)
    layer = None if judged is None else judged.layer
    return computed.ContributionQuery(question.model, question.side(name), ends, layer)


def _ends(
    question: Question | None,
    of: Field[str],
    sentences: Mapping[str, str],
) -> Ends | None:
    """The sentence and the two ends; if there is nothing to compute, the page says why."""
    none = (
        gettext(NO_ENDS) if question is None or question.ends is None else computed.none(question.model)
    )
    if none or question is None or question.ends is None:
        st.caption(none)
        return None
    if not all(computed.measurable(question.model, word, question.ends) for word in question.words):
        # For a single word, the page has already said why there is no axis.
        if not question.is_one_word(answers.spelling(question.model)):
            st.caption(gettext(NO_ENDS))
        return None
    select(of, each(sentences), _("Sentence"), style="segments")
    return question.ends


def _one(of: computed.ContributionQuery, why: Why, name: str) -> None:
    show_words(of, why, name)
    if _wanted(
        _("Runs the model once for each head, and once for each word that has not been cut above.")
    ):
        show_layers(of, why, name)
        show_heads(of, why, name)


def _wanted(more: str | None = None) -> bool:
    return toggle(HEADS, _("Layer by layer, head by head"), about=more)


def show_path(of: computed.ContributionQuery, name: str) -> DeltaGenerator:
    """Show a word's coordinate after every layer; `name` is "" if there is only one text.

    Returns:
        The container beside the picture.
    """
    coordinates = computed.path(of)
    low, high = of.ends.names
    picture = sense_paths({name: coordinates}, low=low, high=high, file=f"why-path-{name or 'here'}")
    left, right = st.columns([3, 2], gap="medium", vertical_alignment="center")
    with left:
        figure.show(picture, "why path", scale=layout.scale())
    right.markdown(captions.path(computed.called(of.side), coordinates, of.ends.names))
    right.caption(gettext(SCALE))
    return right


def show_words(of: computed.ContributionQuery, why: Why, name: str) -> None:
    """Show sums, cuts and attention by word, side by side."""
    st.markdown(captions.claim(name, of, why))
    about = captions.about(why) | {"adds": sums.check(why)}
    show_three(
        why_pictures.by_word(why, name or "here"),
        "why",
        about,
        computed.called(of.side),
        files.csv(lambda: tables.by_word(why), f"why-{name or 'here'}"),
    )
    for one in (captions.adds_and_cut(why), captions.at_odds(why)):
        if one:
            st.markdown(one)


def show_three(
    pictures: Mapping[str, Picture], key: str, about: Mapping[str, str], word: str, numbers: files.File
) -> None:
    """Show what attention to each word adds, what cutting it does, and how strong it is.

    Args:
        pictures: one for each of the three.
        key: the prefix of their keys on the page.
        about: their captions.
        word: the word that is measured.
        numbers: the table of all three.
    """
    for column, (which, picture) in zip(st.columns(3, gap="medium"), pictures.items(), strict=True):
        with column:
            st.markdown(gettext(captions.TITLES[which]))
            figure.show(picture, f"{key} {which}", saved_as=[numbers], scale=layout.scale())
            st.caption(about[which].replace("{word}", text.plain(word)))


def _apart(question: Question, ends: tuple[str, str], a: Why, b: Why) -> None:
    difference = apart(a, b)
    shown = difference.strongest(why_pictures.MOST_ROWS)
    st.markdown(captions.apart(question.words, ends, difference.coordinate))
    figure.show(
        why_pictures.apart_picture(difference, shown),
        "why apart",
        saved_as=[files.csv(lambda: tables.apart(difference), "why-apart")],
        scale=layout.scale(),
    )
    terms.caption(sums.apart(difference, shown, ends[1]), "apart")
    if _wanted():
        word = " / ".join(dict.fromkeys(question.words))
        _show_layers(difference, shown, "apart", sums.by_layer(difference, shown, ends, word))
        _show_sums(difference, "apart", ends)


def show_layers(of: computed.ContributionQuery, why: Why, name: str) -> None:
    """Show which vectors hold the parts of the sum, layer by layer."""
    caption = sums.by_layer(why, why.shown, of.ends.names, computed.called(of.side))
    _show_layers(why, why.shown, name or "here", caption)


def _show_layers(breakdown: Why | Apart, shown: Sequence[int], file: str, caption: str) -> None:
    st.markdown(_("**What the vector at each word adds**, layer by layer"))
    figure.show(
        why_pictures.by_layer(breakdown, shown, file),
        "why layers",
        saved_as=[files.csv(lambda: tables.by_layer(breakdown), f"why-layers-{file}")],
        scale=layout.scale(),
    )
    terms.caption(caption, "contributions by layer")


def _show_sums(
    breakdown: Why | Apart,
    file: str,
    ends: tuple[str, str],
    on_head: Callable[[figure.Cell], None] | None = None,
) -> None:
    """Show what each head adds, and the other terms of each layer's row."""
    numbers = files.csv(lambda: tables.by_head(breakdown), f"why-parts-{file}")
    look: dict[str, Any] = {"saved_as": [numbers], "scale": layout.scale()}
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown(_("**What each head adds** through attention to other tokens"))
        figure.show(why_pictures.by_head(breakdown, file), "why by head", on_cell=on_head, **look)
        terms.caption(
            sums.heads(breakdown, ends) + (gettext(sums.CLICK) if on_head else ""),
            "contributions by head",
        )
    with right:
        st.markdown(_("**What each layer adds up to**, with the sum over its heads"))
        figure.show(why_pictures.parts(breakdown, file), "why parts", **look)
        terms.caption(sums.parts(breakdown), "contributions by part")


def show_heads(
    of: computed.ContributionQuery,
    why: Why,
    name: str,
    on_head: Callable[[figure.Cell], None] | None = None,
) -> None:
    """Show what each head adds, how far the word moves without it, and all cuts ranked.

    Args:
        of: the query.
        why: its result.
        name: "A" or "B"; "" if there is only one sentence.
        on_head: called with the layer and head, from 0, that a visitor chooses.
    """
    file = name or "here"
    _show_sums(why, file, of.ends.names, on_head)
    if long := all_interventions.too_long(of):
        st.caption(long)
        return
    with st.spinner(_("Ablating one head after another …")):
        ablated = attempt(all_interventions.ablated, of)
        cuts = attempt(all_interventions.words, of)
    if ablated is None or cuts is None:
        return
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown(_("**How far the word moves when one head is ablated**"))
        sentence = _("How far the word moves when one head is ablated.")
        picture = why_pictures.of_heads(ablated, _("moves by"), sentence, f"ablated-{file}")
        figure.show(picture, "why ablated", scale=layout.scale(), on_cell=on_head)
        st.caption(sums.missed(of.ends.names))
    with right:
        _show_ranked(tables.ranked(why, cuts, ablated), int(np.isnan(cuts).sum()), file)


def _show_ranked(ranked: pd.DataFrame, left: int, file: str) -> None:
    """`left`: how many words of the text the table omits."""
    st.markdown(
        _("**All {count} single changes**, of a word or a head, ranked").format(
            count=decimal(f"{len(ranked):,}")
        )
    )
    with st.expander(
        _("The {count} that move the word farthest").format(count=MOST_RANKED), expanded=True
    ):
        st.table(ranked.head(MOST_RANKED).map(style.signed))
    if left:
        st.caption(
            _("This text is long: the {count} words that contribute least were not cut.").format(
                count=decimal(f"{left:,}")
            )
        )
    files.button(files.csv(lambda: ranked, f"why-ranked-{file}"))
