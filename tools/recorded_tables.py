"""Record the tables of *Embeddings*, view *Trained*: `python -m tools.recorded_tables`.

It trains the *bank* task by its default recipe, and skip-gram with each window that the view offers.
The view shows what was recorded: no visitor waits for a training.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from core.records.frozen import Array
from core.records.trace import Trace
from core.tasks import Trained, train
from core.tasks.languages import senses
from core.tasks.languages.bank import BANK, WORDS
from core.tasks.skip_gram import pair_counts, skip_gram
from core.tasks.training.threads import one_thread_here
from pages.embeddings import learned_tables as tables
from pages.embeddings.state import EmbeddingsState


def of_task() -> dict[str, Array]:
    """The task's table before and after training, the shares of its last snapshot, and attention."""
    training = train(BANK.recipe, every=BANK.recipe.steps)
    first, last = training
    attended = attention(training.trained())
    training.close()
    return {
        "before": first.learned,
        "after": last.learned,
        "shares": np.array([last.accuracy, last.pattern, first.accuracy]),
        "attended": attended,
    }


def attention(model: Trained) -> Array:
    """(words, 2, longest): where each ambiguous word attends in its two example sentences.

    The verb is hidden, as in training. Columns are the words of the sentence; the last column of each
    sentence holds the weight on the token before its first word.
    """
    found = np.zeros((len(senses.SENSES), 2, tables.LONGEST + 1))
    for i, (word, of) in enumerate(senses.SENSES.items()):
        for j, topic in enumerate(of):
            one = tables.example(word, topic)
            trace = model.trace(" ".join(tables.hidden(one)))
            assert isinstance(trace, Trace)
            assert trace.attention is not None
            row = np.asarray(trace.attention.weights, np.float64)[-1].mean(0)[1 + one.at]
            assert trace.tokens[1 + one.at] == word
            found[i, j, : len(row) - 1] = row[1:]
            found[i, j, -1] = row[0]
    return found


def by_skip_gram(window: int) -> tuple[Array, Array]:
    """The table with a window, and the loss before and after."""
    rng = np.random.default_rng(0)
    drawn = (senses.sentence(rng, held_out=False) for _ in range(tables.SENTENCES))
    read = [WORDS.ids(one.words) for one in drawn]
    learned = skip_gram(pair_counts(read, len(WORDS), window), tables.WIDTH)
    return learned.vectors, learned.losses[[0, -1]]


def main(which: Sequence[str]) -> None:
    """Record all, or "task" or "skip-gram" alone, in the file that lies beside the page."""
    one_thread_here()
    found: dict[str, Array] = {}
    if tables.FILE.exists():
        with np.load(tables.FILE, allow_pickle=False) as before:
            found = dict(before)
    if not which or "task" in which:
        found |= of_task()
    if not which or "skip-gram" in which:
        field = EmbeddingsState.window
        each = [by_skip_gram(window) for window in range(field.least, field.most + 1)]
        found["skip_gram"] = np.stack([table for table, _ in each])
        found["losses"] = np.stack([losses for _, losses in each])
    sent = {name: np.asarray(array, np.float32) for name, array in found.items()}
    np.savez_compressed(tables.FILE, **sent)  # type: ignore[arg-type]


if __name__ == "__main__":
    main(sys.argv[1:])
