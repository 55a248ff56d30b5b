"""The adjoint of a stack of layers, written by hand: what each vector contributes to one number.

If the attention weights, the deviations of the norms and the gates of the networks are held fixed, a
stack is a linear map, and any linear function of its output is a sum over its inputs. One forward and
one backward pass compute the summands; the backward pass applies the transpose of each part (Elhage et
al. 2021, "A Mathematical Framework for Transformer Circuits", for the frozen weights; Ancona et al.
2018, section 3, for gate = output / input; in a gated network, the gate is the activation of its own
projection). Norms stand behind each sum (post-LN), before each sub-layer (pre-LN) or behind it, and
divide by the deviation or by the root mean square; what norms, caps, rotations and biases do to the
scores is in the weights. The functions take one text, without a batch axis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ..transformer.attention import MultiHeadAttention
from ..transformer.layers import DecoderLayer, EncoderLayer, FeedForward, GatedFeedForward, Residual

Norm = nn.LayerNorm | nn.RMSNorm
Biases = Sequence[Tensor | None]  # what each layer adds to its scores: the masks of a decoder
Total = Callable[[Tensor], Tensor]  # of the shares of tokens, on the last axis: one, or one a text


def of_all(shares_GL: Tensor) -> Tensor:
    """(G,): the sum over all tokens."""
    return shares_GL.sum(-1)


class Step(NamedTuple):
    """The activations of one layer on which its linear map depends.

    A value that several heads share is repeated for each. A layer without a feed-forward network has no
    gate, and its second deviation is 1. The deviations are those of the norms of an input or of a sum;
    those of what a sub-layer adds are the last two, 1 where it is added as it is.
    """

    x_LD: Tensor
    weights_HLM: Tensor
    value_HMK: Tensor
    attention_deviation_L1: Tensor
    gate_LF: Tensor | None
    output_deviation_L1: Tensor
    attention_added_L1: Tensor
    network_added_L1: Tensor

    @property
    def attention(self) -> Held:
        """What its attention is held at."""
        deviations = self.attention_deviation_L1, self.attention_added_L1
        return Held(self.weights_HLM, self.value_HMK, *deviations)


class Held(NamedTuple):
    """What an attention is held at: its weights, its values for each head, its norms' deviations."""

    weights_HLM: Tensor
    value_HMK: Tensor
    deviation_L1: Tensor
    added_L1: Tensor


class Walk(NamedTuple):
    """The forward pass of a text: its steps and its output."""

    steps: tuple[Step, ...]
    output_LD: Tensor


class Shares(NamedTuple):
    """The summands of one output number: see `core.Contributions`."""

    by_depth_NL: Tensor
    biases_N: Tensor
    by_head_NHM: Tensor
    by_head_direct_NHM: Tensor


def walk(layers: Iterable[nn.Module], x_LD: Tensor, biases: Biases = ()) -> Walk:
    """Run the layers on the embeddings, and keep the activations that the backward pass needs."""
    every, steps, x_BLD = list(layers), [], x_LD[None]
    for layer, bias_BHLM in zip(every, biases or [None] * len(every), strict=True):
        step, x_BLD = _through(layer, x_BLD, bias_BHLM)
        steps.append(step)
    return Walk(tuple(steps), x_BLD[0])


def _through(layer: nn.Module, x_BLD: Tensor, bias_BHLM: Tensor | None) -> tuple[Step, Tensor]:
    assert isinstance(layer, EncoderLayer)
    held, middle_BLD = attended(layer.attention, layer.attention_norm, x_BLD, None, bias_BHLM)
    entering_BLD = x_BLD if layer.parallel else middle_BLD
    gate_LF, second, output_BLD = fed(layer, entering_BLD, middle_BLD)
    return stepped(x_BLD, held, gate_LF, second), output_BLD


def stepped(x_BLD: Tensor, held: Held, gate_LF: Tensor | None, second: tuple[Tensor, Tensor]) -> Step:
    """The step of a layer, of what `attended` and `fed` have held."""
    return Step(
        x_BLD[0],
        held.weights_HLM,
        held.value_HMK,
        held.deviation_L1,
        gate_LF,
        second[0],
        held.added_L1,
        second[1],
    )


