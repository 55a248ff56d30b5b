"""Five folders as people have them: in parts, LoRA, GGUF, sentences, a Trainer's checkpoint."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

from tests.pretrained.families.test_own_engine import saved
from tests.pretrained.files.gguf import test_architectures as gguf_models
from tests.pretrained.files.gguf.written import Kind

SHARDED, BASE, ADAPTER = "my-sharded", "my-base", "my-adapter"
GGUF, SENTENCES, RUN = "my-gguf", "my-sentences", "my-run"


def five_folders(models: Path, fill: Callable[..., None], bert: Path) -> None:
    """Make them in an operator's folder. `bert`: a folder with a small BERT and its tokenizer."""
    _sharded(models / SHARDED, fill)
    saved(models / BASE, "qwen2", fill)
    _adapter(models / ADAPTER, models / BASE)
    (models / GGUF).mkdir()
    made = gguf_models.random_model(
        "Qwen2",
        {"hidden_size": 256, "intermediate_size": 256, "num_hidden_layers": 2}
        | {"num_attention_heads": 4, "rope_parameters": gguf_models.ROPE},
    )
    gguf_models.write(models / GGUF / "my-Q4_K_M.gguf", "qwen2", made, Kind.Q4_K)
    _sentences(models / SENTENCES, bert)
    _checkpoint(models / RUN / "checkpoint-500", fill)


def _sharded(folder: Path, fill: Callable[..., None]) -> None:
    from transformers import AutoModelForCausalLM

    whole = saved(folder, "llama", fill)
    model = AutoModelForCausalLM.from_pretrained(whole)
    (folder / "model.safetensors").unlink()
    model.save_pretrained(folder, max_shard_size="20KB")
    assert len([*folder.glob("model-*-of-*.safetensors")]) > 1


def _adapter(folder: Path, base: Path) -> None:
    """A change of two matrices, as PEFT saves it."""
    folder.mkdir()
    weights, random = load_file(base / "model.safetensors"), np.random.default_rng(0)
    tensors = {}
    for part in ("q_proj", "v_proj"):
        name = f"model.layers.1.self_attn.{part}"
        outputs, inputs = weights[f"{name}.weight"].shape
        for own, shape in (("lora_A", (2, inputs)), ("lora_B", (outputs, 2))):
            key = f"base_model.model.{name}.{own}.weight"
            tensors[key] = random.normal(size=shape).astype("f4")
    save_file(tensors, folder / "adapter_model.safetensors")
    settings = {"peft_type": "LORA", "base_model_name_or_path": f"someone/{base.name}", "r": 2}
    settings |= {"lora_alpha": 1, "task_type": "CAUSAL_LM", "target_modules": ["q_proj", "v_proj"]}
    (folder / "adapter_config.json").write_text(json.dumps(settings), "utf-8")


def _sentences(folder: Path, bert: Path) -> None:
    shutil.copytree(bert, folder)
    modules = [
        {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    ]
    (folder / "modules.json").write_text(json.dumps(modules), "utf-8")
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 128}', "utf-8")
    (folder / "1_Pooling").mkdir()
    pooling = {"pooling_mode_mean_tokens": True}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling), "utf-8")


def _checkpoint(folder: Path, fill: Callable[..., None]) -> None:
    """What a Trainer leaves: the model, and the state of the training, which nobody opens."""
    folder.mkdir(parents=True)
    saved(folder, "gpt2", fill)
    for name in ("optimizer.pt", "scheduler.pt", "rng_state.pth", "training_args.bin"):
        (folder / name).write_bytes(b"not opened")
    (folder / "trainer_state.json").write_text('{"global_step": 500}', "utf-8")
