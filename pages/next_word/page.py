"""Next word: what a model expects after a text, and how it goes on."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.figures import Picture, next_word
from core.figures.labels import spelled
from core.language import uniform
from core.records.prediction import Expectation
from core.settings import MOST_PREDICTIONS
from pages.next_word import captions, chat, copying, layers, prompts, python, shaded, tree, why, writing
from pages.next_word.state import VIEWS, NextWordState
from ui import figure, files, layout, page, same_in_python, text
from ui.models import answers, model_cache
from ui.models.attempt import attempt, can_ask
from ui.models.choice import choose_model, speaks
from ui.page import terms
from ui.query import TextQuery
from ui.state import paragraph, select

ENDS = "end of text"
NAMED = 200  # tokens whose spelling the browser gets: one of the others is rarely drawn


def show(s: NextWordState) -> None:
    view = select(s.view, VIEWS, "View", style="segments")
    typed = paragraph(s.text, "Text", changed=s.forget) if view not in ASKS else ""
    model = choose_model(model_cache.reader, chosen=s.model, fits=speaks, changed=s.forget)
    if model is None or (view not in ASKS and not can_ask(typed, "The text")):
        return
    if model_cache.model(model).predicts != "next":
        st.info(_does_not(model))
        return
    page.part(SHOW[view], None, s, model)


def _does_not(model: str) -> str:
    """That a model does not predict the next token (Markdown)."""
    reason = model_cache.no_predictions(model)
    if model_cache.model(model).predicts == "masked":
        reason = (
            "It fills in words behind a mask and was not trained to go on: *Heads* shows what it "
            "expects behind a mask."
        )
    name = text.plain(model_cache.title(model))
    return f"**{name}** does not predict the next word. {text.plain(reason)}"


def variant(s: NextWordState) -> str:
    """Each view has its own words; the first has those of the page."""
    view = s.view.get()
    return "" if view == NextWordState.view.default else view


# The session stores the arguments of a part as long as the visitor stays: names, no results.
def _below(s: NextWordState, model: str) -> None:
    message, story = st.empty(), st.empty()
    writing.go_on(s, model, lambda said: story.markdown(f"… {text.plain(said)}"))
    story.empty()
    query = TextQuery(model, s.text.get(), more=s.written.get())
    found = attempt(answers.expects, query)
    if found is None:
        return
    (expectation,) = found
    ends = model_cache.model(model).ends
    message.markdown(f"#### {captions.headline(expectation.top(10, 1.0), ends=ends)}")
    score = shaded.show(s, model)
    writing.buttons(s)
    picture = picture_of(s, expectation, ends)
    figure.show(
        picture,
        "next word",
        on_bar=partial(_take, s, expectation),
        on_state=s.take_sampling,
        saved_as=[files.csv(partial(_table, expectation), "next-word")],
        scale=layout.scale(),
    )
    if score is not None:
        terms.caption(captions.surprise(score, len(s.written.get())), "surprise")
    tree.show(s, model)
    same_in_python.show(s.python, partial(python.lines, s, model), model)


def picture_of(s: NextWordState, expectation: Expectation, ends: frozenset[int]) -> Picture:
    """The bars, with the number that would draw the next token."""
    top = expectation.top(min(NAMED, MOST_PREDICTIONS, len(expectation.ids)), 1.0)
    labels = [ENDS if one in ends else name for one, name in zip(top.ids, top.texts, strict=True)]
    said = captions.headline(top, ends=ends).replace("*", "")
    return next_word(
        np.sort(expectation.logits)[::-1],
        labels,
        sentence=f"The ten likeliest next tokens, and all others. {said}",
        name="next-word",
        number=uniform(s.seed.get(), expectation.position + 1),
        state=s.sampling(),
    )


def _table(expectation: Expectation) -> pd.DataFrame:
    """The likeliest tokens, by rank."""
    top = expectation.top(min(MOST_PREDICTIONS, len(expectation.ids)), 1.0)
    return pd.DataFrame(
        {"token": [spelled(one) for one in top.texts], "id": top.ids, "probability": top.probabilities},
        index=pd.RangeIndex(1, len(top.ids) + 1, name="place"),
    )


def _take(s: NextWordState, expectation: Expectation, place: int) -> None:
    """Go on with the token of a bar."""
    if place < len(expectation.ids):
        s.put((*s.written.get(), expectation.ids[place]))


SHOW = {
    "next": _below,
    "layers": layers.show,
    "why": why.show,
    "prompts": prompts.show,
    "copying": copying.show,
    "chat": chat.show,
}
ASKS = {"prompts", "copying", "chat"}  # these have boxes of their own

page.run(__file__, NextWordState, show, variant=variant)
