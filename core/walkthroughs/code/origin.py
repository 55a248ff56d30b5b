"""How a notebook obtains the numbers on the screen: from a trained model, the tiny one, the paper's.

Each origin provides lines that define `layer`, a `core.transformer.EncoderLayer` or `DecoderLayer`, and
`x_BLD`, its input; others for the embeddings, and for attention without weights. For a model on another
engine, they define what its trace recorded instead of a layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..tiny_numbers import Edits

Lines = tuple[str, ...]


class Origin(NamedTuple):
    """The origin of the numbers, as lines of Python.

    Attributes:
        kind: "trained", "tiny", "paper", "decoder" (of the paper's size), "alone" (a decoder
            alone) or "recorded".
        text: the lines that define `ids` and everything else that the others need.
        layer: the lines that define `layer` and `x_BLD`.
        vectors: the lines that define `x_MD`, for "embedded" or "learned", for attention without
            weights.
        head: the head shown, from 0.
        causal: whether later tokens are hidden.
        note: a comment after `import core`.
        bias: the lines that define `bias_BHLM`, where the model itself has it.
    """

    kind: str
    text: Lines
    layer: Lines
    vectors: dict[str, Lines]
    head: int = 0
    causal: bool = False
    note: str = ""
    bias: Lines = ()


def trained(
    model: str, text: str, layer: int = 0, head: int = 0, note: str = "", *, causal: bool = False
) -> Origin:
    """A published model that runs in our transformer; for attention without weights, any model.

    Args:
        model: its name for `core.load`.
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


def decoder_alone(model: str, text: str, layer: int = 0, head: int = 0, note: str = "") -> Origin:
    """A decoder alone that runs in our transformer. See `trained`."""
    own = trained(model, text, layer, head, note)
    _, *received = own.layer
    return own._replace(
        kind="alone",
        layer=(
            "decoder = model.scratch_decoder",
            f"layer = decoder.stack.layers[{layer}]",
            *received,
        ),
        causal=True,
        bias=(f"bias_BHLM = decoder.masks(x_BLD)[{layer}]  # hides later tokens",),
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
    """The attention of a model that runs on another engine, as its trace recorded it.

    Its scores are q·k / √d_head; nothing but the mask is added to them.

    Args:
        model: its name for `core.load`.
        text: the text.
        layer: from 0.
        head: from 0.
        note: see `Origin`.
        masked: whether the layer has a mask.
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
    """The untrained encoder of the paper's size; a model only tokenizes the text. See `trained`."""
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
    """The decoder of the paper's size, which attends to the encoder's output for a source.

    Args:
        model: the model's name for `core.load`; it only tokenizes the texts.
        text: the target.
        source: the input of the encoder.
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
    """The tiny model, with the changes that a visitor made in it.

    Args:
        ids: indices in `tiny_numbers.WORDS`.
        edits: (matrix, row, column) -> the new number.
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
