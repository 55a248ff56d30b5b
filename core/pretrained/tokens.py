"""Text to token ids, and back to the places in the text that each token came from.

The tokenizer is shared by every thread. It is safe because nothing changes it after `TextReader` is
made: truncation and padding, which `transformers` sets on it at each call, are switched off for good,
and a text that is too long is cut here.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core import words
from core.errors import ModelBroken
from core.frozen import Array

# Indices of tokens or their ids, as a caller may give them: a list, or what `Trace.find` found.
Numbers = Sequence[int] | Array

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Encoded:
    """One text or pair, cut into tokens. See `core.trace.Trace` for the fields they share."""

    texts: tuple[str, ...]
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    segments: tuple[int, ...]
    types: tuple[int, ...]  # what the model is told of each token: 0 or 1, as the tokenizer says it
    offsets: tuple[tuple[int, int], ...]
    special: tuple[bool, ...]
    left_out_by_text: tuple[tuple[int, int] | None, ...]

    def __len__(self) -> int:
        return len(self.ids)

    def first(self, n: int) -> Encoded:
        """The first n tokens, of the same texts."""
        return replace(
            self,
            ids=self.ids[:n],
            tokens=self.tokens[:n],
            segments=self.segments[:n],
            types=self.types[:n],
            offsets=self.offsets[:n],
            special=self.special[:n],
        )

    def behind(self, number: int, token: str) -> Encoded:
        """The tokens behind a special one."""
        return replace(
            self,
            ids=(number, *self.ids),
            tokens=(token, *self.tokens),
            segments=(0, *self.segments),
            types=(0, *self.types),
            offsets=((0, 0), *self.offsets),
            special=(True, *self.special),
        )

    def word_ids(self) -> tuple[int | None, ...]:
        """Of each token, the index of its word by the rules of `core.words`; None if special."""
        result: list[int | None] = [None] * len(self)
        first = 0  # words are counted through both texts
        for index, text in enumerate(self.texts):
            found = words.split(text)
            ends = np.array([word.end for word in found], dtype=np.int64)
            for i, (start, end) in enumerate(self.offsets):
                if self.segments[i] == index and start < end:
                    w = int(np.searchsorted(ends, start, side="right"))
                    if w < len(found) and found[w].start < end:
                        result[i] = first + w
            first += len(found)
        return tuple(result)


def shifted(labels: Encoded, start_id: int, start: str) -> Encoded:
    """What a decoder reads to predict a text token by token: a start token, then all but its last.

    The last token is as a rule the model's own end sign. Where it is a part of the text, that part
    counts as left out: the decoder never reads it.
    """
    if not len(labels):
        return labels
    left_out = labels.left_out_by_text
    if not labels.special[-1]:
        left_out = ((labels.offsets[-1][0], len(labels.texts[0])),)
    read = labels.first(len(labels) - 1).behind(start_id, start)
    return replace(read, left_out_by_text=left_out)


# What is read of nothing at all, not even the signs that a tokenizer puts around a text.
NOTHING = Encoded(("",), (), (), (), (), (), (), (None,))


class TextReader:
    """A tokenizer that nothing changes, for one model."""

    def __init__(self, tokenizer: Any, max_tokens: int, n_vocabulary: int, name: str) -> None:
        """Take a fast `transformers` tokenizer; it is copied, the caller's own stays as it is.

        Args:
            tokenizer: the tokenizer.
            max_tokens: how many tokens the model takes, special ones included.
            n_vocabulary: rows of the model's word-embedding table.
            name: what to call the model in messages.

        Raises:
            ModelBroken: the tokenizer and the model do not belong together.
        """
        backend = getattr(tokenizer, "backend_tokenizer", None)
        if backend is None:
            raise ModelBroken(
                f"The tokenizer of “{name}” does not say which characters a token came from (it is not "
                "a “fast” one). Pass transformers' fast tokenizer of this model."
            )
        self._tokenizer = copy.deepcopy(backend)
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._max_tokens = max_tokens
        known = self._tokenizer.get_vocab(with_added_tokens=True)
        if len(known) <= len(set(getattr(tokenizer, "all_special_tokens", ()))):
            raise ModelBroken(
                f"The tokenizer of “{name}” has no words, only special tokens: its vocabulary file is "
                "missing or empty. Add it."
            )
        if max(known.values()) >= n_vocabulary:
            raise ModelBroken(
                f"The tokenizer of “{name}” numbers its tokens up to {max(known.values())}, but the "
                f"model knows only {n_vocabulary}. They belong to different models."
            )
        self.pad_id = int(getattr(tokenizer, "pad_token_id", None) or 0)
        self.mask_id: int | None = getattr(tokenizer, "mask_token_id", None)
        self._special = frozenset(getattr(tokenizer, "all_special_ids", ()))
        self.cased = self._plain("Bank") != self._plain("bank")

    def token(self, number: int) -> str | None:
        """The name of a token; None if the tokenizer knows none of this number."""
        name: str | None = self._tokenizer.id_to_token(number)
        return name

    def name(self, number: int) -> str:
        """The name of a token; <number> for one that only the model knows."""
        return self.token(number) or f"<{number}>"

    def is_special(self, number: int) -> bool:
        """Whether a token is a sign for the model, such as the end of a text, and no part of it."""
        return number in self._special

    def decode(self, numbers: Sequence[int]) -> str:
        """The text of some tokens in a row, without special ones."""
        plain = [number for number in numbers if number not in self._special]
        text: str = self._tokenizer.decode(plain, skip_special_tokens=False)
        return text

    def within(self, number: int) -> str:
        """How a token reads within a text: " bank" where it begins a word. A special one: its name."""
        if number in self._special:
            return self.name(number)
        # Alone, a token is written without its space or with its mark: "bank", "##ing".
        before = self._tokenizer.encode("a", add_special_tokens=False).ids
        start, text = self.decode(before), self.decode([*before, number])
        return text[len(start) :] if text.startswith(start) else self.decode([number])

    def _plain(self, text: str) -> list[str]:
        tokens: list[str] = self._tokenizer.encode(text, add_special_tokens=False).tokens
        return tokens

    def read(self, text: str, second: str | None = None) -> Encoded:
        """Cut one text, or a pair, into tokens; a longer one loses its end.

        A pair loses tokens from its longer text first, as `transformers` does ("longest_first").
        """
        texts = tuple(
            # A half of a surrogate pair is no character; Python can hold one, no tokenizer takes it.
            _LONE_SURROGATE.sub("\ufffd", t)
            for t in ((text,) if second is None else (text, second))
        )
        parts = [self._tokenizer.encode(t, add_special_tokens=False) for t in texts]
        room = self._max_tokens - self._tokenizer.num_special_tokens_to_add(second is not None)
        left_out: list[tuple[int, int] | None] = []
        for t, part, n in zip(texts, parts, fit([len(p) for p in parts], room), strict=True):
            left_out.append((part.offsets[n][0], len(t)) if n < len(part) else None)
            part.truncate(n)
        whole = self._tokenizer.post_process(*parts)
        return Encoded(
            texts=texts,
            ids=tuple(whole.ids),
            tokens=tuple(whole.tokens),
            segments=_segments(whole.sequence_ids, whole.type_ids),
            types=tuple(whole.type_ids),
            offsets=tuple(whole.offsets),
            special=tuple(bool(s) for s in whole.special_tokens_mask),
            left_out_by_text=tuple(left_out),
        )


def fit(lengths: Sequence[int], room: int) -> tuple[int, ...]:
    """How many tokens each text keeps so that all fit: the longer text of a pair gives way first."""
    if sum(lengths) <= room:
        return tuple(lengths)
    if len(lengths) == 1:
        return (room,)
    first, second = lengths
    short, swapped = min(first, second), first > second
    kept = (short, room - short) if short <= room // 2 else (room // 2, room - room // 2)
    return kept[::-1] if swapped else kept


def _segments(sequence_ids: Sequence[int | None], types: Sequence[int]) -> tuple[int, ...]:
    """The text that each token belongs to; a special token, to that of the token before it.

    Where the tokenizer's types tell two texts apart, a special token takes its own: the last [SEP]
    of a pair belongs to the second text even where that is empty.
    """
    segments: list[int] = []
    for text, kind in zip(sequence_ids, types, strict=True):
        before = segments[-1] if segments else 0
        segments.append(text if text is not None else max(before, kind))
    return tuple(segments)
