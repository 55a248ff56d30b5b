"""The prepared comparisons: one word in two sentences, and what to look for in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.examples import CUE_FIRST, PRESETS, Preset
from core.localization import _, gettext
from pages.compare.state import CompareState
from ui import layout, sense_ends
from ui.models import model_cache
from ui.state import Field, presets

WIDTH = 262  # pixels: fits the name of an example, with the cross and the arrow beside it


def of(model: str | None) -> tuple[Preset, ...]:
    """The examples for a model: if it reads from left to right, those with the cue before the word."""
    causal = model is not None and model_cache.model(model).kind == "decoder"
    return CUE_FIRST if causal else PRESETS


def choose(s: CompareState, words: Sequence[str], model: str | None) -> None:
    """A list of examples; a choice sets the sentences, the word and its ends.

    Args:
        s: the state of the page.
        words: the words being compared, if there are two.
        model: the name of the model; None if it could not be loaded.
    """
    every = of(model)
    now = find((s.a.get(), s.b.get()), words)
    prepared: dict[str, dict[Field[Any], Any]] = {
        gettext(preset.label): {
            s.a: preset.text_a,
            s.b: preset.text_b,
            s.word: preset.word,
            s.occurrence: 1,
            s.word_b: "",
            s.occurrence_b: 1,
        }
        for preset in every
    }
    presets(
        _("Examples"),
        prepared,
        now=None if now is None else gettext(now.label),
        resets=(*sense_ends.ENDS, sense_ends.OWN),  # the two senses belong to the word
        placeholder=_("{count} to choose from").format(count=len(every)),
        width=round(WIDTH * layout.scale()),
    )


def find(texts: tuple[str, str], words: Sequence[str]) -> Preset | None:
    """The example with exactly these two sentences, and its word in both; None otherwise."""
    query = texts, tuple(words)
    known = (*PRESETS, *CUE_FIRST)
    return next((p for p in known if ((p.text_a, p.text_b), (p.word, p.word)) == query), None)
