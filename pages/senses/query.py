"""The query of the Senses page: a word, and sentences: ours, typed, or from a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.errors import NotSupported
from core.examples import known_word
from core.examples import words as preset_words
from core.localization import _, decimal, each, ngettext
from core.measures.senses.clusters import LEAST, MOST
from core.measures.senses.shared_word import is_content
from core.reading import (
    Choices,
    Collected,
    File,
    Merged,
    Sentence,
    Understood,
    collect,
    describe,
    merge,
    pasted,
)
from core.reading.collect import MOST_BYTES, MOST_SENTENCES, NotRead, Typed
from core.records.words import split
from pages.senses import file_read
from pages.senses.state import CLUSTER, COLOURS, FILE, OWN, SensesState, lines_of
from ui import state
from ui.models import model_cache
from ui.page import leads
from ui.text import plain


class _Read(NamedTuple):
    """An uploaded file as it was read last: with these choices, its sentences or why there are none.

    Attributes:
        understood: what a file that is refused was taken for, if that is known.
        otherwise: whether a file that is refused may be read if somebody says how.
    """

    file: File
    choices: Choices
    found: Collected | None
    refused: str
    understood: Understood | None = None
    otherwise: bool = False


# The file stays while its visitor is on another page. The link has neither its name nor its content.
_FILE = state.SessionValue[File | None]("senses file", None)
_READ = state.SessionValue[_Read | None]("senses file read", None)
_PASTED = state.SessionValue[tuple[str, Choices, Typed] | None]("senses typed as read", None)
_MERGED = state.SessionValue[tuple[str, tuple[Sentence, ...], Merged] | None]("senses merged", None)
_TYPED = state.SessionValue[str | None]("senses typed before", None)  # kept while a file is shown
# The visitor has chosen to type sentences.
_EDITS = state.SessionValue("senses editor is open", default=False)


def missing(s: SensesState, word: str) -> str:
    """What is to be done while there is no word, or are no sentences; "" where that is said already."""
    if s.preset.get() != FILE:
        return _("Type a word, and some sentences that contain it, one per line.")
    if _FILE.get() is None:
        return _("Choose a file, and type the word that its sentences share.")
    return "" if word else _("Type the word that the sentences of the file share.")


def choose(s: SensesState) -> tuple[str, tuple[Sentence, ...]]:
    """Draw the boxes of the page. Returns the word and the sentences; either may be empty."""
    names = {OWN: _("typed or pasted"), FILE: _("a file of your own")}
    names |= {word: _("ours about “{word}”").format(word=word) for word in preset_words()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        preset = state.select(s.preset, names, _("Sentences"), width=230, changed=partial(_take, s))
        word = state.text(s.word, _("Word"), width=200, follows=False).strip()
        _choose_colours(s)
    if preset == FILE:
        return word, _upload(s)
    with st.expander(
        _("The sentences, one per line: label | sentence"), expanded=_EDITS.get() and preset == OWN
    ):
        typed = state.paragraph(
            s.lines,
            _("Sentences, one per line"),
            height=260,
            most=MOST_BYTES,
            named=False,
            changed=partial(_typed, s),
        )
        read = _pasted(typed, Choices(running=s.reading().running))
        if preset == OWN and (s.units.get() or read.understood is not None):
            understood = read.understood
            if understood is not None:
                st.caption(_("Read as: {how}.").format(how=plain(describe.summary(understood))))
            unit = _("line") if understood is None else describe.unit(understood)
            running = understood is not None and understood.running
            file_read.units_of(s, unit, running=running)
    return word, read.sentences


def in_all(texts: Sequence[str]) -> str:
    """The content word that stands in each of several texts; "" if there is none, or only one text.

    Of several, one whose senses are known comes first, then the longest.
    """
    first, *others = texts or [""]
    kept = {one.text.casefold() for one in split(first) if is_content(one.text)} if others else set()
    for text in others:
        kept &= {one.text.casefold() for one in split(text)}
        if not kept:
            return ""
    return max(sorted(kept), key=lambda one: (known_word(one) is not None, len(one)), default="")


def ways_on(s: SensesState, word: str, texts: Sequence[str]) -> None:
    """What to do about a word that no sentence here contains, one click each."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="senses ways on"):
        if there := in_all(texts):
            stands = _("“{word}” is in all of them: show it").format(word=plain(there))
            _way(stands, partial(s.word.set, there))
        folded, named = word.casefold(), _("“{word}”").format(word=plain(word))
        if folded in preset_words():
            _way(_("Our sentences about {word}").format(word=named), partial(_ours, s, folded))
        if s.preset.get() in preset_words():
            back = _("Back to “{word}”").format(word=s.preset.get())
            _way(back, partial(s.word.set, s.preset.get()))
        _way(_("Type sentences with {word}").format(word=named), partial(_of_ones_own, s))
        leads.down(_("Look up {word} in Corpus").format(word=named), "corpus", {"w": word})


