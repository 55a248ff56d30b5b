"""What a linguist asks of the page: some texts, some lines, marks, frequencies, key words, queries."""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest

from core import corpus
from core.corpus.marking import Mark
from core.corpus.querying import concordance
from core.corpus.querying.frequencies import Frequencies
from core.corpus.word_map import Asked
from core.errors import CorpusError
from core.measures.senses.marked import clusters_against
from pages.corpus import captions, change, frequency, keywords, marks, surprise, words
from pages.corpus.narrow import name_of
from tests import visits
from tests.pages.corpus.test_page import folder, operator, pictures, said
from tests.sentences import numbers, saying
from ui.corpora import lines as cached
from ui.corpora import marks as kept_marks
from ui.corpora import offered, word_maps
from ui.corpora.selection import EVERY, Selection
from ui.models import model_cache

__all__ = ["folder", "operator"]  # fixtures of the page
visit = partial(visits.visit, "corpus")


@pytest.mark.parametrize(
    ("selection", "where"),
    [
        (Selection(), None),
        (Selection((("genre", "  "),)), None),
        (Selection((("genre", "o'clock; DROP"),)), "genre = 'o''clock; DROP'"),
        (Selection((("year", "1990"),)), "year >= 1990 AND year <= 1990"),
        (Selection((("year", " 1990 – 1999 "),)), "year >= 1990 AND year <= 1999"),
        (Selection((("year", "-3.5--2"),)), "year >= -3.5 AND year <= -2"),
        (
            Selection((("genre", "talk"), ("year", " "), ("year", "7"))),
            "genre = 'talk' AND year >= 7 AND year <= 7",
        ),
    ],
)
def test_a_selection_is_a_filter_and_never_more(selection: Selection, where: str | None) -> None:
    class Manifest:
        columns: ClassVar = {"genre": "text", "year": "int"}

    assert selection.where(Manifest()) == where  # type: ignore[arg-type]
    for wrong in (
        Selection((("year", "1 OR 1=1"),)),
        Selection((("colour", "red"),)),
        Selection((("year", "x"),)),
    ):
        with pytest.raises(CorpusError):
            wrong.where(Manifest())  # type: ignore[arg-type]


def test_the_button_says_what_is_left_out() -> None:
    assert name_of(EVERY) == "All texts, all lines"
    assert (
        name_of(Selection((("genre", "talk"), ("year", "1990")), "nth", 7))
        == "genre: talk · year: 1990 · 1 line of 7"
    )


def test_texts_and_samples_of_lines(folder: Path) -> None:
    of = corpus.open(folder / "letters")
    where = "year >= 1992 AND year <= 1993"
    app = visit(c="letters", w="bank", k="2", fo="year", fv="1992–1993", tk="random", tn="23")
    assert pictures(app)["concordance"][0]["lines"] == 23
    about = saying(said(app), "occurs", "per million words")
    count, words = of.count("bank", where=where), of.size(where)
    assert numbers(about)[0] == count
    assert words in numbers(about)
    assert "drawn at random" in said(app)
    assert not app.error
    nothing = visit(c="letters", w="bank", fo="year", fv="2050")
    assert "“year” is “2050”" in saying(said(nothing), "no text where")
    assert of.count("bank") in numbers(saying(said(nothing), "in all texts"))
    # a link to a column that this corpus does not have shows all texts
    assert pictures(visit(c="other", w="bank", fo="year", fv="1992"))["concordance"][0]["lines"] == 9


COLUMN = "体裁ที่"


def test_filters_by_several_columns_at_once(folder: Path) -> None:
    of = corpus.open(folder / "letters")
    two = {"fo": "year", "fv": "1992–1993", "fo2": COLUMN, "fv2": "b"}
    where = f"year >= 1992 AND year <= 1993 AND {COLUMN} = 'b'"
    assert of.matching(year=(1992, 1993), **{COLUMN: "b"}) == where
    app = visit(c="letters", w="bank", k="2", **two)
    count = of.count("bank", where=where)
    assert 0 < count < of.count("bank", where=f"{COLUMN} = 'b'")
    assert pictures(app)["concordance"][0]["lines"] == count
    about = saying(said(app), "occurs", "per million words")
    assert "1992–1993" in about
    assert COLUMN in about
    assert of.size(where) in numbers(about)
    # a condition of another corpus goes, and the next one moves up
    left = visit(c="letters", w="bank", k="2", fo="colour", fv="red", fo2="year", fv2="1990")
    assert pictures(left)["concordance"][0]["lines"] == of.count("bank", where="year = 1990")


