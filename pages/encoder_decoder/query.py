"""What is to be translated: the model, the sentence, and words that are known in place of others."""

from __future__ import annotations

import random
import unicodedata
from functools import cache

import streamlit as st

from core.errors import PolyseeError
from pages.encoder_decoder import state, translator, vocabulary
from pages.encoder_decoder.state import TEXT, chosen
from ui import text, widgets
from ui.models import session_models, trained_links

_PILLS = "translate group"
_JOIN = "\u200c\u200d"  # keep letters apart, and make one picture of several: parts of words


def choose_model() -> str | None:
    """The model that translates; the one that comes with Polysee where another has gone."""
    offered = translator.names()
    wanted = str(chosen(translator.MODEL))
    if widgets.attempt(translator.model, wanted) is None:
        if session_models.is_own(wanted):
            trained_links.again(wanted)
        wanted = translator.SHIPPED
        if widgets.attempt(translator.model, wanted) is None:
            return None
    widgets.keep(translator.MODEL.key, wanted)
    if len(offered) == 1:
        state.hold(translator.MODEL.key)
    else:
        state.bring(translator.MODEL.key)
        st.sidebar.selectbox(
            "Model",
            [*offered],
            key=translator.MODEL.key,
            format_func=lambda name: offered.get(name, name),
            on_change=_changed,
        )
    return wanted


def prose_of(name: str) -> str:
    """Which words the page has for a model: a visitor's own may write letters and no French."""
    if name == translator.SHIPPED:
        return ""
    try:
        known = translator.model(name)
    except PolyseeError:
        return ""  # the one that comes with Polysee takes its place
    return "letters" if vocabulary.sides(known).unit == "letter" else ""


def _changed() -> None:
    """Another model: the sentence stays, if it can be read."""
    state.forget()
    try:
        known = translator.model(str(chosen(translator.MODEL)))
    except PolyseeError:
        return  # said when the page runs
    if known.unknown(str(chosen(TEXT))):
        put(TEXT.default)


def ask(name: str) -> str:
    """The sentence that is typed."""
    known = translator.model(name)
    if chosen(TEXT) == TEXT.default and known.recipe.task != "translation":
        put(vocabulary.opening(known))
    left, right = st.columns([5, 1], vertical_alignment="bottom", gap="small")
    label = vocabulary.sides(known).source.capitalize()
    left.text_input(label, key=TEXT.key, on_change=state.forget)
    if known.recipe.task == "translation":
        right.button(
            "Another one",
            key="translate another",
            on_click=_another,
            width="stretch",
            help="A sentence of its small language that training never showed.",
        )
    return str(chosen(TEXT))


@cache
def _unseen() -> tuple[str, ...]:
    from core.tasks.languages.translation import ENGLISH, unseen_sentences

    return tuple(ENGLISH.join(one.english) for one in unseen_sentences(60))


def _another() -> None:
    put(random.choice([one for one in _unseen() if one != chosen(TEXT)]))


def put(sentence: str) -> None:
    """Translate this one."""
    state.choose(TEXT, sentence)
    state.forget()


def knows_all(name: str, typed: str) -> bool:
    """Whether the model knows every word; if not, they are named, and known ones offered."""
    known = translator.model(name)
    unknown = known.unknown(typed)
    if not unknown:
        return True
    named = ", ".join(f"“{_short(word)}”" for word in unknown[: vocabulary.MOST_NAMED])
    more = len(unknown) - vocabulary.MOST_NAMED
    rest = f" and {more} more" if more > 0 else ""
    unit = vocabulary.sides(known).unit
    st.info(
        f"The model does not know {named}{rest}. Put a {unit} that it knows in its place, or choose "
        f"from all its {unit}s below."
    )
    for i, (word, offers) in enumerate(vocabulary.offers(known, typed).items()):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"{_short(word)} →", width="content")
            for by in (*offers, ""):
                label, args = by or "leave it out", (name, word, by)
                st.button(label, key=f"offer {i} {by}", on_click=_replace, args=args)
    return False


def _replace(name: str, word: str, by: str) -> None:
    try:
        known = translator.model(name)
    except PolyseeError:
        return
    put(vocabulary.replaced(known, str(chosen(TEXT)), word, by))


def _short(word: str) -> str:
    """Of a word that nobody sees, its name: what turns the line round would do so here as well."""
    short = word if len(word) <= 30 else word[:29] + "…"
    return text.plain("".join(c if c.isprintable() or c in _JOIN else _called(c) for c in short))


def _called(sign: str) -> str:
    return unicodedata.name(sign, "a control sign").lower()


def words(name: str) -> None:
    """All that it knows, each word to be put behind the sentence."""
    known = translator.model(name)
    groups = (
        vocabulary.groups() if known.recipe.task == "translation" else {"What it knows": known.words}
    )
    unit = vocabulary.sides(known).unit
    with st.expander(f"All {len(known.words)} {unit}s that it knows"):
        st.caption(f"A click puts a {unit} behind what is typed.")
        for i, (group, members) in enumerate(groups.items()):
            key = f"{_PILLS} {i}"
            st.pills(group, members, key=key, on_change=_append, args=(key,))


def _append(key: str) -> None:
    word = st.session_state[key]
    if word:
        put(f"{str(chosen(TEXT)).rstrip()} {word}".strip())
    st.session_state[key] = None
