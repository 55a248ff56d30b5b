"""The GGUF file of the box, opened: Polysee beside `transformers`, which reads it, too."""

from __future__ import annotations

import shutil
import tempfile
import time
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import torch

import core
from benchmarks.side_by_side import in_turns, table
from core import settings
from core.pretrained.files import in_package

TEXT = "The river bank was muddy, and the bank in town was closed."
ROUNDS = 3
CLOSE = 1e-4  # of logits, relative to the largest


def run() -> str:
    """The section: the processor time of opening, and whether both read the same numbers."""
    packed = settings.CATALOGUE["smollm2"].packed
    assert packed is not None
    file = in_package.here(packed)
    assert file is not None
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        shutil.copy(file, folder / "model.gguf")
        opened = partial(_ours, folder)
        times = in_turns(
            {"ours": opened, "transformers": partial(_theirs, folder)},
            rounds=ROUNDS,
            clock=time.process_time,
        )
        ours, theirs = opened(), _theirs(folder)
        mine = ours.expects(TEXT)[0].logits
        ids = torch.tensor([ours.read(TEXT).ids])
        with torch.inference_mode():
            its = theirs(ids).logits[0, -1].numpy()
    off = float(np.abs(mine - its).max() / np.abs(its).max())
    size = Path(file).stat().st_size / 1e6
    rows: list[tuple[object, ...]] = [
        ("file to model, processor time", *(f"{times[one]:.1f} s" for one in ("ours", "transformers"))),
        ("logits, the largest difference", f"{off:.0e}", "yes" if off <= CLOSE else "**no**"),
    ]
    return (
        f"## A GGUF file\n\nSmolLM2 135M in {size:.0f} MB of 4 and 8 bits, from the file to a model, "
        "beside `from_pretrained(…, gguf_file=…)`. Medians, in turns: Polysee unpacks a file at its "
        "first opening and maps what it has unpacked at all later ones, of which this median is; "
        "`transformers` unpacks each time. The second row compares the "
        f"logits behind one text, relative to the largest; the limit is {CLOSE:.0e}.\n\n"
        + table(("", "Polysee", "transformers"), rows)
    )


def _ours(folder: Path) -> core.Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", core.ModelNote)
        model = core.load(str(folder / "model.gguf"))
    assert isinstance(model, core.Model)
    return model


def _theirs(folder: Path) -> torch.nn.Module:
    from transformers import AutoModelForCausalLM
    from transformers.utils import logging

    logging.disable_progress_bar()
    made: torch.nn.Module = AutoModelForCausalLM.from_pretrained(
        folder, gguf_file="model.gguf", dtype=torch.float32, attn_implementation="eager"
    )
    return made.eval()