def test_filters_that_leave_nothing_say_which_of_them_does(folder: Path) -> None:
    of = corpus.open(folder / "letters")
    two = {"fo": "year", "fv": "1990", "fo2": COLUMN, "fv2": "b"}
    message = said(visit(c="letters", w="money", **two))
    where = [f"{COLUMN} = 'b'", "year >= 1990 AND year <= 1990"]
    assert of.size(" AND ".join(where)) in numbers(saying(message, "does not occur where"))
    without = saying(message, "Lines of", "without")
    counts = [of.count("money", where=one) for one in where]
    assert counts[0] > counts[1] == 0  # no money in 1990
    assert numbers(without) == counts


@pytest.mark.fuzz
@pytest.mark.check
def test_the_map_of_all_words(folder: Path) -> None:
    """Its points, its exact neighbours, and the words inside a lasso, as brute force has them."""
    own = offered.every()["letters"]
    opened = corpus.open(folder / "letters")
    asked = Asked(opened.layer().layer)
    word_maps.begin(own, asked, "pca").future.result(120)  # type: ignore[union-attr]
    means = opened.word_means()
    app = visit(
        c="letters", w="bank", k="2", fw="1", wp="pca", wk="year", ws="0.0.1000.0.1000.1000.0.1000"
    )
    header = pictures(app)["words"][0]
    state = header["state"]
    assert header["words"] == [*means.words]
    assert state["chosen"] == means.words.index("bank")
    assert state["lasso"] == [0, 0, 1000, 0, 1000, 1000, 0, 1000]
    assert numbers(saying(said(app), "in the lasso"))[0] == len(means)
    unit = means.vectors / np.linalg.norm(means.vectors, axis=1, keepdims=True)
    cosines = unit @ unit[state["chosen"]]
    best = [i for i in np.argsort(-cosines) if i != state["chosen"]][:10]
    (table,) = (one.value for one in app.dataframe if "cosine" in one.value)
    assert table["word"].tolist() == [means.words[i] for i in best]
    assert np.allclose(table["cosine"], cosines[best], atol=2e-3)
    two = visit(c="letters", w="bank", fw="1", wp="pca", wb="values", wc="year", wa="1990", wz="1994")
    assert not two.exception
    word_maps.forget()


def test_what_stands_in_a_link_to_the_map_may_be_of_anybody() -> None:
    assert words.numbers_of("12.340.9") == [12, 340, 9]
    for wrong in ("", "a", "1..2", "1.-2", "9" * 20, "１.2"):
        assert words.numbers_of(wrong) is None
    assert words.numbers_of(words.written([0, 7, 100_000])) == [0, 7, 100_000]
    assert words.written(None) == ""


def test_marks_are_groups_and_the_clusters_are_measured_against_them(folder: Path) -> None:
    word = cached.get(offered.every()["letters"], "bank", "")
    truth = ["money" if "money" in one else "river" for one in word.lines.texts_in_order]
    of_lines = dict(zip(word.places(), truth, strict=True))
    own = {place: Mark(mark, "bank", "") for place, mark in [*of_lines.items()][:61]}
    kept = {"corpus marks": {"letters": own}}
    app = visits.visit("corpus", kept, c="letters", w="bank", k="2", fa="1")
    of_places = [own[place].mark if place in own else "" for place in word.places()]
    groups = word.clusters(2)
    found = clusters_against(of_places, groups.of, 2)
    assert found is not None
    assert numbers(saying(said(app), "lines have your mark"))[:2] == [61, len(word.lines)]
    assert numbers(saying(said(app), "marked lines"))[:2] == [61, round(100 * found.purity)]
    by_marks = visits.visit("corpus", kept, c="letters", w="bank", g="marks")
    names = [one["name"] for one in pictures(by_marks)["concordance"][0]["groups"]]
    assert {*names[:2]} == {"money", "river"}
    assert names[2] == concordance.UNMARKED
    none = visit(c="letters", w="bank", g="marks")
    assert "No line of this word has a mark yet" in said(none)


def test_dense_clusters_say_what_they_leave_out_and_whether_they_return(folder: Path) -> None:
    groups = concordance.by_density(concordance.read(corpus.open(folder / "letters"), "bank"))
    app = visit(c="letters", w="bank", g="density")
    assert [one["name"] for one in pictures(app)["concordance"][0]["groups"]] == [*groups.names]
    assert groups.stability is not None
    assert round(groups.stability, 2) in numbers(saying(said(app), "mean adjusted"))


