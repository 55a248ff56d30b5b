"""The Corpus page without a browser: its numbers as brute force has them, and what it refuses."""

from __future__ import annotations

import io
import json
import shutil
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import core
from core import corpus
from core.corpus import extra, python_docs, written
from core.corpus.querying import concordance
from core.measures.senses.shares import wilson
from pages.corpus import beside, state
from tests import shared, visits
from tests.corpus.synthetic import Row, publish_rows
from tests.pages.reading import drawn, text_box
from tests.sentences import numbers, saying
from ui.corpora import offered
from ui.page import prose

NASTY = ("<script>alert(1)</script> *the* bank", "הבנק ליד bank הנהר", "👩‍👩‍👧 bank 🎣")
COUNT = 97


visit = partial(visits.visit, "corpus")
OPEN = {"fn": "1", "fc": "1", "fm": "1"}  # all that is folded


def rows() -> list[Row]:
    """Banks by rivers and with money: the later the year, the more money; some are nasty."""
    made = []
    for i in range(COUNT):
        year = 1990 + i % 5
        sense = int(i % 7 < year - 1990)
        text = (
            NASTY[i % 3] if i % 11 == 0 else f"the {('river', 'money')[sense]} bank and the shore {i}"
        )
        made.append(Row(text, sense, {"year": year, "体裁ที่": "ab"[i % 2]}))
    return made


@pytest.fixture(scope="module")
def folder() -> Path:
    """The folder of an operator's corpora, some of which cannot be read."""

    def fill(into: Path) -> None:
        publish_rows(into / "letters", rows(), {"year": "int", "体裁ที่": "text"})
        publish_rows(into / "other", rows()[:9], {}, model="bert", checksum="00")
        publish_rows(into / "empty", rows()[:9], {})
        shutil.rmtree(into / "empty" / "tables")
        (into / "half" / "staging").mkdir(parents=True)
        (into / "none").mkdir()
        (into / "broken").mkdir()
        (into / "broken" / "manifest.json").write_text('{"format": 1')
        (into / "newer").mkdir()
        (into / "newer" / "manifest.json").write_text('{"format": 99}')

    return shared.once("corpora of the page", fill)


