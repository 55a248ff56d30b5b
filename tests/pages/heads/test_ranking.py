"""All heads ranked by the weight from one token to another: the folded section of the Heads page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from pages.heads.atlas import ranking
from tests.pages.heads.test_page import visit as visit_heads
from tests.pages.reading import drawn
from tests.sentences import bold, numbers, saying
from tests.visits import run, said

TIRED = "The cat sat on the mat because it was tired."
IT, CAT = "9", "3"  # from 1, behind [CLS]


def visit(**url: str) -> AppTest:
    return visit_heads(**({"t": TIRED, "ra": "1", "q": IT, "k": CAT} | url))


def bars(app: AppTest) -> tuple[dict[str, Any], np.ndarray]:
    """Header and numbers of the ranking: the weights, then those of uniform attention."""
    (found,) = [one for one in drawn(app) if one[0]["file"] == "polysee-ranked-heads"]
    return found[0], np.frombuffer(found[1], "<f4").reshape(2, -1)


def lists(app: AppTest) -> list[int]:
    return [int(box.value or 0) for box in app.selectbox if box.label in ("From", "To")]


def test_nothing_is_ranked_before_it_is_opened() -> None:
    app = visit_heads(t=TIRED)
    assert not [one for one in drawn(app) if "ranked" in one[0]["file"]]
    assert app.toggle(key="heads ranked control").label == ranking.TITLE


def test_all_heads_are_ranked_by_the_chosen_weight(minilm: core.Model) -> None:
    app = visit()
    attention = minilm.trace(TIRED).attention
    assert attention is not None
    exact = attention.weights[:, :, 8, 2]
    header, (weights, uniform) = bars(app)
    np.testing.assert_allclose(weights, np.sort(exact.ravel())[::-1], atol=1e-5)
    np.testing.assert_allclose(uniform, 1 / 13, atol=1e-6)
    layer, head = np.unravel_index(exact.argmax(), exact.shape)
    best = f"layer {layer + 1}, head {head + 1}"
    assert header["labels"][0] == best
    assert lists(app) == [8, 2]
    sentence = saying(said(app), "**it** → **cat**")
    assert bold(sentence) == ["it", "cat", best, f"{exact.max():.3f}"]
    told = said(app)
    assert f"{np.median(exact):.3f}" in told
    assert f"{int((exact > 1 / 13).sum())} of them" in told


def test_the_open_head_is_framed_only_where_it_does_not_hide_the_strongest(minilm: core.Model) -> None:
    attention = minilm.trace(TIRED).attention
    assert attention is not None
    exact = attention.weights[:, :, 8, 2]
    order = np.argsort(-exact, axis=None, kind="stable").tolist()
    for rank in (3, 60):
        layer, head = divmod(order[rank], 12)
        app = visit(l=str(layer + 1), h=str(head + 1), r="head")
        assert bars(app)[0]["chosen"] == (rank if rank < ranking.FIRST else None)
        told = numbers(saying(said(app), "The open head"))
        assert told[-2:] == pytest.approx([rank + 1, exact[layer, head]], abs=6e-4)
    assert bars(visit(l="2"))[0]["chosen"] is None  # the lines of all heads


def test_a_click_opens_the_strongest_head_at_the_weight(minilm: core.Model) -> None:
    attention = minilm.trace(TIRED).attention
    assert attention is not None
    layer, head = np.unravel_index(attention.weights[:, :, 8, 2].argmax(), (6, 12))
    heard = AppTest.from_string(_OPENS, default_timeout=60)
    heard.run()
    assert not heard.exception
    assert heard.session_state["told"] == (str(layer + 1), head, "head", 8, 2)


_OPENS = f"""
import streamlit as st
from pages.heads.atlas import pairs, ranking
from pages.heads.state import HeadsState
from ui.query import TextQuery
s = HeadsState()
ranking._open_ranked(s, TextQuery("minilm", {TIRED!r}), pairs.Pair(8, 2, ("it", "cat")), 0)
side = s.sides[0]
fields = (side.layer, side.head, *(s.shared[one] for one in ("level", "query", "key")))
st.session_state["told"] = tuple(one.get() for one in fields)
"""


def test_the_lists_choose_the_tokens_of_the_picture() -> None:
    app = visit(l="2", r="head")
    froms, tos = (box for box in app.selectbox if box.label in ("From", "To"))
    froms.set_value(6)
    tos.set_value(5)
    run(app)
    link = {
        key: value if isinstance(value, str) else value[0] for key, value in app.query_params.items()
    }
    assert (link["q"], link["k"]) == ("7", "6")
    (state,) = [header["state"] for header, _ in drawn(app) if "level" in header.get("state", {})]
    assert (state["query"], state["key"]) == (6, 5)
    assert bold(saying(said(app), "**mat** → **the**"))[:2] == ["mat", "the"]


@pytest.mark.parametrize(("direction", "expected"), [("from", [8, 2]), ("to", [2, 8])])
def test_a_token_chosen_among_all_heads_is_one_of_the_two(direction: str, expected: list[int]) -> None:
    other = {"k": CAT} if direction == "from" else {"q": CAT}
    app = visit_heads(t=TIRED, ra="1", x=IT, y=direction, **other)
    assert lists(app) == expected


def test_two_tokens_clicked_among_all_heads_make_a_pair(minilm: core.Model) -> None:
    heard = AppTest.from_string(_CLICKS, default_timeout=60)
    heard.run()
    assert not heard.exception
    assert heard.session_state["told"] == [(8, None), (8, 2), (None, 2)]


_CLICKS = f"""
import streamlit as st
from pages.heads.displayed import panel_of
from pages.heads.state import HeadsState
from ui.query import TextQuery
s = HeadsState()
block = panel_of(TextQuery("minilm", {TIRED!r}), s.choices(0)).block
told = []
def click(token, direction):
    s.take_in_overview({{"token": token, "direction": direction}}, block, block)
    told.append(tuple(s.shared[one].get() for one in ("query", "key")))
