"""What a page says of a text before it shows what a model makes of it."""

from __future__ import annotations

import pytest

from tests import visits
from ui.models import answers


@pytest.mark.parametrize(
    ("text", "named"),
    [("a river bank", ""), ("a [SEP] bank", "`[SEP]`"), ("a [MASK] bank", "")],
)
def test_a_page_says_that_a_special_token_in_a_text_is_read_as_one(text: str, named: str) -> None:
    app = visits.visit("heads", t=text, l="2")
    assert not app.exception, app.exception
    found = [str(one.value) for one in app.caption if "special token" in str(one.value)]
    assert len(found) == bool(named)
    assert all(named in one for one in found)


def test_of_several_texts_each_special_token_is_named_once() -> None:
    texts = ("a river bank", "a [SEP] bank", "[CLS] and [SEP] here")
    assert answers.special_in("minilm", texts) == ("[SEP]", "[CLS]")
