"""Stacks taken apart: sums that are exact up to a logit, cuts and ablations, by brute force."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from torch import Tensor, nn

import core
from core.attribution import adjoint, direct
from core.transformer import LanguageModel, Parts, Rotation, TransformerConfig
from core.transformer.layers import EncoderLayer, GatedFeedForward
from tests.pretrained.families.test_own_engine import saved
from tests.pretrained.small_models import TEXT

LLAMA = TransformerConfig(
    n_vocabulary=31,
    n_encoder_layers=0,
    n_decoder_layers=3,
    n_heads=6,
    d_model=35,
    d_ff=13,
    positions="rotary",
    norm_first=True,
    tied_output=True,
    scale_embeddings=False,
    activation="silu",
    parts=Parts("RMSNorm", True, 2, 10, Rotation(500.0, "halves"), False, False, False),
)
GPT2 = TransformerConfig(
    n_vocabulary=31,
    n_encoder_layers=0,
    n_decoder_layers=3,
    n_heads=5,
    d_model=35,
    d_ff=13,
    positions="learned",
    norm_first=True,
    tied_output=True,
    scale_embeddings=False,
    activation="gelu_tanh",
)
SHAPES = {
    "llama": LLAMA,
    "llama, biases": TransformerConfig(
        **(vars(LLAMA) | {"parts": LLAMA.parts._replace(qkv_bias=True, feed_forward_bias=True)})
    ),
    "mistral": TransformerConfig(**(vars(LLAMA) | {"windows": (3, 3, 3)})),
    "gpt2": GPT2,
    "qwen3": TransformerConfig(
        **(vars(LLAMA) | {"parts": LLAMA.parts._replace(query_key_norm="each head")})
    ),
    "smollm3": TransformerConfig(**(vars(LLAMA) | {"rotations": (None, LLAMA.parts.rotation, None)})),
    "granite": TransformerConfig(
        **(vars(LLAMA) | {"embedding_scale": 3.0, "logit_scale": 0.2})
        | {"parts": LLAMA.parts._replace(scale=0.4)}
    ),
    "cohere": TransformerConfig(
        **(vars(LLAMA) | {"logit_scale": 0.2})
        | {"parts": LLAMA.parts._replace(norm="LayerNorm", norm_bias=False, parallel=True)}
    ),
    "olmo2": TransformerConfig(
        **(vars(LLAMA) | {"parts": LLAMA.parts._replace(norm="RMSNorm of outputs")})
    ),
    "gemma2": TransformerConfig(
        **(vars(LLAMA) | {"scale_embeddings": True, "windows": (3, 0, 3)})
        | {"parts": LLAMA.parts._replace(norm="RMSNorm on both sides", scale=0.2, score_cap=1.0)}
    ),
    "gpt-neox": TransformerConfig(
        **(vars(GPT2) | {"positions": "rotary", "d_model": 40})
        | {"parts": Parts(rotation=Rotation(500.0, "halves", width=4), parallel=True)}
    ),
    "modernbert": TransformerConfig(
        **(vars(LLAMA) | {"n_encoder_layers": 3, "n_decoder_layers": 0, "windows": (0, 2, 2)})
        | {"embedding_norm": True, "first_norm": False, "activation": "gelu"}
        | {"rotations": (Rotation(90.0, "halves"), Rotation(7.0, "halves"), Rotation(7.0, "halves"))}
        | {"parts": LLAMA.parts._replace(norm="LayerNorm", norm_bias=False, n_kv_heads=0)}
    ),
    "bloom": TransformerConfig(**(vars(GPT2) | {"positions": "linear bias", "embedding_norm": True})),
}
IDS = torch.tensor([[3, 1, 4, 1, 5, 9, 2]])


def decoder(config: TransformerConfig) -> LanguageModel:
    """In double precision, with norms and biases that are not those of a beginning."""
    made = LanguageModel(config, torch.Generator().manual_seed(1)).double().eval()
    numbers = torch.Generator().manual_seed(2)
    for tensor in made.parameters():
        if tensor.ndim == 1:
            change = torch.randn(tensor.shape, generator=numbers, dtype=tensor.dtype)
            tensor.data.add_(0.3 * change)
    return made.requires_grad_(False)


class Held(NamedTuple):
    """What one layer of a run is held at: a linear map, plus constants.

    The divisors are those of the norms of what each sub-layer reads, and of what it adds; None: none.
    """

    layer: Any
    weights_HLM: Tensor
    attention_norms: tuple[Tensor | None, Tensor | None]
    network_norms: tuple[Tensor | None, Tensor | None]
    gate_LF: Tensor


def divisor(norm: Any, x_LD: Tensor) -> Tensor | None:
    if norm is None:
        return None
    if isinstance(norm, nn.LayerNorm):
        x_LD = x_LD - x_LD.mean(-1, keepdim=True)
    return (x_LD.square().mean(-1, keepdim=True) + norm.eps).sqrt()


def normed(norm: Any, x_LD: Tensor, by_L1: Tensor | None, constants: float) -> Tensor:
    if norm is None or by_L1 is None:
        return x_LD
    if isinstance(norm, nn.LayerNorm):
        x_LD = x_LD - x_LD.mean(-1, keepdim=True)
        shift = 0 if norm.bias is None else norm.bias
        made: Tensor = x_LD / by_L1 * norm.weight + constants * shift
        return made
    return x_LD / by_L1 * norm.weight


def held(model: LanguageModel) -> tuple[Tensor, list[Held], Tensor | None]:
    """The embeddings of a run, each layer, and the divisor of the final norm."""
    stack = model.read(IDS)
    x_LD, layers = stack.embedded_BLD[0], []
    for layer, out in zip(model.stack.layers, stack.layers, strict=True):
        assert isinstance(layer, EncoderLayer)
        first, second = layer.attention_norm, layer.output_norm
        added_LD = out.attention.output_BLD[0]
        middle_LD = x_LD + (added_LD if first.of_output is None else first.of_output(added_LD))
        net: Any = layer.feed_forward
        assert second is not None
        entering_LD = x_LD if layer.parallel else middle_LD
        read_LD = entering_LD if second.of_input is None else second.of_input(entering_LD)
        if isinstance(net, GatedFeedForward):
            gate_LF = net.activation(net.gate(read_LD))
        else:
            gate_LF = net.activation(net.inner(read_LD)) / net.inner(read_LD)
        attention_norms = divisor(first.of_input, x_LD), divisor(first.of_output, added_LD)
        network_norms = divisor(second.of_input, entering_LD), divisor(second.of_output, net(read_LD))
        assert out.attention.weights_BHLM is not None
        weights_HLM = out.attention.weights_BHLM[0]
        layers.append(Held(layer, weights_HLM, attention_norms, network_norms, gate_LF))
        x_LD = out.output_BLD[0]
    return stack.embedded_BLD[0], layers, divisor(model.stack.norm, x_LD)


def plain(linear: Any, x: Tensor, constants: float) -> Tensor:
    y: Tensor = x @ linear.weight.T
    return y if linear.bias is None else y + constants * linear.bias


def ran(layers: list[Held], x_LD: Tensor, constants: float) -> Tensor:
    """The linear map on any input; `constants` 0 leaves out what the biases add."""
    for one in layers:
        layer, attention, first = one.layer, one.layer.attention, one.layer.attention_norm
        read_LD = normed(first.of_input, x_LD, one.attention_norms[0], constants)
        heads = plain(attention.value, read_LD, constants).view(len(x_LD), -1, attention.d_head)
        each = [h * attention.n_kv_heads // attention.n_heads for h in range(attention.n_heads)]
        mixed = [one.weights_HLM[h] @ heads[:, group] for h, group in enumerate(each)]
        added_LD = plain(attention.output, torch.cat(mixed, -1), constants)
        middle_LD = x_LD + normed(first.of_output, added_LD, one.attention_norms[1], constants)
        added_LD = fed(one, x_LD if layer.parallel else middle_LD, constants)
        x_LD = middle_LD + added_LD
    return x_LD


def fed(one: Held, entering_LD: Tensor, constants: float) -> Tensor:
    """What the feed-forward network adds."""
    norm, net = one.layer.output_norm, one.layer.feed_forward
    read_LD = normed(norm.of_input, entering_LD, one.network_norms[0], constants)
    inner_LF = plain(net.inner, read_LD, constants) * one.gate_LF
    outer_LD = plain(net.outer, inner_LF, constants)
    return normed(norm.of_output, outer_LD, one.network_norms[1], constants)


@pytest.mark.few(12)
@pytest.mark.parametrize("other", [None, 7], ids=["a logit", "two logits"])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_logit_is_the_sum_of_its_sources_by_brute_force(shape: str, other: int | None) -> None:
    model, at = decoder(SHAPES[shape]), 5
    table = model.embeddings.tokens.weight * model.config.logit_scale
    along_D = table[11] if other is None else table[11] - table[other]
    x_LD, layers, last_L1 = held(model)
    norm = model.stack.norm
    whole, shares = adjoint.contributions(
        list(model.stack.layers), x_LD, [at], along_D, biases=model.masks(x_LD[None]), final_norm=norm
    )
    logits_V = model(IDS).logits_BLV[0, at]
    expected = logits_V[11] - (0 if other is None else logits_V[other])
    torch.testing.assert_close(whole, expected, rtol=1e-12, atol=1e-12)

    def read_out(y_LD: Tensor, constants: float) -> Tensor:
        return normed(norm, y_LD, last_L1, constants)[at] @ along_D

    for depth in range(len(layers) + 1):
        before_LD = ran(layers[:depth], x_LD, 1)  # the vectors after so many layers
        for source in range(IDS.shape[1]):
            alone_LD = torch.zeros_like(x_LD)
            alone_LD[source] = before_LD[source]
            found = read_out(ran(layers[depth:], alone_LD, 0), 0)
            torch.testing.assert_close(shares.by_depth_NL[depth, source], found, rtol=1e-9, atol=1e-11)
        nothing = read_out(ran(layers[depth:], torch.zeros_like(x_LD), 1), 1)
        torch.testing.assert_close(shares.biases_N[depth], nothing, rtol=1e-9, atol=1e-11)
    sums_N = shares.by_depth_NL.sum(1) + shares.biases_N
    torch.testing.assert_close(sums_N, whole.expand(4), rtol=1e-9, atol=1e-11)
    later = float(shares.by_depth_NL[0, at + 1 :].abs().max())
    assert (later == 0) == model.causal  # later tokens add nothing, except in an encoder


@pytest.mark.parametrize("shape", SHAPES)
def test_a_head_moves_its_weight_times_its_value_by_brute_force(shape: str) -> None:
    """Of each head of the last layer: what it moves from each token to the one that is measured."""
    model, at = decoder(SHAPES[shape]), 5
    x_LD, layers, _ = held(model)
    along_D = torch.randn(
        x_LD.shape[1], generator=torch.Generator().manual_seed(3), dtype=torch.float64
    )
    _, shares = adjoint.contributions(
        list(model.stack.layers), x_LD, [at], along_D, biases=model.masks(x_LD[None])
    )
    one = layers[-1]
    attention, norm = one.layer.attention, one.layer.attention_norm
    before_LD = ran(layers[:-1], x_LD, 1)
    read_LD = normed(norm.of_input, before_LD, one.attention_norms[0], 0)
    for head in range(attention.n_heads):
        group = head * attention.n_kv_heads // attention.n_heads
        width = attention.d_head
        value_LK = read_LD @ attention.value.weight[group * width : (group + 1) * width].T
        output_DK = attention.output.weight[:, head * width : (head + 1) * width]
        for source in range(IDS.shape[1]):
            moved_LD = torch.zeros_like(x_LD)
            moved_LD[at] = one.weights_HLM[head, at, source] * (output_DK @ value_LK[source])
            moved_LD = normed(norm.of_output, moved_LD, one.attention_norms[1], 0)
            out_LD = moved_LD if one.layer.parallel else moved_LD + fed(one, moved_LD, 0)
            found = shares.by_head_NHM[-1, head, source]
            torch.testing.assert_close(found, out_LD[at] @ along_D, rtol=1e-9, atol=1e-11)
            torch.testing.assert_close(found, shares.by_head_direct_NHM[-1, head, source])


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_written_straight_to_a_logit_adds_up(shape: str) -> None:
    """Each head and each network, held where a norm stands behind it."""
    model, at = decoder(SHAPES[shape]), 5
    x_LD, layers, last_L1 = held(model)
    norm = model.stack.norm
    row_D = model.embeddings.tokens.weight[11] * model.config.logit_scale
    assert norm is not None
    forward = adjoint.walk(model.stack.layers, x_LD, model.masks(x_LD[None]))
    parts = direct.parts(list(model.stack.layers), forward, at, row_D, norm)
    torch.testing.assert_close(parts.whole, model(IDS).logits_BLV[0, at, 11], rtol=1e-12, atol=1e-12)
    every = parts.by_head_NHM.sum() + parts.feed_forward_N.sum() + parts.biases_N.sum()
    torch.testing.assert_close(every + parts.embedding + parts.final_bias, parts.whole)
    for number, one in enumerate(layers):
        before_LD, after_LD = (ran(layers[: number + i], x_LD, 1) for i in (0, 1))
        written = (
            parts.by_head_NHM[number].sum() + parts.biases_N[number] + parts.feed_forward_N[number]
        )
        change_LD = normed(norm, after_LD - before_LD, last_L1, 0)
        torch.testing.assert_close(written, change_LD[at] @ row_D)
        if one.layer.parallel:
            added_LD = normed(norm, fed(one, before_LD, 1), last_L1, 0)
            torch.testing.assert_close(parts.feed_forward_N[number], added_LD[at] @ row_D)


# Models from folders


MORE = (
    *("qwen2", "smollm3", "olmo2", "gemma2", "gemma3", "gpt-neox", "gptj", "falcon", "bloom", "opt"),
    *("gpt-neo", "starcoder", "starcoder2", "stablelm, parallel", "phi"),
)
# The modules that join the heads in the second layer.
JOINS = (
    "h.1.attn.c_proj",
    "h.1.attn.out_proj",
    "h.1.attn.attention.out_proj",
    "h.1.self_attention.dense",
    "layers.1.attention.dense",
    "layers.1.self_attn.dense",
    "layers.1.self_attn.o_proj",
    "decoder.layers.1.self_attn.out_proj",
)


@pytest.fixture(
    scope="module",
    params=["llama", "mistral", "gpt2", *(pytest.param(one, marks=pytest.mark.check) for one in MORE)],
)
def model(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    fill_randomly: Callable[..., None],
) -> core.Model:
    folder = saved(tmp_path_factory.mktemp("apart"), request.param, fill_randomly)
    return core.load(str(folder))


def theirs(model: core.Model) -> Any:
    """The same folder in plain `transformers`, with its head."""
    from transformers import AutoModelForCausalLM

    own = AutoModelForCausalLM.from_pretrained(model.name, attn_implementation="eager")
    return own.float().eval()


def logits(own: Any, ids: Any, **more: Any) -> np.ndarray:
    with torch.inference_mode():
        found: np.ndarray = own(torch.tensor([[*ids]]), **more).logits[0].numpy()
    return found


def test_a_logit_of_a_model(model: core.Model) -> None:
    (expected,) = model.expects(TEXT)
    first, second = expected.ids[:2]
    one = model.logit_contributions(TEXT, first)
    two = model.logit_contributions(TEXT, first, second)
    assert one.final
    assert one.word == (len(model.read(TEXT).ids) - 1,)
    gap = expected.logits[first] - expected.logits[second]
    assert one.whole == pytest.approx(expected.logits[first], rel=1e-5, abs=1e-5)
    assert two.whole == pytest.approx(gap, rel=1e-4, abs=1e-5)
    for found in (one, two):
        most = max(1.0, float(np.abs(found.by_depth).max()))
        assert found.error <= 1e-5 * most
    own = theirs(model)
    ids = model.read(TEXT).ids
    at = model.logit_contributions(TEXT, first, at=3)
    assert at.whole == pytest.approx(logits(own, ids)[3, first], rel=1e-4, abs=1e-4)
    assert not at.by_token[4:].any()
    longer = model.logit_contributions(TEXT, first, more=[second])
    assert longer.whole == pytest.approx(logits(own, [*ids, second])[-1, first], rel=1e-4, abs=1e-4)


def test_any_direction_after_any_layer(model: core.Model) -> None:
    width, layers = model.shape.d_model, model.shape.n_layers
    directions = np.random.default_rng(0).normal(size=(layers, width)).astype(np.float32)
    trace = model.trace(TEXT)
    assert trace.hidden is not None
    for found in model.contributions_by_layer(TEXT, "bank", list(directions)):
        hidden = trace.hidden[found.layer, list(found.word)].mean(0)
        most = max(1.0, float(np.abs(found.by_depth).max()))
        assert found.whole == pytest.approx(hidden @ directions[found.layer], rel=1e-4, abs=1e-4)
        assert found.error <= 1e-5 * most
        assert not found.final


def test_a_token_by_its_spelling(model: core.Model) -> None:
    number = model.read("a bank").ids[-1]
    by_text, by_id = (model.logit_contributions(TEXT, one) for one in (" bank", number))
    assert by_text.whole == by_id.whole
    for wrong, said in ((" riverbank 🎣", "single token"), ("", "single token"), (10**6, "no token")):
        with pytest.raises(core.SettingError, match=said):
            model.logit_contributions(TEXT, wrong)
    with pytest.raises(core.SettingError, match="do not differ"):
        model.logit_contributions(TEXT, number, " bank")
    with pytest.raises(core.SettingError, match="no token"):
        model.logit_contributions(TEXT, number, at=99)


def test_an_ablated_head_is_one_without_its_columns(model: core.Model) -> None:
    own, width = theirs(model), model.shape.d_head
    columns = slice(2 * width, 3 * width)
    with torch.no_grad():
        modules = dict(own.base_model.named_modules())
        name = next(one for one in JOINS if one in modules)
        weight, inputs_first = modules[name].weight, type(modules[name]).__name__ == "Conv1D"
        (weight if inputs_first else weight.T)[columns] = 0
    after = model.intervene(TEXT, core.Ablate(1, 2)).after
    with torch.inference_mode():
        expected = own.base_model(torch.tensor([[*model.read(TEXT).ids]])).last_hidden_state[0].numpy()
    np.testing.assert_allclose(after.contextual, expected, rtol=0, atol=1e-5 * np.abs(expected).max())
    assert np.abs(after.contextual - model.trace(TEXT).contextual).max() > 1e-3


def test_a_cut_edge_is_gone_in_every_layer(model: core.Model) -> None:
    ids = model.read(TEXT).ids
    n = len(ids)
    after = model.intervene(TEXT, core.Cut(n - 1, n - 2)).after
    assert after.attention is not None
    own = theirs(model)
    if own.config.model_type in ("bloom", "gemma2", "gemma3_text", "opt"):  # no mask of all pairs
        assert (after.attention.weights[..., n - 1, n - 2] == 0).all()
        return
    window = getattr(own.config, "sliding_window", None)
    distance = np.arange(n)[:, None] - np.arange(n)
    hidden = (distance < 0) | (distance >= (window or n))
    hidden[n - 1, n - 2] = True
    assert (after.attention.weights[..., hidden] == 0).all()
    np.testing.assert_allclose(after.attention.weights.sum(-1), 1, atol=1e-5)
    # transformers takes a mask of all pairs of tokens as it is
    mask = torch.tensor(hidden).float() * torch.finfo(torch.float32).min
    with torch.inference_mode():
        given = own.base_model(torch.tensor([[*ids]]), attention_mask=mask[None, None])
    expected = given.last_hidden_state[0].numpy()
    np.testing.assert_allclose(after.contextual, expected, rtol=0, atol=1e-5 * np.abs(expected).max())


def test_a_token_must_be_left_something_that_it_may_attend_to(model: core.Model) -> None:
    """The first token has itself alone; what comes later is hidden from it anyway."""
    with pytest.raises(core.NotSupported, match="must attend to something"):
        model.intervene(TEXT, core.Cut(0, 0))
    assert model.intervene(TEXT, core.Cut(1, 1)).after.tokens == model.trace(TEXT).tokens


def test_runs_that_share_a_batch_are_those_on_their_own(model: core.Model) -> None:
    n = len(model.read(TEXT).ids)
    each: list[list[Any]] = [
        [core.Cut(n - 1, 1)],
        [core.Ablate(0, 1)],
        [core.Cut(2, 0, layer=1), core.Ablate(2, 0)],
        [],
    ]
    together = model.changed(TEXT, each)
    for changed, one in zip(together, model.interventions(TEXT, each), strict=True):
        np.testing.assert_allclose(changed.contextual, one.after.contextual, rtol=0, atol=1e-5)


def test_a_replaced_word(model: core.Model) -> None:
    made = model.intervene(TEXT, core.Replace("river", "bank"))
    text = TEXT.replace("river", "bank", 1)
    np.testing.assert_allclose(made.after.contextual, model.trace(text).contextual, rtol=0, atol=1e-5)


def test_where_there_is_no_logit_of_a_next_token(minilm: core.Model) -> None:
    with pytest.raises(core.NotSupported, match="does not predict the next token"):
        minilm.logit_contributions(TEXT, 5)
