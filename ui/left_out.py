"""What a picture of attention leaves out: special tokens, or a decoder's first token and its share."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.localization import N_, _, gettext
from core.measures import AttentionBlock, HeadMap
from core.measures.attention.visible import missing
from core.records.trace import SINK
from core.sentences import percent

REST = N_("It is left out below, and the rest of each row rescaled to add up to 1.")


def label(first_is_sink: bool) -> str:
    """The name of the switch that shows them."""
    return _("First token (sink)") if first_is_sink else _("Special tokens")


def of_map(view: HeadMap, whose: str) -> None:
    """Draw the share of a first token that was left out, as a bar; nothing for special tokens.

    Args:
        view: the weights without it.
        whose: what it is a share of: "of this head’s attention".
    """
    if view.first_is_sink and view.renormalised:
        _bar(view.dropped, whose)


def of_all(block: AttentionBlock, whose: str) -> None:
    """The same for all heads of a block that has the first token."""
    if block.first_is_sink and block.special[1]:
        weights = block.attention.weights
        rows = [i for i in range(weights.shape[2]) if i not in block.special[0]]
        of_rows = weights[:, :, rows]
        share = of_rows[..., list(block.special[1])].sum(axis=-1)
        _bar(share[~missing(of_rows)], whose)


def _bar(shares: np.ndarray, whose: str) -> None:
    there = shares[~np.isnan(shares)]
    if there.size:
        share = float(there.mean())
        st.progress(
            min(1.0, max(0.0, share)),
            text=f"**{gettext(SINK)}**: {percent(share)} {whose}. {gettext(REST)}",
        )
