"""Examples in a prompt: how often a model gives the right answer after none, two, four or eight.

Brown et al. 2020, "Language Models are Few-Shot Learners": the weights stay, and only the text before
the question changes. An answer is right if its first token is the likeliest next token.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..errors import SettingError
from ..records.frozen import Array, Record

if TYPE_CHECKING:
    import pandas as pd

SHOTS = (0, 2, 4, 8)
ASKED = 12  # questions
MOST_PAIRS, MOST_SIDE = 30, 60  # lines, and characters of a side
CAPITALS = """France : Paris
Italy : Rome
Spain : Madrid
Germany : Berlin
Japan : Tokyo
China : Beijing
Russia : Moscow
Egypt : Cairo
Greece : Athens
Poland : Warsaw
Austria : Vienna
Ireland : Dublin
Portugal : Lisbon
Norway : Oslo
Sweden : Stockholm
Cuba : Havana
Peru : Lima
Kenya : Nairobi
Iran : Tehran
Hungary : Budapest"""


class Pair(NamedTuple):
    """A question and its answer, without spaces around them."""

    question: str
    answer: str


def pairs_in(text: str) -> list[Pair]:
    """The pairs in lines "question : answer"; blank lines are skipped.

    Raises:
        SettingError: a line has no colon or nothing on one side of it, is too long, or there are fewer
            than two or too many.
    """
    found = []
    for line in filter(str.strip, text.splitlines()):
        left, colon, right = (part.strip() for part in line.partition(":"))
        if not (left and colon and right):
            raise SettingError(
                "Each line is a question, a colon and an answer; this is not: {line}",
                line=line[:40],
            )
        if max(len(left), len(right)) > MOST_SIDE:
            raise SettingError(
                "A side of a pair has at most {most_side} characters: {line}…",
                most_side=MOST_SIDE,
                line=line[:40],
            )
        found.append(Pair(left, right))
    if not 2 <= len(found) <= MOST_PAIRS:
        raise SettingError(
            "Give 2 to {most_pairs} pairs, not {n_found}.",
            most_pairs=MOST_PAIRS,
            n_found=len(found),
        )
    return found


class Question(NamedTuple):
    """A prompt that ends before the answer, and the prompt with the answer."""

    prompt: str
    whole: str


def questions(pairs: Sequence[Pair], shots: int, seed: int) -> list[Question]:
    """Ask the first `ASKED` pairs, each after `shots` other ones in a random order.

    Raises:
        SettingError: there are no so many others.
    """
    if not 0 <= shots < len(pairs):
        raise SettingError(
            "{n_pairs} pairs give at most {n_pairs2} examples, not {shots}.",
            n_pairs=len(pairs),
            n_pairs2=len(pairs) - 1,
            shots=shots,
        )
    made = []
    for place, (question, answer) in enumerate(pairs[:ASKED]):
        others = [one for one in pairs if one.question != question or one is pairs[place]]
        others.remove(pairs[place])
        drawn = random.Random(seed * 1_000 + place).sample(others, min(shots, len(others)))
        lines = [*(f"{one.question} : {one.answer}" for one in drawn), f"{question} :"]
        prompt = "\n".join(lines)
        made.append(Question(prompt, f"{prompt} {answer}"))
    return made


@dataclass(frozen=True, eq=False)
class InContext(Record):
    """How many answers were right.

    Attributes:
        shots: examples before the question.
        right: (len(shots),), right answers.
        asked: questions, the same for each.
    """

    shots: tuple[int, ...]
    right: Array
    asked: int

    def __post_init__(self) -> None:
        self._freeze("right")

    @property
    def share(self) -> Array:
        """(len(shots),), the share of right answers."""
        found: Array = self.right / self.asked
        return found

    def interval(self) -> tuple[Array, Array]:
        """Low and high ends of Wilson's 95 % interval of each share."""
        z, n, p = 1.959964, self.asked, np.asarray(self.share, np.float64)
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return np.clip(middle - half, 0, 1), np.clip(middle + half, 0, 1)

    def to_frame(self) -> pd.DataFrame:
        """One row for each number of examples: right, asked, share, low and high end."""
        import pandas as pd

        low, high = self.interval()
        return pd.DataFrame(
            {"right": self.right, "asked": self.asked, "share": self.share, "low": low, "high": high},
            index=pd.Index(self.shots, name="examples"),
        )
