"""A task in readable form: its examples as text, and the words whose vectors are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...records.frozen import Array
from ..training.batches import Example
from .bank import Bank
from .senses import CUES, SENSES
from .task import Task
from .vocabulary import MASK, SPECIAL, START_ID, Vocabulary

if TYPE_CHECKING:
    from ..training.snapshot import Snapshot


class ExampleText(NamedTuple):
    """One example.

    Attributes:
        input: a text that a trained model can read.
        output: the text that it should write, predict or fill in.
    """

    input: str
    output: str


def text_of(task: Task, example: Example) -> ExampleText:
    """An example as text."""
    target, source = task.target, task.source
    words, reads, labels = target.words, example.reads, example.labels
    if source is not None:
        outputs = [words[label] for label in labels[:-1]]  # without the end token
        return ExampleText(
            _text(source, [source.words[i] for i in example.source]), _text(target, outputs)
        )
    positions = [i for i, count in enumerate(example.counts) if count >= 1]
    if task.kind == "masked":
        positions = [i for i in positions if words[reads[i]] == MASK]
    outputs = [words[labels[i]] for i in positions]
    return ExampleText(
        _text(target, [words[i] for i in reads if i != START_ID]), _text(target, outputs)
    )


def _text(vocabulary: Vocabulary, known: list[str]) -> str:
    return "".join(known) if vocabulary.cut == "letters" else vocabulary.join(known)


def examples(task: Task, count: int) -> tuple[ExampleText, ...]:
    """The first of the held-out examples on which accuracy is measured."""
    return tuple(text_of(task, example) for example in task.held_out(count))


class Words(NamedTuple):
    """Words whose vectors are shown.

    Attributes:
        names: the words.
        ids: the row of each word in the table.
        of_probe: whether each word occurs in the probe.
    """

    names: tuple[str, ...]
    ids: tuple[int, ...]
    of_probe: tuple[bool, ...]


def words(task: Task) -> Words:
    """The words of a task without special tokens; for senses, the ambiguous words and the cues."""
    probe = task.probe()
    source = task.source is not None and task.source != task.target
    vocabulary = task.source if source and task.source is not None else task.target
    there = {vocabulary.words[i] for i in (probe.source or probe.reads)}
    cues = {word for some in CUES.values() for word in some}
    wanted = {*SENSES, *cues} if isinstance(task, Bank) else {*vocabulary.words} - {*SPECIAL, MASK}
    names = tuple(word for word in vocabulary.words if word in wanted)
    return Words(names, vocabulary.ids(names), tuple(name in there for name in names))


def table(task: Task, snapshot: Snapshot) -> Array:
    """(words, D): the learned vectors of `words`; with two languages, those of the source."""
    whole = snapshot.learned if snapshot.learned_source is None else snapshot.learned_source
    chosen: Array = whole[list(words(task).ids)]
    return chosen
