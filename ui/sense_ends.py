"""The two ends of a word's sense axis, as a link says them and as a visitor types them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from core.examples import known_ends
from core.records.inflections import form_of
from core.records.words import occurrence_spans, split
from ui import permalink, state
from ui.contributions.state import AXIS, BETWEEN, FROM, LINES, TO
from ui.models import session_models
from ui.models.word_vectors import read
from ui.selection import Ends
from ui.state import Field, Part, SessionValue
from ui.text import plain

GRAMMAR_SENTENCES = 8  # of each sense, of a small language
EARLIER = (
    "An earlier version measured these meanings differently: its numbers for this link "
    "were not the ones that you see now."
)
SENTENCES_ALONE = (
    "This model was trained here, on a small language without the frames around {words}. "
    "The ends are sentences of that language instead."
)
# The model, the compared word, and what was named for it.
_WORDS_LEFT = SessionValue[tuple[str, str, tuple[str, ...]] | None]("words that are no ends", None)
MOST_LISTED = 3
CONTEXTS = 178  # pixels of a box of contexts, with its label
MOST_NAME = 24  # letters of a sentence that names its end, before the ellipsis


class EndFields(NamedTuple):
    """The part of the link that holds the ends at −1 and at +1; empty: those that the page finds."""

    low: Field[str]
    high: Field[str]


ENDS = EndFields(Field("lo", "low anchors", "", parse=str), Field("hi", "high anchors", "", parse=str))


def end_of(typed: str, word: str) -> tuple[str, tuple[str, ...]]:
    """An end as it is typed: its name, and what it is made of.

    One line each for a sentence that holds the word, or for words with commas between them; "name:"
    before the words, or in a line of its own, names the sense. Otherwise the first word does.
    """
    name, items = "", list[str]()
    for line in typed.splitlines():
        parts = [part.strip() for part in line.split(",") if part.strip()]
        listed = len(parts) > 1 and all(
            len(split(part.partition(":")[2] or part)) < 3 for part in parts
        )
        if _holds(line, word) and not listed:
            items.append(" ".join(line.split()))
            continue
        before, colon, after = f"{line.rstrip()} ".partition(": ")
        if colon and not name:
            name = before.strip()
        listed_in = after if colon else line
        items += [part.strip() for part in listed_in.split(",") if part.strip()]
    words = [item for item in items if not _holds(item, word)]
    called = name or (words[0] if words else _beginning(items[0]) if items else "")
    return called, tuple(dict.fromkeys(items))


def _beginning(sentence: str) -> str:
    """The first words of a sentence, which name its end; an ellipsis where there are more."""
    if len(sentence) <= MOST_NAME:
        return sentence
    whole = sentence[: MOST_NAME + 1].rpartition(" ")[0]
    return f"{whole.rstrip(' ,;:') or sentence[:MOST_NAME]}…"


def _holds(item: str, word: str) -> bool:
    return len(split(item)) > 1 and bool(
        occurrence_spans(item, word, cased=False) or form_of(item, word)
    )


def typed_end(name: str, items: Sequence[str], word: str) -> str:
    """What `end_of` reads as this end."""
    sentences = [item for item in items if _holds(item, word)]
    words = [item for item in items if item not in sentences]
    listed = ", ".join(words)
    own = words[0] if words else _beginning(sentences[0]) if sentences else ""
    first = listed if name == own else f"{name}: {listed}".rstrip()
    return "\n".join([first] * bool(first) + sentences)


def ends_for(model: str, word: str, texts: Sequence[str]) -> Ends | None:
    """All that we have to say about a word's two senses; None for a word that we do not know.

    Args:
        model: its name; one that was trained here knows the sentences of its small language alone.
        word: the word.
        texts: those on the page, which are not measured by themselves.
    """
    if session_models.is_own(model):
        return _grammar(word, texts)
    known = known_ends(word, texts)
    return None if known is None else Ends(known.names, known.low, known.high)


def _grammar(word: str, texts: Sequence[str]) -> Ends | None:
    from core.tasks.languages.senses import labelled

    here = {" ".join(text.split()).casefold() for text in texts}
    groups: dict[str, list[str]] = {}
    for one in labelled(word.casefold(), GRAMMAR_SENTENCES):
        text = " ".join(one.words)
        groups.setdefault(one.topic, []).extend([text] * (text not in here))
    if len(groups) < 2:
        return None
    (low, at_low), (high, at_high) = [*groups.items()][:2]
    return Ends((low, high), tuple(at_low), tuple(at_high))


def _between(fields: EndFields, word: str, own: Ends | None) -> Ends | None:
    """The ends that are typed; where one is not, `own`."""
    typed = _typed(fields)
    if own is not None and not any(typed):
        return own
    sides = []
    for i, text in enumerate(typed):
        if text:
            sides.append(end_of(text, word))
        elif own is not None:
            sides.append((own.names[i], (own.low, own.high)[i]))
        else:
            return None
    (low, at_low), (high, at_high) = sides
    if not at_low or not at_high:
        return None
    half = own is not None and own.proposed and not all(typed)
    return Ends((low, high), at_low, at_high, half)


def _typed(fields: EndFields) -> list[str]:
    """What stands in the two boxes; blanks are nothing."""
    return [one.get().strip() for one in fields]


def unnamed(fields: EndFields) -> list[str]:
    """What stands in a box and holds no word that could be an end, such as a comma."""
    return [text for text in dict.fromkeys(_typed(fields)) if text and not end_of(text, "")[1]]


def choose(
    fields: EndFields,
    model: str,
    word: str,
    texts: Sequence[str],
    *,
    proposed: Ends | None = None,
) -> Ends | None:
    """Two boxes of one word each, and behind them all that the ends are made of.

    Args:
        fields: the part of the link.
        model: its name.
        word: the word; it may stand in another form on the page.
        texts: those on the page.
        proposed: two ends for a word that we do not know.

    Returns:
        None where an end has nothing yet.
    """
    adopt(fields, word)
    known = ends_for(model, word, texts)
    if session_models.is_own(model) and known is not None:
        _leave_words(fields, model, word)
    own = known or proposed
    now, shown = _between(fields, word, own), _shown(fields, word, own)
    for i, (field, label) in enumerate(
        zip(fields, (f"{plain(word)} as in …", "… or as in …"), strict=True)
    ):
        _box(field, label, shown[i])
    with st.popover("More contexts", width="content"):
        st.markdown(
            "Each meaning is the average of its contexts: words that name it, separated by commas, "
            f"and sentences with **{plain(word)}**, one per line. More contexts give a verdict more "
            "often."
        )
        for i, (field, where) in enumerate(zip(fields, ("−1", "+1"), strict=True)):
            items = _items(_typed(fields)[i], i, word, own)
            _area(field, f"“{shown[i] or '…'}”, at {where}", items)
    return now


def _shown(fields: EndFields, word: str, own: Ends | None) -> tuple[str, str]:
    """What the two small boxes hold: the names of the ends."""
    names = ("", "") if own is None else own.names
    low, high = (_name(typed, word) or mine for typed, mine in zip(_typed(fields), names, strict=True))
    return low, high


def _name(typed: str, word: str) -> str:
    """What an end is called; all that is typed where that makes no end."""
    name, items = end_of(typed, word)
    return name if items else typed


def _items(typed: str, end: int, word: str, own: Ends | None) -> str:
    """All that one end is made of, as one would type it."""
    if typed:
        name, items = end_of(typed, word)
        return typed_end(name, items, word) if items else typed
    return "" if own is None else typed_end(own.names[end], (own.low, own.high)[end], word)


def _box(field: Field[str], label: str, now: str) -> None:
    """The name of one end; one that is typed is all that the end is made of."""
    one = _box_of(field, "box", now)
    # A pause must not tell that it is empty: its own name would come back while one types another.
    state.text(one, label, follows=False, width=130, placeholder="one word")


def _area(field: Field[str], label: str, now: str) -> None:
    """All contexts of one end, behind the two boxes."""
    state.paragraph(_box_of(field, "contexts", now), label, height=CONTEXTS)


def _box_of(field: Field[str], what: str, now: str) -> Part[str]:
    """A box of an end: it shows this, which is the field's own value only where that was typed."""
    return Part(f"{field.key} {what}", lambda: now, lambda typed: field.set(typed.strip()))


