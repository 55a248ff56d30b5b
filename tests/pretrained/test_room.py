"""What a model takes is known before it is read; where float32 has no room, matrices stay halves."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

import core
from core.pretrained import load_model, room
from core.pretrained.files import places, weight_files
from core.pretrained.files.checkpoint import read
from tests.pretrained.families.test_own_engine import saved
from tests.pretrained.small_models import TEXT

pytestmark = pytest.mark.filterwarnings("ignore::core.ModelNote")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, fill_randomly: Callable[..., None]) -> Path:
    """A Llama in bfloat16."""
    made = tmp_path_factory.mktemp("half") / "llama"
    saved(made, "llama", fill_randomly)
    weights = load_file(made / "model.safetensors")
    halves = {name: one.to(torch.bfloat16) for name, one in weights.items()}
    save_file(halves, made / "model.safetensors", {"format": "pt"})
    return made


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    monkeypatch.setattr(room, "_SMALL", 0)

    def has(count: float) -> None:
        monkeypatch.setattr(room, "free_memory", lambda: int(count))

    return has


def test_what_it_takes_is_counted_from_the_headers(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    matrices = sum(one.numel() for one in weights.values() if one.ndim == 2)
    rest = sum(one.numel() for one in weights.values() if one.ndim != 2)
    assert room.need(read(folder, "m")) == (4 * (matrices + rest), 2 * matrices + 4 * rest)


def test_halves_give_the_very_same_numbers(folder: Path, free: Callable[[float], None]) -> None:
    needed = room.need(read(folder, "m"))
    free(3 * needed.whole)
    whole = core.load(folder, name="m")
    assert not whole.notes
    free(1.2 * needed.halved)
    half = core.load(folder, name="m")
    assert "half precision" in " ".join(half.notes)
    runner: Any = half._runner
    matrices = [one for one in runner.decoder.parameters() if one.ndim == 2]
    assert sum(one.dtype is torch.bfloat16 for one in matrices) > len(matrices) / 2
    a, b = whole.trace(TEXT), half.trace(TEXT)
    assert a.attention is not None
    assert b.attention is not None
    assert np.array_equal(a.attention.weights, b.attention.weights)
    assert a.final is not None
    assert b.final is not None
    assert np.array_equal(a.final, b.final)
    why, same = (one.why(TEXT, 5, 7).to_frame("source") for one in (whole, half))
    assert why.equals(same)
    written = [one.id for one in whole.generate(TEXT, 4, temperature=0.0)]
    assert written == [one.id for one in half.generate(TEXT, 4, temperature=0.0)]


def test_too_little_is_said_before_a_number_is_read(
    folder: Path, free: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weight_files, "read_tensor", lambda *_: pytest.fail("it was read"))
    needed = room.need(read(folder, "m"))
    free(needed.halved / 2)
    with pytest.raises(core.NotSupported, match="MB with its matrices in half precision"):
        core.load(folder, name="m")
    free(needed.whole / 2)
    with pytest.raises(core.NotSupported) as caught:
        core.load(folder, name="m", engine="huggingface")  # there, all would be float32
    assert "half" not in str(caught.value)


def test_the_list_says_the_size_of_a_large_model(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = tmp_path / "large"
    large.mkdir()
    (large / "config.json").write_text(json.dumps({"model_type": "llama"}), "utf-8")
    with (large / "model.safetensors").open("wb") as stream:
        stream.truncate(3_400_000_000)  # takes no room on the disk
    assert places.size(large) == 3_400_000_000
    monkeypatch.setenv("POLYSEE_MODELS", str(tmp_path))
    (listed,) = [one.title for one in load_model.models() if one.name == "large"]
    assert listed == "large (from the operator's folder, 3.4 GB)"
