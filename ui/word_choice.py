"""Choosing the word in each of two sentences, and which of its occurrences there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st

from core.measures.senses.shared_word import shared_words
from core.records.finding import fits_of, is_phrase, unquoted
from core.records.inflections import same_as
from core.records.spelling import UNCASED, Spelling
from core.records.trace import Trace
from core.records.unknown import unknown_word
from core.sentences import sentence
from ui import text
from ui.state import Field, SessionValue, control_sync

LABELS = {"A": ":blue[**● Sentence A**]", "B": ":orange[**■ Sentence B**]"}
_REPLACED = SessionValue("another word is shown", "")


class WordOccurrence(NamedTuple):
    """One occurrence of a word: `trace.find(word, number)`, the characters from `start` to `end`."""

    word: str
    number: int
    start: int
    end: int


class WordFields(NamedTuple):
    """The fields of the link for the chosen word of a sentence and its occurrence.

    An empty word in B means the word in A.
    """

    word: Field[str]
    number: Field[int]


def choose(
    fields: Mapping[str, WordFields],
    traces: Mapping[str, Trace],
    *,
    forget: Sequence[Field[str]],
) -> dict[str, WordOccurrence]:
    """Draw a box for each sentence, "A" and "B", and return the chosen occurrences.

    Args:
        fields: the fields of each sentence.
        traces: the trace of each sentence that is not empty.
        forget: fields that depend on the word, and return to their defaults when it changes.
    """
    words = [fields[name].word.get() for name in fields]
    numbers = [fields[name].number.get() - 1 for name in fields]
    there = {
        name: occurrences(traces[name], words[0], words[i]) if name in traces else ()
        for i, name in enumerate(fields)
    }
    spelling = next((trace.spelling for trace in traces.values()), UNCASED)
    chosen = settle([*there.values()], words, numbers, partial(_shared, traces), spelling)
    if chosen[0] and chosen[1] and not _fits(chosen[0].word, words[0], spelling):
        # Stored, so that the link names the word that is shown; the ends of the other word are dropped.
        one = spelling.key(chosen[0].word) == spelling.key(chosen[1].word)
        fields["A"].word.set(chosen[0].word)
        fields["B"].word.set("" if one else chosen[1].word)
        _reset(forget)
        _REPLACED.set(say_instead(words[0], chosen[0].word, traces))
    for name, occurrence in zip(fields, chosen, strict=True):
        _box(fields, name, there[name], occurrence, forget)
    return {
        name: occurrence
        for name, occurrence in zip(fields, chosen, strict=True)
        if occurrence is not None
    }


def say_instead(wanted: str, shown: str, traces: Mapping[str, Trace]) -> str:
    """A message that another word is shown instead of the requested one (Markdown)."""
    if unknown := _unknown(wanted, traces.values()):
        return sentence("word.unknown-instead", unknown=unknown, shown=text.plain(shown))
    return sentence("word.instead", wanted=text.plain(wanted), shown=text.plain(shown))


def _reset(fields: Sequence[Field[str]]) -> None:
    for field in fields:
        field.set(field.default)


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def occurrences(trace: Trace, *typed: str) -> tuple[WordOccurrence, ...]:
    """The occurrences to choose from: every word with tokens, without punctuation.

    Args:
        trace: the trace of the sentence.
        typed: phrases of several words to find as well, such as "river bank".
    """
    listed = [
        WordOccurrence(one.word, one.number, one.start, one.end)
        for one in trace.occurrences()
        if any(map(str.isalnum, one.word)) and not text.all_unknown(trace, one.tokens)
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


def _shared(traces: Mapping[str, Trace]) -> Sequence[tuple[str, str]]:
    if len(traces) < 2:
        return ()
    return [(one.a.word, one.b.word) for one in shared_words(traces["A"], traces["B"])]


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
        lambda other: _same(other, word),
        same_as(word, spelling),
    ]


def _fits(shown: str, wanted: str, spelling: Spelling) -> bool:
    """Whether a word that is shown is the one that was wanted, perhaps in another form."""
    return any(fits(shown) for fits in _tests(wanted, spelling))


def explain(
    fields: Mapping[str, WordFields],
    chosen: Mapping[str, WordOccurrence],
    traces: Mapping[str, Trace],
) -> None:
    """Explain on the page why two texts cannot be compared, or why another word is shown."""
    words = [fields[name].word.get() for name in fields]
    replaced = _REPLACED.take()
    found = [chosen.get(name) for name in fields]
    message = why_not(words, found, [traces.get(name) for name in fields]) or replaced
    if message and len(traces) == 2:
        st.info(message)


def _unknown(word: str, traces: Iterable[Trace | None]) -> str:
    """A message that a text has the word, but the model does not know it; "" otherwise (Markdown)."""
    there = (unknown_word(trace, word) for trace in traces if trace is not None)
    found = next((one for one in there if one is not None), None)
    return "" if found is None else sentence("word.unknown", word=text.plain(found))


def why_not(
    words: Sequence[str],
    chosen: Sequence[WordOccurrence | None],
    traces: Sequence[Trace | None] = (None, None),
) -> str | None:
    """A message for a sentence without the requested word, or with another one shown (Markdown).

    Args:
        words: the word in A and the word in B, which is empty if it is the same.
        chosen: what was found of them.
        traces: those of A and of B, to tell a word that is not there from one that is unknown.
    """
    a, b = chosen
    wanted = words[0], words[1] or words[0]
    for word, one, trace in zip(wanted, chosen, traces, strict=True):
        if one is None and (unknown := _unknown(word, [trace])):
            return unknown
    for trace in traces if a is None and b is None else ():
        # A whole sentence of unknown words, none of which can be chosen.
        if trace is not None and not occurrences(trace) and (unknown := _unknown("", [trace])):
            return unknown
    if a is None and b is None:
        return sentence("word.none-shared")
    if a is None or b is None:
        name, word = ("A", words[0]) if a is None else ("B", words[1] or words[0])
        return sentence("word.not-there", name=name, word=text.plain(word))
    return None


def named(there: Sequence[WordOccurrence]) -> dict[str, WordOccurrence]:
    """The name of each occurrence in a box: the word, and its number if it occurs several times."""
    counts = {occurrence.word: occurrence.number + 1 for occurrence in there}
    several = "{0.word}, occurrence {1} of {2}"
    return {
        p.word if counts[p.word] == 1 else several.format(p, p.number + 1, counts[p.word]): p
        for p in there
    }


def _box(
    fields: Mapping[str, WordFields],
    name: str,
    there: Sequence[WordOccurrence],
    chosen: WordOccurrence | None,
    forget: Sequence[Field[str]],
) -> None:
    key = f"word in {name}"
    names = named(there)
    label = next((label for label, occurrence in names.items() if occurrence == chosen), None)
    control_sync.send(key, label)

    def take(typed: str | None) -> None:
        if not typed:
            return
        # A typed phrase is not among the options.
        word, number = names[typed][:2] if typed in names else (str(typed), 0)
        first, second = fields.values()
        if name == "A" and not _same(word, first.word.get()):
            _reset(forget)
        if name == "B" and _same(word, first.word.get()):
            word = ""
        mine = first if name == "A" else second
        mine.word.set(word)
        mine.number.set(number + 1)

    st.selectbox(
        f"Word in {name}",
        list(names),
        # A browser may create the list anew, and then reports this one as if it had been chosen.
        index=None if label is None else list(names).index(label),
        key=key,
        on_change=control_sync.on_change(key, take),
        disabled=not names,
        accept_new_options=True,
        help=None if names else "The sentence is empty, or the model knows none of its words.",
        placeholder="choose or type" if names else "none",
    )