@pytest.mark.check
def test_frequencies_key_words_and_drift(folder: Path) -> None:
    of = corpus.open(folder / "letters")
    app = visit(c="letters", w="bank", k="2", ff="1", fk="1", qo="year", ko="year", kv="1994", ar="1")
    tables = [one.value for one in app.dataframe]
    (table,) = (one for one in tables if "per million" in one)
    found = of.frequency("bank", "year")
    assert table["times"].tolist() == found.counts.tolist()
    assert np.allclose(table["per million"], found.per_million, atol=0.01)
    more = keywords.table_of(of.keywords("year = 1994"), more=True)
    assert more["word"].iloc[0] == "money"
    assert any(one.equals(more) for one in tables)
    assert "drift" in pictures(app)
    assert "By the vectors alone" in said(app)


@pytest.mark.parametrize(
    ("most", "labels"),
    [
        (0.107, ["0", ".05", ".1"]),
        (0.083, ["0", ".02", ".04", ".06", ".08"]),
        (1.0, ["0", ".2", ".4", ".6", ".8", "1"]),
        (0.0, ["0"]),
    ],
)
def test_distances_have_round_lines(most: float, labels: list[str]) -> None:
    assert [text for _, text in change.round_guides(most)] == labels


def test_of_too_many_values_those_are_shown_in_which_the_word_stands() -> None:
    counts = np.r_[np.zeros(frequency.MOST_ROWS, np.int64), 3, 7]
    values = tuple(f"text {i:03}" for i in range(len(counts)))
    found = Frequencies("text", values, counts, np.full(len(counts), 100))
    table = frequency.of_most(frequency.table_of(found))
    assert len(table) == frequency.MOST_ROWS
    assert table["times"].tolist()[:3] == [7, 3, 0]


@pytest.mark.check
def test_what_a_query_finds_is_counted_word_by_word_and_genres_are_compared(folder: Path) -> None:
    of, query = corpus.open(folder / "letters"), "the money|river *"
    app = visit(c="letters", w=query, k="2", ff="1", qo=COLUMN, fc="1", o=COLUMN)
    assert not app.exception
    found = of.word_frequencies(query, COLUMN)
    (each,) = (one.value for one in app.dataframe if "DP" in one.value)
    assert each["word"].tolist() == [*found.words]
    assert each["times"].tolist() == found.total.tolist()
    assert len(found.words) == 2
    word = cached.get(offered.every()["letters"], query, "")
    (apart,) = word.drift(COLUMN)
    assert {word.drift_start(COLUMN), apart.value} == {"a", "b"}
    # one distance is no table: the sentence has its numbers
    assert not [one for one in app.dataframe if "chance" in one.value]
    if apart.distance > apart.chance:
        assert round(apart.distance, 3) in numbers(saying(said(app), "than chance explains:"))
    assert round(word.variety(word.clusters(2), COLUMN)[0].number, 1) in numbers(
        saying(said(app), "so many groups are in use")
    )


def test_after_a_mark_the_next_line_without_one_is_chosen_in_the_order_of_the_picture() -> None:
    assert marks._next([4, 2, 0, 1, 3], ["", "m", "", "", "m"], 2) == 1  # line 0, counted from 1
    assert marks._next([4, 2, 0, 1, 3], ["", "m", "", "", "m"], 3) == 3
    assert marks._next([4, 2], ["", "", "", "", ""], 0) == 5  # of another group than those in view
    assert marks._next([0, 1], ["m", "m"], 0) is None
    assert marks._next([0, 1], ["m", ""], 1) is None  # the line itself is not next


def test_the_curve_of_surprise_has_a_line_for_each_group() -> None:
    groups = concordance.Groups(
        "clusters", ("Cluster 1", "Cluster 2"), np.array([0, 0, 1]), np.zeros(3)
    )
    found = np.array([2.0, np.nan, 8.0], np.float32)
    header = surprise.picture_of(found, groups).header
    assert [one["name"] for one in header["lines"]] == [*groups.names]


