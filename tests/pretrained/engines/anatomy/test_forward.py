"""We decide how a model is run, whatever its settings say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from tests.pretrained.engines.small_huggingface import TEXT, saved
from tests.tiers import some
from tools.every_model import small, walk

pytestmark = pytest.mark.check


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", some(["bert", "llama", "falcon", "t5", "gemma3_text"], 2))
@pytest.mark.parametrize(
    "setting",
    [
        {"attn_implementation": "sdpa"},
        {"_attn_implementation": "flash_attention_2"},
        {"_attn_implementation_internal": "flex_attention"},
        {"attn_implementation": "somebody/kernels"},
        {"experts_implementation": "somebody/kernels"},
        {"return_dict": False, "output_attentions": True, "use_cache": True},
    ],
    ids=str,
)
def test_no_setting_chooses_how_attention_is_computed(
    kind: str, setting: dict[str, Any], tmp_path: Path
) -> None:
    folder = saved(small.model(kind), tmp_path)
    texts = (TEXT, "a bank") if kind == "t5" else (TEXT,)
    before = core.load(folder, engine="huggingface").trace(*texts)
    file = folder / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | setting))
    model = core.load(folder, engine="huggingface")
    after = model.trace(*texts)
    parts = [part.config for part in model._runner.model.modules() if hasattr(part, "config")]  # type: ignore[attr-defined]
    assert {c._attn_implementation for c in parts} <= {"eager", "polysee_recorded"}
    a, b = (getattr(trace, "encoder", trace) for trace in (before, after))
    assert a.attention is not None
    assert b.attention is not None
    np.testing.assert_array_equal(a.attention.weights, b.attention.weights)
    np.testing.assert_array_equal(a.contextual, b.contextual)


@pytest.mark.parametrize("chosen", ["sdpa", "eager"])
def test_a_model_of_ones_own_keeps_its_own_way(chosen: str) -> None:
    own = small.model("falcon")
    own.config._attn_implementation = chosen
    model = core.load(own, walk.tokenizer())
    assert own.config._attn_implementation == chosen
    weights = model.trace(TEXT).attention.weights  # type: ignore[union-attr]
    assert (np.triu(weights, k=1) == 0).all()  # read by its own setting, sdpa lets Falcon see ahead
