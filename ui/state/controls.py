"""The controls: each takes a field, shows its value, and returns it.

A browser forgets the value of a control that is not drawn. The server therefore sends a control the
value to show, and the control reports a visitor's action to its field (`ui.state.control_sync`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeVar
from zlib import crc32

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from ui import permalink, session
from ui.session import SessionValue
from ui.state import control_sync
from ui.state.fields import Bounded, Field, N, Switch, T, Whole

F = TypeVar("F", bound="Field[Any]")
Width = int | Literal["stretch"]


def _shown(chosen: SessionValue[T], value: T, control: str = "") -> str:
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


def _take(chosen: SessionValue[Any], changed: Callable[[], None] | None = None) -> Callable[[], None]:
    """The callback that takes over a visitor's action on a field's control."""

    def take(sent: Any) -> None:
        chosen.set(sent)
        if changed is not None:
            changed()

    return control_sync.on_change(chosen.control, take)


def _by_names(chosen: SessionValue[Any], names: Iterable[str]) -> str:
    """The name of a control that is unique for its set of option names.

    A browser answers with the name of an option, and keeps the last name: "cat (3)" would come back for
    a text without a cat.
    """
    return f"{chosen.control} {crc32('|'.join(names).encode()):08x}"


def _offered(chosen: SessionValue[T], options: Iterable[T]) -> T:
    """The choice, if it is an option; otherwise the next or last number, the default, or the first."""
    value, offered = chosen.get(), list(options)
    if value in offered:
        return value
    if isinstance(chosen, Whole):
        return next((one for one in offered if one > value), offered[-1])  # type: ignore[operator]
    return chosen.default if chosen.default in offered else offered[0]


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
    key = _shown(chosen, value, _by_names(chosen, options.values()) if by_names else "")
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
        st.selectbox(label, offered, at, help=about, width=width, accept_new_options=more, **common)
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


def offer(key: str, options: Iterable[T], label: str, take: Callable[[T], None]) -> None:
    """Buttons beside each other, each of which can be pressed repeatedly; none stays selected."""

    def click(option: T | None) -> None:
        if option is not None:
            take(option)

    control = f"{key} control"
    control_sync.send(control, None)
    heard = control_sync.on_change(control, click, repeats=True)
    st.pills(label, [*options], key=control, on_change=heard, wrap=True)


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
        key=_shown(chosen, value),
        format_func=options.__getitem__,
        horizontal=True,
        label_visibility="collapsed",
        on_change=_take(chosen),
    )
    return value


def predict_number(chosen: SessionValue[float | None], label: str) -> float | None:
    """A box for a number, empty at first; only a screen reader reads the label."""
    value = chosen.get()
    st.number_input(
        label,
        value=value,
        step=0.1,
        format="%g",
        key=_shown(chosen, value),
        label_visibility="collapsed",
        placeholder="your number",
        width=180,
        on_change=_take(chosen),
    )
    return value


def some(
    chosen: Field[tuple[T, ...]],
    options: Mapping[T, str],
    label: str,
    *,
    placeholder: str | None = None,
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
    key = _by_names(chosen, options.values())
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
    key = _by_names(chosen, names)
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
            _refusal(chosen).set(
                f"“{label}” takes a whole number from {_figure(least)} to {_figure(most)}, not "
                f"{_figure(typed)}. It stays {_figure(value)}."
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
            _refusal(chosen).set(
                f"“{label}” takes a whole number, not {_figure(typed)}. It stays {_figure(value)}."
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
    if why := _refusal(chosen).take():
        st.toast(why, duration="long")  # beside the box there is no room for a sentence


def _refusal(chosen: SessionValue[Any]) -> SessionValue[str]:
    """The reason why a control rejected an entry; shown once."""
    return SessionValue(f"{chosen.key} refused", "")


def _figure(value: float) -> str:
    """A number in a sentence: 16,384, −5.5."""
    return f"{value:,.10g}".replace("-", "−")


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
        key=_shown(chosen, value),
        help=about,
        width=width,
        on_change=_take(chosen),
    )
    return value


def toggle(
    chosen: SessionValue[bool],
    label: str,
    *,
    about: str | None = None,
    changed: Callable[[], None] | None = None,
) -> bool:
    """Turn something on or off.

    Args:
        chosen: the field.
        label: the label beside it.
        about: the help text behind a question mark beside the label.
        changed: called when a visitor turns it on or off.
    """
    value = chosen.get()
    key = _shown(chosen, value)
    st.toggle(label, value, key=key, help=about, on_change=_take(chosen, changed))
    return value


def upload(
    key: str,
    label: str,
    *,
    endings: Sequence[str] | None,
    most_mb: int,
    take: Callable[[UploadedFile], None],
    forget: Callable[[], None] | None = None,
) -> UploadedFile | None:
    """A control to upload a file.

    Args:
        key: the name of the control.
        label: the label above it.
        endings: the permitted file extensions; None for all.
        most_mb: the largest permitted size, in MB.
        take: called once with each new file, before the next run.
        forget: called when a visitor removes the file.
    """

    def changed() -> None:
        file = session.reported(key)
        if isinstance(file, UploadedFile):
            take(file)
        elif file is None and forget is not None:
            forget()
        # Else it is a file that this server does not have: it was started again since the upload.

    return st.file_uploader(label, type=endings, key=key, on_change=changed, max_upload_size=most_mb)


class _Cells(NamedTuple):
    """A table on the screen: its name, its current content, its initial content, and its version."""

    name: str
    now: str
    begun: str
    turn: int


def table(
    chosen: Field[str],
    name: str,
    draw: Callable[[str], pd.DataFrame],
    *,
    take: Callable[[str, list[tuple[int, str, Any]]], str],
    columns: Mapping[str, Any],
    refused: Callable[[list[tuple[int, str, Any]]], str] | None = None,
) -> None:
    """A table with editable cells. A browser reports all changes since the table was created.

    Where a cell is refused, the table is drawn anew, with what it shows now, and says why.

    Args:
        chosen: the field that holds all changes.
        name: the name of the table; each name has its own changes.
        draw: returns the table with these changes applied.
        take: returns the field's new value from the old changes and the new ones: row, column and typed
            text of each cell.
        columns: the column configuration of Streamlit's data editor.
        refused: why some of these cells are not taken (Markdown); "" if all are.
    """
    why = _refusal(chosen)
    memory = SessionValue[_Cells | None](f"{chosen.control} begun", None)
    on = memory.get()
    if on is None or (on.name, on.now) != (name, chosen.get()):
        on = _Cells(name, chosen.get(), chosen.get(), on.turn + 1 if on else 0)
        memory.set(on)
    began, key = on, f"{chosen.control} {on.turn}"

    def changed() -> None:
        rows: dict[Any, dict[str, Any]] = session.reported(key).get("edited_rows", {})
        cells = [(int(row), name, typed) for row, of in rows.items() for name, typed in of.items()]
        if refused is not None and (sentence := refused(cells)):
            why.set(sentence)
            chosen.set(take(began.now, cells))  # a cell that is refused stays as it was before
            memory.set(_Cells(name, chosen.get(), chosen.get(), began.turn + 1))
        else:
            chosen.set(take(began.begun, cells))
            memory.set(began._replace(now=chosen.get()))

    st.data_editor(
        draw(on.begun), key=key, column_config={**columns}, on_change=changed, width="stretch"
    )
    if sentence := why.take():
        st.warning(sentence)


def presets(
    label: str,
    prepared: Mapping[str, Mapping[F, Any]],
    *,
    now: str | None = None,
    resets: Sequence[Field[Any]] = (),
    placeholder: str = "own",
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
        placeholder=placeholder,
        on_change=take,
        width=width,
    )


def fold(chosen: Switch, label: str) -> DeltaGenerator:
    """A part of a page that is folded under its label; its content is drawn only while it is open."""
    is_open = chosen.get()
    key = _shown(chosen, is_open)
    return st.expander(label, is_open, key=key, on_change=_take(chosen))