def _way(label: str, take: Callable[[], None]) -> None:
    st.button(label, key=f"senses way {label}", on_click=take)


def _ours(s: SensesState, word: str) -> None:
    s.preset.set(word)
    _take(s)


def _of_ones_own(s: SensesState) -> None:
    s.lines.set("")
    _typed(s)


def _choose_colours(s: SensesState) -> None:
    """Choose the colours of the points, and the number of clusters."""
    about = _("Clusters are found from the vectors alone, without the labels.")
    if state.select(s.colour, each(COLOURS), _("Colours"), width=180, about=about) == CLUSTER:
        many = {
            k: ngettext("{count} cluster", "{count} clusters", k).format(count=k)
            for k in range(LEAST, MOST + 1)
        }
        state.select(s.clusters, {0: _("best number"), **many}, _("How many"), width=200)


def _pasted(text: str, choices: Choices) -> Typed:
    """What was typed as it is to be read; read again only if it has changed."""
    before = _PASTED.get()
    if before is not None and before[:2] == (text, choices):
        return before[2]
    made = pasted(text, choices)
    _PASTED.set((text, choices, made))
    return made


def merged(model: str, sentences: tuple[Sentence, ...]) -> Merged:
    """The sentences, each once, as the model reads them; merged again only if they have changed.

    Raises:
        PolyseeError: see `core.load`; NotSupported: there are too many sentences.
    """
    if len(sentences) > MOST_SENTENCES:
        said = _("This page takes at most {count} sentences. Leave some out.")
        raise NotSupported(said.format(count=decimal(f"{MOST_SENTENCES:,}")))
    before = _MERGED.get()
    if before is not None and before[0] == model and before[1] == sentences:
        return before[2]
    made = merge(sentences, model_cache.model(model).spelling)
    _MERGED.set((model, sentences, made))
    return made


def _upload(s: SensesState) -> tuple[Sentence, ...]:
    file = _FILE.get()
    s.lines.set(s.lines.default)  # text typed before is not part of this link
    with st.expander(_("The file"), expanded=file is None):
        state.upload(
            "senses upload",
            _(
                "A text, a document or a table: plain text, Word, PDF, HTML, EPUB, Markdown, "
                "subtitles, TEI, CoNLL-U, CSV, Excel, JSON, Parquet"
            ),
            endings=None,
            most_mb=MOST_BYTES // 10**6,
            take=partial(_take_file, s),
            forget=_forget_file,
        )
        st.caption(
            _(
                "At most {count} sentences and {size} MB. A table needs a column of texts, and may "
                "have one of labels; a line of plain text may be “label | sentence”. The file stays in "
                "this session: Polysee does not store it, and the link does not contain it. The link "
                "carries the word and your choices, and whoever opens it has to supply the file again."
            ).format(count=decimal(f"{MOST_SENTENCES:,}"), size=MOST_BYTES // 10**6)
        )
    read = None if file is None else _reading(file, s.reading())
    with st.container():  # always present, so that elements below keep their identity
        if read is not None and read.refused:
            st.error(plain(read.refused))
            if read.otherwise or file_read.chosen(read.choices):
                file_read.controls(s, read.understood)
    if read is None or read.found is None:
        return ()
    with st.container(key="senses file"):
        file_read.draw(s, read.file.name, read.found)
    return read.found.sentences


def _reading(file: File, choices: Choices) -> _Read:
    """The file as it is to be read; read again only if the choices have changed."""
    before = _READ.get()
    if before is not None and before.file is file and before.choices == choices:
        return before
    try:
        with st.spinner(_("Reading the file …")):
            made = _Read(file, choices, collect(file, choices), "")
    except NotRead as error:
        made = _Read(file, choices, None, str(error), error.understood, error.otherwise)
    _READ.set(made)
    return made


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


def _take_file(s: SensesState, file: UploadedFile) -> None:
    """Another file; the choices of a link hold for the first one."""
    if _FILE.get() is not None:
        s.forget_reading()
    _forget_file()
    _FILE.set(File(file.name, content=file.getvalue()))


def _forget_file() -> None:
    _FILE.set(None)
    _READ.set(None)
