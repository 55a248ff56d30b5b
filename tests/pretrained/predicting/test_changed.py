"""Surprise and next token with something changed, against hooks in `transformers`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM

import core
from core.errors import NotSupported

Made = Callable[..., Path]
TEXT = "On the river bank the river"
HEADS = ((0, 1), (1, 0))


def ablated_logits(folder: Path, kind: str, ids: tuple[int, ...]) -> np.ndarray:
    """(L, V): the heads' columns are zero where the output projection reads them."""
    oracle: Any = AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager").eval()
    width = oracle.config.hidden_size // oracle.config.num_attention_heads

    def without(head: int) -> Callable[..., tuple[torch.Tensor]]:
        def hook(_: object, given: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor]:
            changed = given[0].clone()
            changed[..., head * width : (head + 1) * width] = 0
            return (changed,)

        return hook

    for layer, head in HEADS:
        if kind == "llama":
            part = oracle.model.layers[layer].self_attn.o_proj
        else:
            part = oracle.transformer.h[layer].attn.c_proj
        part.register_forward_pre_hook(without(head))
    with torch.inference_mode():
        logits: np.ndarray = oracle(torch.tensor([ids])).logits[0].double().numpy()
    return logits


@pytest.mark.parametrize("kind", ["llama", "gpt2"])
def test_without_heads(made: Made, kind: str) -> None:
    folder = made(kind)
    model = core.load(str(folder))
    changes = [core.Ablate(*one) for one in HEADS]
    found = model.score_changed(TEXT, *changes)
    logits = ablated_logits(folder, kind, found.ids)
    log_p = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    bits = -log_p[np.arange(len(found.ids) - 1), found.ids[1:]] / np.log(2)
    np.testing.assert_allclose(found.bits[1:], bits, atol=2e-4)
    assert np.abs(found.bits[1:] - model.score(TEXT).bits[1:]).max() > 1e-3
    np.testing.assert_allclose(model.expects_changed(TEXT, *changes).logits, logits[-1], atol=2e-4)


@pytest.mark.parametrize("kind", ["llama", "gpt2"])
def test_without_a_change_it_is_score_and_expects(made: Made, kind: str) -> None:
    model = core.load(str(made(kind)))
    np.testing.assert_allclose(model.score_changed(TEXT).bits, model.score(TEXT).bits, atol=1e-5)
    (expected,) = model.expects(TEXT)
    np.testing.assert_allclose(model.expects_changed(TEXT).logits, expected.logits, atol=1e-5)


def test_a_masked_model_is_refused() -> None:
    with pytest.raises(NotSupported):
        core.load("minilm").score_changed(TEXT)
