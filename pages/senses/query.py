"""The query of the Senses page: a word, and sentences: ours, typed, or from a file."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.errors import PolyseeError
from core.examples import words as preset_words
from core.measures.senses.clusters import LEAST, MOST
from pages.senses.state import CLUSTER, COLOURS, FILE, OWN, SensesState, lines_of
from ui import state
from ui.models.sentence_files import MOST_FILE_BYTES, MOST_LINES, TYPES, Sentence, read, read_file
from ui.text import plain


class _File(NamedTuple):
    """An uploaded file. The link contains neither its name nor its content."""

    name: str
    sentences: tuple[Sentence, ...]
    note: str


# The file stays while its visitor is on another page.
_FILE = state.SessionValue[_File | None]("senses file read", None)
_REFUSED = state.SessionValue("senses file refused", "")
_TYPED = state.SessionValue[str | None]("senses typed before", None)  # kept while a file is shown
# The visitor has chosen to type sentences.
_EDITS = state.SessionValue("senses editor is open", default=False)


def choose(s: SensesState) -> tuple[str, tuple[Sentence, ...]]:
    """Draw the boxes of the page. Returns the word and the sentences; either may be empty."""
    names = {OWN: "typed or pasted", FILE: "a file of your own"}
    names |= {word: f"ours about “{word}”" for word in preset_words()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        preset = state.select(s.preset, names, "Sentences", width=230, changed=partial(_take, s))
        word = state.text(s.word, "Word", width=200, follows=False).strip()
        _choose_colours(s)
    if preset == FILE:
        return word, _upload(s)
    with st.expander(
        "The sentences, one per line: label | sentence", expanded=_EDITS.get() and preset == OWN
    ):
        typed = state.paragraph(
            s.lines,
            "Sentences, one per line",
            height=260,
            most=MOST_FILE_BYTES,
            named=False,
            changed=partial(_typed, s),
        )
    return word, read(typed)


def _choose_colours(s: SensesState) -> None:
    """Choose the colours of the points, and the number of clusters."""
    about = "Clusters are found from the vectors alone, without the labels."
    if state.select(s.colour, COLOURS, "Colours", width=180, about=about) == CLUSTER:
        numbers = {0: "best number", **{k: f"{k} clusters" for k in range(LEAST, MOST + 1)}}
        state.select(s.clusters, numbers, "How many", width=200)


def _upload(s: SensesState) -> tuple[Sentence, ...]:
    file = _FILE.get()
    s.lines.set(s.lines.default)  # text typed before is not part of this link
    with st.expander("The file", expanded=file is None):
        state.upload(
            "senses upload",
            (
                "Sentences, one per line; or a table with a column of sentences and, "
                "optionally, one of labels"
            ),
            endings=TYPES,
            most_mb=MOST_FILE_BYTES // 10**6,
            take=_take_file,
            forget=_forget_file,
        )
        st.caption(
            f"At most {MOST_LINES:,} sentences and {MOST_FILE_BYTES // 10**6} MB. A header "
            "may name the columns, such as “text” and “label”; a line may also be “label | "
            "sentence”. The file stays in this session: Polysee does not store it, and the "
            "link does not contain it. The link carries the word and your choices, and "
            "whoever opens it has to supply the file again."
        )
    with st.container():  # always present, so that elements below keep their identity
        if refused := _REFUSED.get():
            st.error(plain(refused))
    if file is None:
        return ()
    st.markdown(f"**{plain(file.name[:60])}**: {plain(file.note)}")
    return file.sentences


def _take(s: SensesState) -> None:
    """Another set of sentences brings its word; typed sentences are kept while a file is shown."""
    name = s.preset.get()
    _EDITS.set(name == OWN)
    if name == FILE:
        _TYPED.set(s.lines.get())
    elif name == OWN:
        if (typed := _TYPED.take()) is not None:
            s.lines.set(typed)
    else:
        s.word.set(name)
        s.lines.set(lines_of(name))


def _typed(s: SensesState) -> None:
    s.preset.set(OWN)
    _EDITS.set(True)  # open it as it is


def _take_file(file: UploadedFile) -> None:
    """Read an uploaded file."""
    _forget_file()
    try:
        sentences, note = read_file(file.name, file.getvalue())
    except PolyseeError as error:
        _REFUSED.set(str(error))
    else:
        _FILE.set(_File(file.name, sentences, note))


def _forget_file() -> None:
    _FILE.set(None)
    _REFUSED.set("")
