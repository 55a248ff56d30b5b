"""Edits of a tokenized text: mask some of its tokens, replace words, or append tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ..errors import NotSupported, SettingError, TooLarge, WordNotFound
from ..records import finding, words
from ..records.indices import index, is_index
from ..records.spelling import Spelling
from .tokenizer.reader import Encoded, Numbers, TextReader

Put = tuple[int, int, str]  # first character, end, replacement
# The number of tokens before a new one that decide how it is spelled: with its space or without.
CONTEXT_TOKENS = 8


def masked(encoded: Encoded, positions: Numbers, reader: TextReader, name: str) -> Encoded:
    """The text with the tokens at these positions replaced by the mask.

    Their characters and words stay, so that a word is still found at its position.

    Raises:
        NotSupported: if the model has no mask token.
        SettingError: if there is no token at a position, or one that the model's template added.
    """
    if not len(positions):
        return encoded
    mask = mask_name(reader, name)
    ids, tokens = list(encoded.ids), list(encoded.tokens)
    for position in _whole(positions, "Positions to mask"):
        if not 0 <= position < len(encoded):
            raise SettingError(
                f"There is no token {position} to mask: the text has {len(encoded)} tokens, "
                "counted from 0."
            )
        if encoded.special[position]:
            raise SettingError(
                "Token {position} is {tokens}, which the model adds to every text; it cannot "
                "be masked. Choose a token of the text itself.",
                position=position,
                tokens=tokens[position],
            )
        assert reader.mask_id is not None
        ids[position], tokens[position] = reader.mask_id, mask
    return replace(encoded, ids=tuple(ids), tokens=tuple(tokens))


def mask_name(reader: TextReader, name: str) -> str:
    """The name of the mask token. NotSupported: if there is none."""
    mask = None if reader.mask_id is None else reader.token(reader.mask_id)
    if mask is None:
        raise NotSupported(
            "“{name}” has no mask token, and Polysee cannot mask any of its tokens.",
            name=name,
        )
    return mask


def replaced(text: str, put: Sequence[Put]) -> str:
    """The text with some of its characters replaced.

    Raises:
        SettingError: if two replacements overlap.
    """
    spans = sorted(put, reverse=True)  # from the end, so that the spans before stay valid
    if any(before[1] > after[0] for after, before in pairwise(spans)):
        raise SettingError("Two replacements overlap. Replace each word only once.")
    for start, end, by in spans:
        text = text[:start] + by + text[end:]
    return text


class Tokens(Protocol):
    """A tokenized text: a `core.Trace`, or the `Encoded` text that it is made from."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The text, or the two of a pair."""

    @property
    def tokens(self) -> tuple[str, ...]:
        """The names of the tokens."""

    @property
    def offsets(self) -> tuple[tuple[int, int], ...]:
        """The characters of each token; many tokenizers include the space before a word."""

    @property
    def left_out_by_text(self) -> tuple[tuple[int, int] | None, ...]:
        """For each text, the characters that the model did not read."""


def span_of(encoded: Tokens, word: str, occurrence: int = 0, *, spelling: Spelling) -> tuple[int, int]:
    """The exact characters of an occurrence of a word that `Trace.find` finds.

    They can differ from those of its tokens, which may include the space before the word, or a
    punctuation mark beside it.

    Raises:
        WordNotFound: if there is no such occurrence.
    """
    start, end, _ = _occurrence(encoded, word, occurrence, spelling)
    return start, end


def tokens_of(
    encoded: Tokens, word: str, occurrence: int = 0, *, spelling: Spelling
) -> npt.NDArray[np.int64]:
    """The tokens of an occurrence of a word: `Trace.find` before the run. Raises the same errors."""
    return _occurrence(encoded, word, occurrence, spelling)[2]


def alone(
    encoded: Tokens, word: str, occurrence: int = 0, *, spelling: Spelling, name: str
) -> npt.NDArray[np.int64]:
    """The tokens of an occurrence of a word, if they belong to no other word.

    Args:
        encoded: one text.
        word: the word, found as by `Trace.find`.
        occurrence: the index of the occurrence, from 0.
        spelling: which spellings are one word.
        name: the name of the model in messages.

    Raises:
        WordNotFound: if there is no such occurrence.
        NotSupported: if one of the tokens also belongs to another word, so that a change to one word
            would affect both.
    """
    start, end, tokens = _occurrence(encoded, word, occurrence, spelling)
    shared = words.sharing(encoded.texts[0], _spans(encoded), tokens, start, end)
    if shared is not None:
        other, at = shared
        raise NotSupported(
            "“{name}” reads “{word}” and “{text}” as one token, “{tokens}”: neither can be "
            "masked or cut without the other. Write a space between them, or replace "
            "“{word}”.",
            name=name,
            word=word,
            text=other.text,
            tokens=encoded.tokens[at],
        )
    return tokens


def _occurrence(
    encoded: Tokens, word: str, occurrence: int, spelling: Spelling
) -> tuple[int, int, npt.NDArray[np.int64]]:
    text, cut, spans = encoded.texts[0], encoded.left_out_by_text[0], _spans(encoded)
    end = cut[0] if cut else len(text)
    several = finding.spans_of(text, spans, word, spelling=spelling, end=end)
    if not is_index(occurrence):
        index(occurrence, len(several), "occurrence")
    if 0 <= occurrence < len(several):
        return several[occurrence]
    here = words.occurrences(text, spans, spelling=spelling, end=end)
    names = () if several else tuple(dict.fromkeys(one.word for one in here))
    why = finding.why_not_found(
        word, names, occurrence=occurrence, count=len(several), spelling=spelling
    )
    raise WordNotFound(why)


