"""The folder computes in Firefox as well, and goes on there without its server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import core
from core.comparison import Chosen, Ends, Question
from core.examples import PRESETS, known_ends
from tests.browser.static.conftest import Plain
from tools.firefox import Firefox, find
from ui.comparison import between

pytestmark = [
    pytest.mark.check,
    pytest.mark.skipif(find() is None, reason="Firefox is not installed"),
]
TYPED = "A man is fishing on the muddy river bank."
# A picture draws in a shadow root.
_SHOWN = """
const shadow = document.querySelector(".drawn > div")?.shadowRoot;
return shadow?.querySelector(".picture[data-drawn]") && document.querySelector("main:not([aria-busy])")
  ? [...shadow.querySelectorAll(".heard td:nth-child(2)")].map((cell) => cell.textContent) : null;"""


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[Firefox]:
    program = find()
    assert program is not None
    running = Firefox(program, tmp_path)
    yield running
    running.stop()


@pytest.mark.fuzz  # half a minute
def test_it_computes_and_goes_on_without_its_server(folder: Path, firefox: Firefox) -> None:
    server = Plain(folder)
    firefox.open(f"{server.address()}compare/")
    button = (
        "[...document.querySelectorAll('main button')].find((one) => one.textContent.includes('MB'))"
    )
    firefox.until(f"return Boolean({button})")
    firefox.run(f"{button}.click()")
    firefox.until(_SHOWN)
    firefox.run(
        f"const box = document.querySelector('textarea'); box.value = {json.dumps(TYPED)};"
        "box.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    firefox.until(
        "return document.querySelector('.drawn > div').shadowRoot"
        ".querySelector('.sentence').textContent.includes('muddy')"
    )
    shown = firefox.until(_SHOWN)
    server.stop()
    # the word in both sentences, and alone
    assert [float(one.replace("−", "-")) for one in shown[:2]] == pytest.approx(_wanted(), abs=1e-3)
    # without its server, a page that was not open yet
    firefox.open(f"{server.address()}heads/")
    assert firefox.until(_SHOWN) is not None


@pytest.mark.fuzz  # a minute
def test_the_model_that_speaks_starts_there(folder: Path, firefox: Firefox) -> None:
    server = Plain(folder)
    firefox.open(f"{server.address()}next-word/?v=2&t=The+capital+of+France+is")
    button = (
        "[...document.querySelectorAll('main button')].find((one) => one.textContent.includes('MB'))"
    )
    firefox.until(f"return Boolean({button})")
    firefox.run(f"{button}.click()")
    said = firefox.until("return document.querySelector('[data-part=presented-line]').textContent")
    server.stop()
    assert "Paris" in said


def _wanted() -> list[float]:
    """Where Python finds the word in both sentences after the last layer."""
    other = PRESETS[0].text_b
    ends = known_ends("bank", (TYPED, other))
    assert ends is not None
    core.load("minilm")
    question = Question(
        "minilm",
        Chosen(TYPED, "bank", 0),
        Chosen(other, "bank", 0),
        Ends(ends.names, ends.low, ends.high),
    )
    found = between(question)
    assert found is not None
    return [float(positions[-1]) for positions in found.coordinates]