click(8, "from")
click(2, "to")
s.shared["query"].set(2)
s.direction.set("from")
click(2, "to")
st.session_state["told"] = told
"""


def test_without_a_choice_the_last_word_and_its_strongest_token(minilm: core.Model) -> None:
    app = visit_heads(t=TIRED, ra="1")
    query, key = lists(app)
    tokens = minilm.trace(TIRED).tokens
    assert tokens[query] == "tired"
    attention = minilm.trace(TIRED).attention
    assert attention is not None
    best = attention.weights[:, :, query].max(axis=(0, 1))
    best[[0, query, len(tokens) - 1]] = 0
    assert key == best.argmax()


def test_whole_words_are_ranked_too(minilm: core.Model) -> None:
    text = "An unbelievability of banks"
    app = visit(t=text, u="1", q="5", k="3")
    trace = minilm.trace(text)
    assert trace.attention is not None
    exact = trace.attention.weights[:, :, trace.find("banks")][..., trace.find("unbelievability")]
    _, (weights, _) = bars(app)
    np.testing.assert_allclose(weights[0], exact.sum(axis=-1).mean(axis=-1).max(), atol=1e-5)
    assert "sum over the pieces" in said(app)


def test_a_part_of_a_pair_says_that_it_is_rescaled() -> None:
    whole = visit(t="On a river", t2="by the bank", q="3", k="6")
    assert "of the whole pair" not in said(whole)
    part = visit(t="On a river", t2="by the bank", n="ab", q="2", k="2")
    assert "of the whole pair" in said(part)
    assert bars(part)[0]["labels"]


def test_two_models_are_ranked_in_the_first() -> None:
    assert "the first of the two models" in said(visit(m2="minilm", c2="1"))


def test_a_token_hidden_by_a_mask_has_no_ranking_to_speak_of() -> None:
    app = visit(c="1", q="3", k="9")
    assert numbers(saying(said(app), "**cat** → **it**")) == [0]


@pytest.mark.parametrize("value", ["x", "-1", "99999", "0"])
def test_a_broken_link_opens_the_page_all_the_same(value: str) -> None:
    assert bars(visit(q=value, k=value))[0]["labels"]


def test_the_table_has_every_head(minilm: core.Model) -> None:
    (block,) = core.measures.blocks(minilm.trace(TIRED)).values()
    ranked = core.measures.rank_heads(block, 8, 2)
    table = ranking.table(ranked)
    assert len(table) == 72
    first = table.iloc[0]
    assert block.attention.weights[int(first.layer) - 1, int(first["head"]) - 1, 8, 2] == pytest.approx(
        first.weight
    )


@pytest.mark.check
def test_an_encoder_decoder_says_which_tokens_its_heads_read(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made("t5")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    app = visit(m=folder.name, t="On the river", t2="the bank", e="2", q="2", k="2")
    told = said(app)
    assert "*From* is a token of the target" in told
    assert bars(app)[0]["labels"]
