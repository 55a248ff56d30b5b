"""The curves over depth, computed on request, with a cache for a few of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from core.memory import cached
from pages.step_by_step import computed

if TYPE_CHECKING:
    from core.walkthroughs.depth import Depth

PARTS = ("residual", "norm", "positions", "scale", "heads")  # as in `core.walkthroughs.depth.Without`


class Stack(NamedTuple):
    """A stack of layers, and the tokens that go through it.

    Attributes:
        kind: "trained", "paper" or "fresh".
        ids: the ids of the tokens.
        segments: for a trained model, the text of a pair that each token belongs to.
        model: for a trained model, its name.
        n_layers: for a fresh stack, its number of layers; the others always use all.
        norm_first: for a fresh stack, whether each norm is before its sub-layer.
    """

    kind: str
    ids: tuple[int, ...]
    segments: tuple[int, ...] = ()
    model: str = ""
    n_layers: int = 0
    norm_first: bool = False

    @property
    def norm_last(self) -> bool:
        """Whether its weights are random, and each norm is after the sum."""
        return self.kind != "trained" and not self.norm_first


class Curves(NamedTuple):
    """The results for a stack without some parts, and for the same stack with all of them."""

    changed: Depth
    complete: Depth


def curves(stack: Stack, missing: frozenset[str]) -> Curves:
    """The results for a stack with and without some of `PARTS`.

    Raises:
        PolyseeError: see `records.encoder`.
    """
    if stack.kind == "trained":
        computed.encoder(stack.model)  # first, so that its progress is shown to this visitor
    return Curves(_depth(stack, missing), _depth(stack, frozenset()))


@cached()
def _depth(stack: Stack, missing: frozenset[str]) -> Depth:
    from core.tasks.training.threads import one_thread_here
    from core.walkthroughs import depth

    without = depth.Without(**dict.fromkeys(missing, True))
    if stack.kind == "trained":
        return depth.of_encoder(computed.encoder(stack.model), stack.ids, stack.segments, without)
    if stack.kind == "paper":
        return depth.of_paper(stack.ids, without)
    one_thread_here()  # for many small products, several threads would mostly wait
    return depth.fresh(stack.ids, stack.n_layers, without, norm_first=stack.norm_first)
