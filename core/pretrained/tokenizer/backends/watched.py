"""Components of Python tokenizers that split text, made to report the characters of their tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..alignment import Handed, Piece, Span


def watch(tokenizer: Any) -> None:
    """Make the splitting components of a tokenizer report the characters of their tokens."""
    watched: dict[int, Any] = {}
    for key, part in tokenizer.__dict__.items():
        if type(part).__name__ == "SentencePieceProcessor":
            watched.setdefault(id(part), _Sentences(part))
        elif key in ("wordpiece_tokenizer", "subword_tokenizer") and hasattr(part, "unk_token"):
            watched.setdefault(id(part), _Words(part))
    for key, part in list(tokenizer.__dict__.items()):
        if id(part) in watched:
            tokenizer.__dict__[key] = watched[id(part)]


class _Watched:
    """A component of a tokenizer; all other attributes are those of the original."""

    def __init__(self, part: Any) -> None:
        self._part = part

    def __getattr__(self, name: str) -> Any:
        return getattr(self._part, name)

    def __len__(self) -> int:
        return len(self._part)


class _Sentences(_Watched):
    """A `sentencepiece` model that reports characters."""

    def encode(self, text: Any, **options: Any) -> Any:
        """The pieces of a text, each with its characters."""
        if not isinstance(text, str) or options != {"out_type": str}:
            return self._part.encode(text, **options)
        cut = self._part.encode(text, return_type="offset_mapping", enable_sampling=False)
        source = Handed(text)
        return [
            Piece(name, source, start, end)
            for name, (start, end) in _whole(cut["pieces"], cut["offsets"], len(text))
        ]


def _whole(names: Sequence[str], spans: Sequence[Span], length: int) -> Iterable[tuple[str, Span]]:
    """Each piece with all its characters. Of the three pieces of “½”, only the last has any."""
    for name, (start, end) in zip(names, spans, strict=True):
        is_part = start == end and name.strip("▁ ")
        yield name, (start, min(start + 1, length) if is_part else end)


class _Words(_Watched):
    """A component that splits word by word with a list of pieces: an unknown word is one token."""

    def tokenize(self, text: str) -> list[str]:
        """The pieces of each word."""
        names: list[str] = []
        for word in text.split():
            pieces: list[str] = self._part.tokenize(word)
            source, unknown = Handed(word), self._part.unk_token
            if len(pieces) == len(word):  # split into characters
                pieces = [
                    Piece(unknown, source, i, i + 1) if piece == unknown else piece
                    for i, piece in enumerate(pieces)
                ]
            elif set(pieces) == {unknown}:
                pieces = [Piece(unknown, source, 0, len(word)) for _ in pieces]
            names += pieces
        return names
