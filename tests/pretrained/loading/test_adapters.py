"""LoRA folders: merged with their base if it is here, as PEFT runs the two; else the base is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

import core
from tests.pretrained.fakes import CONFIG, readable, tensors, write_bert
from tests.tiers import some

pytestmark = pytest.mark.filterwarnings("ignore::core.ModelNote")

TEXT = "On the river bank"
QUERY = "encoder.layer.1.attention.self.query"


def vectors(source: Path, **arguments: Any) -> np.ndarray:
    hidden = core.load(source, name="x", **arguments).trace(TEXT).hidden
    assert hidden is not None
    return hidden


def write_adapter(folder: Path, base: str, **settings: Any) -> np.ndarray:
    """A change of one matrix, by hand; returns s·B·A."""
    folder.mkdir(exist_ok=True)
    random, d = np.random.default_rng(3), CONFIG["hidden_size"]
    a, b = (random.normal(size=shape).astype(np.float32) for shape in ((2, d), (d, 2)))
    names = {f"base_model.model.{QUERY}.lora_{x}.weight": t for x, t in (("A", a), ("B", b))}
    save_file(names, folder / "adapter_model.safetensors")
    written = {"peft_type": "LORA", "base_model_name_or_path": base, "r": 2, "lora_alpha": 6} | settings
    (folder / "adapter_config.json").write_text(json.dumps(written), "utf-8")
    return 6 / 2 * b @ a


def test_the_change_is_added_to_the_matrix_of_the_base(tmp_path: Path) -> None:
    write_bert(tmp_path / "base")
    delta = write_adapter(tmp_path / "adapter", "base")
    merged = write_bert(tmp_path / "merged")
    held = tensors()
    held[f"{QUERY}.weight"] = held[f"{QUERY}.weight"] + delta
    save_file(held, merged / "model.safetensors", {"format": "pt"})
    assert np.abs(vectors(tmp_path / "adapter") - vectors(merged)).max() < 1e-5
    assert np.abs(vectors(tmp_path / "adapter") - vectors(tmp_path / "base")).max() > 1e-3
    notes = core.load(tmp_path / "adapter", name="x").notes
    assert len(notes) == 1
    assert "“base”" in notes[0]


@pytest.mark.check
def test_by_transformers_too(tmp_path: Path) -> None:
    write_bert(tmp_path / "base")
    write_adapter(tmp_path / "adapter", "base")
    ours = vectors(tmp_path / "adapter")
    assert np.abs(vectors(tmp_path / "adapter", engine="huggingface") - ours).max() < 1e-5


@pytest.mark.parametrize(
    ("base", "named"),
    [
        ("someone/else", "someone/else"),
        ("/etc/passwd", "passwd"),
        ("../..", ".."),
        ("C:\\models\\mine", "mine"),
        ("", "does not name"),
        (None, "does not name"),
    ],
)
def test_a_base_that_is_not_here_is_named_and_never_followed_as_a_path(
    base: Any, named: str, tmp_path: Path
) -> None:
    write_adapter(tmp_path / "adapter", base)
    with pytest.raises(core.ModelNotFound) as caught:
        core.load(tmp_path / "adapter", name="x")
    assert named in str(caught.value)
    assert "/etc" not in str(caught.value)
    readable(str(caught.value))


def test_the_base_is_the_operators_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYSEE_MODELS", str(tmp_path))
    write_bert(tmp_path / "base")
    write_adapter(tmp_path / "adapter", "/home/somebody/base")
    assert core.load("adapter", paths=False).trace(TEXT)


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"peft_type": "IA3"}, core.NotSupported),
        ({"use_qalora": True}, core.NotSupported),
        ({"lora_alpha": "much"}, core.ModelBroken),
        ({"lora_alpha": float("nan")}, core.ModelBroken),
    ],
    ids=str,
)
def test_what_cannot_be_added_is_said(
    settings: dict[str, Any], error: type[core.PolyseeError], tmp_path: Path
) -> None:
    write_bert(tmp_path / "base")
    write_adapter(tmp_path / "adapter", "base", **settings)
    with pytest.raises(error) as caught:
        core.load(tmp_path / "adapter", name="x")
    readable(str(caught.value).replace("must be", "Put"))


@pytest.mark.parametrize("wrong", ["another shape", "another part", "half of it", "damaged"])
def test_an_adapter_that_does_not_fit_is_refused(wrong: str, tmp_path: Path) -> None:
    write_bert(tmp_path / "base")
    write_adapter(tmp_path / "adapter", "base")
    file = tmp_path / "adapter" / "adapter_model.safetensors"
    held = load_file(file)
    name = f"base_model.model.{QUERY}.lora_B.weight"
    if wrong == "another shape":
        held[name] = held[name][:-1].copy()
    elif wrong == "another part":
        held = {key.replace("query", "quest"): tensor for key, tensor in held.items()}
    elif wrong == "half of it":
        del held[name]
    save_file(held, file)
    if wrong == "damaged":
        file.write_bytes(file.read_bytes()[:-4])
    with pytest.raises(core.ModelBroken):
        core.load(tmp_path / "adapter", name="x")


VARIANTS: dict[str, dict[str, Any]] = {
    "plain": {"target_modules": ["query", "value", "output.dense"]},
    "rank-stabilised": {"target_modules": ["query"], "use_rslora": True, "r": 4, "lora_alpha": 7},
    "DoRA": {"target_modules": ["query", "output.dense"], "use_dora": True},
    "patterns": {
        "target_modules": ["query", "value"],
        "rank_pattern": {"query": 3},
        "alpha_pattern": {"value": 5, "0.attention.self.query": 2},
    },
    "a table": {"target_modules": ["word_embeddings", "key"]},
    "the other way round, which PEFT ignores": {"target_modules": ["query"], "fan_in_fan_out": True},
    "biases": {"target_modules": ["query"], "bias": "all"},
    "norms trained whole": {"target_modules": ["query"], "modules_to_save": ["LayerNorm"]},
}


@pytest.mark.few(4)
@pytest.mark.check
@pytest.mark.parametrize(
    ("variant", "head"), [*((one, "BertModel") for one in VARIANTS), ("plain", "BertForMaskedLM")]
)
def test_as_peft_runs_it(variant: str, head: str, tmp_path: Path) -> None:
    import transformers
    from peft import LoraConfig, get_peft_model

    base = write_bert(tmp_path / "base")
    torch.manual_seed(1)
    own = getattr(transformers, head).from_pretrained(base)
    model = get_peft_model(own, LoraConfig(init_lora_weights=False, **VARIANTS[variant]))
    with torch.no_grad():
        for name, tensor in model.named_parameters():
            if "magnitude" in name or (tensor.requires_grad and tensor.ndim == 1):
                tensor.mul_(1.3).add_(0.01)
    model.save_pretrained(str(tmp_path / "adapter"))
    words = transformers.AutoTokenizer.from_pretrained(base)
    inner = getattr(model.get_base_model(), "bert", model.get_base_model()).eval()
    with torch.no_grad():
        out = inner(**words(TEXT, return_tensors="pt"), output_hidden_states=True)
    mine = vectors(tmp_path / "adapter")
    for layer, state in enumerate(out.hidden_states[1:]):
        np.testing.assert_allclose(mine[layer], state[0].numpy(), rtol=0, atol=1e-5)


@pytest.mark.check
@pytest.mark.parametrize("turned", some([True, False], 1))
def test_matrices_that_are_stored_the_other_way_round(turned: bool, tmp_path: Path) -> None:
    """GPT-2 stores its matrices as (inputs, outputs)."""
    import transformers
    from peft import LoraConfig, get_peft_model

    from tests.pretrained import small_models

    base = tmp_path / "base"
    small_models.save(base, "gpt2", lambda model: None)
    torch.manual_seed(1)
    own = transformers.AutoModel.from_pretrained(base)
    wanted = LoraConfig(
        target_modules=["c_attn", "c_proj"], init_lora_weights=False, fan_in_fan_out=turned
    )
    model = get_peft_model(own, wanted)
    model.save_pretrained(str(tmp_path / "adapter"))
    words = transformers.AutoTokenizer.from_pretrained(base)
    with torch.no_grad():
        out = model.get_base_model().eval()(**words(TEXT, return_tensors="pt"))
    trace = core.load(tmp_path / "adapter", name="x").trace(TEXT)
    np.testing.assert_allclose(trace.contextual, out.last_hidden_state[0].numpy(), rtol=0, atol=1e-5)


TIED: dict[str, dict[str, Any]] = {
    "an update of the table": {"target_modules": ["c_attn", "wte"]},
    "an update of the head": {"target_modules": ["c_attn", "lm_head"]},
    "updates of both": {"target_modules": ["wte", "lm_head"]},
    "the head whole": {"target_modules": ["c_attn"], "modules_to_save": ["lm_head"]},
    "the table whole": {"target_modules": ["c_attn"], "modules_to_save": ["wte"]},
}


@pytest.mark.check
@pytest.mark.parametrize("variant", some(TIED, 3))
@pytest.mark.parametrize("moved", [False, True])
def test_table_and_head_go_apart_as_in_peft(variant: str, moved: bool, tmp_path: Path) -> None:
    """`moved`: what PEFT stores beside the update of a table, for some names, is not the base's."""
    import transformers
    from peft import LoraConfig, PeftModel, get_peft_model

    from tests.pretrained import small_models

    base = tmp_path / "base"
    small_models.save(base, "gpt2", lambda model: None, head="LMHeadModel")
    torch.manual_seed(1)
    own = transformers.AutoModelForCausalLM.from_pretrained(base)
    model = get_peft_model(own, LoraConfig(init_lora_weights=False, **TIED[variant]))
    with torch.no_grad():
        for name, tensor in model.named_parameters():
            if "modules_to_save" in name or (moved and "wte.base_layer" in name):
                tensor.add_(torch.randn_like(tensor))
    model.save_pretrained(str(tmp_path / "adapter"))
    again = transformers.AutoModelForCausalLM.from_pretrained(base)
    both = PeftModel.from_pretrained(again, tmp_path / "adapter")
    words = transformers.AutoTokenizer.from_pretrained(base)
    with torch.no_grad():
        out = both.get_base_model().eval()(
            **words(TEXT, return_tensors="pt"), output_hidden_states=True
        )
    loaded = core.load(tmp_path / "adapter", name="x")
    trace = loaded.trace(TEXT)
    np.testing.assert_allclose(trace.contextual, out.hidden_states[-1][0].numpy(), atol=1e-5)
    expected = loaded.expects(TEXT)[-1]
    np.testing.assert_allclose(expected.logits, out.logits[0, expected.position].numpy(), atol=1e-4)


@pytest.mark.check
def test_where_it_is_not_clear_what_goes_apart_it_is_refused(tmp_path: Path) -> None:
    import transformers
    from peft import LoraConfig, get_peft_model

    from tests.pretrained import small_models

    base = tmp_path / "base"
    small_models.save(base, "t5", lambda model: None, head="ForConditionalGeneration")
    own = transformers.AutoModelForSeq2SeqLM.from_pretrained(base)
    model = get_peft_model(own, LoraConfig(target_modules=["q"], modules_to_save=["lm_head"]))
    model.save_pretrained(str(tmp_path / "adapter"))
    with pytest.raises(core.NotSupported, match="lm_head"):
        core.load(tmp_path / "adapter", name="x")
