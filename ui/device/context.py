"""What the device must know of a page, in the format of `core/figures/web/src/device/follow.js`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ui.state import Field


@dataclass(frozen=True)
class Text:
    """A text of the page.

    Attributes:
        field: the field that holds it, whose text box the device follows.
    """

    field: Field[str]

    @property
    def sent(self) -> dict[str, str]:
        """Its box, its key in the link, and what the server has."""
        return {"box": self.field.control, "key": self.field.url, "text": self.field.get()}


@dataclass(frozen=True)
class Context:
    """What a page tells the device in each run.

    Attributes:
        page: its name.
        texts: its texts by their names.
        about: the names of those that its pictures are about (`ui.figure.show`, `of`).
        behind: selectors of what only the server brings up to date.
        why: a sentence, if the device cannot compute what the page shows.
        inputs: what the pictures depend on besides the texts, as plain JSON values.
    """

    page: str
    texts: Mapping[str, Text]
    about: Sequence[str]
    behind: Sequence[str]
    why: str
    inputs: Mapping[str, Any]

    @property
    def sent(self) -> dict[str, Any]:
        """The message to the browser."""
        texts = {name: text.sent for name, text in self.texts.items()}
        rest = {name: value for name, value in vars(self).items() if name != "texts"}
        return {**rest, "texts": texts}
