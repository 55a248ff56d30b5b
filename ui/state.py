"""What is chosen on a page: each choice declared once, as a field, and drawn by the controls below.

A page's fields are its link, its examples and its reset (`PageState`). A control takes a field and
returns what is chosen; a page needs to know no more. What is chosen stands in the session under a name
of its own, which no control has: Streamlit forgets the value of a control that is not drawn, and a
browser begins one that comes back anew (docs/state.md tells what was tried). A control is told what to
show, and tells its field what a visitor does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, TypeVar, cast

import streamlit as st

from ui import layout, permalink, widgets

T = TypeVar("T")
F = TypeVar("F", bound="Field[Any]")
Width = int | Literal["stretch"]


class Field(Generic[T]):
    """One choice: its places in the link and in the session, its default, how it is read and written.

    Args:
        url: its key in a link.
        key: its name in the session.
        default: its value where nothing was chosen, and where a link cannot be read.
        parse: reads what a link has, by whomever it was written; raises ValueError or KeyError.
        write: the other way round; what it writes, `parse` reads.
        scope: "app" of one that goes along from page to page, as the model does.
    """

    def __init__(
        self,
        url: str,
        key: str,
        default: T,
        *,
        parse: Callable[[str], T],
        write: Callable[[T], str] = permalink.written,
        scope: Literal["page", "app"] = "page",
    ) -> None:
        self.parameter = permalink.Parameter(
            url, key, default, parse, along=scope == "app", write=write
        )

    @property
    def key(self) -> str:
        """Its name in the session."""
        return self.parameter.key

    @property
    def control(self) -> str:
        """The name of the control that shows it."""
        return f"{self.key} control"

    @property
    def default(self) -> T:
        """Its value where nothing was chosen."""
        value: T = self.parameter.default
        return value

    def get(self) -> T:
        """What is chosen now."""
        value: T = st.session_state.get(self.key, self.default)
        return value

    def set(self, value: T) -> None:
        """Choose it: in a callback, or before its control is drawn."""
        st.session_state[self.key] = value

    def hear(self) -> None:
        """What a visitor has done to its control: called before the run that follows from it."""
        self.set(st.session_state[self.control])


class Choice(Field[str]):
    """One of several words."""

    def __init__(self, url: str, key: str, default: str, words: Iterable[str]) -> None:
        super().__init__(url, key, default, parse=permalink.one_of(*words))


class Whole(Field[int]):
    """A whole number from `least` to `most`."""

    def __init__(self, url: str, key: str, default: int, least: int, most: int) -> None:
        super().__init__(url, key, default, parse=permalink.whole(least, most))
        self.least, self.most = least, most


class Switch(Field[bool]):
    """On or off."""

    def __init__(self, url: str, key: str, default: bool = False) -> None:
        super().__init__(url, key, default, parse=permalink.switch)


_M = widgets.MODEL
MODEL: Field[str] = Field(_M.short, _M.key, _M.default, parse=_M.parse, scope="app")


class PageState:
    """The fields of a page: the attributes of a subclass, in the order that its link has them."""

    fields: ClassVar[tuple[Field[Any], ...]] = ()

    def __init_subclass__(cls) -> None:
        cls.fields = tuple(one for one in vars(cls).values() if isinstance(one, Field))
        for names in ([one.parameter.short for one in cls.fields], [one.key for one in cls.fields]):
            if len({*names}) < len(names):
                raise TypeError(f"{cls.__name__} has two fields of one name: {names}")

    @classmethod
    def link(cls) -> tuple[permalink.Parameter, ...]:
        """All that a link holds, and that a reset sets back."""
        return (*(one.parameter for one in cls.fields), layout.PROJECTOR)

    @classmethod
    def examples(cls) -> tuple[permalink.Parameter, ...]:
        """What an example of “Try this” sets: all that belongs to this page alone."""
        return tuple(one.parameter for one in cls.fields if not one.parameter.along)


def begin(state: type[PageState]) -> None:
    """At the start of a run: what the link says."""
    permalink.restore(state.link())


def end(state: type[PageState]) -> None:
    """At the end of a run: the whole state into the link."""
    layout.publish(state.link())


def _shown(chosen: Field[T], value: T) -> str:
    """Before a control is drawn: it is to show this value.

    It is told only what it does not show already: anything else would undo what its visitor does
    meanwhile. It also has the value as its default, where a browser begins a control that comes back:
    the run that told it may have been overtaken by the next.

    Returns:
        The name of the control.
    """
    chosen.set(value)
    widgets.keep(chosen.control, value)
    return chosen.control


def select(
    chosen: Field[T],
    options: Mapping[T, str],
    label: str,
    *,
    style: Literal["list", "segments"] = "list",
) -> T:
    """One of several options.

    Args:
        chosen: what is chosen; where it is none of the options, the default is, or the first.
        options: each with its name on the screen.
        label: above a list; of segments only a screen reader says it.
        style: a list that opens, or all options beside each other.
    """
    value = chosen.get()
    if value not in options:
        value = chosen.default if chosen.default in options else next(iter(options))
    key, named = _shown(chosen, value), cast(Callable[[Any], str], options.__getitem__)
    offered = list(options)
    if style == "list":
        at = offered.index(value)
        st.selectbox(label, offered, at, key=key, format_func=named, on_change=chosen.hear)
    else:
        st.segmented_control(
            label,
            offered,
            default=value,
            key=key,
            format_func=named,
            required=True,
            label_visibility="collapsed",
            on_change=chosen.hear,
        )
    return value


def number(
    chosen: Whole,
    label: str,
    *,
    most: int | None = None,
    step: int = 1,
    about: str | None = None,
    width: Width = "stretch",
) -> int:
    """A whole number in a box; one beyond its bounds, as of a larger table, becomes the last.

    Args:
        chosen: what is chosen.
        label: above the box.
        most: its upper bound now, where that is less than the field's.
        step: of the buttons beside it.
        about: what a question mark beside the label tells.
        width: in pixels.
    """
    least, most = chosen.least, max(chosen.least, chosen.most if most is None else most)
    value = min(max(chosen.get(), least), most)
    key = _shown(chosen, value)
    st.number_input(
        label,
        least,
        most,
        value,
        step=step,
        key=key,
        help=about,
        width=width,
        on_change=chosen.hear,
    )
    return value


def slider(chosen: Whole, label: str, *, most: int, width: Width = "stretch") -> int:
    """A whole number from the field's least to `most`, by a slider; one beyond becomes the last."""
    least = chosen.least
    value = min(max(chosen.get(), least), most)
    key, end = _shown(chosen, value), max(least + 1, most)
    st.slider(label, least, end, value, key=key, width=width, on_change=chosen.hear)
    return value


