"""Hugging Face models: find, load, verify; copy their weights into `core.transformer`; trace.

`transformers` is imported only inside functions here, so that light pages open at once; torch comes
with the first model. Order of the modules: `checkpoint` and `hub` find files; `configs`, `names` and
`tokens` say whether they fit; `published` reads them; `scratch` and `huggingface` are the two engines.
Of a model of `transformers`, `anatomy` finds out what it is made of, `recording` what its attention
computes, and `families` holds the little that neither can. `word_heads` and `language_head` are what
predicts words, `generation` what chooses one; `assemble` puts them together, `model`, `seq2seq` and
`predict` answer, `load_model` is where to begin. `TextModel` is what they, and models that are
trained elsewhere, have in common.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .load_model import EngineName, ModelChoice, limit_threads, load, models

if TYPE_CHECKING:
    from .model import Model
    from .records import WordVector
    from .text_model import TextModel

__all__ = [
    "EngineName",
    "Model",
    "ModelChoice",
    "TextModel",
    "WordVector",
    "limit_threads",
    "load",
    "models",
]


def __getattr__(name: str) -> Any:
    # Model brings torch; `load` and `models` must not, so that a wrong name is told at once.
    if name == "Model":
        from .model import Model

        return Model
    if name == "WordVector":
        from .records import WordVector

        return WordVector
    if name == "TextModel":
        from .text_model import TextModel

        return TextModel
    raise AttributeError(f"module 'core.pretrained' has no attribute {name!r}")
