"""Links with random values, on every page: a share in `make check`, five seeds in `make fuzz`.

Values are often valid ones of the page, so that invalid ones meet a page in some state, and each other.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.fuzz.nasty import NASTY
from tests.fuzz.test_parsers import FIELDS
from tests.fuzz.test_texts import SEEDS, random_text

pytestmark = [pytest.mark.check, pytest.mark.usefixtures("docs_corpus")]

PAGES = sorted((Path(__file__).resolve().parents[2] / "pages").glob("*/page.py"))
VISITS = 5
TEXTS = ("t", "t2", "a", "b", "tt", "w", "w2", "o", "o2", "m2")  # those of the pages themselves
NUMBERS = ("0", "1", "2", "3", "7", "12", "512", "999", "-1", "1.5", "1e9", "nan", "1.2.3", "mean")


def known(parse: object) -> Sequence[str]:
    """The options of a parameter, from the arguments of its reader; none for others."""
    cells = getattr(parse, "__closure__", None) or ()
    found = [cell.cell_contents for cell in cells]
    return next((words for words in found if isinstance(words, tuple)), ())


KNOWN = {one.url: [str(word) for word in known(one.parse)] for one in FIELDS}


def value(rng: random.Random, key: str) -> str:
    """A value in a link: half of the time a plausible one."""
    odd = rng.choice([rng.choice(NASTY), random_text(rng, 20)])
    meant = rng.choice([*KNOWN.get(key, ()), "bank", *rng.sample(NUMBERS, 3)])
    return (meant if rng.random() < 0.6 else odd).encode("utf-8", "replace").decode()


@pytest.mark.few(2)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
@pytest.mark.parametrize(
    "seed", [SEEDS[0], *(pytest.param(seed, marks=pytest.mark.fuzz) for seed in SEEDS[1:])]
)
def test_any_link_opens_any_page(page: Path, seed: int) -> None:
    rng = random.Random(f"{page.parent.name} {seed}")
    keys = sorted({*KNOWN, *TEXTS} - {"m"})
    for _ in range(VISITS if seed == SEEDS[0] else 4 * VISITS):
        app = AppTest.from_file(str(page), default_timeout=120)
        for key in rng.sample(keys, rng.randrange(1, 12)):
            app.query_params[key] = value(rng, key)
        link = dict(app.query_params)
        app.run()
        assert not app.exception, link
        app.run()  # what it wrote into its link opens it again
        assert not app.exception, (link, dict(app.query_params))
