"""A link with long texts opens its page in time that grows as they do: a few in `make check`."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.settings import MOST_TEXT_BYTES
from tests.growth.measure import MOST
from tests.growth.shapes import SHAPES, Shape

pytestmark = pytest.mark.usefixtures("docs_corpus")

PAGES = sorted((Path(__file__).resolve().parents[2] / "pages").glob("*/page.py"))
# All that a visitor types on any page.
TEXTS = ("t", "t2", "a", "b", "tt", "w", "w2", "ln", "an", "lo", "hi", "x", "rc", "g", "s")
ENOUGH = 2.0  # seconds of the processor for what does not depend on the length of a text


@pytest.mark.check
@pytest.mark.few(1)
@pytest.mark.parametrize("shape", ["one run of letters", "Chinese"])
def test_compare_answers_to_long_texts(shape: str) -> None:
    page = next(page for page in PAGES if page.parent.name == "compare")
    said = _grows(page, SHAPES[shape], 7_500, ("a", "b"))
    assert not said


@pytest.mark.check
def test_what_is_too_long_for_a_page_is_said() -> None:
    app = AppTest.from_file(str(PAGES[0].parents[1] / "compare" / "page.py"), default_timeout=120)
    app.query_params["a"] = "x" * (MOST_TEXT_BYTES + 1)
    app.run()
    assert not app.exception
    assert any(str(MOST_TEXT_BYTES // 1000) in error.value for error in app.error)


@pytest.mark.fuzz
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_page_opens_with_any_long_text(page: Path, shape: str) -> None:
    assert not _grows(page, SHAPES[shape], 2_500, TEXTS)


def _grows(page: Path, shape: Shape, n: int, keys: tuple[str, ...]) -> str:
    """Where the page takes time with the square of its texts, the times that show it."""
    _open(page, shape(10), keys)  # imports, and loads the model
    for size in (n, 2 * n):
        short, long = (_open(page, shape(length), keys) for length in (size, 4 * size))
        if long <= MOST * max(short, ENOUGH / MOST):
            return ""
    return f"{size:,} characters {short:.1f} s, {4 * size:,} {long:.1f} s"


def _open(page: Path, text: str, keys: tuple[str, ...]) -> float:
    """The processor time of a visit."""
    app = AppTest.from_file(str(page), default_timeout=280)
    for key in keys:
        app.query_params[key] = text.encode("utf-8", "replace").decode()
    began = time.process_time()
    app.run()
    assert not app.exception
    return time.process_time() - began
