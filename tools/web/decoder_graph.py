"""The ONNX graphs of a decoder, written from its table of parts, without a weight inside.

There are two. `layers` is a few neighbouring layers; the browser makes one session for each such group,
all from this one graph, and the group's own weights. A session is therefore made as soon as its
weights have arrived, at no time do all weights exist twice, and between two groups a run can be given
up. `head` is the final norm and the matrix that predicts tokens: it runs on as many rows as somebody
wants logits for, most often one.

Everything is token-major: what a run returns for n tokens are n rows, which are appended to those of
the tokens before. So one graph reads a whole text, and one token after another. `past` holds the rows
of keys and values so far; without any, it has no rows.

The names of the weights are those of llama.cpp (GGUF), with the layer's index in the group in front.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

import numpy as np
import torch
from onnx import TensorProto, helper, numpy_helper

from core.transformer import TransformerConfig

LAYERS_INPUTS = ("input", "past")
LAYERS_OUTPUTS = ("output", "hidden", "q", "kv", "most", "at")
_OPSET, _IR = 18, 9  # older than any run-time that is still in use
_LOWEST = float(torch.finfo(torch.float32).min)
Weights = dict[str, tuple[int, ...]]


class NotWritten(ValueError):
    """A part that these graphs do not have."""


def layer_weights(config: TransformerConfig) -> Weights:
    """The weights of one layer, by llama.cpp's names, with their shapes: (outputs, inputs)."""
    d_head = config.parts.d_head or config.d_model // config.n_heads
    queries = config.n_heads * d_head
    keys = (config.parts.n_kv_heads or config.n_heads) * d_head
    return {
        "attn_norm.weight": (config.d_model,),
        "attn_q.weight": (queries, config.d_model),
        "attn_k.weight": (keys, config.d_model),
        "attn_v.weight": (keys, config.d_model),
        "attn_output.weight": (config.d_model, queries),
        "ffn_norm.weight": (config.d_model,),
        "ffn_gate.weight": (config.d_ff, config.d_model),
        "ffn_up.weight": (config.d_ff, config.d_model),
        "ffn_down.weight": (config.d_model, config.d_ff),
    }


def layers(config: TransformerConfig, n_layers: int) -> bytes:
    """The graph of so many neighbouring layers.

    Inputs, for n tokens after m others: `input` (n, d_model), what the first of the layers reads; and
    `past` (m, n_layers, 2, n_kv_heads, d_head), the keys and values of those before. Outputs:

        output   (n, d_model)                          what the last of the layers writes
        hidden   (n, n_layers, d_model)                what each of them writes
        q        (n, n_layers, n_heads, d_head)        queries, turned by their positions
        kv       (n, n_layers, 2, n_kv_heads, d_head)  keys, turned as well, and values: more of `past`
        most, at (n, n_layers, n_heads)                the largest weight, and the key that has it

    The log of a row's sum of e^score follows from the last two (`tools.web.Steps`).

    Raises:
        NotWritten: the decoder has another part than those of a Llama.
    """
    _check(config)
    return _Layers(config, n_layers).written()


def head(config: TransformerConfig) -> bytes:
    """The graph from rows that the last layer has written to their logits.

    Inputs: `input` (r, d_model), and `norm` (d_model), the weight of the final norm, which llama.cpp
    puts at the very end of a file: so this session is made before it has arrived. Output: `logits`
    (r, V).

    Raises:
        NotWritten: see `layers`.
    """
    _check(config)
    graph, rows = _Graph(), ("r", config.d_model)
    normed = graph.norm("input", "norm", config.norm_eps)
    table = graph.weight("output.weight", (config.n_vocabulary, config.d_model))
    graph.linear(normed, table, "logits")
    return graph.model(
        {"input": rows, "norm": (config.d_model,)},
        {"logits": (TensorProto.FLOAT, ("r", config.n_vocabulary))},
    )


def _check(config: TransformerConfig) -> None:
    parts = config.parts
    plain = {
        "an encoder": config.n_encoder_layers,
        "positions that are not rotary": config.positions != "rotary",
        "slower rotations": parts.rotation.stretch is not None,
        "pairs of adjacent dimensions": parts.rotation.pairs != "halves",
        "a norm other than RMSNorm": parts.norm != "RMSNorm",
        "norms after the sums": not config.norm_first,
        "a network without a gate": not parts.gated,
        f"the activation {config.activation}": config.activation != "silu",
        "windows": any(config.windows),
        "biases": parts.qkv_bias or parts.output_bias or parts.feed_forward_bias,
        "scaled embeddings": config.scale_embeddings,
    }
    for part, is_there in plain.items():
        if is_there:
            raise NotWritten(f"The graph of a decoder has no {part}.")


