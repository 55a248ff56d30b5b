"""Two prompts: what stands where, top to bottom."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from core.errors import PolyseeError
from core.figures import Picture, bars, patched_words, patching
from core.figures.labels import spelled
from core.localization import N_, _, decimal, each, gettext
from core.measures import most_apart
from core.records.patching import By, Patching
from core.records.pieces import pieces_of
from core.records.prediction import Expectation
from pages.next_word import headline
from pages.next_word.prompts import captions, computed, nearby, progress, python
from pages.next_word.prompts.computed import Query, first_row
from pages.next_word.state import ALL, LAST, PATCHED, NextWordState
from ui import figure, files, layout, same_in_python
from ui.models import answers, model_cache
from ui.models.attempt import attempt, can_ask, say_special
from ui.page import leads, terms
from ui.query import TextQuery
from ui.state import Field, SessionValue, paragraph, presets, select, text
from ui.text import of_error, plain

BARS = 10
WIDTH, NARROW = 190, 110  # pixels of a list, and of a box for one word
MOST_PLACES = 60  # tokens in the list of places
ENDS = N_("end of text")
STORE = "When Mary and John went to the store, {} gave a drink to"
PAIRS: Mapping[str, tuple[str, str, str, str]] = {
    N_("Who gives the drink"): (STORE.format("John"), STORE.format("Mary"), "", ""),
    N_("The names exchanged"): (
        STORE.format("John"),
        "When John and Mary went to the store, Mary gave a drink to",
        "",
        "",
    ),
    N_("Paris or Rome"): ("The capital of France is", "The capital of Italy is", "", ""),
    N_("River or money"): (
        "She went to the river bank to catch some",
        "She went to the money bank to catch some",
        "fish",
        "money",
    ),
}
_OPEN = SessionValue[dict[str, str] | None]("next word open head", None)  # where a click leads


def show(s: NextWordState, model: str) -> None:
    """Draw the view."""
    if (wanted := _OPEN.take()) is not None:
        leads.go("heads", wanted)
    left, right = st.columns(2, gap="medium")
    with left:
        a = paragraph(s.text, _("Prompt A"), changed=partial(_other, s))
    with right:
        b = paragraph(s.second, _("Prompt B"), changed=partial(_other, s))
    message, place, row = headline.place(), st.empty(), layout.row()
    with row:
        _examples(s)
    if not (can_ask(a, _("Prompt A")) and can_ask(b, _("Prompt B"))):
        return
    for typed, name in ((a, _("Prompt A")), (b, _("Prompt B"))):
        say_special(model, typed, name)
    expected = attempt(_expected, model, a, b)
    if expected is None:
        return
    with row:
        query = _controls(s, model, expected)
    if not any(query.answers) and expected[0].ids[0] == expected[1].ids[0] and _comparable(model, a, b):
        with place.container():
            _propose(s, model, expected)
        return
    runs = st.container()
    with place.container():  # a refusal stands where the picture would
        if _unequal(model, a, b):
            _offer_fitting(s, query)
            return
        found = attempt(progress.found, query)
    if found is None:
        return
    headline.write(message, captions.headline(found))
    with place.container():
        _matrix(s, query, found, expected)
    with runs:
        _runs(s, query, found, expected)
    same_in_python.show(s.python, partial(python.lines, query, s.cell.get()), model)


def _other(s: NextWordState) -> None:
    """Another prompt has its own continuations, cells and answers."""
    s.forget()
    s.uncell()
    s.answer_a.set("")
    s.answer_b.set("")
    s.patched_at.set(LAST)


def _examples(s: NextWordState) -> None:
    prepared: dict[str, dict[Field[Any], Any]] = {
        gettext(name): {s.text: a, s.second: b, s.answer_a: one, s.answer_b: other}
        for name, (a, b, one, other) in PAIRS.items()
    }
    resets: list[Field[Any]] = [s.cell, s.patched_at, s.written, s.tried]
    presets(_("Prompts"), prepared, resets=resets, width=round(WIDTH * layout.scale()))


def _expected(model: str, a: str, b: str) -> tuple[Expectation, Expectation]:
    (one,), (other,) = (answers.expects(TextQuery(model, typed)) for typed in (a, b))
    return one, other


def _controls(s: NextWordState, model: str, expected: tuple[Expectation, Expectation]) -> Query:
    """What is exchanged, and which answers are compared."""
    by = select(
        s.patched, each(PATCHED), _("Exchanged"), width=round(WIDTH * layout.scale()), changed=s.uncell
    )
    a, b = s.text.get(), s.second.get()
    at: int | None = None
    if by == "head":
        chosen = select(
            s.patched_at,
            _positions(model, a, b),
            _("Where"),
            by_names=True,
            width=round(WIDTH * layout.scale()),
        )
        at = None if chosen == ALL else -1 if chosen == LAST else chosen - 1
    named = []
    for field, one, name in zip((s.answer_a, s.answer_b), expected, "AB", strict=True):
        likeliest = one.texts[0].strip(" ") or one.texts[0]
        text(
            field,
            _("{name}’s answer").format(name=name),
            default=spelled(likeliest),
            most=40,
            width=round(NARROW * layout.scale()),
        )
        named.append(field.get())
    by_what: By = "head" if by == "head" else "position"
    return Query(model, a, b, (named[0], named[1]), by_what, at)


def _comparable(model: str, a: str, b: str) -> bool:
    """Whether both prompts have equally many tokens, and others; if not, `Model.patch` says so."""
    loaded = model_cache.model(model)
    one, other = (loaded.read(typed).ids for typed in (a, b))
    return loaded.scratch_decoder is not None and len(one) == len(other) and one != other


def _unequal(model: str, a: str, b: str) -> bool:
    """Whether the prompts have different numbers of tokens, for a model that could compare them."""
    loaded = model_cache.model(model)
    return loaded.scratch_decoder is not None and len(loaded.read(a).ids) != len(loaded.read(b).ids)


def _offer_fitting(s: NextWordState, query: Query) -> None:
    """Say why no token can be exchanged for another, and offer a pair of prompts that fits."""
    try:
        computed.patching(query)
    except PolyseeError as error:
        st.info(of_error(error))
    a, b, one, other = _fitting(query) or PAIRS["Paris or Rome"]
    st.button(
        _("Compare “{a}” with “{b}”").format(a=plain(a), b=plain(b)),
        type="primary",
        on_click=_take_pair,
        args=(s, a, b, one, other),
    )


def _fitting(query: Query) -> tuple[str, str, str, str] | None:
    """Prompt A, and A with one word of B; and the answers to compare, "" for the likeliest."""
    loaded = model_cache.model(query.model)
    own = loaded.read(query.a).ids
    for typed in nearby.with_one_word(query.a, query.b):
        ids = loaded.read(typed).ids
        if len(ids) != len(own) or ids == own:
            continue
        expected = _expected(query.model, query.a, typed)
        if expected[0].ids[0] != expected[1].ids[0]:
            return query.a, typed, "", ""
        named, pair = _most_apart(query.model, expected)
        if pair is not None:
            return query.a, typed, named[pair[0]].strip(), named[pair[1]].strip()
    return None


def _take_pair(s: NextWordState, a: str, b: str, one: str, other: str) -> None:
    _other(s)
    s.text.set(a)
    s.second.set(b)
    _name(s, one, other)


def _most_apart(
    model: str, expected: tuple[Expectation, Expectation]
) -> tuple[dict[int, str], tuple[int, int] | None]:
    """The tokens by their ids, and the two words among them in which the prompts differ most."""
    named = {i: one for found in expected for i, one in zip(found.ids, found.texts, strict=True)}

    def is_word(token: int) -> bool:  # that the boxes for answers can hold
        word = named[token].strip()
        return word.isalpha() and model_cache.model(model).first_token(word) == (token, True)

    return named, most_apart(*expected, is_word)


def _propose(s: NextWordState, model: str, expected: tuple[Expectation, Expectation]) -> None:
    """Say that both prompts are answered the same, and offer the two words that differ most."""
    named, pair = _most_apart(model, expected)
    st.info(captions.same_answer(expected, pair))
    if pair is not None:
        one, other = (named[i].strip() for i in pair)
        st.button(
            _("Compare “{one}” and “{other}”").format(one=one, other=other),
            type="primary",
            on_click=_name,
            args=(s, one, other),
        )


def _name(s: NextWordState, one: str, other: str) -> None:
    s.answer_a.set(one)
    s.answer_b.set(other)


def _positions(model: str, a: str, b: str) -> dict[int, str]:
    """Where a head's output can be exchanged: the tokens from the first that differs on."""
    found = {LAST: _("at the last token"), ALL: _("at all tokens at once")}
    one, other = (model_cache.model(model).read(text) for text in (a, b))
    pairs = list(zip(one.ids, other.ids, strict=False))
    first = next((i for i, (x, y) in enumerate(pairs) if x != y), 0)
    names = pieces_of(one.texts[0], one.tokens, one.offsets)
    for i in range(first, min(len(pairs), first + MOST_PLACES)):
        found[i + 1] = _("at token {number}, {word}").format(
            number=i + 1, word=spelled(names[i].strip(" ") or names[i])
        )
    return found


