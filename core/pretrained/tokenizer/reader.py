"""From text to token ids, and back to the characters of each token.

All threads share the tokenizer. This is safe because nothing changes it after a `TextReader` is made:
truncation and padding, which `transformers` sets at each call, are switched off for good, and a text
that is too long is truncated here.
"""

from __future__ import annotations

import copy
import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from ...errors import ModelBroken, NotSupported, PolyseeError, TooLarge, in_short
from ...records import words
from ...records.frozen import Array
from ...records.pieces import spelling
from ...records.spelling import Spelling
from .alignment import Unaligned
from .backends import Backend, backend, fails, fit

__all__ = ["NOTHING", "Encoded", "Numbers", "TextReader", "fit", "shifted"]

T = TypeVar("T")  # the bracketed form needs Python 3.12

# Indices or ids of tokens, as a caller may pass them: a list, or the result of `Trace.find`.
Numbers = Sequence[int] | Array

FORMS = 20_000  # spellings of tokens that are remembered

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Encoded:
    """One text or pair, split into tokens. See `core.records.trace.Trace` for the shared fields."""

    texts: tuple[str, ...]
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    segments: tuple[int, ...]
    types: tuple[int, ...]  # 0 or 1: the token types, as the tokenizer returns them
    offsets: tuple[tuple[int, int], ...]
    special: tuple[bool, ...]
    left_out_by_text: tuple[tuple[int, int] | None, ...]

    def __len__(self) -> int:
        return len(self.ids)

    def first(self, n: int) -> Encoded:
        """The first n tokens of the same texts."""
        return replace(
            self,
            ids=self.ids[:n],
            tokens=self.tokens[:n],
            segments=self.segments[:n],
            types=self.types[:n],
            offsets=self.offsets[:n],
            special=self.special[:n],
        )

    def prefixed(self, number: int, token: str) -> Encoded:
        """The tokens, preceded by a special token."""
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
        """The index of each token's word by `core.records.words`; None for a special token."""
        result: list[int | None] = [None] * len(self)
        first = 0  # words are counted across both texts
        for index, text in enumerate(self.texts):
            in_text = words.split(text)
            ends = [word.end for word in in_text]
            for i, (start, end) in enumerate(self.offsets):
                if self.segments[i] == index and start < end:
                    w = bisect_right(ends, start)
                    if w < len(in_text) and in_text[w].start < end:
                        result[i] = first + w
            first += len(in_text)
        return tuple(result)


def shifted(labels: Encoded, start_id: int, start: str) -> Encoded:
    """The decoder's input when it predicts a text token by token: a start token, then all but the last.

    The last token is usually the model's end token. If it belongs to the text, its characters count as
    left out, because the decoder never reads it.
    """
    if not len(labels):
        return labels
    left_out = labels.left_out_by_text
    if not labels.special[-1]:
        left_out = ((labels.offsets[-1][0], len(labels.texts[0])),)
    read = labels.first(len(labels) - 1).prefixed(start_id, start)
    return replace(read, left_out_by_text=left_out)


# The encoding of nothing at all, without the special tokens that a tokenizer puts around a text.
NOTHING = Encoded(("",), (), (), (), (), (), (), (None,))


