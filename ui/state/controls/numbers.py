"""Numbers: boxes with and without bounds, and a slider."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from core.localization import N_, _, decimal, gettext
from core.sentences import sentence
from core.untrusted import MOST_TYPED, Kind
from core.untrusted import number as number_of
from ui.session import SessionValue
from ui.state import control_sync
from ui.state.controls.binding import Width, refusal, show, take_over
from ui.state.fields import Bounded, N, Whole


def number(
    chosen: Whole,
    label: str,
    *,
    most: int | None = None,
    step: int = 1,
    about: str | None = None,
    width: Width = "stretch",
) -> int:
    """A box for a whole number. It rejects any other entry with a message that names the bounds.

    Args:
        chosen: the field.
        label: the label above the box.
        most: the current upper bound, if it is below the field's.
        step: the step of the buttons beside it.
        about: the help text behind a question mark beside the label.
        width: in pixels.
    """
    least, most = chosen.least, max(chosen.least, chosen.most if most is None else most)
    value = min(max(chosen.get(), least), most)

    def take(typed: float) -> None:
        if typed.is_integer() and least <= typed <= most:
            chosen.set(int(typed))
        else:
            refusal(chosen).set(
                _(
                    "“{label}” takes a whole number from {least} to {most}, not {typed}. "
                    "It stays {value}."
                ).format(
                    label=label,
                    least=_figure(least),
                    most=_figure(most),
                    typed=_figure(typed),
                    value=_figure(value),
                )
            )

    _box(chosen, value, take, label, step=step, help=about, width=width)
    return value


def entry(
    chosen: SessionValue[N],
    label: str,
    *,
    step: N,
    about: str | None = None,
    width: Width = "stretch",
) -> N:
    """A box for a number, without bounds. If its steps are whole, it accepts only whole numbers.

    Args:
        chosen: the field; an invalid number is dropped, and an emptied box shows the field's value
            again.
        label: the label above the box.
        step: the step of the buttons beside it.
        about: the help text behind a question mark beside the label.
        width: in pixels.
    """
    value = chosen.get()

    kind: type[N] = type(step)

    def take(typed: float) -> None:
        if kind is float or typed.is_integer():
            chosen.set(kind(typed))
        else:
            refusal(chosen).set(
                _("“{label}” takes a whole number, not {typed}. It stays {value}.").format(
                    label=label, typed=_figure(typed), value=_figure(value)
                )
            )

    _box(chosen, value, take, label, step=step, help=about, width=width)
    return value


def _box(
    chosen: SessionValue[N],
    value: N,
    take: Callable[[float], None],
    label: str,
    *,
    step: N,
    **more: Any,
) -> None:
    """A box for a number, and why it refused the last one.

    The browser sends any number. Its own check would say why it refuses one only under the pointer, and
    for whole numbers it reads 1e9 as 1 and 4.5 as 4.
    """
    chosen.set(value)
    control_sync.send(chosen.control, float(value))

    def heard(typed: float | None) -> None:
        if typed is not None:  # an emptied box has its value again
            take(float(typed))

    st.number_input(
        label,
        value=float(value),
        step=float(step),
        format="%.0f" if isinstance(step, int) else "%g",
        key=chosen.control,
        on_change=control_sync.on_change(chosen.control, heard),
        **more,
    )
    if why := refusal(chosen).take():
        st.toast(why, duration="long")  # beside the box there is no room for a sentence


def _figure(value: float) -> str:
    """A number in a sentence: 16,384, −5.5."""
    return decimal(f"{value:,.10g}".replace("-", "−"))


def slider(
    chosen: Bounded[N],
    label: str,
    *,
    most: N | None = None,
    step: N | None = None,
    about: str | None = None,
    width: Width = "stretch",
) -> N:
    """A slider from the field's smallest to its largest number; a number beyond becomes the nearest.

    Args:
        chosen: the field.
        label: the label above the slider.
        most: the current upper bound, if it is below the field's.
        step: from one number to the next.
        about: the help text behind a question mark beside the label.
        width: in pixels.
    """
    least, most = chosen.least, chosen.most if most is None else most
    value = min(max(chosen.get(), least), most)
    st.slider(
        label,
        least,
        max(least + 1, most),
        value,
        step,
        key=show(chosen, value),
        help=about,
        width=width,
        on_change=take_over(chosen),
    )
    return value


_TYPES = {"number": N_("such as 0.5 or −1"), "whole": N_("a whole number"), "share": N_("0.5, or 50 %")}


_POSITIVE = N_("such as 0.5 or 12")


def predict_number(
    chosen: SessionValue[str], label: str, kind: Kind, *, positive: bool = False
) -> float | None:
    """A box for a number, empty at first; only a screen reader reads the label.

    It is a box of text: the browser's own box for numbers takes .5 for 0 where numbers are whole, and
    knows neither 0,5 nor 50 %.

    Args:
        chosen: what is typed.
        label: the label.
        kind: what is wanted.
        positive: whether what is asked for is never below 0.

    Returns:
        The number; None while there is none, and then a line below the box says what is wanted.
    """
    typed = chosen.get()
    example = _POSITIVE if positive and kind == "number" else _TYPES[kind]
    st.text_input(
        label,
        typed,
        key=show(chosen, typed),
        label_visibility="collapsed",
        placeholder=gettext(example),
        max_chars=MOST_TYPED,
        autocomplete="off",
        width=180,
        on_change=take_over(chosen),
    )
    found = number_of(typed, kind)
    if typed.strip() and found is None:
        st.caption(sentence(f"typed.{kind}"))
    return found
