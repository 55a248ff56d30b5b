"""The model's predictions: the words behind a mask, or the next word."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.errors import PolyseeError
from core.figures import Picture, bars
from core.localization import _, decimal, ngettext
from core.records.prediction import Expectation, Prediction
from core.sentences import listed
from pages.heads import displayed
from pages.heads.state import HeadsState
from pages.heads.writing import Writing, likeliest
from ui import figure, layout, text
from ui.models import answers, model_cache
from ui.page import terms
from ui.query import TextQuery
from ui.state import slider, some

MOST_MASKS = 3  # shown side by side


def picture(prediction: Prediction, name: str) -> Picture:
    """The likeliest words as bars."""
    said = (
        _("The {count} words that the model finds most likely behind the mask at position {position}.")
        if prediction.kind == "masked"
        else _("The {count} words that the model finds most likely next.")
    )
    return bars(
        prediction.probabilities,
        [text.token_text(*one) for one in zip(prediction.texts, prediction.tokens, strict=True)],
        sentence=said.format(count=len(prediction.ids), position=prediction.position + 1),
        name=name,
        unit=_("probability"),
    )


def some_model_predicts(text_queries: Sequence[TextQuery]) -> bool:
    """Whether there are predictions to show."""
    return any(model_cache.model(one.model).predicts for one in text_queries)


def show(s: HeadsState, text_queries: Sequence[TextQuery]) -> None:
    """Draw a section for each model, with its controls; or say that it predicts no words.

    Args:
        s: the state of the page.
        text_queries: the query to each model.
    """
    kinds = [model_cache.model(one.model).predicts for one in text_queries]
    if any(kinds):
        st.subheader(_("What the model expects"), anchor=False)
        _choose_look(s)  # shared by all models
    narrow = len(text_queries) > 1
    columns = st.columns(len(text_queries), gap="medium")
    for side, (column, kind, one) in enumerate(zip(columns, kinds, text_queries, strict=True)):
        with column:
            if kind == "masked":
                _masked(s, one, side)
            elif kind == "next":
                _next(s, one, side, narrow)
            else:
                reason = text.plain(model_cache.no_predictions(one.model))
                st.caption(_("**No next word.** {reason}").format(reason=reason))


def _masked(s: HeadsState, text_query: TextQuery, side: int) -> None:
    """Draw the masked words, and the model's predictions for them."""
    _choose_masked(s, text_query, side)
    expectations = _expected(text_query)
    if expectations is None:
        return
    if text_query.causal:
        terms.caption(
            _(
                "These predictions are made without the causal mask: the model fills in words as it "
                "was trained, from the tokens on both sides."
            ),
            "predicted without mask",
        )
    shown = expectations[:MOST_MASKS]
    for i, (column, one) in enumerate(zip(st.columns(len(shown)), shown, strict=True)):
        with column:
            top = likeliest(s, one)
            st.markdown(_("At position {position}").format(position=one.position + 1))
            bar_chart = picture(top, f"mask-{one.position + 1}")
            figure.show(bar_chart, f"bars {side} {i}", scale=layout.scale())
            st.caption(_rest(top))
    if len(expectations) > len(shown):
        st.caption(
            _("This page shows the first {count} of {all} masks.").format(
                count=len(shown), all=len(expectations)
            )
        )


def _choose_masked(s: HeadsState, text_query: TextQuery, side: int) -> None:
    """Choose the tokens to mask."""
    whole = displayed.first_of(answers.answer(text_query._replace(masked=())))
    tokens = {
        i: f"{token} ({i})"
        for i, (token, special) in enumerate(zip(whole.tokens, whole.special, strict=True), start=1)
        if not special
    }
    some(
        s.sides[side].masked,
        tokens,
        _("Mask words"),
        placeholder=_("none; or type the mask in the text"),
    )


def _choose_look(s: HeadsState) -> None:
    """Choose the temperature, and the number of words shown."""
    left, right = st.columns(2, gap="medium")
    with left:
        slider(
            s.temperature,
            _("Temperature"),
            step=0.1,
            about=_(
                "Scores are divided by the temperature before the softmax. Below 1, the most "
                "likely words gain; above 1, they lose."
            ),
        )
    with right:
        slider(s.likeliest, _("Likeliest words"))


def _rest(top: Prediction) -> str:
    return _(
        "All other words together: {rest}. Entropy over the whole vocabulary: {entropy} bits."
    ).format(rest=decimal(f"{top.rest:.3f}"), entropy=decimal(f"{top.entropy:.2f}"))


def controls(top: Prediction) -> str:
    """What control tokens among the likeliest ones are (Markdown); "" if there are none."""
    named = [_("“{word}”").format(word=text.plain(one)) for one in top.tokens if text.is_control(one)]
    if not named:
        return ""
    return ngettext(
        "{tokens} is no word but a control token: with such a token a model ends a text, or begins the "
        "next part of a conversation.",
        "{tokens} are no words but control tokens: with such a token a model ends a text, or begins "
        "the next part of a conversation.",
        len(named),
    ).format(tokens=listed(named))


def _expected(text_query: TextQuery) -> tuple[Expectation, ...] | None:
    """The predictions; or None, with the reason on the page."""
    try:
        return answers.expects(text_query)
    except PolyseeError as error:
        st.caption(text.of_error(error))
        return None


def _next(s: HeadsState, text_query: TextQuery, side: int, narrow: bool) -> None:
    """Draw the next word, and the controls to write one after the other."""
    expectations = _expected(text_query)
    if expectations is None:
        return
    top = likeliest(s, expectations[0])
    left, right = (st.container(), st.container()) if narrow else st.columns([3, 2], gap="large")
    with left:
        listen = Writing(s, text_query, side)
        figure.show(
            picture(top, "next-word"),
            f"bars {side} next",
            on_bar=listen.take,
            scale=layout.scale(),
        )
        st.caption(_("Click a bar to add its word to the text. {rest}").format(rest=_rest(top)))
        if control := controls(top):
            st.caption(control)
    with right:
        listen.buttons()
