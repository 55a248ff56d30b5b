"""The charts of a class that grows."""

from __future__ import annotations

from xml.etree import ElementTree

from benchmarks import load_growth
from benchmarks.crowd import Held

GROWN = {
    n: (Held(8 * n, float(n), 0.05, 0.1), Held(4 * n, n / 2, 0.1, 0.2)) for n in load_growth.VISITORS
}


def said(svg: str) -> list[str]:
    return [one.text or "" for one in ElementTree.fromstring(svg).iter() if one.tag.endswith("}text")]


def test_rates_name_both_pages_and_reach_above_the_highest() -> None:
    found = said(load_growth.rates(GROWN, asked=20))
    assert {"Polysee, Heads page", "bare page, no model", "asked: 20", "30", "35"} <= set(found)


def test_rates_far_above_what_is_asked_are_not_told_in_fives() -> None:
    many = {n: (ours._replace(rate=5.0 * n), bare) for n, (ours, bare) in GROWN.items()}
    found = said(load_growth.rates(many, asked=20))
    assert {"160", "180"} <= set(found)  # in twenties, the highest is 150
    assert "170" not in found


def test_waits_have_the_middle_and_the_slow_ones_of_both() -> None:
    found = said(load_growth.waits(GROWN))
    assert {
        f"{who}, {what}" for who in ("Polysee", "bare page") for what in ("median", "95 of 100")
    } <= set(found)
