"""For each step, its lines in `core.walkthroughs.in_numpy`, and the numbers that they need.

The numbers of the tiny model are written out; those of larger models are read from their layers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...records.frozen import Array
from .. import in_numpy as plain
from ..steps.decoder_alone import MOST_NEXT
from ..steps.record import Step
from .excerpt import Excerpt
from .origin import Lines, Origin

Part = str | Excerpt  # a line of the setup, or lines of the source

_FORMULA = plain.scaled_dot_product_attention
_SCORES, _SCALE, _MASK = "scores_LM = query_LK @", "scores_LM = scores_LM *", "if mask_LM is not None:"
_WEIGHTS, _MIX = "weights_LM = softmax(", "mixed_LK = weights_LM @"
_SOFTMAX = Excerpt(plain.softmax)
_NORM = Excerpt(plain.layer_norm, "centred_LD =", "normed_LD =")
_SUM = Excerpt(plain.encoder_layer, "summed_LD = x_LD +")
_JOIN = Excerpt(plain.multi_head_attention, "concatenated_LD =")
_PLACED = Excerpt(plain.embed, "x_LD = scaled_LD if", "x_LD = x_LD + position_LD")
_ROWS = Excerpt(plain.embed, "one_hot_LV =", "learned_LD =")
_INNER, _ACTIVE, _OUTER = "inner_LF =", "active_LF =", "output_LD = active_LF @"


class Code(NamedTuple):
    """The lines of a step, and an expression for the numbers on the screen.

    Attributes:
        needs: the names of the arrays that the lines use.
        parts: the lines.
        result: an expression.
    """

    needs: tuple[str, ...]
    parts: tuple[Part, ...]
    result: str


def _of_formula(last: str, result: str, first: str = _SCORES) -> Code:
    """A part of the attention formula, from the scores onwards."""
    values = ("value_MK",) if last == _MIX else ()
    masked = () if last in (_SCORES, _SCALE) else ("mask_LM",)
    defined = (_SOFTMAX,) if last in (_WEIGHTS, _MIX) else ()
    lines = Excerpt(_FORMULA, first, last)
    return Code(("query_LK", "key_MK", *values, *masked), (*defined, lines), result)


_FORMULAS: Mapping[str, Code] = {
    "scores": _of_formula(_SCORES, "scores_LM"),
    "scale": _of_formula(_SCALE, "scores_LM"),
    "mask": _of_formula(_MASK, "scores_LM"),
    "weights": _of_formula(_WEIGHTS, "weights_LM"),
    "mix": _of_formula(_MIX, "mixed_LK"),
}
_NORM_OF = ("gamma_D", "beta_D", "eps")
CODES: Mapping[str, Code] = {
    "learned": Code(("ids_L", "table_VD"), (_ROWS,), "learned_LD"),
    "root": Code(
        ("learned_LD", "scale"), (Excerpt(plain.embed, "scaled_LD = learned_LD"),), "scaled_LD"
    ),
    "position": Code(("scaled_LD", "segment_LD", "position_LD"), (_PLACED,), "x_LD"),
    "embedded": Code(
        ("scaled_LD", "segment_LD", "position_LD", *_NORM_OF), (_PLACED, _NORM), "normed_LD"
    ),
    "query": Code(
        ("query_LD", "W_Q", "b_Q"), (Excerpt(plain.one_head, "query_LK = query_LD @"),), "query_LK"
    ),
    "key": Code(
        ("memory_MD", "W_K", "b_K"), (Excerpt(plain.one_head, "key_MK = memory_MD @"),), "key_MK"
    ),
    "value": Code(
        ("memory_MD", "W_V", "b_V"), (Excerpt(plain.one_head, "value_MK = memory_MD @"),), "value_MK"
    ),
    **_FORMULAS,
    **{f"plain-{name}": code for name, code in _FORMULAS.items() if name != "mask"},
    "join": Code(("mixed_HLK",), (_JOIN,), "concatenated_LD"),
    "output": Code(
        ("mixed_HLK", "W_O", "b_O"),
        (_JOIN, Excerpt(plain.multi_head_attention, "output_LD = concatenated_LD @")),
        "output_LD",
    ),
    "residual": Code(("x_LD", "sublayer_LD"), (_SUM,), "summed_LD"),
    "norm": Code(("x_LD", "sublayer_LD", *_NORM_OF), (_SUM, "x_LD = summed_LD", _NORM), "normed_LD"),
    "inner": Code(("x_LD", "W_1", "b_1"), (Excerpt(plain.feed_forward, _INNER),), "inner_LF"),
    "activation": Code(
        ("x_LD", "W_1", "b_1", "activation"),
        (Excerpt(plain.feed_forward, _INNER, _ACTIVE),),
        "active_LF",
    ),
    "outer": Code(
        ("x_LD", "W_1", "b_1", "W_2", "b_2", "activation"),
        (Excerpt(plain.feed_forward, _INNER, _OUTER),),
        "output_LD",
    ),
    "residual2": Code(("x_LD", "sublayer_LD"), (_SUM,), "summed_LD"),
    "norm2": Code(("x_LD", "sublayer_LD", *_NORM_OF), (_SUM, "x_LD = summed_LD", _NORM), "normed_LD"),
}

# The cross-attention of a decoder: the same lines, with keys and values from another text.
CROSS: Mapping[str, Code] = {
    f"cross-{name}": CODES[name]
    for name in (
        "query",
        "key",
        "value",
        "scores",
        "scale",
        "weights",
        "mix",
        "join",
        "output",
        "residual",
        "norm",
    )
}


# A decoder alone: the norm stands before the sub-layer; a gate; rotated queries and keys.
_RMS = Excerpt(plain.rms_norm, "mean_square_L1 =", "normed_LD =")
_GATED = plain.gated_feed_forward
_TURN = Excerpt(plain.rotated, "first_LP, second_LP =", "rotated_LK =")
_GATE = ("W_gate", "activation")
ALONE: Mapping[str, Code] = {
    **{
        name: Code(("x_LD", "gamma_D", "eps"), (_RMS,), "normed_LD")
        for name in ("pre-norm", "pre-norm2", "final-norm")
    },
    **{
        f"{name}-mean": Code(("x_LD", *_NORM_OF), (_NORM,), "normed_LD")
        for name in ("pre-norm", "pre-norm2", "final-norm")
    },
    **{f"turn-{name}": Code(("x_LK", "angle_LP"), (_TURN,), "rotated_LK") for name in ("query", "key")},
    "gate": Code(("x_LD", "W_gate"), (Excerpt(_GATED, "gate_LF ="),), "gate_LF"),
    "opened": Code(("x_LD", *_GATE), (Excerpt(_GATED, "gate_LF =", "opened_LF ="),), "opened_LF"),
    "up": Code(("x_LD", "W_up"), (Excerpt(_GATED, "up_LF ="),), "up_LF"),
    "gated": Code(("x_LD", *_GATE, "W_up"), (Excerpt(_GATED, "gate_LF =", "gated_LF ="),), "gated_LF"),
    "down": Code(
        ("x_LD", *_GATE, "W_up", "W_down"),
        (Excerpt(_GATED, "gate_LF =", "output_LD ="),),
        "output_LD",
    ),
    "logits": Code(("final_LD", "head_DV"), ("logits_LV = final_LD @ head_DV",), "logits_LV"),
    "next": Code(
        ("final_LD", "whole_DV"),
        (_SOFTMAX, "logits_LV = final_LD @ whole_DV"),
        "softmax(logits_LV)[:, list(expected.ids)]",
    ),
}


def code(name: str, origin: Origin, steps: Sequence[Step]) -> Code:
    """The lines of a step."""
    if origin.kind == "alone":
        if name == "outer" and any(step.kind == "times" for step in steps):
            return ALONE["down"]
        with_mean = _named(steps, name).kind == "norm"
        if name in ALONE:
            return ALONE[f"{name}-mean" if with_mean else name]
    return CROSS[name] if name in CROSS else CODES[name]


def parts(origin: Origin, steps: Sequence[Step], name: str, which: str, token: int) -> list[Part]:
    """All lines of a step but the last, beginning with the numbers.

    Args:
        origin: the origin of the numbers.
        steps: all steps on the page.
        name: the name of the step to show.
        which: for attention without weights, its rows: "embedded" or "learned".
        token: its word, from 0.
    """
    own = code(name, origin, steps)
    if origin.kind == "tiny":
        given: list[Part] = _literals(own.needs, steps, name, origin.causal)
    elif name.startswith("plain-"):
        given = [*origin.text, *origin.vectors[which], *_plain(own.needs, token)]
    elif origin.kind == "alone":
        given = [*origin.text, *_alone(own.needs, origin, steps, name)]
    elif origin.kind == "recorded":
        given = [*origin.text, *origin.layer, *_recorded(own.needs, origin)]
    else:
        given = [*origin.text, *_taken(own.needs, origin, steps, name)]
    return [*_function(own.needs, steps), *given, *own.parts]


def _function(needs: Sequence[str], steps: Sequence[Step]) -> list[Part]:
    """The definition of the activation, if it is needed."""
    if "activation" not in needs:
        return []
    return [Excerpt(plain.ACTIVATIONS[_activation(steps)])]


def _activation(steps: Sequence[Step]) -> str:
    """The name of the activation."""
    return next(step.detail for step in steps if step.kind == "activation")


def _named(steps: Sequence[Step], name: str) -> Step:
    return next(step for step in steps if step.name == name)


def _recorded(needs: Sequence[str], origin: Origin) -> list[Part]:
    """The arrays that a trace contains."""
    of = {
        "ids_L": "ids = list(model.read(text).ids)\n"
        "used = sorted(set(ids))  # of the table, only the rows that this text needs\n"
        "ids_L = np.array([used.index(i) for i in ids])",
        "table_VD": "table_VD = trace.learned[[ids.index(i) for i in used]]",
        "query_LK": f"query_LK = trace.query[layer, {origin.head}]",
        "key_MK": f"key_MK = trace.key[layer, {origin.head}]",
        "value_MK": f"value_MK = trace.value[layer, {origin.head}]",
        "mask_LM": "mask_LM = ~masked_LM" if origin.causal else "mask_LM = None",
        "mixed_HLK": "mixed_HLK = trace.attention.weights[layer] @ trace.value[layer]",
    }
    return [of[name] for name in needs]


# ---------------------------------------------------------------- the numbers of a layer of torch


def _plain(needs: Sequence[str], token: int) -> list[Part]:
    """The row of one word against all rows: nothing is learned about them."""
    of = {
        "query_LK": f"query_LK = x_MD[[{token}]].numpy()",
        "key_MK": "key_MK = x_MD.numpy()",
        "value_MK": "value_MK = x_MD.numpy()",
        "mask_LM": "mask_LM = None",
    }
    return [of[name] for name in needs]


def _taken(needs: Sequence[str], origin: Origin, steps: Sequence[Step], name: str) -> list[Part]:
    """The lines that read the arrays from a model."""
    if name in ("learned", "root", "position", "embedded"):
        return [*_EMBEDDED[origin.kind], *_embedded(needs, origin, steps)]
    return [*origin.layer, *_of_layer(needs, origin, steps, name)]


_EMBEDDED: Mapping[str, Lines] = {
    "trained": ("encoder, read = model.scratch_encoder, model.read(text)",),
    **dict.fromkeys(
        ("paper", "decoder"),
        (
            "used = sorted(set(ids))  # of the table, only the rows that this text needs",
            "embeddings = paper.embeddings(used)",
        ),
    ),
}


def _embedded(needs: Sequence[str], origin: Origin, steps: Sequence[Step]) -> list[Part]:
    if origin.kind in ("paper", "decoder"):
        of = {
            "ids_L": "ids_L = np.array([used.index(i) for i in ids])",
            "table_VD": "table_VD = embeddings.tokens.weight.numpy()",
            "learned_LD": "learned_LD = paper.learned(ids).numpy()",
            "scale": "scale = 512**0.5",
            "scaled_LD": "scaled_LD = paper.embedded(ids, positions=False).numpy()",
            "segment_LD": "segment_LD = None",
            "position_LD": "position_LD = embeddings.positions(len(ids)).numpy()",
        }
        return [of[name] for name in needs]
    segments = any(one.name == "segment" for one in _named(steps, "position").operands)
    of = {
        "ids_L": "ids_L = np.array(read.ids)",
        "table_VD": "table_VD = encoder.tokens.weight.numpy()",
        "scaled_LD": "scaled_LD = encoder.tokens.weight.numpy()[list(read.ids)]",
        "segment_LD": "segment_LD = encoder.segments.weight.numpy()[list(read.types)]"
        if segments
        else "segment_LD = None",
        "position_LD": "position_LD = encoder.positions(len(read)).numpy()",
        "gamma_D": "gamma_D, beta_D = encoder.norm.weight.numpy(), encoder.norm.bias.numpy()",
        "eps": "eps = encoder.norm.eps",
    }
    return [of[name] for name in needs if name != "beta_D"]


def _of_layer(needs: Sequence[str], origin: Origin, steps: Sequence[Step], name: str) -> list[Part]:
    """The arrays of a layer, which has been run once if a step begins with its results."""
    second = name in ("inner", "activation", "outer", "residual2", "norm2")
    across = name in CROSS
    which, prefix = ("cross", "cross-") if across else ("attention", "")
    width = _named(steps, f"{prefix}query").result.values.shape[1]
    head, length = origin.head, len(steps[0].result.rows)
    own = f"[:, {head * width}:{(head + 1) * width}]"
    norm = {"norm2": "output_norm", "cross-norm": "cross_norm"}.get(name, "attention_norm")
    masked = origin.causal and not across
    of: dict[str, str] = {
        **{rows: f"{rows} = x_BLD[0].numpy()" for rows in ("query_LD", "memory_MD", "x_LD")},
        **({"memory_MD": "memory_MD = memory_BSD[0].numpy()"} if across else {}),
        "query_LK": f"query_LK = attention.query_BHLK[0, {head}].numpy()",
        "key_MK": f"key_MK = attention.key_BHMK[0, {head}].numpy()",
        "value_MK": f"value_MK = attention.value_BHMK[0, {head}].numpy()",
        "mask_LM": f"mask_LM = np.tri({length}, dtype=bool)" if masked else "mask_LM = None",
        "mixed_HLK": "mixed_HLK = (attention.weights_BHLM @ attention.value_BHMK)[0].numpy()",
        "sublayer_LD": "sublayer_LD = attention.output_BLD[0].numpy()",
        "gamma_D": f"gamma_D, beta_D = layer.{norm}.weight.numpy(), layer.{norm}.bias.numpy()",
        "eps": f"eps = layer.{norm}.eps",
        "activation": f"activation = {_named(steps, 'activation').detail}",
    }
    for letter, where in (
        *(
            (letter, f"{which}.{part}")
            for letter, part in zip("QKV", ("query", "key", "value"), strict=True)
        ),
        ("O", f"{which}.output"),
        ("1", "feed_forward.inner"),
        ("2", "feed_forward.outer"),
    ):
        cut = own if letter in "QKV" else ""
        row = own.replace(":, ", "") if cut else ""
        of[f"W_{letter}"] = f"W_{letter} = layer.{where}.weight.numpy().T{cut}"
        of[f"b_{letter}"] = f"b_{letter} = layer.{where}.bias.numpy(){row}"
    if second:
        of["sublayer_LD"] = "sublayer_LD = layer.feed_forward(x_BLD)[0].numpy()"
    taken = [of[need] for need in needs if need != "beta_D"]
    runs = any("attention." in line and "layer." not in line for line in taken)
    return [*_run(origin, name, second=second, runs=runs), *taken]


def _run(origin: Origin, name: str, *, second: bool, runs: bool) -> list[Part]:
    """The lines that run a layer up to the beginning of a step.

    Args:
        origin: the origin of the numbers.
        name: the name of the step.
        second: whether it belongs to the feed-forward network.
        runs: whether it uses results of the attention.
    """
    across, of_decoder = name in CROSS, origin.kind == "decoder"
    after_attention = second or (across and name not in ("cross-key", "cross-value"))
    if not (after_attention or runs):
        return []
    mask: list[Part] = ["bias_BHLM = mask_bias(causal_mask(x_BLD.shape[1]))"] if origin.causal else []
    bias = ", bias_BHLM" if origin.causal else ""
    lines: list[Part] = [*mask, f"attention = layer.attention(x_BLD, x_BLD{bias})"]
    if after_attention:
        lines.append("x_BLD = layer.attention_norm.add(x_BLD, attention.output_BLD)")
    if (across and runs) or (second and of_decoder):
        lines.append("attention = layer.cross(x_BLD, memory_BSD)")
    if second and of_decoder:
        lines.append("x_BLD = layer.cross_norm.add(x_BLD, attention.output_BLD)")
    return lines


# ---------------------------------------------------------------- a decoder alone


_FIRST = ("query", "key", "value", "turn-query", "turn-key", "pre-norm")
_SECOND = ("inner", "activation", "gate", "opened", "up", "gated", "outer")


def _alone(needs: Sequence[str], origin: Origin, steps: Sequence[Step], name: str) -> list[Part]:
    """The arrays of a decoder alone; what comes before the step is run by the layer itself."""
    if name in ("learned", "position"):
        of = {
            "ids_L": "ids_L = np.array(model.read(text).ids)",
            "table_VD": "table_VD = embeddings.tokens.weight.numpy()",
            "scaled_LD": "scaled_LD = embeddings.tokens.weight.numpy()[list(model.read(text).ids)]",
            "segment_LD": "segment_LD = None",
            "position_LD": "position_LD = embeddings.positions(len(scaled_LD)).numpy()",
        }
        return ["embeddings = model.scratch_decoder.embeddings", *(of[need] for need in needs)]
    if name in ("final-norm", "logits", "next"):
        of = {
            "x_LD": "x_LD = model.trace(text).hidden[-1]",
            "gamma_D": "norm = model.scratch_decoder.stack.norm\ngamma_D = norm.weight.numpy()",
            "beta_D": "beta_D = norm.bias.numpy()",
            "eps": "eps = norm.eps",
            "final_LD": "final_LD = model.trace(text).final\n"
            f"(expected,) = model.predict(text, top_k={MOST_NEXT})",
            "head_DV": "head_DV = model.scratch_head().numpy()[list(expected.ids)].T",
            "whole_DV": "whole_DV = model.scratch_head().numpy().T",
        }
        return [of[need] for need in needs]
    lines: list[Part] = [*origin.layer]
    if name not in _FIRST:
        lines += [*origin.bias]
    if name != "pre-norm":
        lines.append("n_BLD = layer.attention_norm(x_BLD)")
    if name not in _FIRST:
        lines.append("attention = layer.attention(n_BLD, n_BLD, bias_BHLM)")
    if name in (*_SECOND, "residual2", "pre-norm2"):
        lines.append("x_BLD = layer.attention_norm.add(x_BLD, attention.output_BLD)")
    if name in _SECOND:
        lines.append("x_BLD = layer.output_norm(x_BLD)")
    return [*lines, *(_of_alone(need, origin, steps, name) for need in needs)]


def _of_alone(need: str, origin: Origin, steps: Sequence[Step], name: str) -> str:
    """The line that defines an array in a layer of a decoder alone."""
    groups = next((one.groups for one in steps if one.groups), None)
    head, d_head = origin.head, _named(steps, "query").result.values.shape[1]
    shared = head if groups is None else head // groups.size
    norm = "output_norm" if name == "pre-norm2" else "attention_norm"
    each = "layer.attention.for_each_head(attention.{})[0]"
    letter = "query" if name == "turn-query" else "key"
    at = {"Q": head, "K": shared, "V": shared}
    of = {
        **dict.fromkeys(("query_LD", "memory_MD"), f"{need} = n_BLD[0].numpy()"),
        "x_LD": "x_LD = x_BLD[0].numpy()",
        "x_LK": f"x_LK = layer.attention._split(layer.attention.{letter}(n_BLD))"
        f"[0, {head if letter == 'query' else shared}].numpy()",
        "angle_LP": "positions_L = torch.arange(len(x_LK))\n"
        "angle_LP = layer.attention.rotation.angles(positions_L, x_LK.shape[1]).numpy()",
        "query_LK": f"query_LK = attention.query_BHLK[0, {head}].numpy()",
        "key_MK": f"key_MK = attention.key_BHMK[0, {shared}].numpy()",
        "value_MK": f"value_MK = attention.value_BHMK[0, {shared}].numpy()",
        "mask_LM": "mask_LM = (bias_BHLM[0, 0] == 0).numpy()",
        "mixed_HLK": f"mixed_HLK = (attention.weights_BHLM[0] @ {each.format('value_BHMK')}).numpy()",
        "sublayer_LD": "sublayer_LD = layer.feed_forward(layer.output_norm(x_BLD))[0].numpy()"
        if name == "residual2"
        else "sublayer_LD = attention.output_BLD[0].numpy()",
        "gamma_D": f"gamma_D = layer.{norm}.weight.numpy()",
        "beta_D": f"beta_D = layer.{norm}.bias.numpy()",
        "eps": f"eps = layer.{norm}.eps",
        "activation": f"activation = {_activation(steps)}",
    }
    for letter, part in (
        ("Q", "attention.query"),
        ("K", "attention.key"),
        ("V", "attention.value"),
        ("O", "attention.output"),
        ("1", "feed_forward.inner"),
        ("2", "feed_forward.outer"),
        ("gate", "feed_forward.gate"),
        ("up", "feed_forward.inner"),
        ("down", "feed_forward.outer"),
    ):
        cut = f"{at[letter] * d_head}:{(at[letter] + 1) * d_head}" if letter in at else ""
        own = f"[:, {cut}]" if cut else ""
        of[f"W_{letter}"] = f"W_{letter} = layer.{part}.weight.numpy().T{own}"
        biased = any(len(one.operands) > 2 for one in steps if one.name == _BIASES.get(f"b_{letter}"))
        row = f"[{cut}]" if cut else ""
        of[f"b_{letter}"] = (
            f"b_{letter} = layer.{part}.bias.numpy(){row}" if biased else f"b_{letter} = 0"
        )
    return of[need]


# ---------------------------------------------------------------- the tiny model's, written out


def _literals(needs: Sequence[str], steps: Sequence[Step], name: str, causal: bool) -> list[Part]:
    """Each array with its numbers, from the records of the steps."""
    return [_literal(need, steps, name, causal) for need in needs]


def _literal(need: str, steps: Sequence[Step], name: str, causal: bool) -> str:
    if need == "mask_LM":
        tokens = len(steps[0].result.rows)
        return f"mask_LM = np.tri({tokens}, dtype=bool)" if causal else "mask_LM = None"
    if need in ("scale", "segment_LD"):
        return f"{need} = None"
    if need == "activation":
        return f"activation = {_named(steps, 'activation').detail}"
    if need == "eps":
        return f"eps = {_named(steps, name).number!r}"
    if need == "mixed_HLK":
        return (
            f"mixed_HLK = [{', '.join(_array(one.values) for one in _named(steps, 'join').operands)}]"
        )
    return f"{need} = {_array(_numbers(need, steps, name))}"


def _numbers(need: str, steps: Sequence[Step], name: str) -> Array:
    """The matrix that a line uses, if the records contain it."""
    if name.startswith("plain-"):
        query, every = _named(steps, "plain-scores").operands[0], _named(steps, "plain-mix").operands[1]
        return query.values if need == "query_LK" else every.values
    if need == "ids_L":
        return np.asarray(_named(steps, "pieces").result.values[:, 0], int)
    if need in _FROM:
        of, operand = _FROM[need]
        step = _named(steps, of)
        return step.result.values if operand is None else step.operands[operand].values
    if need in ("x_LD", "sublayer_LD"):
        second = name in ("inner", "activation", "outer", "residual2", "norm2")
        step = _named(steps, "residual2" if second else "residual")
        return step.operands[0 if need == "x_LD" else 1].values
    if need in ("gamma_D", "beta_D"):
        row: Array = _named(steps, name).operands[1 if need == "gamma_D" else 2].values[0]
        return row
    return _bias(_named(steps, _BIASES[need]))


# For each array, the step that contains it, and the index of the operand; None for the result.
_FROM: Mapping[str, tuple[str, int | None]] = {
    "table_VD": ("learned", 1),
    "learned_LD": ("learned", None),
    "scaled_LD": ("position", 0),
    "position_LD": ("position", 1),
    "query_LD": ("query", 0),
    "memory_MD": ("query", 0),
    "query_LK": ("query", None),
    "key_MK": ("key", None),
    "value_MK": ("value", None),
    "W_Q": ("query", 1),
    "W_K": ("key", 1),
    "W_V": ("value", 1),
    "W_O": ("output", 1),
    "W_1": ("inner", 1),
    "W_2": ("outer", 1),
}
_BIASES = {
    "b_Q": "query",
    "b_K": "key",
    "b_V": "value",
    "b_O": "output",
    "b_1": "inner",
    "b_2": "outer",
}


def _bias(step: Step) -> Array:
    """A bias; zeros for a product without one."""
    if len(step.operands) > 2:
        bias: Array = step.operands[2].values[0]
        return bias
    return np.zeros(step.result.values.shape[1], np.float32)


def _array(values: Array) -> str:
    """`np.array([[…], […]])`, each number as short as float32 allows."""
    if values.ndim == 1:
        return f"np.array({_row(values)})"
    rows = ",\n    ".join(_row(row) for row in values)
    return f"np.array([\n    {rows},\n])"


def _row(values: Array) -> str:
    return f"[{', '.join(str(value) for value in values)}]"
