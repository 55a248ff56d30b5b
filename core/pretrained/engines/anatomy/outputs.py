"""What a run of `transformers` returns: vectors after each layer, final vectors, weights."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from ....errors import NotSupported
from .. import families
from .parts import CROSS, Part


def hidden_of(out: Any, part: Part, streams_first: bool = False) -> tuple[Tensor, ...]:
    """The input of the first layer, and the output of each layer. `streams_first`: see `Stack`."""
    states = out.get("hidden_states" if part == "own" else f"{part}_hidden_states") or ()
    tensors = (state[0] if isinstance(state, tuple) else state for state in states)
    return tuple(side_by_side(state, streams_first) for state in tensors)


def side_by_side(state: Tensor, streams_first: bool) -> Tensor:
    """(B, L, D) for a layer that may pass on several vectors per token, concatenated."""
    if state.ndim == 4:
        state = (state.permute(1, 2, 0, 3) if streams_first else state).flatten(2)
    return state


def returns_final(out: Any) -> bool:
    """Whether a model returns its final vectors separately from the layers' outputs."""
    return out.get("last_hidden_state") is not None


def last_of(out: Any, part: Part) -> Tensor:
    """The final vector of each token; for a model with a head, the last of the layers' outputs."""
    last = out.get("encoder_last_hidden_state" if part == "encoder" else "last_hidden_state")
    return hidden_of(out, part)[-1] if last is None else last


def weights_of(out: Any, part: Part, kind: str) -> tuple[Tensor, ...]:
    """The attention weights that `transformers` returns for a type of model."""
    names = {"own": "attentions", "cross": "cross_attentions"}
    given = out.get(names.get(part, f"{part}_attentions")) or ()
    every = [families.as_weights(weights, kind) for weights in given if weights is not None]
    if part == CROSS:
        # ProphetNet predicts several tokens at once: the stream that reads the target comes first.
        every = [weights[:, :, : last_of(out, "decoder").shape[1]] for weights in every]
    return tuple(every)


def refuse_not_numbers(hidden: Tensor, layer: int, name: str) -> None:
    """Raise NotSupported for vectors that are no finite numbers. Layer 0 is the input of the first."""
    if not bool(torch.isfinite(hidden).all()):
        where = f"after layer {layer}" if layer else "before its first layer"
        raise NotSupported(
            "“{name}” computes numbers that are infinite or not a number (NaN) {where}. "
            "Look for what makes them: a hook, a replaced part, or too few bits for large "
            "numbers.",
            name=name,
            where=where,
        )
