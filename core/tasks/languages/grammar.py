"""Sentences of the English–French toy language, with the alignment of their words.

An English sentence and its translation are generated together, phrase by phrase. A French word refers
to the English word that it translates, wherever the two end up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np

from .agreement import agreed, elided, english_article, french_article
from .french import (
    ADJECTIVES,
    ADVERBS,
    ALONE,
    BE,
    BE_ENGLISH,
    NOUNS,
    OBJECTS,
    PERSONS,
    PROFESSIONS,
    VERBS,
    Noun,
    Profession,
)

Choice = TypeVar("Choice")
_DETERMINERS = ("the", "the", "a", "my", "this")
_DEFINITE = ("the", "the", "my", "this")


class Sentence(NamedTuple):
    """A sentence, its translation, and the alignment of the two.

    Attributes:
        english: its English words.
        french: the words of its translation.
        alignment: for each French word, the position of the English word that it translates.
        pairs: (adjective, noun), in English, for every adjective that describes a noun: "man" in "the
            tired man" and "the man is tired", and also "student" in "the tired man is a student". The
            noun is in the singular.
    """

    english: tuple[str, ...]
    french: tuple[str, ...]
    alignment: tuple[int, ...]
    pairs: tuple[tuple[str, str], ...]


@dataclass(eq=False)
class _Word:
    """One English word in one sentence; its identity matters, not its spelling."""

    text: str


_French = list[tuple[str, _Word]]


@dataclass
class _Subject:
    """The subject in both languages, with the number, person and gender for agreement."""

    english: list[_Word]
    french: _French
    form: str
    gender: str
    plural: bool
    kind: str
    noun: str | None = None  # in the singular; None for a pronoun
    adjective: str | None = None


class Writer:
    """Generates sentences with its own random generator."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._pairs: list[tuple[str, str]] = []

    def sentence(self) -> Sentence:
        """A statement or a question, affirmative or negative."""
        self._pairs = []
        denied, question = self._chance(0.3), self._chance(0.18)
        made = self._being if self._chance(0.4) else self._doing
        english, french = made(denied, question)
        position = {id(word): i for i, word in enumerate(english)}
        return Sentence(
            tuple(word.text for word in english),
            tuple(word for word, _ in french),
            tuple(position[id(of)] for _, of in french),
            tuple(self._pairs),
        )

    def _being(self, denied: bool, question: bool) -> tuple[list[_Word], _French]:
        """For example "he is not tired" and "are you a student ?"."""
        has_profession = self._chance(0.5)
        subject = self._subject("p" if has_profession else "pao")
        verb, no = _Word(BE_ENGLISH[subject.form]), [_Word("not")] if denied else []
        if has_profession:
            words, complement = self._profession(subject)
        else:
            adjective = self._one([a for a in ADJECTIVES if subject.kind in a.kinds])
            words = [_Word(adjective.english)]
            if subject.noun is not None:
                self._pairs.append((adjective.english, subject.noun))
            complement = [(agreed(adjective, subject.gender, subject.plural), words[0])]
        head = [verb, *subject.english] if question else [*subject.english, verb]
        clause = _clause(subject, [(getattr(BE, subject.form), verb)], no, complement)
        return _finish([*head, *no, *words], clause, verb if question else None)

    def _doing(self, denied: bool, question: bool) -> tuple[list[_Word], _French]:
        """For example "she does not have a red car" and "he often sings in the garden"."""
        how = self._share()
        verb = self._one(ALONE if how < 0.2 else [v for v in VERBS if how < 0.8 or "p" in v.kinds])
        subject = self._subject("pa")
        third = subject.form == "il"
        helper = _Word("does" if third else "do") if denied or question else None
        no = [_Word("not")] if denied else []
        verb_english = _Word(verb.english if helper or not third else verb.english_third)
        adverb: list[_Word] = []
        complement: _French = []
        before: _French = []
        if not helper and self._chance(0.2):
            adverb = [_Word(self._one(tuple(ADVERBS)))]
        verb_french = getattr(verb, subject.form)
        if how < 0.2:
            words, complement = self._where()
        elif how < 0.8:
            words, complement = self._noun_phrase(verb.kinds, _DETERMINERS, denied)[:2]
        else:
            words, before = self._object(subject.form, verb_french)
        if adverb:
            complement = [(ADVERBS[adverb[0].text], adverb[0]), *complement]
        front = [helper] if helper and question else []
        middle = [helper] if helper and not question else []
        english = [*front, *subject.english, *middle, *no, *adverb, verb_english, *words]
        clause = _clause(subject, [*before, (verb_french, verb_english)], no, complement)
        return _finish(english, clause, helper if question else None)

    def _subject(self, kinds: str) -> _Subject:
        if self._chance(0.65):
            person = self._one(PERSONS)
            word = _Word(person.english)
            return _Subject(
                [word], [(person.french, word)], person.form, person.gender, person.plural, "p"
            )
        english, french, noun, plural = self._noun_phrase(kinds, _DEFINITE)
        adjective = english[1].text if len(english) == 3 else None
        form = "ils" if plural else "il"
        return _Subject(english, french, form, noun.gender, plural, noun.kind, noun.english, adjective)

    def _profession(self, subject: _Subject) -> tuple[list[_Word], _French]:
        """For example "a student", which has no article in French."""
        is_a: Profession = self._one(PROFESSIONS)
        word = _Word(is_a.english_plural if subject.plural else is_a.english)
        if subject.adjective is not None:  # if a tired man is a student, he is a tired student
            self._pairs.append((subject.adjective, is_a.english))
        forms = {
            ("m", False): is_a.masculine,
            ("m", True): is_a.masculine_plural,
            ("f", False): is_a.feminine,
            ("f", True): is_a.feminine_plural,
        }
        article = [] if subject.plural else [_Word(english_article(word.text))]
        return [*article, word], [(forms[subject.gender, subject.plural], word)]

    def _where(self) -> tuple[list[_Word], _French]:
        """For example "in the garden"; or nothing."""
        if self._chance(0.1):
            return [], []
        word = _Word("in")
        english, french, *_ = self._noun_phrase("l", _DETERMINERS)
        return [word, *english], [("dans", word), *french]

    def _object(self, form: str, verb: str) -> tuple[list[_Word], _French]:
        """An object pronoun, which French puts before the verb; never "i see me", a reflexive."""
        own = {"je": "me", "nous": "us"}
        # Likewise, "we see me" is not a sentence.
        barred = set(own.values()) if form in own else set()
        word = _Word(self._one([pronoun for pronoun in OBJECTS if pronoun not in barred]))
        return [word], [(elided(OBJECTS[word.text], verb), word)]

    def _noun_phrase(
        self, kinds: str, determiners: Sequence[str], denied: bool = False
    ) -> tuple[list[_Word], _French, Noun, bool]:
        """For example "the black cat", "le chat noir". A negated "a" is "de": "pas de voiture"."""
        noun = self._one([n for n in NOUNS if n.kind in kinds])
        plural = self._chance(0.3)
        determiner = self._one([d for d in determiners if not (plural and d == "a")])
        thing = _Word(noun.english_plural if plural else noun.english)
        english, french = [thing], [(noun.french_plural if plural else noun.french, thing)]
        if self._chance(0.45):
            adjective = self._one([a for a in ADJECTIVES if noun.kind in a.kinds])
            word = _Word(adjective.english)
            self._pairs.append((adjective.english, noun.english))
            quality = (agreed(adjective, noun.gender, plural), word)
            english = [word, thing]
            french = [quality, *french] if adjective.side == "before" else [*french, quality]
        first = {"a": english_article(english[0].text), "this": "these" if plural else "this"}
        article = _Word(first.get(determiner, determiner))
        article_french = french_article(determiner, noun.gender, plural, denied, french[0][0])
        return [article, *english], [(article_french, article), *french], noun, plural

    def _one(self, choices: Sequence[Choice]) -> Choice:
        return choices[int(self._share() * len(choices))]

    def _chance(self, share: float) -> bool:
        return self._share() < share

    def _share(self) -> float:
        """A random number from 0 to 1."""
        return float(self._rng.random())


def _clause(subject: _Subject, verb: _French, no: list[_Word], rest: _French) -> _French:
    """Subject, verb, rest; "ne … pas" around the verb; "je" and "ne" are elided before a vowel."""
    if no:
        verb = [(elided("ne", verb[0][0]), no[0]), *verb, ("pas", no[0])]
    *others, (last, of) = subject.french
    return [*others, (elided(last, verb[0][0]) if last == "je" else last, of), *verb, *rest]


def _finish(english: list[_Word], french: _French, asks: _Word | None) -> tuple[list[_Word], _French]:
    """A question begins in French with "est-ce que", which is aligned with the first English word."""
    if asks is None:
        return english, french
    mark = _Word("?")
    that = elided("que", french[0][0])
    return [*english, mark], [("est-ce", asks), (that, asks), *french, ("?", mark)]
