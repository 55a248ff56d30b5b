"""The description of links that JavaScript reads."""

from __future__ import annotations

import pytest

from tools import links

SIMPLE = {"text", "name", "whole", "real", "words", "switch"}
# Of Training, the folder reads a text's name and a recipe, and its view checks both (`owntext/tab.js`).
OF_TRAINING = {"tx", "tc", "rc", "r", "rb", "tr", "tb"}
# Step by step says of edits in a link that they need the app; Senses reads no files.
OF_THE_APP = {"step-by-step": {"ed"}, "senses": {"en"}}
MADE_OF_OTHERS = {"either", "list", "maybe", "dotted", "place"}


@pytest.mark.parametrize("page", links.PAGES)
def test_each_field_is_as_python_declares_it(page: str) -> None:
    fields, declared = links.fields()["pages"][page], links.PAGES[page].link()
    assert [one["url"] for one in fields] == [one.url for one in declared]
    by_url = {one["url"]: one for one in fields}
    assert by_url["lesson"]["start"] == ""
    assert {one["format"]["kind"] for one in fields} <= SIMPLE | MADE_OF_OTHERS
    if page == "compare":
        assert by_url["d"]["format"] == {"kind": "whole", "least": 0, "most": 999}
        assert by_url["p"]["format"]["words"] == ["senses", "pca", "pca3"]


@pytest.mark.parametrize("page", links.PAGES)
def test_what_is_kept_as_text_is_text_or_a_lesson_or_conversation_of_ones_own(page: str) -> None:
    """A field of another parser would be read otherwise there than here; no folder reads these."""
    kept = [one for one in links.PAGES[page].link() if links.field_of(one)["format"]["kind"] == "text"]
    own = OF_TRAINING if page == "training" else OF_THE_APP.get(page, set())
    assert {one.url for one in kept if one.parse is not str} - {"ct"} == {"mine"} | own