class TextReader:
    """The unchanging tokenizer of one model.

    Attributes:
        pad_id: the token that pads a batch.
        mask_id: the mask token; None if the model has none.
        cased: whether it distinguishes upper and lower case.
        spelling: which spellings of a word it reads alike.
        template: its chat template, in Jinja; None if it has none.
        template_names: the special tokens that the template may name ("bos_token").
        target: the reader of an encoder–decoder's targets: usually this reader, another one if sources
            and targets are split or marked differently (Marian, mBART, M2M100).
    """

    target: TextReader

    def __init__(
        self,
        tokenizer: Any,
        max_tokens: int,
        n_vocabulary: int,
        name: str,
        *,
        n_types: int | None = None,
        n_target: int | None = None,
        copied: bool = True,
    ) -> None:
        """Take a `transformers` tokenizer; it is copied, and the caller's stays unchanged.

        Args:
            tokenizer: the tokenizer.
            max_tokens: the largest number of tokens that the model accepts, special ones included.
            n_vocabulary: the rows of the model's word-embedding table.
            name: the name of the model in messages.
            n_types: the rows of its token-type table, if it has one.
            n_target: the rows of the decoder's table, if that is another one.
            copied: False for a tokenizer that nobody else has.

        Raises:
            ModelBroken: if the tokenizer and the model do not belong together; or if the tokenizer
                fails, or does not report the characters of its tokens.
        """
        self._max_tokens = max_tokens
        self._name = name
        self._n_types = n_types or math.inf
        cuts = self._answer(lambda: _backend(tokenizer, name, copied=copied))
        self._take(cuts, tokenizer, n_vocabulary)
        try:
            other = cuts.target(tokenizer)
        except BaseException as error:
            if not fails(error):
                raise
            other = None  # there is no language to translate into
        self.target = self
        if other is not None:
            self.target = copy.copy(self)
            self.target._take(other, tokenizer, n_target or n_vocabulary)
            self.target.target = self.target

    def up_to(self, tokens: int) -> TextReader:
        """The same reader, limited to so many tokens of a text."""
        shorter = copy.copy(self)
        shorter._max_tokens = min(tokens, self._max_tokens)
        shorter.target = shorter if self.target is self else self.target.up_to(tokens)
        return shorter

    def _take(self, cuts: Backend, tokenizer: Any, n_vocabulary: int) -> None:
        """Check the backend once: every id that it returns must be in the model's table."""
        self._cuts, self._tokenizer = cuts, cuts.tokenizer
        self._names = _Names(cuts)
        self._n_vocabulary = n_vocabulary
        known, highest = self._answer(cuts.size)
        special = self._answer(lambda: getattr(tokenizer, "all_special_tokens", ()))
        if known <= len(set(special)):
            raise ModelBroken(
                "The tokenizer of “{name}” has no words, only special tokens: its vocabulary "
                "file is missing or empty. Add it.",
                name=self._name,
            )
        self._refuse_beyond(highest, n_vocabulary, "gives its tokens ids up to")
        self.pad_id, self.mask_id, ids = self._answer(lambda: _special_ids(tokenizer))
        self._special = frozenset(ids)
        self.template, self.template_names = _template_of(tokenizer)
        self._refuse_template(n_vocabulary)
        self.cased = self._is_cased()
        self.spelling = Spelling(self.cased, self._answer(cuts.normal))

    def _refuse_template(self, n_vocabulary: int) -> None:
        """Raise ModelBroken if the special tokens around every text do not fit the model."""
        added = self._answer(lambda: self._cuts.added(False))
        if added >= self._max_tokens:
            raise ModelBroken(
                "The tokenizer of “{name}” adds {added} tokens to every text, and the model "
                "accepts {max_tokens} in all. They belong to different models.",
                name=self._name,
                added=added,
                max_tokens=self._max_tokens,
            )
        one = self._answer(lambda: self._cuts.read(("",), self._max_tokens))
        two = one
        if self._answer(lambda: self._cuts.added(True)) < self._max_tokens:
            two = self._answer(lambda: self._cuts.read(("", ""), self._max_tokens))
        for cut in (one, two):
            if len(cut.ids):
                what = "adds to every text a token with the id"
                self._refuse_beyond(max(cut.ids), n_vocabulary, what)
        if len(one.types) and max(one.types) >= self._n_types:
            raise ModelBroken(
                "The tokenizer of “{name}” gives a token the segment {types}, and the model "
                "has only {n_types} segments. They belong to different models.",
                name=self._name,
                types=max(one.types),
                n_types=self._n_types,
            )

    def _refuse_beyond(self, number: int, n_vocabulary: int, what: str) -> None:
        if number >= n_vocabulary:
            raise ModelBroken(
                "The tokenizer of “{name}” {what} {number}, but the model knows only "
                "{n_vocabulary} tokens. They belong to different models.",
                name=self._name,
                what=what,
                number=number,
                n_vocabulary=n_vocabulary,
            )

    def _is_cased(self) -> bool:
        """Whether “Bank” and “bank” are tokenized differently, if they can be tokenized at all."""
        read: list[Sequence[str]] = []
        for word in ("Bank", "bank"):
            try:
                read.append(tuple(self._cuts.plain(word)[1]))
            except Exception:  # it may lack the letters, and also an unknown token
                continue
            except BaseException as error:
                if not fails(error):
                    raise
                raise self._broken(error) from error  # it panics at an ordinary word
        return len(read) < 2 or read[0] != read[1]

    def _answer(self, question: Callable[[], T]) -> T:
        """The result of a call to the tokenizer. Raises ModelBroken if the call fails."""
        try:
            return question()
        except (PolyseeError, MemoryError):
            raise
        except BaseException as error:
            if not fails(error):
                raise
            raise self._broken(error) from error

    def _broken(self, error: BaseException) -> ModelBroken:
        message = in_short(error)
        if isinstance(error, Unaligned):
            return ModelBroken(
                "The tokenizer of “{name}” does not say which characters a token came from (it "
                "is not a “fast” one), and its tokens do not spell the text. Pass "
                "transformers' fast tokenizer of this model, or choose another model.",
                name=self._name,
            )
        if re.search(r"\bunk|unknown token", message, re.IGNORECASE):
            return ModelBroken(
                "The tokenizer of “{name}” has no token for unknown pieces, and this text "
                "contains one ({rstrip}). Choose a complete copy of the model.",
                name=self._name,
                rstrip=message.rstrip("."),
            )
        return ModelBroken(
            "The tokenizer of “{name}” fails: {message} Choose another copy of the model.",
            name=self._name,
            message=message,
        )

    def token(self, number: int) -> str | None:
        """The name of a token; None if the tokenizer does not know the id."""
        return self._answer(lambda: self._cuts.token(number))

    def name(self, number: int) -> str:
        """The name of a token; <number> if only the model knows the id."""
        return self._answer(lambda: self._names[number])

    def is_special(self, number: int) -> bool:
        """Whether a token is a special one, such as the end token, and no part of the text."""
        return number in self._special

    def decode(self, numbers: Sequence[int]) -> str:
        """The text of consecutive tokens, without special ones."""
        plain = [number for number in numbers if number not in self._special]
        return self._answer(lambda: self._cuts.decode(plain))

    def surface_form(self, number: int) -> str:
        """How a token is written in a text: " bank" at the start of a word. A special one: its name.

        A part of a character has its bytes in its place: "⟨F0 9F⟩" (`records.pieces.spelling`).
        """
        return self._form(number)

    @cached_property
    def _form(self) -> Callable[[int], str]:
        """`surface_form`, which remembers: each bar of each key that somebody types has a name."""
        return lru_cache(FORMS)(self._formed)

    def _formed(self, number: int) -> str:
        if number in self._special:
            return self.name(number)
        # On its own, a token is written without its space, or with its mark: "bank", "##ing".
        before, start = self._letter
        text = self.decode([*before, number])
        form = text[len(start) :] if text.startswith(start) else self.decode([number])
        return spelling(self.name(number), form)

    @cached_property
    def _letter(self) -> tuple[list[int], str]:
        """A letter to write a token behind: its ids, and what is written of them."""
        before = list(self._answer(lambda: self._cuts.plain("a")[0]))
        return before, self.decode(before)

    def behind(self, text: str) -> tuple[int, ...]:
        """The tokens of a text that stands behind a letter, without that letter's; () if they merge."""
        before, _ = self._letter
        after = list(self._answer(lambda: self._cuts.plain("a" + text)[0]))
        return tuple(after[len(before) :]) if after[: len(before)] == before else ()

    def one_token(self, text: str) -> int | None:
        """The token that is written like this behind other text; None if that is not one token."""
        found = self.behind(text)
        return found[0] if len(found) == 1 else None

    def rendered(
        self, text: str, typed: Sequence[bool]
    ) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...], tuple[bool, ...], tuple[str, ...]]:
        """The tokens of a rendered conversation.

        Args:
            text: the text, special tokens of the template included.
            typed: for each character, whether it is part of a message: there, nothing is read as a
                special or added token.

        Returns:
            Ids, offsets, whether each is an added token, and the spellings of such tokens in messages.
        """
        ids, offsets = self._answer(lambda: self._cuts.rendered(text, typed))
        if ids and max(ids) >= self._n_vocabulary:
            self._refuse_beyond(max(ids), self._n_vocabulary, "gives this text a token with the id")
        added = self._answer(self._cuts.signs)
        parts = "".join(
            letter if is_typed else "\n" for letter, is_typed in zip(text, typed, strict=True)
        )
        signs = tuple(number in added for number in ids)
        return tuple(ids), tuple(offsets), signs, self.signs_in([parts])

    def signs_in(self, texts: Iterable[str]) -> tuple[str, ...]:
        """The added tokens, special ones among them, that are spelled out in some texts."""
        names = {name for name in self._answer(self._cuts.signs).values() if name.strip()}
        every = [*texts]
        return tuple(sorted(name for name in names if any(name in text for text in every)))

    @cached_property
    def _added(self) -> Mapping[int, str]:
        """The added tokens: their ids, and how they are written."""
        return self._answer(self._cuts.signs)

    def special_in(self, encoded: Encoded) -> tuple[str, ...]:
        """The special tokens that stand spelled out in what was read, each once, in their order.

        These are added tokens, such as "<|im_end|>", that the model reads where the text has their
        letters; none that a template adds, nor the mask token, which is there to be written.
        """
        added = self._added
        found = dict.fromkeys(
            added[number]
            for number, segment, (start, end) in zip(
                encoded.ids, encoded.segments, encoded.offsets, strict=True
            )
            if number in added
            and number != self.mask_id
            and added[number].strip()
            and added[number].strip() == encoded.texts[segment][start:end].strip()
        )
        return tuple(found)

    def read(self, text: str, second: str | None = None) -> Encoded:
        """Split one text, or a pair, into tokens; a text that is too long is truncated.

        A pair loses tokens from its longer text first, as in `transformers` ("longest_first"). Each
        token has the name of its id: for an unknown string, that is the unknown token, wherever
        `offsets` point.

        Raises:
            ModelBroken: if the tokenizer fails at this text.
            NotSupported: if it does not report which characters of this text a token came from.
            TooLarge: if this text would take minutes, or if the template of a pair is too long.
        """
        texts = tuple(
            # Half of a surrogate pair is not a character; Python strings can contain one, but
            # tokenizers reject it.
            _LONE_SURROGATE.sub("\ufffd", t)
            for t in ((text,) if second is None else (text, second))
        )
        try:
            if second is not None and self._cuts.added(True) >= self._max_tokens:
                raise TooLarge(
                    "“{name}” accepts {max_tokens} tokens, no more than the special tokens around "
                    "a pair of texts. Use a single text.",
                    name=self._name,
                    max_tokens=self._max_tokens,
                )
            cut = self._cuts.read(texts, self._max_tokens)
            if len(cut.ids) > self._max_tokens:  # for a template that repeats a text
                raise ValueError("the tokenizer made a text longer than the model accepts")
            if cut.ids and max(cut.ids) >= self._n_vocabulary:
                what = "gives this text a token with the id"
                self._refuse_beyond(max(cut.ids), self._n_vocabulary, what)
            tokens = tuple(map(self._names.__getitem__, cut.ids))
        except (PolyseeError, MemoryError):
            raise
        except Unaligned as error:
            raise NotSupported(
                "The tokenizer of “{name}” does not say which characters a token came from, "
                "and rewrites this text in a way that hides it. Use another text, or pass the "
                "“fast” tokenizer of transformers, if this model has one.",
                name=self._name,
            ) from error
        except BaseException as error:
            if not fails(error):
                raise
            raise self._broken(error) from error
        return Encoded(
            texts=texts,
            ids=tuple(cut.ids),
            tokens=tokens,
            segments=_segments(cut.texts, cut.types, len(texts)),
            types=tuple(cut.types),
            offsets=tuple(cut.offsets),
            special=tuple(index is None for index in cut.texts),
            left_out_by_text=cut.left_out,
        )


