"""The ONNX graphs of a decoder, written from its table of parts, without a weight inside.

There are four. `layers` is a few neighbouring layers; the browser makes one session for each such
group, all from this one graph, and the group's own weights. A session is therefore made as soon as its
weights have arrived, at no time do all weights exist twice, and between two groups a run can be given
up. `head` is the matrix that predicts tokens: it runs on as many normed rows as somebody wants logits
for, most often one. `back` is one layer's adjoint, for the sum behind a logit
(`core.attribution.adjoint`), and `changed` one layer of a run in which somebody changes something. Both
get their weights with each run, so that no layer lies in memory twice.

Everything is token-major: what a run returns for n tokens are n rows, which are appended to those of
the tokens before. So one graph reads a whole text, and one token after another. `past` holds the rows
of keys and values so far; without any, it has no rows.

The names of the weights are those of llama.cpp (GGUF), with the layer's index in the group in front.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import sqrt

import numpy as np
import torch
from onnx import TensorProto

from core.transformer import TransformerConfig
from tools.web.graph import Graph

LAYERS_INPUTS = ("input", "past")
LAYERS_OUTPUTS = ("output", "hidden", "q", "kv", "most", "at")
BACK_OUTPUTS = ("before", "heads", "network")
# What the paper of 2017 had otherwise (`core.walkthroughs.swapped_parts`), and `changed` can exchange.
PAPER_PARTS = ("order", "norm", "network")
_LOWEST = float(torch.finfo(torch.float32).min)
_NOT_BACK = ("attn_q.weight", "attn_k.weight")  # the attention weights are held
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
    """The graph from rows, as they come out of the final norm, to their logits.

    Input: `input` (r, d_model). The norm is not in it: a fitted lens has a map behind it
    (`core.language.lens`). Output: `logits` (r, V).

    Raises:
        NotWritten: see `layers`.
    """
    _check(config)
    graph = Graph()
    table = graph.weight("output.weight", (config.n_vocabulary, config.d_model))
    graph.linear("input", table, "logits")
    return graph.model(
        {"input": ("r", config.d_model)},
        {"logits": (TensorProto.FLOAT, ("r", config.n_vocabulary))},
    )


def back(config: TransformerConfig) -> bytes:
    """The graph of one layer's adjoint, with its attention weights, norms and gates held as they were.

    It reads a whole text of n tokens, whose last one predicts. Inputs: `input` (n, d_model), `q` and
    `kv` as `layers` has them, without their axis of layers; `slope` (g, n, d_model), gradients with
    respect to what the layer writes, which pass it together; `along` (1, d_model), the gradient with
    respect to the last token's vector behind all layers; and the weights of the layer by their names.
    Outputs:

        before   (g, n, d_model)   the gradients with respect to `input`
        heads    (n_heads,)        what each head adds along `along` to the last token
        network  (1,)              what the feed-forward network adds

    Raises:
        NotWritten: see `layers`.
    """
    _check(config)
    return _Back(config).written()


def changed(config: TransformerConfig) -> bytes:
    """The graph of one layer of a run that is changed; with neutral inputs, the layer as it is.

    Each head has keys and values of its own: heads that share some get them repeated. Inputs, for n
    tokens after m others: `input` (n, d_model); `past` (m, 2, n_heads, d_head), the keys and values of
    those before; `at` (n,), the positions by which queries and keys are turned, 0 for not at all;
    `bias` (n, m + n), which is added to each score: the mask, and what else is hidden; `factors`
    (n_heads,), by which what each head writes is multiplied; `paper` (3,), 1 for each of `PAPER_PARTS`
    as the paper had it, else 0; and the weights of the layer by their names. Output: `output`
    (n, d_model), what the layer writes.

    Raises:
        NotWritten: see `layers`.
    """
    _check(config)
    return _Changed(config).written()


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
        "scaled embeddings": config.scale_embeddings or config.embedding_scale,
        "scaled logits": config.logit_scale != 1,
    }
    for part, is_there in plain.items():
        if is_there:
            raise NotWritten(f"The graph of a decoder has no {part}.")


class _Layers(Graph):
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
        at = self.op("Unsqueeze", queries, self.constant([1, 2]))
        return self._turns(self.op("Cast", at, to=TensorProto.FLOAT)), self._mask(queries, keys)

    def _turns(self, at: str) -> tuple[str, str]:
        """Cosines and sines of the turns at positions (n, 1, 1): (n, 1, d_head / 2) each."""
        # `Rotation.angles` at position 1 are the rates themselves, as our transformer has them.
        rates = self.config.parts.rotation.angles(torch.ones(1), self.d_head)[0].numpy()
        angles = self.op("Mul", at, self.constant(rates, np.float32))
        return self.op("Cos", angles), self.op("Sin", angles)

    def _mask(self, queries: str, keys: str) -> str:
        """The bias, (n, M), that hides later tokens."""
        hidden = self.op(
            "Greater",
            self.op("Unsqueeze", keys, self.constant([0])),
            self.op("Unsqueeze", queries, self.constant([1])),
        )
        low, nothing = self.constant(_LOWEST, np.float32), self.constant(0, np.float32)
        return self.op("Where", hidden, low, nothing)

    def _layer(
        self, i: int, x: str, cos_sin: tuple[str, str], mask: str
    ) -> tuple[str, tuple[str, str, str, str]]:
        """What a layer writes, (n, d_model), and its q, kv, most and at."""
        weights = {
            name: self.weight(f"{i}.{name}", shape)
            for name, shape in layer_weights(self.config).items()
        }
        read = self.norm(x, weights["attn_norm.weight"], self.config.norm_eps)
        q, k, v = self._read(read, weights, cos_sin)
        past = self.op("Gather", "past", self.constant(i), axis=1)
        keys, values = (
            self.op("Concat", self.op("Gather", past, self.constant(which), axis=1), new, axis=0)
            for which, new in enumerate((k, v))
        )
        by_head = self._weights(q, keys, mask)
        most, at = (
            self.op("Transpose", one, perm=[1, 0])
            for one in (
                self.op("ReduceMax", by_head, self.constant([-1]), keepdims=0),
                self.op("ArgMax", by_head, axis=-1, keepdims=0),
            )
        )
        mixed = self._mixed(by_head, values)
        x = self.op("Add", x, self.linear(mixed, weights["attn_output.weight"]))
        read = self.norm(x, weights["ffn_norm.weight"], self.config.norm_eps)
        gate = self.linear(read, weights["ffn_gate.weight"])
        active = self.op("Mul", gate, self.op("Sigmoid", gate))
        inner = self.op("Mul", active, self.linear(read, weights["ffn_up.weight"]))
        x = self.op("Add", x, self.linear(inner, weights["ffn_down.weight"]))
        return x, (q, self.stack((k, v), 1), most, at)

    def _read(
        self, read: str, weights: Mapping[str, str], cos_sin: tuple[str, str]
    ) -> tuple[str, str, str]:
        """Queries, keys and values, (n, heads, d_head); queries and keys are turned."""
        q, k, v = (
            self.shaped(self.linear(read, weights[f"attn_{part}.weight"]), 0, -1, self.d_head)
            for part in "qkv"
        )
        return self._turned(q, cos_sin), self._turned(k, cos_sin), v

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

    def _weights(self, q: str, keys: str, mask: str) -> str:
        """(heads, n, M), the attention weights.

        The queries of the heads that share a key stand in its rows: no key is repeated.
        """
        rows = self._grouped(q)  # (shared, each · n, d_head)
        products = self.op("MatMul", rows, self.op("Transpose", keys, perm=[1, 2, 0]))
        scores = self.op("Mul", products, self.constant(self.d_head**-0.5, np.float32))
        by_head = self.op("Reshape", scores, self._by_head(mask))
        return self.op("Softmax", self.op("Add", by_head, mask), axis=-1)

    def _grouped(self, x: str) -> str:
        """(n, heads · d_head) or (n, heads, d_head) as (shared, each · n, d_head)."""
        each = self.config.n_heads // self.n_kv_heads
        apart = self.shaped(x, 0, self.n_kv_heads, each, self.d_head)
        return self.shaped(self.op("Transpose", apart, perm=[1, 2, 0, 3]), 0, -1, self.d_head)

    def _shared(self, weights: str) -> str:
        """The weights of the heads that share a key, one below the other: (shared, each · n, M)."""
        ends = self.constant([self.n_kv_heads, -1]), self.op("Shape", weights, start=2)
        return self.op("Reshape", weights, self.op("Concat", *ends, axis=0))

    def _mixed(self, weights: str, values: str) -> str:
        """(n, heads · d_head), the heads' means of the values."""
        mixed = self.op("MatMul", self._shared(weights), self.op("Transpose", values, perm=[1, 0, 2]))
        length = self.op("Shape", weights, start=1, end=2)
        ends = self.constant([self.config.n_heads]), length, self.constant([self.d_head])
        by_head = self.op("Reshape", mixed, self.op("Concat", *ends, axis=0))
        return self.shaped(self.op("Transpose", by_head, perm=[1, 0, 2]), 0, -1)

    def _by_head(self, mask: str) -> str:
        """The shape (heads, n, M)."""
        return self.op("Concat", self.constant([self.config.n_heads]), self.op("Shape", mask), axis=0)


