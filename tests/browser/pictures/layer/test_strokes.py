"""The lines of several heads are distinguishable, even between the same two tokens."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Shown
from tests.browser.pictures.layer.test_layer import inner, opened, softmax
from tests.browser.saving import save_picture
from tests.tiers import some

Visit = Callable[..., Page]
HEADS, TOKENS = 12, 14
NS = "{http://www.w3.org/2000/svg}"


def paths(frame: Locator) -> dict[tuple[str, bool], list[float]]:
    """The start of each line in the saved picture: (colour, whether dashed) -> heights."""
    download = save_picture(frame, "SVG")
    found: dict[tuple[str, bool], list[float]] = defaultdict(list)
    for path in ET.parse(download.path()).iter(f"{NS}path"):
        if path.get("stroke-opacity"):
            lines = path.attrib["d"].split("M")[1:]
            style = path.attrib["stroke"], path.get("stroke-dasharray") is not None
            found[style] += [float(line.split("C")[0].split()[1]) for line in lines]
    return found


def begins(frame: Locator) -> dict[tuple[str, bool], set[float]]:
    """The same, each height once."""
    return {style: set(heights) for style, heights in paths(frame).items()}


def middles(frame: Locator) -> list[float]:
    """The heights of the tokens, from the lines of a single head."""
    ((_, found),) = begins(frame).items()
    assert len(found) == TOKENS
    return sorted(found)


@pytest.mark.parametrize("on", some([[0, 8], [2, 3, 11], list(range(HEADS))], 2), ids=len)
def test_on_one_path_no_head_hides_another(heads: Shown, visit: Visit, on: list[int]) -> None:
    tokens = middles(opened(heads, visit, "n=14", {"on": [0], "threshold": 0.0}))
    pitch = tokens[1] - tokens[0]
    found = begins(opened(heads, visit, "n=14", {"on": on, "threshold": 0.0}))
    assert len(found) == len(on)
    tracks = sorted(sorted(heights)[0] - tokens[0] for heights in found.values())
    for heights in found.values():
        track = sorted(heights)[0] - tokens[0]
        assert sorted(heights) == pytest.approx([middle + track for middle in tokens], abs=0.02)
    assert sum(tracks) == pytest.approx(0, abs=0.1)  # about the middle of each token
    apart = [b - a for a, b in itertools.pairwise(tracks)]
    assert apart == pytest.approx([apart[0]] * len(apart), abs=0.03)
    assert 1 < apart[0] <= 4
    assert tracks[-1] - tracks[0] < 0.7 * pitch  # so that no line seems to be the next token's


def test_lines_of_a_chosen_token_are_drawn_from_its_own_threshold(heads: Shown, visit: Visit) -> None:
    weights = softmax(inner(14)[2])[:, 5]
    for alone in (0.01, 0.2):
        state = {"query": 5, "pin": "query", "on": list(range(HEADS)), "alone": alone, "threshold": 0.9}
        drawn = sum(map(len, paths(opened(heads, visit, "n=14", state)).values()))
        assert drawn == np.count_nonzero(weights >= alone)


def test_of_two_heads_of_one_colour_the_button_says_which_is_dashed(heads: Shown, visit: Visit) -> None:
    frame = opened(heads, visit, "n=14", {"on": list(range(HEADS)), "threshold": 0.0})
    assert {dashed for _, dashed in begins(frame)} == {False, True}
    buttons = frame.get_by_role("group", name="Heads")
    for head in range(HEADS):
        button = buttons.get_by_role("button", name=f"Head {head + 1}", exact=True)
        expect(button).to_have_css("border-top-style", "dashed" if head >= 8 else "solid")
    frame.get_by_role("tab", name="One head").click()
    expect(
        frame.get_by_role("radiogroup", name="Heads").get_by_role("radio", name="Head 9")
    ).to_have_css("border-top-style", "solid")
