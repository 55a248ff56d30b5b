"""The word by which two sentences are compared, and which of its occurrences in each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from ..localization import _
from ..markdown import plain
from ..measures.senses.shared_word import shared_words
from ..records.finding import fits_of, is_phrase, unquoted
from ..records.inflections import same_as
from ..records.spelling import UNCASED, Spelling
from ..records.trace import Trace
from ..records.unknown import all_unknown, unknown_word
from ..sentences import sentence

Quote = Callable[[str], str]


class WordOccurrence(NamedTuple):
    """One occurrence of a word: `trace.find(word, number)`, the characters from `start` to `end`."""

    word: str
    number: int
    start: int
    end: int


class WordChoice(NamedTuple):
    """What is compared of two sentences.

    Attributes:
        there: the occurrences to choose from, in each sentence.
        chosen: the chosen one of each sentence; None if its word is not there.
        replaced: whether neither sentence has the wanted word, and these are another one's.
    """

    there: tuple[tuple[WordOccurrence, ...], ...]
    chosen: tuple[WordOccurrence | None, WordOccurrence | None]
    replaced: bool


def choose(
    traces: Sequence[Trace | None], words: tuple[str, str], numbers: tuple[int, int]
) -> WordChoice:
    """Choose the word of two sentences: see `settle`.

    Args:
        traces: that of A and that of B; None for a sentence that is empty.
        words: the word in A and the word in B, which is empty if it is the same.
        numbers: the number of each occurrence, from 0.

    Raises:
        NotSupported: neither sentence has its word, and a trace has no hidden states.
    """
    there = tuple(
        () if trace is None else occurrences(trace, words[0], word)
        for trace, word in zip(traces, words, strict=True)
    )
    spelling = next((trace.spelling for trace in traces if trace is not None), UNCASED)
    chosen = settle(there, words, numbers, partial(shared_in, traces), spelling)
    a, b = chosen
    replaced = a is not None and b is not None and not _fits(a.word, words[0], spelling)
    return WordChoice(there, chosen, replaced)


def occurrences(trace: Trace, *typed: str) -> tuple[WordOccurrence, ...]:
    """The occurrences to choose from: every word with tokens, without punctuation.

    Args:
        trace: the trace of the sentence.
        typed: phrases of several words to find as well, such as "river bank".
    """
    listed = [
        WordOccurrence(one.word, one.number, one.start, one.end)
        for one in trace.occurrences()
        if any(map(str.isalnum, one.word)) and not all_unknown(trace.tokens, one.tokens)
    ]
    for phrase in dict.fromkeys(typed):
        if is_phrase(unquoted(phrase)):
            found = trace.occurrences(of=phrase)
            listed += [WordOccurrence(phrase, i, one.start, one.end) for i, one in enumerate(found)]
    return tuple(listed)


def settle(
    there: Sequence[Sequence[WordOccurrence]],
    words: Sequence[str],
    numbers: Sequence[int],
    shared: Callable[[], Sequence[tuple[str, str]]],
    spelling: Spelling = UNCASED,
) -> tuple[WordOccurrence | None, WordOccurrence | None]:
    """Determine the chosen occurrences.

    A word that occurs in neither sentence is replaced by the best shared word, perhaps in two forms. A
    sentence may contain the word in another form ("banks"), and a star finds it as a part ("*bank"). A
    number that is too large means the last occurrence.

    Args:
        there: the occurrences in A and in B.
        words: the word in A and the word in B, which is empty if it is the same.
        numbers: the number of each occurrence, from 0.
        shared: the shared words, in the form of each sentence, the best first.
        spelling: which spellings the model reads alike.
    """
    a, b = there
    word, other = words[0], words[1] or words[0]
    chosen = at(a, word, numbers[0], spelling), at(b, other, numbers[1], spelling)
    if chosen == (None, None):
        for first, second in shared():
            both = at(a, first, 0, spelling), at(b, second, 0, spelling)
            if all(both):
                return both
    return chosen


def shared_in(traces: Sequence[Trace | None]) -> Sequence[tuple[str, str]]:
    """The content words of two sentences, in the form of each, best first: see `shared_words`.

    Raises:
        NotSupported: if a trace has no hidden states.
    """
    a, b = traces
    if a is None or b is None:
        return ()
    return [(one.a.word, one.b.word) for one in shared_words(a, b)]


def at(
    there: Sequence[WordOccurrence], word: str, number: int, spelling: Spelling
) -> WordOccurrence | None:
    """The occurrence of a word. Without an exact match, "Bank" finds "bank", and then "banks"."""
    if named := next((p for p in there if (p.word, p.number) == (word, number)), None):
        return named
    for fits in _tests(word, spelling):
        if matches := [p for p in there if fits(p.word)]:
            return matches[min(number, len(matches) - 1)]
    return None


def _tests(word: str, spelling: Spelling) -> list[Callable[[str], bool]]:
    """Tests of whether another word is this one, the strictest first."""
    return [
        fits_of(word, spelling),
        fits_of(unquoted(word), spelling),
        lambda other: other.casefold() == word.casefold(),
        same_as(word, spelling),
    ]


def _fits(shown: str, wanted: str, spelling: Spelling) -> bool:
    """Whether a word that is shown is the one that was wanted, perhaps in another form."""
    return any(fits(shown) for fits in _tests(wanted, spelling))


def say_instead(wanted: str, shown: str, traces: Iterable[Trace | None]) -> str:
    """A message that another word is shown instead of the requested one (Markdown)."""
    if unknown := _unknown(wanted, traces, plain):
        return sentence("word.unknown-instead", unknown=unknown, shown=plain(shown))
    return sentence("word.instead", wanted=plain(wanted), shown=plain(shown))


def why_not(
    words: Sequence[str],
    chosen: Sequence[WordOccurrence | None],
    traces: Sequence[Trace | None] = (None, None),
) -> str | None:
    """A message for a sentence without the requested word; None if both have it (Markdown).

    Args:
        words: the word in A and the word in B, which is empty if it is the same.
        chosen: what was found of them.
        traces: those of A and of B, to tell a word that is not there from one that is unknown.
    """
    a, b = chosen
    wanted = words[0], words[1] or words[0]
    for word, one, trace in zip(wanted, chosen, traces, strict=True):
        if one is None and (unknown := _unknown(word, [trace], plain)):
            return unknown
    for trace in traces if a is None and b is None else ():
        # A whole sentence of unknown words, none of which can be chosen.
        if trace is not None and not occurrences(trace) and (unknown := _unknown("", [trace], plain)):
            return unknown
    if a is None and b is None:
        none = sentence("word.none-shared")
        first, *others = {None if trace is None else unknown_word(trace) for trace in traces}
        if others or first is None:
            return none
        return sentence("word.unknown-shared", word=plain(first), none=none)
    if a is None or b is None:
        name, word = ("A", wanted[0]) if a is None else ("B", wanted[1])
        return missing(name, word, None)
    return None


def missing(name: str, word: str, trace: Trace | None, quote: Quote = plain) -> str:
    """A message that a sentence does not have a word, or that the model does not know it.

    Args:
        name: "A" or "B".
        word: the word.
        trace: that of the sentence; None if the model is known to know the word.
        quote: how a word stands in the message, by default as Markdown.
    """
    unknown = _unknown(word, [trace], quote)
    return unknown or sentence("word.not-there", name=name, word=quote(word))


def _unknown(word: str, traces: Iterable[Trace | None], quote: Quote) -> str:
    """A message that a text has the word, but the model does not know it; "" otherwise."""
    there = (unknown_word(trace, word) for trace in traces if trace is not None)
    found = next((one for one in there if one is not None), None)
    return "" if found is None else sentence("word.unknown", word=quote(found))


def named(there: Sequence[WordOccurrence]) -> dict[str, WordOccurrence]:
    """The name of each occurrence in a list: the word, and its number if it occurs several times."""
    counts: Mapping[str, int] = {one.word: one.number + 1 for one in there}

    def called(one: WordOccurrence) -> str:
        if counts[one.word] == 1:
            return one.word
        return _("{word}, occurrence {number} of {count}").format(
            word=one.word, number=one.number + 1, count=counts[one.word]
        )

    return {called(one): one for one in there}