def attended(
    attention: MultiHeadAttention,
    norm: Residual,
    x_BLD: Tensor,
    memory_BMD: Tensor | None,
    bias_BHLM: Tensor | None,
) -> tuple[Held, Tensor]:
    """Through an attention and its residual, to a memory or to what it reads itself."""
    read_BLD = norm.sublayer_input(x_BLD)
    found = attention(read_BLD, read_BLD if memory_BMD is None else memory_BMD, bias_BHLM)
    assert found.weights_BHLM is not None
    held = Held(
        found.weights_BHLM[0],
        attention.for_each_head(found.value_BHMK)[0],
        *_deviations(norm, x_BLD[0], found.output_BLD[0]),
    )
    return held, norm.add(x_BLD, found.output_BLD)


def fed(
    layer: EncoderLayer | DecoderLayer, entering_BLD: Tensor, middle_BLD: Tensor
) -> tuple[Tensor | None, tuple[Tensor, Tensor], Tensor]:
    """Through a network, which reads one sum and is added to another: gate, deviations, output."""
    network, norm = layer.feed_forward, layer.output_norm
    one_L1 = torch.ones_like(middle_BLD[0, :, :1])
    if network is None or norm is None:
        return None, (one_L1, one_L1), middle_BLD
    read_BLD = norm.sublayer_input(entering_BLD)
    gate_LF, changed_BLD = _gated(network, read_BLD)
    deviations = _deviations(norm, entering_BLD[0], changed_BLD[0])
    return gate_LF, deviations, norm.add(middle_BLD, changed_BLD)


def _deviations(norm: Residual, x_LD: Tensor, sublayer_LD: Tensor) -> tuple[Tensor, Tensor]:
    """(L, 1) each: of the norm of the sub-layer's input or of the sum, and of the one of its output.

    1 where there is none.
    """
    whole_L1 = added_L1 = torch.ones_like(x_LD[:, :1])
    if norm.of_output is not None:
        added_L1 = _deviation(norm.of_output, sublayer_LD)
    if norm.of_input is not None:
        whole_L1 = _deviation(norm.of_input, x_LD)
    elif norm.of_sum is not None:
        whole_L1 = _deviation(norm.of_sum, x_LD + sublayer_LD)
    return whole_L1, added_L1


def _gated(network: FeedForward, read_BLD: Tensor) -> tuple[Tensor, Tensor]:
    """(L, F): the factor by which a network lets each number of its inner layer through; its output."""
    inner_BLF = network.inner(read_BLD)
    if isinstance(network, GatedFeedForward):
        gate_BLF: Tensor = network.activation(network.gate(read_BLD))
        return gate_BLF[0], network.outer(gate_BLF * inner_BLF)
    active_BLF = network.activation(inner_BLF)
    # Any gate will do where the input is 0, since the output is then 0 as well; 0 is finite.
    gate_LF = torch.where(inner_BLF == 0, 0.0, active_BLF / inner_BLF)[0]
    return gate_LF, network.outer(active_BLF)


def _deviation(norm: nn.Module, x_LD: Tensor) -> Tensor:
    """(L, 1): what a norm divides by."""
    if isinstance(norm, nn.RMSNorm):
        return (x_LD.square().mean(-1, keepdim=True) + (norm.eps or 0.0)).sqrt()
    assert isinstance(norm, nn.LayerNorm)
    return (x_LD.var(-1, keepdim=True, correction=0) + norm.eps).sqrt()


