"""Controls that pages share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar

import streamlit as st

from core import settings
from core.errors import PolyseeError
from core.examples import PRESETS
from core.figures import style
from core.pretrained import models
from core.trace import Trace
from ui import answers, permalink, shelf, text

P = ParamSpec("P")
T = TypeVar("T")
MODEL = permalink.Parameter("m", "model", "minilm")
_LAST_GOOD = "last good model"


def keep(key: str, value: object) -> None:
    """Set a control, if it is not so set: to set it anew would undo what a visitor does meanwhile."""
    if st.session_state.get(key) != value:
        st.session_state[key] = value


def attempt(ask: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
    """The answer, or None with the reason on the page, in one sentence."""
    try:
        return ask(*args, **kwargs)
    except PolyseeError as error:
        st.error(text.plain(str(error)))
        return None


def choose_model() -> str | None:
    """The model to show, chosen in the sidebar and loaded; the one before it where that fails.

    Returns:
        Its name, or None where no model could be loaded: the reason then stands on the page.
    """
    choices = attempt(models)
    if choices is None:
        return None
    offered = {choice.name: choice.title for choice in choices}
    any_id = settings.read().hub == "any"
    wanted = st.session_state.get(MODEL.key) or MODEL.default
    if wanted not in offered:
        if any_id:
            offered[wanted] = f"{wanted} (from the model hub)"
        else:
            st.warning(f"“{text.plain(wanted)}” is not offered here. Showing {MODEL.default}.")
            wanted = MODEL.default
    good = _load_one_of((wanted, st.session_state.get(_LAST_GOOD), MODEL.default))
    # Before the box is drawn: it then names what is shown, and the next run does not try again what
    # has just failed.
    keep(MODEL.key, good or wanted)
    st.sidebar.selectbox(
        "Model",
        list(offered),
        key=MODEL.key,
        format_func=lambda name: offered.get(name, name),
        accept_new_options=any_id,
        help="Type the id of a hub model to load it." if any_id else None,
    )
    return good


def _load_one_of(names: Sequence[str | None]) -> str | None:
    for name in dict.fromkeys(names):
        if name is not None and attempt(shelf.model, name) is not None:
            st.session_state[_LAST_GOOD] = name
            if name != names[0]:
                st.info(f"Going on with the model {text.plain(name)}.")
            return name
    return None


def trace(model: str, sentence: permalink.Parameter, name: str) -> Trace | None:
    """The trace of what is typed as sentence `name`, or None with the reason on the page."""
    typed = st.session_state[sentence.key]
    if not typed.strip():
        st.info(f"Sentence {name} is empty. Type one.")
        return None
    if len(typed.encode("utf-8", "replace")) > settings.MOST_TEXT_BYTES:
        st.error(f"Sentence {name} is larger than {settings.MOST_TEXT_BYTES // 1000} kB. Shorten it.")
        return None
    answer = attempt(answers.trace, model, typed)
    if answer is not None and answer.left_out:
        st.info(text.cut(name, typed, answer.left_out[0]))
    return answer


def choose_shared_word(word: permalink.Parameter, traces: Sequence[Trace]) -> str | None:
    """The word to compare, of those that stand in both sentences; None where there is none."""
    both: tuple[str, ...] = ()
    if len(traces) == 2:
        both = text.shared_words([text.known_words(trace) for trace in traces])
    if not both:
        st.selectbox("Word in both", (), key="no word", disabled=True, placeholder="none")
        if len(traces) == 2:
            st.info(
                "The two sentences share no word that the model knows. Write one word into both, for "
                "example “bank”."
            )
        return None
    wanted = str(st.session_state[word.key])
    if wanted not in both:
        # A link may say "Bank" to an uncased model; else the word of the opening, else the longest.
        same = [w for w in both if w.casefold() in (wanted.casefold(), word.default)]
        keep(word.key, (same or [max(both, key=len)])[0])
    chosen = str(st.selectbox("Word in both", both, key=word.key))
    if said := text.first_of([len(trace.find_all(chosen)) for trace in traces], chosen):
        st.caption(said)
    return chosen


def edit_senses(low: permalink.Parameter, high: permalink.Parameter) -> None:
    """The words at the two ends of the sense axis, folded away."""
    with st.popover("The two senses", width="stretch"):
        st.markdown(
            "The axis runs from the words of one sense to the words of the other. Separate them with "
            "commas; *name:* before them names the sense."
        )
        st.text_input("At −1", key=low.key)
        st.text_input("At +1", key=high.key)


def choose_preset(parameters: tuple[permalink.Parameter, ...]) -> None:
    """The prepared comparisons; choosing one sets these parameters: texts, word, senses."""

    def go() -> None:
        preset = next((p for p in PRESETS if p.label == st.session_state["preset"]), None)
        if preset is not None:
            state = {"a": preset.text_a, "b": preset.text_b, "w": preset.word}
            if preset.low is not None and preset.high is not None:
                state |= {"lo": text.typed_group(preset.low), "hi": text.typed_group(preset.high)}
            permalink.go(parameters, state)

    st.selectbox(
        "Examples",
        [preset.label for preset in PRESETS],
        index=None,
        key="preset",
        placeholder=f"{len(PRESETS)} to choose from",
        on_change=go,
    )


def look_for(text_a: str, text_b: str) -> str | None:
    """What to look for in these two texts, if they are a preset's."""
    return next((p.look_for for p in PRESETS if (p.text_a, p.text_b) == (text_a, text_b)), None)


def choose_depth(back: permalink.Parameter, n_layers: int) -> int:
    """How deep to look: 0 is the learned vector. In the link, counted back from the last layer."""
    last = n_layers + 1
    keep(back.key, min(st.session_state[back.key], last))
    chosen: int = st.select_slider(
        "After layer",
        range(last, -1, -1),
        key=back.key,
        format_func=lambda steps: style.depth_name(last - steps),
    )
    return last - chosen


def choose_head(
    layer: permalink.Parameter,
    head: permalink.Parameter,
    special: permalink.Parameter,
    shape: tuple[int, int],
) -> tuple[int, int, bool]:
    """Layer and head, from 0, and whether special tokens are shown: one row of controls."""
    left, middle, right = st.columns([5, 5, 3], vertical_alignment="bottom", gap="medium")
    chosen = []
    for place, name, parameter, most in (
        (left, "Layer", layer, shape[0]),
        (middle, "Head", head, shape[1]),
    ):
        # A link may come from a larger model.
        keep(parameter.key, min(st.session_state[parameter.key], most))
        chosen.append(place.select_slider(name, range(1, most + 1), key=parameter.key) - 1)
    shown = right.toggle("Show [CLS] and [SEP]", key=special.key)
    return chosen[0], chosen[1], shown