@pytest.fixture(autouse=True)
def operator(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEE_CORPORA", str(folder))


def pictures(app: AppTest) -> dict[str, tuple[dict[str, Any], bytes]]:
    return {header["file"].removeprefix("polysee-"): (header, sent) for header, sent in drawn(app)}


def said(app: AppTest) -> str:
    kinds = (app.markdown, app.caption, app.info, app.error, app.warning)
    return "\n".join(str(one.value) for kind in kinds for one in kind).replace("\\", "")


def query_of(app: AppTest, page: str) -> dict[str, list[str]]:
    """The state that a link to another page opens."""
    found = [line for one in app.markdown for line in str(one.value).split() if f"]({page}?" in line]
    return parse_qs(urlsplit(found[0].partition("](")[2].rstrip(")")).query, keep_blank_values=True)


def supplied(name: str) -> corpus.Corpus:
    return corpus.open(offered.supplied_folder(offered.SUPPLIED[name]))


@pytest.mark.check
def test_without_own_corpora_it_opens_on_the_english_that_comes_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("POLYSEE_CORPORA")
    app = visit()
    header, _ = pictures(app)["concordance"]
    word = state.FIRST_WORDS[offered.WRITTEN]
    of = supplied(offered.WRITTEN)
    assert header["lines"] == of.count(word) > 10
    assert len(header["groups"]) == len(concordance.by_clusters(concordance.read(of, word), 0).names)
    assert header["state"] == {"sort": "meaning", "column": 0, "group": None, "chosen": None}
    assert [one["name"] for one in header["columns"]] == ["source", "topic", "form"]
    assert {*pictures(app)} == {"concordance"}  # the answer first; the rest when it is asked for
    assert "the first few words of each are ours" in said(app)
    docs = supplied(offered.DOCS)
    assert pictures(visit(w="case"))["concordance"][0]["lines"] == docs.count("case") > 10
    opened = visit(w="string", **OPEN)
    assert {"concordance", "shares", "corpus-map"} <= {*pictures(opened)}
    # A link without a number means the suggested one, as the page does that was never told any.
    suggested = concordance.by_clusters(concordance.read(docs, "string"), 0)
    assert len(pictures(opened)["concordance"][0]["groups"]) == len(suggested.names)


@pytest.mark.check
def test_the_page_says_whether_clusters_separate(folder: Path) -> None:
    text = said(visit(c="letters", w="bank", k="3"))
    found = concordance.read(corpus.open(folder / "letters"), "bank")
    measured = concordance.separates(found, concordance.by_clusters(found, 3))
    assert measured is not None
    assert numbers(saying(text, "Mean silhouette **"))[0] == round(measured.silhouette, 2)
    assert numbers(saying(text, "agree on"))[1] == round(100 * measured.agreement)
    assert {"none": "do not form clusters", "weak": "that touch", "clear": "stand apart"}[
        measured.level
    ] in text


@pytest.mark.check
def test_a_word_that_nothing_is_near_has_no_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    from ui.corpora.lines import CachedWord

    for bound, none in ((2.0, True), (-2.0, False)):
        monkeypatch.setattr(CachedWord, "unrelated", lambda _, bound=bound: bound)
        app = visit(c="letters", w="bank", k="2", fn="1")
        assert ("Nothing in this corpus is used like it" in said(app)) == none
        chips = [one for one in app.pills if one.key == "corpus other word control"]
        assert bool(chips) != none
        assert said(app).count("##### What else is used like this?") == 1


def test_words_to_look_up_are_no_forms_of_each_other() -> None:
    from pages.corpus.near import unlike

    words = ["characters", "character", "chars", "char", "key1", "keyword", "literal", "literals", "+="]
    assert unlike(words, "key") == ["characters", "chars", "keyword", "literal", "+="]


def test_what_the_page_opens_with_is_looked_up_once_a_link(monkeypatch: pytest.MonkeyPatch) -> None:
    from ui.corpora import examples

    asked: list[str] = []
    first = examples.first_corpus

    def counting() -> str:
        asked.append("")
        return first()

    from pages.corpus.state import CorpusState

    monkeypatch.setattr(CorpusState.corpus, "_opens", counting)
    app = visit()
    assert not app.exception
    assert len(asked) <= 2
    app.run()
    assert len(asked) <= 2


@pytest.mark.check
def test_the_examples_show_what_their_words_say(tmp_path: Path, minilm: core.Model) -> None:
    """Of the documentation itself, embedded by the model: a word with two uses, and one with one."""
    found = {}
    for word in ("case", "string"):
        texts = [
            f"{part}."
            for one in python_docs.passages()
            for part in one["text"].replace("\n", " ").split(". ")
            if word in part.lower()
        ]
        (tmp_path / f"{word}.json").write_text(json.dumps([{"text": one} for one in texts]), "utf-8")
        corpus.build([tmp_path / f"{word}.json"], tmp_path / word, model=minilm, text="text")
        found[word] = concordance.read(corpus.open(tmp_path / word), word)
    case = concordance.by_clusters(found["case"], 0)
    clear = concordance.separates(found["case"], case)
    assert clear is not None
    assert (len(case.names), clear.level) == (2, "clear")
    none = concordance.separates(found["string"], concordance.by_clusters(found["string"], 3))
    assert none is not None
    assert none.level == "none"

    parts = found["case"].parts()
    axis = minilm.sense_axis("case", ["in this case"], ["case block"])
    groups = concordance.by_axis(found["case"], axis, ("in this case", "case block"))
    before = [parts[i][0].lower() for i in groups.typical(0)[:4]]
    assert all(one.endswith(("this ", "either ", "latter ", "former ")) for one in before)
    assert all(parts[i][2].lower().startswith(" block") for i in groups.typical(1)[:4])
    assert min(groups.counts[:2]) > groups.counts[2]
    # The clusters are the two ends of this axis: hardly a line stands in the other one.
    ends = groups.of < 2
    same = (case.of == groups.of)[ends].mean()
    assert max(same, 1 - same) > 0.9


@pytest.mark.check
def test_own_corpora_come_first_with_examples_drawn_out_of_them(folder: Path) -> None:
    app = visit()
    assert app.session_state["corpus"] == "letters"  # the first of the operator's that can be opened
    found = corpus.open(folder / "letters")
    assert (
        pictures(app)["concordance"][0]["lines"] == found.count(app.session_state["corpus word"]) >= 9
    )
    tries = [one for one in app.button if str(one.key).startswith("try ")]
    counts = {one.label: found.count(one.label) for one in tries}
    assert len(counts) == 3
    assert min(counts.values()) >= 9
    assert all(f"{count} occurrences, in " in said(app) for count in counts.values())
    tries[1].click().run()
    assert (app.session_state["corpus"], app.session_state["corpus word"]) == (
        "letters",
        tries[1].label,
    )
    # A link without a corpus means Python's documentation, as before; without a word, one it has.
    assert pictures(visit(w="string"))["concordance"][0]["columns"][1]["name"] == "topic"
    assert visit(c="letters").session_state["corpus word"] == visit().session_state["corpus word"]


@pytest.mark.check
def test_the_example_of_words_beside_clusters_shows_both(tmp_path: Path, minilm: core.Model) -> None:
    """Its word forms clusters, and beside them stand words that tell the one from the other."""
    (label,) = (
        one
        for one in prose.read(str(visits.file_of("corpus"))).tries
        if "what stands beside it" in one.label
    )
    link = dict(label.state)
    assert (link["c"], link["fb"]) == ("written", "1")
    texts = [one for one in written.passages() if link["w"] in one["text"].lower()]
    (tmp_path / "texts.json").write_text(json.dumps(texts), "utf-8")
    corpus.build([tmp_path / "texts.json"], tmp_path / "built", model=minilm, text="text")
    opened = corpus.open(tmp_path / "built")
    lines = concordance.read(opened, link["w"])
    groups = concordance.by_clusters(lines, int(link["k"]))
    apart = concordance.separates(lines, groups)
    assert apart is not None
    assert apart.level == "weak"  # "clusters that touch"
    found = opened.collocates(link["w"], groups=groups.of)
    least = beside.LEAST if found.count >= beside.FEW else beside.LEAST_SMALL
    typical = [beside.typical_of(found, i, least) for i in range(len(groups.names))]
    sure = [found.surely_of_group(i, of, least=least) for i, of in enumerate(typical)]
    words = [{found.words[i] for i in of} for of in typical]
    assert ["wings" in one for one in words] != ["ball" in one for one in words]
    assert any("wings" in one for one in words)
    assert "ball" in {found.words[i] for of in sure for i in of}


def test_another_corpus_keeps_the_word_if_it_has_it() -> None:
    def take(name: str) -> None:
        (box,) = (one for one in app.selectbox if one.label == "Corpus")
        box.set_value(name).run()

    app = visit(c="letters", w="shore")
    take("other")
    assert app.session_state["corpus word"] == "shore"
    take("")
    assert app.session_state["corpus word"] == "case"
    take("letters")
    assert app.session_state["corpus word"] not in ("case", "")
    assert not app.error


def test_years_come_first_and_above_the_neighbours_and_only_time_is_a_change() -> None:
    app = visit(c="letters", w="bank", k="2")
    assert app.session_state["corpus column"] == "year"
    headings = [str(one.value) for one in app.markdown]
    assert any("How did it change?" in one for one in headings)
    assert "shares" in pictures(app)  # which is no detail, and so not folded
    assert "How does it differ" not in said(app)
    other = visit(c="letters", w="bank", k="2", o="体裁ที่", fc="1")
    assert "How did it change?" not in said(other)
    assert "How does it differ" in said(other)


@pytest.mark.parametrize("near", ["line", "group"])
def test_the_own_sentence_is_none_of_the_neighbours(near: str, folder: Path) -> None:
    from ui.corpora import lines as cached

    word = cached.get(offered.every()["letters"], "bank", "")
    groups = word.clusters(2)
    found = word.near_line(4) if near == "line" else word.near_group(groups, 0)
    own = [4] if near == "line" else np.flatnonzero(groups.of == 0).tolist()
    texts = {word.lines.texts_in_order[i] for i in own}
    assert found
    assert not texts & {one.occurrence.text for one in found}  # nor where a text repeats it
    assert visit(c="letters", w="bank", k="2").session_state["corpus near"] == "line"  # as links meant
    assert visit().session_state["corpus near"] == "group"


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("corpus", "word", "k", "few"),
    [
        ("letters", "bank", 2, []),
        ("letters", "bank", 0, []),
        ("other", "bank", 2, [9, 2, 10]),  # nine lines
        ("other", "bank", 0, [9, 2, 10]),
        ("other", "bank", 8, [9, 8, 5]),
        ("letters", "money", 8, [25, 8, 5, 5]),
    ],
)
def test_few_lines_are_no_clusters(corpus: str, word: str, k: int, few: list[int]) -> None:
    app = visit(c=corpus, w=word, k=str(k), **OPEN)
    header, _ = pictures(app)["concordance"]
    assert len(header["groups"]) == (1 if few else 2)
    assert ("too few for" in said(app)) == bool(few)
    assert ("choose 5" in said(app)) == (len(few) == 4)
    if few:
        assert numbers(saying(said(app), "too few for", "need"))[: len(few)] == few
        assert "there is no share to compare" in said(app)
        assert "like all of these lines" in str(app.segmented_control)


