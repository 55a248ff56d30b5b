"""Text boxes: for sentences, paragraphs, lists of lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from ui import permalink
from ui.session import SessionValue
from ui.text_box import box

Width = int | Literal["stretch"]
LABEL = 28  # pixels, the height of a label above a box


def text(
    chosen: SessionValue[str],
    label: str,
    *,
    most: int | None = None,
    width: Width = "stretch",
    default: str | None = None,
    follows: bool = True,
    placeholder: str = "",
    named: bool = True,
    changed: Callable[[], None] | None = None,
) -> str:
    """A box for a text of one paragraph, returned as typed: `parse` may refuse it.

    Args:
        chosen: the field.
        label: the label above the box.
        most: the most letters it may have.
        width: in pixels.
        default: the content of the box while nothing is chosen; typing it again chooses nothing.
        follows: whether a pause sends what is typed so far; otherwise only Enter and leaving the box
            do.
        placeholder: the text shown while it is empty.
        named: whether the label is visible; otherwise only a screen reader reads it.
        changed: called when a visitor has typed a new text.

    Returns:
        The content of the box.
    """
    value = chosen.get() or default or ""
    _box(
        chosen,
        label,
        value,
        changed,
        default,
        # A box that was just emptied in order to type something else would be filled again.
        follows=follows and default is None,
        most=most,
        width=width,
        placeholder=placeholder,
        named=named,
    )
    return value


def paragraph(
    chosen: SessionValue[str],
    label: str,
    *,
    placeholder: str = "",
    height: int | None = None,
    most: int | None = None,
    named: bool = True,
    follows: bool | None = None,
    changed: Callable[[], None] | None = None,
) -> str:
    """A box for a text of one or more lines.

    Args:
        chosen: the field.
        label: the label above the box.
        placeholder: the text shown while it is empty.
        height: the height in pixels, with the label, of a list of lines, which is sent on leaving the
            box. None for a sentence or a paragraph, which is sent while it is typed.
        most: the most letters it may have.
        named: whether the label is visible; otherwise only a screen reader reads it.
        follows: whether a pause sends what is typed so far; None for all but a list of lines.
        changed: called when a visitor has typed a new text.
    """
    value = chosen.get()
    chosen.set(value)
    _box(
        chosen,
        label,
        value,
        changed,
        kind="paragraph" if height is None else "lines",
        follows=height is None if follows is None else follows,
        named=named,
        placeholder=placeholder,
        most=most,
        height=None if height is None else height - LABEL * named,
    )
    return value


def _box(
    chosen: SessionValue[str],
    label: str,
    value: str,
    changed: Callable[[], None] | None,
    default: str | None = None,
    **look: Any,
) -> None:
    """Draw a text box, and accept what is typed into it unless something has replaced the text."""
    drawn = SessionValue[tuple[str, int] | None](f"{chosen.control} drawn", None)

    def now() -> tuple[str, int]:
        return chosen.get(), permalink.now().went

    if drawn.get() not in (None, now()):
        box.overwritten(chosen.control)
    drawn.set(now())

    def take(typed: str) -> bool:
        # The click on a button may arrive before the text that was typed before it.
        if drawn.get() != now():
            return False
        chosen.set("" if typed == default else typed)
        if changed is not None:
            changed()
        drawn.set(now())
        return True

    box.draw(chosen.control, label, value, take, **look)
