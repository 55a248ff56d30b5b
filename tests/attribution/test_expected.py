"""Predictions at a mask, before and after a change: against the logits of `transformers`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import core
from tests.pretrained.word_models import logits, make, plain

TEXT = "She sat by the [MASK] bank with a friend."
KINDS = ("bert", "distilbert")
Folders = dict[str, Path]


@pytest.fixture(scope="module")
def folders(
    tmp_path_factory: pytest.TempPathFactory, minilm_folder: Path, fill_randomly: Callable[..., None]
) -> Folders:
    """A small random model of each kind with its head."""
    return {
        kind: make(tmp_path_factory.mktemp(kind), kind, fill_randomly, minilm_folder) for kind in KINDS
    }


def theirs(oracle: Any, text: str, masked: str = "") -> np.ndarray:
    """(masks, V) by plain `transformers`; `masked` is a word to mask."""
    inputs = oracle.tokenizer(text, return_tensors="pt")
    ids = inputs["input_ids"]
    if masked:
        ids[ids == oracle.tokenizer.convert_tokens_to_ids(masked)] = oracle.tokenizer.mask_token_id
    there = ids[0] == oracle.tokenizer.mask_token_id
    found: np.ndarray = logits(oracle.model, **inputs)[there].numpy()
    return found


def ablate(kind: str, model: Any, layer: int, head: int) -> None:
    """Set the head's columns of W_O to 0, so that its output is 0."""
    layers = model.bert.encoder.layer if kind == "bert" else model.distilbert.transformer.layer
    attention = layers[layer].attention
    out = attention.output.dense if kind == "bert" else attention.out_lin
    width = out.weight.shape[1] // 3
    with torch.no_grad():
        out.weight[:, head * width : (head + 1) * width] = 0


@pytest.mark.parametrize("kind", KINDS)
def test_each_change_is_what_transformers_gives(folders: Folders, kind: str) -> None:
    model, oracle = core.load(str(folders[kind])), plain(folders[kind])
    before = theirs(oracle, TEXT)
    for change, text, masked in (
        (core.Replace("She", "Embankments"), TEXT.replace("She", "Embankments"), ""),  # more pieces
        (core.Mask("bank"), TEXT, "bank"),
    ):
        (found,) = model.intervene(TEXT, change).expected or ()
        np.testing.assert_allclose(found.before.logits, before[0], atol=1e-4)
        np.testing.assert_allclose(found.after.logits, theirs(oracle, text, masked)[0], atol=1e-4)
        assert np.abs(found.after.logits - found.before.logits).max() > 1e-3
        assert found.before.position == 5  # [CLS] she sat by the
    (found,) = model.intervene(TEXT, core.Ablate(1, 2)).expected or ()
    ablate(kind, oracle.model, 1, 2)
    np.testing.assert_allclose(found.after.logits, theirs(oracle, TEXT)[0], atol=1e-4)
    (cut,) = model.intervene(TEXT, core.Cut(5, "bank")).expected or ()
    assert np.abs(cut.after.logits - cut.before.logits).max() > 1e-3


def test_nothing_changed_expects_the_same_to_the_bit(folders: Folders) -> None:
    model = core.load(str(folders["bert"]))
    found = model.intervene(TEXT, masked=[6])
    assert [one.before.position for one in found.expected or ()] == [5, 6]
    asked = model.expects(TEXT, masked=[6])
    for one, alone in zip(found.expected or (), asked, strict=True):
        assert np.array_equal(one.before.logits, one.after.logits)
        np.testing.assert_allclose(one.before.logits, alone.logits, atol=1e-4)  # another kernel
    # A cut in the last layer alone, at another token, leaves the mask unchanged to the bit.
    (cut, _) = model.intervene(TEXT, core.Cut("She", "bank", layer=2), masked=[6]).expected or ()
    assert np.array_equal(cut.before.logits, cut.after.logits)


def test_masks_are_found_again_behind_a_replaced_word(folders: Folders) -> None:
    model = core.load(str(folders["distilbert"]))
    change = core.Replace("She", "The embankments")
    found = model.intervene(TEXT, change, masked=[8])
    longer = TEXT.replace("She", "The embankments")
    by = len(model.trace(longer).tokens) - len(model.trace(TEXT).tokens)
    assert [(one.before.position, one.after.position) for one in found.expected or ()] == [
        *((5, 5 + by), (8, 8 + by))
    ]
    typed = model.expects(longer, masked=[8 + by])
    for one, alone in zip(found.expected or (), typed, strict=True):
        np.testing.assert_allclose(one.after.logits, alone.logits, atol=1e-4)
    # A mask that was inserted or removed is in only one of the two runs, and is not compared.
    (one,) = model.intervene(TEXT, core.Replace("She", "[MASK]")).expected or ()
    assert (one.before.position, one.after.position) == (5, 5)
    assert model.intervene("The [MASK].", core.Replace("[MASK]", "bank")).expected == ()
    gone = model.intervene("The old bank.", core.Replace("bank", "river"), masked=[3])
    assert gone.expected == ()


def test_a_model_without_a_head_expects_nothing(minilm: core.Model) -> None:
    assert minilm.intervene(TEXT, core.Mask("bank")).expected is None


def test_the_other_engine_expects_too(folders: Folders) -> None:
    model = core.load(str(folders["bert"]), engine="huggingface")
    (found,) = model.intervene(TEXT, core.Mask("bank")).expected or ()
    np.testing.assert_allclose(
        found.after.logits, theirs(plain(folders["bert"]), TEXT, "bank")[0], atol=1e-4
    )
