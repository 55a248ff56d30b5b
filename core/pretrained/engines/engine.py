"""What the two engines have in common: token ids in, every step out, still in torch and in batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, Protocol

from torch import Tensor

from ...records.attention import Outside

Keep = Literal["all", "attention", "hidden"]


class Batch(NamedTuple):
    """Texts of equal length, or padded to it: then `mask_BL` is false at the padding."""

    ids_BL: Tensor
    segments_BL: Tensor
    mask_BL: Tensor | None


class Run(NamedTuple):
    """Every step of one batch. The tuples have one entry a layer; what was not asked for is empty.

    A layer without attention has None in place of its weights, query, key and value. `mask_BHLM`
    and `bias_BHLM` are what is added to the scores of each layer, None for nothing, and batch and heads
    may be 1 there. `final_BLD` is behind the final norm, where there is one; `scale` is what each layer
    multiplies query·key by, None for 1/√d_head; `softcap` as in `core.Trace`; `outside` says
    where a part of each row of weights goes that goes to no key; None where all of it does.
    """

    learned_BLE: Tensor
    embedded_BLD: Tensor
    hidden_BLD: tuple[Tensor, ...]
    weights_BHLM: tuple[Tensor | None, ...] = ()
    query_BHLK: tuple[Tensor | None, ...] = ()
    key_BHMK: tuple[Tensor | None, ...] = ()
    value_BHMK: tuple[Tensor | None, ...] = ()
    final_BLD: Tensor | None = None
    mask_BHLM: tuple[Tensor | None, ...] = ()
    bias_BHLM: tuple[Tensor | None, ...] = ()
    scale: tuple[float, ...] | None = None
    softcap: float | None = None
    outside: Outside | None = None
    causal: bool = False
    why_no_products: str = ""


class Cross(NamedTuple):
    """The cross-attention of one batch, as in `Run`: L tokens of the target, M of the source."""

    weights_BHLM: tuple[Tensor | None, ...] = ()
    query_BHLK: tuple[Tensor | None, ...] = ()
    key_BHMK: tuple[Tensor | None, ...] = ()
    value_BHMK: tuple[Tensor | None, ...] = ()
    scale: tuple[float, ...] | None = None
    softcap: float | None = None
    outside: Outside | None = None
    why_no_products: str = ""


class Seq2SeqRun(NamedTuple):
    """Every step of an encoder–decoder."""

    encoder: Run
    decoder: Run
    cross: Cross


class Shape(NamedTuple):
    """The sizes of a model that a caller may want to know before running it."""

    n_layers: int
    n_heads: int
    d_head: int
    d_model: int
    d_embedding: int


class Gives(NamedTuple):
    """The parts that a trace by this model can hold.

    Attributes:
        products: query, key and value, and so scores (`Trace.products`).
        final: what comes out of a norm behind the last layer (`Trace.final`).
        biases: how many position biases are added to the scores (`Trace.bias`): none, one for all
            layers, or one for each.
    """

    products: bool = True
    final: bool = False
    biases: int = 0


def numbers(shape: Shape, gives: Gives, tokens: int, keep: Keep) -> int:
    """How many numbers a trace of so many tokens holds."""
    grid = shape.n_layers * shape.n_heads
    count = tokens * (shape.d_embedding + shape.d_model)
    if keep != "attention":
        count += (shape.n_layers + gives.final) * tokens * shape.d_model
    if keep != "hidden":
        count += grid * tokens * tokens
    if keep == "all" and gives.products:
        count += 3 * grid * tokens * shape.d_head + gives.biases * shape.n_heads * tokens * tokens
    return count


def cross_numbers(shape: Shape, queries: int, keys: int, keep: Keep) -> int:
    """How many numbers the cross-attention of a decoder of this shape holds."""
    grid = shape.n_layers * shape.n_heads
    count = grid * queries * keys if keep != "hidden" else 0
    return count + (grid * (queries + 2 * keys) * shape.d_head if keep == "all" else 0)


class Engine(Protocol):
    """A model that runs a batch and returns every step."""

    @property
    def shape(self) -> Shape:
        """The sizes of the model."""

    @property
    def gives(self) -> Gives:
        """The parts that a trace by it can hold."""

    @property
    def device(self) -> str:
        """`cpu`, `cuda` or `mps`."""

    @property
    def causal(self) -> bool:
        """Whether a token sees itself and those before it only."""

    @property
    def leaks(self) -> bool:
        """Whether the padding behind a text changes its vectors, as a convolution lets it."""

    @property
    def table(self) -> Tensor:
        """(V, E): the word-embedding table."""

    @property
    def n_vocabulary(self) -> int:
        """How many tokens it knows that it may write: of an encoder–decoder, the decoder's."""

    def run(self, batch: Batch, keep: Keep) -> Run:
        """Run the model once. `keep` says which steps are wanted."""

    def last(self, batch: Batch) -> Tensor:
        """(B, L, D): run the model once, and return the input of its head."""


class Seq2SeqEngine(Engine, Protocol):
    """An encoder–decoder. As an `Engine` it is its encoder alone."""

    @property
    def decoder_shape(self) -> Shape:
        """The sizes of the decoder."""

    @property
    def decoder_gives(self) -> Gives:
        """The parts that a trace of the decoder can hold."""

    @property
    def start_id(self) -> int:
        """The token that the decoder begins with."""

    def run_pair(self, source: Batch, target: Batch, keep: Keep) -> Seq2SeqRun:
        """Run the model once; `target` is what the decoder reads, start token included."""

    def reading(self, source: Batch) -> Callable[[Batch], Tensor]:
        """Run the encoder once. The answer runs the decoder on any target, as `last` does."""
