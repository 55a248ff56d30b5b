"""All heads of a model as small maps, painted at once: `overview.js`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from core.figures import style
from core.figures.web.labels import label, written
from core.figures.web.picture import Picture
from core.figures.web.pooling import Pool, levels, pooled
from core.trace import Array

MOST_CELLS = 96  # along a side of a map
MOST_BYTES = 1_150_000  # of the numbers
_CELL, _ALL, _LEAST = 76, 640, 24  # pixels: of a row of maps, of all rows, of a row at least
_AROUND, _CHOICES = 118, 40
_CLOSE = 1e-3  # above a weight of 1, by rounding


def overview(
    weights: npt.ArrayLike,
    *,
    sentence: str,
    name: str,
    tokens: Sequence[str] | None = None,
    looking: Sequence[str] | None = None,
    layers: Sequence[str] | None = None,
    notes: Sequence[Sequence[str]] | None = None,
    chosen: tuple[int, int] | None = None,
    token: int | None = None,
    way: Literal["to", "from"] = "to",
    pool: Pool = "max",
    root: bool | None = None,
) -> Picture:
    """Layers × heads, each a small map: rows look, columns are looked at.

    A map of more than 96 tokens (fewer in a model of very many heads) is pooled, and the picture says
    so. With `tokens`, a token can be chosen, and every head is coloured by how much it looks to it (its
    column's mean weight) or from it (its row's largest weight). Events: "head" {layer, head}, "state"
    {token, way}.

    Args:
        weights: (layers, heads, queries, keys), 0 to 1.
        sentence: the picture in one sentence, for those who do not see it.
        name: of the saved file, after "polysee-".
        tokens: (keys,), what is looked at; None for no choice of tokens.
        looking: (queries,), what looks, where that is another text; `tokens` if not said.
        layers: their names; "Layer 1" and so on if not said.
        notes: (layers, heads), what is read with each head, such as "previous token .93"; "" for none.
        chosen: (layer, head), from 0: framed.
        token: the token that is chosen at first.
        way: whether the choice is of what heads look to, or from, at first.
        pool: a dot is the strongest of its cells, which keeps single links visible, or their mean.
        root: colour by the square root of the weight; above `style.LINEAR_UP_TO` tokens if not said.

    Raises:
        ValueError: there is nothing to draw, a number is no weight, or sizes do not fit.
    """
    numbers = np.asarray(weights, np.float32)
    if numbers.ndim != 4 or not numbers.size:
        raise ValueError(f"All heads are (layers, heads, queries, keys) weights, not {numbers.shape}.")
    n_layers, n_heads, queries, keys = numbers.shape
    seen = [label(token) for token in tokens or ()]
    look = [label(token) for token in looking] if looking is not None else seen
    if seen and (len(seen), len(look)) != (keys, queries):
        raise ValueError(f"{len(look)} and {len(seen)} tokens do not fit maps of {queries}×{keys}.")
    if layers is not None and len(layers) != n_layers:
        raise ValueError(f"{len(layers)} names do not fit {n_layers} layers.")
    if notes is not None and [len(row) for row in notes] != [n_heads] * n_layers:
        raise ValueError(f"Notes must be {n_layers} rows of {n_heads}.")
    if chosen is not None and not (0 <= chosen[0] < n_layers and 0 <= chosen[1] < n_heads):
        raise ValueError(f"There is no layer {chosen[0]} with a head {chosen[1]}, counted from 0.")
    if root is None:
        root = max(queries, keys) > style.LINEAR_UP_TO
    small = pooled(numbers, _side(n_layers * n_heads, queries, keys, bool(seen)), pool)
    strongest = small.away.max(axis=2)
    if not (np.isfinite(strongest).all() and strongest.max() < 1 + _CLOSE and small.maps.min() >= 0):
        raise ValueError("Weights are numbers from 0 to 1.")
    parts = [levels(small.maps, root=root)]
    ends = {"to": _end(small.to), "from": _end(small.away)}
    if seen:
        parts += [levels(small.to, root=True, end=ends["to"])]
        parts += [levels(small.away, root=True, end=ends["from"])]
    asked = look if way == "from" else seen
    header: dict[str, Any] = {
        "layers": [written(x) for x in layers or map(style.layer_name, range(n_layers))],
        "heads": n_heads,
        "maps": small.maps.shape[2:],
        "block": small.block,
        "pool": pool,
        "scale": {
            "kind": "weights",
            "root": root,
            "hue": style.WEIGHT_HUE,
            "title": "weight, square-root colours" if root else "weight",
        },
        "tokens": seen,
        "looking": None if look == seen else look,
        "ends": ends,
        "token": token if token is not None and 0 <= token < len(asked) else None,
        "way": way,
        "notes": [written(note) for row in notes or () for note in row],
        "strongest": [round(float(x), 4) for x in strongest.ravel()],
        "chosen": None if chosen is None else (int(chosen[0]), int(chosen[1])),
        "number": {"digits": 2, "plus": False, "bare": True},
        "height": _height(n_layers, bool(seen)),
        "dtype": "uint8",
        "sentence": sentence,
        "file": f"polysee-{name}",
    }
    return Picture("overview", header, b"".join(part.tobytes() for part in parts))


def _side(maps: int, queries: int, keys: int, tokens: bool) -> int:
    """How many cells along a side, so that all maps keep within the bytes."""
    left = MOST_BYTES - (maps * (queries + keys) if tokens else 0)
    return max(8, min(MOST_CELLS, math.isqrt(max(0, left) // maps)))


def _end(values: Array) -> float:
    return float(max(values.max(), 1e-6))


def _height(layers: int, tokens: bool) -> int:
    row = max(_LEAST, min(_CELL, _ALL // layers))
    return row * layers + _AROUND + (_CHOICES if tokens else 0)
