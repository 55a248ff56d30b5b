"""What ties a control to its field: the value that it shows, its name, and what a visitor does with it.

A browser forgets the value of a control that is not drawn. The server therefore sends a control the
value to show, and the control reports a visitor's action to its field (`ui.state.control_sync`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal
from zlib import crc32

from ui.session import SessionValue
from ui.state import control_sync
from ui.state.fields import T

Width = int | Literal["stretch"]


def show(chosen: SessionValue[T], value: T, control: str = "") -> str:
    """Set the value of a control before it is drawn.

    The value is also the control's default, because a browser may create the control anew.

    Args:
        chosen: the field.
        value: the value to show.
        control: the name of the control; "" for the field's own.

    Returns:
        The name of the control.
    """
    chosen.set(value)
    control_sync.send(control or chosen.control, value)
    return control or chosen.control


def take_over(
    chosen: SessionValue[Any], changed: Callable[[], None] | None = None
) -> Callable[[], None]:
    """The callback that takes over a visitor's action on a field's control."""

    def take(sent: Any) -> None:
        chosen.set(sent)
        if changed is not None:
            changed()

    return control_sync.on_change(chosen.control, take)


def control_for(chosen: SessionValue[Any], names: Iterable[str]) -> str:
    """The name of a control that is unique for its set of option names.

    A browser answers with the name of an option, and keeps the last name: "cat (3)" would come back for
    a text without a cat.
    """
    return f"{chosen.control} {crc32('|'.join(names).encode()):08x}"


def refusal(chosen: SessionValue[Any]) -> SessionValue[str]:
    """The reason why a control rejected an entry; shown once."""
    return SessionValue(f"{chosen.key} refused", "")
