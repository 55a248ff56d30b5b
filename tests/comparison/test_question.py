"""What is compared: the name of a question, and whether it is about one word."""

from __future__ import annotations

import pytest

import core
from core.examples.first_texts import OPENING
from tests.comparison.asking import ask, known


def test_a_question_has_one_name_for_itself() -> None:
    one = ask(OPENING.text_a, OPENING.text_b, ("bank", "bank"), known("bank"))
    again = ask(OPENING.text_a, OPENING.text_b, ("bank", "bank"), known("bank"))
    assert one.id == again.id
    others = {
        one._replace(ends=None).id,
        one._replace(model="other").id,
        one._replace(a=one.a._replace(number=1)).id,
        one._replace(a=one.b, b=one.a).id,
    }
    assert len(others | {one.id}) == 5


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        ("un café noir", "a cafe here", ("café", "cafe")),
        ("قرب البَنْكِ", "قرب البنك", ("البَنْكِ", "البنك")),
        ("çok İyi", "çok iyi", ("İyi", "iyi")),
        ("ο ΛΌΓΟΣ", "ο λόγος", ("ΛΌΓΟΣ", "λόγος")),
        ("a ﬁne day", "a fine day", ("ﬁne", "fine")),  # one word, as its search has it
    ],
)
def test_what_the_model_reads_alike_is_one_word(
    minilm: core.Model, a: str, b: str, words: tuple[str, str]
) -> None:
    assert ask(a, b, words, None).is_one_word(minilm.spelling)
    assert not ask(a, b, (words[0], b.split()[0]), None).is_one_word(minilm.spelling)
