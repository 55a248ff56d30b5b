"""The tokenizers of `transformers` that are written in Python, and report no characters."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from ....errors import NotSupported, TooLarge
from ..alignment import Span, Unaligned, align, align_bytes
from .limits import MOST_LETTERS, MOST_NAMES
from .protocol import Cut
from .truncation import fit_as_python
from .watched import watch


class PythonBackend:
    """A Python tokenizer of `transformers`. It changes while it works, so calls take turns."""

    def __init__(self, tokenizer: Any, *, target: bool = False) -> None:
        self._lock = threading.Lock()
        self.tokenizer = _own(tokenizer)
        self._names = _names(self.tokenizer, target=target)
        switch = "_switch_to_target_mode" if target else "_switch_to_input_mode"
        getattr(self.tokenizer, switch, lambda: None)()
        watch(self.tokenizer)
        self._is_bytes = list(self.tokenizer.tokenize("é")) == [chr(byte) for byte in "é".encode()]
        self._tries_pairs = hasattr(self.tokenizer, "bpe")
        self._aligned("bank")  # check that it can be read at all

    def read(self, texts: Sequence[str], most: int) -> Cut:
        """See `Backend`.

        Raises:
            Unaligned: if the tokens do not spell the text.
            TooLarge: if a word would take minutes.
        """
        with self._lock:
            parts = [self._aligned(text) for text in texts]
            room = most - self.added(len(texts) > 1)
            left_out: list[Span | None] = []
            shortened: list[list[int]] = []
            spans: list[list[Span]] = []
            lengths = fit_as_python([len(ids) for ids, _ in parts], room)
            for text, (ids, offsets), n in zip(texts, parts, lengths, strict=True):
                left_out.append((offsets[n][0], len(text)) if n < len(ids) else None)
                shortened.append(ids[:n])
                spans.append(offsets[:n])
            return self._joined(shortened, spans, tuple(left_out))

    def _aligned(self, text: str) -> tuple[list[int], list[Span]]:
        """The tokens of a text without the template, and the characters of each."""
        if self._tries_pairs:
            longest = max(map(len, text.split()), default=0)
            if longest > MOST_LETTERS:
                raise TooLarge(
                    "The text has a word of {longest} letters, which would take very long to split "
                    "into pieces; the limit is {most_letters}. Shorten the word.",
                    longest=longest,
                    most_letters=MOST_LETTERS,
                )
        tokens = self.tokenizer.tokenize(text)
        ids = self.tokenizer.convert_tokens_to_ids(tokens)
        if any(number is None for number in ids):
            raise ValueError("the unknown token is missing from the vocabulary")
        return ids, (align_bytes if self._is_bytes else align)(text, tokens)

    def _joined(
        self, ids: list[list[int]], spans: list[list[Span]], left_out: tuple[Span | None, ...]
    ) -> Cut:
        """The texts in the template, which receives marks as tokens, to show where it puts them."""
        whole = list(self.tokenizer.build_inputs_with_special_tokens(*ids))
        where = self._origins(ids, whole, frozenset())
        if where is None:  # some add no end token if the text already has one (ByT5)
            where = self._origins(ids, whole, frozenset(self.tokenizer.all_special_ids))
        if where is None:
            raise Unaligned  # the template depends on the tokens themselves
        types = self.tokenizer.create_token_type_ids_from_sequences(*ids)
        return Cut(
            whole,
            types if len(types) == len(whole) else [0] * len(whole),
            [spans[at[0]][at[1]] if at else (0, 0) for at in where],
            [at[0] if at else None for at in where],
            left_out,
        )

    def _origins(
        self, ids: list[list[int]], whole: list[int], shown: frozenset[int]
    ) -> list[tuple[int, int] | None] | None:
        """For each token of the whole: its text and its position there; None if the template added it.

        Args:
            ids: the tokens of each text.
            whole: these tokens in the template.
            shown: tokens that the template receives unchanged.

        Returns:
            None if the template treats marks differently from the tokens.
        """
        positions = [(index, i) for index, part in enumerate(ids) for i in range(len(part))]
        number = {position: -1 - n for n, position in enumerate(positions)}
        marks = [
            [one if one in shown else number[index, i] for i, one in enumerate(part)]
            for index, part in enumerate(ids)
        ]
        built = list(self.tokenizer.build_inputs_with_special_tokens(*marks))
        if len(built) != len(whole):
            return None
        origins: list[tuple[int, int] | None] = []
        at = 0
        for one, own in zip(built, whole, strict=True):
            if one < 0:
                at = -1 - one
            elif at == len(positions) or marks[positions[at][0]][positions[at][1]] != one:
                origins.append(None)
                continue
            index, i = positions[at]
            if ids[index][i] != own:
                return None
            origins.append((index, i))
            at += 1
        return origins

    def normal(self) -> Callable[[str], str] | None:
        """See `Backend`: as its pieces spell it, since such a tokenizer has no step for this."""
        return _ByPieces(self)

    def added(self, pair: bool) -> int:
        """See `Backend`."""
        return len(self.tokenizer.build_inputs_with_special_tokens(*([], []) if pair else ([],)))

    def plain(self, text: str) -> tuple[Sequence[int], Sequence[str]]:
        """See `Backend`."""
        with self._lock:
            tokens = self.tokenizer.tokenize(text)
            return self.tokenizer.convert_tokens_to_ids(tokens), tokens

    def rendered(self, text: str, typed: Sequence[bool]) -> tuple[Sequence[int], Sequence[Span]]:
        """See `Backend`. Raises NotSupported if an added token was typed."""
        with self._lock:
            ids, offsets = self._aligned(text)
        added = self.signs()
        for number, (start, end) in zip(ids, offsets, strict=True):
            if number in added and any(typed[start:end]):
                raise NotSupported(
                    "A message has {text!r}, which this model’s tokenizer can only read as a sign "
                    "of the template. Write it in another way.",
                    text=text[start:end],
                )
        return ids, offsets

    def signs(self) -> Mapping[int, str]:
        """See `Backend`."""
        added = {i: str(one) for i, one in getattr(self.tokenizer, "added_tokens_decoder", {}).items()}
        special = zip(self.tokenizer.all_special_ids, self.tokenizer.all_special_tokens, strict=True)
        return added | {i: name for i, name in special if isinstance(i, int)}

    def token(self, number: int) -> str | None:
        """See `Backend`."""
        if number not in self._names:
            with self._lock, suppress(Exception):  # each has its own way to refuse an unknown id
                name = self.tokenizer.convert_ids_to_tokens(int(number))
                # Some return the unknown token for every unknown id.
                if name and self.tokenizer.convert_tokens_to_ids(name) == number:
                    self._names[number] = name
        return self._names.get(number)

    def decode(self, numbers: Sequence[int]) -> str:
        """See `Backend`."""
        with self._lock:
            text: str = self.tokenizer.decode(
                list(numbers), skip_special_tokens=False, clean_up_tokenization_spaces=False
            )
            return text

    def size(self) -> tuple[int, int]:
        """See `Backend`."""
        n = int(self.tokenizer.vocab_size)
        return (n, n - 1) if n > MOST_NAMES else (len(self._names), max(self._names, default=0))

    def target(self, tokenizer: Any) -> PythonBackend | None:
        """See `Backend`."""
        return (
            PythonBackend(tokenizer, target=True)
            if hasattr(tokenizer, "_switch_to_target_mode")
            else None
        )


class _ByPieces:
    """A word as its pieces spell it; the word itself if the vocabulary lacks one of them."""

    def __init__(self, cuts: PythonBackend) -> None:
        self._cuts = cuts

    def __call__(self, word: str) -> str:
        unknown = getattr(self._cuts.tokenizer, "unk_token_id", None)
        try:
            numbers = self._cuts.plain(word)[0]
            return word if unknown in numbers else self._cuts.decode(numbers)
        except Exception:  # it has no token for what it does not know
            return word

    def __reduce__(self) -> tuple[Any, tuple[()]]:
        return _no_rules, ()  # a trace is pickled without its tokenizer


def _no_rules() -> None:
    return None


def _own(tokenizer: Any) -> Any:
    """A copy of a tokenizer. Its own copy method reads its files again, which may be gone."""
    own = object.__new__(type(tokenizer))
    try:
        state = copy.deepcopy(tokenizer.__dict__)
    except Exception:  # a library object inside it cannot be copied
        state = dict(tokenizer.__dict__)
    own.__dict__.update(state)
    return own


def _names(tokenizer: Any, *, target: bool) -> dict[int, str]:
    """Every id, with its name. Marian may have a vocabulary for each of the two languages."""
    # CANINE accepts every Unicode character: its names are looked up on demand.
    known = {} if tokenizer.vocab_size > MOST_NAMES else dict(tokenizer.get_vocab())
    if target and getattr(tokenizer, "separate_vocabs", False):
        known = {**tokenizer.target_encoder, **tokenizer.added_tokens_encoder}
    names = {number: token for token, number in known.items()}
    special = zip(tokenizer.all_special_ids, tokenizer.all_special_tokens, strict=True)
    return names | {number: token for number, token in special if isinstance(number, int)}