@pytest.mark.fuzz
@pytest.mark.check
def test_copies_of_few_lines_are_no_clusters_either(tmp_path: Path) -> None:
    """Four sentences twenty times are four lines; and a cluster of two lines is none."""
    publish_rows(tmp_path / "a", [Row(f"the bank {i % 4}", i % 2) for i in range(80)], {})
    lines = concordance.read(corpus.open(tmp_path / "a"), "bank")
    for k in (0, 2):
        assert concordance.by_clusters(lines, k).kind == "all"
    publish_rows(tmp_path / "b", [Row(f"the bank {i}", int(i < 2)) for i in range(40)], {})
    lines = concordance.read(corpus.open(tmp_path / "b"), "bank")
    for k in range(9):
        groups = concordance.by_clusters(lines, k)
        assert groups.kind == "all" or min(groups.counts) >= concordance.LEAST_LINES


def test_the_page_says_which_corpus_it_shows_and_how_often_the_word_occurs(folder: Path) -> None:
    of = corpus.open(folder / "letters")
    app = visit(c="letters", w="river")
    about = saying(said(app), "**letters**")
    assert numbers(about) == [of.manifest.sentences, of.manifest.words]
    count, words = of.count("river"), of.manifest.words
    low, high = wilson(count, words)
    found = numbers(saying(said(app), "occurs", "per million words"))
    assert found[0] == count
    assert [found[1], *found[3:]] == [round(1e6 * one) for one in (count / words, low, high)]
    for url in ({"w": "zebra"}, {"w": ""}):
        assert "**letters**" in said(visit(c="letters", **url))
    assert "build TEXTS" in said(app)


