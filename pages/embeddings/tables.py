"""Tables of word vectors side by side: from the *bank* task, and by skip-gram on its sentences."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.figures import bars
from core.measures.senses.tables import knows_both, neighbours, same_topic
from core.records.frozen import Array
from core.sentences import percent
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


def show(s: EmbeddingsState) -> None:
    """Draw the nearest words of an ambiguous one in three tables, and what each table knows."""
    pictures, choices, counts = st.container(), row(), st.container()
    with choices:
        word = choose_named(s.ambiguous, "Word", {one: one for one in senses.SENSES}, WORD)
        window = slider(s.window, "Window of skip-gram", width=WINDOW)
    with pictures, st.spinner("Training a small model, once: about ten seconds …"):
        task = attempt(learned_tables.of_task)
        learned = attempt(learned_tables.by_skip_gram, window)
    if task is None or learned is None:
        return
    tables = {
        "Before training": task.before,
        "After training on the task": task.after,
        "By skip-gram": learned.table,
    }
    with pictures:
        st.markdown(_senses(word))
        for (title, table), column in zip(tables.items(), st.columns(3, gap="medium"), strict=True):
            with column:
                _one(title, table, word)
    with counts:
        st.markdown(_counts(tables))
        st.markdown(_says(task, learned))
    same_in_python.show(s.python, partial(python.trained, word, window))


def _senses(word: str) -> str:
    first, second = (
        f"*{topic}* ({', '.join(plain(verb) for verb in verbs)})"
        for topic, verbs in senses.SENSES[word].items()
    )
    return f"**{plain(word)}** has two senses in these sentences: {first} and {second}."


def _one(title: str, table: Array, word: str) -> None:
    of = {verb: topic for topic, verbs in senses.SENSES[word].items() for verb in verbs}
    near = neighbours(table, WORDS.words, word, k=NEAREST)
    st.markdown(f"**{title}**")
    name = f"nearest-{title.split()[0].lower()}"
    picture = bars(
        [one.cosine for one in near],
        [f"{one.word} ({of[one.word]})" if one.word in of else one.word for one in near],
        unit="cosine",
        sentence=f"The {NEAREST} words nearest to {word}. {title}.",
        name=name,
        kind="signed",
        from_zero=True,
        most=1,
        digits=2,
    )
    numbers = files.csv(lambda: pd.DataFrame(table, pd.Index(WORDS.words, name="word")), name)
    figure.show(picture, name, saved_as=[numbers], scale=layout.scale())


def _counts(tables: dict[str, Array]) -> str:
    """What each table knows, one row each (Markdown)."""
    head = (
        "| table | nearest word has the same topic | both senses among the "
        f"{NEAREST} nearest words | tells two sentences apart |\n|---|---|---|---|"
    )
    cues = sum(map(len, senses.CUES.values()))
    rows = [
        f"| {title} | {percent(same_topic(table, WORDS.words, senses.CUES), 0)} of {cues} words | "
        f"{len(knows_both(table, WORDS.words, senses.SENSES, k=NEAREST))} of {len(senses.SENSES)} | "
        "never: each word has one row |"
        for title, table in tables.items()
    ]
    return "\n".join([head, *rows])


def _says(task: TaskTable, learned: SkipGramTable) -> str:
    before, after = learned.losses
    both = len(knows_both(learned.table, WORDS.words, senses.SENSES, k=NEAREST))
    return (
        "The nearest words are those whose rows have the largest cosine similarity. In the table of "
        f"skip-gram, {both} of {len(senses.SENSES)} ambiguous words have a verb of each of their "
        f"senses among the {NEAREST} nearest: one row lies near both. The model that was trained on "
        "the task does not need such rows, because its attention finds the sense in each sentence. "
        f"It names the right sense in {percent(task.accuracy, 0)} of {task.sentences:,} sentences that "
        "training never used. "
        f"Skip-gram’s loss falls from {before:.2f} to {after:.2f} nats for each word that it predicts."
    )
