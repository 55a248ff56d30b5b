"""For each step, the steps whose results it uses: the arrows of a forward pass."""

from __future__ import annotations

from collections.abc import Sequence

from .record import Step

_OF_RESULT = {
    "Kᵀ": "K",
    "K′ᵀ": "K′",
    "one-hot": "id",
}  # an operand -> the result of which it is another form


def flow(steps: Sequence[Step]) -> tuple[tuple[int, ...], ...]:
    """For each step, the steps whose results are its operands.

    An operand belongs to the last earlier result of its name: a name such as x stands for one matrix at
    a time. Weights, and inputs from outside these steps, such as the encoder's output that a decoder
    reads, have no source.

    Args:
        steps: in the order of the computation.

    Returns:
        Indices in `steps`, without repetition, in the order of the operands.
    """
    found = []
    last: dict[str, int] = {}
    for i, step in enumerate(steps):
        names = (_OF_RESULT.get(one.name, one.name) for one in step.operands)
        found.append(tuple(dict.fromkeys(last[name] for name in names if name in last)))
        last[step.result.name] = i
    return tuple(found)
