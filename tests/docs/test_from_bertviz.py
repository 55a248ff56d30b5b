"""The lines of docs/from_bertviz.md run, on a small model and its outputs as BertViz takes them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import core
from core.notebook import PictureView
from tests.notebook.gallery import in_checkout

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "from_bertviz.md").read_text("utf-8")
BLOCKS = [one for one in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL) if "# run" in one]
LEFT_AS_IT_IS = ("nothing to call", "the default")


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The names of a BertViz notebook, after the lines at its top."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast  # two seconds, in one process

    folder = tmp_path_factory.mktemp("vocabulary")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "sat", "on", "mat"]
    (folder / "vocab.txt").write_text("\n".join(words), "utf-8")
    tokenizer = BertTokenizerFast(str(folder / "vocab.txt"))
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=24,
        num_hidden_layers=3,
        num_attention_heads=6,
        intermediate_size=32,
    )
    config._attn_implementation = "eager"
    model = BertModel(config).eval()
    inputs = tokenizer("The cat sat on the mat", return_tensors="pt")
    with torch.no_grad():
        outputs = model(**inputs, output_attentions=True)
    tokens = tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
    return {"model": model, "tokenizer": tokenizer, "attention": outputs.attentions, "tokens": tokens}


@pytest.fixture(scope="module")
def after(names: dict[str, Any]) -> dict[str, Any]:
    """All names after the blocks have run."""
    assert len(BLOCKS) == 3
    for block in BLOCKS:
        exec(in_checkout(block), names)
    return names


def test_own_tensors_and_the_model_agree(after: dict[str, Any]) -> None:
    weights = after["trace"].attention.weights
    assert after["own"].weights.shape == weights.shape
    assert abs(after["own"].weights - weights).max() < 1e-5


def test_each_line_on_our_side_runs(after: dict[str, Any]) -> None:
    rows = re.findall(r"^\| (.*?) \| (.*?) \|", TEXT, re.MULTILINE)[2:]
    ran = 0
    scope = {
        **after,
        "polysee": core,
        "a": "the cat",
        "b": "the mat",
        "layers": [0, 2],
        "heads": [1, 3],
        "decoder_tokens": after["tokens"],
        "encoder_tokens": after["tokens"],
        "cross": after["attention"],
    }
    for _, ours in rows:
        lines = [line for line in re.findall(r"`([^`]+)`", ours) if "save" not in line]
        assert lines or any(text in ours for text in LEFT_AS_IT_IS) or "save" in ours, ours
        for line in lines:
            exec(line, scope)
            ran += 1
    assert ran >= 8
    view = scope["view"]
    assert isinstance(view, PictureView)
    assert view.picture.state["level"] == "product"


def test_the_second_text_is_the_second_segment(after: dict[str, Any]) -> None:
    trace = after["loaded"].trace("the cat", "the mat")
    assert set(trace.segments) == {0, 1}
