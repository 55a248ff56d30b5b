"""Polysee's core: see how a transformer turns each word's fixed vector into a contextual one.

This package contains everything except the screen. In a notebook, you need nothing else:

    import core
    model = core.load("minilm")
    trace = model.trace("On the river bank")
    trace.contextual[trace.find("bank")]

Imports go in one direction, from `cli` and `notebook` down to `errors`; the order stands in the
repository's pyproject.toml. torch ends where a record begins: `records`, `measures` and `figures` never
import it. `import core` is cheap, because each name below is loaded on first use (`lazy`).

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

from . import lazy as _lazy
from . import version as _version
from .records import notebook_display as _showing

if TYPE_CHECKING:
    from . import plot as plot  # `core.plot.attention`
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
    from .notebook import (
        compare,
        copying,
        head,
        heads,
        layer,
        lens,
        next_word,
        patch,
        path,
        senses,
        why,
    )
    from .pretrained import Model, TextModel, WordVector, load, models
    from .records.attention import Attention, Scores
    from .records.cache_cost import CacheCost
    from .records.chat import Chat, Message
    from .records.contributions import Contributions
    from .records.generated import Generated
    from .records.interventions import Ablate, Cut, Intervention, Mask, PairIntervention, Replace
    from .records.lens import LensGrid
    from .records.logit_parts import LogitParts
    from .records.long_attention import LongAttention
    from .records.model_difference import ModelDifference
    from .records.next_token import NextToken
    from .records.pair_contributions import PairContributions
    from .records.patching import Patching
    from .records.prediction import Expectation, Prediction
    from .records.score import Score
    from .records.score_terms import ScoreTerms
    from .records.sense_axis import SenseAxis
    from .records.seq2seq import Seq2SeqTrace
    from .records.trace import Trace
else:
    __getattr__, __dir__ = _lazy.exports(__name__)

__all__ = [
    "Ablate",
    "Attention",
    "CacheCost",
    "Chat",
    "Contributions",
    "Cut",
    "Expectation",
    "Generated",
    "Intervention",
    "LensGrid",
    "LogitParts",
    "LongAttention",
    "Mask",
    "Message",
    "Model",
    "ModelBroken",
    "ModelDifference",
    "ModelNotFound",
    "ModelNote",
    "NextToken",
    "NotSupported",
    "PairContributions",
    "PairIntervention",
    "Patching",
    "PolyseeError",
    "Prediction",
    "Replace",
    "Score",
    "ScoreTerms",
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
    "copying",
    "head",
    "heads",
    "layer",
    "lens",
    "load",
    "models",
    "next_word",
    "patch",
    "path",
    "senses",
    "why",
]


__version__ = _version.VERSION


def _view_of(record: Any) -> Any:
    """The view that displays a record in a notebook."""
    return import_module(".notebook.views", __name__).view_of_record(record)


_showing.view_of = _view_of
