"""The end of a text that is too long for a view: a model goes on from the end of what it reads."""

from __future__ import annotations

from bisect import bisect_left

from core.localization import _, decimal
from core.memory import cached
from core.pretrained import Model
from pages.next_word.state import MOST_WRITTEN, NextWordState
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
    most = loaded.max_tokens - written
    return _fitting(model, typed, most, most, 1)


def read_of(s: NextWordState, model: str) -> str:
    """The text as *What comes next* reads it: of one that the model cannot hold, the end.

    An end leaves room for what the model writes. While somebody types, it begins at the same word for
    as long as it fits: what was read of it is not read again (`core.pretrained.prefixes`).

    Raises:
        PolyseeError: see `core.load` and `Model.read`.
    """
    loaded = model_cache.model(model).untraced
    if not isinstance(loaded, Model):  # trained on a page: it reads words, and says how many
        return s.text.get()
    most = loaded.max_read
    rest = most - len(s.written.get())
    room = min(rest, max(most // 2, most - MOST_WRITTEN))
    return _fitting(model, s.text.get(), rest, room, max(1, room))


def _fitting(model: str, typed: str, most: int, room: int, step: int) -> str:
    """A text of at most `most` tokens; of a longer one the end, in at most `room` tokens.

    It begins at a multiple of `step` letters of the text.
    """
    if model_cache.model(model).predicts != "next" or len(typed.encode("utf-8", "replace")) < most:
        return typed  # a token is a byte at least, and one may be added before all of them
    return _end(model, typed, max(1, most), max(1, room), step)


@cached()
def _end(model: str, typed: str, most: int, room: int, step: int) -> str:
    reader = model_cache.model(model).untraced

    def fits(part: str, most: int) -> bool:
        read = reader.read(part)
        return not read.left_out_by_text[0] and len(read) <= most

    if fits(typed, most):
        return typed
    before = max(0, len(typed) - _LETTERS * room)
    starts = range(-(-before // step) * step, len(typed), step)
    at = bisect_left(starts, True, key=lambda start: fits(typed[start:], room))
    start = starts[at] if at < len(starts) else len(typed) - 1
    space = typed.find(" ", max(0, start - 1), start + _LETTERS)
    return typed[space + 1 if space >= 0 else start :]


def said(model: str, read: str, *, where: str = "") -> str:
    """That only the end of a text is read, and which view reads more (Markdown).

    Args:
        model: the name of the model.
        read: what is read.
        where: the picture that holds no more; "" for *What comes next*.
    """
    loaded = model_cache.model(model).untraced
    count = len(loaded.read(read))
    start = text.plain(text.clipped(" ".join(read.split()), _SAID))
    reads_more = where and isinstance(loaded, Model) and loaded.max_read > count + _LETTERS
    more = _(" *What comes next* reads more of it.") if reads_more else ""
    what = where or text.plain(model_cache.title(model))
    return _(
        "**The text is longer than {what} can hold: its last {count} tokens are read**, from “{start}” "
        "on, as if nothing stood before them.{more}"
    ).format(what=what, count=decimal(f"{count:,}"), start=start, more=more)
