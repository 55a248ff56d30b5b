"""The end of a text that is too long for a view: a model goes on from the end of what it reads."""

from __future__ import annotations

from bisect import bisect_left

from core.memory import cached
from ui import text
from ui.models import model_cache

_LETTERS = 20  # of a token, at most, in the part that is split into tokens first
_SAID = 60  # letters of the beginning that are quoted


def of(model: str, typed: str, written: int = 0) -> str:
    """The text; of one whose trace would take more memory than this server gives it, the end.

    Args:
        model: the name of the model.
        typed: the text.
        written: how many tokens stand behind it.

    Raises:
        PolyseeError: see `core.load` and `Model.read`.
    """
    loaded = model_cache.model(model)
    if loaded.predicts != "next" or len(typed.encode("utf-8", "replace")) + written < loaded.max_tokens:
        return typed  # a token is a byte at least, and one may be added before all of them
    return _of(model, typed, written)


@cached()
def _of(model: str, typed: str, written: int) -> str:
    loaded = model_cache.model(model)
    room = max(1, loaded.max_tokens - written)
    if not (read := loaded.untraced.read(typed)).left_out_by_text[0] and len(read) <= room:
        return typed
    tail = typed[-_LETTERS * room :]

    def fits(start: int) -> bool:
        read = loaded.untraced.read(tail[start:])
        return not read.left_out_by_text[0] and len(read) <= room

    start = bisect_left(range(len(tail)), True, key=fits)
    space = tail.find(" ", max(0, start - 1), start + _LETTERS)
    return tail[space + 1 if space >= 0 else start :]


def said(model: str, read: str, *, where: str) -> str:
    """That only the end of a text is read, and where all of it is (Markdown)."""
    count = len(model_cache.model(model).read(read))
    start = text.plain(text.clipped(" ".join(read.split()), _SAID))
    return (
        f"**The text is longer than {where} can hold: its last {count:,} tokens are read**, from "
        f"“{start}” on, as if nothing stood before them. *What comes next* reads all of it."
    )
