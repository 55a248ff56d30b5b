"""One run with our recorder in place of the model’s attention, and what of it can be used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from .. import recording
from ..recording import Call
from .call_owners import grouped_by_layer, owners_of
from .forward import asked, attend
from .outputs import hidden_of, last_of, weights_of
from .parts import CROSS, Owner, Part, Stack, Where
from .plain_run import PlainRun
from .tolerances import near

ELSEWHERE = (
    "transformers computes the attention of this architecture in a way that Polysee cannot record."
)


def recorded_calls(
    model: Any,
    inputs: Mapping[str, Tensor],
    plain: PlainRun,
    stacks: Mapping[Part, Stack],
    attention: str,
) -> tuple[tuple[tuple[Owner, int], ...], dict[Where, Call], dict[Part, str]]:
    """The owners of attention calls; usable calls, by part and layer; reasons why a part has none."""
    parts: tuple[Part, ...] = (*stacks, *((CROSS,) if "decoder" in stacks else ()))
    try:
        attend(model, recording.register(attention))
        with torch.no_grad(), recording.recording() as calls:
            out = asked(model, inputs, output_hidden_states=True)
    except Exception:  # some implementations cannot be run although they can be set
        return (), {}, dict.fromkeys(parts, ELSEWHERE)
    if not _agree(out, plain.out, stacks):
        return (
            (),
            {},
            dict.fromkeys(
                parts, "When its attention is recorded, it gives other numbers than eager transformers."
            ),
        )
    lengths = tuple(ids.shape[1] for key, ids in inputs.items() if key.endswith("input_ids"))
    owners = owners_of(model, calls, stacks, lengths)
    by_layer: dict[Where, list[Call]] = grouped_by_layer(calls, owners, lengths[-1])
    why: dict[Part, str] = {}
    for part in parts:
        n_layers = stacks["decoder" if part == CROSS else part].shape.n_layers
        own = [by_layer[part, layer] for layer in range(n_layers) if (part, layer) in by_layer]
        flat, given = [call for some in own for call in some], weights_of(plain.out, part, plain.kind)
        if len(own) < n_layers and any(owner == "none" for owner, _ in owners):
            why[part] = "Its heads attend to more than the tokens of the text."
        elif not own or len(given) > len(flat):  # a layer with another attention than the others
            why[part] = ELSEWHERE
        elif len(given) == len(flat) and not all(
            near(call.weights_BHLM, weights) for call, weights in zip(flat, given, strict=True)
        ):
            why[part] = (
                "When its attention is recorded, it gives other weights than eager transformers."
            )
        elif not all(map(recording.can_be_joined, own)):
            why[part] = "The attention blocks of one layer do not see the same tokens."
        elif not all(map(_leads_to_weights, flat)):
            why[part] = "Its weights depend on more than query, key and a bias."
    made = {where: recording.joined(some) for where, some in by_layer.items() if where[0] not in why}
    return (owners if made else ()), made, why


def _agree(out: Any, plain: Any, stacks: Mapping[Part, Stack]) -> bool:
    """Whether two runs of a model yield the same vectors."""
    pairs = [(last_of(out, part), last_of(plain, part)) for part in stacks]
    for part, stack in stacks.items():
        first = stack.streams_first
        pairs += zip(hidden_of(out, part, first), hidden_of(plain, part, first), strict=True)
    return all(near(a, b) for a, b in pairs)


def _leads_to_weights(call: Call) -> bool:
    """Whether softmax of the scores yields the weights, apart from what goes into a sink."""
    made = torch.softmax(recording.masked_scores(call), dim=-1)
    weights = call.weights_BHLM
    return near(made, weights / weights.sum(-1, keepdim=True))
