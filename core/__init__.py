"""Polysee's core: see how a transformer turns each word's fixed vector into a contextual one.

This package contains everything except the screen. In a notebook, you need nothing else:

    import core
    model = core.load("minilm")
    trace = model.trace("On the river bank")
    trace.contextual[trace.find("bank")]

Imports go in one direction: `errors` -> `settings` -> `records` -> `examples` -> `transformer` ->
`attribution` -> `pretrained`, `tasks`, `walkthroughs` -> `measures`, `reading` -> `corpus` ->
`figures` -> `comparison`, `plot` -> `lessons` -> `notebook` -> `cli`. torch ends where a record begins:
`records`, `measures` and `figures` never import it. `import core` is cheap, because each name below is
loaded on first use.

In tensor code, a name ends in one letter for each dimension (Shazeer's shape suffixes):

    B batch                 D d_model, the width of the model       F d_ff, the feed-forward width
    L query positions       H heads                                 V vocabulary
    M key positions         K d_head, the width of a head           N layers
    E d_embedding, the width of the word-embedding table

Rows are queries and columns are keys, everywhere. Code counts layers, heads and tokens from 0; screens
say "Layer 1".
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import version as _version
from .records import showing as _showing

if TYPE_CHECKING:
    from .errors import (
        ModelBroken,
        ModelNote,
        ModelNotFound,
        NotSupported,
        PolyseeError,
        SettingError,
        TooLarge,
        WordNotFound,
    )
    from .notebook import compare, head, heads, layer, path, senses
    from .pretrained import Model, TextModel, WordVector, load, models
    from .records.attention import Attention, Scores
    from .records.contributions import Contributions
    from .records.interventions import Ablate, Cut, Intervention, Mask, Replace
    from .records.prediction import Expectation, Prediction
    from .records.sense_axis import SenseAxis
    from .records.seq2seq import Seq2SeqTrace
    from .records.trace import Trace

_HOME = {
    "Ablate": ".records.interventions",
    "Attention": ".records.attention",
    "Contributions": ".records.contributions",
    "Cut": ".records.interventions",
    "Expectation": ".records.prediction",
    "Intervention": ".records.interventions",
    "Mask": ".records.interventions",
    "Model": ".pretrained",
    "ModelBroken": ".errors",
    "ModelNote": ".errors",
    "ModelNotFound": ".errors",
    "NotSupported": ".errors",
    "PolyseeError": ".errors",
    "Prediction": ".records.prediction",
    "Replace": ".records.interventions",
    "Scores": ".records.attention",
    "SenseAxis": ".records.sense_axis",
    "Seq2SeqTrace": ".records.seq2seq",
    "SettingError": ".errors",
    "TextModel": ".pretrained",
    "TooLarge": ".errors",
    "Trace": ".records.trace",
    "WordNotFound": ".errors",
    "WordVector": ".pretrained",
    "compare": ".notebook",
    "head": ".notebook",
    "heads": ".notebook",
    "layer": ".notebook",
    "load": ".pretrained",
    "models": ".pretrained",
    "path": ".notebook",
    "senses": ".notebook",
}

__all__ = [
    "Ablate",
    "Attention",
    "Contributions",
    "Cut",
    "Expectation",
    "Intervention",
    "Mask",
    "Model",
    "ModelBroken",
    "ModelNotFound",
    "ModelNote",
    "NotSupported",
    "PolyseeError",
    "Prediction",
    "Replace",
    "Scores",
    "SenseAxis",
    "Seq2SeqTrace",
    "SettingError",
    "TextModel",
    "TooLarge",
    "Trace",
    "WordNotFound",
    "WordVector",
    "compare",
    "head",
    "heads",
    "layer",
    "load",
    "models",
    "path",
    "senses",
]


__version__ = _version.VERSION

# Subpackages that are loaded on first use: `core.plot.attention`.
_SUBPACKAGES = ("plot",)


def _view_of(record: Any) -> Any:
    """The view that displays a record in a notebook."""
    return import_module(".notebook.views", __name__).view_of_record(record)


_showing.view_of = _view_of


def __getattr__(name: str) -> Any:
    if name in _SUBPACKAGES:
        return import_module(f".{name}", __name__)
    if name not in _HOME:
        raise AttributeError(f"module 'core' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_SUBPACKAGES})
