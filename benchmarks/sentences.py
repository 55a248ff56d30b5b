"""Texts that no visitor has typed before, the same in every run."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

# One sentence of 21 tokens by the river and one of 20 in the town: entered in turn, they change the
# verdict on "bank", which shows that an answer is new.
_FRAMES = (
    "In {month} a {how} {who} sat down on the bank of the river and looked at the water.",
    "In {month} a {how} {who} went to the bank in the town and asked for a loan.",
)
# Sentence A as the page opens, in the town: the first to be entered is by the river.
BEFORE = "In may a busy clerk went to the bank in the town and asked for a loan."
# Sentence B, of 20 tokens: it stays while others are entered beside it.
STAYS = "The old woman walked along the street to the bank to put her money into an account."
_MONTHS = ("january", "march", "april", "june", "august", "october")
_HOW = ("tired", "young", "happy", "tall", "poor", "quiet")
_WHO = ("farmer", "teacher", "woman", "doctor", "soldier", "child")
_THINGS = (
    "river",
    "water",
    "money",
    "loan",
    "town",
    "house",
    "tree",
    "stone",
    "bridge",
    "road",
    "boat",
)
_BESIDES = (
    "the",
    "a",
    "of",
    "on",
    "at",
    "with",
    "before",
    "under",
    "small",
    "old",
    "green",
    "walk",
    "look",
)


def short() -> Iterator[str]:
    """Different sentences of about 20 tokens, alternating between the river and the town."""
    fillings = list(itertools.product(_MONTHS, _HOW, _WHO))
    random.Random(1).shuffle(fillings)
    for number, (month, how, who) in enumerate(fillings):
        yield _FRAMES[number % 2].format(month=month, how=how, who=who)


def of_tokens(count: int, seed: int) -> str:
    """A text of so many tokens, including [CLS] and [SEP]: each word is one token in BERT."""
    words = (*_MONTHS, *_HOW, *_WHO, *_THINGS, *_BESIDES)
    return " ".join(random.Random(seed).choices(words, k=count - 2))


def long(count: int) -> Iterator[str]:
    """Texts of 620 random words, enough to fill the model, with "bank" near the beginning."""
    rng = random.Random(2)
    for _ in range(count):
        words = rng.choices((*_MONTHS, *_HOW, *_WHO, *_THINGS, *_BESIDES), k=619)
        words.insert(rng.randrange(100), "bank")
        yield " ".join(words)
