"""Tables of word vectors side by side: from the *bank* task, and by skip-gram on its sentences."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.figures import bars, style
from core.figures.bars import Groups
from core.localization import N_, _, decimal, gettext
from core.measures.senses.tables import knows_both, neighbours, same_topic
from core.measures.similarity import cosine
from core.records.frozen import Array
from core.sentences import percent, signed
from core.tasks.languages import senses
from core.tasks.languages.bank import WORDS
from pages.embeddings import python
from pages.embeddings.state import NEAREST, EmbeddingsState
from ui import figure, files, layout, same_in_python
from ui.layout import choose_named, row
from ui.models import learned_tables
from ui.models.attempt import attempt
from ui.models.learned_tables import SkipGramTable, TaskTable
from ui.state import slider
from ui.text import plain

WORD, WINDOW = 150, 260  # pixels
SENTENCES = 8  # of each sense, of which the shortest is an example


def show(s: EmbeddingsState) -> None:
    """Draw the nearest words of an ambiguous one in three tables, and what each table knows."""
    pictures, choices, counts = st.container(), row(), st.container()
    with choices:
        word = choose_named(s.ambiguous, _("Word"), {one: one for one in senses.SENSES}, WORD)
        window = slider(s.window, _("Window of skip-gram"), width=WINDOW)
    with pictures, st.spinner(_("Training a small model, once: about ten seconds …")):
        task = attempt(learned_tables.of_task)
        learned = attempt(learned_tables.by_skip_gram, window)
    if task is None or learned is None:
        return
    tables = {
        N_("Before training"): task.before,
        N_("After training on the task"): task.after,
        N_("By skip-gram"): learned.table,
    }
    with pictures:
        st.markdown(_senses(word))
        st.markdown(_changed(word, task, learned))
        labels = {title: _labels(table, word) for title, table in tables.items()}
        for (title, table), column in zip(tables.items(), st.columns(3, gap="medium"), strict=True):
            with column:
                every = [label for one in labels.values() for label in one]
                _one(title, table, word, labels[title], every)
    with counts:
        st.markdown(_counts(tables))
        st.markdown(
            _(
                "None of the three tells two sentences apart: a word has one row, the same in every "
                "sentence."
            )
        )
        st.markdown(_says(learned))
    same_in_python.show(s.python, partial(python.trained, word, window))


def _senses(word: str) -> str:
    """A training sentence of each sense of the word, and what the task is (Markdown)."""
    first, second = (
        f"“{_in_words(_example(word, topic))}” (*{topic}*)" for topic in senses.SENSES[word]
    )
    return _(
        "**{word}** has two senses in the training sentences, as in {first} and {second}. The *task* "
        "hides the verb, here in bold: the model must name one that fits the sense."
    ).format(word=plain(word), first=first, second=second)


def _example(word: str, topic: str) -> senses.Sentence:
    """A short training sentence with a word in one of its senses, and a verb that fits it alone."""
    some = [one for one in senses.labelled(word, SENTENCES) if one.topic == topic]
    return min((one for one in some if one.verb_at is not None), key=lambda one: len(one.words))


def _in_words(one: senses.Sentence) -> str:
    written = [f"**{word}**" if i == one.verb_at else word for i, word in enumerate(one.words)]
    return " ".join(written).replace(" .", ".").removesuffix(".")


def _changed(word: str, task: TaskTable, learned: SkipGramTable) -> str:
    """What training has changed of a word's row, what not, and where its sense is found (Markdown)."""
    own = _stayed(task, [word])
    others = _stayed(task, [cue for cues in senses.CUES.values() for cue in cues])
    was, now = (sum(_of_senses(table, word).values()) for table in (task.before, task.after))
    (first, one), (second, other) = _of_senses(learned.table, word).items()
    moved = (
        _(
            "**Training on the task moves the row of *{word}* less than those of topic words** such as "
            "*river*: its cosine with itself before training is {own}, theirs {others} on average."
        )
        if own > others
        else _(
            "**Training on the task moves the row of *{word}* farther than those of topic words** such "
            "as *river*: its cosine with itself before training is {own}, theirs {others} on average."
        )
    )
    said = (
        moved.format(word=plain(word), own=signed(own), others=signed(others)),
        _(
            "Of the {nearest} words nearest to it, {now} are verbs of its senses (before: {was}); near "
            "skip-gram’s row: {one} of *{first}*, {other} of *{second}*."
        ).format(nearest=NEAREST, now=now, was=was, one=one, first=first, other=other, second=second),
        _(
            "The sense of *{word}* is found in the sentence, by attention: for all such words, right "
            "in {share} of {sentences} sentences that training never used."
        ).format(
            word=plain(word),
            share=percent(task.accuracy, 0),
            sentences=decimal(f"{task.sentences:,}"),
        ),
    )
    return " ".join(said)


