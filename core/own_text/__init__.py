"""A language model of one's own: a small decoder that learns one text, from noise to words to style.

`units` learns what the model reads, letters or byte pairs; `recipe` has the settings, `learning` the
training with its pauses, at each of which the model writes (`writing`); `run` is a training in the
queue of a server. `ngram` is what a table of five letters does with the same text, `copies` finds the
sentences of the text in what a model writes, `texts` has ready ones, and `files` makes of a trained
model one that `core.load` opens, a folder for `transformers`, or a file to send.

    from core import own_text
    learned = own_text.learn(own_text.ready()["island"].text, own_text.TextRecipe(steps=300))
    learned.pauses[-1].sample

The decoder is `core.transformer` with the parts of Llama, so that all that Polysee shows of a published
model it shows of this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import lazy
from .copies import Copied, Shares, copied, learned_share, readable, repeated, sentence_around
from .ngram import bits_per_letter
from .recipe import Kind, TextRecipe
from .texts import Ready, ready

if TYPE_CHECKING:
    from .files import Learned, dump, folder, is_dumped, load, opened
    from .learning import Pause, TextTraining, before_training, learn
    from .run import TextFinished, TextRun
    from .writing import write
else:
    __getattr__, __dir__ = lazy.exports(__name__)

__all__ = [
    "Copied",
    "Kind",
    "Learned",
    "Pause",
    "Ready",
    "Shares",
    "TextFinished",
    "TextRecipe",
    "TextRun",
    "TextTraining",
    "before_training",
    "bits_per_letter",
    "copied",
    "dump",
    "folder",
    "is_dumped",
    "learn",
    "learned_share",
    "load",
    "opened",
    "readable",
    "ready",
    "repeated",
    "sentence_around",
    "write",
]
