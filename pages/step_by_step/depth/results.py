"""The curves over depth, computed when they are asked for and kept: a few at a time."""

from __future__ import annotations

from threading import Condition
from typing import TYPE_CHECKING, NamedTuple

import cachetools

from pages.step_by_step import records

if TYPE_CHECKING:
    from core.walkthroughs.depth import Depth

MOST_CACHED = 200  # each a few hundred numbers
PARTS = ("residual", "norm", "positions", "scale", "heads")  # as `core.walkthroughs.depth.Without`


class Stack(NamedTuple):
    """What the tokens go through.

    Attributes:
        kind: "trained", "paper" or "fresh".
        ids: of the tokens.
        segments: of each, which text of a pair it belongs to; of a trained model alone.
        model: of a trained one, its name.
        n_layers: of a fresh one; of the others, all that there are.
        norm_first: of a fresh one, whether each norm stands before its sub-layer.
    """

    kind: str
    ids: tuple[int, ...]
    segments: tuple[int, ...] = ()
    model: str = ""
    n_layers: int = 0
    norm_first: bool = False

    @property
    def norm_last(self) -> bool:
        """Whether its weights are random, and each norm stands behind the sum."""
        return self.kind != "trained" and not self.norm_first


class Curves(NamedTuple):
    """A stack without some parts, and the same stack with all of them."""

    changed: Depth
    complete: Depth


def curves(stack: Stack, missing: frozenset[str]) -> Curves:
    """Of a stack, with and without some of `PARTS`.

    Raises:
        PolyseeError: see `records.encoder`.
    """
    if stack.kind == "trained":
        records.encoder(stack.model)  # first, so that its progress is drawn for this visitor
    return Curves(_depth(stack, missing), _depth(stack, frozenset()))


@cachetools.cached(cachetools.LRUCache(MOST_CACHED), condition=Condition())
def _depth(stack: Stack, missing: frozenset[str]) -> Depth:
    from core.tasks.training.threads import one_thread_here
    from core.walkthroughs import depth

    without = depth.Without(**dict.fromkeys(missing, True))
    if stack.kind == "trained":
        return depth.of_encoder(records.encoder(stack.model), stack.ids, stack.segments, without)
    if stack.kind == "paper":
        return depth.of_paper(stack.ids, without)
    one_thread_here()  # many small products: several threads would spend their time on waiting
    return depth.fresh(stack.ids, stack.n_layers, without, norm_first=stack.norm_first)
