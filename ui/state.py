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
from streamlit.runtime.uploaded_file_manager import UploadedFile

from ui import layout, permalink, widgets

T = TypeVar("T")
N = TypeVar("N", int, float)
F = TypeVar("F", bound="Field[Any]")
Width = int | Literal["stretch"]


class Visit(Generic[T]):
    """What lasts for one visit: under its name in the session, and, where it is no field, in no link.

    Args:
        key: its name in the session.
        default: its value until it is set.
    """

    def __init__(self, key: str, default: T) -> None:
        self.key = key
        self._default = default

    @property
    def control(self) -> str:
        """The name of the control that shows it."""
        return f"{self.key} control"

    @property
    def default(self) -> T:
        """Its value where nothing was chosen."""
        return self._default

    def get(self) -> T:
        """What it is now."""
        value: T = st.session_state.get(self.key, self.default)
        return value

    def set(self, value: T) -> None:
        """Choose it: in a callback, or before its control is drawn."""
        st.session_state[self.key] = value

    def take(self) -> T:
        """What it is now; it then is as by default again."""
        value = self.get()
        self.set(self.default)
        return value

    def hear(self, then: Callable[[], None] | None = None) -> None:
        """What a visitor has done to its control: called before the run that follows from it.

        Args:
            then: called when it has what was chosen.
        """
        self.set(st.session_state[self.control])
        if then is not None:
            then()


class Part(Visit[T]):
    """A value that is kept elsewhere, in its own words: one box of many whose values make up one field.

    Args:
        key: what its control is named after.
        read: what it is now.
        write: changes it; not called with what it is already.
    """

    def __init__(self, key: str, read: Callable[[], T], write: Callable[[T], None]) -> None:
        super().__init__(key, read())
        self._read, self._write = read, write

    def get(self) -> T:
        """What it is now."""
        return self._read()

    def set(self, value: T) -> None:
        """Choose it, where it is something else."""
        if value != self.get():
            self._write(value)


