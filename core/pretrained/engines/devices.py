"""The device on which models run: `POLYSEE_DEVICE`."""

from __future__ import annotations

import torch

from ...errors import SettingError


def choose(wanted: str) -> str:
    """`cpu`, `cuda` or `mps`; for `auto` the first accelerator that is available.

    TF32 is switched off for CUDA: it keeps 10 bits of a product's 23, far too few for two engines to
    agree to 1e-4.

    Raises:
        SettingError: if the device is not available, or its name is unknown.
    """
    there = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if wanted == "auto":
        wanted = next((name for name, available in there.items() if available), "cpu")
    if wanted not in ("cpu", *there):
        raise SettingError(f"There is no device “{wanted}”; use auto, cpu, cuda or mps.")
    if not there.get(wanted, True):
        raise SettingError(
            f"POLYSEE_DEVICE asks for {wanted}, which torch does not find here. Use “auto” or “cpu”."
        )
    if wanted == "cuda":
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
    return wanted
