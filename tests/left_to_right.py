"""Small random decoders of the Llama kind, and the real one where its file is there."""

from __future__ import annotations

from pathlib import Path

import core
from tests.pretrained.files.gguf import written


def decoder(folder: Path, *, begins: bool = False) -> core.Model:
    """A random decoder of three layers; with `begins`, a BOS stands before each text."""
    file = folder / f"{'begins' if begins else 'bare'}.gguf"
    written.write(file, written.model(), begins=begins)
    return core.load(file)


def deep(folder: Path) -> core.Model:
    """A random decoder with as many layers and heads as SmolLM2, and narrow ones."""
    sizes = {"num_hidden_layers": 30, "num_attention_heads": 9, "num_key_value_heads": 3}
    wide = {"hidden_size": 288, "intermediate_size": 32, "head_dim": 32, "max_position_embeddings": 400}
    file = folder / "deep.gguf"
    written.write(file, written.model(**sizes, **wide))
    return core.load(file)


def real() -> core.Model:
    """SmolLM2, which the set-up brings."""
    return core.load("smollm2")
