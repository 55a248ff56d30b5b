"""Heads that copy, measured on a text that repeats itself.

Induction: from a token to the one behind its earlier occurrence (Olsson et al. 2022). Previous token
(ibid.) and duplicate token (Wang et al. 2022, "Interpretability in the Wild", section 3). Sink: the
attention to the first token (`sink`). All are mean weights: they say where a head looks, and an
ablation says whether it matters.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...records.frozen import Array, Record
from ...records.score import Score

if TYPE_CHECKING:
    import pandas as pd

Head = tuple[int, int]  # layer and head, from 0
MEASURES = ("induction", "previous", "duplicate", "sink")
BEST = 10  # heads by induction that no control ablates


@dataclass(frozen=True, eq=False)
class CopyingHeads(Record):
    """What each head attends to in a text whose second half repeats the first.

    Attributes:
        induction: (layers, heads), from a token of the second half to the one behind its earlier
            occurrence: the token that comes next.
        previous: (layers, heads), from a token of either half to the one before it.
        duplicate: (layers, heads), from a token of the second half to its earlier occurrence.
        sink: (layers, heads), from a token of either half to the first token of all.
        length: tokens in one half.
    """

    induction: Array
    previous: Array
    duplicate: Array
    sink: Array
    length: int

    def __post_init__(self) -> None:
        self._freeze(*MEASURES)

    def ranked(self, measure: str = "induction") -> list[Head]:
        """All heads, (layer, head) from 0, the highest score first; missing heads are left out."""
        values = getattr(self, measure)
        order = np.argsort(-values, axis=None, kind="stable")
        places = [divmod(int(one), values.shape[1]) for one in order]
        return [place for place in places if np.isfinite(values[place])]

    def to_frame(self) -> pd.DataFrame:
        """One row for each head: layer and head from 0, and the four scores."""
        import pandas as pd

        layers, heads = np.indices(self.induction.shape)
        scores = {name: getattr(self, name).ravel() for name in MEASURES}
        return pd.DataFrame({"layer": layers.ravel(), "head": heads.ravel(), **scores})


def copying_heads(weights: Array, length: int) -> CopyingHeads:
    """Measure heads on a text whose last `length` tokens repeat the `length` before them.

    Args:
        weights: (layers, heads, L, L), rows attend to columns.
        length: tokens in one half; at least one token stands before the first half.

    Raises:
        ValueError: the text is too short for two halves and a token before them.
    """
    size = weights.shape[-1]
    if length < 2 or size < 2 * length + 1:
        raise ValueError(f"{size} tokens are not one and twice {length}.")
    second = np.arange(size - length, size)
    # The row of the first token of the first half is left out: the one before it is the sink.
    inside = np.arange(size - 2 * length + 1, size)

    def mean(rows: Array, columns: Array) -> Array:
        found: Array = weights[:, :, rows, columns].mean(axis=-1, dtype=np.float64)
        return found

    return CopyingHeads(
        mean(second, second - length + 1),
        mean(inside, inside - 1),
        mean(second, second - length),
        mean(inside, np.zeros_like(inside)),
        length,
    )


def control_heads(found: CopyingHeads, count: int, draws: int, seed: int) -> list[tuple[Head, ...]]:
    """Heads to ablate beside the best ones: drawn at random from those behind the first ten.

    Args:
        found: the scores.
        count: heads in one draw; fewer if there are not so many.
        draws: how many draws; none if no head is left.
        seed: of all draws.
    """
    others = sorted(found.ranked()[BEST:])
    drawn = random.Random(seed)
    return [
        tuple(sorted(drawn.sample(others, min(count, len(others)))))
        for _ in range(draws * bool(others))
    ]


@dataclass(frozen=True, eq=False)
class Copying(Record):
    """How well a model repeats a text, with all its heads and with some ablated.

    Attributes:
        length: tokens in one half.
        score: the surprise at each token, with every head; the last 2 · `length` tokens are the halves.
        heads: what each head attends to; None where the model gives no weights.
        ablated: the best induction heads, (layer, head) from 0.
        without: the surprise without them; None if none are ablated.
        controls: the heads of each random draw, as many.
        random: the surprise without those of each draw.

    Raises:
        ValueError: the fields do not fit each other.
    """

    length: int
    score: Score
    heads: CopyingHeads | None
    ablated: tuple[Head, ...] = ()
    without: Score | None = None
    controls: tuple[tuple[Head, ...], ...] = ()
    random: tuple[Score, ...] = ()

    def __post_init__(self) -> None:
        if len(self.controls) != len(self.random):
            raise ValueError("Each draw has one run.")
        every = [self.score, *self.random, *([self.without] if self.without else [])]
        if any(one.ids != self.score.ids or len(one.ids) <= 2 * self.length for one in every):
            raise ValueError("All runs are of one text, which has two halves behind a token.")

    def halves(self, score: Score | None = None) -> tuple[float, float]:
        """Mean bits a token of the first and of the second half; by default with every head."""
        bits = np.asarray((score or self.score).bits[-2 * self.length :], np.float64)
        return float(bits[: self.length].mean()), float(bits[self.length :].mean())

    def control(self) -> tuple[float, float, float] | None:
        """Bits a token of the second half over the draws: mean, least and most; None without draws."""
        seconds = [self.halves(one)[1] for one in self.random]
        return (float(np.mean(seconds)), min(seconds), max(seconds)) if seconds else None

    def to_frame(self) -> pd.DataFrame:
        """One row for each token of the halves: token, half, and the bits of each run."""
        import pandas as pd

        count, half = 2 * self.length, self.length
        runs = {"bits": self.score}
        if self.without is not None:
            runs["without induction"] = self.without
        runs |= {f"without random {i + 1}": one for i, one in enumerate(self.random)}
        return pd.DataFrame(
            {
                "token": self.score.tokens[-count:],
                "half": [1] * half + [2] * half,
                **{name: one.bits[-count:] for name, one in runs.items()},
            }
        )
