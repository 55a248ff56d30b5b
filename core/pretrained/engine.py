"""What the two engines have in common: token ids in, every step out, still in torch and in batches."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol

from torch import Tensor

Keep = Literal["all", "attention", "hidden"]


class Batch(NamedTuple):
    """Texts of equal length, or padded to it: then `mask_BL` is false at the padding."""

    ids_BL: Tensor
    segments_BL: Tensor
    mask_BL: Tensor | None


class Run(NamedTuple):
    """Every step of one batch. The tuples have one entry a layer; what was not asked for is empty."""

    learned_BLE: Tensor
    embedded_BLD: Tensor
    hidden_BLD: tuple[Tensor, ...]
    weights_BHLM: tuple[Tensor, ...] = ()
    query_BHLK: tuple[Tensor, ...] = ()
    key_BHMK: tuple[Tensor, ...] = ()
    value_BHMK: tuple[Tensor, ...] = ()


class Shape(NamedTuple):
    """The sizes of a model that a caller may want to know before running it."""

    n_layers: int
    n_heads: int
    d_head: int
    d_model: int
    d_embedding: int


class Engine(Protocol):
    """A model that runs a batch and returns every step."""

    @property
    def shape(self) -> Shape:
        """The sizes of the model."""

    @property
    def device(self) -> str:
        """`cpu`, `cuda` or `mps`."""

    def run(self, batch: Batch, keep: Keep) -> Run:
        """Run the model once. `keep` says which steps are wanted."""
