"""Reference translations: how the grammar translates a sentence, and aligns its words.

A visitor's own sentence has no stored translation, but a page that judges a model's translation needs
one. A second grammar for parsing could differ from `grammar.Writer`, which generates; here, the writer
itself is steered through every sequence of choices that could lead to the sentence. One sentence takes
0.2 ms (median of 200; at most 53 ms).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NoReturn

import numpy as np

from .french import ADVERBS, Adjective, Noun, Person, Profession, Verb
from .grammar import Choice, Sentence, Writer

LONGEST = 12  # words; no English sentence of the grammar is longer
LONGEST_FRENCH = 16
_MOST_TRIES = 3_000  # words that form a sentence need at most a few hundred tries
_HOWS = (0.1, 0.5, 0.9)  # one value for each kind of sentence with an action
_UNUSED = np.random.default_rng(0)  # the generator of a writer whose choices are all steered
_FORMS = {"a": ("a", "an"), "this": ("this", "these")}
_FRENCH_FORMS = {
    "a": ("un", "une", "de", "d'"),
    "the": ("le", "la", "l'", "les"),
    "my": ("mon", "ma", "mes"),
    "this": ("ce", "cet", "cette", "ces"),
    "me": ("me", "m'"),
    "him": ("le", "l'"),
    "her": ("la", "l'"),
    "us": ("nous",),
    "them": ("les",),
    "i": ("je", "j'"),
}


class _DeadEnd(Exception):
    """None of the options is a word of the sentence."""


def references(english: Sequence[str]) -> tuple[Sentence, ...]:
    """Every sentence of the grammar with these English words; empty if there is none.

    Args:
        english: the words in lower case, as `ENGLISH.tokens` splits them.
    """
    return tuple(one for one in _led(english, LONGEST, _Led) if one.english == tuple(english))


def references_of_french(french: Sequence[str]) -> tuple[Sentence, ...]:
    """Every sentence of the grammar with these French words: usually one, for "je l'aime" two.

    Args:
        french: the words in lower case, as `FRENCH.tokens` splits them.
    """
    led = _led(french, LONGEST_FRENCH, _LedByFrench)
    return tuple(one for one in led if one.french == tuple(french))


def _led(words: Sequence[str], longest: int, writer: type[_Led]) -> list[Sentence]:
    """The sentences that the grammar generates if these words steer it, each once."""
    if not 2 <= len(words) <= longest:
        return []
    drawn = islice(_drawn(tuple(words), writer), _MOST_TRIES)
    return list(dict.fromkeys(one for one in drawn if one is not None))


def _drawn(wanted: tuple[str, ...], writer: type[_Led]) -> Iterator[Sentence | None]:
    """The sentence of every sequence of choices, one after the other; None for a dead end."""
    script: list[tuple[int, int]] = []
    while True:
        led = writer(wanted, script)
        try:
            yield led.sentence()
        except _DeadEnd:
            yield None
        script = led.taken
        while script and script[-1][0] + 1 == script[-1][1]:
            script.pop()
        if not script:
            return
        script[-1] = script[-1][0] + 1, script[-1][1]


class _Led(Writer):
    """A writer that follows a script of choices, (index, number of options), then takes the first ones.

    It chooses only words of the wanted sentence.
    """

    denies = "not"

    def __init__(self, wanted: tuple[str, ...], script: Sequence[tuple[int, int]]) -> None:
        super().__init__(_UNUSED)
        self._words = frozenset(wanted)
        self._script, self.taken = tuple(script), list[tuple[int, int]]()
        self._whether = iter(
            (self.denies in wanted, "?" in wanted)
        )  # the first two choices: negation, question

    def take(self, count: int) -> int:
        """The index of the next choice among so many options."""
        at = len(self.taken)
        which = self._script[at][0] if at < len(self._script) else 0
        self.taken.append((which, count))
        return which

    def _one(self, choices: Sequence[Choice]) -> Choice:
        there = [one for one in dict.fromkeys(choices) if self._words.intersection(self.forms(one))]
        return there[self.take(len(there))] if there else _dead_end()

    def forms(self, one: object) -> tuple[str, ...]:
        """The forms of an option in the wanted language."""
        return _forms(one)

    def _share(self) -> float:
        return _HOWS[self.take(len(_HOWS))]

    def _chance(self, share: float) -> bool:
        known = next(self._whether, None)
        return bool(self.take(2)) if known is None else known


class _LedByFrench(_Led):
    """The same, steered by the words of a French sentence."""

    denies = "pas"

    def forms(self, one: object) -> tuple[str, ...]:
        """The French forms of an option."""
        if isinstance(one, Noun):
            return one.french, one.french_plural
        if isinstance(one, Profession):
            return one[2:]
        if isinstance(one, Verb | Adjective):
            return one[3:]
        if isinstance(one, Person):
            return _FRENCH_FORMS.get(one.english, (one.french,))
        return _FRENCH_FORMS.get(str(one)) or (ADVERBS[str(one)],)


def _forms(one: object) -> tuple[str, ...]:
    """The English forms of an option."""
    if isinstance(one, Noun):
        return one.english, one.english_plural
    if isinstance(one, Profession):
        return one.english, one.english_plural
    if isinstance(one, Verb):
        return one.english, one.english_third
    if isinstance(one, Person | Adjective):
        return (one.english,)
    return _FORMS.get(str(one), (str(one),))


def _dead_end() -> NoReturn:
    raise _DeadEnd