def back(
    layers: Iterable[nn.Module],
    steps: Sequence[Step],
    starts: Mapping[int, Tensor],
    word: Sequence[int],
    total: Total = of_all,
) -> dict[int, Shares]:
    """Backpropagate gradients with respect to the outputs of several steps, all of them to the first.

    The gradient with respect to a part's input is its transpose applied to the gradient with respect to
    its output. A contribution is the product of a gradient and the vector at that position. All
    gradients that have come down to a layer pass it together (G of them).

    Args:
        layers: the layers of the steps.
        steps: the forward pass.
        starts: for some steps, from 0, the gradient with respect to the output, (L, D).
        word: the tokens of the word.
        total: how the biases' shares of the tokens are added up.
    """
    every, tokens = list(layers), list(word)
    order = sorted(starts, reverse=True)
    found: dict[int, list[tuple[Tensor, ...]]] = {layer: [] for layer in order}
    if not order:
        return {}
    none_LD = starts[order[0]]
    slope_GLD, bias_G = none_LD.new_zeros(0, *none_LD.shape), total(none_LD.new_zeros(0, len(none_LD)))
    for number in range(order[0], -1, -1):
        layer, step = every[number], steps[number]
        assert isinstance(layer, EncoderLayer)
        if number in starts:
            slope_GLD = torch.cat([slope_GLD, starts[number][None]])
            bias_G = torch.cat([bias_G, total(none_LD.new_zeros(1, len(none_LD)))])
        slope_GLD, read_GLD, added_G = through_network(layer, step, slope_GLD, total)
        bias_G = bias_G + added_G
        beside_GLD = read_GLD if layer.parallel else torch.zeros_like(read_GLD)
        slope_GLD = slope_GLD if layer.parallel else slope_GLD + read_GLD
        slope_GLD, read_GLD, added_G, moved_GHLM = through_attention(
            layer.attention, layer.attention_norm, step.attention, slope_GLD, total=total
        )
        slope_GLD = slope_GLD + read_GLD + beside_GLD
        bias_G = bias_G + added_G
        parts = (
            (slope_GLD * step.x_LD).sum(-1),
            bias_G,
            moved_GHLM.sum(-2),
            moved_GHLM[..., tokens, :].sum(-2),
        )
        for of, *one in zip(order, *parts, strict=False):  # those that have started
            found[of].append(tuple(one))
    return {
        of: Shares(*(torch.stack(parts[::-1]) for parts in zip(*one, strict=True)))
        for of, one in found.items()
    }


def through_network(
    layer: EncoderLayer | DecoderLayer, step: Step, slope_GLD: Tensor, total: Total = of_all
) -> tuple[Tensor, Tensor, Tensor]:
    """Back through the feed-forward sub-layer.

    Returns:
        The gradients with respect to what its output is added to, and to what it reads; and its biases'
        share.
    """
    network, norm = layer.feed_forward, layer.output_norm
    if network is None or norm is None:
        return slope_GLD, torch.zeros_like(slope_GLD), slope_GLD.new_zeros(())
    assert step.gate_LF is not None
    slope_GLD, bias = _if(norm.of_sum, step.output_deviation_L1, slope_GLD, total)
    added_GLD, more = _if(norm.of_output, step.network_added_L1, slope_GLD, total)
    slope_GLF = added_GLD @ network.outer.weight * step.gate_LF
    bias = bias + more + of_bias(network.outer, added_GLD, total)
    bias = bias + of_bias(network.inner, slope_GLF, total)
    inner_GLD = slope_GLF @ network.inner.weight
    read_GLD, more = _if(norm.of_input, step.output_deviation_L1, inner_GLD, total)
    return slope_GLD, read_GLD, bias + more