@pytest.mark.check
def test_a_phrase_has_its_lines_and_the_page_says_what_its_vector_is(folder: Path) -> None:
    app = visit(c="letters", w=" The  river bank ", k="2", **OPEN)
    header, _ = pictures(app)["concordance"]
    assert header["lines"] == corpus.open(folder / "letters").count("the river bank") > 20
    assert "the vector of a phrase is the mean" in said(app)
    assert "the vector of a phrase" not in said(visit(c="letters", w="bank", k="2"))
    low = visit(c="letters", w="river bank", g="senses", lo="water", hi="money")
    assert "stand" in said(low)
    assert not low.error


def test_the_shares_are_counted_right(folder: Path) -> None:
    app = visit(c="letters", w="bank", k="2", o="year")
    header, sent = pictures(app)["shares"]
    lines = concordance.read(corpus.open(folder / "letters"), "bank")
    of = concordance.by_clusters(lines, 2).of
    years = np.array(lines.column("year"))
    assert [row["name"] for row in header["rows"]] == ["1990", "1991", "1992", "1993", "1994"]
    values = np.frombuffer(sent, "<f4").reshape(5, 2, 3)
    for row, year in enumerate(range(1990, 1995)):
        for group in range(2):
            total, count = int((years == year).sum()), int(((years == year) & (of == group)).sum())
            assert header["counts"][row][group] == count
            np.testing.assert_allclose(
                values[row, group], (count / total, *wilson(count, total)), rtol=1e-5
            )


