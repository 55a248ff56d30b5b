"""Queries as they are typed: what each means, and that everything else is refused in a sentence."""

from __future__ import annotations

import pytest

from core.corpus.querying.query import (
    MOST_REPEATED,
    Both,
    Choice,
    Either,
    Form,
    Not,
    Part,
    Repeat,
    Row,
    Token,
    is_query,
    parse,
)
from core.errors import CorpusError

ON, THE, OF = (Token(Form("word", one, "word")) for one in ("on", "the", "of"))
ANY, SIGN = Token(None), Token(None, signs=True)


def value(text: str) -> Form:
    return Form("word", text, "expression", cased=True)


def lemma(text: str) -> Form:
    return Form("lemma", text, "expression")


def listed(text: str) -> Form:
    return Form("lemma", text, "word")


QUOTED_OF, QUOTED_THE = Token(value("of")), Token(value("the"))


@pytest.mark.parametrize(
    ("typed", "means"),
    [
        ("on the * of", Row((ON, THE, ANY, OF))),
        ("on *{0,3} of", Row((ON, Repeat(ANY, 0, 3), OF))),
        ("on|of the", Row((Choice((ON, OF)), THE))),
        ("on the | of", Choice((Row((ON, THE)), OF))),
        ("(on | of){2} the", Row((Repeat(Choice((ON, OF)), 2, 2), THE))),
        ("wom?n", Token(Form("word", "wom?n", "wildcards"))),
        ("the key*", Row((THE, Token(Form("word", "key*", "wildcards"))))),
        ("[go]", Token(listed("go"))),
        ("[go|run] on", Row((Token(Either((listed("go"), listed("run")))), ON))),
        ('[lemma="go"]', Token(lemma("go"))),
        (
            '[lemma="bank"] []{0,2} "of"',
            Row((Token(lemma("bank")), Repeat(SIGN, 0, 2), QUOTED_OF)),
        ),
        ('"of"%c "the"', Row((Token(Form("word", "of", "expression")), QUOTED_THE))),
        ('"of"+ "the"', Row((Repeat(QUOTED_OF, 1, MOST_REPEATED), QUOTED_THE))),
        (
            '[word!="a" & lemma="b.*"]',
            Token(Both((Not(value("a")), lemma("b.*")))),
        ),
        ('[!(word="a" | word="b")]', Token(Not(Either((value("a"), value("b")))))),
        ('"of" "the" within <s/>', Row((QUOTED_OF, QUOTED_THE))),
        ('("of" | "the") "of"', Row((Choice((QUOTED_OF, QUOTED_THE)), QUOTED_OF))),
        ('"say \\"no\\""', Token(value('say "no"'))),
        ("[]", SIGN),
        ("of%c", OF),
        ("on|of %c the", Row((Choice((ON, OF)), THE))),
        ("[go]%c", Token(listed("go"))),
        ("100%|of", Choice((Token(Form("word", "100", "word")), OF))),
    ],
)
def test_what_a_query_means(typed: str, means: Part) -> None:
    assert parse(typed) == means
    assert parse(f"  {typed} ") == means


@pytest.mark.parametrize(
    "typed",
    [
        *("on the * of", "[go]", "a|b", "wom?n", "river bank*", '"in" "this"', "*{2} of"),
        *("bank%c", "bank %c", "the bank%c", "bank*%c", '"bank"%c', "bank%d", '"bank"%d'),
        *('"bank" within <s/>', '"bank" within s', '<s> "bank"', '"bank" </s>'),
    ],
)
def test_these_are_queries(typed: str) -> None:
    assert is_query(typed)


@pytest.mark.parametrize(
    "typed",
    [
        *("bank", "bank*", "*", "in this case", '"in this case"', "“bank”", '"bank"', '"bank'),
        *(
            "don't",
            "Who said bank?",
            "",
            "🎣",
            "(bank)",
            '"',
            '""',
            '"no" he said',
            '"no" within reason',
            "100% cotton",
            "100%",
            "50 % c'est",
        ),
    ],
)
def test_words_and_phrases_are_none(typed: str) -> None:
    assert not is_query(typed)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("", "1 to 500"),
        ("x" * 501, "1 to 500"),
        ("[", "“]” is missing|is no attribute"),
        ("[word=", "quotation marks is missing"),
        ('[word="a"', "“]” is missing"),
        ('[pos="N"]', "no attribute.*lemma"),
        ("(on", "“\\)” is missing"),
        ("on)", "not expected"),
        ("on |", "no word|missing"),
        ("| on", "missing"),
        ("[]{0,99}", "1 to 20"),
        ("[]{3,2}", "1 to 20"),
        ("[]*", "must be there"),
        ("*{0,3}", "must be there"),
        ("((([]{20}){20}){20}) on", "too deep"),
        ("a|b ]", "not expected"),
        ("a|b {x", "not expected"),
        ('"a"%d', "no flag"),
        ('"a"%cd', "no flag; only %c"),
        ("bank%d", "no flag"),
        ('[word="a"]%c', "behind no word"),
        ("a|b " * 40, "at most 30"),
        ("(" * 60 + "a|b", "too deep|at most"),
        ("a|b ...", "no letter"),
        ('<s> "bank"', "<s> .* one sentence"),
        ('"bank" </s>', "</s>.* one sentence"),
    ],
)
def test_what_is_none_is_refused_in_a_sentence(typed: str, says: str) -> None:
    with pytest.raises(CorpusError, match=says):
        parse(typed)
