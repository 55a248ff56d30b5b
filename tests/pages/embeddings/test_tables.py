"""Tables that are trained here: the view's numbers, and that its sentences are true."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.measures.senses.tables import knows_both, neighbours, same_topic
from core.tasks.languages import senses
from core.tasks.languages.bank import WORDS
from pages.embeddings import tables
from pages.embeddings.state import NEAREST
from tests.pages.embeddings.test_page import visit
from tests.pages.reading import drawn
from tests.sentences import numbers, saying
from tests.visits import said
from ui.models import learned_tables

pytestmark = pytest.mark.check  # the three tables are trained: ten seconds


def bars(app: AppTest) -> dict[str, tuple[dict[str, Any], np.ndarray]]:
    return {
        header["file"].removeprefix("polysee-nearest-"): (header, np.frombuffer(sent, "<f4"))
        for header, sent in drawn(app)
    }


@pytest.mark.fuzz
def test_three_tables_beside_each_other() -> None:
    shown = bars(visit(v="2", p="trained", gk="seal"))
    task, learned = learned_tables.of_task(), learned_tables.by_skip_gram(5)
    every = {"before": task.before, "after": task.after, "by": learned.table}
    assert {*shown} == {*every}
    for name, table in every.items():
        header, values = shown[name]
        near = neighbours(table, WORDS.words, "seal", k=NEAREST)
        assert [label.split(" (")[0] for label in header["labels"]] == [one.word for one in near]
        np.testing.assert_allclose(values, [one.cosine for one in near], atol=1e-6)


@pytest.mark.fuzz
def test_the_counts_are_those_of_the_tables() -> None:
    app = visit(v="2", p="trained")
    table = next(one.value for one in app.markdown if one.value.startswith("| table"))
    task, learned = learned_tables.of_task(), learned_tables.by_skip_gram(5)
    for line, rows in zip(table.split("\n")[2:], (task.before, task.after, learned.table), strict=True):
        topic, cues, both = re.findall(r"(\d+) % of (\d+) words \| (\d+) of 12", line)[0]
        assert int(cues) == sum(map(len, senses.CUES.values()))
        assert int(topic) == round(100 * same_topic(rows, WORDS.words, senses.CUES))
        assert int(both) == len(knows_both(rows, WORDS.words, senses.SENSES, k=NEAREST))
    told = saying(said(app), "skip-gram", "ambiguous words")
    assert numbers(told) == [int(both), 12, NEAREST]  # the k that it rests on
    assert "cosine" in saying(said(app), "nearest words are")  # and the measure
    accuracy, sentences = numbers(saying(said(app), "training never used"))
    assert (accuracy, sentences) == (round(100 * task.accuracy), task.sentences)


def test_what_the_page_says_of_them_is_so() -> None:
    task, learned = learned_tables.of_task(), learned_tables.by_skip_gram(5)
    assert task.accuracy >= 0.95
    assert same_topic(task.before, WORDS.words, senses.CUES) < 0.4  # one in five by chance
    assert same_topic(task.after, WORDS.words, senses.CUES) > 0.9
    assert same_topic(learned.table, WORDS.words, senses.CUES) > 0.9
    both = [
        len(knows_both(table, WORDS.words, senses.SENSES, k=NEAREST))
        for table in (task.before, task.after, learned.table)
    ]
    assert both[2] >= 9
    assert max(both[:2]) <= 3
    assert learned.losses[0] == pytest.approx(np.log(len(WORDS)), rel=1e-5)
    assert len(WORDS) == 173


def test_the_examples_are_true() -> None:
    near = {
        one.word for one in neighbours(learned_tables.by_skip_gram(5).table, WORDS.words, "bank", k=8)
    }
    assert near >= {"lent", "sloped"}
    trained = learned_tables.of_task().after
    after = {one.word for one in neighbours(trained, WORDS.words, "bank", k=8)}
    assert not after & {verb for verbs in senses.SENSES["bank"].values() for verb in verbs}
    narrow = learned_tables.by_skip_gram(2).table
    assert same_topic(narrow, WORDS.words, senses.CUES) < 0.4


def test_a_word_and_a_window_are_in_the_link() -> None:
    app = visit(v="2", p="trained", gk="ring", gw="1")
    assert "**ring** has two senses" in said(app)
    assert app.slider[0].value == 1
    assert not [*app.error, *app.warning, *app.info]


def test_a_training_sentence_of_each_sense_is_shown_with_its_verb_in_bold() -> None:
    for word, of in senses.SENSES.items():
        line = tables._senses(word)
        for topic, verbs in of.items():
            (shown,) = re.findall(rf"“([^”]*)” \(\*{topic}\*\)", line)
            (verb,) = re.findall(r"\*\*(\w+)\*\*", shown)
            assert verb in verbs
            words = f"{shown.replace('*', '')} .".replace(". ", " . ").replace("  ", " ").split()
            (cue,) = {*words} & {*senses.CUES[topic]}
            assert not senses.is_held_out(word, cue)  # training has read such a sentence
            assert {*words} <= senses.vocabulary()
