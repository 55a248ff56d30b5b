"""Read back the picture of a step: its cells, and the sum that is written out."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator

from core.walkthroughs.steps.record import Step
from tests.browser.reading import labels
from tests.sentences import numbers


def boxes(frame: Locator) -> list[Any]:
    """The boxes of the cells of each matrix, in pixels of the page."""
    return [box for canvas in frame.locator("canvas").all() if (box := canvas.bounding_box())]


def point(frame: Locator, step: Step, m: int, row: int, column: int) -> None:
    """Move the mouse to a cell of matrix `m`, −1 for the result."""
    box, shape = boxes(frame)[m], [*step.operands, step.result][m].values.shape
    frame.page.mouse.move(
        box["x"] + (column + 0.5) * box["width"] / shape[1],
        box["y"] + (row + 0.5) * box["height"] / shape[0],
    )


def written(frame: Locator) -> str:
    """The sum below the matrices."""
    return " ".join(label.text for label in labels(frame, "said"))


def value(text: str) -> float:
    (number,) = numbers(text)
    return number
