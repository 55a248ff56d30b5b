"""Words found by a star, in another form, and what is offered where there is none."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records import finding, words
from core.records.particles import ARABIC_LETTERS, stems, with_particles
from core.records.spelling import CASED, UNCASED, Spelling
from tests.records.languages.table import uncased


def found(text: str, phrase: str, spelling: Spelling = UNCASED) -> list[str]:
    return [text[a:b] for a, b in finding.occurrence_spans(text, phrase, spelling=spelling)]


@pytest.mark.parametrize(
    ("text", "phrase", "expected"),
    [
        ("the bank, banks and a Banker", "bank*", ["bank", "banks", "Banker"]),
        ("the riverbank, a bank", "*bank", ["riverbank", "bank"]),
        ("embankment", "*BANK*", ["embankment"]),
        ("bank", "ba*nk", ["bank"]),
        ("bank", "ban*ank", []),  # the two parts would overlap
        ("abcabcab", "ab*c*ab", ["abcabcab"]),
        ("a river bank, the river banks", "river bank*", ["river bank", "river banks"]),
        ("a river bank", "r* b*", ["river bank"]),
        ("2 * 3 ** 4", "*", ["*", "*", "*"]),  # a sign like any other
        ("a * b", "a *", ["a *"]),
        ("... ---", ".*", []),
        ("don't do", "don*", ["don't"]),
        ("l'eau, l'eaux", "eau*", ["eau", "eaux"]),
        ("我在银行存钱，有很多银行卡", "银*", ["银行", "银行"]),
        ("snake_case 100%", "snake*", ["snake_case"]),
    ],
)
def test_stars(text: str, phrase: str, expected: list[str]) -> None:
    assert found(text, phrase) == expected


@pytest.mark.property
@given(st.text("ab", min_size=1, max_size=4), st.text("ab*", min_size=1, max_size=5))
def test_a_star_is_any_letters(word: str, pattern: str) -> None:
    """Against the rule itself: some letters in place of each star give the word."""
    stars = pattern.count("*")
    if stars == len(pattern):
        return
    fills = ["".join(p) for n in range(len(word) + 1) for p in product("ab", repeat=n)] if stars else []
    spelled = {pattern}
    for _ in range(stars):
        spelled = {one.replace("*", fill, 1) for one in spelled for fill in fills}
        spelled = {one for one in spelled if len(one.replace("*", "")) <= len(word)}
    assert bool(found(word, pattern)) is (word in spelled)


@pytest.mark.parametrize(
    ("text", "phrase", "expected"),
    [
        ("ﬁne and fine", "fine", ["ﬁne", "fine"]),
        ("the ﬁne day", "fine day", ["ﬁne day"]),
        ("은행은 은행", "은행", ["은행은", "은행"]),
        ("은행들에서는 은행나무", "은행", ["은행들에서는"]),  # the ginkgo is another word
        ("باب", "اب", []),
        ("وبالبنك", "بنك", ["وبالبنك"]),
        ("לחם", "חם", []),
        ("riverbank", "bank", []),
    ],
)
def test_all_forms_of_a_word_are_found(text: str, phrase: str, expected: list[str]) -> None:
    assert found(text, phrase, CASED) == expected


def test_each_of_two_texts_has_all_forms() -> None:
    texts = ["은행에서", "은행"]
    assert finding.spans_in(texts, "은행", spelling=CASED) == [((0, 4),), ((0, 2),)]


def test_two_texts_are_read_in_one_way() -> None:
    texts = ["f**k", "folk"]
    assert finding.spans_in(texts, "f**k", spelling=CASED) == [((0, 4),), ()]
    assert finding.spans_in(texts[1:], "f**k", spelling=CASED) == [((0, 4),)]


@pytest.mark.parametrize(
    "text",
    [
        "بنك كبير قرب البنك، ثم بنك والبنك البنك",
        "은행에서 은행 은행은 은행 은행에서",
        "fine ﬁne Fine ＦＩＮＥ fines",
        "AI는 AI, GPU AI를 ai",
        "l'eau, l’ eau l'eau",
        "לבנק הבנק בנק והבנק בַּנְק",
        "银行 我的银行",
    ],
)
@pytest.mark.parametrize("spelling", [CASED, UNCASED, uncased()], ids=["cased", "uncased", "bert"])
def test_the_number_of_a_word_is_that_by_which_it_is_found(text: str, spelling: Spelling) -> None:
    spans = np.array([(i, i + 1) for i in range(len(text))])
    every = list(words.occurrences(text, spans, spelling=spelling, end=len(text)))
    for one in every:
        places = finding.occurrence_spans(text, one.word, spelling=spelling)
        assert places[one.number] == (one.start, one.end)


def test_every_particle_is_taken_off_again() -> None:
    for word in ("은행", "مصرف", "בנק"):
        for form in with_particles(word):
            # A letter before an Arabic word may be its own first one: it stays.
            assert word in stems(form) or form.removesuffix(word) in ARABIC_LETTERS
    assert with_particles("") == with_particles(".") == frozenset()


def test_the_words_of_a_star_are_counted_by_what_the_model_reads_alike() -> None:
    counts = finding.counted(["Bank", "bank", "Banker", "BANK"], "bank*", spelling=UNCASED)
    assert counts == {"bank": 3, "banker": 1}
    assert finding.counted(["Bank", "BANK"], "bAnK", spelling=UNCASED) == {"bAnK": 2}


@pytest.mark.parametrize(
    ("word", "here", "offer"),
    [
        ("bank", ["riverbank", "a"], "“*bank” finds “riverbank”."),
        ("bank", ["banker", "banks"], "“bank*” finds “banker”, “banks”."),
        ("bank", ["banker", "riverbank"], "“*bank*” finds “banker”, “riverbank”."),
        ("bank", [f"bank{i}" for i in "abcde"], "“bank*” finds “banka”, “bankb”, “bankc” and 2 more."),
        ("은", ["은행"], "“은*” finds “은행”."),
        ("b", ["bank"], ""),  # a letter is a part of too many words
        ("river bank", ["riverbank"], ""),
        ("lake", ["bank"], ""),
    ],
)
def test_an_offer_names_the_words_of_which_it_is_a_part(word: str, here: list[str], offer: str) -> None:
    assert finding.by_star(word, here, UNCASED) == offer


GROWING: dict[str, Callable[[int], tuple[str, str]]] = {
    "a word": lambda n: ("bank " * n, "bank"),
    "a phrase": lambda n: ("a b " * n, "b a"),
    "no space": lambda n: ("银行" * n, "银行"),
    "one letter": lambda n: ("哈" * n, "哈哈哈哈哈"),
    "Thai": lambda n: ("ธนาคาร" * n, "ธนาคาร"),
    "elided": lambda n: ("l'" * n + "eau", "eau"),
    "apostrophes": lambda n: ("d'a'" * n + "b", "b"),
    "a star": lambda n: ("ab" * n, "a*b*a*b"),
    "stars": lambda n: ("ab " * n, "*a*b*"),
    "marks": lambda n: ("か" + "\u3099" * n, "か"),
    "invisible": lambda n: ("银" + "\u00ad" * n + "行", "银行"),
    "ligatures": lambda n: ("ﬁne " * n, "fine"),
    "quotation marks": lambda n: ('"' * n + "é", '"' * n + "é" + '"' * n),
    "particles": lambda n: ("은행에서 " * n, "은행 은행"),
    "literal stars": lambda n: ("f*" * n, "f*f*k"),
}


@pytest.mark.check
@pytest.mark.parametrize("kind", GROWING)
def test_time_grows_with_the_text_and_no_faster(kind: str) -> None:
    times = []
    for n in (500, 2_000):
        text, phrase = GROWING[kind](n)
        best = float("inf")
        for extra in range(2):
            begin = time.process_time()
            finding.occurrence_spans(text + " x" * extra, phrase, spelling=UNCASED)  # none is cached
            best = min(best, time.process_time() - begin)
        times.append(best)
    assert times[1] < 9 * times[0] + 0.02  # four times as long; sixteen if it were quadratic


def test_a_search_in_a_short_text_is_made_once_and_a_long_one_each_time() -> None:
    own = Spelling(cased=False)
    found = finding.spans_in(("A BANK, a bank.",), "bank", spelling=own)
    assert found == [((2, 6), (10, 14))]
    found.clear()  # what a caller does with its list is its own
    assert finding.spans_in(["A BANK, a bank."], "bank", spelling=own) == [((2, 6), (10, 14))]
    assert finding.spans_in(("A BANK, a bank.",), "bank", spelling=CASED) == [((10, 14),)]
    assert own._found.cache_info()[:2] == (1, 1)
    assert finding.spans_in(("bank " * 200,), "bank", spelling=own)[0][-1] == (995, 999)
    assert own._found.cache_info()[:2] == (1, 1)
