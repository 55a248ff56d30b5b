"""Tables that were trained and recorded: the view's numbers, and that its sentences are true."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.measures.senses.tables import knows_both, neighbours, same_topic
from core.tasks.languages import senses
from core.tasks.languages.bank import BANK, WORDS
from pages.embeddings import learned_tables, tables
from pages.embeddings.state import NEAREST
from tests.pages.embeddings.test_page import visit
from tests.pages.reading import drawn
from tests.sentences import numbers, saying
from tests.visits import said


def bars(app: AppTest) -> dict[str, tuple[dict[str, Any], np.ndarray]]:
    every = {
        header["file"].removeprefix("polysee-"): (header, np.frombuffer(sent, "<f4"))
        for header, sent in drawn(app)
    }
    assert next(iter(every)) == "kept-rows"  # the finding's own picture stands first
    return every


def test_three_tables_beside_each_other() -> None:
    shown = bars(visit(v="2", p="trained", gk="seal"))
    task, learned = learned_tables.of_task(), learned_tables.by_skip_gram(5)
    every = {"before": task.before, "after": task.after, "by": learned.table}
    assert {*shown} == {"kept-rows", *(f"nearest-{name}" for name in every)} | {
        f"attended-{topic}" for topic in senses.SENSES["seal"]
    }
    for name, table in every.items():
        header, values = shown[f"nearest-{name}"]
        near = neighbours(table, WORDS.words, "seal", k=NEAREST)
        assert header["labels"] == [one.word for one in near]
        np.testing.assert_allclose(values, [one.cosine for one in near], atol=1e-6)
        for label, group, note in zip(
            header["labels"], header["groups"]["of"], header["notes"], strict=True
        ):
            topics = [topic for topic, cues in senses.CUES.items() if label in cues]
            topics += [
                topic for of in senses.SENSES.values() for topic, verbs in of.items() if label in verbs
            ]
            own = [*senses.SENSES["seal"]]
            assert group == next((own.index(one) for one in topics if one in own), 2)
            of_seal = any(label in verbs for verbs in senses.SENSES["seal"].values())
            assert bool(note) == of_seal


def test_the_counts_are_those_of_the_tables() -> None:
    app = visit(v="2", p="trained")
    table = next(one.value for one in app.markdown if one.value.startswith("| table"))
    task, learned = learned_tables.of_task(), learned_tables.by_skip_gram(5)
    *lines, chance = table.split("\n")[2:]
    for line, rows in zip(lines, (task.before, task.after, learned.table), strict=True):
        topic, cues, both = re.findall(r"(\d+) % of (\d+) words \| (\d+) of 12", line)[0]
        assert int(cues) == sum(map(len, senses.CUES.values()))
        assert int(topic) == round(100 * same_topic(rows, WORDS.words, senses.CUES))
        assert int(both) == len(knows_both(rows, WORDS.words, senses.SENSES, k=NEAREST))

    # By lot: 9 of 49 have the topic; 8 of 172 hold one of three verbs, and one of three others.
    def none(count: int) -> float:
        return math.comb(172 - count, 8) / math.comb(172, 8)

    both_by_lot = 12 * (1 - 2 * none(3) + none(6))
    assert numbers(chance) == [round(900 / 49), round(both_by_lot, 1), 12, 50]
    told = saying(said(app), "skip-gram", "ambiguous words have")
    assert numbers(told) == [int(both), 12, NEAREST]  # the k that it rests on
    assert "cosine" in saying(said(app), "nearest words are")  # and the measure
    pattern, sentences, by_lot = numbers(saying(said(app), "training never used"))
    assert (pattern, sentences) == (round(100 * task.pattern, 1), task.sentences)
    lengths = [len(one.reads) for one in BANK.held_out(task.sentences)]
    assert by_lot == round(100 * np.mean(1 / np.array(lengths)))
    untrained, trained = numbers(lines[0])[-3:], numbers(lines[1])[-2:]
    assert untrained == [round(100 * task.untrained), task.sentences, len(WORDS)]
    assert trained == [round(100 * task.accuracy), task.sentences]


@pytest.mark.parametrize("window", range(1, 11))
def test_the_conclusion_follows_from_the_count(window: int) -> None:
    learned = learned_tables.by_skip_gram(window)
    both = len(knows_both(learned.table, WORDS.words, senses.SENSES, k=NEAREST))
    told = tables._says(learned)
    assert ("no row lies near both" in told) == (both == 0)
    assert ("only their rows" in told) == (0 < both <= 6)
    assert ("one row lies near both" in told) == (both > 6)
    for word, of in senses.SENSES.items():
        near = {one.word for one in neighbours(learned.table, WORDS.words, word, k=NEAREST)}
        counts = [len(near & {*verbs}) for verbs in of.values()]
        told = tables._nearest_verbs(word, learned)
        assert numbers(told) == [NEAREST, *counts]
        assert ("near both" in told) == all(counts)
        assert ("near neither" in told) == (not any(counts))


def test_the_finding_is_drawn_and_says_which_row_moved_less() -> None:
    for word in ("bank", "seal"):
        app = visit(v="2", p="trained", gk=word)
        header, (own, others) = bars(app)["kept-rows"]
        assert header["labels"][0] == word
        assert ("less than" in saying(said(app), "Training on the task")) == bool(own > others)
        task = learned_tables.of_task()
        at = WORDS.words.index(word)
        one, other = task.before[at], task.after[at]
        cosine = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
        assert own == pytest.approx(cosine, abs=1e-5)


def test_a_word_attends_to_the_one_that_settles_its_sense() -> None:
    for word, of in senses.SENSES.items():
        for topic in of:
            words, weights = learned_tables.attended(word, topic)
            assert weights.sum() == pytest.approx(1, abs=1e-5)
            assert words[int(weights.argmax())] in senses.CUES[topic]
            assert words.count("[MASK]") == 1


@pytest.mark.check
@pytest.mark.few(1)
def test_what_was_recorded_is_what_the_training_comes_to() -> None:
    from tools import recorded_tables

    found, (table, losses) = recorded_tables.of_task(), recorded_tables.by_skip_gram(5)
    task, learned = learned_tables.of_task(), learned_tables.by_skip_gram(5)
    np.testing.assert_allclose(found["before"], task.before, atol=1e-6)
    # Another processor may round differently, and 600 steps carry that on.
    assert np.corrcoef(found["after"].ravel(), task.after.ravel())[0, 1] > 0.95
    assert found["shares"][:2] == pytest.approx([task.accuracy, task.pattern], abs=0.05)
    assert losses == pytest.approx(learned.losses, abs=0.01)
    assert np.corrcoef(table.ravel(), learned.table.ravel())[0, 1] > 0.95


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
    assert "ambiguous words of the task" in said(app)  # why a list of twelve
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
