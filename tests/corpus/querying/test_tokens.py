"""Queries over texts, against a search that tries every beginning and every end, word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import corpus
from core.corpus.querying import tokens as tokens_of
from core.corpus.querying.query import Both, Choice, Either, Form, Part, Row, Test, Token, parse
from core.corpus.querying.tokens import Forms, Matches, find, in_order
from core.errors import CorpusError, NotSupported
from core.records.words import split
from tests.corpus.synthetic import Row as Sentence
from tests.corpus.synthetic import publish_rows

TEXTS = (
    "The bank, on the left of the River bank, went under.",
    "He goes on, and on the banks of the Thames he had gone on the way of the world.",
    "very very good; very good. Very bad!",
    "Going going gone: the bank’s women, a woman and the wom-n.",
    "on the whole of on the part of it",
    "",
    "Bank bank BANK of of the",
    "İstanbul, SOFT\u00adEN’s Straße, STRASSE\u200d ΣΑΣ Ｆｕｌｌ 𝐁old 🎣 naïve NAÏVE café\u00ad end",
)
QUERIES = (
    "on the * of",
    "on *{0,3} of",
    "[go]",
    "[went]",
    '[lemma="bank"] []{0,2} "of"',
    '"very"+ "good"',
    '"very"* "good"',
    '"Very"+',
    '"very"%c',
    "wom?n",
    "the bank|river",
    "(on the | the) *{1,2} of",
    '[word!="the" & word!="on"] "of"',
    '[!(word="of"%c | lemma="the")]',
    "[] bank",
    "bank []",
    '[word="[Bb]an.*"]{2,3}',
    "very *{0,3} good",
    "on *",
    "bank's women|men",
)


# The sentence, the position and the form of some words.
ROWS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 6), st.integers(0, 2)),
    max_size=30,
    unique_by=lambda one: one[:2],
)


class Word(NamedTuple):
    text: str
    sign: bool


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> corpus.Corpus:
    folder = tmp_path_factory.mktemp("queries") / "corpus"
    rows = [Sentence(text, i % 2, {"year": 1990 + i}) for i, text in enumerate(TEXTS)]
    publish_rows(folder, rows, {"year": "int"})
    return corpus.open(folder)


def sentences() -> list[list[Word]]:
    """The words and signs of each text, without the signs behind its last word."""
    found = []
    for text in TEXTS:
        words = [Word(one.text, not any(map(str.isalnum, one.text))) for one in split(text)]
        while words and words[-1].sign:
            words.pop()
        found.append(words)
    return found


def holds(test: Test, word: str) -> bool:
    """By Python's own regular expressions, and by hand for the lemmas of these texts."""
    word = word.replace("’", "'")
    if isinstance(test, Form):
        if test.attribute == "lemma":
            lemmas = {"goes": "go", "went": "go", "going": "go", "banks": "bank"}
            own = lemmas.get(word.lower(), word.lower())
            if test.by == "word":
                return own == lemmas.get(test.value, test.value)
            return re.fullmatch(test.value, own, re.IGNORECASE) is not None
        if test.by == "word":
            return word.lower() == test.value.lower()
        if test.by == "wildcards":
            value = test.value.replace("*", ".*").replace("?", ".")
            return re.fullmatch(value, word, re.IGNORECASE) is not None
        return re.fullmatch(test.value, word, 0 if test.cased else re.IGNORECASE) is not None
    if isinstance(test, Both):
        return all(holds(one, word) for one in test.of)
    if isinstance(test, Either):
        return any(holds(one, word) for one in test.of)
    return not holds(test.of, word)


def behind(part: Part, words: list[Word], at: int) -> Iterator[int]:
    """Every place behind a part that begins at a place."""
    if isinstance(part, Token):
        if at < len(words):
            word = words[at]
            if part.test is None:
                fits = part.signs or not word.sign
            else:
                fits = not word.sign and holds(part.test, word.text)
            if fits:
                yield at + 1
    elif isinstance(part, Row):
        first, *rest = part.of
        for end in behind(first, words, at):
            yield from behind(Row(tuple(rest)), words, end) if rest else (end,)
    elif isinstance(part, Choice):
        for one in part.of:
            yield from behind(one, words, at)
    else:
        ends = {at}
        if not part.least:
            yield at
        for times in range(1, part.most + 1):
            ends = {end for start in ends for end in behind(part.of, words, start)}
            if times >= part.least:
                yield from ends


def brute(query: str) -> list[tuple[int, str]]:
    """The number of the sentence and the words of each match, by the rules of `find`."""
    part, found = parse(query), []
    for number, words in enumerate(sentences()):
        shortest: dict[int, int] = {}
        for at in range(len(words)):
            ends = [end for end in behind(part, words, at) if end > at]
            if ends:
                shortest[at] = min(ends)
        first: dict[int, int] = {}
        for at, end in shortest.items():
            first.setdefault(end, at)
        for at, end in sorted((at, end) for end, at in first.items()):
            if any(not word.sign for word in words[at:end]):
                found.append((number, " ".join(one.text for one in words[at:end])))
    return found


@pytest.mark.few(8)
@pytest.mark.parametrize("query", QUERIES)
def test_a_query_finds_what_a_search_by_hand_finds(opened: corpus.Corpus, query: str) -> None:
    found = [*opened.occurrences(query)]
    wanted = brute(query)
    assert len(found) == opened.count(query) == len(wanted) == len(opened.sentences_of(query))
    for one, (number, words) in zip(found, wanted, strict=True):
        assert one.sentence == number
        spoken = [one.text for one in split(words) if any(map(str.isalnum, one.text))]
        inside = split(one.text[one.start : one.end])
        assert [w.text for w in inside if any(map(str.isalnum, w.text))] == spoken
    assert sum(opened.words(query).values()) == len(wanted)


