"""The layers of a stack, and the modules between the last of them and the final vectors."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from ....errors import NotSupported
from ..engine import Shape
from .outputs import hidden_of, last_of, refuse_not_numbers
from .parts import Part, Stack
from .plain_run import PlainRun
from .tolerances import identical


def stack_of(seen: PlainRun, part: Part, name: str, lengths: tuple[int, int]) -> Stack:
    """The anatomy of a stack, apart from its attention."""
    given = seen.out.get("hidden_states" if part == "own" else f"{part}_hidden_states") or ()
    first = any(isinstance(state, Tensor) and len(state) > 1 for state in given)  # of one text
    hidden, length = hidden_of(seen.out, part, first), lengths[part == "decoder"]
    if len(hidden) < 2 or any(state.shape != (1, length, hidden[0].shape[-1]) for state in hidden):
        shapes = ", ".join(dict.fromkeys(" × ".join(map(str, state.shape[1:])) for state in hidden))
        raise NotSupported(
            "“{name}” does not give one vector for each token after each layer: for "
            "{length} tokens it gives {shapes}. Polysee does not read it.",
            name=name,
            length=length,
            shapes=shapes or "nothing",
        )
    for layer, state in enumerate(hidden):
        refuse_not_numbers(state, layer, name)
    shape = Shape(len(hidden) - 1, 0, 0, hidden[0].shape[-1], 0)
    last = last_of(seen.out, part)
    after = _after_last_layer(last, seen.leaves)
    tied = identical(hidden[-1], last)
    if tied and not after:
        return Stack(shape, width=last.shape[-1], streams_first=first)
    final: str | None = ""
    if after and after[-1][1].shape[-1] != after[-1][2].shape[-1]:
        # A last matrix maps the vectors back to the width of the table: it is no part of the stack
        # (OPT).
        final = after[-2][0] if len(after) > 1 else None
    raw = after[0][0] if tied else ""
    return Stack(shape, raw=raw, final=final, width=last.shape[-1], streams_first=first)


def _after_last_layer(
    last: Tensor, leaves: Sequence[tuple[str, Tensor, Tensor]]
) -> Sequence[tuple[str, Tensor, Tensor]]:
    """The modules after the last layer, in order, found backwards from the final vectors."""
    chain: list[tuple[str, Tensor, Tensor]] = []
    wanted, end = last, len(leaves)
    while True:
        at = next(
            (i for i in range(end - 1, -1, -1) if identical(leaves[i][2], wanted)),
            None,
        )
        if at is None or _numbered(leaves[at][0]):
            return chain
        name, given, out = leaves[at]
        if not identical(given, out):  # in evaluation mode, a dropout returns its input
            chain.insert(0, (name, given, out))
        wanted, end = given, at


def _numbered(name: str) -> bool:
    """Whether a module belongs to a single layer: the names of layers contain numbers."""
    return any(part.isdigit() for part in name.split("."))
