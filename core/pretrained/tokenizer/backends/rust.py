"""The tokenizers of the Rust library `tokenizers`, which reports the characters of each token."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import groupby
from typing import Any

from ....errors import NotSupported, TooLarge
from ..alignment import Span
from .limits import MOST_CHARACTERS, MOST_GROWTH, MOST_LETTERS, growth_in
from .protocol import Cut
from .truncation import fit


class RustBackend:
    """A tokenizer of the library `tokenizers`."""

    def __init__(self, tokenizer: Any, *, copied: bool = True) -> None:
        own = tokenizer.backend_tokenizer
        self.tokenizer = _copied(own) if copied else own
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        # The template applies to whole texts, and may trim the characters of tokens: applied both when
        # a text is split and when it is joined, it would remove the first letter of a word.
        self._set_template(self.tokenizer.post_processor)
        with suppress(Exception):  # if there is no source language, it stays as it is
            self._set_template(self._template_of(tokenizer, "_switch_to_input_mode"))
        model = self.tokenizer.model
        if getattr(model, "dropout", None):
            model.dropout = None  # dropout is for training, and would make each reading different
        self._most_letters = getattr(model, "max_input_chars_per_word", None) or 0
        if self._most_letters > MOST_LETTERS:
            model.max_input_chars_per_word = MOST_LETTERS
        self._unknown = _unknown_id(self.tokenizer)
        self._growth = growth_in(self.tokenizer.normalizer)
        # For an unknown string, Unigram assigns all its characters to each of its bytes.
        self._bytes: Mapping[int, int] = {}
        if type(model).__name__ == "Unigram" and self.tokenizer.token_to_id("<0x00>") is not None:
            ids = (self.tokenizer.token_to_id(f"<0x{byte:02X}>") for byte in range(256))
            self._bytes = {number: byte for byte, number in enumerate(ids) if number is not None}

    def _set_template(self, template: Any) -> None:
        self.tokenizer.post_processor = None
        self._template = template
        self._join = self.tokenizer.post_process if template is None else template.process

    def read(self, texts: Sequence[str], most: int) -> Cut:
        """See `Backend`. Raises TooLarge if a text would take minutes, or too much memory."""
        longest = max(map(len, texts))
        if self._growth > MOST_GROWTH and longest * self._growth > MOST_CHARACTERS:
            raise TooLarge(
                "The rules of this model’s tokenizer can make a text {growth:g} times longer, "
                "and one of {longest} characters too long for the memory. Shorten the text.",
                growth=self._growth,
                longest=longest,
            )
        parts = [self.tokenizer.encode(text, add_special_tokens=False) for text in texts]
        if self._most_letters > MOST_LETTERS:
            for text, part in zip(texts, parts, strict=True):
                self._refuse_long_words(text, part)
        room = most - self.added(len(texts) > 1)
        left_out: list[Span | None] = []
        for text, part, n in zip(texts, parts, fit([len(p) for p in parts], room), strict=True):
            cut = None
            if n < len(part):
                # With the characters that the template reports, for example without the space before a
                # word.
                joined = self._join(part, None, False).offsets[n]
                cut = (_trimmed(text, part.offsets[n], joined)[0], len(text))
                part.truncate(n)
            left_out.append(cut)
        whole = self._join(*parts)
        ids = whole.ids
        own = [iter(part.offsets) for part in parts]
        offsets = [
            span if owner is None else _trimmed(texts[owner], next(own[owner], span), span)
            for span, owner in zip(whole.offsets, whole.sequence_ids, strict=True)
        ]
        if self._bytes and any(number in self._bytes for number in ids):
            offsets = self._by_character(texts, ids, offsets, whole.sequence_ids)
        return Cut(ids, whole.type_ids, offsets, whole.sequence_ids, tuple(left_out))

    def normal(self) -> Callable[[str], str] | None:
        """See `Backend`."""
        from ..normalisation import Normalisation

        normalizer = self.tokenizer.normalizer
        return None if normalizer is None else Normalisation(normalizer)

    def added(self, pair: bool) -> int:
        """See `Backend`."""
        return 0 if self._template is None else int(self._template.num_special_tokens_to_add(pair))

    def plain(self, text: str) -> tuple[Sequence[int], Sequence[str]]:
        """See `Backend`."""
        cut = self.tokenizer.encode(text, add_special_tokens=False)
        return cut.ids, cut.tokens

    def rendered(self, text: str, typed: Sequence[bool]) -> tuple[Sequence[int], Sequence[Span]]:
        """See `Backend`."""
        whole = self.tokenizer.encode(text, add_special_tokens=False)
        added = self._added
        if not any(
            number in added and any(typed[start:end])
            for number, (start, end) in zip(whole.ids, whole.offsets, strict=True)
        ):
            return whole.ids, whole.offsets
        # What was typed looks like an added token. Those of the template are found in its own parts
        # alone, and all that stands between them is read without any.
        ids: list[int] = []
        offsets: list[Span] = []
        done = 0
        for number, start, end in [*self._signs(text, typed), (None, len(text), len(text))]:
            for i, span in self._letters(text, done, start):
                ids.append(i)
                offsets.append(span)
            if number is not None:
                ids.append(number)
                offsets.append((start, end))
            done = end
        return ids, offsets

    def signs(self) -> Mapping[int, str]:
        """See `Backend`."""
        return {i: one.content for i, one in self.tokenizer.get_added_tokens_decoder().items()}

    @cached_property
    def _added(self) -> frozenset[int]:
        return frozenset(self.tokenizer.get_added_tokens_decoder())

    def _signs(self, text: str, typed: Sequence[bool]) -> list[tuple[int, int, int]]:
        """The added tokens that the template wrote: each with its first and last character."""
        found = []
        start = 0
        for is_typed, group in groupby(typed):
            end = start + sum(1 for _ in group)
            if not is_typed:
                part = self.tokenizer.encode(text[start:end], add_special_tokens=False)
                for number, (first, last) in zip(part.ids, part.offsets, strict=True):
                    if number in self._added:
                        found.append((number, start + first, start + last))
            start = end
        return found

    def _letters(self, text: str, start: int, end: int) -> list[tuple[int, Span]]:
        """The tokens of a part of a text, none of them an added one."""
        if start == end:
            return []
        part = text[start:end]
        tokenizer = self.tokenizer
        if any(
            number in self._added for number in tokenizer.encode(part, add_special_tokens=False).ids
        ):
            tokenizer = self._without_added
        # A tokenizer that begins every text with a space would put one inside this one.
        for before in ("\n", "") if start else ("",):
            cut = tokenizer.encode(before + part, add_special_tokens=False)
            alone = tokenizer.encode(before, add_special_tokens=False).ids
            if cut.ids[: len(alone)] == alone:
                own = [*zip(cut.ids[len(alone) :], cut.offsets[len(alone) :], strict=True)]
                if any(number in self._added and number != self._unknown for number, _ in own):
                    raise NotSupported(
                        "A message has the sign of this model’s template in “{part}”, and its "
                        "tokenizer can read it in no other way. Write it differently.",
                        part=part[:60],
                    )
                shift = start - len(before)
                return [(i, (max(start, shift + a), shift + b)) for i, (a, b) in own]
        raise AssertionError("nothing precedes nothing")

    @cached_property
    def _without_added(self) -> Any:
        """The same tokenizer without its added tokens: their letters are read as any others."""
        from tokenizers import Tokenizer

        settings = json.loads(self.tokenizer.to_str())
        settings["added_tokens"] = []
        return Tokenizer.from_str(json.dumps(settings))

    def token(self, number: int) -> str | None:
        """See `Backend`."""
        name: str | None = self.tokenizer.id_to_token(number)
        return name

    def decode(self, numbers: Sequence[int]) -> str:
        """See `Backend`."""
        text: str = self.tokenizer.decode(numbers, skip_special_tokens=False)
        return text

    def size(self) -> tuple[int, int]:
        """See `Backend`."""
        known: dict[str, int] = self.tokenizer.get_vocab(with_added_tokens=True)
        return len(known), max(known.values(), default=0)

    def target(self, tokenizer: Any) -> RustBackend | None:
        """See `Backend`: the same word pieces in another template."""
        if not hasattr(tokenizer, "_switch_to_target_mode"):
            return None
        other = copy.copy(self)
        other._set_template(self._template_of(tokenizer, "_switch_to_target_mode"))
        return other

    def _template_of(self, tokenizer: Any, switch: str) -> Any:
        """The template of a translator's sources or targets; `switch` names the method to select it."""
        if not hasattr(tokenizer, switch):
            return self._template
        switched = copy.copy(tokenizer)
        switched._tokenizer = self.tokenizer  # our own copy: the caller's stays unchanged
        before = self._template
        try:
            self.tokenizer.post_processor = before
            getattr(switched, switch)()
            return self.tokenizer.post_processor
        finally:
            self.tokenizer.post_processor = None

    def _refuse_long_words(self, text: str, part: Any) -> None:
        """Raise TooLarge if a word is unknown only because our limit is below the model's."""
        for number, (start, end) in zip(part.ids, part.offsets, strict=True):
            # Normalisation may turn one letter into several, but not into fifty.
            if number == self._unknown and 50 * (end - start) > MOST_LETTERS:
                word = text[start:end]
                if self.tokenizer.normalizer is not None:
                    word = self.tokenizer.normalizer.normalize_str(word)
                if MOST_LETTERS < len(word) <= self._most_letters:
                    raise TooLarge(
                        "The text has a word of {end} letters, which would take very long to split "
                        "into pieces; the limit is {most_letters}. Shorten the word.",
                        end=end - start,
                        most_letters=MOST_LETTERS,
                    )

    def _by_character(
        self,
        texts: Sequence[str],
        ids: Sequence[int],
        offsets: Sequence[Span],
        owners: Sequence[int | None],
    ) -> list[Span]:
        """The characters of each token if tokens are the bytes of unknown characters."""
        spans = list(offsets)
        bytes_read = [
            (owner, span, i)
            for i, (number, span, owner) in enumerate(zip(ids, offsets, owners, strict=True))
            if number in self._bytes and owner is not None
        ]
        for (owner, (start, end)), run in groupby(bytes_read, key=lambda one: one[:2]):
            tokens = [i for _, _, i in run]
            part = texts[owner][start:end]
            first = len(part) - len(part.lstrip())  # the space before a word has its own token
            spelled = [start + n for n, letter in enumerate(part) for _ in letter.encode()]
            if part[first:].encode() == bytes(self._bytes[ids[i]] for i in tokens):
                for i, at in zip(tokens, spelled[len(part[:first].encode()) :], strict=True):
                    spans[i] = (at, at + 1)
        return spans


