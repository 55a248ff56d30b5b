"""Whose each call of attention is: its part and its layer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from torch import nn

from .. import recording
from ..recording import Call
from .parts import CROSS, Owner, Part, Stack, Where


def sorted_out(
    calls: Sequence[Call], owners: Sequence[tuple[Owner, int]], target: int
) -> dict[Where, Call]:
    """The calls of one run, by owner and layer.

    Several attention blocks in one layer are joined, with their heads side by side.

    Args:
        calls: the recorded calls.
        owners: `Anatomy.calls`.
        target: the number of tokens that the decoder reads.
    """
    by_layer = grouped_by_layer(calls, owners, target)
    return {where: recording.joined(some) for where, some in by_layer.items()}


def grouped_by_layer(
    calls: Sequence[Call], owners: Sequence[tuple[Owner, int]], target: int
) -> dict[Where, list[Call]]:
    """The calls of one run by owner and layer, not joined; a merged call counts for both its parts."""
    by_layer: dict[Where, list[Call]] = defaultdict(list)
    for call, (owner, layer) in zip(calls, owners, strict=True):
        if owner == "merged":
            own, cross = recording.split(call, target)
            by_layer["decoder", layer].append(own)
            by_layer[CROSS, layer].append(cross)
        elif owner != "none":
            by_layer[owner, layer].append(call)
    return by_layer


def owners_of(
    model: nn.Module, calls: Sequence[Call], stacks: Mapping[Part, Stack], lengths: Sequence[int]
) -> tuple[tuple[Owner, int], ...]:
    """The owner of each call, from the numbers of queries and keys, and its layer."""
    source, target = lengths[0], lengths[-1]
    kinds: dict[tuple[int, ...], Owner] = {(source, source): "own"}
    if "decoder" in stacks:
        kinds = {
            (source, source): "encoder",
            (target, target): "decoder",
            (target, source): "cross",
            # self-attention and cross-attention in one (T5Gemma 2)
            (target, target + source): "merged",
        }
    names = {id(module): name for name, module in model.named_modules()}
    whose = [kinds.get(tuple(call.weights_BHLM.shape[2:]), "none") for call in calls]
    layers = [_number(names.get(id(call.module), "")) for call in calls]
    for owner in set(whose) - {"none"}:
        own = [i for i, one in enumerate(whose) if one == owner]
        part: Part = owner if owner in ("own", "encoder", "decoder") else "decoder"
        n_layers = stacks[part].shape.n_layers
        counted = [layers[i] for i in own]
        if len(own) == n_layers:  # layers may share their modules, as in ALBERT
            for layer, i in enumerate(own):
                layers[i] = layer
        elif counted != sorted(counted) or not 0 <= counted[0] <= counted[-1] < n_layers:
            for i in own:
                whose[i] = "none"
    return tuple(zip(whose, layers, strict=True))


def _number(name: str) -> int:
    """The number of the layer in a module's name; −1 if there is none."""
    return next((int(part) for part in name.split(".") if part.isdigit()), -1)
