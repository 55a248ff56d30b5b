"""Sentences whose words have known roles, written by a small grammar: labels hold by construction.

A sentence is put together phrase by phrase, and each phrase notes its relations as it is written: which
noun a determiner belongs to, which noun is a verb's subject, whom a pronoun refers to. Adjectives and
phrases between the two vary their distance, and nouns in between could be mistaken for the right one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

# From each role's word to the word that a head with this role attends to.
ROLES = (
    "previous",
    "same",
    "verb-subject",
    "subject-verb",
    "pronoun-antecedent",
    "noun-determiner",
    "determiner-noun",
    "delimiters",
)
SENTENCES = 240

_HE = ("king", "uncle", "waiter", "monk", "boy", "father", "grandfather", "actor", "prince", "brother")
_SHE = (
    "queen",
    "aunt",
    "waitress",
    "nun",
    "girl",
    "mother",
    "grandmother",
    "actress",
    "princess",
    "sister",
)
_THINGS = ("letter", "basket", "painting", "lantern", "suitcase", "violin", "newspaper", "umbrella")
_PLACES = ("garden", "kitchen", "museum", "harbour", "library", "valley", "station", "courtyard")
_PERSONAL = ("old", "young", "tall", "quiet", "proud", "gentle", "stubborn", "weary")
_PHYSICAL = ("small", "heavy", "broken", "green", "expensive", "wooden", "dusty", "strange")
_DETERMINERS = ("the", "the", "this", "that", "every")
_OF_THINGS = ("the", "a", "this", "my", "our", "another")
_MEETS = (
    "greeted",
    "praised",
    "followed",
    "visited",
    "ignored",
    "thanked",
    "recognised",
    "interrupted",
)
_TAKES = ("carried", "found", "repaired", "borrowed", "admired", "dropped", "wrapped", "hid")
_STATES = ("laughed", "slept", "smiled", "waited", "hesitated", "shivered", "sighed", "disappeared")
_ADVERBS = ("often", "quietly", "finally", "never", "suddenly", "gladly")
_PLACED = ("in", "near", "behind", "beside")


class Relation(NamedTuple):
    """One word, and the words that a head with this role attends to; positions in the sentence."""

    source: int
    targets: tuple[int, ...]


@dataclass(frozen=True)
class RoleSentence:
    """A sentence, its words and marks, and its relations by role.

    Attributes:
        text: the sentence as a model reads it.
        spans: the characters of each word or mark, (start, end), from left to right.
        relations: role -> its relations. "delimiters" has a relation from each word to the commas and
            the full stop; a model adds its special tokens to them.
    """

    text: str
    spans: tuple[tuple[int, int], ...]
    relations: Mapping[str, tuple[Relation, ...]]

    @property
    def words(self) -> tuple[str, ...]:
        """Its words and marks."""
        return tuple(self.text[start:end] for start, end in self.spans)


@cache
def role_sentences() -> tuple[RoleSentence, ...]:
    """The sentences, all different; every call returns the same ones."""
    rng = np.random.default_rng(23)
    made: dict[str, RoleSentence] = {}
    while len(made) < SENTENCES:
        one = _PATTERNS[len(made) % len(_PATTERNS)](_Writer(rng))
        made.setdefault(one.text, one)
    return tuple(made.values())


@dataclass
class _Writer:
    """Puts one sentence together."""

    rng: np.random.Generator
    words: list[str] = field(default_factory=list)
    found: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    def one(self, of: Sequence[str], *, but: str = "") -> str:
        """One of these words at random, but not `but`."""
        offered = [word for word in of if word != but]
        return offered[int(self.rng.integers(len(offered)))]

    def chance(self, share: float) -> bool:
        """Return True with this probability."""
        return bool(self.rng.random() < share)

    def add(self, word: str) -> int:
        """Write a word; returns its position."""
        self.words.append(word)
        return len(self.words) - 1

    def noun(self, noun: str, determiners: Sequence[str], adjectives: Sequence[str]) -> int:
        """Write a determiner, up to two adjectives, and the noun."""
        determiner = self.add(self.one(determiners))
        count = int(self.rng.integers(3))
        first = self.one(adjectives)
        for adjective in (first, self.one(adjectives, but=first))[:count]:
            self.add(adjective)
        at = self.add(noun)
        if self.words[determiner] == "a":
            self.words[determiner] = _article(self.words[determiner + 1])
        self.note("noun-determiner", at, determiner)
        self.note("determiner-noun", determiner, at)
        return at

    def person(self, noun: str) -> int:
        """Write a person, sometimes with a place: "the old king in the garden"."""
        at = self.noun(noun, _DETERMINERS, _PERSONAL)
        if self.chance(0.4):
            self.place()
        return at

    def place(self) -> None:
        """Write "near the museum"."""
        self.add(self.one(_PLACED))
        self.noun(self.one(_PLACES), ("the", "a", "this"), _PHYSICAL)

    def verb(self, subject: int, verb: str) -> None:
        """Write a verb, sometimes with an adverb before it."""
        if self.chance(0.35):
            self.add(self.one(_ADVERBS))
        at = self.add(verb)
        self.note("verb-subject", at, subject)
        self.note("subject-verb", subject, at)

    def pronoun(self, pronoun: str, antecedent: int, verb: str) -> None:
        """Write a pronoun with its verb; the pronoun is that verb's subject."""
        at = self.add(pronoun)
        self.note("pronoun-antecedent", at, antecedent)
        self.verb(at, verb)

    def note(self, role: str, source: int, target: int) -> None:
        """Note a relation between two positions."""
        self.found.setdefault(role, []).append((source, target))

    def finished(self) -> RoleSentence:
        """The sentence with its full stop, and the relations that follow from the words alone."""
        self.add(".")
        words = self.words
        marks = [i for i, word in enumerate(words) if word in (",", ".")]
        own = [i for i in range(len(words)) if i not in marks]
        relations: dict[str, list[Relation]] = {role: [] for role in ROLES}
        for role, pairs in self.found.items():
            relations[role] = [Relation(source, (target,)) for source, target in pairs]
        relations["previous"] = [Relation(i, (i - 1,)) for i in own if i]
        for i in own:
            others = tuple(k for k in own if k != i and words[k].casefold() == words[i].casefold())
            if others:
                relations["same"].append(Relation(i, others))
            relations["delimiters"].append(Relation(i, tuple(marks)))
        text, spans = "", []
        for i, word in enumerate(words):
            written = word.capitalize() if i == 0 else word
            text += "" if i == 0 or i in marks else " "
            spans.append((len(text), len(text) + len(written)))
            text += written
        kept = {role: tuple(some) for role, some in relations.items()}
        return RoleSentence(text, tuple(spans), MappingProxyType(kept))


