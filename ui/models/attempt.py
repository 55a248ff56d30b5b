"""A model's result, or an explanation on the page why there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar

import streamlit as st

from core import settings
from core.errors import PolyseeError
from core.records.trace import Trace
from core.sentences import sentence
from ui import text
from ui.models import answers, model_cache

P = ParamSpec("P")
T = TypeVar("T")


def attempt(ask: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
    """The result; or None, with the reason on the page in one sentence."""
    try:
        return ask(*args, **kwargs)
    except PolyseeError as error:
        st.error(text.of_error(error))
        return None


def attempt_trace(model: str, typed: str, name: str) -> Trace | None:
    """The trace of the text in the box `name`; or None, with the reason on the page."""
    answer = attempt(answers.trace, model, typed) if can_ask(typed, name) else None
    return answer if answer is not None and was_read(answer, typed, name) else None


def can_ask(typed: str, name: str) -> bool:
    """Whether the text in the box `name` can be traced; if not, the page says why."""
    if not typed.strip():
        st.info(sentence("text.empty", name=name))
        return False
    if len(typed.encode("utf-8", "replace")) > settings.MOST_TEXT_BYTES:
        st.error(sentence("text.large", name=name, size=str(settings.MOST_TEXT_BYTES // 1000)))
        return False
    return True


def say_special(model: str, typed: str, name: str) -> None:
    """Where the text in the box `name` spells out special tokens, say that they are read as such."""
    say_special_in_any(model, (typed,), name)


def say_special_in_any(model: str, texts: Sequence[str], name: str) -> None:
    """The same for several texts: what any of them spells out, in one sentence."""
    if model_cache.if_loaded(model) is not None and (found := answers.special_in(model, tuple(texts))):
        st.caption(text.special(name, found))


def was_read(answer: Trace, typed: str, name: str) -> bool:
    """Whether the model found any token; if not, or if the text was truncated, the page says so."""
    if all(answer.special):
        st.info(sentence("text.unreadable", name=name))
        return False
    if answer.left_out:
        early = model_cache.ends_early(answer.model)
        st.info(text.cut(name, typed, answer.left_out[0], memory=early))
    say_special(answer.model, typed, name)
    return True
