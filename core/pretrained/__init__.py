"""Hugging Face models: find, load, verify; copy their weights into `core.transformer`; trace.

Begin at `load_model`. `files` finds and checks the files of a model, `tokenizer` splits texts into
tokens, and `engines` runs the model: our own transformer, or `transformers` with its attention
recorded. `assemble` puts the three together. `model` and `seq2seq` answer questions about a text;
`predict`, `generation` and the language-model heads (`language_head`, `head_tensor_names`) predict
tokens; `attribution` and `token_edits` explain and change them. `text_model` is the protocol of every
model that can be traced.

`transformers` is imported only inside functions, since a page without a model should open at once;
torch comes with the first model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import lazy
from .load_model import EngineName, ModelChoice, limit_threads, load, models, short_of_memory

# Model imports torch; `load` and `models` must not, so that a wrong name fails at once.
if TYPE_CHECKING:
    from .model import Model
    from .recording import WordVector
    from .text_model import TextModel
else:
    __getattr__, __dir__ = lazy.exports(__name__)

__all__ = [
    "EngineName",
    "Model",
    "ModelChoice",
    "TextModel",
    "WordVector",
    "limit_threads",
    "load",
    "models",
    "short_of_memory",
]
