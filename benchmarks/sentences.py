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
# Two sentences each that have one word in common, which no one has asked about: a newcomer's own.
NEW_WORDS = (
    ("The fan waved a flag at the game.", "A fan cooled my room."),
    ("She put on her warm coat and went out.", "The dog has thick brown coat hairs."),
    ("He wrote a long sentence in his essay.", "The judge read out my sentence of ten years."),
    ("The conductor raised his baton.", "Copper is one good conductor."),
    ("They wore gold ring after ring.", "A boxer fell in this ring."),
    ("Some bear came out of that forest.", "I cannot bear all this noise."),
    ("She spread jam on toast.", "We were stuck in traffic jam."),
    ("He lit candles with one match.", "Our team won that match."),
    ("Please turn off the light.", "My suitcase is very light."),
    ("He left a note on the fridge.", "Our singer hit one high note."),
    ("She sent me this letter from Paris.", "My word begins with letter B."),
    ("They stood on a scale.", "He practised that scale at his piano."),
    ("Some tear ran down her cheek.", "There is one tear in my jeans."),
    ("Our train left the station.", "They train hard for that race."),
    ("She joined a chess club.", "He hit that ball with my club."),
    ("Our lawyer spoke in court.", "They played tennis on that court."),
    ("He wore a baseball cap.", "Put that cap back on my bottle."),
)
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
