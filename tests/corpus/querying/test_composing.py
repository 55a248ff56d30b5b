"""The form beside a query: what it writes is read back as what was asked."""

from __future__ import annotations

import pytest

from core.corpus.querying.composing import Match, Wanted, composed
from core.corpus.querying.query import is_query, parse
from core.errors import CorpusError


@pytest.mark.parametrize(
    ("words", "cased", "query"),
    [
        ([Wanted("bank")], False, "bank"),
        ([Wanted("in"), Wanted("this"), Wanted("case")], False, "in this case"),
        ([Wanted("go", "lemma")], False, "[go]"),
        ([Wanted("bank, shore", "lemma", 2), Wanted("of")], False, "[bank|shore] *{0,2} of"),
        ([Wanted("on"), Wanted("", "any"), Wanted("riv", "begins")], False, "on * riv*"),
        ([Wanted("ing", "ends", 3)], False, "*ing"),  # a gap behind the last word
        ([Wanted("Bank")], True, '"Bank"'),
        ([Wanted("Ba, St", "begins"), Wanted("U.S.")], True, '"Ba.*|St.*" "U\\.S\\."'),
        ([Wanted("am"), Wanted("Straße")], False, "am Straße"),
    ],
)
def test_a_form_makes_a_query(words: list[Wanted], cased: bool, query: str) -> None:
    assert composed(words, cased=cased) == query
    if is_query(query):
        parse(query)


@pytest.mark.parametrize("typed", ["a b", 'x"', "[go]", "a|b", "a*", "{2}", "(", "a\\b"])
@pytest.mark.parametrize("match", ["form", "lemma", "begins", "ends"])
def test_signs_of_the_language_are_refused(typed: str, match: Match) -> None:
    with pytest.raises(CorpusError, match="is no word"):
        composed([Wanted(typed, match)])


def test_no_word_is_no_query() -> None:
    for words in ([], [Wanted("", "any")], [Wanted("  "), Wanted(" ")]):
        with pytest.raises(CorpusError, match="one word at least"):
            composed(words)
