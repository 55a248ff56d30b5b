"""The findings about a model: its stacks, the calls of its attention, and what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from ....records.attention import Outside
from ..engine import Shape

Part = Literal["own", "encoder", "decoder", "cross"]
Owner = Literal["own", "encoder", "decoder", "cross", "merged", "none"]
Where = tuple[Part, int]  # a part and one of its layers
CROSS: Part = "cross"


class Stack(NamedTuple):
    """The layers of an encoder or decoder.

    Attributes:
        shape: its sizes; the largest, if heads and widths differ from layer to layer.
        causal: whether a token sees only itself and earlier tokens.
        raw: the module that receives the last layer's output, if `transformers` returns that output
            only after a norm; "" if it returns it directly.
        final: the module whose output is the final vector of each token; "" if `transformers` returns
            it; None if nothing follows the last layer.
        biases: the number of biases added to the scores: none, one for all layers, or one per layer.
        width: the width of the final vector of a token.
        streams_first: whether layers that pass on several vectors per token return them as (S, B, L, D)
            instead of (B, L, S, D).
    """

    shape: Shape
    causal: bool = False
    raw: str = ""
    final: str | None = None
    biases: int = 0
    width: int = 0
    streams_first: bool = False


class Anatomy(NamedTuple):
    """The findings of a few runs of a model.

    Attributes:
        stacks: "own" for a model with a single stack, otherwise "encoder" and "decoder".
        calls: for each call of attention in a run, in order: its owner and its layer; see `sorted_out`.
        why: parts whose attention appears in no call, so that only their weights are read, with the
            reason in a sentence.
        outside: parts in whose attention each row gives a share to something other than a key, and to
            what.
        rows: the number of positions in the model's table, if it has one.
        headed: whether the final vectors are available only as the last of the layers' outputs.
    """

    stacks: Mapping[Part, Stack]
    calls: tuple[tuple[Owner, int], ...]
    why: Mapping[Part, str]
    outside: Mapping[Part, Outside]
    rows: int | None
    headed: bool
