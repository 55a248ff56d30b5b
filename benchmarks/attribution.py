"""Contributions to a word's vector, and interventions, compared with a plain forward pass."""

from __future__ import annotations

from functools import partial

import numpy as np

import core
from benchmarks import why_page
from benchmarks.side_by_side import in_turns, table

LENGTHS = (14, 20, 64, 128)
SUM, CHANGE = 3.0, 300  # limits: times a forward pass, up to 128 tokens; milliseconds, at 20 tokens


def run() -> str:
    """Measure, and return the section of the report."""
    model = core.load("minilm")
    direction = np.random.default_rng(0).normal(size=model.shape.d_model)
    rows: list[tuple[object, ...]] = []
    for length in LENGTHS:
        text = " ".join(["bank", *["river"] * (length - 3)])
        assert len(model.trace(text).tokens) == length
        times = in_turns(
            {
                "forward": partial(model.trace, text, keep="hidden"),
                "sum": partial(model.contributions, text, "bank", direction),
                "cut": partial(model.intervene, text, core.Cut("bank", "river")),
                "ablate": partial(model.intervene, text, core.Ablate(3, 5)),
            },
            rounds=40,
        )
        ratio = times["sum"] / times["forward"]
        changed = 1e3 * max(times["cut"], times["ablate"])
        rows.append(
            (
                length,
                *(f"{1e3 * times[name]:.1f} ms" for name in ("forward", "sum", "cut", "ablate")),
                f"{ratio:.2f}{'' if ratio <= SUM else ' **no**'}",
                ("yes" if changed <= CHANGE else "**no**") if length == 20 else "–",
            )
        )
    return (
        "## Why a word stands there\n\n"
        'On MiniLM, one thread: a plain forward (`trace(keep="hidden")`), all contributions to a word '
        "(`contributions`: a forward that keeps what the way back needs, and the way back), and a text "
        "run twice, as it is and changed (`intervene`). Medians, run in turns.\n\n"
        + table(
            (
                "tokens",
                "forward",
                "contributions",
                "a cut edge",
                "an ablated head",
                f"contributions / forward, ≤ {SUM:.0f}",
                f"changed within {CHANGE} ms",
            ),
            rows,
        )
        + f"\n\n{why_page.run()}"
    )
