"""A question to a class, the answers to it, and the views of both on the wall and on a phone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from ..errors import PolyseeError
from ..localization import ENGLISH, _, decimal
from ..sentences import sentence
from ..untrusted import Kind, number
from .plain_text import line as plain_line

MOST_OPTIONS = 8
MOST_LETTERS = 600  # of a question; an option may have a third as many
MOST_BINS = 10
MOST_INTRO = 1000  # of the words before a question
MOST_ABOUT = 4  # sentences that a question is about
MOST_WHY = 200  # letters of a reason
LARGEST = 1e9  # of a number given as an answer
MOST_WORD = 30  # letters of a free word

Given: TypeAlias = float | str  # the index of a choice, a number, or a free word


class RoomError(PolyseeError, ValueError):
    """A room cannot carry out a request; the message says why."""


@dataclass(frozen=True)
class Question:
    """A question in plain words.

    Attributes:
        text: the words.
        options: the choices; none if the answer is a number.
        about: the sentences that it is about, which a phone and the wall show below it.
        kind: which numbers are answers, where there are no choices.
        word: whether the answer is one free word. Nobody sees such answers before the reveal, as what
            a class writes is not for every screen.
        twice: whether it is asked before a lesson and again after it, with a reason in own words.
        shows: for each choice the name of the misconception that it shows, "" for none; phones do
            not get it.
        intro: what a lesson says before it asks, for those who do not see its page.
        language: the code of the language in which all of this is written.
    """

    text: str
    options: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    word: bool = False
    twice: bool = False
    shows: tuple[str, ...] = ()
    kind: Kind = "number"
    intro: str = ""
    language: str = ENGLISH

    def __post_init__(self) -> None:
        if self.shows and len(self.shows) != len(self.options):
            raise RoomError("Each choice shows one misconception, or none.")
        if self.twice and not self.options:
            raise RoomError("A question before and after offers choices.")
        if self.word and self.options:
            raise RoomError("A question asks for a word, or offers choices.")
        if not 0 < len(self.text) <= MOST_LETTERS:
            raise RoomError(
                "A question for the class has 1 to {most_letters} characters.",
                most_letters=MOST_LETTERS,
            )
        if len(self.intro) > MOST_INTRO:
            raise RoomError(
                "The words before a question have {most_letters} characters at most.",
                most_letters=MOST_INTRO,
            )
        if self.options and not 2 <= len(self.options) <= MOST_OPTIONS:
            raise RoomError(
                "A question for the class has 2 to {most_options} choices.",
                most_options=MOST_OPTIONS,
            )
        if any(not 0 < len(one) <= MOST_LETTERS // 3 for one in self.options):
            raise RoomError(
                "A choice has 1 to {most_letters} characters.",
                most_letters=MOST_LETTERS // 3,
            )
        if len(self.about) > MOST_ABOUT or any(len(one) > MOST_LETTERS for one in self.about):
            raise RoomError(
                "A question names {most_about} sentences at most, of {most_letters} characters each.",
                most_about=MOST_ABOUT,
                most_letters=MOST_LETTERS,
            )


@dataclass(frozen=True)
class Reveal:
    """The answer of the model.

    Attributes:
        words: what is told with the answer, in the language of the question.
        key: the answer itself, where the words do not say it: whoever looks has it in a sentence of
            the own language.
        option: the right choice, from 0; None if no choice is right, or for a number.
        number: the right number; None for choices.
        tolerance: the largest distance from it at which an answer is right.
        rows: for a free word, what the wall shows: (label, how often the class gave it, the model's
            probability of it).
    """

    words: str
    key: Given | None = None
    option: int | None = None
    number: float | None = None
    tolerance: float = 0.0
    rows: tuple[tuple[str, int, float], ...] = ()

    def holds(self, given: Given) -> bool:
        """Whether an answer is right; no free word is."""
        if isinstance(given, str):
            return False
        if self.number is not None:
            return abs(given - self.number) <= self.tolerance + 1e-9
        return self.option is not None and given == self.option


class Bar(NamedTuple):
    """One bar of the wall.

    Attributes:
        label: the answer, or a range of numbers.
        times: how often it was given.
        right: whether it is right; None before the reveal.
        before: how often it was given when the same question was asked earlier; None if it was not.
        share: the model's probability of it; None where it has none.
    """

    label: str
    times: int
    right: bool | None = None
    before: int | None = None
    share: float | None = None


class Tally(NamedTuple):
    """How a class has answered: `right` counts the right answers, None before the reveal."""

    answers: int
    bars: tuple[Bar, ...]
    right: int | None = None


class StudentView(NamedTuple):
    """The view of a room on a phone.

    Attributes:
        round: counts the questions, 0 before the first.
        question: the question that is asked now; None before the first one, and between two.
        given: the phone's own answer.
        reveal: the model's answer, once it is revealed.
        tally: the answers of the class, once the answer is revealed.
        before: the phone's own answer when the same question was asked before the lesson, in words.
    """

    round: int
    question: Question | None
    given: Given | None
    reveal: Reveal | None
    tally: Tally | None = None
    before: str | None = None


class Wall(NamedTuple):
    """The teacher's view of a room; without a question between two of them.

    Attributes:
        round: counts the questions, from 1.
        question: the question.
        tally: the answers.
        reveal: the model's answer, once it is revealed.
        whys: (answer, reason) for each reason that was given; only the file has them.
    """

    round: int
    question: Question | None
    tally: Tally
    reveal: Reveal | None
    whys: tuple[tuple[str, str], ...] = ()


def why_of(sent: object) -> str:
    """A reason as it is kept: one line of bounded length, without control characters; "" for none."""
    return plain_line(sent)[:MOST_WHY].strip() if isinstance(sent, str) else ""


def word_of(sent: object) -> str | None:
    """A free word as it is counted; None if it is none, several, or too long."""
    if not isinstance(sent, str):
        return None
    word = plain_line(sent)
    fits = 0 < len(word) <= MOST_WORD and " " not in word and any(map(str.isalnum, word))
    return word if fits else None


def called(question: Question, given: Given) -> str:
    """An answer in words."""
    if isinstance(given, str):
        return given
    return question.options[int(given)] if question.options else _short(given)


def wanted(question: Question) -> str:
    """What an answer has to be, in a sentence; "" where there are choices."""
    if question.options:
        return ""
    return _("Type one word.") if question.word else sentence(f"typed.{question.kind}")


def vote_of(question: Question, sent: object) -> Given | None:
    """The answer in the form in which it is counted; None if it does not fit the question."""
    if question.word:
        return word_of(sent)
    if isinstance(sent, str) and not question.options:
        sent = number(sent, question.kind)
    if isinstance(sent, bool) or not isinstance(sent, int | float):
        return None
    if question.options:
        whole = isinstance(sent, int) and 0 <= sent < len(question.options)
        return float(sent) if whole else None
    if not -LARGEST <= sent <= LARGEST or not math.isfinite(sent):
        return None
    return round(float(sent), 9) + 0.0  # −0 is 0


def tally(question: Question, given: Sequence[Given], reveal: Reveal | None = None) -> Tally:
    """Count the answers, an entry of `given` for each phone."""
    if question.word:  # nothing before the reveal, and then no word is right or wrong
        rows = () if reveal is None else reveal.rows
        return Tally(len(given), tuple(Bar(label, n, share=share) for label, n, share in rows))
    right = None if reveal is None else sum(reveal.holds(one) for one in given)
    if question.options:
        bars = tuple(
            Bar(label, sum(one == i for one in given), None if reveal is None else reveal.option == i)
            for i, label in enumerate(question.options)
        )
    else:
        bars = _numbers([one for one in given if not isinstance(one, str)], reveal)
    return Tally(len(given), bars, right)


def _numbers(given: Sequence[float], reveal: Reveal | None) -> tuple[Bar, ...]:
    """A bar for each number if few different ones were given, otherwise for each of some ranges."""
    different = sorted(set(given))

    def bar(label: str, inside: list[float]) -> Bar:
        right = None if reveal is None else any(reveal.holds(one) for one in inside)
        return Bar(label, len(inside), right)

    if len(different) <= MOST_BINS:
        return tuple(bar(_short(one), [x for x in given if x == one]) for one in different)
    width = _width(different[-1] - different[0])
    first, last = math.floor(different[0] / width), math.floor(different[-1] / width)
    found: dict[int, list[float]] = {i: [] for i in range(first, last + 1)}
    for one in given:
        found[math.floor(one / width)].append(one)
    return tuple(
        bar(_("{low} to {high}").format(low=_short(i * width), high=_short((i + 1) * width)), inside)
        for i, inside in found.items()
    )


def _width(span: float) -> float:
    """The width of at most ten ranges that cover the span: 1, 2, 5 or 10 times a power of ten."""
    least = span / (MOST_BINS - 1)
    ten = 10.0 ** math.floor(math.log10(least))
    return next(ten * times for times in (1, 2, 5, 10, 20) if ten * times >= least)


def _short(number: float) -> str:
    """A number as the language of whoever looks writes it."""
    return decimal(f"{number:.6g}".replace("-", "−"))
