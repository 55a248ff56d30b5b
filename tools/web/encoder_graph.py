"""The ONNX graph of one layer's adjoint in MiniLM: for what each word adds to a position.

It is `core.attribution.adjoint` for a layer of BERT: the attention weights, the deviations of the norms
and the gates of the network are held as they were in this run. It gets the layer's weights with each
run, so that no layer lies in memory twice; their names are those of BERT's file, within a layer.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from onnx import TensorProto

from core.transformer import EncoderConfig
from tools.web.graph import Graph

OUTPUTS = ("before", "biases")
VALUE, OUTPUT, NORM, INNER, OUTER, NORM_2 = (
    "attention.self.value",
    "attention.output.dense",
    "attention.output.LayerNorm",
    "intermediate.dense",
    "output.dense",
    "output.LayerNorm",
)


class NotWritten(ValueError):
    """A part that this graph does not have."""


def layer_weights(config: EncoderConfig) -> dict[str, tuple[int, ...]]:
    """The weights of one layer that its adjoint needs, by their names, with their shapes.

    The attention weights are held: those of queries and keys are not among them.
    """
    width, inner = config.d_model, config.d_ff
    shapes = {
        VALUE: (width, width),
        OUTPUT: (width, width),
        NORM: (width,),
        INNER: (inner, width),
        OUTER: (width, inner),
        NORM_2: (width,),
    }
    biases = {f"{name}.bias": shape[:1] for name, shape in shapes.items()}
    return {f"{name}.weight": shape for name, shape in shapes.items()} | biases


def back(config: EncoderConfig) -> bytes:
    """The graph of one layer there and back.

    Inputs, for a text of n tokens: `input` (n, d_model), what the layer reads; `q` and `k` (n_heads, n,
    d_head); `slope` (g, n, d_model), gradients with respect to what it writes, which pass it together;
    and the weights of the layer. Outputs:

        before  (g, n, d_model)   the gradients with respect to `input`
        biases  (g,)              what the biases of this layer add

    Raises:
        NotWritten: the encoder's network has another activation than GELU.
    """
    if config.activation != "gelu":
        raise NotWritten(f"The graph of an encoder has no activation {config.activation}.")
    return _Back(config).written()


class _Held(NamedTuple):
    """A norm behind a sum: what it returns, and what it divides by."""

    normed: str
    deviation: str


class _Back(Graph):
    """One layer, there and back."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.config = config
        self.d_head = config.d_model // config.n_heads
        self.biases: list[str] = []

    def written(self) -> bytes:
        """See `back`."""
        c, float_ = self.config, TensorProto.FLOAT
        weights = self._weights()
        values = self._by_head(self._linear("input", VALUE))
        mixed = self.op("Transpose", self.op("MatMul", weights, values), perm=[1, 0, 2])
        attended = self._linear(self.shaped(mixed, 0, -1), OUTPUT)
        first = self._norm(self.op("Add", "input", attended), NORM)
        inner = self._linear(first.normed, INNER)
        gate = self._gate(inner)
        added = self._linear(self.op("Mul", inner, gate), OUTER)
        second = self._norm(self.op("Add", first.normed, added), NORM_2)

        slope = self._through_norm("slope", NORM_2, second)
        slope = self.op("Add", slope, self._network(slope, gate))
        slope = self._through_norm(slope, NORM, first)
        self.op("Add", slope, self._attention(slope, weights), into="before")
        self.op("Sum", *self.biases, into="biases")

        rows, each = ("n", c.d_model), (c.n_heads, "n", self.d_head)
        return self.model(
            {"input": rows, "q": each, "k": each, "slope": ("g", *rows), **layer_weights(c)},
            {"before": (float_, ("g", *rows)), "biases": (float_, ("g",))},
        )

    def _weights(self) -> str:
        """(heads, n, n), the attention weights."""
        products = self.op("MatMul", "q", self.op("Transpose", "k", perm=[0, 2, 1]))
        scores = self.op("Mul", products, self.constant(self.d_head**-0.5, np.float32))
        return self.op("Softmax", scores, axis=-1)

    def _by_head(self, x: str) -> str:
        """(n, d_model) as (heads, n, d_head)."""
        apart = self.shaped(x, 0, self.config.n_heads, self.d_head)
        return self.op("Transpose", apart, perm=[1, 0, 2])

    def _linear(self, x: str, name: str) -> str:
        return self.op("Gemm", x, f"{name}.weight", f"{name}.bias", transB=1)

    def _norm(self, x: str, name: str) -> _Held:
        """LayerNorm, as its formula says."""
        last = self.constant([-1])
        centred = self.op("Sub", x, self.op("ReduceMean", x, last, keepdims=1))
        deviation = self.root(centred, self.config.norm_eps)
        scaled = self.op("Mul", self.op("Div", centred, deviation), f"{name}.weight")
        return _Held(self.op("Add", scaled, f"{name}.bias"), deviation)

    def _gate(self, x: str) -> str:
        """GELU(x) / x."""
        one, half = self.constant(1, np.float32), self.constant(0.5, np.float32)
        scaled = self.op("Mul", x, self.constant(math.sqrt(0.5), np.float32))
        return self.op("Mul", self.op("Add", self.op("Erf", scaled), one), half)

    def _through_norm(self, slope: str, name: str, held: _Held) -> str:
        """Back through γ·(x − mean)/deviation + β, the deviation held."""
        self._bias(slope, name)
        scaled = self.op("Div", self.op("Mul", slope, f"{name}.weight"), held.deviation)
        return self.op("Sub", scaled, self.op("ReduceMean", scaled, self.constant([-1]), keepdims=1))

    def _network(self, slope: str, gate: str) -> str:
        """What comes back through the network to what it reads."""
        self._bias(slope, OUTER)
        inner = self.op("Mul", self.transposed(slope, f"{OUTER}.weight"), gate)
        self._bias(inner, INNER)
        return self.transposed(inner, f"{INNER}.weight")

    def _attention(self, slope: str, weights: str) -> str:
        """What comes back through the attention."""
        self._bias(slope, OUTPUT)
        mixed = self.transposed(slope, f"{OUTPUT}.weight")
        apart = self.shaped(mixed, 0, 0, self.config.n_heads, self.d_head)
        by_head = self.op("Transpose", apart, perm=[0, 2, 1, 3])  # (g, heads, n, d_head)
        held = self.op("Transpose", weights, perm=[0, 2, 1])
        values = self.op("Transpose", self.op("MatMul", held, by_head), perm=[0, 2, 1, 3])
        rows = self.shaped(values, 0, 0, -1)
        self._bias(rows, VALUE)
        return self.transposed(rows, f"{VALUE}.weight")

    def _bias(self, slope: str, name: str) -> None:
        """What a bias adds, (g,), given the gradients with respect to what it is added to."""
        of_text = self.op("ReduceSum", slope, self.constant([1]), keepdims=0)
        self.biases.append(self.op("MatMul", of_text, f"{name}.bias"))
