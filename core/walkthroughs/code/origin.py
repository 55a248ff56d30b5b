"""How a notebook comes to the numbers on the screen: of a trained model, the tiny one, the paper's.

Each origin gives lines that define `layer`, a `core.transformer.EncoderLayer` or `DecoderLayer`, and
`x_BLD`, what it receives; others for the embeddings, and for attention without weights. Of a model that
another engine runs, they define what its trace recorded in place of a layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..tiny_numbers import Edits

Lines = tuple[str, ...]


class Origin(NamedTuple):
    """Where the numbers are from, as lines of Python.

    Attributes:
        kind: "trained", "tiny", "paper", "decoder" (of the paper's size) or "recorded".
        text: the lines that define `ids`, and what else the others need.
        layer: those that define `layer` and `x_BLD`.
        vectors: those that define `x_MD`, by "embedded" or "learned": attention without weights.
        head: which head is shown, from 0.
        causal: whether later tokens are hidden.
        note: a comment behind `import core`.
    """

    kind: str
    text: Lines
    layer: Lines
    vectors: dict[str, Lines]
    head: int = 0
    causal: bool = False
    note: str = ""


def trained(
    model: str, text: str, layer: int = 0, head: int = 0, note: str = "", *, causal: bool = False
) -> Origin:
    """A published model that runs in our transformer; without weights, any model.

    Args:
        model: what `core.load` knows it by.
        text: the text.
        layer: from 0.
        head: from 0.
        note: see `Origin`.
        causal: whether later tokens are hidden, in this layer and in those before it.
    """
    traces = "causal_trace" if causal else "trace"
    received = f"trace.hidden[{layer - 1}]" if layer else "trace.embedded"
    return Origin(
        "trained",
        (f"model = core.load({model!r})", f"text = {text!r}"),
        (
            f"layer = model.scratch_encoder.layers[{layer}]",
            f"trace = model.{traces}(text)",
            f"x_BLD = torch.tensor({received})[None]  # the input of layer {layer + 1}",
        ),
        {
            which: ("trace = model.trace(text)", f"x_MD = torch.tensor(trace.{which})")
            for which in ("embedded", "learned")
        },
        head,
        causal,
        note=note,
    )


def recorded(
    model: str,
    text: str,
    layer: int = 0,
    head: int = 0,
    note: str = "",
    *,
    masked: bool = False,
) -> Origin:
    """The attention of a model that another engine runs, as its trace recorded it.

    Its scores are q·k / √d_head, with nothing added to them but the mask.

    Args:
        model: what `core.load` knows it by.
        text: the text.
        layer: from 0.
        head: from 0.
        note: see `Origin`.
        masked: whether the layer hides tokens from tokens.
    """
    hides = (f"masked_LM = trace.scores(layer, {head}).masked",) if masked else ()
    return Origin(
        "recorded",
        (f"model = core.load({model!r})", f"text = {text!r}"),
        ("trace = model.trace(text)", f"layer = {layer}", *hides),
        {},
        head,
        masked,
        note=note,
    )


def paper_size(
    model: str, text: str, layer: int = 0, head: int = 0, note: str = "", *, causal: bool = False
) -> Origin:
    """The encoder of the paper's size, never trained; a model only cuts the text. See `trained`."""
    masked = ", causal=True" if causal else ""
    return Origin(
        "paper",
        (f"ids = core.load({model!r}).read({text!r}).ids",),
        (
            f"layer = paper.layers()[{layer}]",
            f"x_BLD = paper.hidden(paper.embedded(ids), {layer}{masked})[None]"
            f"  # layer {layer + 1} reads it",
        ),
        {which: (f"x_MD = paper.{which}(ids)",) for which in ("embedded", "learned")},
        head,
        causal,
        note=note,
    )


def paper_decoder(
    model: str, text: str, source: str, layer: int = 0, head: int = 0, note: str = ""
) -> Origin:
    """The decoder of the paper's size, which attends to what the encoder makes of a source.

    Args:
        model: what `core.load` knows it by; it only cuts the texts.
        text: the target.
        source: what the encoder reads.
        layer: from 0.
        head: from 0.
        note: see `Origin`.
    """
    return Origin(
        "decoder",
        (f"ids = core.load({model!r}).read({text!r}).ids",),
        (
            f"source_ids = core.load({model!r}).read({source!r}).ids",
            "memory_BSD = paper.memory(source_ids)[None]  # the encoder's output",
            f"layer = paper.decoder_layers()[{layer}]",
            f"x_BLD = paper.decoder_hidden(paper.embedded(ids), memory_BSD[0], {layer})[None]"
            f"  # layer {layer + 1} reads it",
        ),
        {},
        head,
        True,
        note=note,
    )


def tiny_model(ids: Sequence[int], edits: Edits, head: int = 0, *, causal: bool = False) -> Origin:
    """The tiny model, with what a visitor changed in it.

    Args:
        ids: indices in `tiny_numbers.WORDS`.
        edits: (matrix, row, column) -> the number there.
        head: from 0.
        causal: see `Origin`.
    """
    changes = ", ".join(f"{cell!r}: {value!r}" for cell, value in edits.items())
    return Origin(
        "tiny",
        (
            f"ids = {list(ids)!r}  # indices in tiny_numbers.WORDS",
            f"numbers = tiny_numbers.changed({{{changes}}})",
        ),
        ("layer = tiny.layer(numbers)", "x_BLD = tiny.embedded(ids, numbers)[None]"),
        {
            "embedded": ("x_MD = tiny.embedded(ids, numbers)",),
            "learned": ("x_MD = tiny.embedded(ids, numbers, positions=False)",),
        },
        head,
        causal,
    )