def test_the_nearest_of_other_words_are_those_of_brute_force(folder: Path) -> None:
    app = visit(c="letters", w="bank", k="2", q="5", fn="1")
    found = corpus.open(folder / "letters")
    line = concordance.read(found, "bank").vectors[4].astype(np.float64)
    cosines = []
    own = concordance.read(found, "bank").sentences[4]
    for word in ("the", "river", "money", "and", "shore", "script", "alert"):
        of = found.vectors(word)
        elsewhere = of.rows["sentence"].to_numpy() != own
        x = of.vectors[elsewhere].astype(np.float64)
        cosines += [*(x @ line / np.linalg.norm(x, axis=1) / np.linalg.norm(line))]
    text = said(app)
    for value in sorted(cosines, reverse=True)[:5]:
        assert f"**{value:.2f}**".replace("-", "−") in text
    assert "exactly" in text


def test_a_sentence_that_returns_is_listed_once() -> None:
    from pages.corpus.near import nearest_in_each, once_each

    def near(text: str, start: int, cosine: float) -> corpus.Near:
        return corpus.Near(corpus.Occurrence("a", 1, 0, start, start + 1, text, "f", {}), cosine)

    found = [near("a b a", 0, 0.9), near("x a", 2, 0.8), near("a b a", 0, 0.7), near("a b a", 4, 0.6)]
    assert once_each(found) == [(found[0], 2), (found[1], 1), (found[3], 1)]
    assert nearest_in_each(once_each(found)) == [(found[0], 2), (found[1], 1)]


def test_a_line_opens_heads_and_compare(folder: Path) -> None:
    app = visit(c="letters", w="bank", k="2", q="5")
    lines = concordance.read(corpus.open(folder / "letters"), "bank")
    text = lines.texts_in_order[4]
    heads = query_of(app, "heads")
    assert heads["t"] == [text]
    assert int(heads["x"][0]) == text.split().index("bank") + 2  # after [CLS], from 1
    compare = query_of(app, "compare")
    groups = concordance.by_clusters(lines, 2)
    other = 1 - int(groups.of[4])
    assert compare["a"] == [text]
    assert compare["b"] == [lines.texts_in_order[groups.typical(other)[0]]]
    assert compare["w"] == ["bank"]


def test_two_senses_and_their_choices_come_from_the_link() -> None:
    url = {
        "c": "letters",
        "w": "bank",
        "g": "senses",
        "lo": "river",
        "hi": "money",
        "s": "column",
        "sc": "2",
    }
    app = visit(**url, gr="2", q="7")
    header, _ = pictures(app)["concordance"]
    assert [group["name"] for group in header["groups"]] == ["river", "money", "between"]
    assert header["numbers"] is not None
    assert header["state"] == {"sort": "column", "column": 1, "group": 1, "chosen": 6}
    assert {key: app.query_params[key] for key in url} == url


