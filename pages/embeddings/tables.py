"""Tables of word vectors, trained here: by the *bank* task, and by skip-gram on its sentences."""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import NamedTuple

import cachetools
import numpy as np
import pandas as pd
import streamlit as st

from core import settings
from core.figures import bars
from core.measures.senses.tables import knows_both, neighbours, same_topic
from core.records.frozen import Array
from core.tasks.languages import senses
from core.tasks.languages.bank import BANK, WORDS
from pages.embeddings.state import EmbeddingsState
from ui import figure, files, layout
from ui.layout import choose_named, row
from ui.state import slider
from ui.text import plain

SENTENCES = 4_000  # that skip-gram reads
WIDTH = 32  # numbers of its vectors
NEAREST = 8
WORD, WINDOW = 150, 260  # pixels
_training = Lock()


class Trained(NamedTuple):
    """The table of the task's model, and what the model itself can do.

    Attributes:
        before: (V, d) as drawn.
        after: (V, d) when the training is over.
        accuracy: of held-out sentences, in how many the model has the right sense.
        sentences: how many these were.
    """

    before: Array
    after: Array
    accuracy: float
    sentences: int


class Learned(NamedTuple):
    """A table by skip-gram, and its loss before and after."""

    table: Array
    losses: tuple[float, float]


def of_task() -> Trained:
    """Trained once a process, in about ten seconds, by the default recipe."""
    with _training:  # or two visitors at once would train it twice
        return _of_task()


@cache
def _of_task() -> Trained:
    from core.pretrained import limit_threads
    from core.tasks import train
    from core.tasks.training.loop import HELD_OUT

    limit_threads(settings.read().threads)
    training = train(BANK.recipe, every=BANK.recipe.steps)
    first, last = training
    training.close()
    return Trained(first.learned, last.learned, last.accuracy, HELD_OUT)


@cachetools.cached(cachetools.LRUCache(12), lock=Lock())
def by_skip_gram(window: int) -> Learned:
    """Learned from the sentences that the task trains on, in about a second."""
    from core.pretrained import limit_threads
    from core.tasks.skip_gram import pair_counts, skip_gram

    limit_threads(settings.read().threads)
    rng = np.random.default_rng(0)
    read = [WORDS.ids(senses.sentence(rng, held_out=False).words) for _ in range(SENTENCES)]
    learned = skip_gram(pair_counts(read, len(WORDS), window), WIDTH)
    return Learned(learned.vectors, (float(learned.losses[0]), float(learned.losses[-1])))


def show(s: EmbeddingsState) -> None:
    """The nearest words of an ambiguous one in three tables; below them what each table knows."""
    pictures, choices, counts = st.container(), row(), st.container()
    with choices:
        word = choose_named(s.ambiguous, "Word", {one: one for one in senses.SENSES}, WORD)
        window = slider(s.window, "Window of skip-gram", width=WINDOW)
    with pictures, st.spinner("Training a small model, once: about ten seconds …"):
        task, learned = of_task(), by_skip_gram(window)
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
        most=1,
        digits=2,
    )
    numbers = files.csv(lambda: pd.DataFrame(table, pd.Index(WORDS.words, name="word")), name)
    figure.show(picture, name, saved_as=[numbers], scale=layout.scale())


def _counts(tables: dict[str, Array]) -> str:
    """What each table knows, a row each (Markdown)."""
    head = (
        "| table | words of one topic lie together | both senses are near | "
        "tells two sentences apart |\n|---|---|---|---|"
    )
    rows = [
        f"| {title} | {same_topic(table, WORDS.words, senses.CUES):.0%} | "
        f"{len(knows_both(table, WORDS.words, senses.SENSES, k=NEAREST))} of {len(senses.SENSES)} | "
        "never: one row a word |"
        for title, table in tables.items()
    ]
    return "\n".join([head, *rows])


def _says(task: Trained, learned: Learned) -> str:
    before, after = learned.losses
    both = len(knows_both(learned.table, WORDS.words, senses.SENSES, k=NEAREST))
    return (
        f"By skip-gram, the one row of {both} of {len(senses.SENSES)} words lies near both senses at "
        "once. The task’s table does not need that: attention brings the sense to the word in each "
        "sentence, and the model has the right one in "
        f"{task.accuracy:.0%} of {task.sentences} sentences that it was never shown. "
        f"Skip-gram’s loss falls from {before:.2f} to {after:.2f} nats for each word that it predicts."
    )
