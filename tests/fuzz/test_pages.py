"""Random visits, five seeds: `make fuzz`."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.comparison import Chosen, Ends, Question
from core.comparison.heads import Look
from core.comparison.saved_page import page as saved_page
from tests.fuzz.test_texts import SEEDS, random_text
from ui.comparison import Cached

pytestmark = [pytest.mark.fuzz, pytest.mark.usefixtures("docs_corpus")]

ROOT = Path(__file__).resolve().parents[2]
VISITS = 60
KNOWN = ("bank", "0", "1", "3", "pca", "pca3", "-1", "AB", "replace")
KEYS = (
    *("m", "a", "b", "w", "w2", "o", "o2", "lo", "hi", "p", "l", "h", "d", "s", "j", "v", "z"),
    *("fs", "fw", "fi", "fa", "fd", "fn", "y", "yi", "yk", "yw", "yr", "ya"),
)


def sendable(rng: random.Random) -> str:
    """A text that a browser can send: without lone surrogates."""
    return random_text(rng).encode("utf-8", "replace").decode()


@pytest.mark.parametrize("seed", SEEDS)
def test_any_link_opens_a_page(seed: int) -> None:
    rng = random.Random(5000 + seed)
    for _ in range(VISITS):
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
        for key in rng.sample(KEYS, rng.randrange(1, len(KEYS))):
            app.query_params[key] = rng.choice([sendable(rng), *KNOWN])
        link = dict(app.query_params)
        app.run()
        assert not app.exception, link
        for name in "AB":
            box = app.selectbox(key=f"word in {name}")
            if box.options:
                box.set_value(rng.choice(box.options))
        app.run()
        assert not app.exception, link


@pytest.mark.parametrize("seed", SEEDS)
def test_any_comparison_can_be_saved(seed: int) -> None:
    rng = random.Random(6000 + seed)
    for _ in range(5):
        a, b = (Chosen(f"{sendable(rng)} bank {sendable(rng)}", "bank", 0) for _ in "AB")
        look = Look(rng.choice([None, 0, 5]), rng.choice([None, 0, 11]), rng.random() < 0.5)
        ends = rng.choice([None, Ends(("<b>", sendable(rng)), ("money",), ("river",))])
        question = Question("minilm", a, b, ends)
        page = saved_page(question, look, Cached("minilm"), back=rng.randrange(9), link="")
        assert len(page.encode()) < 6_000_000
        assert page.count("<script>") == page.count("</script>") - page.count('<script type="')