@pytest.mark.parametrize("layer", ["99", "0", "9" * 5000, "²", "first"])
def test_a_layer_that_the_corpus_does_not_keep_is_forgotten(layer: str) -> None:
    app = visit(c="letters", w="bank", k="2", l=layer)
    assert pictures(app)["concordance"][0]["lines"] == COUNT
    assert "l" not in app.query_params


def test_a_name_of_a_sense_that_the_corpus_does_not_have_is_said() -> None:
    app = visit(c="letters", w="bank", g="senses", lo="river, zebra", hi="money, two words")
    assert pictures(app)["concordance"][0]["lines"] == COUNT
    (note,) = [str(one.value) for one in app.caption if "zebra" in str(one.value)]
    assert not any(word in note for word in ("river", "money", "two"))


def test_of_a_long_line_what_stands_around_the_word_is_shown() -> None:
    from pages.corpus.captions import LINE, line

    long = "word " * 300
    shown = line(f"{long}a ", "bank", f" by {long}")
    assert len(shown) < 2 * LINE + 30
    assert shown.count("…") == 2
    assert "a **bank** by" in shown
    assert line("A ", "bank", ".") == "A **bank**\\."


def test_nasty_text_stays_text() -> None:
    app = visit(c="letters", w="bank", k="2", q="1")
    assert "<script>alert(1)</script> *the* **bank**" in said(app)
    assert not any(one.allow_html and "<script" in str(one.value) for one in app.markdown)


def test_a_sentence_from_right_to_left_is_one_stretch() -> None:
    from pages.corpus.captions import sentence

    shown = sentence("שלום ", "bank", " עולם *x*")
    assert shown == "\u2068שלום **bank** עולם \\*x\\*\u2069"


def test_another_word_forgets_the_lines() -> None:
    app = visit(c="letters", w="bank", k="2", q="9", gr="2", s="left")
    text_box(app, "corpus word control").set_value("shore").run()
    assert not app.exception
    assert {"q", "gr", "s"}.isdisjoint(app.query_params)
    assert pictures(app)["concordance"][0]["state"]["chosen"] is None


@pytest.mark.few(5)
@pytest.mark.parametrize(
    ("url", "words"),
    [
        ({"c": "letters", "w": "zebra"}, "zebra"),
        ({"c": "letters", "w": "two words"}, "“two words” does not occur"),
        ({"c": "letters", "w": "zebra bank*"}, "does not occur"),
        ({"c": "letters", "w": "[bank"}, "no query yet"),
        ({"c": "letters", "w": "a b c d e f g h i"}, "without a star"),
        ({"c": "half"}, "not finished"),
        ({"c": "none"}, "no corpus"),
        ({"c": "broken"}, "damaged"),
        ({"c": "newer"}, "99"),
        ({"c": "empty"}, "“empty” cannot be opened"),
        ({"c": "other", "w": "bank", "g": "senses", "lo": "a", "hi": "b"}, "with “bert”"),
        ({"c": "letters", "w": "bank", "g": "senses", "lo": "river"}, "two senses"),
        ({"c": "nowhere"}, "nowhere"),
        ({"c": "../letters"}, "../letters"),
    ],
)
def test_what_cannot_be_shown_is_said(url: dict[str, str], words: str, folder: Path) -> None:
    text = said(visit(**url))
    assert words in text
    assert str(folder) not in text  # where an operator keeps corpora is nobody's business


