"""Lines by a filter and as samples, the sentences around one, dense clusters, marks, documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from core import corpus
from core.corpus import documents
from core.corpus.querying import concordance, results
from core.corpus.querying.picking import ALL, Pick
from core.corpus.querying.surprise import bits_of, surprises
from core.corpus.storage.readme import readme
from core.errors import CorpusError, TooLarge
from core.records.score import Score
from tests.corpus.synthetic import Row, publish_rows

COUNT = 89


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> corpus.Corpus:
    """Banks in two genres and five years; every fourth sentence is one of two that return."""
    rows = [
        Row(
            f"the bank of the river {i}" if i % 4 else f"a bank again {i % 8}",
            i % 2,
            {"genre": ("news", "talk")[i % 3 == 0], "year": 1990 + i % 5},
        )
        for i in range(COUNT)
    ]
    folder = tmp_path_factory.mktemp("selecting") / "corpus"
    publish_rows(folder, rows, {"genre": "text", "year": "int"})
    return corpus.open(folder)


def test_a_pick_is_a_part_of_the_lines_in_their_order() -> None:
    assert ALL.of(7).tolist() == [*range(7)]
    assert Pick("nth", 3).of(8).tolist() == [0, 3, 6]
    drawn = Pick("random", 5).of(31)
    assert len({*drawn.tolist()}) == 5
    assert (np.diff(drawn) > 0).all()
    assert drawn.tolist() != Pick("random", 5, seed=1).of(31).tolist()
    assert Pick("random", 50).of(31).tolist() == [*range(31)]


def test_lines_of_some_texts_and_some_of_these(opened: corpus.Corpus) -> None:
    where = "genre = 'talk'"
    every = concordance.read(opened, "bank", where=where)
    assert len(every) == every.total == len(range(0, COUNT, 3))
    assert {*every.column("genre")} == {"talk"}
    some = concordance.read(opened, "bank", where=where, pick=Pick("nth", 4))
    assert some.total == every.total
    assert some.sentences == every.sentences[::4]
    assert np.array_equal(some.vectors, every.vectors[::4])
    with pytest.raises(CorpusError, match="in the texts that you chose"):
        concordance.read(opened, "again", where="year = 1990 AND genre = 'none'")


def test_collocates_are_those_of_the_lines_that_are_shown(opened: corpus.Corpus) -> None:
    some = concordance.read(opened, "bank", pick=Pick("random", 20))
    groups = np.arange(20) % 2
    found = opened.collocates("bank", which=some.picked, groups=groups)
    assert found.count == 20
    river = found.words.index("river")
    expected = [sum("river" in t for t in some.texts_in_order[g::2]) for g in (0, 1)]
    assert found.by_group[:, river].tolist() == expected
    with pytest.raises(CorpusError, match="counted from 0"):
        opened.collocates("bank", which=[COUNT])


def test_the_words_of_texts_and_the_values_of_columns(opened: corpus.Corpus) -> None:
    assert opened.size() == opened.manifest.words
    assert opened.size("genre = 'talk'") + opened.size("genre = 'news'") == opened.size()
    assert opened.values("year") == [1990, 1991, 1992, 1993, 1994]
    assert opened.values("source") == ["texts.csv"]
    with pytest.raises(CorpusError, match="no column"):
        opened.values("colour")


def test_the_sentences_around_one_are_its_neighbours(opened: corpus.Corpus) -> None:
    texts = opened.texts(np.arange(COUNT))
    assert opened.around(5) == ([texts[3], texts[4]], [texts[6], texts[7]])
    assert opened.around(0, 1) == ([], [texts[1]])
    with pytest.raises(CorpusError, match="no sentence 900"):
        opened.around(900)


def test_dense_clusters_of_lines_count_a_repeated_sentence_once(opened: corpus.Corpus) -> None:
    lines = concordance.read(opened, "bank")
    groups = concordance.by_density(lines)
    assert groups.kind == "density"
    assert len(groups.names) - (groups.left_over is not None) == 2
    assert groups.stability is not None
    texts = lines.texts_in_order
    again = [i for i in range(COUNT) if texts[i] == texts[0]]
    assert len(again) > 5
    assert len({int(groups.of[i]) for i in again}) == 1
    few = concordance.read(opened, "bank", pick=Pick("random", 9))
    assert concordance.by_density(few).kind == "all"


def test_marks_are_groups_and_what_has_none_stands_last(opened: corpus.Corpus) -> None:
    lines = concordance.read(opened, "bank")
    marks = ["river" if i % 3 == 0 else "money" if i % 3 == 1 and i < 30 else "" for i in range(COUNT)]
    groups = concordance.by_marks(lines, marks)
    assert groups.names == ("river", "money", concordance.UNMARKED)
    assert groups.left_over == 2
    assert groups.counts[:2] == (30, 10)
    many = concordance.by_marks(lines, [f"m{i % 11}" for i in range(COUNT)])
    assert many.names[-1] == concordance.RARER
    assert len(many.names) == 9
    with pytest.raises(CorpusError, match="No line"):
        concordance.by_marks(lines, [""] * COUNT)


def test_the_surprise_of_a_word_is_the_sum_over_its_tokens() -> None:
    offsets = ((0, 3), (3, 8), (8, 10), (10, 11))
    score = Score(
        tokens=("The", " riv", "er", "."),
        ids=(1, 2, 3, 4),
        offsets=offsets,
        bits=np.array([np.nan, 5.0, 0.25, 1.0], np.float32),
        entropy=np.array([np.nan, 1, 1, 1], np.float32),
        ranks=np.array([-1, 0, 0, 0]),
        likeliest=((), (), (), ()),
        probabilities=np.full((4, 0), np.nan, np.float32),
        model="m",
        text="The rivier.",
    )
    assert bits_of(score, 4, 10) == 5.25
    assert bits_of(score, 9, 10) == 0.25
    assert np.isnan(bits_of(score, 0, 3))
    assert np.isnan(bits_of(score, 40, 44))


@pytest.mark.parametrize("predicts", ["next", "masked"])
def test_a_line_that_cannot_be_read_stops_no_other(opened: corpus.Corpus, predicts: str) -> None:
    class Model:
        def __init__(self) -> None:
            self.predicts, self.asked = predicts, 0

        def score(self, text: str) -> Score:
            self.asked += 1
            if self.asked == 1:
                raise TooLarge("This text is too long.")
            ids = (1, 2)
            return Score(
                tokens=("", text),
                ids=ids,
                offsets=((0, 0), (0, len(text))),
                bits=np.array([np.nan, 4.0], np.float32),
                entropy=np.array([np.nan, 1], np.float32),
                ranks=np.array([-1, 0]),
                likeliest=((), ()),
                probabilities=np.full((2, 0), np.nan, np.float32),
                model="m",
                text=text,
            )

    lines, model = concordance.read(opened, "bank"), cast("Any", Model())
    if predicts == "masked":
        with pytest.raises(TooLarge):
            next(surprises(lines, model))
        return
    bits = [*surprises(lines, model)]
    assert np.isnan(bits[0])
    assert bits[-1] == 4.0


def test_a_folder_says_what_it_holds(opened: corpus.Corpus, tmp_path: Path) -> None:
    text = (opened.folder / "README.md").read_text("utf-8")
    assert text == readme(opened.manifest)
    assert f"{COUNT} sentences with {opened.manifest.words:,} words" in text
    assert all(one in text for one in ("genre (text)", "year (int)", "minilm", "texts.csv"))


def test_lines_as_a_document(opened: corpus.Corpus) -> None:
    import io

    from docx import Document

    table = results.lines(opened, "bank", most=7)
    table["mark"] = ["a\x01b", *[""] * 6]
    document = Document(io.BytesIO(documents.lines(table, "“bank”")))
    (written,) = document.tables
    rows = [[cell.text for cell in row.cells] for row in written.rows]
    assert len(rows) == 7
    assert [row[1] for row in rows] == ["bank"] * 7
    assert rows[1][2].strip() == "of the river 1"
    assert rows[0][3] == "ab"
