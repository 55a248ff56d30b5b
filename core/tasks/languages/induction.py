"""Induction: random letters occur twice; the second time they can be predicted from the first.

A head of the second layer looks for the token that followed this letter the last time. For that, a head
of the first layer must have stored at each position which letter precedes it (Olsson et al. 2022,
"In-context Learning and Induction Heads").
"""

from __future__ import annotations

import string
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ...localization import N_
from ...records.frozen import Array
from ..training.batches import NOWHERE, UNKNOWABLE, Batch, Example
from ..training.recipe import Recipe
from .task import Goal, Kind, each
from .vocabulary import PAD_ID, Vocabulary

SIGNS = Vocabulary.of(string.ascii_lowercase + string.digits, "letters")
SHORTEST, LONGEST = 6, 16
_HELD_OUT_OF = 10
_PROBE = "polysemant"


@dataclass(frozen=True)
class Induction:
    """6 to 16 different random letters, then the same again, which can be predicted."""

    recipe: Recipe
    name: ClassVar[Literal["induction"]] = "induction"
    title: ClassVar[str] = N_("Repeated random letters")
    look_for: ClassVar[str] = N_(
        "The loss of the second half falls towards 0; that of the first cannot, since nobody can "
        "know one of 36 letters (ln 36 = 3.6). In layer 2, each row of the second half should "
        "attend to whatever followed the same letter in the first half: a line beside the "
        "diagonal. Layer 1 attends one position back. The pattern is the share of rows of the "
        "second half whose largest weight in layer 2 lies there."
    )
    kind: ClassVar[Kind] = "next"
    goal: ClassVar[Goal] = Goal(accuracy=0.98, pattern=0.9)
    source: ClassVar[None] = None
    target: ClassVar[Vocabulary] = SIGNS

    def example(self, signs: Sequence[int]) -> Example:
        """These letters twice, without the last one, which is only a label.

        The first half is predicted as well, as a language model predicts all of a text, and cannot be
        known. At its end there is nothing to predict: it may go on, or begin again.
        """
        n = len(signs)
        return Example(
            (),
            (*signs, *signs[:-1]),
            (*signs[1:], PAD_ID, *signs[1:]),
            (*(NOWHERE,) * n, *range(1, n)),
            (*(UNKNOWABLE,) * (n - 1), 0.0, *(1.0,) * (n - 1)),
        )

    def examples(self, rng: np.random.Generator) -> Iterator[Example]:
        """See `Task.examples`."""
        while True:
            signs = _draw(rng)
            if not is_held_out(signs):
                yield self.example(signs)

    def held_out(self, count: int) -> tuple[Example, ...]:
        """See `Task.held_out`."""
        rng, examples = np.random.default_rng(0), list[Example]()
        while len(examples) < count:
            signs = _draw(rng)
            if is_held_out(signs):
                examples.append(self.example(signs))
        return tuple(examples)

    def probe(self) -> Example:
        """One word of ten letters, twice."""
        return self.example(SIGNS.ids(_PROBE))

    def accuracy(self, predicted_BL: Array, batch: Batch) -> float:
        """The share of letters in the second half, except its first, that are predicted correctly."""
        return each(predicted_BL, batch)


def is_held_out(signs: Sequence[int]) -> bool:
    """Whether these letters are held out: one sequence in ten, decided by the letters alone."""
    return zlib.crc32(bytes(signs)) % _HELD_OUT_OF == 0 or tuple(signs) == SIGNS.ids(_PROBE)


def _draw(rng: np.random.Generator) -> list[int]:
    n = int(rng.integers(SHORTEST, LONGEST + 1))
    first = SIGNS.ids(SIGNS.known[0])[0]
    drawn: list[int] = (first + rng.permutation(len(SIGNS.known))[:n]).tolist()
    return drawn


INDUCTION = Induction(
    Recipe(
        task="induction",
        steps=300,
        batch=64,
        learning_rate=4e-3,
        warm_up=50,
        decay="linear",
        n_encoder_layers=0,
        n_decoder_layers=2,
        n_heads=1,
        n_cross_heads=1,
        d_model=64,
        d_ff=0,
        norm_first=True,
        # "One position back" is the same rotation at every position. With sinusoidal positions, one
        # seed in eight found a different solution, without the pattern.
        positions="rotary",
    )
)