@pytest.mark.check
def test_what_stands_beside_the_word_and_its_groups(folder: Path) -> None:
    app = visit(c="letters", w="[bank]", k="2", fb="1", wl="3", wr="2", wx="money", py="1")
    found = corpus.open(folder / "letters")
    groups = concordance.by_clusters(concordance.read(found, "[bank]"), 2)
    wanted = found.collocates("[bank]", left=3, right=2, groups=groups.of)
    tables = [one.value for one in app.dataframe if "LL" in one.value]
    assert len(tables) >= 1
    strongest = beside.strongest(wanted, beside.LEAST_SMALL)
    pd.testing.assert_frame_equal(tables[0], strongest, check_dtype=False)
    assert tables[0]["times"].min() >= beside.LEAST_SMALL
    text = said(app)
    assert f"{wanted.window:,} of {wanted.total:,} words" in text
    assert "3 words on the left and 2 words on the right" in text
    assert "3.84" in text
    both = found.collocate_difference("[bank]", "money", left=3, right=2)
    header, values = pictures(app)["collocates-compared"]
    own = [both.words.index(word) for word in header["labels"]]
    assert np.frombuffer(values, "<f4") == pytest.approx(both.difference[own], abs=1e-5)
    assert len(own) >= 2
    note = header["notes"][0]
    assert f"{both.together[0][own[0]]:,} times beside “[bank]”" in note
    assert f"log-likelihood {abs(both.log_likelihood[own[0]]):.1f}" in note
    code = app.code[-1].value
    assert "corpus.collocate_difference('[bank]', 'money', left=3, right=2)" in code
    assert "one side" in said(visit(c="letters", w="bank", fb="1", wl="0", wr="0"))


def test_a_corpus_of_another_model_has_its_lines() -> None:
    assert pictures(visit(c="other", w="bank", k="2"))["concordance"][0]["lines"] == 9


def test_without_the_extra_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extra, "missing", lambda: ("lancedb",))
    monkeypatch.setattr(extra, "import_module", _absent)
    app = visit()
    assert extra.HOW.split(",")[0] in said(app)
    assert not pictures(app)


def _absent(name: str) -> None:
    raise ImportError(name)


def test_tables_hold_what_is_shown(folder: Path) -> None:
    from pages.corpus import tables
    from ui.corpora import lines as cached

    word = cached.get(offered.every()["letters"], "bank", "")
    groups = word.clusters(2)
    state = {"sort": "similar", "column": 0, "group": 1, "chosen": 4}
    (csv, parquet) = tables.both(lambda: tables.concordance_table(word, groups, state), "lines")
    table = pd.read_csv(io.StringIO(str(csv.make())))
    same = pd.read_parquet(io.BytesIO(bytes(parquet.make())))  # type: ignore[arg-type]
    assert list(table["line"]) == list(same["line"])
    expected = [i for i in np.argsort(-word.similarities(4), kind="stable") if groups.of[i] == 1]
    assert list(table["line"]) == [i + 1 for i in expected]
    whole = [left + middle + right for left, middle, right in word.lines.parts(np.array(expected))]
    assert list(same["left"] + same["word"] + same["right"]) == whole


def test_a_star_finds_several_words_and_the_page_names_them(folder: Path) -> None:
    app = visit(c="letters", w="*o*e*", k="2")
    found = corpus.open(folder / "letters").words("*o*e*")
    assert set(found) == {"money", "shore"}
    assert pictures(app)["concordance"][0]["lines"] == sum(found.values())
    text = said(app)
    assert "in 2 different words" in text
    assert all(f"*{word}* {count}" in text for word, count in found.items())


def test_a_part_of_a_word_is_offered_with_a_star() -> None:
    app = visit(c="letters", w="ban")
    assert "“ban*” finds “bank”." in said(app).replace("\\", "")


def test_words_of_several_that_were_typed_are_offered() -> None:
    app = visit(c="letters", w="bank river")  # not in a row
    assert "does not occur" in app.error[0].value
    assert "that the corpus has" in said(app)
    (offer,) = [one for one in app.pills if one.key == "corpus common word control"]
    assert offer.options == ["bank", "river"]


@pytest.mark.parametrize("word", ['"bank"', "“bank”"])
def test_quotation_marks_around_a_word_are_left_out(word: str) -> None:
    assert "occurrences of “bank”" in said(visit(c="letters", w=word))
