"""One visit of every page and of each of its views, in a browser: all is drawn, and no error shows."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from core.figures.attention.layer_state import LEVELS
from pages.compare.state import VIEWS as DIRECTIONS
from pages.embeddings.state import VIEWS as EMBEDDINGS
from pages.encoder_decoder.state import VIEWS as TRANSLATION
from pages.positions.state import VIEWS as POSITIONS
from pages.senses.state import SPACES
from pages.step_by_step.state import SIZES
from pages.step_by_step.state import VIEWS as STEPS
from tests.browser.conftest import ROOT, Server, rested

pytestmark = pytest.mark.smoke

Visit = Callable[..., Page]
Link = dict[str, str]

FOLDS = {f: "1" for f in ("fs", "fw", "fi", "fa", "fd", "fn")}
# Of each page, by its folder: what its links choose. The first is the page as it opens.
LINKS: dict[str, list[Link]] = {
    "compare": [{}, FOLDS, *({"p": view} for view in DIRECTIONS)],
    "heads": [
        {},
        *({"l": "2", "r": level} for level in LEVELS),
        {"l": "mean"},
        {"u": "1"},
        {"t2": "He sat by the river."},
        {"m2": "small-bert"},
        {"t": "He sat by the [MASK].", "l": "2"},
    ],
    "embeddings": [{}, *({"p": view} for view in EMBEDDINGS), {"p": "path", "f": "pca", "s3": "1"}],
    "senses": [
        {},
        *({"f": space} for space in SPACES if space != "umap"),
        {"s3": "1"},
        {"c": "cluster"},
    ],
    "step_by_step": [
        {},
        *({"p": view} for view in STEPS),
        *({"ti": size} for size in SIZES),
        {"p": "what-if", "wi": "depth"},
    ],
    "positions": [*({"p": view} for view in POSITIONS), {"p": "padding", "pn": "model"}],
