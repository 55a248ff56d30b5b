"""Words of many languages in a corpus by real MiniLM, and corpora by the former rules of words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import core
from core import corpus
from core.corpus.querying import concordance
from core.corpus.querying.corpus import Corpus
from core.errors import CorpusError
from core.records.finding import occurrence_spans
from ui.corpora.lines import CachedWord, WordQuery

pytestmark = pytest.mark.check

TEXTS = [
    "A café by the river, a Cafe in town.",
    "The riverbank, 100% of the banks; bankers bank on snake_case.",
    "L'eau est froide, de l’eau fraîche.",
    "我去银行存钱，中国银行在河边。",
    "은행에서 돈을 찾았다. 은행은 크다. 은행 앞에서.",
    "ذهبت إلى البنك، والبَنْكِ كبير.",
    "ฉันไปธนาคารริมแม่น้ำ",
    "A ﬁne day.",
    "It is fine: 𝐁𝐚𝐧𝐤 of بـــنك, the ＣＯＦＦＥＥ, an aﬃne oﬀice.",
    "İyi, çok iyi.",
]


@pytest.fixture(scope="module")
def opened(minilm: core.Model, tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("languages")
    (folder / "texts.txt").write_text("\n\n".join(TEXTS), "utf-8")
    corpus.build([folder / "texts.txt"], folder / "corpus", model=minilm, layers=("last",))
    return corpus.open(folder / "corpus")


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("cafe", {"cafe": 2}),
        ("CAFÉ", {"café": 2}),
        ("bank", {"bank": 1, "𝐁𝐚𝐧𝐤": 1}),
        ('"bank"', {"bank": 1, "𝐁𝐚𝐧𝐤": 1}),
        ("“bank*”", {"bank": 1, "banks": 1, "bankers": 1}),
        ("coffee", {"ｃｏｆｆｅｅ": 1}),
        ("affine", {"aﬃne": 1}),
        ("office", {"oﬀice": 1}),
        ("İyi", {"İyi": 2}),
        ("iyi", {"iyi": 2}),
        ("bank*", {"bank": 1, "banks": 1, "bankers": 1}),
        ("*bank", {"bank": 1, "riverbank": 1}),
        ("*BANK*", {"bank": 1, "banks": 1, "bankers": 1, "riverbank": 1}),
        ("snake_*", {"snake_case": 1}),
        ("sn_ke*", {}),  # for SQL, a _ would stand for a letter
        ("100*", {"100": 1}),
        ("eau", {"eau": 2}),
        ("银行", {"银行": 2}),
        ("*行", {"银行": 2}),
        ("은행", {"은행에서": 1, "은행은": 1, "은행": 1}),
        ("은행*", {"은행에서": 1, "은행은": 1, "은행": 1}),
        ("بنك", {"البنك": 1, "والبَنْكِ": 1, "بـــنك": 1}),
        ("ธนาคาร", {"ธนาคาร": 1}),
        ("แม่น้ำ", {"แม่น้ำ": 1}),
        ("fine", {"fine": 1, "ﬁne": 1}),
        ("ﬁne", {"fine": 1, "ﬁne": 1}),
        ("Ｂａｎｋ", {"bank": 1, "𝐁𝐚𝐧𝐤": 1}),  # typed in full width
    ],
)
def test_words_are_found_and_named_as_they_are_written(
    opened: Corpus, word: str, words: dict[str, int]
) -> None:
    assert opened.words(word) == (words or {word: 0} if "*" not in word else words)
    assert opened.count(word) == sum(words.values())
    vectors = opened.vectors(word)
    assert len(vectors.vectors) == sum(words.values())
    again = opened.vectors(vectors.word)  # under its own name, the same is found
    np.testing.assert_array_equal(again.vectors, vectors.vectors)


def test_a_whole_word_has_the_vector_of_all_its_pieces(opened: Corpus, minilm: core.Model) -> None:
    found = opened.vectors("*bank")
    traces = [minilm.trace(text, keep="hidden") for text in TEXTS[:2]]
    assert traces[1].hidden is not None
    wanted = [traces[1].hidden[-1][one.tokens].mean(0) for one in traces[1].occurrences(of="*bank")]
    np.testing.assert_allclose(found.vectors, wanted, atol=2e-3)


def test_the_commonest_of_several_words_stands_for_them_on_an_axis(opened: Corpus) -> None:
    assert opened.commonest("cafe") == "cafe"
    assert opened.commonest("은행*") in ("은행에서", "은행은", "은행")
    assert opened.senses("river*", ["money"], ["water"]).axis.word in ("river", "riverbank")


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("l'eau", r"“l'”, “eau”\. Search for “eau”\.$"),
        ("", "one word"),
        ("<eau>", r"a star\. Search for “eau”\.$"),
        ("1 2 3 4 5 6 7 8 9", r"9 words: “1”, “2”, “3”, “4”, …\. Search for some of them\.$"),
        ("river bank " * 300, r"“river bank river bank river bank river …” is 600 words: "),
    ],
)
def test_it_is_searched_for_one_word(opened: Corpus, word: str, why: str) -> None:
    with pytest.raises(CorpusError, match=why):
        opened.count(word)


@pytest.mark.few(2)
@pytest.mark.parametrize("word", ["fine", "bank", "은행", "بنك", "cafe", "coffee"])
def test_a_corpus_finds_what_a_trace_finds(opened: Corpus, minilm: core.Model, word: str) -> None:
    found = [one.text[one.start : one.end] for one in opened.occurrences(word)]
    each = [
        text[a:b] for text in TEXTS for a, b in occurrence_spans(text, word, spelling=minilm.spelling)
    ]
    assert found == each
    assert opened.count(word) == sum(len(minilm.trace(text).find_all(word)) for text in TEXTS)


@pytest.mark.parametrize("where", ["yaer >= 1990", "source = = 1", "1=1) OR (1=1", "nosuch(source)"])
def test_a_wrong_filter_is_refused_in_our_own_words(opened: Corpus, where: str) -> None:
    with pytest.raises(CorpusError, match="Its columns are") as refused:
        opened.count("bank", where=where)
    said = str(refused.value).replace(where, "")
    assert "/" not in said
    assert ".rs" not in said
    assert len(said) < 300


@pytest.mark.parametrize(("word", "unknown"), [("ธนาคาร", ["ธนาคาร"]), ("bank*", []), ("은행", [])])
def test_a_page_can_say_which_words_the_model_does_not_know(
    opened: Corpus, word: str, unknown: list[str]
) -> None:
    query = WordQuery("languages", "1", word, opened.layer().layer)
    assert CachedWord(query, opened, concordance.read(opened, word)).unknown() == unknown


def test_a_word_that_is_only_a_part_is_offered_with_a_star(opened: Corpus) -> None:
    with pytest.raises(CorpusError, match=r"does not occur.*“banker\*” finds “bankers”"):
        concordance.read(opened, "banker")
    with pytest.raises(CorpusError, match=r"does not occur in this corpus\.$"):
        concordance.read(opened, "zebra")


def test_common_words_are_named_by_their_commonest_spelling(opened: Corpus) -> None:
    names = opened.frequent()
    assert names["café"] == 2
    assert "fraîche" in names
    assert "แม่น้ำ" in names


@pytest.mark.parametrize("normalizer", ['{"type": "Wrong"}', "{", "[]", '"x"'])
def test_a_manifest_with_other_rules_is_damaged(
    opened: Corpus, tmp_path: Path, normalizer: str
) -> None:
    changed = corpus.open(opened.folder)
    changed.manifest = replace(changed.manifest, normalizer=normalizer)
    with pytest.raises(CorpusError, match="damaged"):
        changed.count("bank")