class _Changed(_Layers):
    """One layer, with what is changed as inputs."""

    def __init__(self, config: TransformerConfig) -> None:
        own = config.parts._replace(n_kv_heads=config.n_heads)
        super().__init__(replace(config, parts=own), 1)
        self.names = {name: name for name in layer_weights(self.config)}
        self.paper: dict[str, str] = {}

    def written(self) -> bytes:
        """See `changed`."""
        c, each = self.config, (self.config.n_heads, self.d_head)
        for i, part in enumerate(PAPER_PARTS):
            self.paper[part] = self.op("Cast", self._flag(i), to=TensorProto.BOOL)
        middle = self._sublayer("input", "attn_norm.weight", self._attended)
        self.op("Identity", self._sublayer(middle, "ffn_norm.weight", self._fed), into="output")
        return self.model(
            {
                "input": ("n", c.d_model),
                "past": ("m", 2, *each),
                "at": ("n",),
                "bias": ("n", "M"),
                "factors": (c.n_heads,),
                "paper": (len(PAPER_PARTS),),
                **layer_weights(c),
            },
            {"output": (TensorProto.FLOAT, ("n", c.d_model))},
        )

    def _flag(self, i: int) -> str:
        return self.op("Gather", "paper", self.constant(i), axis=0)

    def _sublayer(self, x: str, weight: str, step: Callable[[str], str]) -> str:
        """A sub-layer: x + step(norm(x)), or as the paper has it, norm(x + step(x))."""
        after = self.paper["order"]
        total = self.op("Add", x, step(self.op("Where", after, x, self._normed(x, weight))))
        return self.op("Where", after, self._normed(total, weight), total)

    def _normed(self, x: str, weight: str) -> str:
        """RMSNorm, or LayerNorm: the same of what the mean was taken from."""
        mean = self.op("ReduceMean", x, self.constant([-1]), keepdims=1)
        taken = self.op("Mul", mean, self._flag(PAPER_PARTS.index("norm")))
        return self.norm(self.op("Sub", x, taken), weight, self.config.norm_eps)

    def _attended(self, read: str) -> str:
        turns = self._turns(self.op("Unsqueeze", "at", self.constant([1, 2])))
        q, k, v = self._read(read, self.names, turns)
        keys, values = (
            self.op("Concat", self.op("Gather", "past", self.constant(which), axis=1), new, axis=0)
            for which, new in enumerate((k, v))
        )
        mixed = self._mixed(self._weights(q, keys, "bias"), values)
        by_head = self.shaped(mixed, 0, -1, self.d_head)
        kept = self.op("Mul", by_head, self.op("Unsqueeze", "factors", self.constant([1])))
        return self.linear(self.shaped(kept, 0, -1), "attn_output.weight")

    def _fed(self, read: str) -> str:
        """SwiGLU, or its two other matrices around GELU, without the gate."""
        inner, gate = self.linear(read, "ffn_up.weight"), self.linear(read, "ffn_gate.weight")
        gated = self.op("Mul", self.op("Mul", gate, self.op("Sigmoid", gate)), inner)
        half, one = (self.constant(x, np.float32) for x in (0.5, 1))
        bent = self.op("Erf", self.op("Mul", inner, self.constant(sqrt(0.5), np.float32)))
        gelu = self.op("Mul", self.op("Mul", inner, half), self.op("Add", bent, one))
        return self.linear(self.op("Where", self.paper["network"], gelu, gated), "ffn_down.weight")


