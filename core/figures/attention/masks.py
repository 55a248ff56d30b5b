"""What a layer's queries may not see, as a picture is told: `matrix/masks.js` reads it."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from ...measures.attention.visible_keys import reach, runs
from ...records.trace import Array


def mask_header(unseen: Array | None) -> dict[str, Any]:
    """A mask in a few numbers a row, or in bits; and in words.

    Args:
        unseen: (queries, keys) bool; None where all is seen.

    Returns:
        "causal"; "mask": None, {"from", "to"} of each query, or {"bits"}, base64;
        "maskDescription": what is seen.
    """
    if unseen is None or not unseen.any():
        return {"causal": False, "mask": None, "maskDescription": ""}
    kind = reach(unseen)
    if kind.kind == "causal":
        return {"causal": True, "mask": None, "maskDescription": kind.sentence}
    of_rows = runs(unseen)
    if of_rows is None:
        bits = np.packbits(unseen.ravel(), bitorder="little").tobytes()
        return {
            "causal": False,
            "mask": {"bits": base64.b64encode(bits).decode()},
            "maskDescription": kind.sentence,
        }
    rows = {"from": of_rows[0].tolist(), "to": of_rows[1].tolist()}
    return {"causal": False, "mask": rows, "maskDescription": kind.sentence}
