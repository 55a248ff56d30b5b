"""The states of this page that `tests/browser/test_every_page.py` visits, by their links."""

from __future__ import annotations

from core.figures.attention.layer_state import LEVELS

LINKS: list[dict[str, str]] = [
    {},
    *({"l": "2", "r": level} for level in LEVELS),
    {"l": "mean"},
    {"u": "1"},
    {"ra": "1", "q": "9", "k": "3"},
    {"ro": "1", "l": "2"},
    {"t2": "He sat by the river."},
    {"m2": "small-bert"},
    {"t": "He sat by the [MASK].", "l": "2"},
    *({"c": "1", "l": layer, "r": "head"} for layer in ("0", "2", "mean")),
    *(
        {"m": "small-run/checkpoint-20", "m2": "small-run/checkpoint-10", "ft": side}
        | {"t": "On the river bank"}
        for side in ("difference", "before")
    ),
    {"m2": "minilm", "c2": "1", "l": "2", "l2": "2"},
]
