"""What to try with sentences of one's own: the page's examples are about other words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from core.comparison.word import WordOccurrence
from core.examples import CUE_FIRST, PRESETS
from core.localization import _
from core.records.trace import Trace
from core.records.words import split
from pages.compare.state import CompareState
from ui.page import prose
from ui.text import plain

MOST_WORD = 24  # letters of a word on a button
LEAST_LEFT = 2  # words that a cut must leave, and take


def words(
    page: str, s: CompareState, one: Mapping[str, WordOccurrence], read: Mapping[str, Trace]
) -> prose.Prose:
    """The words of the page; what to try is about a visitor's own sentences, where these are on it.

    What an example shows with the model that the page opens with is not said of another one.

    Args:
        page: the file of the page.
        s: its state.
        one: the word in each sentence.
        read: the trace of each sentence.
    """
    of_page = prose.read(page)
    if s.model.get() != s.model.default:  # what is said of an example is MiniLM's
        of_page = replace(of_page, tries=tuple(replace(each, look_for="") for each in of_page.tries))
    if len(one) < 2 or _is_prepared(of_page, s):
        return of_page
    return replace(of_page, tries=tuple(_own(s, one, read)))


def _is_prepared(of_page: prose.Prose, s: CompareState) -> bool:
    """Whether both sentences come with the app, or what is tried with them."""
    now = s.a.get(), s.b.get()
    tries = [dict(item.state) for item in (*of_page.tries, *of_page.more)]
    known = [(state.get("a"), state.get("b")) for state in tries]
    return now in [*known, *((preset.text_a, preset.text_b) for preset in (*PRESETS, *CUE_FIRST))]


def _own(
    s: CompareState, one: Mapping[str, WordOccurrence], read: Mapping[str, Trace]
) -> list[prose.Try]:
    a, b = one["A"].word, one["B"].word
    made = partial(_made, s)
    quoted = f"*{plain(a)}*"
    tries = [
        made(
            _("No cue for {word}").format(word=_short(a)),
            {s.b.url: f"They wrote “{a}”.", s.word.url: a, s.word_b.url: "", s.occurrence_b.url: "1"},
            _(
                "In B, nothing says what {word} means. Does it end near the grey path, the word alone?"
            ).format(word=quoted),
        ),
        made(
            _("The same sentence twice"),
            {
                s.b.url: s.a.get(),
                s.word_b.url: "",
                s.occurrence_b.url: s.occurrence.write(s.occurrence.get()),
            },
            _("A is in both boxes: {word} gets the same vector twice, layer by layer.").format(
                word=quoted
            ),
        ),
    ]
    for name, word in (("A", a), ("B", b)):
        # A model that reads from left to right has read no more.
        if not read[name].causal and (rest := _up_to(read[name].texts[0], one[name])) is not None:
            state = {s.texts[name].url: rest}
            about = _(
                "{name} ends at *{word}*. The model reads in both directions: what changes without "
                "the words that came after it?"
            ).format(name=name, word=plain(word))
            tries.append(
                made(_("{name} up to {word}").format(name=name, word=_short(word)), state, about)
            )
            break
    return tries


def _made(s: CompareState, label: str, state: Mapping[str, str], look_for: str) -> prose.Try:
    now = {field.url: field.write(field.get()) for field in s.lesson}
    return prose.Try(label, tuple({**now, **state}.items()), look_for)


def _short(word: str) -> str:
    return plain(word if len(word) <= MOST_WORD else f"{word[: MOST_WORD - 1]}…")


def _up_to(text: str, one: WordOccurrence) -> str | None:
    """A sentence up to its word; None where too little comes before it, or after it."""
    parts = text[: one.end], text[one.end :]
    before, after = ([w for w in split(part) if any(map(str.isalnum, w.text))] for part in parts)
    return f"{parts[0]}." if len(before) > LEAST_LEFT and len(after) >= LEAST_LEFT else None
