"""From two runs of a model to its anatomy."""

from __future__ import annotations

from typing import Any

from ..recording import Call
from .forward import attend, configs, paired
from .heads import checked_weights, lacks_weight, outside_of, with_heads_of_calls, with_heads_of_weights
from .outputs import returns_final
from .parts import CROSS, Anatomy, Part, Where
from .plain_run import run_plainly
from .probe_tokens import LENGTHS, SHORT, probe
from .recorded_run import recorded_calls
from .stacks import stack_of


def explore(model: Any, name: str, most: int = max(LENGTHS), attention: str = "eager") -> Anatomy:
    """Find the anatomy of a model, and leave its attention ready to run.

    Args:
        model: a `transformers` model, in evaluation mode, whose settings may be changed.
        name: its name in messages.
        most: the largest number of tokens that it accepts.
        attention: the attention function to record: eager, or one of its owner's that returns weights.

    Raises:
        NotSupported: if it cannot read a text on its own, has no attention, or does not expose it.
    """
    lengths = LENGTHS if most >= max(LENGTHS) else SHORT
    inputs = probe(model, name, lengths)
    for config in configs(model):
        # We request every output explicitly in each run.
        config.output_attentions = config.output_hidden_states = False
        config.return_dict = True
    attend(model, attention)
    plain = run_plainly(model, inputs, name)
    if returns_final(plain.out):
        for config in configs(model):
            # transformers would return the last layer's output only after the final norm.
            config.tie_last_hidden_states = False
        plain = run_plainly(model, inputs, name)
    parts: tuple[Part, ...] = ("encoder", "decoder") if paired(model) else ("own",)
    stacks = {part: stack_of(plain, part, name, lengths) for part in parts}
    owners, calls, why = recorded_calls(model, inputs, plain, stacks, attention)
    if not calls:
        attend(model, attention)
    for part, stack in stacks.items():
        own = [call for (whose, _), call in sorted(calls.items(), key=_layer) if whose == part]
        stacks[part] = (
            with_heads_of_calls(stack, own)
            if own
            else with_heads_of_weights(stack, plain, part, name, lengths)
        )
    if CROSS in why:
        checked_weights(plain, CROSS, stacks["decoder"].shape.n_layers, lengths[::-1], name)
    return Anatomy(
        stacks,
        owners,
        why,
        {
            part: outside_of(part, owners, plain.kind)
            for part in (*stacks, CROSS)
            if lacks_weight(plain, calls, part)
        },
        plain.rows,
        headed=not returns_final(plain.out),
    )


def _layer(one: tuple[Where, Call]) -> int:
    return one[0][1]
