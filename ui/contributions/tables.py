"""The numbers behind the pictures of what put a word there, for files: all of them, the biases too."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.measures import Why
from core.measures.contributions.by_head import HeadWhy
from core.measures.contributions.contribution_difference import Apart
from core.measures.contributions.expectation_shifts import Shift
from core.records.trace import Array
from ui.contributions.pictures import layer_names
from ui.text import token_text

BIASES = "(biases)"
CONSTANTS = "(biases and axis)"  # of one sentence; of two, the axis drops out
OTHER_PARTS = ("heads, from itself", "no head", BIASES)


def by_look(found: HeadWhy) -> pd.DataFrame:
    """A row for each word that the head was asked of."""
    columns = {"adds": found.adds, "cut moves by": found.cuts, "attention": found.attention}
    return pd.DataFrame(columns, index=pd.Index(found.names, name="word"))


def expected(found: Shift) -> pd.DataFrame:
    """A row for each word that is likely at a mask, as it is or changed."""
    columns = {"as it is": found.before, "changed": found.after, "difference": found.difference}
    names = [token_text(*one) for one in zip(found.texts, found.tokens, strict=True)]
    return pd.DataFrame(columns, index=pd.Index(names, name="word"))


def by_word(found: Why) -> pd.DataFrame:
    """Every word, what no word adds, and the place: the first column adds up to its last row."""
    columns = {
        "adds": [*found.contributions, found.constant, found.coordinate],
        "cut moves by": [*found.cuts, np.nan, np.nan],
        "attention": [*found.attention, np.nan, np.nan],
    }
    return pd.DataFrame(columns, index=pd.Index([*found.names, CONSTANTS, "(place)"], name="word"))


def apart(found: Apart) -> pd.DataFrame:
    """Every word, the biases, and how far the places are apart: the sum."""
    columns = {
        "stands in": [*found.where, "", ""],
        "A less B": [*found.contributions, found.constants[0], found.coordinate],
    }
    return pd.DataFrame(columns, index=pd.Index([*found.words, BIASES, "(places)"], name="word"))


def by_layer(found: Why | Apart) -> pd.DataFrame:
    """Every word, and the biases: each row, that of the embedding first, adds up to the whole."""
    columns = [*found.names, BIASES if isinstance(found, Apart) else CONSTANTS]
    rows = pd.Index(["embedding", *layer_names(len(found.by_layer) - 1)], name="after")
    return pd.DataFrame(np.column_stack([found.by_layer, found.constants]), rows, columns)


def by_head(found: Why | Apart) -> pd.DataFrame:
    """Each head, and the other parts of its layer: each row adds up to the whole."""
    heads = found.by_head.shape[1]
    columns = [*(f"head {i + 1}" for i in range(heads)), *OTHER_PARTS]
    rows = pd.Index(layer_names(len(found.by_head)), name="in")
    return pd.DataFrame(np.column_stack([found.by_head, found.parts[:, 1:]]), rows, columns)


def ranked(found: Why, cuts: Array, ablated: Array) -> pd.DataFrame:
    """Every cut of attention to one word and every ablated head; what moves the word farthest first.

    Args:
        found: the answer for one sentence.
        cuts: (words,), as `Why.cuts`; a word where it is NaN has no row.
        ablated: (layers, heads), what ablating each head does.
    """
    layers, heads = ablated.shape
    asked = np.flatnonzero(~np.isnan(cuts))
    names = [f"no attention to {found.names[i]}" for i in asked]
    names += [f"layer {i + 1}, head {j + 1} ablated" for i in range(layers) for j in range(heads)]
    rows = pd.DataFrame(
        {
            "moves by": [*cuts[asked], *ablated.ravel()],
            "adds": [*found.contributions[asked], *found.by_head.ravel()],
        },
        index=pd.Index(names, name="without"),
    )
    return rows.sort_values("moves by", key=np.abs, ascending=False, kind="stable")