def _spans(encoded: Tokens) -> npt.NDArray[np.int64]:
    return np.array(encoded.offsets, dtype=np.int64).reshape(-1, 2)


def moved(encoded: Tokens, after: Tokens, put: Sequence[Put]) -> tuple[int | None, ...]:
    """The new position of each token after a text is `replaced`; None for tokens that are gone.

    A token is recognised by its exact characters, without surrounding spaces, because tokenizers attach
    these to the token before or after. A token is gone if any of its characters was replaced, even if
    it also covers others.
    """
    if not put:
        return tuple(range(len(encoded.offsets)))
    at: dict[tuple[int, int], list[int]] = {}
    for i, span in enumerate(_exact(after)):
        at.setdefault(span, []).append(i)
    was: dict[tuple[int, int], list[int]] = {}  # byte tokens of one character share its span
    for i, span in enumerate(_exact(encoded)):
        was.setdefault(span, []).append(i)
    positions: list[int | None] = [None] * len(encoded.offsets)
    for (start, end), tokens in was.items():
        if start == end or any(first < end and start < last for first, last, _ in put):
            continue
        by = sum(len(new) - (last - first) for first, last, new in put if last <= start)
        now = at.get((start + by, end + by), [])
        if len(now) == len(tokens):
            for token, there in zip(tokens, now, strict=True):
                positions[token] = there
    return tuple(positions)


def _exact(encoded: Tokens) -> list[tuple[int, int]]:
    """The characters of each token without surrounding spaces; a token of spaces keeps its own."""
    text, spans = encoded.texts[0], []
    for start, end in encoded.offsets:
        covered = text[start:end]
        if covered.strip():
            end -= len(covered) - len(covered.rstrip())
            start += len(covered) - len(covered.lstrip())
        spans.append((start, end))
    return spans


def continued(
    encoded: Encoded, more: Numbers, reader: TextReader, *, vocabulary: int, most: int, name: str
) -> Encoded:
    """The single text with these tokens appended unchanged: nothing is tokenized again.

    The text grows by their spelling. A token that ends inside a character (part of an emoji) spans the
    whole character; a special token spans nothing.

    Args:
        encoded: the text, without an end token (see `opened`).
        more: ids of the tokens that follow.
        reader: the tokenizer.
        vocabulary: the size of the model's vocabulary.
        most: the largest number of tokens that it reads.
        name: the name of the model in messages.

    Raises:
        SettingError: if an id is not in the vocabulary.
        TooLarge: if the model accepts no more tokens.
    """
    ids = _whole(more, "The ids of the tokens that follow")
    for number in ids:
        if not 0 <= number < vocabulary:
            raise SettingError(
                f"There is no token {number}: “{name}” knows {vocabulary} tokens, counted from 0."
            )
    if not ids:
        return encoded
    if len(encoded) + len(ids) > most or encoded.left_out_by_text[0]:
        raise TooLarge(
            "The {n_encoded} tokens of the text and the {n_ids} that follow are more than "
            "the {most} that “{name}” reads here. Shorten the text, or undo some of what "
            "follows.",
            n_encoded=len(encoded),
            n_ids=len(ids),
            most=most,
            name=name,
        )
    start = len(encoded.texts[0])
    text, spans = _spelled(encoded.ids, ids, reader)
    return Encoded(
        texts=(encoded.texts[0] + text,),
        ids=(*encoded.ids, *ids),
        tokens=(*encoded.tokens, *(reader.name(n) for n in ids)),
        segments=(*encoded.segments, *(0 for _ in ids)),
        types=(*encoded.types, *(0 for _ in ids)),
        offsets=(*encoded.offsets, *((start + first, start + last) for first, last in spans)),
        special=(*encoded.special, *(reader.is_special(n) for n in ids)),
        left_out_by_text=(None,),
    )


def opened(encoded: Encoded) -> Encoded:
    """The text without the end tokens that a tokenizer may add: a decoder continues from here."""
    n = len(encoded)
    while n > 1 and encoded.special[n - 1] and not all(encoded.special[:n]):
        n -= 1
    return encoded.first(n)


def _spelled(
    before: Sequence[int], more: Sequence[int], reader: TextReader
) -> tuple[str, list[tuple[int, int]]]:
    """The spelling of the tokens that follow, and the characters of each within it."""
    ids = [number for number in before if not reader.is_special(number)][-CONTEXT_TOKENS:]
    start = reader.decode(ids)
    text, spans = "", [(0, 0)] * len(more)
    last = max((i for i, number in enumerate(more) if not reader.is_special(number)), default=-1)
    partial: list[int] = []  # the tokens of a character that is not yet complete
    broken = ""  # their spelling so far, as “�”
    for i, number in enumerate(more):
        spans[i] = (len(text), len(text))
        if reader.is_special(number):
            continue
        ids.append(number)
        piece = reader.decode(ids)[len(start) :]
        if piece.endswith("\ufffd") and i != last:
            partial, broken = [*partial, i], piece
            continue
        # A character that its last token did not complete stays broken, and that token stands alone.
        alone = len(broken) if piece.startswith(broken) else 0
        end = len(text) + len(piece)
        for j in partial:
            spans[j] = (len(text), len(text) + alone if alone else end)
        spans[i] = (len(text) + (alone if alone < len(piece) else 0), end)
        text, partial, broken = text + piece, [], ""
        ids = ids[-CONTEXT_TOKENS:]
        start = reader.decode(ids)
    return text, spans


def _whole(numbers: Numbers, what: str) -> list[int]:
    given = list(numbers) if isinstance(numbers, Iterable) else [numbers]
    if not all(map(is_index, given)):
        raise SettingError(
            "{what} must be whole numbers, not {numbers}.",
            what=what,
            numbers=str(numbers)[:40],
        )
    return [int(number) for number in given]
