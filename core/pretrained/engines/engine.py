"""The interface of both engines: token ids in, every step out, still as torch tensors in batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, Protocol

from torch import Tensor

from ...records.attention import Outside

Keep = Literal["all", "attention", "hidden"]


class Batch(NamedTuple):
    """Texts of equal length, or padded to it; `mask_BL` is false at the padding."""

    ids_BL: Tensor
    segments_BL: Tensor
    mask_BL: Tensor | None


class Whole(NamedTuple):
    """The steps of one text in all layers, on a first axis; None where a step was not kept.

    They are (N, L, D), (N, H, L, M), (N, H, L, K), and twice (N, H, M, K).
    """

    hidden: Any = None
    weights: Any = None
    query: Any = None
    key: Any = None
    value: Any = None


class Run(NamedTuple):
    """Every step of one batch. The tuples have one entry per layer, or none if not requested.

    A layer without attention has None in place of its weights, query, key and value. `mask_BHLM` and
    `bias_BHLM` are added to the scores of each layer; None means nothing is added, and the batch and
    head axes may have length 1. `final_BLD` is the output of the final norm, if there is one; `scale`
    is the factor by which each layer multiplies query·key, None for 1/√d_head; for `softcap` see
    `core.Trace`; `outside` names what receives the share of each row of weights that goes to no key,
    None if there is no such share. `whole` has the steps of a text that ran alone as arrays of all
    layers, where the engine wrote them so; the steps of each layer are views of them. `on_demand`:
    weights were asked for, and are computed from query and key by whoever reads them.
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
    whole: Whole | None = None
    on_demand: bool = False


class Cross(NamedTuple):
    """The cross-attention of one batch, see `Run`: L tokens of the target, M of the source."""

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
        products: query, key and value, and therefore scores (`Trace.products`).
        final: the output of a final norm (`Trace.final`).
        biases: the number of position biases added to the scores (`Trace.bias`): none, one for all
            layers, or one per layer.
    """

    products: bool = True
    final: bool = False
    biases: int = 0


def numbers(shape: Shape, gives: Gives, tokens: int, keep: Keep) -> int:
    """The number of floats in a trace of so many tokens."""
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
    """The number of floats in the cross-attention of a decoder of this shape."""
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
        """Whether a token sees only itself and earlier tokens."""

    @property
    def table(self) -> Tensor:
        """(V, E): the word-embedding table, float32 unless it stays a half (`widened`)."""

    @property
    def n_vocabulary(self) -> int:
        """The number of tokens that it can predict; for an encoder–decoder, the decoder's."""

    def run(self, batch: Batch, keep: Keep) -> Run:
        """Run the model once. `keep` says which steps are returned."""

    def last(self, batch: Batch) -> Tensor:
        """(B, L, D): run the model once, and return the input of its head."""

    def following(self) -> Callable[[Batch], Tensor] | None:
        """Begin a text: a function like `last` that takes only tokens which it has not read yet.

        It keeps keys and values of the others: one text, no padding. None where the model cannot, or
        would give other numbers.
        """


class Seq2SeqEngine(Engine, Protocol):
    """An encoder–decoder. Used as an `Engine`, it runs its encoder alone."""

    @property
    def decoder_shape(self) -> Shape:
        """The sizes of the decoder."""

    @property
    def decoder_gives(self) -> Gives:
        """The parts that a trace of the decoder can hold."""

    @property
    def start_id(self) -> int:
        """The token with which the decoder begins."""

    def run_pair(self, source: Batch, target: Batch, keep: Keep) -> Seq2SeqRun:
        """Run the model once; `target` is the decoder's input, start token included."""

    def reading(self, source: Batch) -> Callable[[Batch], Tensor]:
        """Run the encoder once; returns a function that runs the decoder on any target, like `last`."""
