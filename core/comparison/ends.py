"""The two ends of a word's sense axis: as they are typed, known, or drawn from the sentences."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import NotSupported
from ..examples import known_ends
from ..localization import _
from ..measures.senses.shared_word import is_content, proposed_ends, shared_words
from ..records.finding import occurrence_spans
from ..records.inflections import form_of
from ..records.spelling import UNCASED, Spelling
from ..records.trace import Trace
from ..records.words import split
from .question import Ends

TOY_SENTENCES = 8  # of each sense, from a toy language
_MOST_WRITTEN_OUT = 18  # letters for one of them: ﷺ, a whole sentence in one sign
MOST_NAME = 24  # letters of a sentence that serve as the name of its end
MOST_NAMED = 3  # words of a longer name on a chip and beside a picture


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
        if holds(line, word, spelling) and not listed:
            items.append(" ".join(line.split()))
            continue
        before, colon, after = f"{line.rstrip()} ".partition(": ")
        if colon and not name:
            name = before.strip()
        listed_in = after if colon else line
        items += [part.strip() for part in listed_in.split(",") if part.strip()]
    return name or _called(items, word, spelling), tuple(dict.fromkeys(items))


def typed_end(name: str, items: Sequence[str], word: str, spelling: Spelling = UNCASED) -> str:
    """The text that `end_of` parses as this end."""
    sentences = [item for item in items if holds(item, word, spelling)]
    others = {*sentences}
    words = [item for item in items if item not in others]
    listed = ", ".join(words)
    own = words[0] if words else _beginning(sentences[0]) if sentences else ""
    first = listed if name == own else f"{name}: {listed}".rstrip()
    return "\n".join([first] * bool(first) + sentences)


def holds(item: str, word: str, spelling: Spelling) -> bool:
    """Whether an item of an end is a sentence with the word, rather than a word that names a sense."""
    if len(word) > _MOST_WRITTEN_OUT * len(item):
        return False  # and a long word does not have to be read again for each of many short lines
    return len(split(item)) > 1 and bool(
        occurrence_spans(item, word, spelling=spelling) or form_of(item, word, spelling)
    )


def _called(items: Sequence[str], word: str, spelling: Spelling) -> str:
    """The name of an end that has none of its own."""
    words = [item for item in items if not holds(item, word, spelling)]
    return words[0] if words else _beginning(items[0]) if items else ""


def _beginning(sentence: str) -> str:
    """The first words of a sentence, which name its end; shortened with an ellipsis."""
    if len(sentence) <= MOST_NAME:
        return sentence
    whole = sentence[: MOST_NAME + 1].rpartition(" ")[0]
    return f"{whole.rstrip(' ,;:') or sentence[:MOST_NAME]}…"


def given(low: Sequence[str], high: Sequence[str], word: str, spelling: Spelling) -> Ends:
    """The ends of these words and sentences, called as `end_of` calls them.

    Raises:
        NotSupported: an end is empty.
    """
    if not low or not high:
        raise NotSupported(_("Each of the two ends needs a word or a sentence."))
    names = _called(low, word, spelling), _called(high, word, spelling)
    return Ends(names, tuple(low), tuple(high))


def known(
    word: str,
    texts: Sequence[str],
    spelling: Spelling,
    *,
    toy: bool = False,
    causal: bool = False,
) -> Ends | None:
    """All that is known about a word's two senses; None for an unknown word.

    Args:
        word: the word, or another form of it.
        texts: the texts to be compared, which must not serve as their own reference.
        spelling: which spellings the model reads alike.
        toy: whether the model knows only the sentences of our toy language.
        causal: whether it reads from left to right: its sentences have the cue before the word.
    """
    if toy:
        return _toy(word, texts)
    found = known_ends(word, texts, spelling, causal=causal)
    return None if found is None else Ends(found.names, found.low, found.high)


def _toy(word: str, texts: Sequence[str]) -> Ends | None:
    from ..tasks.languages.senses import labelled

    here = {" ".join(text.split()).casefold() for text in texts}
    groups: dict[str, list[str]] = {}
    for one in labelled(word.casefold(), TOY_SENTENCES):
        text = " ".join(one.words)
        groups.setdefault(one.topic, []).extend([text] * (text not in here))
    if len(groups) < 2:
        return None
    (low, at_low), (high, at_high) = [*groups.items()][:2]
    return Ends((low, high), tuple(at_low), tuple(at_high))


def drawn(a: Trace, b: Trace, words: tuple[str, str]) -> Ends | None:
    """Two ends for an unknown word, drawn from the sentences themselves; None if they offer none.

    Args:
        a: the trace of sentence A.
        b: the trace of sentence B.
        words: the word in each of them.

    Raises:
        NotSupported: a trace has no hidden states.
    """
    same = {(one.a.word, one.b.word): one for one in shared_words(a, b)}
    found = proposed_ends(a, b, same[words]) if words in same else None
    return None if found is None else Ends((found.b, found.a), (found.b,), (found.a,), proposed=True)


def settle(
    typed: Sequence[str], word: str, own: Ends | None, spelling: Spelling = UNCASED
) -> Ends | None:
    """The typed ends; for one that is not typed, its counterpart in `own`.

    Args:
        typed: what stands for the end at −1 and for the one at +1, stripped; "" for nothing.
        word: the compared word.
        own: the known ends, or the proposed ones.
        spelling: which spellings the model reads alike.

    Returns:
        None while an end is still empty.
    """
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
    if own is None or all(typed):
        return Ends((low, high), at_low, at_high)
    return Ends((low, high), at_low, at_high, own.proposed)  # no longer the two that a model guessed


def continues(before: str, now: str, word: str) -> bool:
    """Whether a text is still the one of before: half of its words, without `word`, are there."""
    low = word.casefold()
    first, second = (
        [one.text.casefold() for one in split(text) if any(map(str.isalnum, one.text))]
        for text in (before, now)
    )
    others, there = [one for one in first if one != low], {*second}
    return 2 * sum(one in there for one in others) >= len(others)


def nameless(typed: Sequence[str]) -> list[str]:
    """What was typed and contains no word that could be an end, for example a lone comma."""
    return [text for text in dict.fromkeys(typed) if text and not end_of(text, "")[1]]


def names(
    typed: Sequence[str], word: str, own: Ends | None, spelling: Spelling = UNCASED
) -> tuple[str, str]:
    """The names of both ends. Of what does not parse as an end, all of it. Arguments as in `settle`."""
    others = ("", "") if own is None else own.names
    low, high = (
        _name(text, word, spelling) or other for text, other in zip(typed, others, strict=True)
    )
    return low, high


def _name(typed: str, word: str, spelling: Spelling) -> str:
    name, items = end_of(typed, word, spelling)
    return name if items else typed


def short(names: Sequence[str]) -> tuple[str, ...]:
    """Names of ends or meanings as a chip and an axis have room for them, each still another one.

    A definition is called by its first words; whoever needs the whole of it finds it in the verdict.

    Args:
        names: the names, which stand beside one another.
    """
    found = [_shortened(name) for name in names]
    return tuple(name if found.count(one) > 1 else one for name, one in zip(names, found, strict=True))


def _shortened(name: str) -> str:
    words = name.split()
    if len(name) <= MOST_NAME or len(words) <= MOST_NAMED:
        return name
    first = words[:MOST_NAMED]
    while len(first) > 1 and (len(" ".join(first)) > MOST_NAME or not is_content(first[-1])):
        first.pop()
    return f"{' '.join(first)} …"


def contexts(typed: str, end: int, word: str, own: Ends | None, spelling: Spelling = UNCASED) -> str:
    """All contexts of one end, 0 or 1, as one would type them. Other arguments as in `settle`."""
    if typed:
        name, items = end_of(typed, word, spelling)
        return typed_end(name, items, word, spelling) if items else typed
    if own is None:
        return ""
    return typed_end(own.names[end], (own.low, own.high)[end], word, spelling)


def sentences_alone(typed: str, word: str, spelling: Spelling = UNCASED) -> tuple[str, tuple[str, ...]]:
    """A typed end without the words that name it, and these words.

    For a model that knows no frame in which a word could stand.
    """
    name, items = end_of(typed, word, spelling)
    kept = [item for item in items if holds(item, word, spelling)]
    if not items or kept == [*items]:
        return typed, ()
    rest, sentences = typed_end(name, kept, word, spelling) if kept else "", {*kept}
    return rest, tuple(item for item in items if item not in sentences)
