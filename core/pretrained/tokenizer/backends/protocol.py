"""What `TextReader` asks of a tokenizer, whichever library it comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ..alignment import Span


class Cut(NamedTuple):
    """One text or pair, split into tokens and put into the model's template.

    Attributes:
        ids: the tokens.
        types: the token type of each, 0 or 1.
        offsets: the characters of each token.
        texts: the text that each token belongs to; None if the template added it.
        left_out: for each text, the characters that did not fit; None if all did.
    """

    ids: Sequence[int]
    types: Sequence[int]
    offsets: Sequence[Span]
    texts: Sequence[int | None]
    left_out: tuple[Span | None, ...]


class Backend(Protocol):
    """A tokenizer of one library. Any member may raise the library's errors.

    Attributes:
        tokenizer: the library's own object.
    """

    tokenizer: Any

    def normal(self) -> Callable[[str], str] | None:
        """What it makes of a word before it splits it; None if it changes nothing."""

    def read(self, texts: Sequence[str], most: int) -> Cut:
        """Split a text or a pair, and drop what exceeds the model's `most` tokens."""

    def added(self, pair: bool) -> int:
        """The number of tokens that the template adds."""

    def plain(self, text: str) -> tuple[Sequence[int], Sequence[str]]:
        """A text without the template: ids, and the library's names of the tokens."""

    def rendered(self, text: str, typed: Sequence[bool]) -> tuple[Sequence[int], Sequence[Span]]:
        """The tokens of a whole text without the template: ids, and the characters of each.

        Args:
            text: the text.
            typed: for each character, whether somebody typed it: no added token has any of these.
        """

    def signs(self) -> Mapping[int, str]:
        """The added tokens, special ones among them: their ids, and how they are written."""

    def token(self, number: int) -> str | None:
        """The name of an id."""

    def decode(self, numbers: Sequence[int]) -> str:
        """The text of some tokens, including special ones."""

    def size(self) -> tuple[int, int]:
        """The size of the vocabulary, and the highest id."""

    def target(self, tokenizer: Any) -> Backend | None:
        """The backend for the targets of an encoder–decoder, if they are tokenized differently."""


def fails(error: BaseException) -> bool:
    """Whether an error comes from a library. A panic in Rust raises no `Exception`."""
    return isinstance(error, Exception) or type(error).__name__ == "PanicException"