def _stayed(task: TaskTable, words: Sequence[str]) -> float:
    """The mean cosine similarity of words' rows after training with the same rows before."""
    at = [WORDS.words.index(word) for word in words]
    return float(np.mean(np.diag(cosine(task.before[at], task.after[at]))))


def _near(table: Array, word: str) -> list[str]:
    return [one.word for one in neighbours(table, WORDS.words, word, k=NEAREST)]


def _of_senses(table: Array, word: str) -> dict[str, int]:
    """How many verbs of each of its senses are among a word's nearest."""
    near = {*_near(table, word)}
    return {topic: len(near & {*verbs}) for topic, verbs in senses.SENSES[word].items()}


def _topics(word: str) -> dict[str, str]:
    """The topic of each verb that fits one of a word's senses alone."""
    return {verb: topic for topic, verbs in senses.SENSES[word].items() for verb in verbs}


def _labels(table: Array, word: str) -> list[str]:
    of = _topics(word)
    return [f"{one} ({of[one]})" if one in of else one for one in _near(table, word)]


def _one(title: str, table: Array, word: str, labels: list[str], beside: list[str]) -> None:
    """The words nearest to a word in one table; `beside`: the labels of all three pictures."""
    of, topics = _topics(word), [*senses.SENSES[word]]
    near = neighbours(table, WORDS.words, word, k=NEAREST)
    st.markdown(f"**{gettext(title)}**")
    name = f"nearest-{title.split()[0].lower()}"
    picture = bars(
        [one.cosine for one in near],
        labels,
        unit=_("cosine"),
        sentence=_("The {count} words nearest to {word}. {table}.").format(
            count=NEAREST, word=word, table=gettext(title)
        ),
        name=name,
        kind="signed",
        from_zero=True,
        groups=Groups(
            [*(_("{topic} verb").format(topic=topic) for topic in topics), _("other word")],
            [style.SENTENCE_A, style.SENTENCE_B, style.LEARNED],
            [topics.index(of[one.word]) if one.word in of else len(topics) for one in near],
        ),
        beside=beside,
        most=1,
        digits=2,
    )
    numbers = files.csv(lambda: pd.DataFrame(table, pd.Index(WORDS.words, name="word")), name)
    figure.show(picture, name, saved_as=[numbers], scale=layout.scale())


def _counts(tables: dict[str, Array]) -> str:
    """What each table knows, one row each (Markdown)."""
    titles = (
        _("table"),
        _("nearest topic word has the same topic"),
        _("both senses among the {count} nearest words").format(count=NEAREST),
    )
    head = f"| {' | '.join(titles)} |\n|---|---|---|"
    cues = sum(map(len, senses.CUES.values()))
    rows = [
        _row(
            gettext(title),
            _("{share} of {count} words").format(
                share=percent(same_topic(table, WORDS.words, senses.CUES), 0), count=cues
            ),
            _("{count} of {all}").format(
                count=len(knows_both(table, WORDS.words, senses.SENSES, k=NEAREST)),
                all=len(senses.SENSES),
            ),
        )
        for title, table in tables.items()
    ]
    return "\n".join([head, *rows])


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _says(learned: SkipGramTable) -> str:
    before, after = learned.losses
    both = len(knows_both(learned.table, WORDS.words, senses.SENSES, k=NEAREST))
    return _(
        "The nearest words are those whose rows have the largest cosine similarity. A *topic word*, "
        "such as *river* or *cash*, belongs to one topic alone; each is compared with the other "
        "topic words, and not with ambiguous words or verbs. In the table of skip-gram, {both} of "
        "{all} ambiguous words have a verb of each of their senses among the {nearest} nearest: one "
        "row lies near both. Skip-gram’s loss falls from {before} to {after} nats for each word that "
        "it predicts."
    ).format(
        both=both,
        all=len(senses.SENSES),
        nearest=NEAREST,
        before=signed(before),
        after=signed(after),
    )
