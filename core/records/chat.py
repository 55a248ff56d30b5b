"""A conversation as a model reads it: one text, in tokens, each with the role of who wrote it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

from .data_frames import frame
from .pieces import pieces_of

if TYPE_CHECKING:
    import pandas as pd

Role = Literal["system", "user", "assistant", "template"]
ROLES: tuple[Role, ...] = get_args(Role)
_OF_TOKENS = ("ids", "tokens", "offsets", "roles", "special", "added")


@dataclass(frozen=True)
class Message:
    """One message of a conversation.

    Attributes:
        role: "system", "user" or "assistant".
        content: its text.
    """

    role: Role
    content: str


@dataclass(frozen=True)
class Chat:
    """A conversation, rendered by a model's chat template. A model takes it wherever it takes a text.

    Attributes:
        model: the name of the model.
        messages: what the template was given.
        text: the whole text that the model reads.
        ids: the tokens, L of them.
        tokens: their names in the tokenizer.
        offsets: where each stands in `text`.
        roles: for each token, who wrote it: the role of its message, or "template". A token across a
            border belongs to the message.
        special: whether it is a sign of the vocabulary, such as "<|im_end|>". Only the template writes
            these: in a message they are read as letters.
        added: whether it belongs to a sentence that the template adds on its own, such as a default
            system prompt.
        letters: the signs that were spelled out in a message, and read as letters.
        exact: False if the template rewrites messages in a way that hides which characters are theirs;
            then every role is "template".

    Raises:
        ValueError: the fields do not fit each other.
    """

    model: str
    messages: tuple[Message, ...]
    text: str
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    offsets: tuple[tuple[int, int], ...]
    roles: tuple[Role, ...]
    special: tuple[bool, ...]
    added: tuple[bool, ...]
    letters: tuple[str, ...] = ()
    exact: bool = True

    def __post_init__(self) -> None:
        lengths = {len(one) for one in (self.ids, self.tokens, self.offsets, self.roles)}
        if lengths | {len(self.special), len(self.added)} != {len(self.ids)}:
            raise ValueError("There must be one value for each token.")
        if not set(self.roles) <= set(ROLES):
            raise ValueError(f"A role is one of {', '.join(ROLES)}.")

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def pieces(self) -> tuple[str, ...]:
        """Each token as it stands in the text (`records.pieces`)."""
        return pieces_of(self.text, self.tokens, self.offsets)

    @property
    def _parts(self) -> tuple[str, ...]:
        """What each token adds to the text: together they are all of it."""
        ends = (0, *itertools.accumulate((stop for _, stop in self.offsets), max))
        return tuple(
            self.text[max(start, end) : stop]
            for (start, stop), end in zip(self.offsets, ends, strict=False)
        )

    def written_by(self, role: Role) -> str:
        """All characters of a role, one after the other."""
        return "".join(part for part, own in zip(self._parts, self.roles, strict=True) if own == role)

    @property
    def inserted(self) -> str:
        """The sentences that the template adds on its own, a line each; "" if it adds none."""
        own = (part if added else "\n" for part, added in zip(self._parts, self.added, strict=True))
        return "\n".join(line.strip() for line in "".join(own).splitlines() if line.strip())

    def first(self, n: int) -> Chat:
        """The first n tokens, such as those before which the model wrote the next one."""
        end = max((stop for _, stop in self.offsets[:n]), default=0)
        return replace(
            self,
            text=self.text[:end],
            **{name: getattr(self, name)[:n] for name in _OF_TOKENS},
        )

    def count(self, role: Role) -> int:
        """How many tokens a role has."""
        return self.roles.count(role)

    def to_frame(self) -> pd.DataFrame:
        """One row for each token: id, token, text, start, end, role, special, added."""
        return frame(
            {
                "id": self.ids,
                "token": self.tokens,
                "text": self.pieces,
                "start": [start for start, _ in self.offsets],
                "end": [end for _, end in self.offsets],
                "role": self.roles,
                "special": self.special,
                "added": self.added,
            }
        )