def test_some_of_these_queries_find_something_and_differ() -> None:
    counts = [len(brute(one)) for one in QUERIES]
    assert min(counts) >= 1, dict(zip(QUERIES, counts, strict=True))


@pytest.mark.check
def test_the_vector_of_a_match_is_the_mean_of_its_words(opened: corpus.Corpus) -> None:
    query = "on *{0,3} of"
    found = opened.vectors(query)
    for row, vector in zip(opened.lines(found.rows), found.vectors, strict=True):
        words = [one.text for one in split(row.text[row.start : row.end])]
        of = {
            (one.sentence, one.position): opened.vector(one)
            for word in {word.lower() for word in words if word != ","}
            for one in opened.occurrences(word)
        }
        spoken = [i for i, word in enumerate(words) if word != ","]
        mean = np.mean([of[row.sentence, row.position + i] for i in spoken], axis=0)
        np.testing.assert_allclose(vector, mean, atol=1e-6)
        np.testing.assert_allclose(opened.vector(row), mean, atol=1e-6)


def test_a_query_is_filtered_like_a_word(opened: corpus.Corpus) -> None:
    every = [*opened.occurrences("on the * of")]
    some = [*opened.occurrences("on the * of", where="year >= 1994")]
    assert some == [one for one in every if int(one.columns["year"] or 0) >= 1994]
    assert 0 < len(some) < len(every)
    with pytest.raises(CorpusError, match="no filter"):
        opened.count("on the * of", where="1=1) OR (1=1")


def test_upper_and_lower_case(opened: corpus.Corpus) -> None:
    every = ("bank|shore", '"bank"%c', "bank%c", "BANK %c")
    assert {opened.count(one) for one in every} == {opened.count("bank")}
    each = [opened.count(f'[word="{word}"]') for word in ("Bank", "bank", "BANK")]
    assert each == [1, 4, 1]
    assert sum(each) == opened.count("bank")


def test_every_word_has_the_case_of_its_text(opened: corpus.Corpus) -> None:
    numbers, shapes = opened._shapes
    rows = opened._words.search().select(["sentence", "start", "end", "_rowoffset"]).to_arrow()
    for row in rows.to_pylist():
        text = TEXTS[row["sentence"]][row["start"] : row["end"]]
        assert shapes[numbers[opened.tokens.of_rows[row["_rowoffset"]]]] == text
    assert len({*shapes}) == len(shapes)
    assert {numbers[i] for i in np.flatnonzero(~opened.tokens.is_word)} == {shapes.index("")}


def test_what_is_too_much_or_no_expression_is_refused(
    opened: corpus.Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    for wrong in ('[word="("]', '[word="(?=a)b"]', '[word="a{2000}"]', '[word="*a"]'):
        with pytest.raises(CorpusError, match="regular expression"):
            opened.count(wrong)
    words = np.zeros(50, np.int64)
    tokens = in_order(["a"], ["a"], words, words, np.arange(50), np.arange(50))
    assert len(find(tokens, parse("a|b []{0,20} a|b"), unknown()).start) == 49
    monkeypatch.setattr(tokens_of, "MOST_PAIRS", 400)
    assert len(find(tokens, parse("a|b []{0,2} a|b"), unknown()).start) == 49
    with pytest.raises(CorpusError, match="too much"):
        find(tokens, parse("[]{0,20} a|b"), unknown())


def test_the_same_word_in_every_place_takes_no_more_than_its_share(opened: corpus.Corpus) -> None:
    assert opened.count('[word="(a+)+b"]') == 0  # a pattern that takes others for ever
    assert opened.count('[word="' + "(a|a)*" * 20 + '"]') == opened.count("a")


def unknown() -> Forms:
    """What a corpus would know, for texts of the letter a."""
    return Forms(
        same=lambda word: {word},
        key=str.lower,
        lemmas=lambda: ["", "a"],
        lemma=str.lower,
        shapes=lambda: (np.zeros(0, np.int32), []),
    )


@pytest.mark.fuzz
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 6), st.integers(0, 2)),
        max_size=30,
        unique_by=lambda one: one[:2],
    )
)
def test_words_come_into_the_order_of_the_texts(rows: list[tuple[int, int, int]]) -> None:  # fmt: skip
    sentence, position, form = (np.array([one[i] for one in rows], np.int64) for i in range(3))
    tokens = in_order("abc", "abc", form, sentence, position, np.arange(len(rows)))
    wanted = []
    for number in sorted({one[0] for one in rows}):
        own = {at: what for of, at, what in rows if of == number}
        wanted += [(number, "abc"[own[at]] if at in own else "") for at in range(max(own) + 1)]
    assert [
        (int(s), tokens.keys[f]) for s, f in zip(tokens.sentence, tokens.form, strict=True)
    ] == wanted
    spoken = tokens.is_word
    assert sorted(tokens.row[spoken].tolist()) == list(range(len(rows)))
    if len(rows):
        np.testing.assert_array_equal(tokens.row[tokens.of_rows], np.arange(len(rows)))


def test_a_corpus_without_a_word_has_no_match() -> None:
    empty = np.zeros(0, np.int64)
    tokens = in_order([], [], empty, empty, empty, empty)
    assert [len(one) for one in find(tokens, parse("a|b"), unknown())] == [0, 0]
    assert isinstance(find(tokens, parse("[] *"), unknown()), Matches)


def test_a_language_without_a_dictionary_is_said(opened: corpus.Corpus) -> None:
    other = corpus.open(opened.folder)
    other.manifest = replace(other.manifest, language="xx")
    with pytest.raises(NotSupported, match="no dictionary of lemmas"):
        other.count("[go]")
    assert other.count("bank|shore") == other.count("bank")
