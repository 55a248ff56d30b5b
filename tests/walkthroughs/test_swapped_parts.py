"""One part of the paper in a decoder of today: each exchange is a model that was built so."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
import torch

from core.errors import NotSupported
from core.transformer import LanguageModel, TransformerConfig
from core.transformer.layers import Parts
from core.walkthroughs import swapped_parts
from core.walkthroughs.part_names import BUT_FIRST, PARTS, exchanges, named
from tests.transformer import small_models

IDS = (3, 1, 4, 1, 5)
TODAY = TransformerConfig(
    n_vocabulary=31,
    n_encoder_layers=0,
    n_decoder_layers=3,
    n_heads=6,
    d_model=36,
    d_ff=13,
    positions="rotary",
    norm_first=True,
    tied_output=True,
    scale_embeddings=False,
    activation="silu",
    parts=Parts(
        norm="RMSNorm",
        gated=True,
        n_kv_heads=2,
        qkv_bias=False,
        output_bias=False,
        feed_forward_bias=False,
    ),
)
# How a model with the paper's part is declared.
BUILT: dict[str, dict[str, Any]] = {
    "as it is": {},
    "mask": {"n_encoder_layers": 3, "n_decoder_layers": 0},
    "order": {"norm_first": False},
    "norm": {"parts": TODAY.parts._replace(norm="LayerNorm")},
    "positions": {"positions": "sinusoidal"},
    "network": {"parts": TODAY.parts._replace(gated=False), "activation": "gelu"},
    "heads": {"parts": TODAY.parts._replace(n_kv_heads=6)},
}


def test_the_first_token_alone_can_be_masked() -> None:
    decoder = today()
    own, none = (swapped_parts.states(decoder, IDS, one) for one in ("as it is", "mask"))
    first = swapped_parts.states(decoder, IDS, BUT_FIRST)
    torch.testing.assert_close(first[:, 0], own[:, 0])  # it sees itself alone, in every layer
    torch.testing.assert_close(first[1, 1:], none[1, 1:])  # in the first layer, all others see all
    assert not torch.allclose(first[2, 1:], none[2, 1:])
    assert named(BUT_FIRST) == BUT_FIRST
    assert BUT_FIRST not in PARTS


def today(config: TransformerConfig = TODAY) -> LanguageModel:
    """A small decoder of the Llama kind, in float32 as real ones."""
    made: LanguageModel = small_models.made(config).float().requires_grad_(False)
    return made


def built(part: str, weights: dict[str, torch.Tensor]) -> LanguageModel:
    """A model with the paper's part, and the weights of another, as far as it has them."""
    made = LanguageModel(dataclasses.replace(TODAY, **BUILT[part])).eval().requires_grad_(False)
    own = made.state_dict()
    given = {name: one for name, one in weights.items() if name in own}
    if part == "heads":
        for name, one in given.items():
            if one.shape != own[name].shape:  # each key and value once for each head that shares it
                given[name] = one.view(2, 6, -1).repeat_interleave(3, 0).flatten(0, 1)
    made.load_state_dict(given, strict=False)
    return made


@pytest.mark.parametrize("part", PARTS)
def test_an_exchanged_part_is_that_of_a_model_built_with_it(part: str) -> None:
    decoder = today()
    before = {name: one.clone() for name, one in decoder.state_dict().items()}
    found = swapped_parts.states(decoder, IDS, named(part))
    own = built(part, before).read(torch.tensor([IDS]))
    for i, layer in enumerate(own.layers, 1):
        torch.testing.assert_close(found[i], layer.output_BLD[0], rtol=1e-5, atol=1e-5)
    for name, one in decoder.state_dict().items():  # the model stays as it was
        assert torch.equal(one, before[name])


def test_what_is_expected_as_it_is_is_the_models_own() -> None:
    decoder = today()
    head_VD = decoder.embeddings.tokens.weight
    own = decoder(torch.tensor([IDS])).logits_BLV[0, -1]
    found = swapped_parts.expected(decoder, head_VD, IDS)
    torch.testing.assert_close(torch.tensor(found), own, rtol=1e-5, atol=1e-5)
    lengths = swapped_parts.lengths(decoder, IDS)
    assert lengths[0] == pytest.approx(float(decoder.embeddings.tokens.weight[5].norm()))
    assert len(lengths) == 4


def test_own_keys_say_the_same_and_keep_more() -> None:
    decoder = today()
    head_VD = decoder.embeddings.tokens.weight
    shared = swapped_parts.expected(decoder, head_VD, IDS)
    assert swapped_parts.expected(decoder, head_VD, IDS, "heads") == pytest.approx(shared, abs=1e-5)
    # A key and a value of 6 numbers for 2 or 6 heads in 3 layers.
    assert [swapped_parts.kept(decoder, one) for one in ("as it is", "heads")] == [72, 216]


def test_a_part_that_a_model_does_not_have_is_not_exchanged() -> None:
    assert swapped_parts.exchangeable(today()) == PARTS[1:]
    gpt2 = dataclasses.replace(
        TODAY, positions="learned", activation="gelu_tanh", parts=Parts(norm="LayerNorm")
    )
    assert swapped_parts.exchangeable(today(gpt2)) == ("mask", "order")
    with pytest.raises(NotSupported, match="SwiGLU"):
        swapped_parts.states(today(gpt2), IDS, "network")
    capped = today(dataclasses.replace(TODAY, logit_cap=3.0))
    assert swapped_parts.exchangeable(capped) == ()
    with pytest.raises(NotSupported, match="GPT-2 or Llama"):
        swapped_parts.states(capped, IDS)


def test_a_part_of_another_name_is_refused() -> None:
    with pytest.raises(NotSupported, match="engine"):
        named("engine")
    assert exchanges("norm") == "RMSNorm → LayerNorm"
