"""One of several options, or of several answers; and buttons that can be pressed repeatedly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import streamlit as st

from core.localization import _
from ui.session import SessionValue
from ui.state import control_sync
from ui.state.controls.binding import Width, control_for, show, take_over
from ui.state.fields import T, Whole


def select(
    chosen: SessionValue[T],
    options: Mapping[T, str],
    label: str,
    *,
    style: Literal["list", "segments", "radio", "slider"] = "list",
    by_names: bool = False,
    named: bool = False,
    about: str | None = None,
    more: bool = False,
    wrap: bool | None = None,
    width: Width = "stretch",
    changed: Callable[[], None] | None = None,
) -> T:
    """Choose one of several options.

    Args:
        chosen: the field; if its value is not an option, the next or last number, the default, or the
            first option is shown.
        options: the options, each with its name on the screen.
        label: the label above it; for segments without `named`, only a screen reader reads it.
        style: a list that opens, all options beside or below each other, or a line.
        by_names: whether the names of the options come from the content, for example the words of a
            text: each set of names then has a list of its own.
        named: whether segments show their label above them.
        about: the help text behind a question mark beside the label.
        more: whether a visitor may type values that are not among the options.
        wrap: whether segments break into lines; None for Streamlit's default.
        width: in pixels.
        changed: called when a visitor chooses another option.
    """
    value = _offered(chosen, options)
    key = show(chosen, value, control_for(chosen, options.values()) if by_names else "")
    offered = list(options)
    at = offered.index(value)

    def called(option: T) -> str:
        return options.get(option, str(option))

    def take(sent: Any) -> None:
        if sent in options or (more and isinstance(sent, str)):
            chosen.set(sent)
            if changed is not None:
                changed()

    common: dict[str, Any] = {"key": key, "format_func": called}
    common["on_change"] = control_sync.on_change(key, take)
    if style == "list":
        empty = _("choose or type") if more else _("choose")  # Streamlit's own words are English
        common |= {"placeholder": empty, "accept_new_options": more}
        st.selectbox(label, offered, at, help=about, width=width, **common)
    elif style == "radio":
        st.radio(label, offered, at, help=about, **common)
    elif style == "slider":
        st.select_slider(label, offered, value, help=about, width=width, **common)
    else:
        common |= {
            "wrap": wrap,
            "required": True,
            "label_visibility": "visible" if named else "collapsed",
        }
        st.segmented_control(label, offered, default=value, **common)
    return value


def _offered(chosen: SessionValue[T], options: Iterable[T]) -> T:
    """The choice, if it is an option; otherwise the next or last number, the default, or the first."""
    value, offered = chosen.get(), list(options)
    if value in offered:
        return value
    if isinstance(chosen, Whole):
        return next((one for one in offered if one > value), offered[-1])  # type: ignore[operator]
    return chosen.default if chosen.default in offered else offered[0]


def predict(chosen: SessionValue[int | None], options: Sequence[str], label: str) -> int | None:
    """One of several answers, by its index from 0; none is chosen at first.

    Args:
        chosen: what is chosen.
        options: the answers in words.
        label: the question, which only a screen reader says.
    """
    value = chosen.get()
    value = value if value is not None and value < len(options) else None
    st.radio(
        label,
        range(len(options)),
        value,
        key=show(chosen, value),
        format_func=options.__getitem__,
        horizontal=True,
        label_visibility="collapsed",
        on_change=take_over(chosen),
    )
    return value


def offer(key: str, options: Iterable[T], label: str, take: Callable[[T], None]) -> None:
    """Buttons beside each other, each of which can be pressed repeatedly; none stays selected."""

    def click(option: T | None) -> None:
        if option is not None:
            take(option)

    control = f"{key} control"
    control_sync.send(control, None)
    heard = control_sync.on_change(control, click, repeats=True)
    st.pills(label, [*options], key=control, on_change=heard, wrap=True)