class _Names(dict[int, str]):
    """The names of ids, each looked up once."""

    def __init__(self, cuts: Backend) -> None:
        super().__init__()
        self._cuts = cuts

    def __missing__(self, number: int) -> str:
        known = self._cuts.token(number) or f"<{number}>"
        # a vocabulary may contain lone surrogates
        name = self[number] = _LONE_SURROGATE.sub("\ufffd", known)
        return name


def _backend(tokenizer: Any, name: str, *, copied: bool) -> Backend:
    tokenizer_backend = backend(tokenizer, copied=copied)
    if tokenizer_backend is None:
        raise ModelBroken(
            "The object given as the tokenizer of “{name}” is not a tokenizer of "
            "transformers. Pass the tokenizer of this model, usually its “fast” one.",
            name=name,
        )
    return tokenizer_backend


def _special_ids(tokenizer: Any) -> tuple[int, int | None, Sequence[int]]:
    """The padding token and the mask token, and all tokens that are not part of a text."""
    pad = getattr(tokenizer, "pad_token_id", None)
    return (
        int(pad or 0),
        getattr(tokenizer, "mask_token_id", None),
        getattr(tokenizer, "all_special_ids", ()),
    )


def _template_of(tokenizer: Any) -> tuple[str | None, dict[str, str]]:
    """The chat template of a tokenizer, if it has one; and the special tokens that it may name."""
    template = getattr(tokenizer, "chat_template", None)
    if isinstance(template, dict):  # several, by name
        template = template.get("default")
    named = getattr(tokenizer, "special_tokens_map", None)
    named = named if isinstance(named, Mapping) else {}
    names = {key: str(token) for key, token in named.items() if isinstance(token, str)}
    return (template if isinstance(template, str) and template.strip() else None), names


def _segments(owners: Sequence[int | None], types: Sequence[int], n_texts: int) -> tuple[int, ...]:
    """The text that each token belongs to; a special token belongs to the text of the token before it.

    If the tokenizer's types distinguish two texts, a special token follows its own type: the last [SEP]
    of a pair belongs to the second text even if that is empty. A type that belongs to neither text, as
    Funnel and XLNet assign to [CLS], is ignored.
    """
    segments: list[int] = []
    for text, kind in zip(owners, types, strict=True):
        before = segments[-1] if segments else 0
        segments.append(text if text is not None else max(before, kind if kind < n_texts else 0))
    return tuple(segments)
