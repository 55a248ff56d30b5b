"""Reference translations: how the small grammar translates a sentence, and aligns its words.

A visitor's own sentence has no stored translation, and a page that judges a model's needs one. A second
grammar that parses could differ from `grammar.Writer`, which draws; here the writer itself is led
through every draw that could end in the sentence. That takes 0.2 ms (median of 200 sentences; at most
53 ms).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NoReturn

import numpy as np

from .french import ADVERBS, Adjective, Noun, Person, Profession, Verb
from .grammar import Choice, Sentence, Writer

LONGEST = 12  # words; no English sentence of the grammar has more
LONGEST_FRENCH = 16
_MOST_TRIES = 3_000  # words that make a sentence take up to a few hundred
_HOWS = (0.1, 0.5, 0.9)  # one of each kind of sentence in which something is done
_UNUSED = np.random.default_rng(0)  # the generator of a writer all of whose draws are led
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
    """None of the choices is a word of the sentence."""


def references(english: Sequence[str]) -> tuple[Sentence, ...]:
    """Every sentence of the grammar that reads so in English; none where it has no such sentence.

    Args:
        english: its words, in lower case, as `ENGLISH.tokens` cuts them.
    """
    return tuple(one for one in _led(english, LONGEST, _Led) if one.english == tuple(english))


def references_of_french(french: Sequence[str]) -> tuple[Sentence, ...]:
    """Every sentence of the grammar that reads so in French: two of "je l'aime", as a rule one.

    Args:
        french: its words, in lower case, as `FRENCH.tokens` cuts them.
    """
    led = _led(french, LONGEST_FRENCH, _LedByFrench)
    return tuple(one for one in led if one.french == tuple(french))


def _led(words: Sequence[str], longest: int, writer: type[_Led]) -> list[Sentence]:
    """What the grammar writes where these words lead it, each sentence once."""
    if not 2 <= len(words) <= longest:
        return []
    drawn = islice(_drawn(tuple(words), writer), _MOST_TRIES)
    return list(dict.fromkeys(one for one in drawn if one is not None))


def _drawn(wanted: tuple[str, ...], writer: type[_Led]) -> Iterator[Sentence | None]:
    """The sentence of every series of draws, one after the other; None where one ends early."""
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
    """A writer that draws by a script, (which, of how many) of each draw, then the first of all.

    It draws only words of the wanted sentence.
    """

    denies = "not"

    def __init__(self, wanted: tuple[str, ...], script: Sequence[tuple[int, int]]) -> None:
        super().__init__(_UNUSED)
        self._words = frozenset(wanted)
        self._script, self.taken = tuple(script), list[tuple[int, int]]()
        self._whether = iter(
            (self.denies in wanted, "?" in wanted)
        )  # the first two draws: denied, question

    def take(self, count: int) -> int:
        """Which of so many comes next."""
        at = len(self.taken)
        which = self._script[at][0] if at < len(self._script) else 0
        self.taken.append((which, count))
        return which

    def _one(self, choices: Sequence[Choice]) -> Choice:
        there = [one for one in dict.fromkeys(choices) if self._words.intersection(self.forms(one))]
        return there[self.take(len(there))] if there else _dead_end()

    def forms(self, one: object) -> tuple[str, ...]:
        """The words of the wanted language that a choice can become."""
        return _forms(one)

    def _share(self) -> float:
        return _HOWS[self.take(len(_HOWS))]

    def _chance(self, share: float) -> bool:
        known = next(self._whether, None)
        return bool(self.take(2)) if known is None else known


class _LedByFrench(_Led):
    """The same by the words of a French sentence."""

    denies = "pas"

    def forms(self, one: object) -> tuple[str, ...]:
        """The French words that a choice can become."""
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
    """The English words that a choice can become."""
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
