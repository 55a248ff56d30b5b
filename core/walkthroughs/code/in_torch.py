"""For each step, its lines in `core.transformer`, and the names that they need.

The setup defines the names that the lines use; for lines of a method, `self` is one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ...transformer import Encoder, FeedForward, MultiHeadAttention, scaled_dot_product_attention
from ...transformer.layers import AddNorm, GatedFeedForward, Residual
from ...transformer.stacks import Embeddings, EncoderStack
from ..steps.decoder_alone import MOST_NEXT
from .excerpt import Excerpt, lines
from .origin import Lines, Origin

ATTEND = MultiHeadAttention.forward
READ = MultiHeadAttention._read
FORMULA = scaled_dot_product_attention
SCORES, SCALE = "scores_BHLM = query_BHLK @", "scale = query_BHLK.shape"
SCALED, TURNS = "scores_BHLM *=", "cos_sin_LP = turns("
JOIN = "concatenated_BLD ="
INNER, ACTIVE, OUTER = "inner_BLF =", "active_BLF =", "output_BLD: Tensor = self.outer("


class Code(NamedTuple):
    """The names that must be defined, the lines, and an expression for the numbers on the screen.

    Attributes:
        setup: statements before the lines.
        excerpt: the lines; None where the setup is all that there is.
        result: an expression. "{head}" stands for the number of the head, "{shared}" for that of its
            key and value; a matrix of two dimensions.
    """

    setup: Lines
    excerpt: Excerpt | None
    result: str


_ATTENTION: Lines = ("attention = layer.attention(x_BLD, x_BLD, bias_BHLM)",)
_QK: Lines = (*_ATTENTION, "query_BHLK, key_BHMK = attention.query_BHLK, attention.key_BHMK")
_QKV: Lines = (*_QK, "value_BHMK = attention.value_BHMK")
_MIXED: Lines = (
    *_QKV,
    "mixed_BHLK, _ = scaled_dot_product_attention(query_BHLK, key_BHMK, value_BHMK, bias_BHLM)",
)
_NORMED: Lines = (*_ATTENTION, "x_BLD = layer.attention_norm.add(x_BLD, attention.output_BLD)")

LAYER: Mapping[str, Code] = {
    "query": Code(
        ("self, query_BLD = layer.attention, x_BLD",),
        Excerpt(ATTEND, "query_BHLK = self._split("),
        "query_BHLK[0, {head}]",
    ),
    "key": Code(
        ("self, memory_BMD = layer.attention, x_BLD",),
        Excerpt(READ, "key_BHMK = self._split("),
        "key_BHMK[0, {head}]",
    ),
    "value": Code(
        ("self, memory_BMD = layer.attention, x_BLD",),
        Excerpt(READ, "value_BHMK = self._split("),
        "value_BHMK[0, {head}]",
    ),
    "scores": Code(
        (*_QK, "scale = 1  # the next step divides"),
        Excerpt(FORMULA, SCORES),
        "scores_BHLM[0, {head}]",
    ),
    "scale": Code((*_QK, "scale = None"), Excerpt(FORMULA, SCALE, SCALED), "scores_BHLM[0, {head}]"),
    "mask": Code(
        (*_QK, "scale = None"),
        Excerpt(FORMULA, SCALE, "if bias_BHLM is not None:"),
        "scores_BHLM[0, {head}]",
    ),
    "weights": Code(
        (*_QK, "scale = None"),
        Excerpt(FORMULA, SCALE, "weights_BHLM = torch.softmax("),
        "weights_BHLM[0, {head}]",
    ),
    "mix": Code(
        (*_QKV, "scale = None"),
        Excerpt(FORMULA, SCALE, "mixed_BHLK = weights_BHLM @"),
        "mixed_BHLK[0, {head}]",
    ),
    "join": Code(_MIXED, Excerpt(ATTEND, JOIN), "concatenated_BLD[0]"),
    "output": Code(
        (*_MIXED, "self = layer.attention"),
        Excerpt(ATTEND, JOIN, "output_BLD = self.output("),
        "output_BLD[0]",
    ),
    "residual": Code(
        (*_ATTENTION, "self, sublayer_BLD = layer.attention_norm, attention.output_BLD"),
        Excerpt(AddNorm.add, "x_BLD = x_BLD + F.dropout("),
        "x_BLD[0]",
    ),
    "norm": Code(
        _ATTENTION,
        Excerpt(AddNorm.add),
        "add(layer.attention_norm, x_BLD, attention.output_BLD)[0]",
    ),
    "inner": Code(
        (*_NORMED, "self = layer.feed_forward"), Excerpt(FeedForward.forward, INNER), "inner_BLF[0]"
    ),
    "activation": Code(
        (*_NORMED, "self = layer.feed_forward"),
        Excerpt(FeedForward.forward, INNER, ACTIVE),
        "active_BLF[0]",
    ),
    "outer": Code(
        (*_NORMED, "self = layer.feed_forward"),
        Excerpt(FeedForward.forward, INNER, OUTER),
        "output_BLD[0]",
    ),
    "residual2": Code(
        (*_NORMED, "self, sublayer_BLD = layer.output_norm, layer.feed_forward(x_BLD)"),
        Excerpt(AddNorm.add, "x_BLD = x_BLD + F.dropout("),
        "x_BLD[0]",
    ),
    "norm2": Code(
        (*_NORMED, "sublayer_BLD = layer.feed_forward(x_BLD)"),
        Excerpt(AddNorm.add),
        "add(layer.output_norm, x_BLD, sublayer_BLD)[0]",
    ),
}

# The cross-attention of a decoder reads the output of the norm after its masked self-attention.
_ACROSS: Lines = (*_NORMED, "cross = layer.cross(x_BLD, memory_BSD)")
_CROSS_QK: Lines = (
    *_ACROSS,
    "query_BHLK, key_BHMK = cross.query_BHLK, cross.key_BHMK",
    "bias_BHLM = None  # no mask: the whole source may be seen",
)
_CROSS_QKV: Lines = (*_CROSS_QK, "value_BHMK = cross.value_BHMK")
_CROSS_MIXED: Lines = (
    *_CROSS_QKV,
    "mixed_BHLK, _ = scaled_dot_product_attention(query_BHLK, key_BHMK, value_BHMK)",
)
CROSS: Mapping[str, Code] = {
    f"cross-{name}": LAYER[name]._replace(setup=setup)
    for name, setup in {
        "query": (*_NORMED, "self, query_BLD = layer.cross, x_BLD"),
        "key": ("self, memory_BMD = layer.cross, memory_BSD",),
        "value": ("self, memory_BMD = layer.cross, memory_BSD",),
        "scores": (*_CROSS_QK, "scale = 1  # the next step divides"),
        "scale": (*_CROSS_QK, "scale = None"),
        "weights": (*_CROSS_QK, "scale = None"),
        "mix": (*_CROSS_QKV, "scale = None"),
        "join": _CROSS_MIXED,
        "output": (*_CROSS_MIXED, "self = layer.cross"),
        "residual": (*_ACROSS, "self, sublayer_BLD = layer.cross_norm, cross.output_BLD"),
    }.items()
} | {
    "cross-norm": Code(
        _ACROSS, Excerpt(AddNorm.add), "add(layer.cross_norm, x_BLD, cross.output_BLD)[0]"
    )
}
# The feed-forward network of a decoder reads the result of adding the cross-attention.
_AFTER: Lines = (*_ACROSS, "x_BLD = layer.cross_norm.add(x_BLD, cross.output_BLD)")
DECODER: Mapping[str, Code] = {
    name: LAYER[name]._replace(setup=(*_AFTER, *LAYER[name].setup[len(_NORMED) :]))
    for name in ("inner", "activation", "outer", "residual2", "norm2")
}

# For what a trace has recorded, instead of a layer.
_TAKEN: Lines = (
    "query_BHLK, key_BHMK = torch.tensor(trace.query[[layer]]), torch.tensor(trace.key[[layer]])",
)
_TAKEN_ALL: Lines = (*_TAKEN, "value_BHMK = torch.tensor(trace.value[[layer]])")
RECORDED: Mapping[str, Code] = {
    "learned": Code(
        (
            "ids = list(model.read(text).ids)",
            "used = sorted(set(ids))  # of the table, only the rows that this text needs",
            "rows = torch.tensor(trace.learned[[ids.index(i) for i in used]])",
            "self = torch.nn.Module()",
            "self.tokens = torch.nn.Embedding.from_pretrained(rows)",
            "ids_BL = torch.tensor([[used.index(i) for i in ids]])",
        ),
        Excerpt(Encoder.forward, "learned_BLD = self.tokens("),
        "learned_BLD[0]",
    ),
    "scores": LAYER["scores"]._replace(setup=(*_TAKEN, "scale = 1  # the next step divides")),
    "scale": LAYER["scale"]._replace(setup=(*_TAKEN, "scale = None")),
    "mask": LAYER["mask"]._replace(setup=(*_TAKEN, "scale = None")),
    "weights": LAYER["weights"]._replace(setup=(*_TAKEN, "scale = None")),
    "mix": LAYER["mix"]._replace(setup=(*_TAKEN_ALL, "scale = None")),
    "join": Code(
        (
            *_TAKEN_ALL,
            "mixed_BHLK, _ = scaled_dot_product_attention(query_BHLK, key_BHMK, value_BHMK, bias_BHLM)",
        ),
        Excerpt(ATTEND, JOIN),
        "concatenated_BLD[0]",
    ),
}

# A decoder alone: each norm stands before its sub-layer.
_READ: Lines = ("n_BLD = layer.attention_norm(x_BLD)",)
_RUN: Lines = (*_READ, "attention = layer.attention(n_BLD, n_BLD, bias_BHLM)")
_SPREAD = "layer.attention.for_each_head(attention.{})"
_RUN_QK: Lines = (
    *_RUN,
    f"query_BHLK, key_BHMK = attention.query_BHLK, {_SPREAD.format('key_BHMK')}",
)
_RUN_QKV: Lines = (*_RUN_QK, f"value_BHMK = {_SPREAD.format('value_BHMK')}")
_RUN_MIXED: Lines = (*_RUN_QKV, _MIXED[-1])
_SUM: Lines = (*_RUN, "x_BLD = layer.attention_norm.add(x_BLD, attention.output_BLD)")
_FED: Lines = (*_SUM, "self, x_BLD = layer.feed_forward, layer.output_norm(x_BLD)")
_TURN: Lines = (
    *_READ,
    "self, start = layer.attention, 0",
    "query_BHLK, key_BHMK = (self._split(of(n_BLD)) for of in (self.query, self.key))",
)
_NEXT: Lines = (
    "logits_LV = torch.tensor(model.trace(text).final) @ model.scratch_head().T",
    f"(expected,) = model.predict(text, top_k={MOST_NEXT})",
)
_GATED = Excerpt(GatedFeedForward.forward, "gate_BLF =", "output_BLD: Tensor = self.outer(")
ALONE: Mapping[str, Code] = {
    "pre-norm": Code(
        (), Excerpt(Residual.sublayer_input), "sublayer_input(layer.attention_norm, x_BLD)[0]"
    ),
    **{
        name: LAYER[name]._replace(
            setup=(*_READ, f"self, {given} = layer.attention, n_BLD"),
            result=LAYER[name].result.replace("head", own),
        )
        for name, given, own in (
            ("query", "query_BLD", "head"),
            ("key", "memory_BMD", "shared"),
            ("value", "memory_BMD", "shared"),
        )
    },
    "turn-query": Code(_TURN, Excerpt(READ, TURNS, "query_BHLK = turned("), "query_BHLK[0, {head}]"),
    "turn-key": Code(_TURN, Excerpt(READ, TURNS, "key_BHMK = turned("), "key_BHMK[0, {shared}]"),
    "scores": LAYER["scores"]._replace(setup=(*_RUN_QK, "scale = 1  # the next step divides")),
    **{
        name: LAYER[name]._replace(setup=(*before, "scale = None"))
        for name, before in (
            ("scale", _RUN_QK),
            ("mask", _RUN_QK),
            ("weights", _RUN_QK),
            ("mix", _RUN_QKV),
        )
    },
    "join": LAYER["join"]._replace(setup=_RUN_MIXED),
    "output": LAYER["output"]._replace(setup=(*_RUN_MIXED, "self = layer.attention")),
    "residual": LAYER["residual"]._replace(
        setup=(*_RUN, "self, sublayer_BLD = layer.attention_norm, attention.output_BLD")
    ),
    "pre-norm2": Code(
        _SUM, Excerpt(Residual.sublayer_input), "sublayer_input(layer.output_norm, x_BLD)[0]"
    ),
    **{name: LAYER[name]._replace(setup=_FED) for name in ("inner", "activation")},
    "gate": Code(_FED, _GATED, "self.gate(x_BLD)[0]"),
    "opened": Code(_FED, _GATED, "gate_BLF[0]"),
    "up": Code(_FED, _GATED, "self.inner(x_BLD)[0]"),
    "gated": Code(_FED, _GATED, "(gate_BLF * self.inner(x_BLD))[0]"),
    "outer": Code(_FED, _GATED, "output_BLD[0]"),
    "residual2": LAYER["residual2"]._replace(
        setup=(
            *_SUM,
            "sublayer_BLD = layer.feed_forward(layer.output_norm(x_BLD))",
            "self = layer.output_norm",
        )
    ),
    "final-norm": Code(
        (
            "self = model.scratch_decoder.stack",
            "x_BLD = torch.tensor(model.trace(text).hidden[-1])[None]",
        ),
        Excerpt(EncoderStack.forward, "final_BLD = x_BLD if"),
        "final_BLD[0]",
    ),
    "logits": Code(_NEXT, None, "logits_LV[:, list(expected.ids)]"),
    "next": Code(_NEXT, None, "logits_LV.softmax(1)[:, list(expected.ids)]"),
}
_EMBEDDED: Lines = (
    "self, start = model.scratch_decoder.embeddings, 0",
    "ids_BL = torch.tensor([model.read(text).ids])",
)
_OF_TEXT = ("final-norm", "logits", "next", "learned", "position")  # they need no layer

_BERT: Lines = (
    "self = model.scratch_encoder",
    "read = model.read(text)",
    "ids_BL, segments_BL = torch.tensor([read.ids]), torch.tensor([read.types])",
)
_SUMMED = "x_BLD = learned_BLD"
_WITH_SEGMENTS = "x_BLD = learned_BLD + self.segments(segments_BL)"
# BERT's embeddings, for trained models.
BERT: Mapping[str, Code] = {
    "learned": Code(_BERT, Excerpt(Encoder.forward, "learned_BLD = self.tokens("), "learned_BLD[0]"),
    "position": Code(
        (*_BERT, "learned_BLD = self.tokens(ids_BL)"),
        Excerpt(Encoder.embed, _SUMMED, "if self.positions is not None"),
        "x_BLD[0]",
    ),
    "embedded": Code(
        (*_BERT, "learned_BLD = self.tokens(ids_BL)", _WITH_SEGMENTS),
        Excerpt(Encoder.embed, "if self.positions is not None", "embedded_BLD: Tensor ="),
        "embedded_BLD[0]",
    ),
}

_LEARNED, _ROOT = "learned_BLD: Tensor =", "embedded_BLD = learned_BLD * self.scale"
# The paper's embeddings, which the tiny model uses too.
PAPER: Mapping[str, Code] = {
    "learned": Code((), Excerpt(Embeddings.forward, _LEARNED), "learned_BLD[0]"),
    "root": Code((), Excerpt(Embeddings.forward, _LEARNED, _ROOT), "embedded_BLD[0]"),
    "position": Code(
        ("start = 0",),
        Excerpt(Embeddings.forward, _LEARNED, "if self.positions is not None:"),
        "embedded_BLD[0]",
    ),
}
EMBEDDINGS: Mapping[str, Lines] = {
    "tiny": ("self = tiny.embeddings(numbers)", "ids_BL = torch.tensor([ids])"),
    **dict.fromkeys(
        ("paper", "decoder"),
        (
            "used = sorted(set(ids))  # of the table, only the rows that this text needs",
            "self = paper.embeddings(used)",
            "ids_BL = torch.tensor([[used.index(i) for i in ids]])",
        ),
    ),
}

_PLAIN: Lines = ("query_BHLK, key_BHMK, value_BHMK = x_MD[[{token}]], x_MD, x_MD", "bias_BHLM = None")
PLAIN: Mapping[str, Code] = {
    f"plain-{name}": Code((*_PLAIN, setup), Excerpt(FORMULA, *anchors), result)
    for name, setup, anchors, result in (
        ("scores", "scale = 1  # the next step divides", (SCORES,), "scores_BHLM"),
        ("scale", "scale = None", (SCALE, SCALED), "scores_BHLM"),
        ("weights", "scale = None", (SCALE, "weights_BHLM = torch.softmax("), "weights_BHLM"),
        ("mix", "scale = None", (SCALE, "mixed_BHLK = weights_BHLM @"), "mixed_BHLK"),
    )
}


def bias(origin: Origin) -> Lines:
    """The line that hides later tokens, or nothing."""
    if origin.bias:
        return origin.bias
    causal = "mask_bias(causal_mask(x_BLD.shape[1]))" if origin.causal else "None"
    if origin.kind == "recorded" and origin.causal:
        causal = "mask_bias(~torch.tensor(masked_LM))"
    return (f"bias_BHLM = {causal}",)


def code(origin: Origin, name: str, *, gated: bool = False) -> Code:
    """The lines of a step of one layer, with everything that precedes them.

    `gated`: whether the feed-forward network of a decoder alone has a gate.
    """
    if name in PLAIN:
        return PLAIN[name]
    if origin.kind == "alone":
        return _alone(origin, name, gated=gated)
    own = {"decoder": {**LAYER, **CROSS, **DECODER}, "recorded": RECORDED}.get(origin.kind, LAYER)
    if name in own:
        one = own[name]
        assert one.excerpt is not None
        biased = bias(origin) if "bias_BHLM" in f"{one.setup} {lines(one.excerpt)}" else ()
        return one._replace(setup=(*origin.text, *origin.layer, *biased, *one.setup))
    if origin.kind == "trained":
        one = BERT[name]
        return one._replace(setup=(*origin.text, *one.setup))
    one = PAPER[name]
    return one._replace(setup=(*origin.text, *EMBEDDINGS[origin.kind], *one.setup))


def _alone(origin: Origin, name: str, *, gated: bool) -> Code:
    """The lines of a step of a decoder alone."""
    if name in ("learned", "position"):
        return PAPER[name]._replace(setup=(*origin.text, *_EMBEDDED))
    one = ALONE[name]
    if name == "outer" and not gated:
        one = LAYER[name]._replace(setup=_FED)
    if name in _OF_TEXT:
        return one._replace(setup=(*origin.text, *one.setup))
    biased = bias(origin) if "bias_BHLM" in f"{one.setup} {one.excerpt and lines(one.excerpt)}" else ()
    return one._replace(setup=(*origin.text, *origin.layer, *biased, *one.setup))
