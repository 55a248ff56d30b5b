"""The text that a model learns: a ready one, a corpus, or the visitor's own."""

from __future__ import annotations

import string
from collections.abc import Callable
from functools import partial

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core import own_text
from core.corpus import python_docs, written
from core.errors import NotSupported, PolyseeError, SettingError
from core.localization import _, gettext
from core.memory import cached
from core.own_text.recipe import LEAST_TEXT, MOST_TEXT
from core.reading import File, passages, understand
from core.reading.understood import UPLOAD, Refused
from pages.training.own_text import captions
from pages.training.state import FIRST_TEXT, TrainingState
from ui import state, text
from ui.corpora import offered
from ui.models.session_models import OWN_TEXT

_TYPED = state.SessionValue("training own text", "")
_OPEN = state.SessionValue("training own text open", True)
_FOLDED = state.SessionValue("training own text folded", "")  # the run for which it was folded last
_REFUSED = state.SessionValue("training own text refused", "")  # why a file was not read
_CORPUS = "corpus-"
_PYTHON = "python"  # in the name; a link of the Corpus page calls it ""
_NAME = {*string.ascii_letters, *string.digits, *"_.-"}
_MOST_MB = 2
_BOX = 200  # pixels


def titles() -> dict[str, str]:
    """The texts to choose from, by their names in a link."""
    made = {name: gettext(one.title) for name, one in own_text.ready().items()}
    made = {FIRST_TEXT: made[FIRST_TEXT], **made}
    for name, title in _corpora().items():
        made[_CORPUS + name] = _("Corpus: {title}").format(title=title)
    return {OWN_TEXT: _("Your own text"), **made}


def _corpora() -> dict[str, str]:
    """The corpora of the Corpus page whose names can stand in a name of ours, with their titles."""
    try:
        every = offered.every()
    except PolyseeError:
        return {}
    return {name or _PYTHON: one.title for name, one in every.items() if {*name} <= _NAME}


def title_of(source: str) -> str:
    """What a text is called in a sentence and in a list."""
    if source == OWN_TEXT:
        return captions.own_title(_TYPED.get())
    name = source.removeprefix(_CORPUS)
    return _corpora()[name] if name != source else titles()[source]


def text_of(source: str) -> str:
    """The text by its name in a link.

    Raises:
        PolyseeError: a corpus cannot be read.
    """
    if source == OWN_TEXT:
        return _TYPED.get()
    if source in own_text.ready():
        return own_text.ready()[source].text
    name = source.removeprefix(_CORPUS)
    one = offered.every()["" if name == _PYTHON else name]
    if not offered.is_supplied(one):
        corpus, version = offered.opened(one)
        return _of_corpus((name, version), lambda: corpus.beginning(MOST_TEXT))
    module = python_docs if one.name == offered.DOCS else written
    return _of_corpus((name, ""), lambda: "\n".join(x["text"] for x in module.passages())[:MOST_TEXT])


@cached(key=lambda key, make: key, weigh=lambda made: 4 * len(made))
def _of_corpus(key: tuple[str, str], make: Callable[[], str]) -> str:
    return make()


def choose(s: TrainingState) -> str:
    """Draw the list of texts. Returns the name of the chosen one."""
    offered_texts = titles()
    if s.source.get() not in offered_texts:
        st.warning(captions.no_such_text(s.source.get()))
        s.source.set(FIRST_TEXT)
    return state.select(s.source, offered_texts, _("Text"), width=300, changed=partial(_changed, s))


def _changed(s: TrainingState) -> None:
    """Another text has its own model."""
    _OPEN.set(True)
    s.text_run.set("")


def is_missing() -> bool:
    """Whether there is no text of one's own yet: one may be on its way, with the click on Start."""
    return not _TYPED.get().strip()


def restore(learned: str) -> None:
    """Put the text of a restored run into the box, if there is none."""
    if not _TYPED.get():
        _TYPED.set(learned)


def fold_of(run: str) -> None:
    """Fold the boxes once for each run, so that what it writes stands higher; they open on demand."""
    if _FOLDED.get() != run:
        _FOLDED.set(run)
        _OPEN.set(False)


def boxes(changed: Callable[[], None]) -> None:
    """Draw the boxes for a text of one's own: to paste, or as a file.

    Args:
        changed: called when there is another text.
    """
    folded = state.fold(_OPEN, captions.folded(_TYPED.get()))
    if _OPEN.get():
        with folded:
            _boxes(changed)


def _boxes(changed: Callable[[], None]) -> None:
    left, right = st.columns([3, 2], gap="medium")
    with left:
        state.paragraph(
            _TYPED,
            _("Your text: paste it here"),
            height=_BOX,
            follows=True,  # a text that was pasted counts before the box is left
            changed=changed,
            most=2 * MOST_TEXT,
            placeholder=_("At least {least} letters: a story of yours, a song, your notes …").format(
                least=LEAST_TEXT
            ),
        )
    with right:
        state.upload(
            "training text file",
            _("… or take it from a file: plain text, Word, PDF, HTML, EPUB, Markdown"),
            endings=None,
            most_mb=_MOST_MB,
            take=_take,
        )
        if refused := _REFUSED.get():
            st.error(text.plain(refused))
        st.caption(captions.private())


def _take(file: UploadedFile) -> None:
    _REFUSED.set("")
    try:
        _TYPED.set(read(file.name, file.getvalue()))
    except PolyseeError as error:
        _REFUSED.set(gettext(str(error)))


def read(name: str, content: bytes) -> str:
    """The text of a file.

    Raises:
        SettingError: it is no text, or too long.
    """
    made: list[str] = []
    length = 0
    try:
        file = File(name, content=content)
        for one in passages(file, understand(file, limits=UPLOAD)):
            text_of_it = getattr(one, "text", "")
            length += len(text_of_it) + 1
            if length > MOST_TEXT:
                raise SettingError(captions.file_too_long())
            if text_of_it:
                made.append(text_of_it)
    except Refused as error:
        why = gettext(str(error)).rstrip(".")
        raise SettingError(_("This file cannot be read: {why}.").format(why=why)) from error
    except NotSupported as error:
        raise SettingError(str(error)) from error
    return "\n".join(made)