def _matrix(
    s: NextWordState, query: Query, found: Patching, expected: tuple[Expectation, Expectation]
) -> None:
    """What the colours say, the words that differ, then the matrix."""
    st.markdown(captions.colours(found, expected))
    figure.show(patched_words(found), "patched words", scale=layout.scale())
    with st.container(key="next word picture"):  # the one that a class sees
        figure.show(
            _picture(s, found),
            "patching",
            on_cell=partial(_take, s, query, found.at, first=first_row(found)),
            saved_as=[files.csv(partial(_table, found), "patching")],
            scale=layout.scale(),
        )
    terms.caption(captions.ends(found), "patching")
    if found.by == "head":
        st.caption(_("Click a head to open it in *Heads*, on prompt A."))


def _picture(s: NextWordState, found: Patching) -> Picture:
    cell = _cell(s, found)
    first = first_row(found)
    chosen = None if cell is None or cell[1] < first else (cell[1] - first, cell[0])
    return patching(found, chosen=chosen, first=first)


def _cell(s: NextWordState, found: Patching) -> tuple[int, int] | None:
    """The depth and the position of the chosen run; None for none, or one of other prompts."""
    cell, (depths, tokens) = s.cell.get(), found.differences.shape
    if found.by == "head" or len(cell) != 2 or cell[0] >= depths or cell[1] >= tokens:
        return None
    return cell[0], cell[1]


