"""The heads of a stack, which tokens they see, and what their rows leave to no key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from ....errors import NotSupported
from ....records.attention import Outside
from .. import families, recording
from ..recording import Call
from .outputs import weights_of
from .parts import CROSS, Owner, Part, Stack, Where
from .plain_run import PlainRun
from .tolerances import identical, tolerance


def with_heads_of_calls(stack: Stack, own: Sequence[Call]) -> Stack:
    """The stack with the sizes of its heads, and whether it is causal."""
    shape = stack.shape._replace(
        n_heads=max(call.query_BHLK.shape[1] for call in own),
        d_head=max(call.query_BHLK.shape[3] for call in own),
    )
    causal = all(_sees_no_later(call.weights_BHLM) for call in own)
    biases = [bias for call in own if (bias := recording.bias_of(call)) is not None]
    same = all(identical(bias, biases[0]) for bias in biases)
    several = shape.n_layers if biases and not same else int(bool(biases))
    return stack._replace(shape=shape, causal=causal, biases=several)


def with_heads_of_weights(
    stack: Stack, seen: PlainRun, part: Part, name: str, lengths: tuple[int, int]
) -> Stack:
    """`with_heads_of_calls` for a model that exposes only its weights."""
    length = lengths[part == "decoder"]
    weights = checked_weights(seen, part, stack.shape.n_layers, (length, length), name)
    heads = max(w.shape[1] for w in weights)
    return stack._replace(
        shape=stack.shape._replace(n_heads=heads, d_head=max(1, stack.shape.d_model // heads)),
        causal=all(map(_sees_no_later, weights)),
    )


def checked_weights(
    seen: PlainRun, part: Part, n_layers: int, lengths: tuple[int, int], name: str
) -> tuple[Tensor, ...]:
    """The weights that `transformers` returns, checked: one table of these lengths per layer."""
    weights = weights_of(seen.out, part, seen.kind)
    if not weights:
        raise NotSupported(
            "“{name}” returns no attention weights from transformers, and Polysee has nothing to show.",
            name=name,
        )
    if any(w.ndim != 4 for w in weights):  # RWKV, YOSO
        raise NotSupported(
            "“{name}” has no attention weights: what it computes instead has no weight for "
            "each pair of tokens, and Polysee has nothing to show.",
            name=name,
        )
    odd = [w for w in weights if w.shape[2:] != lengths]
    if odd or len(weights) != n_layers:
        shape = " × ".join(map(str, (odd or weights)[0].shape[1:]))
        raise NotSupported(
            "“{name}” does not give a weight for each pair of tokens in each of its "
            "{n_layers} layers: for {lengths} and {lengths2} tokens it gives {n_weights} "
            "tables, one of them {shape}. Polysee does not read it.",
            name=name,
            n_layers=n_layers,
            lengths=lengths[0],
            lengths2=lengths[1],
            n_weights=len(weights),
            shape=shape,
        )
    if any(not (w.min() >= 0 and w.sum(dim=-1).max() <= 1 + tolerance(w)) for w in weights):
        raise NotSupported(
            "“{name}” gives no attention weights: the rows that transformers gives instead "
            "do not add up to 1. Polysee does not read it.",
            name=name,
        )
    return weights


def lacks_weight(seen: PlainRun, calls: Mapping[Where, Call], part: Part) -> bool:
    """Whether rows of weights sum to less than 1."""
    weights = [call.weights_BHLM for (whose, _), call in calls.items() if whose == part]
    weights = weights or list(weights_of(seen.out, part, seen.kind))
    return any(float(w.sum(-1).min()) < 1 - tolerance(w) for w in weights)


def outside_of(part: Part, owners: Sequence[tuple[Owner, int]], kind: str) -> Outside:
    """What receives the share of each row that goes to no key."""
    if any(owner == "merged" for owner, _ in owners):
        return "target" if part == CROSS else "source"
    return "prompt" if kind in families.PROMPTED else "sink"


def _sees_no_later(weights_BHLM: Tensor) -> bool:
    return not bool(torch.triu(weights_BHLM, diagonal=1).any())