class _Graph:
    """Nodes in their order, and what they read that no run gives them."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.stored: list[Any] = []
        self._names: Iterator[int] = count()
        self._constants: dict[tuple[Any, ...], str] = {}

    def op(self, kind: str, *inputs: str, into: str | None = None, **attributes: Any) -> str:
        """One operation with one result, `into`; returns the name of the result."""
        name = into or f"{kind.lower()}_{next(self._names)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def constant(self, value: Any, dtype: type = np.int64) -> str:
        """A small constant; equal ones are there once."""
        array: Any = np.asarray(value, dtype)
        key = (array.dtype.str, array.shape, array.tobytes())
        if key not in self._constants:
            self._constants[key] = f"constant_{len(self._constants)}"
            self.stored.append(numpy_helper.from_array(array, self._constants[key]))
        return self._constants[key]

    def weight(self, name: str, shape: Sequence[int]) -> str:
        """A weight, which lies in a file of its own name."""
        tensor = TensorProto(
            name=name, data_type=TensorProto.FLOAT, dims=shape, data_location=TensorProto.EXTERNAL
        )
        length = 4 * int(np.prod(shape))
        for key, value in (("location", name), ("offset", 0), ("length", length)):
            tensor.external_data.add(key=key, value=str(value))
        self.stored.append(tensor)
        return name

    def norm(self, x: str, weight: str, eps: float) -> str:
        """RMSNorm, as its formula says: x / √(mean of x² + ε) · weight."""
        mean = self.op("ReduceMean", self.op("Mul", x, x), self.constant([-1]), keepdims=1)
        root = self.op("Sqrt", self.op("Add", mean, self.constant(eps, np.float32)))
        return self.op("Mul", self.op("Div", x, root), weight)

    def linear(self, x: str, weight: str, into: str | None = None) -> str:
        """(rows, inputs) to (rows, outputs), by a weight (outputs, inputs)."""
        return self.op("Gemm", x, weight, into=into, transB=1)

    def shaped(self, x: str, *shape: int) -> str:
        """In another shape; 0 keeps a dimension, and −1 is what is left."""
        return self.op("Reshape", x, self.constant(shape))

    def stack(self, parts: Sequence[str], axis: int, into: str | None = None) -> str:
        """Equal shapes along a new axis."""
        at = self.constant([axis])
        return self.op(
            "Concat", *(self.op("Unsqueeze", one, at) for one in parts), into=into, axis=axis
        )

    def model(
        self,
        inputs: dict[str, tuple[Any, ...]],
        outputs: dict[str, tuple[int, tuple[Any, ...]]],
    ) -> bytes:
        """The whole as the content of a file."""
        info = helper.make_tensor_value_info
        graph = helper.make_graph(
            self.nodes,
            "decoder",
            [info(name, TensorProto.FLOAT, shape) for name, shape in inputs.items()],
            [info(name, kind, shape) for name, (kind, shape) in outputs.items()],
            self.stored,
        )
        made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)])
        made.ir_version = _IR
        serialized: bytes = made.SerializeToString(deterministic=True)
        return serialized


class _Layers(_Graph):
    """Some neighbouring layers."""

    def __init__(self, config: TransformerConfig, n_layers: int) -> None:
        super().__init__()
        self.config, self.n_layers = config, n_layers
        self.d_head = config.parts.d_head or config.d_model // config.n_heads
        self.n_kv_heads = config.parts.n_kv_heads or config.n_heads

    def written(self) -> bytes:
        """See `layers`."""
        c, float_, int_ = self.config, TensorProto.FLOAT, TensorProto.INT64
        cos_sin, mask = self._positions()
        x, rows = "input", []
        for i in range(self.n_layers):
            x, made = self._layer(i, x, cos_sin, mask)
            rows.append((x, *made))
        self.op("Identity", x, into="output")
        for name, parts in zip(LAYERS_OUTPUTS[1:], zip(*rows, strict=True), strict=True):
            self.stack(parts, 1, into=name)
        kept = (self.n_layers, 2, self.n_kv_heads, self.d_head)
        return self.model(
            {"input": ("n", c.d_model), "past": ("m", *kept)},
            {
                "output": (float_, ("n", c.d_model)),
                "hidden": (float_, ("n", self.n_layers, c.d_model)),
                "q": (float_, ("n", self.n_layers, c.n_heads, self.d_head)),
                "kv": (float_, ("n", *kept)),
                "most": (float_, ("n", self.n_layers, c.n_heads)),
                "at": (int_, ("n", self.n_layers, c.n_heads)),
            },
        )

    def _length(self, of: str) -> str:
        return self.op("Gather", self.op("Shape", of), self.constant(0), axis=0)

    def _positions(self) -> tuple[tuple[str, str], str]:
        """Cosines and sines of the turns, (n, 1, d_head / 2) each, and the mask's bias, (n, M)."""
        zero, one = self.constant(0), self.constant(1)
        before = self._length("past")
        end = self.op("Add", before, self._length("input"))
        queries, keys = self.op("Range", before, end, one), self.op("Range", zero, end, one)
        # `Rotation.angles` at position 1 are the rates themselves, as our transformer has them.
        rates = self.config.parts.rotation.angles(torch.ones(1), self.d_head)[0].numpy()
        at = self.op("Unsqueeze", queries, self.constant([1, 2]))
        angles = self.op(
            "Mul", self.op("Cast", at, to=TensorProto.FLOAT), self.constant(rates, np.float32)
        )
        hidden = self.op(
            "Greater",
            self.op("Unsqueeze", keys, self.constant([0])),
            self.op("Unsqueeze", queries, self.constant([1])),
        )
        low, nothing = self.constant(_LOWEST, np.float32), self.constant(0, np.float32)
        return (self.op("Cos", angles), self.op("Sin", angles)), self.op("Where", hidden, low, nothing)

    def _layer(
        self, i: int, x: str, cos_sin: tuple[str, str], mask: str
    ) -> tuple[str, tuple[str, str, str, str]]:
        """What a layer writes, (n, d_model), and its q, kv, most and at."""
        weights = {
            name: self.weight(f"{i}.{name}", shape)
            for name, shape in layer_weights(self.config).items()
        }
        read = self.norm(x, weights["attn_norm.weight"], self.config.norm_eps)
        q, k, v = (
            self.shaped(self.linear(read, weights[f"attn_{part}.weight"]), 0, -1, self.d_head)
            for part in "qkv"
        )
        q, k = self._turned(q, cos_sin), self._turned(k, cos_sin)
        past = self.op("Gather", "past", self.constant(i), axis=1)
        keys, values = (
            self.op("Concat", self.op("Gather", past, self.constant(which), axis=1), new, axis=0)
            for which, new in enumerate((k, v))
        )
        mixed, most, at = self._attention(q, keys, values, mask)
        x = self.op("Add", x, self.linear(mixed, weights["attn_output.weight"]))
        read = self.norm(x, weights["ffn_norm.weight"], self.config.norm_eps)
        gate = self.linear(read, weights["ffn_gate.weight"])
        active = self.op("Mul", gate, self.op("Sigmoid", gate))
        inner = self.op("Mul", active, self.linear(read, weights["ffn_up.weight"]))
        x = self.op("Add", x, self.linear(inner, weights["ffn_down.weight"]))
        return x, (q, self.stack((k, v), 1), most, at)

    def _turned(self, x: str, cos_sin: tuple[str, str]) -> str:
        """Queries or keys, (n, heads, d_head), turned by their positions as `positions.turned` does."""
        (cos, sin), half, end = cos_sin, self.d_head // 2, self.d_head
        last = self.constant([-1])
        first = self.op("Slice", x, self.constant([0]), self.constant([half]), last)
        second = self.op("Slice", x, self.constant([half]), self.constant([end]), last)

        def by(one: str, turn: str) -> str:
            return self.op("Mul", one, turn)

        return self.op(
            "Concat",
            self.op("Sub", by(first, cos), by(second, sin)),
            self.op("Add", by(first, sin), by(second, cos)),
            axis=-1,
        )

    def _attention(self, q: str, keys: str, values: str, mask: str) -> tuple[str, str, str]:
        """(n, heads · d_head), the heads' means of the values; and `most`, `at`, each (n, heads).

        The queries of the heads that share a key stand in its rows: no key is repeated.
        """
        shared, d_head = self.n_kv_heads, self.d_head
        each = self.config.n_heads // shared
        split = self.op("Transpose", self.shaped(q, 0, shared, each, d_head), perm=[1, 2, 0, 3])
        rows = self.shaped(split, 0, -1, d_head)  # (shared, each · n, d_head)
        products = self.op("MatMul", rows, self.op("Transpose", keys, perm=[1, 2, 0]))
        scores = self.op("Mul", products, self.constant(d_head**-0.5, np.float32))
        by_head = self.op("Reshape", scores, self._by_head(mask))
        weights = self.op("Softmax", self.op("Add", by_head, mask), axis=-1)
        most = self.op("ReduceMax", weights, self.constant([-1]), keepdims=0)
        at = self.op("ArgMax", weights, axis=-1, keepdims=0)
        grouped = self.op("Reshape", weights, self.op("Shape", products))
        mixed = self.op("MatMul", grouped, self.op("Transpose", values, perm=[1, 0, 2]))
        of_tokens = self.op(
            "Transpose", self.op("Reshape", mixed, self.op("Shape", split)), perm=[2, 0, 1, 3]
        )
        most, at = (self.op("Transpose", one, perm=[1, 0]) for one in (most, at))
        return self.shaped(of_tokens, 0, -1), most, at

    def _by_head(self, mask: str) -> str:
        """The shape (heads, n, M)."""
        return self.op("Concat", self.constant([self.config.n_heads]), self.op("Shape", mask), axis=0)