def _take(s: NextWordState, query: Query, at: int | None, cell: figure.Cell, *, first: int = 0) -> None:
    """A click on a cell: the words of that run, or the head itself, at the token of the exchange.

    `first`: the token of the picture's first row.
    """
    if query.by == "position":
        s.cell.set((cell.column, cell.row + first))
        return
    where = {"m": query.model, "t": query.a, "l": str(cell.row + 1), "h": str(cell.column + 1)}
    _OPEN.set({**where, "r": "head"} | ({} if at is None else {"q": str(at + 1)}))


def _table(found: Patching) -> pd.DataFrame:
    return found.to_frame()


def _runs(
    s: NextWordState, query: Query, found: Patching, expected: tuple[Expectation, Expectation]
) -> None:
    """The ten likeliest words of the chosen run, beside those of A and B."""
    if found.by == "head":
        return
    cell = _cell(s, found)
    if cell is None:
        if s.cell.get():
            depths, tokens = found.differences.shape
            st.caption(
                _(
                    "The link asks for layer {layer} and token {token}, and there are {layers} layers "
                    "and {tokens} tokens: no run is shown."
                ).format(
                    layer=decimal(f"{s.cell.get()[0]:,}"),
                    token=decimal(f"{s.cell.get()[1] + 1:,}"),
                    layers=depths - 1,
                    tokens=tokens,
                )
            )
        st.caption(_("Click a cell to see what the model would say in that run."))
        return
    run = attempt(computed.patched, query, *cell)
    if run is None:
        return
    ends = model_cache.model(query.model).ends
    st.markdown(captions.cell(found, *cell))
    shown = {"A": expected[0], "patched": run, "B": expected[1]}
    for column, (name, one) in zip(st.columns(3), shown.items(), strict=True):
        with column:
            st.markdown(
                _(_("**B, patched**")) if name == "patched" else _("**After {name}**").format(name=name)
            )
            figure.show(_bars(one, name, ends), f"words {name}", scale=layout.scale())


def _bars(one: Expectation, name: str, ends: frozenset[int]) -> Picture:
    top = one.top(min(BARS, len(one.ids)), 1.0)
    return bars(
        top.probabilities,
        [gettext(ENDS) if i in ends else text for i, text in zip(top.ids, top.texts, strict=True)],
        unit=_("probability"),
        most=1.0,
        sentence=_("The {count} likeliest next tokens: {name}.").format(count=len(top.ids), name=name),
        name=f"words-{name.lower()}",
    )
