"""Links, as JavaScript reads and writes them: what `ui.permalink` and the pages' fields declare."""

from __future__ import annotations

from typing import Any

from core.figures import schema
from pages.compare.state import CompareState
from pages.embeddings.state import EmbeddingsState
from pages.heads.state import HeadsState
from pages.next_word.state import NextWordState
from pages.senses.state import SensesState
from pages.step_by_step.state import StepsState
from pages.training.state import TrainingState
from ui import compressed_state, formats, permalink
from ui.state.fields import Field
from ui.state.layer import URLS

PAGES = {
    "compare": CompareState,
    "heads": HeadsState,
    "next-word": NextWordState,
    "step-by-step": StepsState,
    "senses": SensesState,
    "embeddings": EmbeddingsState,
    "training": TrainingState,
}


def limits() -> dict[str, Any]:
    """The scheme of all links: its version, its lengths, how a number looks."""
    return {
        "version": permalink.VERSION["v"],
        "aside": sorted(permalink.ASIDE),
        "packed": permalink.PACKED,
        "packAbove": permalink.PACK_ABOVE,
        "long": permalink.LONG,
        "most": permalink.MOST,
        "mostBytes": compressed_state.MOST_BYTES,
        "whole": formats.WHOLE,
        "real": formats.REAL,
    }


def fields() -> dict[str, Any]:
    """The fields of the pages that a browser computes itself, and which of them its pictures have."""
    return {
        "pages": {name: [field_of(one) for one in state.link()] for name, state in PAGES.items()},
        "sentence": {
            name: sentence.fields[0].url
            for name, state in PAGES.items()
            if (sentence := state.thread().get("sentence")) is not None
        },
        "layer": URLS,
        "overview": {
            name: (HeadsState.shared[name] if name == "special" else getattr(HeadsState, name)).url
            for name in schema.state("overview")
        },
    }


def field_of(field: Field[Any]) -> dict[str, Any]:
    """A field of a link: values as they stand in a link."""

    def written(value: Any) -> str:
        return "" if value is None else field.write(value)

    left_out = field.default if field.default_in_link is None else field.default_in_link
    return {
        "url": field.url,
        "start": written(field.default),
        "leftOut": written(left_out),
        "format": formats.described(field.parse),
    }
