"""Copy, reverse, sort: a few letters in, the same letters out, in an order that attention must find."""

from __future__ import annotations

import string
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ...localization import N_
from ...records.frozen import Array
from ..training.batches import Batch, Example, pair
from ..training.recipe import Recipe
from .task import Goal, Kind, whole
from .vocabulary import Vocabulary

LETTERS = Vocabulary.of(string.ascii_lowercase, "letters")
SHORTEST, LONGEST = 4, 10
_PROBE = "polysemant"  # ten different letters, the greatest length in the training data


@dataclass(frozen=True)
class Letters:
    """4 to 10 different letters, and a rule for their order.

    `order` returns, for each position of the target, the position of its letter in the source.
    """

    name: Literal["copy", "reverse", "sort"]
    title: str
    look_for: str
    order: Callable[[Sequence[int]], Sequence[int]]
    recipe: Recipe
    kind: ClassVar[Kind] = "pair"
    goal: ClassVar[Goal] = Goal(accuracy=0.98, pattern=0.9)
    source: ClassVar[Vocabulary] = LETTERS
    target: ClassVar[Vocabulary] = LETTERS

    def example(self, letters: Sequence[int]) -> Example:
        """An example with these letters, and their order in the target."""
        order = self.order(letters)
        return pair(letters, [letters[i] for i in order], order)

    def examples(self, rng: np.random.Generator) -> Iterator[Example]:
        """See `Task.examples`."""
        while True:
            letters = _draw(rng)
            if not is_held_out(letters):
                yield self.example(letters)

    def held_out(self, count: int) -> tuple[Example, ...]:
        """See `Task.held_out`."""
        rng, examples = np.random.default_rng(0), list[Example]()
        while len(examples) < count:
            letters = _draw(rng)
            if is_held_out(letters):
                examples.append(self.example(letters))
        return tuple(examples)

    def probe(self) -> Example:
        """One word of ten letters."""
        return self.example(LETTERS.ids(_PROBE))

    def accuracy(self, predicted_BL: Array, batch: Batch) -> float:
        """The share of words that are written without an error."""
        return whole(predicted_BL, batch)


def is_held_out(letters: Sequence[int]) -> bool:
    """Whether these letters are held out: one word in ten, decided by the letters alone."""
    return zlib.crc32(bytes(letters)) % 10 == 0 or tuple(letters) == LETTERS.ids(_PROBE)


def _draw(rng: np.random.Generator) -> list[int]:
    n = int(rng.integers(SHORTEST, LONGEST + 1))
    first = LETTERS.ids("a")[0]
    drawn: list[int] = (first + rng.permutation(26)[:n]).tolist()
    return drawn


def _recipe(name: Literal["copy", "reverse", "sort"], steps: int) -> Recipe:
    return Recipe(
        task=name,
        steps=steps,
        batch=64,
        learning_rate=3e-3,
        warm_up=50,
        decay="linear",
        n_encoder_layers=1,
        n_decoder_layers=1,
        n_heads=4,
        n_cross_heads=1,
        d_model=64,
        d_ff=128,
        norm_first=True,
    )


COPY = Letters(
    "copy",
    N_("Copy letters"),
    N_(
        "Each row is a letter that the model writes; its weight should lie on the same letter of the "
        "source: a line from the upper left to the lower right. The pattern is the share of rows whose "
        "largest weight lies there."
    ),
    lambda letters: range(len(letters)),
    _recipe("copy", 300),
)
REVERSE = Letters(
    "reverse",
    N_("Reverse letters"),
    N_(
        "Each row is a letter that the model writes; its weight should lie on the same letter of the "
        "source: a line from the upper right to the lower left. The pattern is the share of rows whose "
        "largest weight lies there."
    ),
    lambda letters: range(len(letters) - 1, -1, -1),
    _recipe("reverse", 500),
)
SORT = Letters(
    "sort",
    N_("Sort letters"),
    N_(
        "Each row is a letter that the model writes; its weight should lie on the same letter of the "
        "source, wherever that is: one strong cell in each row and in each column. The pattern is the "
        "share of rows whose largest weight lies there."
    ),
    lambda letters: sorted(range(len(letters)), key=letters.__getitem__),
    _recipe("sort", 400),
)
