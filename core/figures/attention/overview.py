"""All heads of a model as small maps, painted at once: `overview/overview.js`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ...localization import _, gettext, ngettext
from ...records.attention import Outside
from ...records.trace import Array
from .. import schema, style
from ..labels import label, written
from ..link import Link
from ..picture import Picture
from ..scales import square_root, weight_scale
from .ordering import Patterns
from .pooling import Pool, levels, pooled

MOST_CELLS = 96  # the most cells along a side of a map
MOST_BYTES = 1_150_000  # the most bytes of the numbers
_CELL, _ALL, _LEAST = 70, 640, 24  # pixels: a row of maps, all rows, the least height of a row
_AROUND, _CHOICES = 118, 40
_BYTES = 8  # a score as JSON
_NOTHING = 1e-6  # the least end of a scale
_LEAST_CELLS = 8
_CLOSE = 1e-3  # tolerated above a weight of 1, for rounding
_STATE: Mapping[str, Any] = {
    "token": None,
    "direction": "to",
    "pattern": None,
    "typical": False,
    "threshold": 0.0,
    "special": None,
}


@dataclass(frozen=True, eq=False)
class AllHeads:
    """The weights of every head of a model, with what is known of its layers and heads.

    Attributes:
        weights: (layers, heads, queries, keys), 0 to 1; a missing row is NaN.
        tokens: (keys,), the tokens that are attended to; None for a picture without a choice of tokens.
        query_tokens: (queries,), the queries, if they are another text; `tokens` by default.
        positions: the position of each query and each key in the whole text; the chosen token is one of
            these, so that it keeps its meaning while some tokens are hidden. By default they are
            numbered in order, and a change of "special" then clears the chosen token.
        missing_heads: (layers, heads) bool; by default, those whose rows are all missing.
        seen: (layers,), what the queries of each layer may see, in words; "" if they see all. Empty if
            every layer sees all.
        outside: the destination of the share of each row that goes to no column; None without such a
            share.
        layers: the names of the layers; by default "Layer 1" and so on.
        notes: (layers, heads), a note read with each head, such as "previous token 0.93"; "" for none.
        patterns: the scores of each head for each pattern.
        group: how many neighbouring heads share a key and a value; 1: each has its own.

    Raises:
        ValueError: if there is nothing to draw, or names, notes or positions do not fit the weights.
    """

    weights: npt.ArrayLike
    tokens: Sequence[str] | None = None
    query_tokens: Sequence[str] | None = None
    positions: tuple[Sequence[int], Sequence[int]] | None = None
    missing_heads: npt.ArrayLike | None = None
    seen: Sequence[str] = ()
    outside: Outside | None = None
    layers: Sequence[str] | None = None
    notes: Sequence[Sequence[str]] | None = None
    patterns: Patterns | None = None
    group: int = 1
    left_out: str = ""

    def __post_init__(self) -> None:
        if self.numbers.ndim != 4 or not self.numbers.size:
            shape = self.numbers.shape
            raise ValueError(f"Weights must be (layers, heads, queries, keys), not {shape}.")
        layers, heads, queries, keys = self.numbers.shape
        rows, columns = self.labels
        if columns and (len(columns), len(rows)) != (keys, queries):
            given = f"{len(rows)} and {len(columns)} tokens"
            raise ValueError(f"{given} do not fit maps of {queries}×{keys}.")
        if self.group < 1 or heads % self.group:
            raise ValueError(f"{heads} heads do not divide into groups of {self.group}.")
        if self.layers is not None and len(self.layers) != layers:
            raise ValueError(f"{len(self.layers)} names do not fit {layers} layers.")
        if self.notes is not None and [len(row) for row in self.notes] != [heads] * layers:
            raise ValueError(f"Notes must be {layers} rows of {heads}.")
        if self.positions is not None and [len(some) for some in self.positions] != [queries, keys]:
            given = f"{[len(some) for some in self.positions]} positions"
            raise ValueError(f"{given} do not fit {queries} × {keys}.")

    @cached_property
    def numbers(self) -> Array:
        """(layers, heads, queries, keys) float32."""
        return np.asarray(self.weights, np.float32)

    @cached_property
    def labels(self) -> tuple[list[str], list[str]]:
        """The queries and the keys as they are written; both empty without a choice of tokens."""
        keys = [label(token) for token in self.tokens or ()]
        if self.query_tokens is None:
            return keys, keys
        return [label(token) for token in self.query_tokens], keys


def overview(
    shown: AllHeads,
    *,
    sentence: str,
    name: str,
    state: Mapping[str, Any] | None = None,
    chosen: tuple[int, int] | None = None,
    link: Link | None = None,
    pool: Pool = "max",
    root: bool | None = None,
) -> Picture:
    """Layers × heads, each a small map: rows are queries, columns are keys.

    A map of more than 96 tokens (fewer in a model with very many heads) is pooled, and the picture says
    so. Missing rows and missing heads are hatched. With `shown.tokens`, a token can be chosen, and
    every head is then coloured by its attention to it (the mean weight of its column) or from it (the
    largest weight of its row). With `shown.patterns`, heads can be ordered by a pattern, and those that
    hardly follow it can be hidden.

    Events: "head" {layer, head}, and "state", the whole state in the format of `state`.

    Args:
        shown: the weights of all heads.
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".
        state: what to show first: "token" (the chosen one; None for none), "direction" ("to" or "from":
            whether attention to it, or from it, is shown), "pattern" (the pattern that orders the
            heads; None for the order by layer and number), "typical" (whether to use the scores of
            other texts instead of this text's), "threshold" (heads with a lower score are left out, 0
            to 1 in steps of 0.05), "special" (whether special tokens are shown, which a visitor can
            change; with False, each row has been rescaled to 1 without them; None if there is no such
            choice). It may come from a link: what is missing or does not fit takes its default.
        chosen: (layer, head), from 0, of the framed head.
        link: the choices that the picture shares with others on its page; only with tokens.
        pool: whether a dot shows the strongest of its cells, which keeps single links visible, or their
            mean.
        root: whether to colour by the square root of the weight; by default, above
            `scales.LINEAR_UP_TO` tokens.

    Raises:
        ValueError: if a number is not a weight, or sizes do not fit.
    """
    numbers, (rows, columns), patterns = shown.numbers, shown.labels, shown.patterns
    n_layers, n_heads, queries, keys = numbers.shape
    if chosen is not None and not (0 <= chosen[0] < n_layers and 0 <= chosen[1] < n_heads):
        raise ValueError(f"There is no layer {chosen[0]} with a head {chosen[1]}, counted from 0.")
    if link is not None and not columns:
        raise ValueError("A picture without tokens cannot share a chosen token with another picture.")
    first = {**_STATE, **(state or {})}
    ordered = None if patterns is None else patterns.header(n_layers, n_heads)
    if root is None:
        root = square_root(queries, keys)
    small = pooled(numbers, _side(numbers.shape, bool(columns), patterns), pool)
    gone = np.isnan(small.away)  # (layers, heads, queries)
    none = np.asarray(gone.all(axis=2))
    if shown.missing_heads is not None:
        none = np.asarray(shown.missing_heads, bool)
        if none.shape != (n_layers, n_heads):
            raise ValueError(f"Heads that are absent are {n_layers} × {n_heads}, not {none.shape}.")
    strongest = np.where(gone, 0, small.away).max(axis=2)
    # otherwise, a row is NaN only in part
    whole = np.isfinite(strongest).all() and np.isnan(numbers[gone]).all()
    least_of_maps = np.nan_to_num(small.maps).min() if gone.any() else small.maps.min()
    if not (whole and strongest.max() < 1 + _CLOSE and least_of_maps >= 0):
        raise ValueError("Weights must be numbers from 0 to 1.")
    parts = [levels(small.maps, root=root)]
    maxima = {"to": _end(small.to), "from": _end(small.away)}
    if columns:
        parts += [levels(small.to, root=True, end=maxima["to"])]
        parts += [levels(small.away, root=True, end=maxima["from"])]
    if gone.any():
        parts += [np.packbits(gone.ravel(), bitorder="little")]
    positions = shown.positions
    has_choices = bool(columns) or first["special"] is not None
    header: dict[str, Any] = {
        "layers": [written(x) for x in shown.layers or map(style.layer_name, range(n_layers))],
        "heads": n_heads,
        "group": shown.group,
        "maps": small.maps.shape[2:],
        "block": small.block,
        "pool": pool,
        "scale": weight_scale(queries, keys, root=root),
        "tokens": columns,
        "queryTokens": None if rows == columns else rows,
        "queries": queries,
        "hasMissingRows": bool(gone.any()),
        "missingHeads": np.flatnonzero(none).tolist(),
        "captions": _captions(n_layers, none, shown.seen, shown.outside),
        "maxima": maxima,
        "withoutSpecial": first["special"] is False,
        "positions": None if positions is None else [[int(i) for i in some] for some in positions],
        "patterns": ordered,
        "link": None if link is None else link.header(queries, keys),
        "notes": [written(note) for row in shown.notes or () for note in row],
        "strongest": [
            None if away else round(float(x), 4)
            for x, away in zip(strongest.ravel(), gone.all(axis=2).ravel(), strict=True)
        ],
        "chosen": None if chosen is None else (int(chosen[0]), int(chosen[1])),
        "number": {"digits": 2, "plus": False},
        "height": _height(n_layers, has_choices, patterns is not None),
        "dtype": "uint8",
        "sentence": sentence,
        "file": f"polysee-{name}",
    }
    if shown.left_out:
        header["leftOut"] = shown.left_out
    payload = b"".join(part.tobytes() for part in parts)
    return Picture("overview", header, payload, _whole_state).choosing(first)


def _whole_state(header: Mapping[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    sides = header["queryTokens"] or header["tokens"], header["tokens"]
    positions = header["positions"] or [range(len(side)) for side in sides]
    patterns = header["patterns"]
    there = {
        "tokens": positions[chosen.get("direction") != "from"] if header["tokens"] else (),
        "patterns": range(len(patterns["names"]) if patterns else 0),
        "typical": (False, True) if patterns and patterns["typical"] else (False,),
    }
    state = schema.complete("overview", chosen, there)
    return state if patterns else {**state, "threshold": 0.0}


def _side(shape: tuple[int, ...], tokens: bool, patterns: Patterns | None) -> int:
    """The number of cells along a side for which all maps stay within the limit of bytes."""
    layers, heads, queries, keys = shape
    each = queries + keys if tokens else 0
    if patterns is not None:
        each += _BYTES * len(patterns.names) * (1 if patterns.typical is None else 2)
    maps = layers * heads
    return max(_LEAST_CELLS, min(MOST_CELLS, math.isqrt(max(0, MOST_BYTES - maps * each) // maps)))


def _end(values: Array) -> float:
    return float(max(values.max(initial=0, where=~np.isnan(values)), _NOTHING))


def _captions(layers: int, absent: Array, seen: Sequence[str], outside: Outside | None) -> list[str]:
    """Captions below the maps of layers with missing heads, masks or sinks."""
    if len(seen) not in (0, layers):
        raise ValueError(f"Masks of {len(seen)} layers do not fit {layers} layers.")
    captions = []
    bare = [int(layer) for layer in np.flatnonzero(absent.all(axis=1))]
    if bare:
        captions.append(_("hatched: no attention in {layers}").format(layers=_counted(bare)))
    fewer = [int(layer) for layer in np.flatnonzero(absent.any(axis=1)) if layer not in bare]
    if fewer:
        said = ngettext(
            "hatched: {layers} has fewer heads", "hatched: {layers} have fewer heads", len(fewer)
        )
        captions.append(said.format(layers=_counted(fewer)))
    for what in dict.fromkeys(seen):
        those = [layer for layer in range(layers) if seen[layer] == what and layer not in bare]
        if those and what:
            captions.append(f"{_counted(those)}: {what}" if len(those) < layers - len(bare) else what)
    if outside is not None:
        captions.append(gettext(style.OUTSIDE_OF_ALL[outside]))
    return captions


def _counted(layers: Sequence[int]) -> str:
    """Layer numbers in words, from 1: "layer 3", "layers 1–3, 5"."""
    runs: list[list[int]] = []
    for layer in layers:
        if runs and runs[-1][1] == layer - 1:
            runs[-1][1] = layer
        else:
            runs.append([layer, layer])
    texts = [f"{a + 1}" if a == b else f"{a + 1}{'–' if b > a + 1 else ', '}{b + 1}" for a, b in runs]
    return ngettext("layer {numbers}", "layers {numbers}", len(layers)).format(numbers=", ".join(texts))


def _height(layers: int, choices: bool, patterns: bool) -> int:
    return max(_LEAST, min(_CELL, _ALL // layers)) * layers + _AROUND + _CHOICES * (choices + patterns)
