"""The mask of a layer's queries in the header of a picture; `matrix/masks.js` reads it."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from ...measures.attention.visible_keys import reach, runs
from ...records.trace import Array


def mask_header(unseen: Array | None) -> dict[str, Any]:
    """A mask as a few numbers for each row, or as bits; and in words.

    Args:
        unseen: (queries, keys) bool, the masked cells; None if there are none.

    Returns:
        "causal"; "mask": None, {"from", "to"} for each query, or {"bits"}, base64;
        "maskDescription": the keys that the queries see, in words.
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
