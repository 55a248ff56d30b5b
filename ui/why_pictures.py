"""The pictures and tables of what put a word there; they ask nobody."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from core.figures.web import Picture, bars, signed_heatmap
from core.measures import Why
from core.measures.why import difference
from core.trace import Array

ROW, AROUND = 26, 70  # pixels: the same in all three, so that a word is one line across them
MOST_ROWS = 20
BIASES = "(biases)"


def by_word(found: Why, name: str) -> Mapping[str, Picture]:
    """The same words three times: what each adds, what its cut does, how much it is looked at."""
    shown = list(found.shown)
    words = [found.words[i] for i in shown]
    pushes, cuts = found.pushes[shown], found.cuts[shown]
    drawn = partial(
        bars,
        labels=words,
        chosen=shown.index(found.own[0]) if found.own else None,
        height=ROW * len(words) + AROUND,
    )
    most = float(max(np.abs(pushes).max(), np.abs(cuts).max(), 0.3))
    return {
        "adds": drawn(
            pushes,
            unit="added to the place on the sense axis",
            sentence="What each word adds to the place of the word: an exact sum.",
            name=f"why-adds-{name}",
            kind="signed",
            most=most,
        ),
        "cuts": drawn(
            cuts,
            unit="change of place on the sense axis",
            sentence="How far the word moves when it no longer looks at each word.",
            name=f"why-cuts-{name}",
            kind="signed",
            most=most,
        ),
        "looks": drawn(
            found.looks[shown],
            unit="mean weight",
            sentence="How much the word looks at each word, in the mean of all layers and heads.",
            name=f"why-looks-{name}",
        ),
    }


def table(found: Why) -> pd.DataFrame:
    """Every word, the biases, and the place: the first column adds up to its last row."""
    columns = {
        "adds": [*found.pushes, found.constant, found.place],
        "cut moves by": [*found.cuts, np.nan, np.nan],
        "looked at": [*found.looks, np.nan, np.nan],
    }
    return pd.DataFrame(columns, index=pd.Index([*found.words, BIASES, "(place)"], name="word"))


class Apart(NamedTuple):
    """The pushes in A less those in B, those that differ most.

    Attributes:
        labels: the words, in their order.
        where: of each, "A and B", "A" or "B".
        values: (rows,).
        left: what all other words make, and how many they are.
    """

    labels: tuple[str, ...]
    where: tuple[str, ...]
    values: Array
    left: tuple[float, int]


def apart(a: Why, b: Why) -> Apart:
    """The rows of `apart_picture`."""
    labels, where, values = difference(a, b)
    kept = sorted(np.argsort(-np.abs(values), kind="stable")[:MOST_ROWS].tolist())
    left = np.delete(values, kept)
    return Apart(
        tuple(labels[i] for i in kept),
        tuple(where[i] for i in kept),
        values[kept],
        (float(left.sum()), len(left)),
    )


def apart_picture(shown: Apart) -> Picture:
    """A bar for each word; one that stands in one sentence alone says in which."""
    labels = [
        label if at == "A and B" else f"{label} ({at})"
        for label, at in zip(shown.labels, shown.where, strict=True)
    ]
    return bars(
        shown.values,
        labels,
        unit="added in A, less added in B",
        sentence="What each word adds to the place of the word in A, less what it adds in B.",
        name="why-apart",
        kind="signed",
        height=ROW * len(labels) + AROUND,
    )


def apart_table(a: Why, b: Why) -> pd.DataFrame:
    """Every word, the biases, and how far the places are apart: the sum."""
    labels, where, values = difference(a, b)
    columns = {
        "stands in": [*where, "", ""],
        "A less B": [*values, a.constant - b.constant, a.place - b.place],
    }
    return pd.DataFrame(columns, index=pd.Index([*labels, BIASES, "(places)"], name="word"))


def by_layer(found: Why, name: str) -> Picture:
    """Layers downwards, words to the right: where what adds up stands."""
    shown = list(found.shown)
    rows = ["embedding", *(f"Layer {i + 1}" for i in range(len(found.by_layer) - 1))]
    return signed_heatmap(
        rows,
        [found.words[i] for i in shown],
        found.by_layer[:, shown],
        title="adds",
        sentence="What stands at each word behind each layer adds to the place of the word.",
        name=f"why-layers-{name}",
        of=("behind", "at"),
        between=", ",
    )


def of_heads(values: Array, title: str, sentence: str, name: str) -> Picture:
    """A cell for each head: layers downwards, heads to the right."""
    layers, heads = values.shape
    return signed_heatmap(
        [f"Layer {i + 1}" for i in range(layers)],
        [str(i + 1) for i in range(heads)],
        values,
        title=title,
        sentence=sentence,
        name=f"why-{name}",
        of=("layer", "head"),
        between=", head ",
    )


def ranked(found: Why, silenced: Array) -> pd.DataFrame:
    """Every cut of one look and every silenced head, the one that moves the word farthest first."""
    layers, heads = silenced.shape
    names = [f"no look at {found.words[i]}" for i in found.shown]
    names += [f"layer {i + 1}, head {j + 1} silent" for i in range(layers) for j in range(heads)]
    rows = pd.DataFrame(
        {
            "moves by": [*found.cuts[list(found.shown)], *silenced.ravel()],
            "adds": [*found.pushes[list(found.shown)], *found.carried.ravel()],
        },
        index=pd.Index(names, name="without"),
    )
    return rows.sort_values("moves by", key=np.abs, ascending=False, kind="stable")
