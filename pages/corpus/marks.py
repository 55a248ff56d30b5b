"""Own marks on lines: which there are, what the groups say of them, and the file that keeps them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
import streamlit as st

from core.corpus import marking
from core.corpus.marking import Mark
from core.corpus.querying.concordance import Groups
from core.errors import PolyseeError
from core.localization import N_, _, gettext, ngettext
from core.measures.senses.marked import axis_against, clusters_against, on_the_other_side
from pages.corpus import captions, headings
from pages.corpus.state import CorpusState
from ui import files, state, text
from ui.corpora import marks as kept
from ui.corpora.lines import CachedWord
from ui.corpora.offered import Offered
from ui.models.attempt import attempt
from ui.page import terms
from ui.serving.files import File

MOST_NAMES = 12  # marks that are offered as buttons
MOST_ASTRAY = 5  # lines on the other side than their mark that are listed
NO_MARK = N_("no mark")


def of_lines(shown: Offered, word: CachedWord) -> list[str]:
    """(lines,): the mark of each line; "" for none, and for all if they cannot be read."""
    found = attempt(kept.of, shown) or {}
    return [found[place].mark if place in found else "" for place in word.places()]


def names_of(shown: Offered, word: CachedWord) -> list[str]:
    """The marks that this word has been given, the commonest first; one that was just typed also."""
    found = attempt(kept.of, shown) or {}
    own = Counter(one.mark for one in found.values() if one.word == word.lines.word)
    return [name for name, _ in own.most_common(MOST_NAMES)]


def draw_line(
    s: CorpusState, shown: Offered, word: CachedWord, line: int, in_order: Callable[[], Sequence[int]]
) -> None:
    """Buttons that mark the chosen line, and a box for a new mark.

    Args:
        s: the choices.
        shown: the corpus.
        word: the word.
        line: the chosen line.
        in_order: returns the lines as the picture sorts them.
    """
    names, now = names_of(shown, word), of_lines(shown, word)[line]
    none = gettext(NO_MARK)

    def take(name: str) -> None:
        if not _set(shown, word, [line], "" if name == none else name) or not s.marks_go_on.get():
            return
        if following := _next(in_order(), of_lines(shown, word), line):
            s.line.set(following)

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if names:
            label = _("Your mark on this line: {mark}").format(mark=now) if now else _("Mark this line")
            offered = [name for name in (*names, none) if name != (now or none)]
            state.offer("corpus mark", offered, text.plain(label), take)
        with st.form("corpus new mark", border=False, clear_on_submit=True, width=330):
            box, button = st.columns([3, 2], vertical_alignment="bottom")
            typed = box.text_input(
                _("A new mark") if names else _("Mark this line"),
                max_chars=marking.MOST_MARK,
                placeholder=_("its sense, in a word"),
            )
            if button.form_submit_button(_("Mark")) and marking.cleaned(typed):
                take(typed)
                st.rerun()
        if len(word.lines) > 1:
            state.toggle(
                s.marks_go_on,
                _("Then the next line"),
                about=_("After each mark, the next line without one is chosen, in the order above."),
            )


def _next(in_order: Sequence[int], marks: Sequence[str], line: int) -> int | None:
    """The number, from 1, of the first line behind one that has no mark; None if all have."""
    at = in_order.index(line) if line in in_order else -1
    behind = (*in_order[at + 1 :], *in_order[: max(at, 0)])
    return next((one + 1 for one in behind if not marks[one]), None)


def draw(s: CorpusState, shown: Offered, word: CachedWord, groups: Groups) -> None:
    """What the groups say of the marks, and the marks as a file to be kept or brought back."""
    marks = of_lines(shown, word)
    count = sum(map(bool, marks))
    st.markdown(captions.marked(count, len(marks), kept=kept.are_kept()))
    if count and groups.kind not in ("marks", "all"):
        _measure(s, word, marks, groups)
    every = attempt(kept.of, shown) or {}
    if groups.kind != "marks" and count < len(marks) and len(groups.names) > 1:
        _mark_groups(shown, word, groups, marks)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if every:
            name = "polysee-marks.tsv"
            files.button(
                File(_("Marks (TSV)"), name, lambda: marking.written(every), _("all of this corpus"))
            )
        count = kept.can_undo(shown)
        said = ngettext("Undo ({count} mark)", "Undo ({count} marks)", count).format(
            count=captions.count_of(count)
        )
        # Why it failed stays on the page.
        if count and st.button(said, key="corpus marks undo") and attempt(_undone, shown):
            st.rerun()
        with st.popover(_("Bring marks back")):
            sent = st.file_uploader(
                _("A file of marks of this corpus"), type=["tsv"], key="corpus marks file"
            )
            if sent is not None and st.button(_("Add these marks"), key="corpus marks add"):
                _bring(shown, sent.getvalue())


def _undone(shown: Offered) -> bool:
    kept.undo(shown)
    return True


def _measure(s: CorpusState, word: CachedWord, marks: Sequence[str], groups: Groups) -> None:
    if groups.coordinate is not None:
        on_axis = axis_against(marks, groups.coordinate)
        if on_axis is None:
            st.caption(
                _("Mark lines of two senses, and the axis between them is measured against these.")
            )
        else:
            st.markdown(captions.axis_marked(on_axis, groups.names, sum(map(bool, marks))))
            _astray(s, word, marks, on_the_other_side(marks, groups.coordinate, on_axis))
        return
    found = clusters_against(marks, groups.of, len(groups.names))
    if found is None:
        st.caption(
            _(
                "Give lines two different marks, and the groups are measured against them. In the "
                "order *shuffled*, above, the lines that you mark one after the other are a fair "
                "sample."
            )
        )
        return
    st.markdown(captions.clusters_marked(found))
    headings.draw(
        pd.DataFrame(
            {
                "mark": found.labels,
                **dict(zip(groups.labels, zip(*found.counts, strict=True), strict=True)),
            }
        ),
        width="content",
        as_they_are=groups.labels,
    )
    terms.caption(
        _(
            "The adjusted Rand index (Hubert and Arabie 1985) compares pairs of lines: 1 if the "
            "clusters are your marks, about 0 if they have nothing to do with them."
        ),
        "corpus marks",
    )


def _astray(
    s: CorpusState, word: CachedWord, marks: Sequence[str], lines: npt.NDArray[np.int64]
) -> None:
    """Some lines on the other side than their mark, each to be opened."""
    if not len(lines):
        return
    st.markdown(captions.astray(len(lines)))
    some = lines[:MOST_ASTRAY]
    st.markdown(
        "\n".join(
            _("- line {number}, marked *{mark}*: {line}").format(
                number=i + 1, mark=text.plain(marks[i]), line=captions.around(*parts)
            )
            for i, parts in zip(some.tolist(), word.lines.parts(some), strict=True)
        )
    )
    numbers = {_("line {number}").format(number=i + 1): i + 1 for i in some.tolist()}
    state.offer("corpus astray", [*numbers], _("Open"), lambda name: s.line.set(numbers[name]))


def _mark_groups(shown: Offered, word: CachedWord, groups: Groups, marks: Sequence[str]) -> None:
    """One mark for all lines of a group that have none: a beginning, to be corrected line by line."""
    with st.popover(_("Mark a whole group")), st.form("corpus mark group", border=False):
        group = st.selectbox(
            _("Lines of"), groups.labels, key="corpus mark group of", placeholder=_("choose")
        )
        name = st.text_input(_("Mark"), key="corpus mark group name", max_chars=marking.MOST_MARK)
        if st.form_submit_button(_("Mark those without a mark")) and marking.cleaned(name):
            number = groups.labels.index(group)
            own = [i for i, one in enumerate(groups.of.tolist()) if one == number and not marks[i]]
            if _set(shown, word, own, name):
                st.rerun()


def _set(shown: Offered, word: CachedWord, of: Sequence[int], name: str) -> bool:
    places, texts = word.places(), word.lines.texts_in_order
    try:
        kept.change(shown, [(places[i], Mark(name, word.lines.word, texts[i])) for i in of])
    except PolyseeError as error:
        st.error(text.of_error(error))
        return False
    return True


def _bring(shown: Offered, sent: bytes) -> None:
    try:
        found = marking.parsed(sent.decode("utf-8-sig"))
        if not found:
            raise ValueError(_("the file has none."))
        kept.refuse_other_corpus(shown, found)
        kept.change(shown, [*found.items()])
    except UnicodeDecodeError:
        st.error(_("These are no marks of a corpus: the file is no text in UTF-8."))
        return
    except (ValueError, PolyseeError) as error:
        why = text.of_error(error) if isinstance(error, PolyseeError) else text.plain(str(error)[:200])
        st.error(_("These are no marks of a corpus: {why}").format(why=why))
        return
    st.rerun()
