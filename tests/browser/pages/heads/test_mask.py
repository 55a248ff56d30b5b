"""A causal mask on the Heads page in a real browser: −∞ before the softmax, 0 after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server
from tests.browser.pages.heads.test_heads import opened, picture, settled, wait_for
from tests.browser.reading import labels

Visit = Callable[..., Page]
TEXT = "On the river bank"
N = 6


@pytest.mark.fuzz
def test_the_switch_hides_later_tokens_and_lets_them_go(
    server: Server, visit: Visit, minilm: Any
) -> None:
    page = opened(server, visit, t=TEXT, l="2", h="9", r="head", q="3", k="4")
    assert not labels(picture(page), "hidden")
    page.get_by_text("Causal mask: hide later tokens").click()
    wait_for(page, c="1")
    expect(page.get_by_text("trained without a mask")).to_be_visible()
    later = N * (N - 1) // 2
    expect(picture(page).locator("svg text[data-part=hidden]")).to_have_count(2 * later)
    settled(page)
    texts = [label.text for label in labels(picture(page), "hidden")]
    assert sorted(texts) == sorted(["0"] * later + ["−∞"] * later)  # after softmax, and before
    page.get_by_role("tab", name="One token").click()
    page.get_by_label("Query token").select_option("the (3)")
    weights = [float(label.text) for label in labels(picture(page), "weight")]
    expected = minilm.causal_trace(TEXT).attention.weights[1, 8, 2]
    np.testing.assert_allclose(weights, expected[:3], atol=6e-5)
    assert len(labels(picture(page), "masked")) == 3
    page.get_by_text("Causal mask: hide later tokens").click()
    wait_for(page, q="3")
    expect(page.get_by_text("trained without a mask")).to_have_count(0)
    expect(picture(page).locator("svg text[data-part=masked]")).to_have_count(0)
    settled(page)
    assert not labels(picture(page), "masked")
    assert len(labels(picture(page), "weight")) == N
