"""What a class answered before a lesson and after it: counts, changes, misconceptions and words.

All of it is counted over the answers of a room, which are in memory alone and without names; an answer
before and one after belong together by the random number of a browser, and by nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from .questions import Given, Question

Answers: TypeAlias = Mapping[str, tuple[Given, str]]  # by browser: (answer, its reason)


class Words(NamedTuple):
    """What somebody wrote, once for all who wrote the same.

    Attributes:
        text: as the first of them wrote it.
        times: how many wrote it.
        options: the answers that it was given for.
        hidden: whether the teacher has hidden it.
    """

    text: str
    times: int
    options: tuple[int, ...]
    hidden: bool = False


class Idea(NamedTuple):
    """A misconception, and how many answers showed it; None where the question was not asked."""

    name: str
    before: int
    after: int | None


@dataclass(frozen=True)
class Evidence:
    """The answers to one question before and after.

    Attributes:
        question: the question, with choices.
        right: the index of the right choice; None if it is not known here.
        before: how often each choice was given the first time.
        after: how often the last time; empty while it was asked only once.
        changes: [before][after], of those who answered both times; empty while it was asked once.
        ideas: the misconceptions of the choices.
        wrote_before: what was written beside the first answers, the most frequent first.
        wrote_after: what was written beside the last ones.
    """

    question: Question
    right: int | None
    before: tuple[int, ...]
    after: tuple[int, ...]
    changes: tuple[tuple[int, ...], ...]
    ideas: tuple[Idea, ...]
    wrote_before: tuple[Words, ...]
    wrote_after: tuple[Words, ...]

    @property
    def both(self) -> int:
        """How many browsers answered both times."""
        return sum(map(sum, self.changes))

    def moved(self) -> tuple[int, int, int]:
        """Of those who answered twice: to the right answer, away from it, and between wrong ones."""
        pairs = [
            (was, now, times)
            for was, row in enumerate(self.changes)
            for now, times in enumerate(row)
            if was != now
        ]
        to = sum(times for _, now, times in pairs if now == self.right)
        away = sum(times for was, _, times in pairs if was == self.right)
        return to, away, sum(times for *_, times in pairs) - to - away


def gathered(
    question: Question,
    right: int | None,
    before: Answers,
    after: Answers | None,
    hidden: Collection[str] = (),
) -> Evidence:
    """The evidence of one question.

    Args:
        question: the question, with choices.
        right: the index of the right choice; None if nobody has revealed it.
        before: the answers of the first time.
        after: those of the last time; None if it was asked once.
        hidden: what the teacher has hidden, as `alike` writes it.
    """
    many = len(question.options)

    def counts(answers: Answers) -> tuple[int, ...]:
        given = Counter(int(one) for one, _ in answers.values() if not isinstance(one, str))
        return tuple(given[i] for i in range(many))

    first, last = counts(before), () if after is None else counts(after)
    changes = [[0] * many for _ in range(many)] if after is not None else []
    for token in before.keys() & (after or {}).keys():
        was, now = before[token][0], (after or {})[token][0]
        changes[int(was)][int(now)] += 1
    return Evidence(
        question,
        right,
        first,
        last,
        tuple(map(tuple, changes)),
        _ideas(question, first, last),
        grouped(before.values(), hidden),
        grouped(() if after is None else after.values(), hidden),
    )


def _ideas(question: Question, first: tuple[int, ...], last: tuple[int, ...]) -> tuple[Idea, ...]:
    names = dict.fromkeys(filter(None, question.shows))

    def times(counts: tuple[int, ...], name: str) -> int:
        pairs = zip(counts, question.shows, strict=True)
        return sum(count for count, shown in pairs if shown == name)

    return tuple(Idea(name, times(first, name), times(last, name) if last else None) for name in names)


def alike(text: str) -> str:
    """What two texts have in common that say the same: the words without case and punctuation."""
    words = "".join(one if one.isalnum() else " " for one in text.casefold()).split()
    return " ".join(words) or text


def grouped(said: Iterable[tuple[Given, str]], hidden: Collection[str] = ()) -> tuple[Words, ...]:
    """What was written, each text once, the most frequent first.

    Args:
        said: (answer, its reason); who wrote no reason is left out.
        hidden: what the teacher has hidden, as `alike` writes it.
    """
    found: dict[str, tuple[str, int, set[int]]] = {}
    for given, text in said:
        if text:
            shown, times, options = found.get(alike(text), (text, 0, set()))
            more = set() if isinstance(given, str) else {int(given)}
            found[alike(text)] = shown, times + 1, options | more
    every = [
        Words(text, times, tuple(sorted(options)), key in hidden)
        for key, (text, times, options) in found.items()
    ]
    return tuple(sorted(every, key=lambda one: -one.times))
