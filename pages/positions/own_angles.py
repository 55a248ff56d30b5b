"""The rotations of a published model: its own angles, and its attention by distance."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from core.localization import _
from core.measures.attention.by_distance import by_distance
from pages.positions import captions as say
from pages.positions import computed, pictures
from pages.positions.state import PositionsState
from ui import figure, files, layout
from ui.layout import choose_named, row
from ui.models import answers, model_cache
from ui.models.attempt import attempt, can_ask, was_read
from ui.models.choice import choose_model
from ui.page import terms
from ui.state import text

NUMBER = 80  # pixels of a list
LEAST = 3  # tokens: with fewer, no two have the same distance once the first is left out


def show(s: PositionsState) -> None:
    """Draw the angles of the chosen model; nothing for a model without rotations."""
    model = choose_model()
    found = None if model is None else attempt(computed.angles, model)
    if model is None or found is None:
        return
    st.subheader(_("The angles of a trained model"), anchor=False)
    window = model_cache.model(model).window
    st.markdown(say.angles(model, found, window))
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown(_("**Once around**: how many positions each pair needs"))
        table = pd.DataFrame({"radians per position": found.rates, "positions": found.wavelengths})
        saved = files.csv(lambda: table, "own-angles")
        picture = pictures.angles_picture(found, window)
        figure.show(picture, "own-angles", saved_as=[saved], scale=layout.scale())
    with right:
        typed = text(s.text, _("Text"))
        if can_ask(typed, _("The text")):
            attempt(_attended, s, model, typed)


def _attended(s: PositionsState, model: str, typed: str) -> None:
    """Mean attention by distance in a text, without the first token."""
    trace = answers.trace(model, typed)
    if not was_read(trace, typed, _("The text")) or trace.attention is None:
        return
    if len(trace.tokens) < LEAST:
        st.info(
            _("Type a longer text: with fewer than three tokens, there are no distances to compare.")
        )
        return
    weights = trace.attention.weights
    with row():
        layers = {i + 1: str(i + 1) for i in range(len(weights))}
        layer = choose_named(s.layer, _("Layer"), layers, NUMBER)
        heads = {i + 1: str(i + 1) for i in range(weights.shape[1])}
        head = choose_named(s.head, _("Head"), heads, NUMBER)
    every = by_distance(np.nanmean(weights, axis=(0, 1)), first=False)
    one = by_distance(weights[layer - 1, head - 1], first=False)
    if not (np.isfinite(every).any() and np.isfinite(one).any()):
        return
    st.markdown(_("**Attention by distance** in this text"))
    name = _("layer {layer}, head {head}").format(layer=layer, head=head)
    picture = pictures.attended_picture(every, one, name)
    table = pd.DataFrame({"all heads": every, name: one})
    saved = files.csv(lambda: table, "attention-by-distance")
    figure.show(picture, "attention-by-distance", saved_as=[saved], scale=layout.scale())
    share = float(np.nanmean(weights[:, :, 1:, 0]))
    terms.caption(
        _(
            "The first token is left out: it takes {share} % of all attention from the others, near or "
            "far. Rotation alone makes no head prefer near tokens; training decides."
        ).format(share=f"{100 * share:.0f}"),
        "attention sink",
    )
