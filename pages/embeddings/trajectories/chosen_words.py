"""Several words of one text or two: as stored in a link, and chosen from a list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from core.comparison.word import WordOccurrence, at
from core.examples import known_word
from core.localization import _
from core.measures.senses.shared_word import is_content
from core.records.spelling import UNCASED, Spelling
from ui.state import Field, several

MOST = 8
Shared = Callable[[], Sequence[tuple[str, str]]]


class Picked(NamedTuple):
    """A word in one of the texts.

    Attributes:
        text: 0 or 1.
        word: the word as the model reads it.
        number: the number of the occurrence in the text, from 0.
    """

    text: int
    word: str
    number: int


def read(
    typed: str,
    there: Sequence[Sequence[WordOccurrence]],
    spelling: Spelling = UNCASED,
    shared: Shared = tuple,
) -> tuple[Picked, ...]:
    """Parse the words in a link: "bank, bank:2; river", one part for each text, numbered from 1.

    A text without any of its words, or without a part of its own, shows those of the first text. If
    two texts have none of the words, they show the best word that both have, as on Compare. What is
    left shows a content word that it has twice, or a word with two known senses, or its longest word.

    Args:
        typed: the part of the link.
        there: the occurrences of the words of each text.
        spelling: which spellings the model reads alike.
        shared: the words that two texts share, in the form of each, the best first.
    """
    parts = typed.split(";")
    if len(there) > 1 and not any(
        _matches(part, i, there[i], spelling)
        for i in range(len(there))
        for part in {parts[0], *parts[i : i + 1]}
    ):
        for pair in shared():
            both = [_every(i, there[i], word) for i, word in enumerate(pair)]
            if all(both):
                return _room_for_each(both)
    picked: list[Picked] = []
    for text, occurrences in enumerate(there):
        own = _matches(parts[text], text, occurrences, spelling) if text < len(parts) else []
        emptied = 0 < text < len(parts) and not parts[text].strip()
        picked += own or (
            []
            if emptied
            else _matches(parts[0], text, occurrences, spelling)
            or _default(text, occurrences, spelling)
        )
    return tuple(dict.fromkeys(picked))[:MOST]


def typed(picked: Sequence[Picked]) -> str:
    """The text that `read` parses as these words."""
    texts = range(max((one.text for one in picked), default=-1) + 1)
    parts = [", ".join(_written(one) for one in picked if one.text == text) for text in texts]
    return "; ".join(parts)


def with_more(
    picked: Sequence[Picked], there: Sequence[Sequence[WordOccurrence]]
) -> tuple[tuple[Picked, ...], ...]:
    """These words and one more, two more, and so on up to `MOST`: the longest words come first."""
    every = [
        Picked(text, occurrence.word, occurrence.number)
        for text, occurrences in enumerate(there)
        for occurrence in occurrences
    ]
    others = sorted((one for one in every if one not in picked), key=lambda one: -len(one.word))
    room = max(0, MOST - len(picked))
    return tuple((*picked, *others[: n + 1]) for n in range(min(room, len(others))))


def missing(
    typed: str, there: Sequence[Sequence[WordOccurrence]], spelling: Spelling = UNCASED
) -> tuple[str, ...]:
    """The words in a link that do not occur in the texts that they belong to."""
    parts = typed.split(";")
    lost = []
    for i, part in enumerate(parts[: len(there)]):
        among = range(len(there)) if len(parts) == 1 else (i,)
        for one in filter(str.strip, part.split(",")):
            if not any(_matches(one, text, there[text], spelling) for text in among):
                lost.append(_split(one)[0])
    return tuple(dict.fromkeys(word for word in lost if word))


def phrases(typed: str) -> tuple[str, ...]:
    """All words in a link, without their numbers."""
    return tuple(_split(one)[0] for part in typed.split(";") for one in part.split(","))


def called(picked: Sequence[Picked], there: Sequence[Sequence[WordOccurrence]]) -> dict[Picked, str]:
    """The name of each word: "bank", "bank (2)" for repetitions, "bank in A" with two texts."""
    counts = [Counter(occurrence.word for occurrence in occurrences) for occurrences in there]
    return {
        one: _in_text(
            one.word + (f" ({one.number + 1})" if counts[one.text][one.word] > 1 else ""),
            "AB"[one.text] if len(there) > 1 else "",
        )
        for one in picked
    }


def _in_text(word: str, text: str) -> str:
    return _("{word} in {text}").format(word=word, text=text) if text else word


def choose(
    chosen: Field[str],
    there: Sequence[Sequence[WordOccurrence]],
    spelling: Spelling = UNCASED,
    shared: Shared = tuple,
) -> dict[Picked, str]:
    """A list of all words of the texts, of which up to `MOST` can be chosen; returns their names."""
    every = [
        Picked(text, occurrence.word, occurrence.number)
        for text, occurrences in enumerate(there)
        for occurrence in occurrences
    ]
    names = called(every, there)
    picked = read(chosen.get(), there, spelling, shared)
    several(
        chosen,
        [*names.values()],
        [names[one] for one in picked],
        _("Words, at most {count}").format(count=MOST),
        take=partial(_named, {name: one for one, name in names.items()}),
        most=MOST,
        placeholder=_("choose or type words"),
    )
    return {one: names[one] for one in picked}


def _named(of: Mapping[str, Picked], names: Sequence[str]) -> str:
    """The text for the link, from the names of chosen words and from typed ones."""
    return typed([of.get(name) or Picked(0, name.strip(), 0) for name in names])


def _matches(
    part: str, text: int, occurrences: Sequence[WordOccurrence], spelling: Spelling
) -> list[Picked]:
    picked = []
    for word, number in map(_split, part.split(",")):
        if (occurrence := at(occurrences, word, number, spelling)) is not None:
            picked.append(Picked(text, occurrence.word, occurrence.number))
    return picked


def _split(typed: str) -> tuple[str, int]:
    """A word and its number, from 0."""
    word, colon, number = typed.strip().rpartition(":")
    if colon and number.isascii() and number.isdigit() and len(number) < 5:
        return word.strip(), max(0, int(number) - 1)
    return typed.strip(), 0


def _written(one: Picked) -> str:
    return f"{one.word}:{one.number + 1}" if one.number else one.word


def _default(text: int, occurrences: Sequence[WordOccurrence], spelling: Spelling) -> list[Picked]:
    """The default words of one text: all occurrences of a word.

    One that occurs twice comes first, then one with two known senses, then the longest. Among equal
    ones, the last: "the cat saw the cat" is about the cat.
    """
    counts = Counter(occurrence.word for occurrence in occurrences)

    def worth(word: str) -> tuple[bool, bool, bool, int]:
        content = is_content(word)
        return content and counts[word] > 1, known_word(word, spelling) is not None, content, len(word)

    word = max(reversed([*counts]), key=worth, default="")
    return _every(text, occurrences, word)


def _every(text: int, occurrences: Sequence[WordOccurrence], word: str) -> list[Picked]:
    return [Picked(text, one.word, one.number) for one in occurrences if one.word == word]


def _room_for_each(both: Sequence[Sequence[Picked]]) -> tuple[Picked, ...]:
    """At most `MOST` in all, and of each text some."""
    first, second = both
    return (*first[: max(MOST - len(second), MOST // 2)], *second)[:MOST]
