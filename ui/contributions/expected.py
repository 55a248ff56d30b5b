"""How a change affects the words that the model predicts at a mask."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.figures import style
from core.localization import _, ngettext
from core.measures.contributions.expectation_shifts import Shift
from core.records.interventions import Change
from ui import figure, files, layout, text
from ui.contributions import computed, pictures, tables
from ui.models import answers, model_cache
from ui.models.attempt import attempt

MOST_MASKS = 2


def show(
    of: computed.ContributionQuery,
    changes: tuple[Change, ...],
    masked: tuple[int, ...],
    key: str = "why",
) -> None:
    """Show the likeliest words, unchanged and changed; or say that the model makes no predictions.

    Args:
        of: the text and its word.
        changes: the changes.
        masked: the tokens that the page masks. If there are none, and the text has no mask, the word
            itself is masked in both runs.
        key: the prefix of the pictures' names, on the page and in files.
    """
    model = model_cache.model(of.model)
    if model.predicts != "masked":
        none = text.plain(model_cache.no_predictions(of.model))
        st.caption(_("**Predictions.** {none} There is nothing to compare.").format(none=none))
        return
    trace = answers.trace(of.model, of.side.text)
    at = ngettext("at the hidden word", "at the hidden words", max(1, len(masked)))
    if not masked:
        masked = tuple(trace.find(of.side.word, of.side.number).tolist())
        at = _("at **{word}**, which is masked in both runs").format(
            word=text.plain(computed.called(of.side))
        )
        if attempt(computed.expected, of, (), ()):
            masked, at = (), _("at the mask in the text")
    shifts = attempt(computed.expected, of, changes, masked)
    if shifts is None:
        return
    st.markdown(_("**What the model expects** {where}").format(where=at))
    if not shifts:
        st.caption(_("The change removes the mask itself."))
    for i, one in enumerate(shifts[:MOST_MASKS]):
        figure.show(
            pictures.expected(one, f"{key}-expected-{i + 1}"),
            f"{key} expects {i}",
            saved_as=[files.csv(partial(tables.expected, one), f"{key}-expected-{i + 1}")],
            scale=layout.scale(),
        )
        st.caption(_gains_and_losses(one))
    if len(shifts) > MOST_MASKS:
        st.caption(
            _("The page shows the first {shown} of {count} masks.").format(
                shown=MOST_MASKS, count=len(shifts)
            )
        )


def _gains_and_losses(shift: Shift) -> str:
    """Which word loses most by the change, and which gains most."""
    by = shift.difference
    parts = []
    for i, gains in ((int(by.argmax()), True), (int(by.argmin()), False)):
        before, after = (style.signed(float(of[i])) for of in (shift.before, shift.after))
        if (by[i] > 0) == gains and before != after:
            word = text.plain(text.token_text(shift.texts[i], shift.tokens[i]))
            parts.append(
                (
                    _("**{word}** gains most, from {before} to {after}")
                    if gains
                    else _("**{word}** loses most, from {before} to {after}")
                ).format(word=word, before=before, after=after)
            )
    return f"{'; '.join(parts)}." if parts else _("No word shown here gains or loses as much as 0.01.")