def of_earlier_link(*fields: Field[str]) -> str:
    """That a link with ends of its own was made with an earlier measure, while it is as it was opened.

    Args:
        fields: those that hold the ends.
    """
    own = any(one.get().strip() for one in fields)
    return EARLIER if own and permalink.by_earlier_link() else ""


def _leave_words(fields: EndFields, model: str, word: str) -> None:
    """Of each end, keep the sentences alone: the model knows no frame that a word could stand in."""
    left = list[str]()
    for field, typed in zip(fields, _typed(fields), strict=True):
        name, items = end_of(typed, word)
        sentences = [item for item in items if _holds(item, word)]
        if items and sentences != [*items]:
            left += [item for item in items if item not in sentences]
            field.set(typed_end(name, sentences, word) if sentences else "")
    if left:
        _WORDS_LEFT.set((model, word, tuple(dict.fromkeys(left))))
    elif any(_typed(fields)):  # other ends by now
        _WORDS_LEFT.set(None)


def words_left(model: str, word: str) -> str:
    """That the words which were named as ends are none to this model; empty where none were.

    Args:
        model: its name.
        word: the compared word.
    """
    of = _WORDS_LEFT.get()
    if of is None or of[:2] != (model, word):
        return ""
    named = [f"*{plain(one)}*" for one in of[2][:MOST_LISTED]]
    more = len(of[2]) - len(named)
    return SENTENCES_ALONE.format(words=", ".join(named) + (f" and {more} more" if more else ""))


def adopt(fields: EndFields, word: str) -> None:
    """The labelled sentences of an older link become the ends; they are said once."""
    typed = LINES.get()
    if AXIS.get() == AXIS.default or not typed:
        return
    groups: dict[str, list[str]] = {}
    for label, text in read(typed):
        if label and _holds(text, word):
            groups.setdefault(label, []).append(text)
    labels = [*groups]
    wanted = [one.get() for one in (FROM, TO)]
    ends = [w if w in groups else "" for w in wanted]
    free = [label for label in labels if label not in ends]
    ends = [one or (free.pop(0) if free else "") for one in ends]
    for field, label in zip(fields, ends, strict=True):
        if label:
            field.set(typed_end(label, groups[label], word))
    for one in BETWEEN:
        one.set(one.default)
