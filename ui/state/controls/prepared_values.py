"""A list of prepared values for several fields at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar
from zlib import crc32

import streamlit as st

from core.localization import N_, gettext
from ui import permalink, session
from ui.state.controls.binding import Width
from ui.state.fields import Field

F = TypeVar("F", bound="Field[Any]")


def presets(
    label: str,
    prepared: Mapping[str, Mapping[F, Any]],
    *,
    now: str | None = None,
    resets: Sequence[Field[Any]] = (),
    placeholder: str = N_("own"),
    width: Width = "stretch",
) -> None:
    """A list of prepared values for several fields; it shows the entry that matches them.

    Args:
        label: the label above the list.
        prepared: name -> the values of the fields.
        now: the name of the current entry, if its values can also be written differently.
        resets: fields that every entry sets to their defaults.
        placeholder: the text shown if the fields match no entry.
        width: in pixels.
    """
    fields = [*next(iter(prepared.values()))]
    values = {one: one.get() for one in fields}
    now = now or next((name for name, of in prepared.items() if of == values), None)
    # Other values get another list: a browser that still shows the old list may answer late, with an
    # old value.
    key = f"{label} {crc32(repr([*values.values()]).encode()):08x}"

    def take() -> None:
        name = session.reported(key)
        if name in prepared and name != now:  # a list that was removed reports its initial value again
            permalink.assign({one: one.default for one in resets} | {**prepared[name]})

    st.selectbox(
        label,
        [*prepared],
        index=None if now is None else [*prepared].index(now),
        key=key,
        placeholder=gettext(placeholder),
        on_change=take,
        width=width,
    )
