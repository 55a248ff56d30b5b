"""An answer that was recorded, for as long as the model is being fetched or read, or cannot be had.

`python -m tools.recorded_answers` writes it: what the model of the page said of its own examples.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from core.figures import bars, shaded_text
from core.localization import _, decimal
from core.records.prediction import Prediction
from core.sentences import sentence
from pages.next_word import captions, hidden
from pages.next_word.shaded import BITS
from pages.next_word.state import MODEL_NAME, OPENING
from ui import figure, layout, text
from ui.models import model_cache, session_models
from ui.state import PRESENT

FILE = Path(__file__).parent / "recorded.json"


@dataclass(frozen=True)
class Recorded:
    """What a model said of a text.

    Attributes:
        text: the text.
        pieces: its tokens, as they stand in it.
        bits: the surprise of each; None for the first.
        ids, tokens, texts, shares: the ten likeliest next tokens, and their probabilities.
        others: how many tokens there are besides.
        entropy: bits, of the whole distribution.
        written: what the model wrote behind it, always the likeliest token.
    """

    text: str
    pieces: tuple[str, ...]
    bits: tuple[float | None, ...]
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    texts: tuple[str, ...]
    shares: tuple[float, ...]
    others: int
    entropy: float
    written: str

    @property
    def top(self) -> Prediction:
        """The ten likeliest tokens."""
        at = len(self.pieces) - 1, "next"
        return Prediction(*at, self.ids, self.tokens, self.texts, self.shares, self.entropy, 1.0)  # type: ignore[arg-type]


@cache
def answers() -> dict[str, Recorded]:
    """The recorded answers, by their texts."""
    rows = json.loads(FILE.read_text("utf-8"))
    found = (Recorded(**{name: _frozen(value) for name, value in one.items()}) for one in rows)
    return {one.text: one for one in found}


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def waiting(model: str) -> bool:
    """Whether the model would have to be loaded first."""
    return not session_models.is_own(model) and model_cache.if_loaded(model) is None


def show(typed: str) -> None:
    """Draw the recorded answer to a text; to the first example where this text has none."""
    own = answers().get(typed)
    one = own or answers()[OPENING]
    said = captions.headline(one.top, ends=frozenset(), before=one.text)
    about = (
        ""
        if own or not typed
        else _(" Of your text nothing was recorded; this is the answer to “{text}”.").format(
            text=text.plain(OPENING)
        )
    )
    if PRESENT.get():  # one picture is shown, with this line above it
        with st.container(key="presented line of the recorded"):
            until = _("(a recorded answer, until a model is here)")
            st.markdown(f"{text.plain(one.text)} … {said} {until}")
        _bars(one)
        return
    st.caption(
        _(
            "**A recorded answer** of {model}, shown for as long as no model is here to compute: "
            "its numbers are exact, but nothing can be changed.{about}"
        ).format(model=text.plain(model_cache.title(MODEL_NAME)), about=about)
    )
    st.markdown(f"#### {said}")
    figure.show(
        shaded_text(
            hidden.pieces(one.pieces),
            [float("nan") if bits is None else bits for bits in one.bits],
            most=BITS,
            unit=_("bits of surprise"),
            title=sentence("next-word.bits"),
            sentence=_("The text in {count} tokens, each shaded by its surprise in bits.").format(
                count=len(one.pieces)
            ),
            name="recorded-surprise",
        ),
        "recorded surprise",
        scale=layout.scale(),
    )
    _bars(one)
    tail = hidden.text(one.written).replace("\n", " ↵ ")
    st.caption(
        _("Always taking the likeliest, it wrote: … *{text}*").format(text=text.plain(tail.strip()))
    )


def _bars(one: Recorded) -> None:
    rest = max(0.0, 1 - sum(one.shares))
    figure.show(
        bars(
            [*one.shares, rest],
            [
                *hidden.shown(one.text, one.texts),
                _("{count} others").format(count=decimal(f"{one.others:,}")),
            ],
            unit=_("probability"),
            sentence=_("The ten likeliest next tokens, and all others, as they were recorded."),
            name="recorded-next-word",
        ),
        "recorded next word",
        scale=layout.scale(),
    )