class Field(Visit[T]):
    """One choice: its places in the link and in the session, its default, how it is read and written.

    Args:
        url: its key in a link.
        key: its name in the session.
        default: its value where nothing was chosen, and where a link cannot be read.
        parse: reads what a link has, by whomever it was written; raises ValueError or KeyError.
        write: the other way round; what it writes, `parse` reads.
        scope: "app" of one that goes along from page to page, as the model does.
        typed: of a text in a box (`permalink.Parameter`).
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
        typed: bool = False,
    ) -> None:
        super().__init__(key, default)
        self.parameter = permalink.Parameter(
            url, key, default, parse, along=scope == "app", typed=typed, write=write
        )


class Choice(Field[str]):
    """One of several words."""

    def __init__(self, url: str, key: str, default: str, words: Iterable[str]) -> None:
        super().__init__(url, key, default, parse=permalink.one_of(*words))


class Bounded(Field[N]):
    """A number from `least` to `most`: `Whole` or `Real`."""

    least: N
    most: N


class Whole(Bounded[int]):
    """A whole number from `least` to `most`."""

    def __init__(self, url: str, key: str, default: int, least: int, most: int) -> None:
        super().__init__(url, key, default, parse=permalink.whole(least, most))
        self.least, self.most = least, most


class Real(Bounded[float]):
    """A number from `least` to `most`, not only a whole one."""

    def __init__(self, url: str, key: str, default: float, least: float, most: float) -> None:
        super().__init__(url, key, default, parse=permalink.real(least, most))
        self.least, self.most = least, most


class Switch(Field[bool]):
    """On or off."""

    def __init__(self, url: str, key: str, default: bool = False) -> None:
        super().__init__(url, key, default, parse=permalink.switch)


_M = widgets.MODEL
MODEL: Field[str] = Field(_M.short, _M.key, _M.default, parse=_M.parse, scope="app")


class PageState:
    """The fields of a page: the attributes of a subclass, in the order that its link has them.

    An attribute may also be a mapping of fields, as of all that is chosen in one picture.
    """

    fields: ClassVar[tuple[Field[Any], ...]] = ()

    def __init_subclass__(cls) -> None:
        several = (one if isinstance(one, Mapping) else {"": one} for one in vars(cls).values())
        cls.fields = tuple(one for of in several for one in of.values() if isinstance(one, Field))
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


def _shown(chosen: Visit[T], value: T) -> str:
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
    chosen: Visit[T],
    options: Mapping[T, str],
    label: str,
    *,
    style: Literal["list", "segments"] = "list",
    about: str | None = None,
    wrap: bool | None = None,
    width: Width = "stretch",
    changed: Callable[[], None] | None = None,
) -> T:
    """One of several options.

    Args:
        chosen: what is chosen; where it is none of the options, the default is, or the first.
        options: each with its name on the screen.
        label: above a list; of segments only a screen reader says it.
        style: a list that opens, or all options beside each other.
        about: what a question mark beside the label of a list tells.
        wrap: whether segments break into lines; None: as Streamlit has it.
        width: of a list, in pixels.
        changed: called when a visitor has taken another.
    """
    value = chosen.get()
    if value not in options:
        value = chosen.default if chosen.default in options else next(iter(options))
    key, named = _shown(chosen, value), cast(Callable[[Any], str], options.__getitem__)
    offered = list(options)
    if style == "list":
        at = offered.index(value)
        st.selectbox(
            label,
            offered,
            at,
            key=key,
            format_func=named,
            help=about,
            width=width,
            on_change=chosen.hear,
            args=(changed,),
        )
    else:
        st.segmented_control(
            label,
            offered,
            default=value,
            key=key,
            format_func=named,
            required=True,
            label_visibility="collapsed",
            wrap=wrap,
            on_change=chosen.hear,
            args=(changed,),
        )
    return value


def offer(key: str, options: Iterable[T], label: str, take: Callable[[T], None]) -> None:
    """Options beside each other, each to be taken any number of times: none of them stays chosen."""

    def taken(option: T | None) -> None:
        if option is not None:
            take(option)

    clicked = Part[T | None](key, lambda: None, taken)
    st.pills(label, [*options], key=_shown(clicked, None), on_change=clicked.hear)


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


def entry(
    chosen: Visit[N],
    label: str,
    *,
    step: N,
    about: str | None = None,
    width: Width = "stretch",
) -> N:
    """A number in a box without bounds: a browser would hold back what is outside, and not say why.

    Args:
        chosen: what is chosen; what it does not take is forgotten, and an emptied box has it again.
        label: above the box.
        step: of the buttons beside it.
        about: what a question mark beside the label tells.
        width: in pixels.
    """
    value = chosen.get()
    st.number_input(
        label,
        value=value,
        step=step,
        format="%d" if isinstance(step, int) else "%g",
        key=_shown(chosen, value),
        help=about,
        width=width,
        on_change=chosen.hear,
    )
    return value


def slider(
    chosen: Bounded[N],
    label: str,
    *,
    most: N | None = None,
    step: N | None = None,
    about: str | None = None,
    width: Width = "stretch",
) -> N:
    """A number from the field's least to its most, by a slider; one beyond becomes the last.

    Args:
        chosen: what is chosen.
        label: above the slider.
        most: its upper bound now, where that is less than the field's.
        step: from one number to the next.
        about: what a question mark beside the label tells.
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
        on_change=chosen.hear,
    )
    return value


def text(
    chosen: Field[str],
    label: str,
    *,
    most: int | None = None,
    width: Width = "stretch",
    changed: Callable[[], None] | None = None,
) -> str:
    """A text, as it was typed: it may be one that `parse` refuses.

    Args:
        chosen: what is typed.
        label: above the box.
        most: letters that can be typed.
        width: in pixels.
        changed: called when a visitor has typed another.
    """
    value = chosen.get()
    key = _shown(chosen, value)
    st.text_input(
        label, value, key=key, max_chars=most, width=width, on_change=chosen.hear, args=(changed,)
    )
    return value


def toggle(chosen: Visit[bool], label: str, *, about: str | None = None) -> bool:
    """On or off; `about` is what a question mark beside the label tells."""
    value = chosen.get()
    st.toggle(label, value, key=_shown(chosen, value), help=about, on_change=chosen.hear)
    return value


def upload(
    key: str,
    label: str,
    *,
    endings: Sequence[str],
    most_mb: int,
    take: Callable[[UploadedFile], None],
) -> UploadedFile | None:
    """A file of a visitor's, as long as it stands there.

    Args:
        key: the name of the control.
        label: above it.
        endings: what a file's name may end in.
        most_mb: its greatest size.
        take: called once with another file, before the run that follows.
    """

    def heard() -> None:
        file = st.session_state.get(key)
        if file is not None:  # else it was taken away
            take(file)

    return st.file_uploader(label, type=endings, key=key, on_change=heard, max_upload_size=most_mb)


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
