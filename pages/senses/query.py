"""What the Senses page asks for: a word, and sentences of ours, typed, or out of a file."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from core.errors import PolyseeError
from core.examples import words as preset_words
from core.measures.senses.clusters import LEAST, MOST
from pages.senses.state import (
    CLUSTER,
    CLUSTERS,
    COLOUR,
    FILE,
    LABEL,
    LINES,
    OWN,
    PRESET,
    WORD,
    lines_of,
)
from ui import stored, text
from ui.models.sentence_files import MOST_FILE_BYTES, MOST_LINES, TYPES, Sentence, read, read_file

# Without a widget's life: the file stays while its visitor looks at another page.
_FILE, _REFUSED, _TYPED = "senses file read", "senses file refused", "senses typed before"
_EDITS = "senses editor is open"  # a visitor asked for it, by choosing sentences of their own


class _File(NamedTuple):
    """A file that was read. Its name is not in the link, nor is anything of it."""

    name: str
    sentences: tuple[Sentence, ...]
    said: str


def choose() -> tuple[str, tuple[Sentence, ...]]:
    """The boxes of the page. The word and the sentences, either of which may be empty."""
    called = {OWN: "typed or pasted", FILE: "a file of your own"}
    names = [OWN, FILE, *preset_words()]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Sentences",
            names,
            index=names.index(st.session_state[PRESET.key]),
            key=PRESET.key,
            format_func=lambda name: called.get(name, f"ours about “{name}”"),
            on_change=_take,
            width=230,
        )
        st.text_input("Word", key=WORD.key, width=200)
        _choose_colours()
    word = str(st.session_state[WORD.key]).strip()
    if st.session_state[PRESET.key] == FILE:
        return word, _upload()
    edits = bool(st.session_state.get(_EDITS)) and st.session_state[PRESET.key] == OWN
    with st.expander("The sentences, one a line: label | sentence", expanded=edits):
        st.text_area(
            "Sentences, one a line",
            key=LINES.key,
            height=260,
            max_chars=MOST_FILE_BYTES,
            on_change=_typed,
            label_visibility="collapsed",
        )
    return word, read(str(st.session_state[LINES.key]))


def _choose_colours() -> None:
    """What the points are coloured by, and how many clusters to look for."""
    st.selectbox(
        "Colours",
        [LABEL, CLUSTER],
        index=[LABEL, CLUSTER].index(st.session_state[COLOUR.key]),
        key=COLOUR.key,
        format_func=lambda name: "by label" if name == LABEL else "by found cluster",
        width=180,
        help="Clusters are found among the vectors alone; no label is looked at.",
    )
    numbers = [0, *range(LEAST, MOST + 1)]
    if st.session_state[CLUSTERS.key] not in numbers:
        st.session_state[CLUSTERS.key] = 0
    if st.session_state[COLOUR.key] != CLUSTER:
        stored.hold(CLUSTERS)
        return
    stored.resume(CLUSTERS)
    st.selectbox(
        "How many",
        numbers,
        index=numbers.index(st.session_state[CLUSTERS.key]),
        key=CLUSTERS.key,
        format_func=lambda k: f"{k} clusters" if k else "as many as fit best",
        width=200,
    )


def _upload() -> tuple[Sentence, ...]:
    file: _File | None = st.session_state.get(_FILE)
    st.session_state[LINES.key] = LINES.default  # what was typed before is no part of this link
    with st.expander("The file", expanded=file is None):
        st.file_uploader(
            "Sentences, one a line; or a table with a column of them and, if you like, one of labels",
            type=list(TYPES),
            key="senses upload",
            on_change=_take_file,
            max_upload_size=MOST_FILE_BYTES // 10**6,
        )
        st.caption(
            f"At most {MOST_LINES:,} sentences and {MOST_FILE_BYTES // 10**6} MB. A header may name "
            "the columns, such as “text” and “label”; a line may also be “label | sentence”. The file "
            "stays in this visit: it is not stored, and not in the link, which carries the word and "
            "what you choose. Whoever opens the link brings the file again."
        )
    with st.container():  # always there, so that what stands below stays what it is
        if refused := st.session_state.get(_REFUSED):
            st.error(text.plain(refused))
    if file is None:
        return ()
    st.markdown(f"**{text.plain(file.name[:60])}**: {text.plain(file.said)}")
    return file.sentences


def _take() -> None:
    """Another set of sentences brings its word; what was typed waits while a file is shown."""
    name = st.session_state[PRESET.key]
    st.session_state[_EDITS] = name == OWN
    if name == FILE:
        st.session_state[_TYPED] = st.session_state.get(LINES.key, LINES.default)
    elif name == OWN:
        if _TYPED in st.session_state:
            st.session_state[LINES.key] = st.session_state.pop(_TYPED)
    else:
        st.session_state[WORD.key], st.session_state[LINES.key] = name, lines_of(name)


def _typed() -> None:
    st.session_state[PRESET.key], st.session_state[_EDITS] = OWN, True  # as it is, for it is open


def _take_file() -> None:
    """Read what was uploaded, or forget what was taken away."""
    st.session_state.pop(_FILE, None)
    st.session_state.pop(_REFUSED, None)
    file = st.session_state["senses upload"]
    if file is None:
        return
    try:
        sentences, said = read_file(file.name, file.getvalue())
    except PolyseeError as error:
        st.session_state[_REFUSED] = str(error)
    else:
        st.session_state[_FILE] = _File(file.name, sentences, said)
