"""What a model takes is known before it is read; without room for float32, halves stay in the file."""

from __future__ import annotations

import json
import os
import shutil
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
from core.pretrained.engines import scratch, widened
from core.pretrained.files import mapped, places, weight_files
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
    return room.need(checkpoint, scratch.may_stay(plan, checkpoint, "m"))


def test_what_it_takes_is_counted_from_the_headers(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    kept = [one.numel() for one in weights.values() if one.ndim == 2]
    rest = sum(one.numel() for one in weights.values() if one.ndim != 2)
    assert rest
    whole = 4 * (sum(kept) + rest)
    assert needed(folder) == (whole, 4 * rest + 4 * max(kept), 2 * sum(kept))
    assert room.need(read(folder, "m"), {}) == (whole, whole, 0)


def test_a_head_of_its_own_stays_in_the_file(folder: Path) -> None:
    checkpoint = read(folder, "m")
    tied = needed(folder)
    head = checkpoint.tensors["model.embed_tokens.weight"]
    untied = replace(checkpoint, tensors={**checkpoint.tensors, "lm_head.weight": head})
    size = 2 * head.shape[0] * head.shape[1]
    assert needed_of(untied) == (tied.whole + 2 * size, tied.beside, tied.in_file + size)


def test_what_lies_apart_in_the_file_is_copied(
    tmp_path: Path, fill_randomly: Callable[..., None]
) -> None:
    """GPT-2 has its matrices the other way round; the table alone stays where it is."""
    saved(tmp_path / "gpt2", "gpt2", fill_randomly)
    weights = load_file(tmp_path / "gpt2" / "model.safetensors")
    halves = {name: one.to(torch.float16) for name, one in weights.items()}
    save_file(halves, tmp_path / "gpt2" / "model.safetensors", {"format": "pt"})
    table = next(one for name, one in halves.items() if name.endswith("wte.weight"))
    turned = [one.nbytes for name, one in halves.items() if one.ndim == 2 and ".h." in name]
    takes = needed(tmp_path / "gpt2")
    assert takes.in_file == table.nbytes
    rest = sum(one.nbytes for one in halves.values()) - table.nbytes - sum(turned)
    largest = 2 * max(table.nbytes, *turned)
    assert takes.beside == sum(turned) + 2 * rest + largest


@pytest.mark.parametrize("untied", [False, True])
def test_halves_give_the_numbers_of_float32(
    untied: bool, folder: Path, free: Callable[[float], None], tmp_path: Path
) -> None:
    """And those are computed from the file's own map, table and head included."""
    if untied:
        folder = Path(shutil.copytree(folder, tmp_path / "untied"))
        weights = load_file(folder / "model.safetensors")
        weights["lm_head.weight"] = weights["model.embed_tokens.weight"].flip(0)
        save_file(weights, folder / "model.safetensors", {"format": "pt"})
        settings = json.loads((folder / "config.json").read_text("utf-8"))
        (folder / "config.json").write_text(
            json.dumps({**settings, "tie_word_embeddings": False}), "utf-8"
        )
    takes = needed(folder)
    free(3 * takes.whole)
    whole = core.load(folder, name="m")
    assert not whole.notes
    free(1.2 * takes.beside)
    half = core.load(folder, name="m")
    said = " ".join(half.notes)
    assert f"{takes.in_file / 1e6:,.0f} MB in its file, in half precision" in said
    assert ("anew" in said) == (takes.in_file > 1.2 * takes.beside)
    runner: Any = half._runner
    matrices = [one for one in runner.decoder.parameters() if one.ndim == 2]
    assert {one.dtype for one in matrices} == {torch.bfloat16}
    assert all(mapped._file_of(one) is not None for one in matrices)
    assert half.scratch_head() is not None
    own = whole.scratch_head()
    assert own is not None
    assert torch.equal(own, half.scratch_head())  # type: ignore[arg-type]
    a, b = whole.trace(TEXT), half.trace(TEXT)
    assert a.attention is not None
    assert b.attention is not None
    assert np.array_equal(a.attention.weights, b.attention.weights)
    assert a.final is not None
    assert b.final is not None
    assert np.array_equal(a.final, b.final)
    why, same = (one.why(TEXT, 5, 7).to_frame("source") for one in (whole, half))
    assert why.equals(same)
    asked, answered = whole.predict(TEXT)[0], half.predict(TEXT)[0]
    assert asked.ids == answered.ids
    assert np.array_equal(asked.probabilities, answered.probabilities)
    written = [one.id for one in whole.generate(TEXT, 4, temperature=0.0)]
    assert written == [one.id for one in half.generate(TEXT, 4, temperature=0.0)]
    near = [one.id for one in whole.nearest_words(a.learned[1])]
    assert near == [one.id for one in half.nearest_words(a.learned[1])]


@pytest.mark.parametrize("kind", [torch.float16, torch.bfloat16])
def test_a_product_by_rows_is_that_of_the_whole_matrix(
    kind: torch.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch.manual_seed(0)
    half_FD = torch.randn(37, 11).to(kind)
    bias_F, x_BLD = torch.randn(37), torch.randn(2, 5, 11)
    want = torch.nn.functional.linear(x_BLD, half_FD.float(), bias_F)
    for at_once in (1, 60, 37 * 11):  # numbers: a row at a time, five rows and a rest, all
        monkeypatch.setattr(widened, "_AT_ONCE", at_once)
        torch.testing.assert_close(widened.product(x_BLD, half_FD, bias_F), want, rtol=1e-6, atol=1e-6)
        assert widened.finite(half_FD)
        assert not widened.finite(half_FD.clone().index_fill_(0, torch.tensor(36), torch.inf))


@pytest.mark.parametrize("happens", ["cut short", "overwritten", "replaced", "deleted"])
def test_a_file_in_use_that_changes_is_said_and_never_read(
    happens: str, folder: Path, free: Callable[[float], None], tmp_path: Path
) -> None:
    """What is deleted or replaced stays in the map; what is written over would be other numbers."""
    copy = Path(shutil.copytree(folder, tmp_path / "m"))
    file = copy / "model.safetensors"
    takes = needed(copy)
    free(1.2 * takes.beside)
    model = core.load(copy, name="m")
    before = model.trace(TEXT)
    if happens == "cut short":
        os.truncate(file, 1000)
    elif happens == "overwritten":
        with file.open("r+b") as stream:
            stream.seek(-100, os.SEEK_END)
            stream.write(bytes(100))
    elif happens == "replaced":
        weights = {name: one.flip(0) for name, one in load_file(file).items()}
        save_file(weights, tmp_path / "other", {"format": "pt"})
        (tmp_path / "other").replace(file)
        again = core.load(copy, name="m").trace(TEXT)
        assert not np.array_equal(again.contextual, before.contextual)
    else:
        shutil.rmtree(copy)
    if happens in ("replaced", "deleted"):
        assert np.array_equal(model.trace(TEXT).contextual, before.contextual)
    else:
        with pytest.raises(core.ModelBroken, match="has been changed while the model was in use"):
            model.trace(TEXT)


def test_too_little_is_said_before_a_number_is_read(
    folder: Path, free: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weight_files, "read_tensor", lambda *_: pytest.fail("it was read"))
    monkeypatch.setattr(mapped, "tensor", lambda *_: pytest.fail("it was read"))
    takes = needed(folder)
    free(takes.beside / 2)
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
    before = memory("RssAnon"), memory("RssFile")
    model = core.load(large, name="large")
    model.trace("the bank")
    after = memory("RssAnon"), memory("RssFile")
    kinds = {each.dtype for each in model._runner.decoder.parameters()}
    print(after[0] - before[0], after[1] - before[1], len(kinds))
    del model
"""


@pytest.mark.fuzz
@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is read from Linux")
def test_halves_take_no_memory_of_their_own(tmp_path: Path) -> None:
    """What a process takes for itself is float32 of the whole, or hardly anything beside the map."""
    large = {"hidden_size": 504, "intermediate_size": 1376, "num_hidden_layers": 8}
    for name, config in (("small", {}), ("large", large)):
        save(tmp_path / name, "llama", lambda _: None, "ForCausalLM", "bfloat16", **config)
    takes = needed(tmp_path / "large")
    assert takes.whole > 60e6
    free = 1.2 * takes.beside, 100 * takes.whole
    given = [str(tmp_path / "small"), str(tmp_path / "large"), *map(str, free)]
    run = subprocess.run([sys.executable, "-c", _LOADED, *given], capture_output=True, check=True)
    (taken, shared, of_two), (whole, _, of_one) = (
        map(int, one.split()) for one in run.stdout.splitlines()
    )
    assert (of_two, of_one) == (2, 1)
    assert taken < takes.beside + 12e6
    assert takes.in_file * 0.9 < shared < takes.in_file + 20e6
    assert takes.whole * 0.9 < whole < takes.whole + 20e6


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
