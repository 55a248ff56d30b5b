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


def real() -> core.Model:
    """SmolLM2, which the set-up brings."""
    return core.load("smollm2")
