"""Several of the options; in a list, a visitor can add some."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import streamlit as st

from ui.state import control_sync
from ui.state.controls.binding import control_for
from ui.state.fields import Field, Switch, T


def some(
    chosen: Field[tuple[T, ...]],
    options: Mapping[T, str],
    label: str,
    *,
    placeholder: str,
) -> tuple[T, ...]:
    """Choose several options, returned in the order of the options; other values are dropped.

    Args:
        chosen: the field.
        options: the options, each with its name on the screen.
        label: the label above the list.
        placeholder: the text shown while nothing is chosen.
    """
    value = tuple(one for one in options if one in chosen.get())
    chosen.set(value)
    key = control_for(chosen, options.values())
    control_sync.send(key, [*value])

    def take(taken: list[T]) -> None:
        chosen.set(tuple(one for one in options if one in taken))

    st.multiselect(
        label,
        [*options],
        [*value],
        key=key,
        format_func=options.__getitem__,
        on_change=control_sync.on_change(key, take),
        placeholder=placeholder,
    )
    return value


def several(
    chosen: Field[str],
    names: Sequence[str],
    now: Sequence[str],
    label: str,
    *,
    take: Callable[[list[str]], str],
    most: int,
    placeholder: str,
) -> None:
    """Choose several entries of a list, to which a visitor can add.

    Args:
        chosen: the field.
        names: the names of the options on the screen.
        now: the chosen names.
        label: the label above the list.
        take: returns the field's new value from the chosen and the typed names.
        most: the most names that may be chosen.
        placeholder: the text shown while nothing is chosen.
    """
    key = control_for(chosen, names)
    control_sync.send(key, [*now])
    st.multiselect(
        label,
        [*names],
        [*now],
        key=key,
        max_selections=most,
        accept_new_options=True,
        on_change=control_sync.on_change(
            key, lambda sent: chosen.set(take([str(name) for name in sent]))
        ),
        placeholder=placeholder,
    )


def open_parts(parts: Mapping[Switch, str], label: str, every: Iterable[Switch]) -> None:
    """Pills beside each other, one for each part of a page; a part is drawn while its pill is on.

    A pill that is pressed closes the others: a page answers one question at a time. A link can open
    several.

    Args:
        parts: the field of each part, and its name on the screen.
        label: the label above them.
        every: the fields of all parts of the page, those of other rows of pills as well.
    """
    fields = {field.key: field for field in parts}
    names = {field.key: name for field, name in parts.items()}
    now = [key for key, field in fields.items() if field.get()]
    control = f"parts {'|'.join(fields)} control"
    control_sync.send(control, now)

    def take(sent: list[str] | None) -> None:
        pressed = {*(sent or ())} - {*now}
        for field in every if pressed else fields.values():
            field.set(field.key in (pressed or sent or ()))

    st.pills(
        label,
        [*names],
        selection_mode="multi",
        default=now,
        key=control,
        format_func=names.__getitem__,
        on_change=control_sync.on_change(control, take),
        wrap=True,
    )
