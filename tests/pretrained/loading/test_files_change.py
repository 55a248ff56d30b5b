"""Changes of its files do not affect a running model; loading them afterwards reports the change."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import core
from core.errors import ModelBroken
from core.pretrained.files.weight_files import read_tensor
from tests.conftest import MakeFolder

TEXT = "the river bank"


def _cut_short(folder: Path) -> None:
    os.truncate(folder / "model.safetensors", 1_000)


def _overwritten(folder: Path) -> None:
    file = folder / "model.safetensors"
    with file.open("r+b") as stream:
        stream.write(b"\xff" * file.stat().st_size)


def _without_a_tensor(folder: Path) -> None:
    from safetensors.torch import load_file, save_file

    file = folder / "model.safetensors"
    tensors = {key: tensor.clone() for key, tensor in load_file(file).items()}
    del tensors[next(key for key in tensors if key.endswith("query.weight"))]
    save_file(tensors, file)


@pytest.mark.few(3)
@pytest.mark.parametrize("engine", ["scratch", "huggingface"])
@pytest.mark.parametrize("happens", [_cut_short, _overwritten, _without_a_tensor, shutil.rmtree])
def test_a_running_model_keeps_its_numbers(
    happens: Callable[[Path], None],
    engine: core.pretrained.EngineName,
    make_folder: MakeFolder,
    tmp_path: Path,
) -> None:
    folder = shutil.copytree(make_folder("bert"), tmp_path / "model")
    model = core.load(str(folder), engine=engine)
    before = model.trace(TEXT)
    happens(folder)
    after = model.trace(TEXT)
    np.testing.assert_array_equal(after.contextual, before.contextual)
    np.testing.assert_array_equal(after.learned, before.learned)
    with pytest.raises(core.errors.PolyseeError):
        core.load(str(folder), engine=engine)


def test_a_head_that_is_read_late_says_that_its_file_has_gone(
    make_folder: MakeFolder, tmp_path: Path
) -> None:
    folder = shutil.copytree(make_folder("bert", head="BertForMaskedLM"), tmp_path / "model")
    model = core.load(str(folder))
    shutil.rmtree(folder)
    with pytest.raises(ModelBroken, match="has disappeared, or has changed while it was read"):
        model.expects("the [MASK] bank")


def test_a_tensor_of_a_file_that_was_cut_short(make_folder: MakeFolder, tmp_path: Path) -> None:
    folder = shutil.copytree(make_folder("bert"), tmp_path / "model")
    _cut_short(folder)
    with pytest.raises(ModelBroken, match="Put a complete copy of the model"):
        read_tensor(folder / "model.safetensors", "embeddings.word_embeddings.weight", "model")
