"""Python code for the step shown: our PyTorch code, and the same in NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from core.localization import N_, gettext
from core.walkthroughs import tiny_numbers
from core.walkthroughs.steps.record import Step
from pages.step_by_step.computed import Tiny
from pages.step_by_step.sentence import Sentence
from ui import same_in_python

if TYPE_CHECKING:
    from core.walkthroughs.code import Origin

PYTORCH, NUMPY = N_("PyTorch (our transformer)"), "NumPy"


class Code(NamedTuple):
    """The ingredients of the code: only names and small numbers.

    Attributes:
        model: the model to load; None for the tiny one.
        text: the text that it reads.
        paper: whether the text goes through the encoder of the paper's size.
        source: the input of the encoder, if the text goes through the decoder of the paper's size.
        alone: whether it is a decoder alone that runs in our transformer.
        recorded: whether the model runs on another engine, so that only its attention is shown.
        ids: the ids of the tiny model's words.
        edits: its edits, as in a link.
        layer: from 0.
        head: from 0.
        causal: whether later tokens are hidden.
        which: the rows of attention without weights: "embedded" or "learned".
        token: the word of attention without weights, from 0.
    """

    model: str | None
    text: str = ""
    paper: bool = False
    source: str | None = None
    alone: bool = False
    recorded: bool = False
    ids: tuple[int, ...] = ()
    edits: str = ""
    layer: int = 0
    head: int = 0
    causal: bool = False
    which: str = "embedded"
    token: int = 0

    def versions(self, steps: Sequence[Step], name: str) -> dict[str, str]:
        """The tabs: name -> the lines of a step."""
        from core.walkthroughs.code import in_numpy, in_pytorch  # imports torch

        origin = self._origin()
        pytorch, numpy = (
            write(origin, steps, name, which=self.which, token=self.token)
            for write in (in_pytorch, in_numpy)
        )
        return {"Python": pytorch} if name == "pieces" else {gettext(PYTORCH): pytorch, NUMPY: numpy}

    def _origin(self) -> Origin:
        from core.walkthroughs.code import (
            decoder_alone,
            paper_decoder,
            paper_size,
            recorded,
            tiny_model,
            trained,
        )

        if self.model is None:
            edits = tiny_numbers.read_edits(self.edits)
            return tiny_model(self.ids, edits, self.head, causal=self.causal)
        where = self.layer, self.head, same_in_python.note(self.model)
        if self.source is not None:
            return paper_decoder(self.model, self.text, self.source, *where)
        if self.alone:
            return decoder_alone(self.model, self.text, *where)
        if self.recorded:
            return recorded(self.model, self.text, *where, masked=self.causal)
        make = paper_size if self.paper else trained
        return make(self.model, self.text, *where, causal=self.causal)


def of_model(
    model: str, read: Sentence, layer: int = 0, head: int = 0, *, causal: bool = False
) -> Code:
    """For a text through a layer of a model, or of the encoder of the paper's size."""
    return Code(model, read.text, read.paper, layer=layer, head=head, causal=causal)


def of_decoder(model: str, read: Sentence, source: Sentence, layer: int, head: int) -> Code:
    """For a text through a layer of the decoder of the paper's size."""
    return Code(model, read.text, source=source.text, layer=layer, head=head)


def of_decoder_alone(model: str, read: Sentence, layer: int, head: int) -> Code:
    """For a text through a layer of a decoder alone."""
    return Code(model, read.text, alone=True, layer=layer, head=head, causal=True)


def recorded(model: str, read: Sentence, layer: int, head: int, *, masked: bool) -> Code:
    """For a text through the attention of a model on another engine."""
    return Code(model, read.text, recorded=True, layer=layer, head=head, causal=masked)


def of_tiny(tiny: Tiny, edits: str, head: int = 0, *, causal: bool = False) -> Code:
    """For the tiny model."""
    return Code(None, ids=tiny.ids, edits=edits, head=head, causal=causal)
