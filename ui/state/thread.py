"""The thread: the choices that go along when a visitor opens another page from the menu.

It consists of *strands*: the visitor's sentence, a word of it, a layer and a head. A page declares in
its `PageState.thread` which of its fields hold them. The strands that a visitor changed go along, and
replace those of the next page; all others stay. A strand that the next page has already, in whatever
fields, changes nothing there: the fields may say more than the strand does, such as whose sentences of
the word are shown. A link contains the whole state of a page, and therefore takes no thread. "Reset"
ends the thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from core.records.trace import Trace
from ui import permalink
from ui.session import SessionValue
from ui.state.fields import Field, Whole


class Strand(NamedTuple):
    """How the fields of a page hold one strand.

    Attributes:
        fields: the fields that hold it.
        leave: their values -> the strand; None if they do not determine it.
        enter: the strand -> their values; () if they are set later (`places`).
        with_sentence: whether it goes along with a changed sentence even if it was not changed itself.
    """

    fields: tuple[Field[Any], ...]
    leave: Callable[..., Any]
    enter: Callable[[Any], tuple[Any, ...]]
    with_sentence: bool = False

    def of(self, values: Mapping[str, Any]) -> Any:
        """The strand in these values of a page's fields, by session key; None if there is none."""
        return self.leave(*(values.get(one.key, one.default) for one in self.fields))

    def now(self) -> Any:
        """The strand that the fields hold now."""
        return self.leave(*(one.get() for one in self.fields))


class WordAt(NamedTuple):
    """A word of the sentence, and which of its occurrences, from 1."""

    word: str
    number: int


class _Place(NamedTuple):
    """A word of the sentence that is shown, and the positions of its tokens there."""

    at: WordAt
    tokens: tuple[int, ...]


@dataclass
class _Thread:
    """The thread of a session.

    Attributes:
        strands: the strands that go along, by name.
        of_page: the strands of the current page.
        page: the current page, identified by the keys of its fields.
        arrived: the values of its fields when the visitor arrived, by session key.
        places: the words of the current sentence, on a page whose fields count tokens.
        awaited: the word that such a page will show as soon as it knows its tokens.
    """

    strands: dict[str, Any] = field(default_factory=dict)
    of_page: Mapping[str, Strand] = field(default_factory=dict)
    page: tuple[str, ...] = ()
    arrived: dict[str, Any] = field(default_factory=dict)
    places: tuple[_Place, ...] = ()
    awaited: WordAt | None = None


_THREAD: SessionValue[_Thread | None] = SessionValue("thread", None)


def _now() -> _Thread:
    found = _THREAD.get()
    if found is None:
        _THREAD.set(found := _Thread())
    return found


def sentence(chosen: Field[str]) -> Strand:
    """The sentence that a field holds."""
    return Strand((chosen,), lambda typed: typed or None, lambda typed: (typed,))


def counted(chosen: Whole) -> Strand:
    """A layer or a head, which a field counts from 1; 0 means none."""
    return Strand((chosen,), lambda number: number or None, lambda number: (number,))


def word(chosen: Field[str], number: Whole) -> Strand:
    """A word and its occurrence, which two fields hold."""
    return Strand((chosen, number), WordAt, lambda at: tuple(at), with_sentence=True)


def token(fields: tuple[Field[Any], ...], position: Callable[..., int | None]) -> Strand:
    """The word to which the chosen token belongs; see `places`.

    Args:
        fields: those that hold it.
        position: their values -> the position of the token in the trace; None if there is none.
    """

    def leave(*values: Any) -> WordAt | None:
        at = position(*values)
        return next((one.at for one in _now().places if at in one.tokens), None)

    return Strand(fields, leave, lambda _: ())  # entered in `places`: its tokens are not known yet


def places(trace: Trace, choose: Callable[[int], None]) -> None:
    """Report the positions of the words of the sentence, and choose the word that has come along.

    Args:
        trace: the trace of the sentence.
        choose: chooses a token by its position in the trace.
    """
    thread = _now()
    thread.places = tuple(
        _Place(WordAt(one.word, one.number + 1), tuple(one.tokens.tolist()))
        for one in trace.occurrences()
    )
    if (awaited := thread.awaited) is None:
        return
    same = [one for one in thread.places if one.at.word.casefold() == awaited.word.casefold()]
    exact = [one for one in same if one.at.number == awaited.number]
    for place in exact[:1] or same[: awaited.number][-1:]:
        # Of a word in several pieces, another piece may be chosen here.
        if place.tokens and thread.of_page["word"].now() != place.at:
            choose(place.tokens[0])
            thread.arrived |= {
                one.key: one.get() for strand in thread.of_page.values() for one in strand.fields
            }
    thread.awaited = None  # last: a run may be interrupted before any of these lines


def here() -> dict[str, Any]:
    """The strands of the current page, chosen or default."""
    thread = _now()
    values = permalink.now().left.get(thread.page, {})
    return {name: strand.of(values) for name, strand in thread.of_page.items()}


def end() -> None:
    """End the thread; call it in a callback."""
    _THREAD.set(None)


def follow(
    fields: permalink.Fields,
    own: Mapping[str, Strand],
    enter: Callable[[Mapping[str, Any]], None],
) -> None:
    """At the start of a run, after the link was read, take over the strands of the last page.

    Args:
        fields: the fields of the current page.
        own: its strands.
        enter: sets its fields to the strands that have come along.
    """
    page, thread, last = tuple(one.key for one in fields), _now(), permalink.now()
    if thread.page == page:
        return
    if thread.page:
        _leave(thread, last.left.get(thread.page, {}))
    thread.page, thread.of_page, thread.places, thread.awaited = page, own, (), None
    if last.by_menu:
        along = {name: value for name, value in thread.strands.items() if name in own}
        other = {name: value for name, value in along.items() if own[name].now() != value}
        if "sentence" not in other:  # in another sentence, the same fields mean another word
            along = other
        if along:
            enter(along)
    # A link contains its author's choices, which go along as well.
    thread.arrived = {
        one.key: one.get() if last.by_menu else one.default
        for strand in own.values()
        for one in strand.fields
    }


def take(own: Mapping[str, Strand], along: Mapping[str, Any]) -> None:
    """Set the fields of these strands to the thread."""
    for name, value in along.items():
        chosen, values = own[name].fields, own[name].enter(value)
        for one, of_it in zip(chosen, values, strict=False):
            one.set(of_it)
        if not values:
            _now().awaited = value


def _leave(thread: _Thread, values: Mapping[str, Any]) -> None:
    """Put the changed strands of the last page, whose fields have these values, into the thread."""
    changed = {
        name
        for name, strand in thread.of_page.items()
        if any(values.get(one.key) != thread.arrived.get(one.key) for one in strand.fields)
    }
    if "sentence" not in changed:  # with another sentence, the same fields mean another word
        # Its fields may have changed and not what they say: the same word in other sentences.
        changed = {
            name
            for name in changed
            if thread.of_page[name].of(values) != thread.of_page[name].of(thread.arrived)
        }
    else:
        thread.strands.pop("word", None)  # it belongs to the earlier sentence
        changed |= {name for name, strand in thread.of_page.items() if strand.with_sentence}
    for name in changed:
        strand = thread.of_page[name]
        now = tuple(values.get(one.key, one.default) for one in strand.fields)
        left = strand.of(values)
        as_it_opens = now == tuple(one.default for one in strand.fields)
        if left is None or (as_it_opens and not strand.with_sentence):
            thread.strands.pop(name, None)
        else:
            thread.strands[name] = left
