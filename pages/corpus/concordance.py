"""The lines of the word, and below them the chosen one, which opens other pages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from core.corpus.querying.concordance import Groups
from core.errors import PolyseeError
from core.figures import Group, Picture, concordance, groups_of
from core.figures.concordance import order
from core.localization import _, gettext
from core.records.finding import occurrence_spans
from core.records.words import name_of
from pages.corpus import captions, marks, tables
from pages.corpus.state import DENSITY, CorpusState
from ui import figure, layout, page, state
from ui.corpora import offered, served, surprise
from ui.corpora.lines import CachedWord
from ui.corpora.offered import Offered
from ui.models import answers, pictures
from ui.models.attempt import say_special
from ui.models.unknown_words import unknown_note
from ui.page import terms
from ui.text import clipped

MOST_NAME = 30  # letters of a group's name


def draw(s: CorpusState, shown: Offered, word: CachedWord, groups: Groups) -> None:
    """The picture of all lines."""
    picture = picture_of(word, groups).choosing(chosen(s, word, groups))

    def take(sent: Mapping[str, Any]) -> None:
        s.sort.set(sent["sort"])
        s.sorted_by.set(sent["column"] + 1)
        s.group.set(0 if sent["group"] is None else min(sent["group"] + 1, s.group.most))
        s.line.set(0 if sent["chosen"] is None else sent["chosen"] + 1)

    own = marks.of_lines(shown, word)
    table = partial(tables.concordance_table, word, groups, dict(picture.state), own)
    figure.show(
        picture,
        "concordance",
        on_state=take,
        saved_as=[*tables.both(table, "concordance"), tables.document(word, table)],
        scale=layout.scale(),
    )
    if note := unknown_note(word.unknown()):
        st.warning(note)


def about(shown: Offered) -> None:
    """Who wrote the texts of a supplied corpus; nothing for another."""
    if offered.is_supplied(shown):
        terms.caption(gettext(offered.SUPPLIED[shown.name].about), "concordance")


def count(s: CorpusState, word: CachedWord, groups: Groups) -> None:
    """How many lines and groups there are, and how far apart."""
    k = captions.DENSE if s.grouping.get() == DENSITY else s.clusters.get()
    counted = captions.counted(word, groups, k)
    if (found := word.separation(groups)) is not None:
        counted = f"{counted} {captions.separated(found, len(groups.names))}"
    terms.caption(counted, "concordance")


def chosen(s: CorpusState, word: CachedWord, groups: Groups) -> dict[str, Any]:
    """The choices in the picture, as the link has them."""
    line, group = s.line.get(), s.group.get()
    return {
        "sort": s.sort.get(),
        "column": s.sorted_by.get() - 1,
        "group": group - 1 if 0 < group <= len(groups.names) else None,
        "chosen": line - 1 if 0 < line <= len(word.lines) else None,
    }


def looks(groups: Groups) -> tuple[Group, ...]:
    """The colour and the mark of each group, with its name."""
    return groups_of([clipped(name, MOST_NAME) for name in groups.labels])


def picture_of(word: CachedWord, groups: Groups) -> Picture:
    """The picture, made once for a word and its groups."""
    lines, axis = word.lines, groups.kind == "axis"
    bits = surprise.kept(word)
    key = (
        "concordance",
        word.query,
        groups.digest,
        served.address(word.query),
        bits is not None,
    )

    def make() -> Picture:
        numbers = lines.sentences
        place = {number: i for i, number in enumerate(lines.texts)}
        return concordance(
            [*lines.texts.values()],
            np.array([place[number] for number in numbers]),
            lines.spans,
            looks(groups),
            groups.of,
            groups.distance,
            words=groups.words,
            numbers=groups.coordinate if axis else None,
            number_name=_("between the two senses") if axis else "",
            columns={
                tables.shown_name(name): values for name, values in tables.sorting_columns(word).items()
            },
            similar=served.address(word.query),
            sentence=_("{count} occurrences of the word in {groups} groups.").format(
                count=captions.count_of(len(lines)), groups=len(groups.names)
            ),
            name="concordance",
        )

    return pictures.once(key, make)


def draw_line(s: CorpusState, shown: Offered, word: CachedWord, groups: Groups) -> int:
    """The chosen line, or the most typical one, with links to other pages; returns its number."""
    lines = word.lines
    line: int | None = chosen(s, word, groups)["chosen"]
    if line is None:
        group = max(0, s.group.get() - 1)
        group = group if group < len(groups.names) and (groups.of == group).any() else int(groups.of[0])
        line = int(groups.typical(group)[0])
        st.markdown(
            _("**The most typical line.** Click another one, or press Enter on it.")
            if len(lines) > 1
            else _("**The line**")
        )
    else:
        st.markdown(_("**The chosen line**"))
    ((before, middle, after),) = lines.parts(np.array([line]))
    own = captions.line(before, middle, after)
    if s.around.get():
        earlier, later = word.around(line)
        own = captions.with_context(earlier, own, later)
    st.markdown(f"> {own}")
    st.caption(captions.facts(line, lines, groups, tuple(word.corpus.manifest.columns)))
    say_special(word.corpus.manifest.model, _place(word, line)[0], _("This line"))
    with layout.row("content"):
        _heads(word, line)
        for group, label in enumerate(groups.labels):
            if group != groups.left_over and group != groups.of[line] and (groups.of == group).any():
                _compare(word, line, int(groups.typical(group)[0]), label)
    state.toggle(
        s.around,
        _("With the sentences around it"),
        about=_("The two before and after it in its file"),
    )
    marks.draw_line(s, shown, word, line, partial(_in_order, s, word, groups))
    return line


def _in_order(s: CorpusState, word: CachedWord, groups: Groups) -> list[int]:
    """The numbers of the lines as the picture sorts them, those of the chosen group if there is one."""
    state = chosen(s, word, groups)
    columns = tables.sorting_columns(word)
    line = state["chosen"]
    found: list[int] = order(
        state,
        group_of=groups.of,
        distance=groups.distance,
        contexts=[(before, after) for before, _, after in word.lines.parts()],
        columns=[*columns.values()],
        similarity=None if line is None else word.similarities(line),
    ).tolist()
    return found


def _heads(word: CachedWord, line: int) -> None:
    """A link that opens Heads on the line, with the word chosen if the model reads as far."""
    text, own, number = _place(word, line)
    query: dict[str, object] = {"t": text, "m": word.corpus.manifest.model}
    try:
        trace = answers.trace(word.corpus.manifest.model, text)
        query["x"] = int(trace.find(own, number - 1)[0]) + 1
    except (PolyseeError, IndexError):
        pass  # the page opens on the sentence alone, and says what its model lacks
    page.down(_("Open in Heads"), "heads", query, about=_("The attention in this sentence"))


def _compare(word: CachedWord, line: int, other: int, name: str) -> None:
    """A link that opens Compare on the line and another one."""
    (a, own, number), (b, own_b, number_b) = _place(word, line), _place(word, other)
    query = {
        "a": a,
        "b": b,
        "w": own,
        **({"w2": own_b} if own_b != own else {}),
        "o": number,
        "o2": number_b,
        "m": word.corpus.manifest.model,
    }
    page.down(
        _("Compare with {group}").format(group=clipped(name, MOST_NAME)),
        "compare",
        query,
        about=_("With its most typical line"),
    )


def _place(word: CachedWord, line: int) -> tuple[str, str, int]:
    """The sentence of a line, its word there, and the number of its occurrence in it, from 1."""
    lines = word.lines
    row = lines.rows.slice(line, 1).to_pylist()[0]
    text = lines.texts[row["sentence"]]
    own = name_of(text[row["start"] : row["end"]], word.corpus.manifest.cased)
    spans = occurrence_spans(text, own, spelling=word.corpus.spelling)
    before = [start for start, _ in spans if start < row["start"]]
    return text, own, len(before) + 1
