"""The boxes in which a visitor chooses a word of each sentence, and one of its occurrences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from core.comparison import word
from core.comparison.word import WordOccurrence
from core.localization import N_, _
from core.records.trace import Trace
from core.records.unknown import unknown_word
from ui.state import Field, SessionValue, control_sync

LABELS = {"A": N_(":blue[**● Sentence A**]"), "B": N_(":orange[**■ Sentence B**]")}
_REPLACED = SessionValue("another word is shown", "")
_SHOWN = SessionValue("word that was shown", "")
_SHOWN_B = SessionValue("word that was shown in B", "")


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
    both = [traces.get(name) for name in fields]
    if message := _left_behind(fields, both, forget):
        words[1], numbers[1] = "", 0
    choice = word.choose(both, (words[0], words[1]), (numbers[0], numbers[1]))
    first, second = choice.chosen
    if first is not None and second is not None and choice.replaced:
        # Stored, so that the link names the word that is shown; the ends of the other word are dropped.
        spelling = next(iter(traces.values())).spelling
        one = spelling.key(first.word) == spelling.key(second.word)
        fields["A"].word.set(first.word)
        fields["B"].word.set("" if one else second.word)
        _reset(forget)
        # Whoever types other sentences over the old ones, or follows a link that names no word, did not
        # ask for the old word.
        asked = words[0] not in (_SHOWN.get(), fields["A"].word.default)
        if asked or any(unknown_word(one, words[0]) for one in both if one):
            _REPLACED.set(word.say_instead(words[0], first.word, both))
    if message:
        _REPLACED.set(message)
    if first is not None or second is not None:
        _SHOWN.set(fields["A"].word.get())
        _SHOWN_B.set(fields["B"].word.get())
    for name, there, occurrence in zip(fields, choice.there, choice.chosen, strict=True):
        _box(fields, name, there, occurrence, forget)
    return {
        name: occurrence
        for name, occurrence in zip(fields, choice.chosen, strict=True)
        if occurrence is not None
    }


def _left_behind(
    fields: Mapping[str, WordFields], traces: Sequence[Trace | None], forget: Sequence[Field[str]]
) -> str:
    """Drop a word of B that B no longer has, where it has the word of A; what is to be said of it.

    It belongs to a sentence that was there before, and the ends with it. Of a word that a link asked
    for, it is said that it is not there.
    """
    first, second = fields.values()
    asked, (a, b) = second.word.get(), traces
    if not asked or a is None or b is None:
        return ""
    there = word.occurrences(b, first.word.get(), asked)
    in_a = word.at(word.occurrences(a, first.word.get()), first.word.get(), 0, a.spelling)
    of_a = word.at(there, first.word.get(), 0, b.spelling)
    if in_a is None or of_a is None or word.at(there, asked, 0, b.spelling) is not None:
        return ""
    if unknown_word(b, asked):
        return ""
    second.word.set("")
    second.number.set(1)
    _reset(forget)
    return "" if asked == _SHOWN_B.get() else word.missing("B", asked, None)


def _reset(fields: Sequence[Field[str]]) -> None:
    for field in fields:
        field.set(field.default)


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def explain(
    fields: Mapping[str, WordFields],
    chosen: Mapping[str, WordOccurrence],
    traces: Mapping[str, Trace],
) -> None:
    """Explain on the page why two texts cannot be compared, or why another word is shown."""
    words = [fields[name].word.get() for name in fields]
    replaced = _REPLACED.take()
    found = [chosen.get(name) for name in fields]
    message = word.why_not(words, found, [traces.get(name) for name in fields]) or replaced
    if message and len(traces) == 2:
        st.info(message)


def _box(
    fields: Mapping[str, WordFields],
    name: str,
    there: Sequence[WordOccurrence],
    shown: WordOccurrence | None,
    forget: Sequence[Field[str]],
) -> None:
    key = f"word in {name}"
    names = word.named(there)
    label = next((label for label, occurrence in names.items() if occurrence == shown), None)
    control_sync.send(key, label)

    def take(typed: str | None) -> None:
        if not typed or typed == label:
            return  # a browser that creates the list anew reports what it has shown: nobody chose that
        # A typed phrase is not among the options.
        chosen, number = names[typed][:2] if typed in names else (str(typed), 0)
        first, second = fields.values()
        if name == "A" and not _same(chosen, first.word.get()):
            _reset(forget)
        if name == "B" and _same(chosen, first.word.get()):
            chosen = ""
        mine = first if name == "A" else second
        mine.word.set(chosen)
        mine.number.set(number + 1)

    st.selectbox(
        _("Word in {name}").format(name=name),
        list(names),
        # A browser may create the list anew, and then reports this one as if it had been chosen.
        index=None if label is None else list(names).index(label),
        key=key,
        on_change=control_sync.on_change(key, take),
        disabled=not names,
        accept_new_options=True,
        help=None if names else _("The sentence is empty, or the model knows none of its words."),
        placeholder=_("choose or type") if names else _("no word"),
    )
