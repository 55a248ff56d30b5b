"""What the model is asked to write, and how each text begins."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("starts.txt")
MORE = Path(__file__).with_name("more_starts.txt")  # written later: the first part stays what it was
FORMS = {
    "story": "Write a short story about {about}.",
    "diary": "Write an entry of a diary about {about}.",
    "report": "Write a newspaper report about {about}.",
    "letter": "Write a letter to a friend about {about}.",
}


# The first texts are of all words. The machine on which the corpus was written had an hour for it, and
# so those of some words come then: a word needs tens of lines before these form clusters.
MIXED = 384
_WORDS = """
    bank bark bat bow case court date letter light match mouse note park ring right rock seal spring
    star table train trunk watch wave
    """
FIRST = frozenset(_WORDS.split())


@dataclass(frozen=True)
class Task:
    """One text that is to be written.

    Attributes:
        word: the word of several meanings that its beginning has.
        topic: what the column *topic* says.
        form: the same of the column *form*.
        instruction: what the model is told.
        start: the first words, which are ours.
    """

    word: str
    topic: str
    form: str
    instruction: str
    start: str


PARTS = 2
LATER = 288  # texts of the second part: three batches of it, in half an hour of a busy machine


def tasks(part: int = 1, seed: int = 0) -> list[Task]:
    """Every beginning of a part, 1 or 2, in every form, in an order drawn at random.

    In the first part, some words come first after `MIXED` texts.
    """
    file = FILE if part == 1 else MORE
    every = [*_tasks(file.read_text("utf-8").splitlines())]
    random.Random(seed).shuffle(every)
    if part > 1:
        return every[:LATER]
    return every[:MIXED] + sorted(every[MIXED:], key=lambda one: one.word not in FIRST)


def _tasks(lines: list[str]) -> Iterator[Task]:
    for line in lines:
        if not line or line.startswith("#"):
            continue
        word, topic, about, starts = (one.strip() for one in line.split("|"))
        for start in starts.split(" / "):
            for form, instruction in FORMS.items():
                yield Task(word, topic, form, instruction.format(about=about), start)
