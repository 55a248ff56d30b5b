"""What a visitor's own device must know to draw the picture of this page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures.picture import Numbers
from core.localization import N_, gettext
from pages.heads import zoom
from pages.heads.displayed import Panel
from pages.heads.state import HeadsState
from ui import device
from ui.serving import sent_once

_BEHIND = (
    ".stMain .stExpander",
    ".stMain [data-testid='stCaptionContainer']",
    ".st-key-striking",
    ".st-key-striking-message",
)
_ALONE = N_("This device computes one text in one model: the server computes pairs and a second model.")
_CHANGED = N_(
    "This device computes every token as the model reads it: the server computes whole words, masks, "
    "and tokens that were masked or added."
)


def context(s: HeadsState, panels: Sequence[Panel]) -> device.Context:
    """The choices of the page for the device.

    Args:
        s: the state of the page.
        panels: the content of all panels.
    """
    one = panels[0]
    asked = one.text_query
    why = ""
    if len(panels) > 1 or asked.second is not None:
        why = gettext(_ALONE)
    elif asked.masked or asked.more or asked.causal or one.chosen.words:
        why = gettext(_CHANGED)
    return device.Context(
        page="heads",
        texts={"text": device.Text(s.text)},
        about=["text"],
        behind=_BEHIND,
        why=why,
        inputs={
            "picture": zoom.picture_name(one),
            "layer": "mean" if one.averaged else one.layer,
            "special": zoom.special(one),
            "check": None if why else _check(one),
        },
    )


def _check(one: Panel) -> dict[str, object] | None:
    """Exact numbers to compare: in each head, the weights of one query. None if nobody answers.

    The picture of all heads has its numbers rounded to a byte each.
    """
    weights = one.block.attention.weights
    if one.averaged or np.ndim(weights) != 4:
        return None
    query = weights.shape[2] // 2
    row = np.ascontiguousarray(weights[:, :, query], np.float32)
    address = sent_once.numbers(Numbers(b"", row.tobytes()))
    return None if address is None else {"query": query, "address": address}