def _trimmed(text: str, cut: Span, joined: Span) -> Span:
    """The characters of a token as a template reports them, possibly without surrounding spaces.

    Only spaces may be trimmed: if a tokenizer inserts a space before a text, the template instead trims
    the first letter after an added token, and that of every separately split part.

    Args:
        text: the text.
        cut: the token's characters before the template is applied.
        joined: the token's characters after it is applied.
    """
    (start, end), (first, last) = cut, joined
    if first >= last:  # only spaces
        return joined
    while start < first and text[start].isspace():
        start += 1
    while end > last and text[end - 1].isspace():
        end -= 1
    return start, end


def _copied(tokenizer: Any) -> Any:
    """A copy of a tokenizer of the Rust library."""
    try:
        return copy.deepcopy(tokenizer)
    except Exception:
        # A component written in Python (RoFormer splits Chinese by words) is shared instead.
        made = type(tokenizer)(copy.deepcopy(tokenizer.model))
        for part in ("normalizer", "pre_tokenizer", "post_processor", "decoder"):
            if getattr(tokenizer, part) is not None:
                setattr(made, part, getattr(tokenizer, part))
        for _, token in sorted(tokenizer.get_added_tokens_decoder().items()):
            (made.add_special_tokens if token.special else made.add_tokens)([token])
        if made.get_vocab() != tokenizer.get_vocab():
            raise
        made.encode_special_tokens = tokenizer.encode_special_tokens
        return made


def _unknown_id(tokenizer: Any) -> int | None:
    name = getattr(tokenizer.model, "unk_token", None)
    number: int | None = None if name is None else tokenizer.token_to_id(name)
    return number
