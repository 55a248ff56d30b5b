"""Greedy and sampled decoding, with and without cached keys and values."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from core.transformer import (
    LanguageModel,
    Prediction,
    Reader,
    StackOutput,
    Step,
    Transformer,
    TransformerConfig,
    greedy,
    sample,
)

B, S, STEPS = 3, 7, 6
CONFIG = TransformerConfig(
    n_vocabulary=31,
    n_encoder_layers=2,
    n_decoder_layers=3,
    n_heads=3,
    n_cross_heads=1,
    d_model=42,
    d_ff=13,
    n_positions=23,
)
START = torch.tensor([[1], [4], [9]])
VARIANTS: list[dict[str, Any]] = [
    {},
    {"positions": "learned", "norm_first": True},
    {"positions": "rotary", "tied_output": True},
    {"positions": "none", "d_ff": 0},
]


def translator(variant: dict[str, Any]) -> tuple[Transformer, Tensor, Tensor]:
    config = dataclasses.replace(CONFIG, **variant)
    model = Transformer(config, torch.Generator().manual_seed(0)).eval()
    source = torch.randint(31, (B, S), generator=torch.Generator().manual_seed(0))
    return model, source, torch.arange(S) < torch.tensor([[S], [5], [2]])


def says(*logits: list[float]) -> Reader:
    """A reader with fixed logits for each text of a batch, whatever it reads."""

    def read(ids_BL: Tensor, /, *, past: Any = None) -> Prediction[Any]:
        logits_BLV = torch.tensor(logits)[:, None].expand(-1, ids_BL.shape[1], -1)
        nothing = torch.zeros(0)
        return Prediction(logits_BLV, StackOutput(nothing, nothing, (), nothing))

    return read


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("way", ["greedy", "sample"])
def test_kept_keys_and_values_change_nothing_in_a_translation(
    variant: dict[str, Any], way: str
) -> None:
    model, source, mask = translator(variant)
    memory = model.encode(source, mask).final_BLD
    read = partial(model.decode, memory_BSD=memory, mask_BS=mask)
    generator = torch.Generator().manual_seed(5)
    steps = [
        *(
            greedy(read, START, max_tokens=STEPS)
            if way == "greedy"
            else sample(read, START, max_tokens=STEPS, generator=generator)
        )
    ]
    assert len(steps) == STEPS
    ids = START
    for step in steps:
        whole = model(source, ids, mask)  # everything, once more
        probabilities = whole.logits_BLV[:, -1].softmax(-1)
        torch.testing.assert_close(step.probabilities_BV, probabilities, rtol=0, atol=1e-5)
        for rows, block in ((step.rows_NBHM, "attention"), (step.cross_rows_NBHS, "cross")):
            blocks = [getattr(layer, block).weights_BHLM[:, :, -1] for layer in whole.decoder.layers]
            torch.testing.assert_close(rows, torch.stack(blocks), rtol=0, atol=1e-5)
        assert step.rows_NBHM.shape == (3, B, 3, ids.shape[1])
        assert step.cross_rows_NBHS.shape == (3, B, 1, S)
        assert (step.cross_rows_NBHS[:, 2, :, 2:] == 0).all()
        # Only new tokens were read.
        assert step.prediction.logits_BLV.shape == (B, 1, 31)
        if way == "greedy":
            assert torch.equal(step.ids_B, probabilities.argmax(-1))
        ids = torch.cat([ids, step.ids_B[:, None]], dim=1)
    assert len(set(ids[:, 1:].flatten().tolist())) > 2  # it does not say one thing only


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_kept_keys_and_values_change_nothing_behind_a_prompt(variant: dict[str, Any]) -> None:
    config = dataclasses.replace(CONFIG, n_encoder_layers=0, **variant)
    model = LanguageModel(config, torch.Generator().manual_seed(0)).eval()
    prompt = torch.tensor([[3, 1, 4, 1], [5, 9, 2, 6]])
    ids = prompt
    for i, step in enumerate(greedy(model, prompt, max_tokens=STEPS)):
        assert step.prediction.logits_BLV.shape[1] == (1 if i else 4)
        whole = model(ids)
        torch.testing.assert_close(
            step.probabilities_BV, whole.logits_BLV[:, -1].softmax(-1), rtol=0, atol=1e-5
        )
        rows = torch.stack([x.attention.weights_BHLM[:, :, -1] for x in whole.stack.layers])
        torch.testing.assert_close(step.rows_NBHM, rows, rtol=0, atol=1e-5)
        ids = torch.cat([ids, step.ids_B[:, None]], dim=1)
    assert ids.shape == (2, 4 + STEPS)


def test_a_text_ends_with_its_end_sign_and_the_batch_with_the_last_text() -> None:
    # The next token of each text, by its number of tokens; 2 ends it.
    script = torch.tensor([[5, 2, 6, 7, 8], [4, 4, 4, 2, 4]])

    def read(ids_BL: Tensor, /, *, past: Any = None) -> Prediction[Any]:
        so_far = 0 if past is None else int(past.final_BLD)
        logits = F.one_hot(script[:, [so_far]], 9).float()
        nothing = torch.zeros(0)
        return Prediction(logits, StackOutput(nothing, nothing, (), torch.tensor(so_far + 1)))

    steps = list(greedy(read, START[:2], max_tokens=5, end_id=2))
    assert [step.ids_B.tolist() for step in steps] == [[5, 4], [2, 4], [2, 4], [2, 2]]
    assert len(list(greedy(read, START[:2], max_tokens=3, end_id=2))) == 3
    assert len(list(greedy(read, START[:2], max_tokens=5))) == 5
    assert list(greedy(read, START[:2], max_tokens=0)) == []


def test_steps_come_one_at_a_time_and_without_gradients() -> None:
    model, source, _ = translator({})
    read = partial(model.decode, memory_BSD=model.encode(source).final_BLD)
    steps = greedy(read, START, max_tokens=STEPS)
    first = next(steps)
    assert isinstance(first, Step)
    assert not first.probabilities_BV.requires_grad
    # Between two steps, the caller may compute gradients.
    assert torch.is_grad_enabled()
    assert model(source, START).logits_BLV.requires_grad


def drawn(n: int = 20_000, **how: Any) -> tuple[Tensor, Step]:
    """The frequency of each of four tokens, and the last step: logits 0, ln 2, ln 3, ln 4."""
    logits = torch.tensor([1.0, 2, 3, 4]).log().tolist()
    prompt = torch.ones(n, 1, dtype=torch.long)
    read = says(*[logits] * n)
    generator = torch.Generator().manual_seed(3)
    (step,) = sample(read, prompt, max_tokens=1, generator=generator, **how)
    return step.ids_B.bincount(minlength=4) / n, step


@pytest.mark.parametrize(
    ("how", "parts"),
    [
        ({}, [1, 2, 3, 4]),
        ({"temperature": 0.5}, [1, 4, 9, 16]),  # squared
        ({"temperature": 2.0}, [1, 2**0.5, 3**0.5, 2]),
        ({"top_k": 2}, [0, 0, 3, 4]),
        ({"top_k": 3, "temperature": 0.5}, [0, 4, 9, 16]),
        ({"top_k": 1}, [0, 0, 0, 1]),
        ({"top_k": 99}, [1, 2, 3, 4]),
    ],
    ids=str,
)
def test_temperature_and_top_k_by_hand(how: dict[str, Any], parts: list[float]) -> None:
    share, step = drawn(**how)
    expected = torch.tensor(parts) / sum(parts)
    torch.testing.assert_close(step.probabilities_BV[0], expected)
    # 20,000 draws: a standard deviation is at most .0036.
    torch.testing.assert_close(share, expected, rtol=0, atol=0.015)
    assert (share[expected == 0] == 0).all()


def test_top_k_of_equals_takes_k() -> None:
    (step,) = sample(says([1.0] * 5), torch.tensor([[1]]), max_tokens=1, top_k=2)
    assert (step.probabilities_BV > 0).sum() == 2


def test_one_seed_is_one_text() -> None:
    model, source, _ = translator({})
    read = partial(model.decode, memory_BSD=model.encode(source).final_BLD)

    def text(seed: int) -> list[list[int]]:
        generator = torch.Generator().manual_seed(seed)
        steps = sample(read, START, max_tokens=STEPS, temperature=3.0, generator=generator)
        return [step.ids_B.tolist() for step in steps]

    assert text(1) == text(1) != text(2)


@pytest.mark.parametrize("how", [{"temperature": 0.0}, {"temperature": -1.0}, {"top_k": 0}], ids=str)
def test_what_cannot_be_drawn_from_is_refused_at_once(how: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be"):
        sample(says([1.0]), START, max_tokens=1, **how)
