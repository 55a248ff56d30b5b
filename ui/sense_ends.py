"""The two ends of a word's sense axis, as a link holds them and as a visitor types them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from core import reading
from core.examples import known_ends
from core.measures.senses.shared_word import proposed_ends, shared_words
from core.records.finding import occurrence_spans
from core.records.inflections import form_of
from core.records.spelling import UNCASED, Spelling
from core.records.trace import Trace
from core.records.words import split
from ui import permalink, state
from ui.contributions.state import AXIS, BETWEEN, FROM, LINES, TO
from ui.models import answers, session_models
from ui.selection import Ends
from ui.state import Field, Part, SessionValue
from ui.text import plain

GRAMMAR_SENTENCES = 8  # of each sense, from a toy language
EARLIER = (
    "An earlier version measured these meanings differently: its numbers for this link "
    "differed from those that you see now."
)
SENTENCES_ALONE = (
    "This model was trained here, on a small language without the frames around {words}. "
    "The ends are sentences of that language instead."
)
# The name of the list: the model, the compared word, and the words that were named as ends.
_WORDS_LEFT = SessionValue[tuple[str, str, tuple[str, ...]] | None]("words that are no ends", None)
MOST_LISTED = 3
CONTEXTS = 178  # pixels, the height of a box of contexts with its label
_MOST_WRITTEN_OUT = 18  # letters for one of them: ﷺ, a whole sentence in one sign
MOST_NAME = 24  # letters of a sentence that serve as the name of its end


class EndFields(NamedTuple):
    """The fields that hold the ends at −1 and at +1; an empty one takes the page's own end."""

    low: Field[str]
    high: Field[str]


ENDS = EndFields(Field("lo", "low anchors", "", parse=str), Field("hi", "high anchors", "", parse=str))


def end_of(typed: str, word: str, spelling: Spelling = UNCASED) -> tuple[str, tuple[str, ...]]:
    """Parse a typed end: its name and its contexts.

    A context is a sentence that contains the word, one per line, or a word, separated by commas.
    "name:" before the words, or on a line of its own, names the sense; otherwise the first word does.
    """
    name, items = "", list[str]()
    for line in typed.splitlines():
        parts = [part.strip() for part in line.split(",") if part.strip()]
        listed = len(parts) > 1 and all(
            len(split(part.partition(":")[2] or part)) < 3 for part in parts
        )
        if _holds(line, word, spelling) and not listed:
            items.append(" ".join(line.split()))
            continue
        before, colon, after = f"{line.rstrip()} ".partition(": ")
        if colon and not name:
            name = before.strip()
        listed_in = after if colon else line
        items += [part.strip() for part in listed_in.split(",") if part.strip()]
    words = [item for item in items if not _holds(item, word, spelling)]
    called = name or (words[0] if words else _beginning(items[0]) if items else "")
    return called, tuple(dict.fromkeys(items))


def _beginning(sentence: str) -> str:
    """The first words of a sentence, which name its end; shortened with an ellipsis."""
    if len(sentence) <= MOST_NAME:
        return sentence
    whole = sentence[: MOST_NAME + 1].rpartition(" ")[0]
    return f"{whole.rstrip(' ,;:') or sentence[:MOST_NAME]}…"


def _holds(item: str, word: str, spelling: Spelling) -> bool:
    if len(word) > _MOST_WRITTEN_OUT * len(item):
        return False  # and a long word does not have to be read again for each of many short lines
    return len(split(item)) > 1 and bool(
        occurrence_spans(item, word, spelling=spelling) or form_of(item, word, spelling)
    )


def typed_end(name: str, items: Sequence[str], word: str, spelling: Spelling = UNCASED) -> str:
    """The text that `end_of` parses as this end."""
    sentences = [item for item in items if _holds(item, word, spelling)]
    others = {*sentences}
    words = [item for item in items if item not in others]
    listed = ", ".join(words)
    own = words[0] if words else _beginning(sentences[0]) if sentences else ""
    first = listed if name == own else f"{name}: {listed}".rstrip()
    return "\n".join([first] * bool(first) + sentences)


def ends_for(model: str, word: str, texts: Sequence[str]) -> Ends | None:
    """All that is known about a word's two senses; None for an unknown word.

    Args:
        model: its name; a model trained here knows only the sentences of its toy language.
        word: the word.
        texts: the texts on the page, which must not serve as their own reference.
    """
    if session_models.is_own(model):
        return _grammar(word, texts)
    known = known_ends(word, texts, answers.spelling(model))
    return None if known is None else Ends(known.names, known.low, known.high)


def proposed(a: Trace, b: Trace, words: tuple[str, str]) -> Ends | None:
    """Two ends for an unknown word, drawn from the sentences themselves; None if they offer none.

    Args:
        a: the trace of sentence A.
        b: the trace of sentence B.
        words: the word in each of them.
    """
    same = {(one.a.word, one.b.word): one for one in shared_words(a, b)}
    drawn = proposed_ends(a, b, same[words]) if words in same else None
    return None if drawn is None else Ends((drawn.b, drawn.a), (drawn.b,), (drawn.a,), proposed=True)


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


def _between(
    fields: EndFields, word: str, own: Ends | None, spelling: Spelling = UNCASED
) -> Ends | None:
    """The typed ends; for one that is not typed, its counterpart in `own`."""
    typed = _typed(fields)
    if own is not None and not any(typed):
        return own
    sides = []
    for i, text in enumerate(typed):
        if text:
            sides.append(end_of(text, word, spelling))
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
    """The contents of the two boxes, stripped."""
    return [one.get().strip() for one in fields]


