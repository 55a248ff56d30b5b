"""The translation model that comes with Polysee, and its measured accuracy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from ..languages.translation import TRANSLATION, unseen_pairs
from ..training.batches import collate
from ..training.measuring import measure
from . import files
from .trained import Trained

FOLDER = Path(__file__).parent / "shipped"
WEIGHTS = FOLDER / "translation.safetensors"
FIGURES = FOLDER / "translation.json"
COUNT = 500


class Figures(NamedTuple):
    """What the translation model does on sentences that training never showed. Shares from 0 to 1.

    Attributes:
        exact: of `COUNT` unseen sentences, how many are translated without a mistake.
        alignment: of their words, how many attend across to the English word that they translate.
        exact_pairs: of `COUNT` sentences with an adjective that training never showed describing its
            noun, how many are translated without a mistake.
    """

    exact: float
    alignment: float
    exact_pairs: float


def shipped() -> Trained:
    """The translation model that comes with Polysee.

    Raises:
        ModelBroken: the file in the package is not the one that was shipped.
    """
    return files.load(WEIGHTS.read_bytes())


def figures(trained: Trained) -> Figures:
    """Measure a translation model, greedily; about a second."""
    seen = measure(trained.net, TRANSLATION, collate(TRANSLATION.held_out(COUNT)))
    pairs = collate([TRANSLATION.example(sentence) for sentence in unseen_pairs(COUNT)])
    return Figures(seen.accuracy, seen.pattern, measure(trained.net, TRANSLATION, pairs).accuracy)


def published() -> dict[str, Any]:
    """The description beside the shipped weights: the same figures, and how they were made."""
    about: dict[str, Any] = json.loads(FIGURES.read_text("utf-8"))
    return about
