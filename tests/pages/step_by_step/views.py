"""The states of this page that `tests/browser/test_every_page.py` visits, by their links."""

from __future__ import annotations

from pages.step_by_step.state import SIZES, VIEWS

LINKS: list[dict[str, str]] = [
    {},
    *({"p": view} for view in VIEWS),
    *({"ti": size} for size in SIZES),
    {"p": "what-if", "wi": "depth"},
    {"p": "what-if", "wi": "parts", "m": "smollm2", "ti": "0", "t": "The capital of France is"},
    {"c": "1", "st": "mask"},
    *({"ti": "paper", "hf": "decoder", "st": step} for step in ("mask", "cross-weights", "norm2")),
]
