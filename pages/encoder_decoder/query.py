"""The controls of the translation: the model, the sentence, and replacements for unknown words."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Mapping
from functools import cache, partial
from typing import TYPE_CHECKING

import streamlit as st

from core.errors import PolyseeError
from core.localization import N_, _, each, gettext, ngettext
from core.pretrained import models
from pages.encoder_decoder import published, translator, vocabulary
from pages.encoder_decoder.published import Published
from pages.encoder_decoder.state import DIRECTIONS, SHIPPED, TO_ENGLISH, TranslationState
from pages.encoder_decoder.translator import TranslationQuery
from ui import state, text
from ui.models import model_cache, session_models, trained_links
from ui.models.attempt import attempt
from ui.models.choice import LONGEST_NAME, any_id, loaded, say_instead, say_notes, try_again
from ui.state import Part

if TYPE_CHECKING:
    from core.tasks import TaskName, Trained

OURS = N_("the model that comes with Polysee")
_SHIPPED = {"to-french": SHIPPED, "to-english": TO_ENGLISH}
_JOIN = "\u200c\u200d"  # invisible characters inside words: one keeps letters apart, one joins emoji


def _replacing(unit: str, words: str, count: int, every: str) -> str:
    """What is to be done with words, or letters, that the model does not know."""
    said = (
        ngettext(
            "This small model does not know {words}. Replace the letter with one that it knows, or see "
            "all of them under *{all}*.",
            "This small model does not know {words}. Replace each with a letter that it knows, or see "
            "all of them under *{all}*.",
            count,
        )
        if unit == "letter"
        else ngettext(
            "This small model does not know {words}. Replace it with a word that it knows, or see all "
            "of them under *{all}*.",
            "This small model does not know {words}. Replace each with a word that it knows, or see "
            "all of them under *{all}*.",
            count,
        )
    )
    return said.format(words=words, all=every)


_CLICK = {
    "word": N_(
        "This small model was trained on sentences of these words alone. Click a word to add it to the "
        "end of the text."
    ),
    "letter": N_(
        "This small model was trained on sentences of these letters alone. Click a letter to add it to "
        "the end of the text."
    ),
}


def choose_model(s: TranslationState) -> str | None:
    """Choose the model that translates; the shipped one if another is gone."""
    offered = translator.names()
    wanted = shown = s.model.get()
    if any_id() and wanted not in offered and translator.is_published(wanted):
        offered[wanted] = _("{name} (from the model hub)").format(name=wanted)
    if not _loaded(wanted, offered):
        if session_models.is_own(wanted):
            trained_links.again(wanted)
        shown = SHIPPED
        if attempt(translator.model, shown) is None:
            return None
        say_instead(s.model, shown, gettext(OURS))
    if len(offered) > 1 or any_id():
        about = _("Type the id of an encoder–decoder on the hub to load it.") if any_id() else None
        with st.sidebar:
            listed = Part(s.model.key, lambda: shown, partial(_take, s))
            changed = partial(_changed, s)
            state.select(listed, offered, _("Model"), about=about, more=any_id(), changed=changed)
    return _directed(s, shown)


def _loaded(name: str, offered: Mapping[str, str]) -> bool:
    """Load the model; whether it is there. If not, the page says why."""
    if not translator.is_published(name):
        return attempt(translator.model, name) is not None
    # Of a model that is here, and no encoder–decoder, the page says that.
    known = {**{one.name: one.title for one in attempt(models) or ()}, **offered}
    if name not in known and not any_id():
        gone = _("There is no translator named “{name}” here.")
        st.error(gone.format(name=text.plain(name[:LONGEST_NAME])))
        return False
    there = loaded(name, known, published.model)
    if there:
        say_notes(name, model_cache.model)
    return there


def _take(s: TranslationState, name: str) -> None:
    s.model.set(name)
    try_again(name)


def _directed(s: TranslationState, name: str) -> str | None:
    """The shipped model for the chosen direction."""
    if name != SHIPPED:
        return name
    before = _SHIPPED[s.direction.get()]
    chosen = state.select(
        s.direction,
        each(DIRECTIONS),
        _("Direction"),
        style="segments",
        changed=partial(_turned, s, before),
    )
    own = _SHIPPED[chosen]
    return own if attempt(translator.model, own) is not None else None


def _turned(s: TranslationState, before: str) -> None:
    """Switch the direction: the output becomes the new input, if the other model knows its words."""
    name = _SHIPPED[s.direction.get()]
    try:
        written = translator.decoding(TranslationQuery(before, s.text.get())).words
        text, known = translator.trained(before).target.join(written), translator.trained(name)
    except PolyseeError:
        text, known = "", translator.trained(name)
    if not text or known.unknown(text):
        text = vocabulary.opening(known)
    # capitalised as the page opens with it, which need not be in a link
    s.translate(s.text.default if text == s.text.default.lower() else text)


def prose_of(name: str) -> str:
    """The variant of the page's words for a model: a visitor's own may write letters."""
    if name == SHIPPED or translator.is_published(name):
        return ""
    try:
        known = translator.model(name)
    except PolyseeError:
        return ""  # the shipped one takes its place
    return "letters" if vocabulary.sides(known).unit == "letter" else ""


def _changed(s: TranslationState) -> None:
    """Handle a change of model: the sentence stays if the new model can read it."""
    s.forget()
    if translator.is_published(s.model.get()):
        return  # the next run loads it, and says so
    try:
        known = translator.model(s.model.get())
    except PolyseeError:
        return  # the next run says so
    assert not isinstance(known, Published)
    if known.unknown(s.text.get()):
        s.translate(s.text.default)


def ask(s: TranslationState, name: str) -> str:
    """A box for the sentence."""
    known = translator.model(name)
    if (
        not isinstance(known, Published)
        and s.text.get() == s.text.default
        and known.recipe.task != "translation"
    ):
        s.translate(vocabulary.opening(known))
    called = vocabulary.sides(known)
    left, right = st.columns([2, 1], vertical_alignment="bottom", gap="small")
    with left:
        label = called.source.capitalize()
        typed = state.text(s.text, label, changed=s.forget)
    if isinstance(known, Published):
        expects = _("Some models, such as T5, expect the task first: “{example}”.")
        st.caption(expects.format(example=f"{published.TASK}I am a student"))
        return typed
    with right, st.container(horizontal=True, gap="small"):
        if called.direction is not None:
            st.button(
                _("New example"),
                key="translate another",
                on_click=_another,
                args=(s, known.recipe.task),
                help=_("A sentence of its small language that was not in the training data."),
            )
        _words(s, known)
    return typed


@cache
def _unseen(task: TaskName) -> tuple[str, ...]:
    from core.tasks import TASKS
    from core.tasks.languages.directions import DIRECTIONS

    direction, source = DIRECTIONS[task], TASKS[task].source
    assert source is not None
    return tuple(source.join(direction.read(one)) for one in direction.unseen(60))


def _another(s: TranslationState, task: TaskName) -> None:
    s.translate(random.choice([one for one in _unseen(task) if one != s.text.get()]))


def knows_all(s: TranslationState, name: str, typed: str) -> bool:
    """Whether the model knows every word; if not, list the unknown ones, and offer known ones."""
    known = translator.model(name)
    if isinstance(known, Published):  # it reads any text, in pieces
        return True
    unknown = known.unknown(typed)
    if not unknown:
        return True
    quoted = _("“{word}”")
    named = ", ".join(quoted.format(word=_short(word)) for word in unknown[: vocabulary.MOST_NAMED])
    more = len(unknown) - vocabulary.MOST_NAMED
    rest = _(" and {count} more").format(count=more) if more > 0 else ""
    unit = vocabulary.sides(known).unit
    st.info(_replacing(unit, f"{named}{rest}", len(unknown), _knows(known)))
    for i, (word, offers) in enumerate(vocabulary.offers(known, typed).items()):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"{_short(word)} →", width="content")
            for by in (*offers, ""):
                label, args = by or _("leave it out"), (s, name, word, by)
                st.button(label, key=f"offer {i} {by}", on_click=_replace, args=args)
    return False


def _replace(s: TranslationState, name: str, word: str, by: str) -> None:
    try:
        known = translator.trained(name)
    except PolyseeError:
        return
    s.translate(vocabulary.replaced(known, s.text.get(), word, by))


def _short(word: str) -> str:
    """A word for display; an invisible one gets a name, because it could reverse the text."""
    short = word if len(word) <= 30 else word[:29] + "…"
    return text.plain("".join(c if c.isprintable() or c in _JOIN else _called(c) for c in short))


def _called(sign: str) -> str:
    return unicodedata.name(sign, "a control sign").lower()


def _words(s: TranslationState, known: Trained) -> None:
    """All words that the model knows, at the box; a click adds one to the end of the sentence."""
    groups = vocabulary.groups(known.recipe.task) or {_("Its vocabulary"): known.words}
    unit = vocabulary.sides(known).unit
    with st.popover(_knows(known)):
        st.caption(gettext(_CLICK[unit]))
        for i, (group, members) in enumerate(groups.items()):
            state.offer(f"translate group {i}", members, gettext(group), partial(_append, s))


def _knows(known: Trained) -> str:
    """What a visitor must know before typing."""
    count = len(known.words)
    if vocabulary.sides(known).unit == "letter":
        return _("It knows only {count} letters").format(count=count)
    return _("It knows only {count} words").format(count=count)


def _append(s: TranslationState, word: str) -> None:
    s.translate(f"{s.text.get().rstrip()} {word}".strip())
