"""Links that were shared open the same state, from 0.1.0 on; this list may only grow.

What a page draws is tested elsewhere; here it ends as soon as it has read its link, so that no model
runs.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qsl

import pytest
import streamlit as st

from core.examples.first_texts import OPENING
from tests import visits
from ui import permalink

PAGES = Path(__file__).resolve().parents[2] / "pages"
RIVER = "Write a poem about a man fishing on a river bank."
PACKED = "Der Fluß — النهر " * 3

# Page, link, and its meaning: the values of the page's controls.
LINKS = [
    (
        "compare",
        "v=2&a=She opened an account at the bank.&b=They had a picnic on the grassy bank.&w=bank",
        {"a": "She opened an account at the bank.", "word": "bank"},
    ),
    (
        "compare",
        "v=2&lo=money, deposit, cash&hi=river, water&l=4&h=11&s=1&m=distilbert",
        {
            "low anchors": "money, deposit, cash",
            "high anchors": "river, water",
            "layer": 4,
            "head": 11,
            "special": True,
            "model": "distilbert",
            "a": OPENING.text_a,  # what is not in a link is as the page opens
        },
    ),
    # Layers counted from the last.
    ("compare", "v=2&d=2&l=0&h=0", {"layers back": 2, "layer": 0, "head": 0}),
    # Two words, their positions, principal components, large type.
    (
        "compare",
        "v=2&w=bank&w2=banks&o=2&o2=1&p=pca3&j=1",
        {"word B": "banks", "place": 2, "place B": 1, "view": "pca3", "projector": True},
    ),
    # Long values are packed.
    (
        "compare",
        "v=2&z=PACKED",
        {"a": PACKED, "b": "x" * 50, "word": "Fluß", "layer": 4},
    ),
    # Reasons.
    (
        "compare",
        "v=2&y=B&yk=mask&yl=3&yh=11&ya=1",
        {"why": "B", "why kind": "mask", "why layer": 3, "why head": 11, "why heads": True},
    ),
    # The zoom levels of heads.
    (
        "heads",
        "v=2&t=The cat sat on the mat because it was tired.&l=1&h=3&r=lines&on=2",
        {"heads text": "The cat sat on the mat because it was tired.", "heads layer": "1"},
    ),
    ("heads", f"v=2&t={RIVER}&l=3&h=6&r=product&q=11&k=10", {"heads text": RIVER, "heads layer": "3"}),
    (
        "heads",
        "v=2&t=one&t2=two&m=bert&u=1&f=previous&y=from&x=4",
        {
            "heads second": "two",
            "model": "bert",
            "heads words": True,
            "heads pattern": "previous",
            "heads way": "from",
            "heads token": 4,
        },
    ),
    ("embeddings", "v=2&l=6&q=7&k=10", {"embeddings depth": "6", "embeddings row": 7}),
    ("embeddings", "v=2&p=sentences&q=0&k=1", {"embeddings view": "sentences"}),
    ("senses", "v=2&p=bank&w=bank", {"senses preset": "bank", "senses word": "bank"}),
    ("senses", "v=2&d=2&q=3", {"senses depth": 2, "senses sentence": 3}),
    ("corpus", "v=2&w=key&l=2&ml=1", {"corpus layer": "2", "corpus map layer": 1}),
    (
        "step_by_step",
        "v=2&t=the cat ate the mouse&t2=the mouse ate the cat&p=what-if&wi=no-position&l=6",
        {"steps view": "what-if", "steps what-if": "no-position", "steps layer": 6},
    ),
    (
        "step_by_step",
        "v=2&ti=1&p=layer&st=weights&tt=the more the merrier&q=1&k=3",
        {"steps size": "1", "steps step": "weights", "steps token": 1, "steps column": 3},
    ),
    ("positions", "v=2&pl=5&pd=3&pp=3&pi=0", {"positions length": 5, "positions dimension": 0}),
    ("positions", "v=2&p=rotary&rm=12&rn=9", {"positions view": "rotary", "rotary m": 12}),
    (
        "encoder_decoder",
        "v=2&t=she does not have a red car&st=2&fw=2.a",
        {"translate text": "she does not have a red car", "translate step": 2},
    ),
    ("training", "v=2&rc=induction&l=2&h=0", {"training layer": 2, "training head": 0}),
]
Z = "eNqrVkpUslJySS1ScMspPTxf4VHDFIUby2-23Gy72X5jowLpEko6SklAEytIBkCN5UCNYEOB7Bwg20SpFgDhqEgS"


@pytest.mark.parametrize(("page", "link", "expected"), LINKS)
def test_a_link_says_what_it_said(
    page: str, link: str, expected: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    restore = permalink.restore

    def read_and_end(fields: permalink.Fields) -> None:
        restore(fields)
        st.stop()

    monkeypatch.setattr(permalink, "restore", read_and_end)
    app = visits.visit(page, **dict(parse_qsl(link.replace("PACKED", Z))))
    assert {key: app.session_state[key] for key in expected} == expected