def through_attention(
    attention: MultiHeadAttention,
    norm: Residual,
    held: Held,
    slope_GLD: Tensor,
    *,
    across: bool = False,
    total: Total = of_all,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Back through an attention: as `through_network`; and each weight's share.

    `across`: whether it attends to a memory, which its norm has not seen; what it reads is that memory.
    """
    slope_GLD, bias = _if(norm.of_sum, held.deviation_L1, slope_GLD, total)
    added_GLD, more = _if(norm.of_output, held.added_L1, slope_GLD, total)
    bias = bias + more + of_bias(attention.output, added_GLD, total)
    heads, shared = attention.n_heads, attention.n_kv_heads
    mixed_GLHK = (added_GLD @ attention.output.weight).view(*added_GLD.shape[:-1], heads, -1)
    mixed_GHLK = mixed_GLHK.transpose(-3, -2)
    value_GHMK = held.weights_HLM.transpose(-2, -1) @ mixed_GHLK  # gradient of each head's values
    # Heads that share a value add up their gradients for it.
    several = value_GHMK.reshape(-1, shared, heads // shared, *value_GHMK.shape[-2:])
    value_GMS = several.sum(2).transpose(-3, -2).flatten(-2)
    bias = bias + of_bias(attention.value, value_GMS, total)
    of_input = None if across else norm.of_input
    read_GMD, more = _if(of_input, held.deviation_L1, value_GMS @ attention.value.weight, total)
    brought_HMK = held.value_HMK - own_values(attention, of_input)
    moved_GHLM = held.weights_HLM * (mixed_GHLK @ brought_HMK.transpose(-2, -1))
    return slope_GLD, read_GMD, bias + more, moved_GHLM


def own_values(attention: MultiHeadAttention, of_input: nn.Module | None) -> Tensor:
    """(H, 1, K): the part of each head's values that all tokens share; it comes from biases alone.

    `of_input`: the norm of what the attention reads, if there is one.
    """
    weight = attention.value.weight
    own = weight.new_zeros(len(weight)) if attention.value.bias is None else attention.value.bias
    shift = getattr(of_input, "bias", None)
    if shift is not None:
        own = own + weight @ shift
    own_BHMK = own.view(1, attention.n_kv_heads, 1, -1)
    return attention.for_each_head(own_BHMK)[0]


def of_bias(linear: nn.Linear, slope: Tensor, total: Total = of_all) -> Tensor:
    """The share of a layer's bias, given the gradient with respect to its output."""
    return slope.new_zeros(()) if linear.bias is None else total(slope @ linear.bias)


def _if(
    norm: nn.Module | None, deviation_L1: Tensor, slope_GLD: Tensor, total: Total
) -> tuple[Tensor, Tensor]:
    """`_norm`, or the same gradient where there is none."""
    if norm is None:
        return slope_GLD, slope_GLD.new_zeros(())
    return _norm(norm, deviation_L1, slope_GLD, total)


def _norm(
    norm: nn.Module, deviation_L1: Tensor, slope_GLD: Tensor, total: Total = of_all
) -> tuple[Tensor, Tensor]:
    """Back through γ·(x − mean)/deviation + β, deviation fixed: the gradient for x, and β's share.

    RMSNorm subtracts no mean; it has no β, and some layer norms have none.
    """
    assert isinstance(norm, Norm)
    scaled_GLD = slope_GLD * norm.weight / deviation_L1
    if isinstance(norm, nn.RMSNorm):
        return scaled_GLD, slope_GLD.new_zeros(())
    centred_GLD = scaled_GLD - scaled_GLD.mean(-1, keepdim=True)
    bias_D: Tensor | None = norm.bias
    return centred_GLD, slope_GLD.new_zeros(()) if bias_D is None else total(slope_GLD @ bias_D)


def through_norm(norm: nn.Module, x_LD: Tensor, slope_LD: Tensor) -> tuple[Tensor, Tensor]:
    """Back through a norm whose deviation is held: the gradient for its input, and its bias's share.

    Args:
        norm: the norm.
        x_LD: its input.
        slope_LD: the gradient with respect to its output.
    """
    return _norm(norm, _deviation(norm, x_LD), slope_LD)


def contributions(
    layers: Sequence[nn.Module],
    x_LD: Tensor,
    word: Sequence[int],
    direction_D: Tensor,
    *,
    biases: Biases = (),
    final_norm: nn.Module | None = None,
) -> tuple[Tensor, Shares]:
    """Measure the mean of a word's output vectors along a direction, and split it into summands.

    Args:
        layers: the first layers of a stack, at least one; each an `EncoderLayer`.
        x_LD: the input of the first layer, for one text.
        word: the tokens of the word.
        direction_D: the direction of the measurement. A row of the matrix that predicts tokens measures
            that token's logit, and the difference of two rows the difference of two logits.
        biases: one for each layer; empty if none hides anything.
        final_norm: the norm after the last layer, if the measurement is behind it, as a logit is.
    """
    return behind(layers, walk(layers, x_LD, biases), word, direction_D, final_norm)


def behind(
    layers: Sequence[nn.Module],
    forward: Walk,
    word: Sequence[int],
    direction_D: Tensor,
    final_norm: nn.Module | None = None,
) -> tuple[Tensor, Shares]:
    """`contributions` of a forward pass that is there already."""
    last = len(layers) - 1
    return _measured(layers, forward, word, {last: direction_D}, final_norm)[last]


def contributions_by_layer(
    layers: Sequence[nn.Module],
    x_LD: Tensor,
    word: Sequence[int],
    directions: Mapping[int, Tensor],
    *,
    biases: Biases = (),
) -> dict[int, tuple[Tensor, Shares]]:
    """`contributions` to the outputs of several layers, from 0, along a direction each.

    One forward pass serves all of them.
    """
    n_layers = max(directions, default=-1) + 1
    forward = walk(layers[:n_layers], x_LD, biases[:n_layers])
    return _measured(layers[:n_layers], forward, word, directions)


class Measured(NamedTuple):
    """A text, the tokens of its word, and the direction along which each layer, from 0, is measured."""

    x_LD: Tensor
    word: Sequence[int]
    directions: Mapping[int, Tensor]
    biases: Biases = ()


def contributions_of_each(
    layers: Sequence[nn.Module], texts: Sequence[Measured]
) -> list[dict[int, tuple[Tensor, Shares]]]:
    """`contributions_by_layer` for several short texts in one pass, all at the same layers.

    The texts stand behind each other, and a mask hides each from the others: so each weight is read
    once for all. For layers that do not rotate positions, and texts whose scores together are few.
    """
    lengths = [len(one.x_LD) for one in texts]
    ends = [*accumulate(lengths)]
    spans = [slice(end - length, end) for end, length in zip(ends, lengths, strict=True)]
    measured = [*texts[0].directions]
    layers = layers[: max(measured, default=-1) + 1]
    biases = [
        _apart([one.biases[i] if one.biases else None for one in texts], texts)
        for i in range(len(layers))
    ]
    forward = walk(layers, torch.cat([one.x_LD for one in texts]), biases)
    words = [[span.start + i for i in one.word] for span, one in zip(spans, texts, strict=True)]
    outputs_NLD = [*(step.x_LD for step in forward.steps[1:]), forward.output_LD]
    starts = {layer: torch.zeros_like(forward.output_LD) for layer in measured}
    for one, word in zip(texts, words, strict=True):
        for layer, direction_D in one.directions.items():
            starts[layer][word] = direction_D / len(word)

    of_text_LT = forward.output_LD.new_zeros(ends[-1], len(texts))
    for number, span in enumerate(spans):
        of_text_LT[span, number] = 1

    def by_text(shares_GL: Tensor) -> Tensor:
        return shares_GL @ of_text_LT

    found = back(layers, forward.steps, starts, [i for word in words for i in word], by_text)
    every = []
    for number, (one, word, span) in enumerate(zip(texts, words, spans, strict=True)):
        of_text = {}
        for layer, direction_D in one.directions.items():
            shares, output_LD = found[layer], outputs_NLD[layer]
            last_L = (starts[layer] * output_LD).sum(-1)
            of_text[layer] = (
                output_LD[word].mean(0) @ direction_D,
                Shares(
                    torch.cat([shares.by_depth_NL, last_L[None]])[:, span],
                    F.pad(shares.biases_N[:, number], (0, 1)),
                    shares.by_head_NHM[..., span],
                    shares.by_head_direct_NHM[..., span],
                ),
            )
        every.append(of_text)
    return every


def _apart(of_each: Sequence[Tensor | None], texts: Sequence[Measured]) -> Tensor:
    """(1, H or 1, L, L): what a layer adds to the scores of texts behind each other: −∞ between two."""
    whole = sum(len(one.x_LD) for one in texts)
    heads = max((one.shape[1] for one in of_each if one is not None), default=1)
    bias_BHLM = texts[0].x_LD.new_full((1, heads, whole, whole), -torch.inf)
    start = 0
    for one, own in zip(texts, of_each, strict=True):
        span = slice(start, start + len(one.x_LD))
        bias_BHLM[..., span, span] = 0 if own is None else own
        start = span.stop
    return bias_BHLM


def _measured(
    layers: Sequence[nn.Module],
    forward: Walk,
    word: Sequence[int],
    directions: Mapping[int, Tensor],
    final_norm: nn.Module | None = None,
) -> dict[int, tuple[Tensor, Shares]]:
    """The sums behind the outputs of some layers of a forward pass, by one backward pass."""
    tokens = list(word)
    outputs_NLD = [*(step.x_LD for step in forward.steps[1:]), forward.output_LD]
    starts, wholes, biases = {}, {}, {}
    for layer, direction_D in directions.items():
        measured_LD = output_LD = outputs_NLD[layer]
        start_LD = torch.zeros_like(output_LD)
        start_LD[tokens] = direction_D / len(tokens)
        biases[layer] = start_LD.new_zeros(())
        if final_norm is not None:
            measured_LD = final_norm(output_LD)
            start_LD, biases[layer] = _norm(final_norm, _deviation(final_norm, output_LD), start_LD)
        starts[layer], wholes[layer] = start_LD, measured_LD[tokens].mean(0) @ direction_D
    found = {}
    for layer, shares in back(layers, forward.steps, starts, tokens).items():
        last_L = (starts[layer] * outputs_NLD[layer]).sum(-1)  # afterwards, only the word contributes
        found[layer] = (
            wholes[layer],
            shares._replace(
                by_depth_NL=torch.cat([shares.by_depth_NL, last_L[None]]),
                biases_N=F.pad(shares.biases_N, (0, 1)) + biases[layer],
            ),
        )
    return {layer: found[layer] for layer in directions}
