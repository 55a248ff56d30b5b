"""What a training changed: an adapter beside its base, a checkpoint beside an earlier one."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import core
from core.measures import model_difference
from core.records.prediction import probabilities
from tests.pretrained.families.test_own_engine import saved
from tests.pretrained.small_models import TEXT

pytestmark = pytest.mark.filterwarnings("ignore::core.ModelNote")
CHANGED = "model.layers.1.self_attn.q_proj"


class Folders(NamedTuple):
    """The operator's folder: a base, its adapter, and a training that kept two checkpoints."""

    every: Path
    base: Path
    adapter: Path


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory, fill_randomly: Callable[..., None]) -> Folders:
    every = tmp_path_factory.mktemp("trained")
    base, adapter = every / "base", every / "adapter"
    saved(base, "llama", fill_randomly)
    adapter.mkdir()
    weights = load_file(base / "model.safetensors")
    outputs, inputs = weights[f"{CHANGED}.weight"].shape
    random = np.random.default_rng(0)
    a, b = (random.normal(size=shape).astype("f4") for shape in ((2, inputs), (outputs, 2)))
    names = {"lora_A": a, "lora_B": b}
    save_file(
        {f"base_model.model.{CHANGED}.{part}.weight": one for part, one in names.items()},
        adapter / "adapter_model.safetensors",
    )
    settings = {"peft_type": "LORA", "base_model_name_or_path": "someone/base", "r": 2}
    settings |= {"lora_alpha": 1, "task_type": "CAUSAL_LM"}
    (adapter / "adapter_config.json").write_text(json.dumps(settings), "utf-8")
    for step in (5, 10):
        shutil.copytree(base, every / "run" / f"checkpoint-{step}")
    weights["model.norm.weight"] = weights["model.norm.weight"] * 1.5
    save_file(weights, every / "run" / "checkpoint-10" / "model.safetensors", {"format": "pt"})
    return Folders(every, base, adapter)


@pytest.fixture(scope="module")
def pair(folders: Folders) -> tuple[core.Model, core.Model]:
    return core.load(folders.adapter), core.load(folders.base)


def test_only_what_stands_behind_the_change_moves(pair: tuple[core.Model, core.Model]) -> None:
    found = model_difference(*pair, TEXT)
    traces = [one.trace(TEXT) for one in pair]
    assert found.tokens == traces[0].tokens
    # Its queries changed in the second layer: before that, nothing is other than it was.
    assert (found.heads[0] == 0).all()
    assert (found.vectors[:2] == 0).all()
    assert float(found.heads[1].max()) > 0.01
    assert float(found.vectors[2:].min(0)[1:].max()) > 1e-3
    maps = [one.attention.weights for one in traces if one.attention is not None]
    by_hand = 0.5 * np.abs(maps[0] - maps[1]).sum(-1).mean(-1)
    np.testing.assert_allclose(found.heads, by_hand, atol=1e-6)
    assert ((found.heads >= 0) & (found.heads <= 1)).all()


def test_the_differences_of_the_parts_add_up(pair: tuple[core.Model, core.Model]) -> None:
    found = model_difference(*pair, TEXT)
    assert found.expected is not None
    assert found.parts is not None
    assert found.added is not None
    after, before = (probabilities(one.logits, 1.0) for one in found.expected)
    gained, lost = int((after - before).argmax()), int((after - before).argmin())
    own = found.added.whole
    by_logits = [one.logits[0] - one.logits[1] for one in found.parts]
    assert own == pytest.approx(by_logits[0] - by_logits[1], abs=1e-4)
    logits = found.expected[0].logits
    assert float(logits[gained] - logits[lost]) == pytest.approx(by_logits[0], abs=1e-4)
    assert found.added.error < 1e-4
    assert abs(own) > 1e-3
    with pytest.raises(ValueError, match="same tokens"):
        found.parts[0].less(pair[1].why(TEXT, 5))


def test_models_without_corresponding_heads(
    pair: tuple[core.Model, core.Model], minilm: core.Model
) -> None:
    with pytest.raises(core.NotSupported, match="not of one architecture"):
        model_difference(pair[0], minilm, TEXT)
    same = model_difference(pair[1], pair[1], TEXT)
    assert not same.heads.any()
    assert not same.vectors.any()
    assert same.added is not None
    assert same.added.whole == 0


def test_an_encoder_is_compared_by_heads_and_at_masks(minilm: core.Model) -> None:
    found = model_difference(minilm, minilm, TEXT)
    assert (found.expected, found.parts, found.added) == (None, None, None)


def test_the_list_knows_what_a_model_was_trained_from(
    folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYSEE_MODELS", str(folders.every))
    listed = {one.name: one for one in core.models()}
    assert listed["adapter"].made_from == "base"
    assert listed["adapter"].speaks
    assert listed["base"].made_from == ""
    first, second = "run/checkpoint-5", "run/checkpoint-10"
    assert (listed[first].made_from, listed[second].made_from) == ("", first)
    assert listed["run"].made_from == first
    found = model_difference(core.load(second, paths=False), core.load(first, paths=False), TEXT)
    assert not found.heads.any()  # the final norm alone changed
    assert found.added is not None
    assert abs(found.added.whole) > 1e-3
    for elsewhere in ("run/checkpoint-7", "run/..", "base/checkpoint-5", "run/checkpoint-5/.."):
        with pytest.raises(core.ModelNotFound):
            core.load(elsewhere, paths=False)