def _article(word: str) -> str:
    """The indefinite article before a word."""
    return "an" if word[0] in "aeiou" else "a"


def _couple(write: _Writer) -> tuple[str, str, str, str]:
    """A man and a woman in either order, each with the pronoun that can refer only to that person."""
    he, she = (write.one(_HE), "he"), (write.one(_SHE), "she")
    (one, first), (other, second) = (he, she) if write.chance(0.5) else (she, he)
    return one, first, other, second


def _because(write: _Writer) -> RoleSentence:
    """The king greeted the queen, because she smiled."""
    one, first, other, second = _couple(write)
    subject = write.person(one)
    write.verb(subject, write.one(_MEETS))
    object_ = write.person(other)
    if write.chance(0.5):
        write.add(",")
    write.add(write.one(("because", "while", "before", "after")))
    pronoun, antecedent = (first, subject) if write.chance(0.5) else (second, object_)
    write.pronoun(pronoun, antecedent, write.one(_STATES))
    return write.finished()


def _thing(write: _Writer) -> RoleSentence:
    """The queen in the garden carried my heavy basket, and then she slept."""
    one, pronoun, other, _ = _couple(write)
    subject = write.person(one)
    write.verb(subject, write.one(_TAKES))
    write.noun(write.one(_THINGS), _OF_THINGS, _PHYSICAL)
    if write.chance(0.5):
        write.add("for")
        write.noun(other, _DETERMINERS, _PERSONAL)
    if write.chance(0.5):
        write.add(",")
    write.add("and")
    write.add("then")
    write.pronoun(pronoun, subject, write.one(_STATES))
    return write.finished()


def _twice(write: _Writer) -> RoleSentence:
    """The waiter found a letter, and the nun admired the letter."""
    one, _, other, _ = _couple(write)
    thing = write.one(_THINGS)
    subject = write.person(one)
    write.verb(subject, write.one(_TAKES))
    write.noun(thing, _OF_THINGS, _PHYSICAL)
    if write.chance(0.5):
        write.add(",")
    write.add(write.one(("and", "but", "while")))
    subject = write.person(other)
    write.verb(subject, write.one(_TAKES))
    write.noun(thing, _OF_THINGS, _PHYSICAL)
    return write.finished()


def _which(write: _Writer) -> RoleSentence:
    """The aunt with the lantern visited the king, and he thanked the aunt."""
    one, _, other, pronoun = _couple(write)
    subject = write.noun(one, _DETERMINERS, _PERSONAL)
    write.add("with")
    write.noun(write.one(_THINGS), _OF_THINGS, _PHYSICAL)
    write.verb(subject, write.one(_MEETS))
    object_ = write.person(other)
    if write.chance(0.5):
        write.add(",")
    write.add("and")
    write.pronoun(pronoun, object_, write.one(_MEETS))
    write.noun(one, _DETERMINERS, _PERSONAL)
    return write.finished()


_PATTERNS: tuple[Callable[[_Writer], RoleSentence], ...] = (_because, _thing, _twice, _which)