def unnamed(fields: EndFields) -> list[str]:
    """The text in a box that contains no word that could be an end, for example a lone comma."""
    return [text for text in dict.fromkeys(_typed(fields)) if text and not end_of(text, "")[1]]


def choose(
    fields: EndFields,
    model: str,
    word: str,
    texts: Sequence[str],
    *,
    proposed: Ends | None = None,
) -> Ends | None:
    """Two boxes of one word each, and behind them all contexts of the ends.

    Args:
        fields: the fields of the ends.
        model: its name.
        word: the word; the page may contain another form of it.
        texts: the texts on the page.
        proposed: two ends for an unknown word.

    Returns:
        None while an end is still empty.
    """
    adopt(fields, word, answers.spelling(model))
    known = ends_for(model, word, texts)
    if session_models.is_own(model) and known is not None:
        _leave_words(fields, model, word)
    own = known or proposed
    spelling = answers.spelling(model)
    now = _between(fields, word, own, spelling)
    shown = _shown(fields, word, own, spelling)
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
            items = _items(_typed(fields)[i], i, word, own, spelling)
            _area(field, f"“{shown[i] or '…'}”, at {where}", items)
    return now


def _shown(fields: EndFields, word: str, own: Ends | None, spelling: Spelling) -> tuple[str, str]:
    """The contents of the two small boxes: the names of the ends."""
    names = ("", "") if own is None else own.names
    low, high = (
        _name(typed, word, spelling) or mine for typed, mine in zip(_typed(fields), names, strict=True)
    )
    return low, high


def _name(typed: str, word: str, spelling: Spelling) -> str:
    """The name of an end; if the text does not parse as one, all of it."""
    name, items = end_of(typed, word, spelling)
    return name if items else typed


def _items(typed: str, end: int, word: str, own: Ends | None, spelling: Spelling) -> str:
    """All contexts of one end, as a visitor would type them."""
    if typed:
        name, items = end_of(typed, word, spelling)
        return typed_end(name, items, word, spelling) if items else typed
    if own is None:
        return ""
    return typed_end(own.names[end], (own.low, own.high)[end], word, spelling)


def _box(field: Field[str], label: str, now: str) -> None:
    """The box for the name of one end; a name that is typed there replaces all its contexts."""
    one = _box_of(field, "box", now)
    # A pause must not send an empty box: the end's own name would come back while the visitor types
    # another.
    state.text(one, label, follows=False, width=130, placeholder="one word")


def _area(field: Field[str], label: str, now: str) -> None:
    """The box for all contexts of one end, behind the two small boxes."""
    state.paragraph(_box_of(field, "contexts", now), label, height=CONTEXTS)


def _box_of(field: Field[str], what: str, now: str) -> Part[str]:
    """The name of an end's box for this content, which is the field's value only if it was typed."""
    return Part(f"{field.key} {what}", lambda: now, lambda typed: field.set(typed.strip()))


def of_earlier_link(*fields: Field[str]) -> str:
    """Whether a link with its own ends was made with an earlier measure, and is still as it was opened.

    Args:
        fields: those that hold the ends.
    """
    own = any(one.get().strip() for one in fields)
    return EARLIER if own and permalink.by_earlier_link() else ""


def _leave_words(fields: EndFields, model: str, word: str) -> None:
    """Keep only the sentences of each end: the model knows no frame in which a word could stand."""
    left, spelling = list[str](), answers.spelling(model)
    for field, typed in zip(fields, _typed(fields), strict=True):
        name, items = end_of(typed, word, spelling)
        sentences = [item for item in items if _holds(item, word, spelling)]
        if items and sentences != [*items]:
            kept = {*sentences}
            left += [item for item in items if item not in kept]
            field.set(typed_end(name, sentences, word, spelling) if sentences else "")
    if left:
        _WORDS_LEFT.set((model, word, tuple(dict.fromkeys(left))))
    elif any(_typed(fields)):  # the ends have changed since
        _WORDS_LEFT.set(None)


def words_left(model: str, word: str) -> str:
    """Say which words were named as ends but mean nothing to this model; "" if none.

    Args:
        model: the name of the model.
        word: the compared word.
    """
    of = _WORDS_LEFT.get()
    if of is None or of[:2] != (model, word):
        return ""
    named = [f"*{plain(one)}*" for one in of[2][:MOST_LISTED]]
    more = len(of[2]) - len(named)
    return SENTENCES_ALONE.format(words=", ".join(named) + (f" and {more} more" if more else ""))


def adopt(fields: EndFields, word: str, spelling: Spelling = UNCASED) -> None:
    """Turn the labelled sentences of an older link into the ends."""
    typed = LINES.get()
    if AXIS.get() == AXIS.default or not typed:
        return
    groups: dict[str, list[str]] = {}
    for label, text in reading.typed(typed):
        if label and _holds(text, word, spelling):
            groups.setdefault(label, []).append(text)
    labels = [*groups]
    wanted = [one.get() for one in (FROM, TO)]
    ends = [w if w in groups else "" for w in wanted]
    free = [label for label in labels if label not in ends]
    ends = [one or (free.pop(0) if free else "") for one in ends]
    for field, label in zip(fields, ends, strict=True):
        if label:
            field.set(typed_end(label, groups[label], word, spelling))
    for one in BETWEEN:
        one.set(one.default)