class _Back(_Layers):
    """One layer, there and back."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__(config, 1)

    def written(self) -> bytes:
        """See `back`."""
        c, float_, rows = self.config, TensorProto.FLOAT, ("n", self.config.d_model)
        at = self.op("Range", self.constant(0), self._length("input"), self.constant(1))
        kv = [self.op("Gather", "kv", self.constant(which), axis=1) for which in (0, 1)]
        by_head = self._weights("q", kv[0], self._mask(at, at))
        mixed = self._mixed(by_head, kv[1])
        middle = self.op("Add", "input", self.linear(mixed, "attn_output.weight"))
        slope = self.op("Add", "slope", self._network(middle))
        self.op("Add", slope, self._attention(by_head, slope), into="before")
        read = self.op("Mul", self._last(mixed), self.transposed("along", "attn_output.weight"))
        of_heads = self.shaped(read, c.n_heads, self.d_head)
        self.op("ReduceSum", of_heads, self.constant([1]), into="heads", keepdims=0)
        each, slopes = (self.n_kv_heads, self.d_head), ("g", *rows)
        return self.model(
            {
                "input": rows,
                "q": ("n", c.n_heads, self.d_head),
                "kv": ("n", 2, *each),
                "slope": slopes,
                "along": (1, c.d_model),
                **{name: shape for name, shape in layer_weights(c).items() if name not in _NOT_BACK},
            },
            {
                "before": (float_, slopes),
                "heads": (float_, (c.n_heads,)),
                "network": (float_, (1,)),
            },
        )

    def _network(self, middle: str) -> str:
        """What comes back through the network to what it reads; writes `network`, too."""
        root = self.root(middle, self.config.norm_eps)
        read = self.op("Mul", self.op("Div", middle, root), "ffn_norm.weight")
        gate = self.linear(read, "ffn_gate.weight")
        active = self.op("Mul", gate, self.op("Sigmoid", gate))
        inner = self.op("Mul", self._last(active), self.linear(self._last(read), "ffn_up.weight"))
        added = self.op("Mul", inner, self.transposed("along", "ffn_down.weight"))
        self.op("ReduceSum", added, self.constant([1]), into="network", keepdims=0)
        held = self.op("Mul", self.transposed("slope", "ffn_down.weight"), active)
        return self._through_norm(self.transposed(held, "ffn_up.weight"), "ffn_norm.weight", root)

    def _attention(self, by_head: str, slope: str) -> str:
        """What comes back through the attention."""
        each = self.config.n_heads // self.n_kv_heads
        mixed = self.transposed(slope, "attn_output.weight")
        apart = self.shaped(mixed, 0, 0, self.n_kv_heads, each, self.d_head)
        by_key = self.op("Transpose", apart, perm=[0, 2, 3, 1, 4])
        grouped = self.shaped(by_key, 0, 0, -1, self.d_head)  # (g, shared, each · n, d_head)
        turned = self.op("Transpose", self._shared(by_head), perm=[0, 2, 1])
        values = self.op("Transpose", self.op("MatMul", turned, grouped), perm=[0, 2, 1, 3])
        read = self.transposed(self.shaped(values, 0, 0, -1), "attn_v.weight")
        return self._through_norm(read, "attn_norm.weight", self.root("input", self.config.norm_eps))

    def _through_norm(self, slope: str, weight: str, root: str) -> str:
        return self.op("Div", self.op("Mul", slope, weight), root)

    def _last(self, rows: str) -> str:
        """The row of the token that predicts."""
        return self.op("Gather", rows, self.constant([-1]), axis=0)
