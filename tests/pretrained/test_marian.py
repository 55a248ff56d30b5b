"""Folders of Marian, which computes its positions and is published with two SentencePiece files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.torch import load_file

import core
from tests.pretrained.fakes import refusal
from tests.pretrained.small_models import TEXT, close, save, tokenizer

TARGET = "a river on the bank"
Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path, fill_randomly: Callable[..., None]) -> Make:
    def saved(shape: str, head: str = "Model", **options: Any) -> Path:
        return save(tmp_path, shape, fill_randomly, head, **options)

    return saved


def test_marian_without_the_positions_that_it_can_compute(make: Make) -> None:
    folder = make("marian", "MTModel")
    held = load_file(folder / "model.safetensors")
    assert not any("embed_positions" in name for name in held)
    trace = core.load(str(folder)).trace("bank", "bank")
    table, rows = held["model.shared.weight"] * 42**0.5, trace.encoder
    position = rows.embedded - table[tokenizer("marian")("bank")["input_ids"]].numpy()
    close(position[0], np.array([0.0] * 21 + [1.0] * 21))  # sin 0, cos 0


def test_marian_with_a_tokenizer_json_beside_its_own_files(make: Make) -> None:
    folder = make("marian")
    before = core.load(str(folder)).trace(TEXT, TARGET).decoder.hidden
    file = folder / "tokenizer_config.json"
    said = json.loads(file.read_text()) | {"tokenizer_class": "MarianTokenizer"}
    file.write_text(json.dumps(said), "utf-8")
    (folder / "source.spm").write_bytes(b"")
    close(core.load(str(folder)).trace(TEXT, TARGET).decoder.hidden, before)
    (folder / "tokenizer.json").unlink()
    error = refusal(str(folder))
    assert "Add a tokenizer.json" in str(error)
    assert "source.spm" in str(error)