def text(chosen: Field[str], label: str, *, most: int, width: Width = "stretch") -> str:
    """A text of at most so many letters, as it was typed: it may be one that `parse` refuses."""
    value = chosen.get()
    key = _shown(chosen, value)
    st.text_input(label, value, key=key, max_chars=most, width=width, on_change=chosen.hear)
    return value


def toggle(chosen: Field[bool], label: str) -> bool:
    """On or off."""
    value = chosen.get()
    st.toggle(label, value, key=_shown(chosen, value), on_change=chosen.hear)
    return value


def choose_model() -> str | None:
    """The model to show, as `widgets.choose_model`."""
    return widgets.choose_model()


def presets(
    label: str,
    prepared: Mapping[str, Mapping[F, Any]],
    *,
    resets: Sequence[Field[Any]] = (),
    width: Width = "stretch",
) -> None:
    """A list of prepared values for several fields; it shows those that they have, or “own”.

    Args:
        label: above the list.
        prepared: of each name, the values of the same fields.
        resets: fields that go back to their defaults with any of them.
        width: in pixels.
    """
    fields = [*next(iter(prepared.values()))]
    now = {one: one.get() for one in fields}
    # Other values have another list: one that a browser still shows may answer late, with the old ones.
    key = f"{label} {[*now.values()]}"

    def take() -> None:
        values = prepared.get(str(st.session_state[key]))
        if values not in (None, now):  # a list that has gone meanwhile says again what it began with
            for one in resets:
                one.set(one.default)
            for one, value in values.items():
                one.set(value)

    st.selectbox(
        label,
        [*prepared],
        index=next((i for i, values in enumerate(prepared.values()) if values == now), None),
        key=key,
        placeholder="own",
        on_change=take,
        width=width,
    )
