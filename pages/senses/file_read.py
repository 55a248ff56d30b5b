"""How a visitor's sentences were read, with the first rows and what was left out; and controls."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pandas as pd
import streamlit as st

from core.localization import _, decimal, each, gettext, ngettext, pgettext
from core.reading import Choices, Collected, Understood, describe, encodings
from core.reading.tables import delimited
from pages.senses.state import NO, NONE, ONE, RUNNING, YES, SensesState
from ui import state
from ui.text import plain

_CELL = 160  # characters of a cell that are shown
_PLACES = 4  # places that are named for each reason
_REASONS = 8
_WIDTH = 190


def counted(found: Collected) -> str:
    """How many sentences there are, and how much was left out (Markdown)."""
    many = ngettext("{count} sentence", "{count} sentences", len(found.sentences))
    said = [
        _("{sentences} in {units}").format(
            sentences=many.format(count=_n(len(found.sentences))),
            units=describe.many_units(found.understood, found.units),
        )
    ]
    if found.skipped_count:
        said.append(_("**{count} left out**").format(count=_n(found.skipped_count)))
    return ", ".join(said) + "."


def draw(s: SensesState, name: str, found: Collected) -> None:
    """How a file was read, and the controls to read it otherwise."""
    st.markdown(f"**{plain(name[:60])}**: {counted(found)}")
    understood = found.understood
    notable = bool(found.skipped_count) or (
        "encoding" in understood.guessed and understood.encoding != "utf-8"
    )
    with st.expander(
        _("Read as: {how}").format(how=plain(describe.summary(understood))), expanded=notable
    ):
        controls(s, understood)
        st.dataframe(_preview(found), hide_index=True, width="stretch")
        if found.skipped:
            st.markdown(_left_out(found))


def controls(s: SensesState, found: Understood | None) -> None:
    """The controls that say how to read a file; after a refusal, those that may help."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if found is None or found.encoding:
            every = each(encodings.NAMES)
            guess = every.get(found.encoding, found.encoding) if found else ""
            _select(s.encoding, every, _("Encoding"), guess, width=_WIDTH + 110)
        if found is None or found.format in ("text", "delimited"):
            names = {name: gettext(name) for name in delimited.DELIMITERS.values()}
            names |= {NONE: _("no table")}
            sign = found.dialect.delimiter if found and found.dialect else ""
            guess = names[delimited.DELIMITERS.get(sign, NONE)] if found else ""
            _select(s.delimiter, names, _("Between columns"), guess, width=_WIDTH, changed=s_columns(s))
        if found is not None and found.header is not None and not _marked(found):
            names = {YES: _("column names"), NO: _("no header")}
            guess = names[YES if found.header else NO]
            _select(s.header, names, _("First row"), guess, width=_WIDTH + 10, changed=s_columns(s))
        if found is not None and found.columns and not _marked(found):
            columns = {column: column for column in found.columns}
            _select(s.texts, columns, _("Texts"), found.text, width=_WIDTH)
            none = pgettext("of a table", "none")
            labels = {NONE: none, **{one: one for one in found.columns if one != found.text}}
            _select(s.labels, labels, _("Labels"), found.label or none, width=_WIDTH)
        if found is None or found.format != "conllu":
            unit = describe.unit(found) if found else _("line")
            units_of(s, unit, running=found.running if found else None)


def units_of(s: SensesState, unit: str, *, running: bool | None) -> None:
    """Whether a line is a sentence, or part of running text."""
    names = {ONE: _("one sentence"), RUNNING: _("running text")}
    guess = "" if running is None else names[RUNNING if running else ONE]
    _select(s.units, names, _("Each {unit} is").format(unit=unit), guess, width=_WIDTH)


def s_columns(s: SensesState) -> Callable[[], None]:
    """Forget the columns of a table that is read otherwise."""

    def forget() -> None:
        s.texts.set("")
        s.labels.set("")

    return forget


def _select(
    chosen: state.Field[str],
    options: Mapping[str, str],
    label: str,
    guess: str,
    *,
    width: int,
    changed: Callable[[], None] | None = None,
) -> None:
    guessed = _("{guess} (guessed)").format(guess=guess) if guess else _("guessed")
    value = chosen.get()
    names = {"": guessed if not value else _("guess"), **options}
    if value and value not in names:
        names[value] = value
    state.select(chosen, names, label, by_names=True, width=width, changed=changed)


def _marked(found: Understood) -> bool:
    return found.dialect is not None and found.dialect.marked


def _preview(found: Collected) -> pd.DataFrame:
    """The first rows as they stand in the file; of other texts, the first sentences."""
    understood = found.understood
    if understood.columns and not _marked(understood):
        roles = {understood.text: _("texts"), understood.label: _("labels")}
        rows = [{**one.columns, understood.text: one.text} for one in found.preview]
        return pd.DataFrame(
            {
                f"{name} ({roles[name]})" if name in roles else name: [
                    _short(row.get(name)) for row in rows
                ]
                for name in understood.columns[:30]
            }
        )
    few = found.sentences[: len(found.preview)]
    label, sentence = _("label"), _("sentence")
    table = {label: [one.label for one in few], sentence: [_short(one.text) for one in few]}
    return pd.DataFrame(table if any(table[label]) else {sentence: table[sentence]})


def _short(cell: object) -> str:
    text = "" if cell is None else " ".join(str(cell).split())
    return text if len(text) <= _CELL else text[:_CELL] + "…"


def _left_out(found: Collected) -> str:
    lines = [_("Left out:")]
    reasons = describe.reasons(found.skipped)
    for why, places in reasons[:_REASONS]:
        at = ", ".join(place for place in places[:_PLACES] if place)
        more = ""
        if len(places) > _PLACES:
            more = _(" and {count} more").format(count=_n(len(places) - _PLACES))
        lines.append(f"- {plain(gettext(why))}{f' ({plain(at)}{more})' if at else ''}")
    if len(reasons) > _REASONS:
        lines.append(_("- {count} more reasons").format(count=_n(len(reasons) - _REASONS)))
    return "\n".join(lines)


def _n(count: int) -> str:
    """A whole number."""
    return decimal(f"{count:,}")


def chosen(choices: Choices) -> bool:
    """Whether a visitor has said anything."""
    return choices != Choices()
