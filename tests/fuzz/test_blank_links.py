"""Links whose values are blank, or are what separates values: every parameter of every page.

A share in `make check`; each parameter by itself in `make fuzz`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.test_links import KNOWN, PAGES, TEXTS
from tests.tiers import crossed
from tests.visits import run, visit
from ui import formats
from ui.state import MODEL

pytestmark = pytest.mark.usefixtures("docs_corpus")

BLANK = (
    *(" ", "\n", "\r\n", "\t", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"),
    *("\u00a0", "\u1680", "\u2003", "\u3000", "\u200b", "\u2060", "\ufeff", "\u202e", "\u061c", "\x00"),
)
SIGNS = (
    *",:;|.-_~=+*%/\\&?#()[]{}<>'\"`@^$!",
    "−",
    "…",
    "·",
    "، ",
    "。",
    ", ,",
    ":,:",
    "||",
    "..",
    "--",
)
KEYS = sorted({*KNOWN, *TEXTS})


@pytest.mark.few(4)
@pytest.mark.check
@pytest.mark.parametrize(("page", "value"), crossed(PAGES, [*BLANK, *SIGNS], of=12))
def test_a_link_of_blanks_or_signs_opens_every_page(page: Path, value: str) -> None:
    app = visit(page.parent.name, **dict.fromkeys(KEYS, value))
    run(app)  # what it wrote into its link opens it again


@pytest.mark.fuzz
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
@pytest.mark.parametrize("key", KEYS)
def test_each_parameter_by_itself(page: Path, key: str) -> None:
    for value in (" ", "\n", "\u2028", "\u200b", ",", ":", "|", "-"):
        visit(page.parent.name, **{key: value})


@pytest.mark.parametrize("value", BLANK)
def test_a_blank_name_of_a_model_is_none(value: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        formats.Name()(value * 3)
    assert formats.Name()(f"{value}min{value}lm{value}".replace("\x00", "")).replace(" ", "") != ""


@pytest.mark.parametrize("value", [" ", "\n", "\u2028", "\u200b"])
def test_with_a_blank_name_the_usual_model_is_shown(value: str) -> None:
    """On one page in `make test`; `m=%20` was an error of ours on all that have a model."""
    app = visit("embeddings", m=value)
    assert app.session_state[MODEL.key] == "minilm"
