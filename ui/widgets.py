"""Controls that pages share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import streamlit as st

from core import settings
from core.errors import PolyseeError
from core.examples import PRESETS, Preset
from core.pretrained import models
from core.records.trace import Trace
from ui import permalink, text
from ui.models import answers, model_cache, session_models, trained_links

if TYPE_CHECKING:
    from core.pretrained import TextModel

P = ParamSpec("P")
T = TypeVar("T")
MODEL = permalink.Parameter("m", "model", "minilm", along=True)
_LAST_GOOD = "last good model"


def keep(key: str, value: object) -> None:
    """Set a control, if it is not so set: to set it anew would undo what a visitor does meanwhile.

    Args:
        key: its name.
        value: what it is to show.
    """
    if st.session_state.get(key) != value:
        st.session_state[key] = value


def attempt(ask: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
    """The answer, or None with the reason on the page, in one sentence."""
    try:
        return ask(*args, **kwargs)
    except PolyseeError as error:
        st.error(text.plain(str(error)))
        return None


def choose_model(
    changed: Callable[[], None] | None = None, *, load: Callable[[str], TextModel] = model_cache.model
) -> str | None:
    """The model to show, chosen in the sidebar and loaded; the one before it where that fails.

    Args:
        changed: called when a visitor takes another.
        load: `model_cache.reader` for a page that has a model read one text alone.

    Returns:
        Its name, or None where no model could be loaded: the reason then stands on the page.
    """
    choices = attempt(models)
    if choices is None:
        return None
    titles = {choice.name: choice.title for choice in choices} | session_models.own_titles()
    any_id = settings.read().hub == "any"
    wanted = offered(st.session_state.get(MODEL.key) or MODEL.default, titles, MODEL.default)
    if any_id and wanted not in titles:
        titles[wanted] = f"{wanted} (from the model hub)"
    # The progress of loading has a place that stays: what comes after it would be drawn anew, and lose
    # the keyboard, in the first run without it.
    with st.container():
        good = _load_one_of((wanted, st.session_state.get(_LAST_GOOD), MODEL.default), load)
    # Before the box is drawn: it then names what is shown, and the next run does not try again what
    # has just failed.
    shown = st.session_state[MODEL.key] = good or wanted
    named = list(dict.fromkeys([*titles, shown]))
    control = f"{MODEL.key} control"  # of another name, as in ui.state: a page need not draw it
    keep(control, shown)

    def taken() -> None:
        st.session_state[MODEL.key] = st.session_state[control]
        if changed is not None:
            changed()

    st.sidebar.selectbox(
        "Model",
        named,
        named.index(shown),
        key=control,
        format_func=lambda name: titles.get(name, name),
        accept_new_options=any_id,
        on_change=taken,
        help="Type the id of a hub model to load it." if any_id else None,
    )
    return good


def offered(wanted: str, titles: Mapping[str, str], default: str) -> str:
    """The model that is wanted, where it can be shown; else the default, with the reason on the page.

    Args:
        wanted: the model.
        titles: the models to choose from; any id of the hub may be chosen too, where settings allow it.
        default: what is shown in its place, "" for none.
    """
    if wanted in titles:
        return wanted
    if session_models.is_own(wanted):
        st.warning(session_models.GONE)
        trained_links.again(wanted)
        return default
    if settings.read().hub == "any":
        return wanted
    showing = f" Showing {model_cache.title(default)}." if default else ""
    st.warning(f"“{text.plain(wanted)}” is not offered here.{showing}")
    return default


def _load_one_of(names: Sequence[str | None], load: Callable[[str], TextModel]) -> str | None:
    for name in dict.fromkeys(names):
        if name is not None and attempt(load, name) is not None:
            st.session_state[_LAST_GOOD] = name
            if name != names[0]:
                st.info(f"Going on with the model {model_cache.titled(name)}.")
            return name
    return None


def trace(model: str, typed: str, name: str) -> Trace | None:
    """The trace of what is typed as `name`, or None with the reason on the page."""
    answer = attempt(answers.trace, model, typed) if fits(typed, name) else None
    return answer if answer is not None and reads(answer, typed, name) else None


def fits(typed: str, name: str) -> bool:
    """Whether what is typed as `name` may be asked; if not, the reason is on the page."""
    if not typed.strip():
        st.info(f"{name} is empty. Type one.")
        return False
    if len(typed.encode("utf-8", "replace")) > settings.MOST_TEXT_BYTES:
        st.error(f"{name} is larger than {settings.MOST_TEXT_BYTES // 1000} kB. Shorten it.")
        return False
    return True


def reads(answer: Trace, typed: str, name: str) -> bool:
    """Whether the model found anything in it; if not, and where it was cut, the page says so."""
    if all(answer.special):
        st.info(f"{name} holds nothing that the model reads. Type a word.")
        return False
    if answer.left_out:
        early = model_cache.ends_early(answer.model)
        st.info(text.cut(name, typed, answer.left_out[0], memory=early))
    return True


def choose_preset(
    parameters: tuple[permalink.Parameter, ...],
    texts: tuple[str, str],
    words: tuple[str, ...],
    *,
    width: int,
) -> None:
    """The prepared comparisons; choosing one sets these parameters: texts, word, senses.

    Args:
        parameters: what it sets.
        texts: what is on the page now, A and B.
        words: the words on the page now, if both are chosen.
        width: of the list, in pixels.
    """
    now = _preset(texts, (words[0], words[1])) if len(words) == 2 else None
    # Another example is another list: one that a browser still shows may answer late, with the old one.
    key = f"preset {now.label if now else ''}"
    keep(key, now.label if now else None)

    def go() -> None:
        preset = next((p for p in PRESETS if p.label == st.session_state[key]), None)
        # A list that has gone meanwhile says again what it began with.
        if preset is not None and preset != now:
            # The two senses are the word's own: they need not be said.
            permalink.go(parameters, {"a": preset.text_a, "b": preset.text_b, "w": preset.word})

    st.selectbox(
        "Examples",
        [preset.label for preset in PRESETS],
        index=PRESETS.index(now) if now else None,
        key=key,
        placeholder=f"{len(PRESETS)} to choose from",
        on_change=go,
        width=width,
    )


def look_for(texts: tuple[str, str], words: tuple[str, str]) -> str | None:
    """What to look for, if this is a preset as it stands: its texts and its word."""
    found = _preset(texts, words)
    return None if found is None else found.look_for


def _preset(texts: tuple[str, str], words: tuple[str, str]) -> Preset | None:
    asked = texts, words
    return next((p for p in PRESETS if ((p.text_a, p.text_b), (p.word, p.word)) == asked), None)
