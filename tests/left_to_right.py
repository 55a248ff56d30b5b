"""Small random decoders of the Llama kind, and the real one where its file is there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import core
from tests.pretrained.files.gguf import written

REAL = "POLYSEE_TEST_SMOLLM2"  # the file SmolLM2-135M-Instruct.Q4_1.gguf
_NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"


def decoder(folder: Path, *, begins: bool = False) -> core.Model:
    """A random decoder of three layers; with `begins`, a BOS stands before each text."""
    file = folder / f"{'begins' if begins else 'bare'}.gguf"
    written.write(file, written.model(), begins=begins)
    return core.load(file)


def real() -> core.Model:
    """SmolLM2, from the file that the environment names; without it the test is skipped."""
    file = os.environ.get(REAL, "")
    if not file or not Path(file).is_file():
        pytest.skip(f"{REAL} does not name {_NAME}.")
    return core.load(file)
