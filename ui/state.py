"""What is chosen on a page: each choice declared once, as a field, and drawn by the controls below.

A page's fields are its link, its examples and its reset (`PageState`). A control takes a field and
returns what is chosen; a page needs to know no more. What is chosen stands in the session under a name
of its own, which no control has: Streamlit forgets the value of a control that is not drawn, and a
browser begins one that comes back anew (docs/state.md tells what was tried). A control is told what to
show, and tells its field what a visitor does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeVar
from zlib import crc32

import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from ui import layout, permalink, widgets
from ui.models import model_cache
from ui.text_box import box

if TYPE_CHECKING:
    from core.pretrained import TextModel

T = TypeVar("T")
N = TypeVar("N", int, float)
F = TypeVar("F", bound="Field[Any]")
Width = int | Literal["stretch"]
LABEL = 28  # pixels of a label above a box


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
        self.set(_heard(self.control))
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
        before: its default in links of the first version; None: the same.
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
        before: T | None = None,
    ) -> None:
        super().__init__(key, default)
        self.parameter = permalink.Parameter(
            url, key, default, parse, along=scope == "app", before=before, write=write
        )

    def set(self, value: T) -> None:
        """Choose it: in a callback, or before its control is drawn."""
        super().set(value)
        permalink.note(self.key, value)


class Choice(Field[str]):
    """One of several words."""

    def __init__(
        self, url: str, key: str, default: str, words: Iterable[str], *, before: str | None = None
    ) -> None:
        super().__init__(url, key, default, parse=permalink.one_of(*words), before=before)


class Bounded(Field[N]):
    """A number from `least` to `most`: `Whole` or `Real`."""

    least: N
    most: N


class Whole(Bounded[int]):
    """A whole number from `least` to `most`."""

    def __init__(
        self, url: str, key: str, default: int, least: int, most: int, *, before: int | None = None
    ) -> None:
        super().__init__(url, key, default, parse=permalink.whole(least, most), before=before)
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


class Read(Protocol):
    """Reads what is chosen: `Visit.get`, or `published()`."""

    def __call__(self, chosen: Visit[T], /) -> T:
        """What it is."""
        ...


def published() -> Read:
    """Reads the choices of the page that is shown after it has run: for a file made when asked for.

    A choice is there as soon as it is made.
    """
    last = permalink.now()

    def read(chosen: Visit[T]) -> T:
        value: T = last.values[chosen.key]
        return value

    return read


def _fields_in(value: object) -> Iterator[Field[Any]]:
    """The fields among some attributes, in their order."""
    if isinstance(value, Field):
        yield value
    elif isinstance(value, Mapping | tuple):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _fields_in(one)


class PageState:
    """The fields of a page: the attributes of a subclass, in the order that its link has them.

    An attribute may also be a mapping or a tuple of fields, as of all that is chosen in one picture.
    """

    fields: ClassVar[tuple[Field[Any], ...]] = ()

    def __init_subclass__(cls) -> None:
        cls.fields = tuple(_fields_in(tuple(vars(cls).values())))
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

    def complete(self) -> None:
        """What follows from what the link says, before any control is drawn: nothing for most pages."""


@dataclass
class _Telling:
    """The controls that the app has set, by their names.

    Attributes:
        all: those of which no run that told them has come to its end: a browser may not have heard it.
        now: those that this run has told.
        last: those that the run before has told: what a browser says of them it may have said before.
        heard: those that a visitor has changed before this run.
    """

    all: set[str] = field(default_factory=set)
    now: set[str] = field(default_factory=set)
    last: set[str] = field(default_factory=set)
    heard: set[str] = field(default_factory=set)


def _telling() -> _Telling:
    found: _Telling = st.session_state.setdefault("controls to be told", _Telling())
    return found


def _tell(control: str, value: object) -> None:
    """Set a control where it shows something else, and again until a run has come to its end.

    What an overtaken run told may have been lost; what the last run told may have reached a browser
    after it had said what this one heard. Anything more would undo what a visitor does meanwhile.
    """
    telling = _telling()
    if control in telling.all or st.session_state.get(control) != value:
        telling.all.add(control)
        telling.now.add(control)
        st.session_state[control] = value
    elif control in telling.last & telling.heard:
        st.session_state[control] = value


def _heard(control: str) -> Any:
    """What a visitor has done to a control."""
    _telling().heard.add(control)
    return st.session_state[control]


def start_telling() -> None:
    """At the start of a run, of the page or of a part of it."""
    permalink.now().replaced = False
    _telling().now.clear()


def have_told() -> None:
    """At its end: a browser has heard what this run told."""
    telling = _telling()
    telling.all -= telling.now
    telling.last = {*telling.now}
    telling.heard.clear()


def begin(state: type[PageState]) -> None:
    """At the start of a run: what the link says, and what follows from it."""
    start_telling()
    permalink.restore(state.link())
    state().complete()


def end(state: type[PageState]) -> None:
    """At the end of a run: the whole state into the link."""
    layout.publish(state.link())
    have_told()


def _shown(chosen: Visit[T], value: T, control: str = "") -> str:
    """Before a control is drawn: it is to show this value.

    It also has the value as its default, where a browser begins a control that comes back.

    Args:
        chosen: what is chosen.
        value: what it is to be.
        control: the name of the control; empty: the field's own.

    Returns:
        The name of the control.
    """
    chosen.set(value)
    _tell(control or chosen.control, value)
    return control or chosen.control


def _by_names(chosen: Visit[Any], names: Iterable[str]) -> str:
    """The name of a control of its own for each set of names that its options have.

    A browser answers with the name of an option, and keeps the name that it showed last: "cat (3)"
    would come back for a text in which there is no cat.
    """
    return f"{chosen.control} {crc32('|'.join(names).encode()):08x}"


def within(chosen: Whole, least: int, most: int) -> int:
    """A whole number, which becomes the nearest within these bounds."""
    value = min(max(chosen.get(), least), most)
    chosen.set(value)
    return value


def _offered(chosen: Visit[T], options: Iterable[T]) -> T:
    """What is chosen, if it is an option; else the next number or the last, the default, the first."""
    value, offered = chosen.get(), list(options)
    if value in offered:
        return value
    if isinstance(chosen, Whole):
        return next((one for one in offered if one > value), offered[-1])  # type: ignore[operator]
    return chosen.default if chosen.default in offered else offered[0]


def select(
    chosen: Visit[T],
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
    """One of several options.

    Args:
        chosen: what is chosen; where it is none of the options, the next number is, or the last, or the
            default, or the first.
        options: each with its name on the screen.
        label: above it; of segments only a screen reader says it, where they are not `named`.
        style: a list that opens, or all options beside or below each other, or on a line.
        by_names: whether the options of a list are called by what is on the screen, as its words are:
            each set of names then has a list of its own.
        named: whether the label of segments stands above them.
        about: what a question mark beside a label tells.
        more: whether a visitor may type into a list what is none of the options.
        wrap: whether segments break into lines; None: as Streamlit has it.
        width: in pixels.
        changed: called when a visitor has taken another.
    """
    value = _offered(chosen, options)
    key = _shown(chosen, value, _by_names(chosen, options.values()) if by_names else "")
    offered = list(options)
    at = offered.index(value)

    def called(option: T) -> str:
        return options.get(option, str(option))

    def hear() -> None:
        if (said := _heard(key)) in options or (more and isinstance(said, str)):
            chosen.set(said)
            if changed is not None:
                changed()

    heard: dict[str, Any] = {"key": key, "format_func": called, "on_change": hear}
    if style == "list":
        st.selectbox(label, offered, at, help=about, width=width, accept_new_options=more, **heard)
    elif style == "radio":
        st.radio(label, offered, at, help=about, **heard)
    elif style == "slider":
        st.select_slider(label, offered, value, help=about, width=width, **heard)
    else:
        heard |= {
            "wrap": wrap,
            "required": True,
            "label_visibility": "visible" if named else "collapsed",
        }
        st.segmented_control(label, offered, default=value, **heard)
    return value


def offer(key: str, options: Iterable[T], label: str, take: Callable[[T], None]) -> None:
    """Options beside each other, each to be taken any number of times: none of them stays chosen."""

    def taken(option: T | None) -> None:
        if option is not None:
            take(option)

    clicked = Part[T | None](key, lambda: None, taken)
    st.pills(label, [*options], key=_shown(clicked, None), on_change=clicked.hear)


def some(
    chosen: Field[tuple[T, ...]],
    options: Mapping[T, str],
    label: str,
    *,
    placeholder: str | None = None,
) -> tuple[T, ...]:
    """Some of several options, in the order of the options; what is none of them is forgotten.

    Args:
        chosen: what is chosen.
        options: each with its name on the screen.
        label: above the list.
        placeholder: what stands there while there is none.
    """
    value = tuple(one for one in options if one in chosen.get())
    chosen.set(value)
    key = _by_names(chosen, options.values())
    _tell(key, [*value])

    def hear() -> None:
        taken = _heard(key)
        chosen.set(tuple(one for one in options if one in taken))

    st.multiselect(
        label,
        [*options],
        [*value],
        key=key,
        format_func=options.__getitem__,
        on_change=hear,
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
    """Some of a list, to which a visitor may add.

    Args:
        chosen: what is chosen.
        names: the options, as they are called on the screen.
        now: those of them that are chosen.
        label: above the list.
        take: what the field is to hold, of the names that are chosen and those that were typed.
        most: how many may be chosen.
        placeholder: what stands there while there is none.
    """
    key = _by_names(chosen, names)
    _tell(key, [*now])
    st.multiselect(
        label,
        [*names],
        [*now],
        key=key,
        max_selections=most,
        accept_new_options=True,
        on_change=lambda: chosen.set(take([str(name) for name in _heard(key)])),
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
    usual: str | None = None,
    follows: bool = True,
    placeholder: str = "",
    named: bool = True,
    changed: Callable[[], None] | None = None,
) -> str:
    """A text of one paragraph, as it was typed: it may be one that `parse` refuses.

    Args:
        chosen: what is typed.
        label: above the box.
        most: how many letters it may have.
        width: in pixels.
        usual: what stands in the box while nothing is chosen; typed again, nothing is.
        follows: whether a pause tells what is typed by then; else Enter does, and leaving the box.
        placeholder: what stands in it while it is empty.
        named: whether the label stands above it; else only a screen reader says it.
        changed: called when a visitor has typed another.

    Returns:
        What stands in the box.
    """
    value = chosen.get() or usual or ""
    _box(
        chosen,
        label,
        value,
        changed,
        usual,
        # A box that was just emptied, to type something else, would be filled again.
        follows=follows and usual is None,
        most=most,
        width=width,
        placeholder=placeholder,
        named=named,
    )
    return value


def paragraph(
    chosen: Field[str],
    label: str,
    *,
    placeholder: str = "",
    height: int | None = None,
    most: int | None = None,
    named: bool = True,
    changed: Callable[[], None] | None = None,
) -> str:
    """A text of one line or of many.

    Args:
        chosen: what is typed.
        label: above the box.
        placeholder: what stands in it while it is empty.
        height: of a list of lines, with its label, in pixels: it is told when all are typed, by leaving
            the box. None: a sentence or a paragraph, which is told as it is typed.
        most: how many letters it may have.
        named: whether the label stands above it; else only a screen reader says it.
        changed: called when a visitor has typed another.
    """
    value = chosen.get()
    chosen.set(value)
    _box(
        chosen,
        label,
        value,
        changed,
        kind="paragraph" if height is None else "lines",
        follows=height is None,
        named=named,
        placeholder=placeholder,
        most=most,
        height=None if height is None else height - LABEL * named,
    )
    return value


def _box(
    chosen: Field[str],
    label: str,
    value: str,
    changed: Callable[[], None] | None,
    usual: str | None = None,
    **look: Any,
) -> None:
    """Draw a box for a text, and hear what is typed into it unless something has replaced the text."""
    memory = f"{chosen.control} drawn"

    def now() -> tuple[str, int]:
        return chosen.get(), permalink.now().went

    replaced = st.session_state.get(memory, now()) != now()
    st.session_state[memory] = now()

    def take(typed: str) -> bool:
        # A button that was pressed, as of an example, may be heard before what was typed before it.
        if st.session_state[memory] != now():
            return False
        chosen.set("" if typed == usual else typed)
        if changed is not None:
            changed()
        st.session_state[memory] = now()
        return True

    box.draw(chosen.control, label, value, take, replaced=replaced, **look)


def toggle(
    chosen: Visit[bool],
    label: str,
    *,
    about: str | None = None,
    changed: Callable[[], None] | None = None,
) -> bool:
    """On or off.

    Args:
        chosen: what is chosen.
        label: beside it.
        about: what a question mark beside the label tells.
        changed: called when a visitor has turned it on or off.
    """
    value = chosen.get()
    key = _shown(chosen, value)
    st.toggle(label, value, key=key, help=about, on_change=chosen.hear, args=(changed,))
    return value


def upload(
    key: str,
    label: str,
    *,
    endings: Sequence[str],
    most_mb: int,
    take: Callable[[UploadedFile], None],
    forget: Callable[[], None] | None = None,
) -> UploadedFile | None:
    """A file of a visitor's, as long as it stands there.

    Args:
        key: the name of the control.
        label: above it.
        endings: what a file's name may end in.
        most_mb: its greatest size.
        take: called once with another file, before the run that follows.
        forget: called when a visitor has taken the file away.
    """

    def heard() -> None:
        file = st.session_state.get(key)
        if file is not None:
            take(file)
        elif forget is not None:
            forget()

    return st.file_uploader(label, type=endings, key=key, on_change=heard, max_upload_size=most_mb)


class _Cells(NamedTuple):
    """A table that is on the screen: what it is of, what it shows now, what it began with, its turn."""

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
) -> None:
    """Cells to be changed. A browser tells all changes since the table began, so it begins seldom.

    Args:
        chosen: all changes.
        name: what the table is of; another has changes of its own.
        draw: the table with these changes.
        take: these changes and more: each cell's row, its column, what was typed.
        columns: how each column is typed, as Streamlit's data editor takes it.
    """
    memory = f"{chosen.control} begun"
    on: _Cells | None = st.session_state.get(memory)
    if on is None or (on.name, on.now) != (name, chosen.get()):
        on = _Cells(name, chosen.get(), chosen.get(), on.turn + 1 if on else 0)
        st.session_state[memory] = on
    began, key = on, f"{chosen.control} {on.turn}"

    def hear() -> None:
        rows: dict[Any, dict[str, Any]] = st.session_state[key].get("edited_rows", {})
        cells = [(int(row), name, typed) for row, of in rows.items() for name, typed in of.items()]
        chosen.set(take(began.begun, cells))
        st.session_state[memory] = began._replace(now=chosen.get())

    st.data_editor(draw(on.begun), key=key, column_config={**columns}, on_change=hear, width="stretch")


def choose_model(
    load: Callable[[str], TextModel] = model_cache.model,
    *,
    changed: Callable[[], None] | None = None,
) -> str | None:
    """The model to show, as `widgets.choose_model`.

    Args:
        load: `model_cache.reader` for a page that has a model read one text alone.
        changed: called when a visitor has taken another.
    """
    return widgets.choose_model(changed, load=load)


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
