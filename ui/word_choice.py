"""Choosing the word in each of two sentences, and which of its places where it stands several times."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st

from core.measures.senses.shared_word import shared_words
from core.records.inflections import same_word
from core.records.trace import Trace
from core.records.words import occurrence_spans as phrases
from core.records.words import split
from ui import text, widgets
from ui.state import Field, Visit

LABELS = {"A": ":blue[**● Sentence A**]", "B": ":orange[**■ Sentence B**]"}
_TOLD = Visit("another word is shown", "")


class Place(NamedTuple):
    """One place of a word: `trace.find(word, number)`, the characters from `start` to `end`."""

    word: str
    number: int
    start: int
    end: int


class WordFields(NamedTuple):
    """The part of the link that says which word of a sentence is meant, and which of its places.

    An empty word in B means the word in A.
    """

    word: Field[str]
    number: Field[int]


def choose(
    asked: Mapping[str, WordFields],
    traces: Mapping[str, Trace],
    *,
    forget: Sequence[Field[str]],
) -> dict[str, Place]:
    """A box for each sentence, "A" and "B", and what is chosen in it.

    Args:
        asked: the fields of each sentence.
        traces: of those sentences that there are.
        forget: fields that belong to the word, and go back to their defaults when it changes.
    """
    words = [asked[name].word.get() for name in asked]
    numbers = [asked[name].number.get() - 1 for name in asked]
    there = {
        name: places(traces[name], words[0], words[i]) if name in traces else ()
        for i, name in enumerate(asked)
    }
    found = settle([*there.values()], words, numbers, partial(_shared, traces))
    if found[0] and found[1] and not same_word(found[0].word, words[0]):
        # Written down: the link says what is shown, and what was named for the other word has gone.
        one = _same(found[0].word, found[1].word)
        asked["A"].word.set(found[0].word)
        asked["B"].word.set("" if one else found[1].word)
        _reset(forget)
        _TOLD.set(say_instead(words[0], found[0].word))
    for name, place in zip(asked, found, strict=True):
        _box(asked, name, there[name], place, forget)
    return {name: place for name, place in zip(asked, found, strict=True) if place is not None}


def say_instead(asked: str, shown: str) -> str:
    """What to say where a word gave way to another (Markdown)."""
    return f"Neither sentence contains “{text.plain(asked)}”. “{text.plain(shown)}” is shown instead."


def _reset(fields: Sequence[Field[str]]) -> None:
    for field in fields:
        field.set(field.default)


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def places(trace: Trace, *asked: str) -> tuple[Place, ...]:
    """The places that can be chosen: of every word, no bare sign, that the model has pieces for.

    Args:
        trace: the sentence.
        asked: words to be found as well if they are several in a row, such as "river bank".
    """
    found = [
        Place(one.word, one.number, one.start, one.end)
        for one in trace.occurrences()
        if any(map(str.isalnum, one.word)) and not text.all_unknown(trace, one.tokens)
    ]
    for phrase in dict.fromkeys(asked):
        if len(split(phrase)) > 1:
            spans = phrases(trace.texts[0], phrase, cased=trace.cased)
            known = zip(spans, trace.find_all(phrase), strict=False)
            found += [Place(phrase, i, *span) for i, (span, _) in enumerate(known)]
    return tuple(found)


def settle(
    there: Sequence[Sequence[Place]],
    words: Sequence[str],
    numbers: Sequence[int],
    shared: Callable[[], Sequence[tuple[str, str]]],
) -> tuple[Place | None, Place | None]:
    """Which places are meant.

    A word that is in neither sentence gives way to the best that both have, perhaps in two forms. In
    one sentence, a word is found in another form of its own ("banks"). A number that is too large means
    the last place.

    Args:
        there: the places in A and in B.
        words: the word in A, and the one in B; the latter empty where it is the same.
        numbers: which place of each, from 0.
        shared: the words that both sentences have, as each writes them, the best first.
    """
    a, b = there
    word, other = words[0], words[1] or words[0]
    found = _at(a, word, numbers[0]), _at(b, other, numbers[1])
    if found == (None, None):
        for first, second in shared():
            both = _at(a, first, 0), _at(b, second, 0)
            if all(both):
                return both
    return found


def _shared(traces: Mapping[str, Trace]) -> Sequence[tuple[str, str]]:
    if len(traces) < 2:
        return ()
    return [(one.a.word, one.b.word) for one in shared_words(traces["A"], traces["B"])]


def _at(there: Sequence[Place], word: str, number: int) -> Place | None:
    """The place of a word; "Bank" finds "bank", and then "banks", where there is no "Bank"."""
    found = [p for p in there if p.word == word]
    found = found or [p for p in there if _same(p.word, word)]
    found = found or [p for p in there if same_word(p.word, word)]
    return found[min(number, len(found) - 1)] if found else None


def explain(asked: Mapping[str, WordFields], chosen: Mapping[str, Place], texts: int) -> None:
    """Why there is nothing to compare in two texts, or another word than was asked for, on the page."""
    words = [asked[name].word.get() for name in asked]
    told = _TOLD.take()
    if texts == 2 and (said := why_not(words, [chosen.get(name) for name in asked]) or told):
        st.info(said)


def why_not(words: Sequence[str], found: Sequence[Place | None]) -> str | None:
    """What to say where a sentence has no such word, or another than was asked for (Markdown)."""
    a, b = found
    if a is None and b is None:
        return (
            "The two sentences share no word that the model knows. Write one word into both, for "
            "example “bank”, or choose a word in each."
        )
    if a is None or b is None:
        name, word = ("A", words[0]) if a is None else ("B", words[1] or words[0])
        return (
            f"Sentence {name} has no “{text.plain(word)}”. Choose one of its words, or write it there."
        )
    return None


def named(there: Sequence[Place]) -> dict[str, Place]:
    """What a box calls each place: the word, and which of several it is."""
    counts = {place.word: place.number + 1 for place in there}
    several = "{0.word}, place {1} of {2}"
    return {
        p.word if counts[p.word] == 1 else several.format(p, p.number + 1, counts[p.word]): p
        for p in there
    }


def _box(
    asked: Mapping[str, WordFields],
    name: str,
    there: Sequence[Place],
    chosen: Place | None,
    forget: Sequence[Field[str]],
) -> None:
    key = f"word in {name}"
    names = named(there)
    widgets.keep(key, next((label for label, place in names.items() if place == chosen), None))

    def take() -> None:
        typed = st.session_state[key]
        if not typed:
            return
        # A phrase that is typed is none of those offered.
        word, number = names[typed][:2] if typed in names else (str(typed), 0)
        first, second = asked.values()
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
        index=None if chosen is None else 0,  # None lets a visitor clear it: there is nothing to gain
        key=key,
        on_change=take,
        disabled=not names,
        accept_new_options=True,
        help=None if names else "Type a sentence first.",
        placeholder="choose or type" if names else "none",
    )
