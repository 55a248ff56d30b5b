"""The tables of the view *Trained*, as they were recorded: the page trains nothing.

`python -m tools.recorded_tables` writes the file.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from core.memory import cached
from core.records.frozen import Array, frozen
from core.tasks.languages import senses
from core.tasks.languages.bank import BANK
from core.tasks.languages.vocabulary import MASK, START
from pages.embeddings.state import EmbeddingsState

FILE = Path(__file__).with_name("recorded.npz")
SENTENCES = 4_000  # the sentences that skip-gram trains on
WIDTH = 32  # the dimension of its vectors
HELD_OUT = 128  # the sentences on which the task's model was measured
SOME = 8  # sentences of each sense, of which the shortest is an example
LONGEST = 16  # words of an example


class TaskTable(NamedTuple):
    """The token embeddings of the *bank* task's model, and how well that model does its task.

    Attributes:
        before: (V, d), the random initialisation.
        after: (V, d), the vectors after training.
        accuracy: the share of held-out sentences in which the model names a verb of the right sense.
        pattern: the share of them in which the ambiguous word’s largest weight lies on the word that
            settles its sense.
        untrained: the same share before training.
        sentences: the number of these sentences.
    """

    before: Array
    after: Array
    accuracy: float
    pattern: float
    untrained: float
    sentences: int


class SkipGramTable(NamedTuple):
    """A table (V, d) by skip-gram, and its loss before and after, in nats."""

    table: Array
    losses: tuple[float, float]


def of_task() -> TaskTable:
    """What the *bank* task’s default recipe comes to."""
    found = _recorded()
    accuracy, pattern, untrained = (float(share) for share in found["shares"])
    return TaskTable(found["before"], found["after"], accuracy, pattern, untrained, HELD_OUT)


def by_skip_gram(window: int) -> SkipGramTable:
    """The table that skip-gram learned with a window of so many words to each side."""
    found, at = _recorded(), window - EmbeddingsState.window.least
    before, after = (float(loss) for loss in found["losses"][at])
    return SkipGramTable(found["skip_gram"][at], (before, after))


def attended(word: str, topic: str) -> tuple[list[str], Array]:
    """Where an ambiguous word attends in its example of a sense: the words, and a weight on each.

    The verb is hidden, as in training. The first word is the token that begins each sentence.
    """
    of = senses.SENSES[word]
    row = _recorded()["attended"][[*senses.SENSES].index(word), [*of].index(topic)]
    words = hidden(example(word, topic))
    return [START, *words], np.array([row[-1], *row[: len(words)]])


@cached()
def by_lot() -> float:
    """The share of held-out sentences in which a token drawn by lot settles the sense: 1 in so many."""
    return float(np.mean([1 / len(one.reads) for one in BANK.held_out(HELD_OUT)]))


def example(word: str, topic: str) -> senses.Sentence:
    """A short training sentence with a word in one of its senses, and a verb that fits it alone."""
    some = [one for one in senses.labelled(word, SOME) if one.topic == topic]
    return min((one for one in some if one.verb_at is not None), key=lambda one: len(one.words))


def hidden(one: senses.Sentence) -> list[str]:
    """The words of a sentence, its verb hidden."""
    return [MASK if i == one.verb_at else word for i, word in enumerate(one.words)]


@cached()
def _recorded() -> dict[str, Array]:
    with np.load(FILE, allow_pickle=False) as found:
        return {name: frozen(found[name]) for name in found.files}
