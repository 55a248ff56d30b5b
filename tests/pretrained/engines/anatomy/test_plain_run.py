"""Models that cannot read a text, and whose fault it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import core
from tests.pretrained.engines.small_huggingface import loaded
from tools.every_model import small, walk

pytestmark = pytest.mark.check


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("falcon", {"alibi": True, "new_decoder_architecture": True, "parallel_attn": False}),
        ("qwen2", {"layer_types": ["sliding_attention"] * 4, "sliding_window": None}),
        ("helium", {"head_dim": 12}),
        ("blt", {}),
    ],
)
def test_a_model_of_texts_whose_settings_do_not_fit_is_not_taken_for_another(
    kind: str, settings: dict[str, Any]
) -> None:
    with pytest.raises(core.NotSupported, match="cannot read a text with these settings") as said:
        loaded(kind, **settings)
    assert "text-only" not in str(said.value)


@pytest.mark.parametrize("folder", [False, True])
def test_a_fault_of_transformers_is_not_blamed_on_the_copy(folder: bool, tmp_path: Path) -> None:
    """Its class for Flaubert cannot run with the norm before each block, whatever the weights."""
    own = small.model("flaubert", small.config("flaubert", pre_norm=True))
    source: Any = (own, walk.tokenizer())
    if folder:
        own.save_pretrained(tmp_path)
        walk.tokenizer().save_pretrained(tmp_path)
        source = (tmp_path,)
    with pytest.raises(core.NotSupported, match="FlaubertModel") as said:
        core.load(*source, engine="huggingface")
    assert "transformers 5" in str(said.value)
    assert "another copy" not in str(said.value)


def test_a_fault_of_somebodys_own_code_is_named() -> None:
    own = small.model("gpt2")

    def hook(module: Any, given: Any, out: Any) -> Any:
        raise TypeError("no such thing")

    own.h[0].register_forward_hook(hook)
    with pytest.raises(core.NotSupported, match=r"its own code .*no such thing"):
        core.load(own, walk.tokenizer())


def test_a_model_of_other_things_is_told_from_one_whose_settings_do_not_fit() -> None:
    with pytest.raises(core.NotSupported, match=r"on its own: .*text-only"):
        loaded("voxtral_realtime")
