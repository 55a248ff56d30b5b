"""One picture of each of our JavaScript modules, made as in its own tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from core.figures import Picture, next_word
from core.figures.positions import waves_table
from tests.browser.pictures import concordance_pictures, heads_pictures, matrix_pictures
from tests.browser.pictures.charts import bars_pictures
from tests.browser.pictures.forward import forward_pictures
from tests.browser.pictures.points import points_pictures
from tests.browser.pictures.steps import steps_pictures
from tests.browser.pictures.trajectory import trajectory_pictures
from tests.browser.pictures.writing import writing_pictures


def _waves() -> Picture:
    return waves_table(np.zeros((7, 4)), [1, 0.1], 9, sentence="Waves.", name="waves")


def _steps() -> Picture:
    return steps_pictures.picture(steps_pictures.product(), titles=("one", "two"))


def _next_word() -> Picture:
    logits = np.log(0.55 ** np.arange(1, 61))
    return next_word(
        logits,
        [" Mary", " the", "\n", "שלום", *(f" word{i}" for i in range(30))],
        number=0.7,
        sentence="Sixty tokens.",
        name="next-word",
    )


MADE: Mapping[str, Callable[[], Picture]] = {
    "heatmap": lambda: matrix_pictures.head_picture(14, 1),
    "strips": lambda: matrix_pictures.strips_picture(384, 1),
    "places": _waves,
    "lens": matrix_pictures.lens_picture,
    "lines": points_pictures.bank_lines,
    "plane": points_pictures.plane_picture,
    "space": points_pictures.space_picture,
    "cloud": points_pictures.cloud_picture,
    "wordmap": points_pictures.word_map_picture,
    "bars": bars_pictures.chances,
    "overview": lambda: heads_pictures.grid("notes", 14),
    "layer": lambda: heads_pictures.random_layer("qk", 14, {}),
    "steps": _steps,
    "forward": forward_pictures.picture,
    "concordance": lambda: concordance_pictures.picture(40),
    "shares": concordance_pictures.shares_picture,
    "nextword": _next_word,
    "shaded": writing_pictures.surprise,
    "branches": writing_pictures.tree,
    "trajectory": lambda: trajectory_pictures.made({}),
}
