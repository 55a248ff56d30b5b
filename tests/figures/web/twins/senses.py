"""Cases of the page Senses: lines, maps, accuracies, and their pictures."""

from __future__ import annotations

from itertools import chain
from types import SimpleNamespace
from typing import Any

import numpy as np

from core.measures.senses.occurrences import Occurrences, maps
from core.measures.senses.same_sense_baseline import centroid_accuracies
from core.measures.senses.shares import wilson
from core.records.frozen import Array
from pages.senses.pictures import accuracy_picture, by_label, depth_names, map_picture
from tests.figures.web.twins.common import Case, Table
from tests.figures.web.twins.pictures import in_short
from ui.models.word_vectors import CachedOccurrences, LabelAccuracy

_LABELS = ("a", "b", "a", "b", "b", "", "c", "a", "b")


def _depths(seed: int, n: int, width: int = 7, depths: int = 3) -> list[Array]:
    """Vectors that are equal at the first depth, as learned ones are."""
    draw = np.random.default_rng(seed)
    hidden = draw.normal(0, 1, (depths, n, width)).round(3)
    return [np.tile(hidden[0, :1], (n, 1)), *hidden]


def _occurrences(depths: list[Array]) -> Occurrences:
    n = len(depths[0])
    return Occurrences(depths[0], np.stack(depths[1:], axis=1), tuple(range(n)))


def _in_distances(coordinates: Array, shares: Array) -> dict[str, Any]:
    """The signs of components are arbitrary, at the first depth that has any; distances are not."""
    first = coordinates[:, 1]
    apart = np.linalg.norm(coordinates - coordinates[:1], axis=2).T
    turned = [float((coordinates[:, depth] * first).sum()) for depth in range(coordinates.shape[1])]
    return {"apart": apart, "shares": shares, "turned": turned}


def _lines() -> list[Case]:
    typed = "a | x bank\n\n b|y | z\nplain\na | x bank\n|  none\n c | "
    wanted = [("a", "x bank"), ("b", "y | z"), ("", "plain"), ("", "none")]
    return [([typed], [{"label": label, "text": text} for label, text in wanted]), ([""], [])]


def _accuracy(depths: list[Array], labels: tuple[str, ...]) -> LabelAccuracy | None:
    own: Any = SimpleNamespace(occurrences=_occurrences(depths))
    return CachedOccurrences._label_accuracy(own, labels)


def _pictures() -> dict[str, list[Case]]:
    clouds: list[Case] = []
    curves: list[Case] = []
    for seed, n in ((1, 9), (2, 27)):
        depths = _depths(seed, n)
        labels = tuple(_LABELS[i % 9] if n == 9 else f"l{i % 11}" for i in range(n))
        shown = [
            (f"the {i} ", "bank", "" if i % 2 else " is long, and longer than that.") for i in range(n)
        ]
        coordinates = np.stack([depth[:, :2] for depth in depths], axis=1)
        occurrences = _occurrences(depths)
        some = [
            {"line": {"label": label, "text": ""}, "parts": parts, "vectors": []}
            for label, parts in zip(labels, shown, strict=True)
        ]
        picture = map_picture(occurrences, shown, coordinates, by_label(labels))
        clouds.append(
            ([some, np.moveaxis(coordinates, 1, 0), len(depths) - 1, None], in_short(picture))
        )
        found = _accuracy(depths, labels)
        assert found is not None
        curve = accuracy_picture(found, depth_names(occurrences))
        curves.append(([depths, labels], in_short(curve)))
    return {"cloudOf": clouds, "accuracyLines": curves}


def of_senses() -> Table:
    seeds = tuple(enumerate((2, 3, 9, 12)))
    every = [_depths(seed, n) for seed, n in seeds]
    mapped = [([depths], _in_distances(*maps(_occurrences(depths)))) for depths in every]
    labels = ("b", "a", "b", "a", "a", "b", "c", "c", "c")
    accuracies = [
        ([_depths(seed, 9), labels], centroid_accuracies(_depths(seed, 9), labels)) for seed in (5, 6)
    ]
    told: list[Case] = []
    for names in (_LABELS, ("a",) * 9, tuple("abcdefghi")):
        found = _accuracy(_depths(4, 9), names)
        wanted = found and {
            "right": found.right,
            "trials": found.n_occurrences,
            "chance": found.chance,
            "commonest": found.commonest,
            "alone": found.alone,
            "bounds": np.stack([found.low, found.high], axis=1),
        }
        told.append(([_depths(4, 9), names], wanted))
    shares = [
        ([k, n], wilson(k, n)) for n, k in ((1, 0), (1, 1), (8, 4.5), (30, 29), *chain([(200, 3)]))
    ]
    return {
        "derive/senses.js": {
            "linesOf": _lines(),
            "maps": mapped,
            "centroidAccuracies": accuracies,
            "labelAccuracy": told,
            "wilson": shares,
            **_pictures(),
        }
    }
