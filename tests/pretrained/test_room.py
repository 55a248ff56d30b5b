"""What a model takes is known before it is read; where float32 has no room, matrices stay halves."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoConfig

import core
from core.pretrained import load_model, room
from core.pretrained.engines import scratch
from core.pretrained.files import places, weight_files
from core.pretrained.files.checkpoint import Checkpoint, read
from tests.pretrained.families.test_own_engine import saved
from tests.pretrained.small_models import TEXT, save

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


def needed(folder: Path) -> room.Need:
    """What the model takes in our own transformer."""
    return needed_of(read(folder, "m"))


def needed_of(checkpoint: Checkpoint) -> room.Need:
    config: Any = AutoConfig.from_pretrained(checkpoint.folder)
    plan = scratch.plan_of(config)
    assert plan is not None
    checkpoint = checkpoint.inside(plan.tensors_in(checkpoint.tensors), plan.prefix)
    return room.need(checkpoint, scratch.of_linear_layers(plan, checkpoint, "m"))


def test_what_it_takes_is_counted_from_the_headers(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    kept = {name for name, one in weights.items() if "_proj" in name and one.ndim == 2}
    tables = {name for name, one in weights.items() if one.ndim == 2} - kept
    assert tables == {"model.embed_tokens.weight"}
    matrices = sum(weights[name].numel() for name in kept)
    rest = sum(one.numel() for name, one in weights.items() if name not in kept)
    assert needed(folder) == (4 * (matrices + rest), 2 * matrices + 4 * rest)
    assert room.need(read(folder, "m"), ()).halved == 4 * (matrices + rest)


def test_a_head_of_its_own_becomes_float32(folder: Path) -> None:
    checkpoint = read(folder, "m")
    tied = needed(folder)
    head = checkpoint.tensors["model.embed_tokens.weight"]
    untied = replace(checkpoint, tensors={**checkpoint.tensors, "lm_head.weight": head})
    size = 4 * head.shape[0] * head.shape[1]
    assert needed_of(untied) == (tied.whole + size, tied.halved + size)


def test_halves_give_the_very_same_numbers(folder: Path, free: Callable[[float], None]) -> None:
    takes = needed(folder)
    free(3 * takes.whole)
    whole = core.load(folder, name="m")
    assert not whole.notes
    free(1.2 * takes.halved)
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
    takes = needed(folder)
    free(takes.halved / 2)
    with pytest.raises(core.NotSupported, match="MB with its matrices in half precision"):
        core.load(folder, name="m")
    free(takes.whole / 2)
    with pytest.raises(core.NotSupported) as caught:
        core.load(folder, name="m", engine="huggingface")  # there, all would be float32
    assert "half" not in str(caught.value)


_LOADED = """
import sys, warnings
from pathlib import Path
warnings.simplefilter("ignore")
import core
from core.pretrained import room

def memory(what):
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * int(next(one for one in lines if one.startswith(what)).split()[1])

room._SMALL = 0
small, large, *free = sys.argv[1:]
core.load(small, name="small").trace("the bank")  # whatever is imported on the way
for one in free:
    room.free_memory = lambda: int(float(one))
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak
    before = memory("VmRSS")
    model = core.load(large, name="large")
    print(memory("VmHWM") - before, len({one.dtype for one in model._runner.decoder.parameters()}))
    del model
"""


@pytest.mark.fuzz
@pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process is read from Linux")
def test_a_file_is_never_in_memory_as_a_whole(tmp_path: Path) -> None:
    """Tensor by tensor: the peak is what the model takes, in halves where these are kept."""
    large = {"hidden_size": 504, "intermediate_size": 1376, "num_hidden_layers": 8}
    for name, config in (("small", {}), ("large", large)):
        save(tmp_path / name, "llama", lambda _: None, "ForCausalLM", "bfloat16", **config)
    takes = needed(tmp_path / "large")
    free = 1.2 * takes.halved, 100 * takes.whole
    given = [str(tmp_path / "small"), str(tmp_path / "large"), *map(str, free)]
    run = subprocess.run([sys.executable, "-c", _LOADED, *given], capture_output=True, check=True)
    (halved, of_two), (whole, of_one) = (map(int, one.split()) for one in run.stdout.splitlines())
    assert (of_two, of_one) == (2, 1)
    for grown, most in ((halved, takes.halved), (whole, takes.whole)):
        assert 0.5 * most < grown <= most + 20e6  # the largest tensor has 3 MB


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
