"""Cases of how a next token is drawn."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np

from core.language import Sampling, draw, shaped, uniform
from core.records.prediction import probabilities
from tests.figures.web.twins.common import Case, Table

LOGITS = (
    [0.0],
    [3.0, 3.0, 3.0, 1.0],
    [12.5, 11.0, 9.75, 3.0, -1.0, -40.0],
    [1.0, 0.5, -math.inf, -math.inf],
    [80.0, -80.0],
    [float(x) for x in np.sort(np.random.default_rng(0).normal(0, 3, 60).astype("f4"))[::-1]],
)
WAYS = (
    Sampling(),
    Sampling(0.0),
    Sampling(0.05),
    Sampling(2.0, top_k=1),
    Sampling(1.3, top_k=3),
    Sampling(0.7, top_k=1_000, top_p=0.9),
    Sampling(1.0, top_p=0.05),
    Sampling(1.0, top_p=0.5),
    Sampling(1.5, min_p=0.1),
    Sampling(1.0, min_p=1.0),
    Sampling(1.1, top_k=40, top_p=0.95, min_p=0.02),
)
NUMBERS = (0.0, 0.25, 0.5, 0.73125, 0.999, 1 - 2**-53)
SEEDS = (0, 1, 7, 999_999, 2**31 - 1, 2**53 - 1)


def told(way: Sampling) -> dict[str, float]:
    """A way to draw, as JavaScript has it."""
    return {
        "temperature": way.temperature,
        "topK": way.top_k or 0,
        "topP": 1 if way.top_p is None else way.top_p,
        "minP": way.min_p or 0,
    }


def of_sampling() -> Table:
    shapes: list[Case] = []
    drawn: list[Case] = []
    chances: list[Case] = []
    for logits, way in product(LOGITS, WAYS):
        found = shaped(np.array(logits), way)
        # JSON has no −∞; a token whose logit is as small as that is as forbidden.
        sent = [max(x, -1e300) for x in logits]
        own = {
            "probabilities": found.probabilities,
            "kept": found.kept,
            "mass": found.probabilities[: found.kept].sum(),
        }
        shapes.append(([sent, told(way)], own))
        chances.append(
            ([sent, way.temperature or 1], probabilities(np.array(logits), way.temperature or 1))
        )
        plain: dict[str, Any] = {**own, "probabilities": found.probabilities.tolist()}
        drawn += [([plain, number], draw(found, number).rank) for number in NUMBERS]
    numbers = [([seed, place], uniform(seed, place)) for seed, place in product(SEEDS, (0, 1, 14, 511))]
    return {
        "derive/sampling.js": {
            "shaped": shapes,
            "probabilities": chances[::3],
            "draw": drawn[::4],
            "uniform": numbers,
        }
    }
