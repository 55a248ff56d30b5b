"""Tables of word vectors that are trained when a page first asks for them, once for all visitors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core import settings
from core.localization import _
from core.memory import cached
from core.records.frozen import Array
from core.tasks.languages import senses
from core.tasks.languages.bank import BANK, WORDS
from ui.models import long_texts
from ui.models.work_queue import waiting_room

SENTENCES = 4_000  # the sentences that skip-gram trains on
WIDTH = 32  # the dimension of its vectors


class TaskTable(NamedTuple):
    """The token embeddings of the *bank* task's model, and how well that model does its task.

    Attributes:
        before: (V, d), the random initialisation.
        after: (V, d), the vectors after training.
        accuracy: the share of held-out sentences in which the model names the right sense.
        sentences: the number of these sentences.
    """

    before: Array
    after: Array
    accuracy: float
    sentences: int


class SkipGramTable(NamedTuple):
    """A table (V, d) by skip-gram, and its loss before and after, in nats."""

    table: Array
    losses: tuple[float, float]


# A second visitor waits for a training that another has started.
@cached()
def of_task() -> TaskTable:
    """Train the *bank* task by its default recipe; about ten seconds.

    Raises:
        TooMany: see `WorkQueue.turn`.
    """
    from core.pretrained import limit_threads
    from core.tasks import train
    from core.tasks.training.loop import HELD_OUT

    with waiting_room(long_texts.queue(), _("The training of a small model")):
        limit_threads(settings.read().threads)
        training = train(BANK.recipe, every=BANK.recipe.steps)
        first, last = training
        training.close()
    return TaskTable(first.learned, last.learned, last.accuracy, HELD_OUT)


@cached()
def by_skip_gram(window: int) -> SkipGramTable:
    """Learn a table from the sentences that the task trains on; about a second.

    Args:
        window: the number of words to each side that a word predicts.

    Raises:
        TooMany: see `WorkQueue.turn`.
    """
    from core.pretrained import limit_threads
    from core.tasks.skip_gram import pair_counts, skip_gram

    with waiting_room(long_texts.queue(), "Skip-gram"):
        limit_threads(settings.read().threads)
        rng = np.random.default_rng(0)
        read = [WORDS.ids(senses.sentence(rng, held_out=False).words) for _ in range(SENTENCES)]
        learned = skip_gram(pair_counts(read, len(WORDS), window), WIDTH)
    return SkipGramTable(learned.vectors, (float(learned.losses[0]), float(learned.losses[-1])))