def test_surprise_is_kept_and_goes_on_where_it_stopped(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ui.corpora import surprise as jobs

    monkeypatch.setenv("POLYSEE_CACHE", str(tmp_path))
    monkeypatch.setattr(jobs, "weights_checksum", lambda *_, **__: "00")
    monkeypatch.setattr(model_cache, "wait_for", lambda _: None)
    asked: list[int] = []

    def bits(lines: concordance.Lines, model: object, done: int) -> list[float]:
        asked.append(done)
        return [float(i) for i in range(done, len(lines))]

    monkeypatch.setattr(jobs, "surprises", bits)
    word = cached.get(offered.every()["letters"], "river", "")
    assert (jobs.kept(word), jobs.done(word), jobs.is_running(word)) == (None, 0, False)
    file = jobs._file(word)
    file.parent.mkdir()
    np.arange(3, dtype="<f4").tofile(file)
    assert jobs.done(word) == 3
    jobs.begin(word)
    jobs._jobs[file].result(20)
    assert asked == [3]
    values = jobs.kept(word)
    assert values is not None
    assert values.tolist() == [*range(len(word.lines))]
    assert isinstance(surprise.table_of(word, word.clusters(0), values), pd.DataFrame)
    app = visit(c="letters", w="river", k="2", fs="1")
    assert not app.exception
    most = len(word.lines) - 1
    assert f"**{most:.1f} bits**" in said(app)
    assert pictures(app)["surprise"][0]["lines"]


def test_the_form_writes_its_query_into_the_box_and_a_new_mark_stays_on_its_line() -> None:
    app = visit(c="letters", w="bank", k="2", fa="1")
    words = [one for one in app.text_input if one.label in ("Word", "Word 2")]
    words[0].set_value("the")
    words[1].set_value("bank, shore")
    (search,) = (one for one in app.button if one.label == "Search")
    search.click().run()
    assert app.session_state["corpus word"] == "the bank|shore"
    assert not app.exception
    (go_on,) = (one for one in app.toggle if one.label == "Then the next line")
    assert go_on.value is False
    (box,) = (one for one in app.text_input if one.label == "Mark this line")
    box.set_value(" river ")
    (mark,) = (one for one in app.button if one.label == "Mark")
    mark.click().run()
    assert not app.exception
    (own,) = app.session_state["corpus marks"]["letters"].values()
    assert (own.mark, own.word) == ("river", "the bank|shore")
    (undo,) = (one for one in app.button if one.label == "Undo (1 mark)")
    undo.click().run()
    assert not app.exception
    assert not app.session_state["corpus marks"]["letters"]
    assert not any(one.label.startswith("Undo") for one in app.button)


def test_marks_of_another_corpus_are_not_taken(folder: Path) -> None:
    shown = offered.every()["letters"]
    word = cached.get(shown, "bank", "")
    place, text = word.places()[0], word.lines.texts_in_order[0]
    kept_marks.refuse_other_corpus(shown, {place: Mark("m", "bank", text[:200])})
    with pytest.raises(CorpusError, match="1 of 1 marks stand in sentences"):
        kept_marks.refuse_other_corpus(shown, {place: Mark("m", "bank", "Another sentence.")})


def test_why_a_line_has_no_number_is_said() -> None:
    said = captions.surprise(2, 1, "smollm2")
    assert "2 lines have no number: the word stands first" in said
    assert "1 line has no number: the model could not read" in said
    assert "stands first" in captions.no_surprise(3, 3)
    assert "stands first" not in captions.no_surprise(0, 3)
    mixed = captions.no_surprise(2, 3)
    assert "2 lines have no number: the word stands first" in mixed
    assert "1 line has no number: the model could not read" in mixed


def test_jobs_of_surprise_that_are_over_are_forgotten(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ui.corpora import surprise as jobs

    monkeypatch.setenv("POLYSEE_CACHE", str(tmp_path))
    monkeypatch.setattr(jobs, "weights_checksum", lambda *_, **__: "00")
    monkeypatch.setattr(jobs, "_compute", lambda *_: None)
    old: Future[None] = Future()
    old.set_result(None)
    wrong: Future[None] = Future()
    wrong.set_exception(CorpusError("x"))
    there = {tmp_path / f"{i}": old for i in range(9)} | {tmp_path / f"w{i}": wrong for i in range(99)}
    monkeypatch.setattr(jobs, "_jobs", there)
    jobs.begin(cached.get(offered.every()["letters"], "river", ""))
    assert len(there) <= jobs._MOST_JOBS
    assert old not in there.values()


@pytest.mark.check
def test_in_german_the_page_says_nothing_as_in_english_but_its_texts_and_commands(folder: Path) -> None:
    parts = dict.fromkeys(("fb", "ff", "fc", "fn", "fk", "fa", "fm"), "1")

    def words_in(language: str) -> set[str]:
        app = visit(
            c="letters", w="the *", k="2", o=COLUMN, wx="river", tk="random", lang=language, **parts
        )
        assert not app.exception
        said = (app.markdown, app.caption, app.info, app.warning)
        controls = (
            app.selectbox,
            app.toggle,
            app.text_input,
            app.number_input,
            app.button,
            app.expander,
        )
        return {str(one.value) for kind in said for one in kind} | {
            str(one.label) for kind in controls for one in kind
        }

    german = words_in("de")
    assert len(german) > 60
    same = {one for one in words_in("en") & german if not one.startswith(("> ", "```"))}
    assert same <= {"bank", "river", "shore", "money"}
