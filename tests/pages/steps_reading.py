"""Step by step, visited without a browser, and its picture read back."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

from tests import visits
from tests.pages.reading import drawn

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "step_by_step" / "page.py")


visit = partial(visits.visit, "step_by_step")


def listed(app: AppTest, title: str) -> Selectbox:
    """The list with this title: its key changes with the names of its options."""
    return next(one for one in app.selectbox if one.label == title)


def link(app: AppTest, key: str) -> str | None:
    """The value of a key in the link."""
    found = app.query_params.get(key)
    return found[0] if isinstance(found, list) else found


def picture(app: AppTest) -> tuple[dict[str, Any], list[np.ndarray]]:
    """Header and matrices of the picture."""
    ((header, sent),) = drawn(app)
    payload, found = np.frombuffer(sent, "<f4"), []
    for one in header["matrices"]:
        shape = len(one["rows"]), len(one["columns"])
        found.append(payload[: shape[0] * shape[1]].reshape(shape))
        payload = payload[shape[0] * shape[1] :]
    blocks, tiny = header.get("blocks", ()), header.get("tiny")
    results = [(len(one["result"]["rows"]), len(one["result"]["columns"])) for one in blocks]
    others = [tuple(shape) for _, *shape in tiny["tables"]] if tiny else results
    assert payload.size == sum(rows * columns for rows, columns in others)
    return header, found


def result(app: AppTest) -> np.ndarray:
    return picture(app)[1][-1]
