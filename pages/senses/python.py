"""Python code for the results of Senses: the vectors of a word, and how they group."""

from __future__ import annotations

from collections.abc import Sequence

from core.examples import labelled
from core.reading import Sentence
from ui import same_in_python
from ui.models.word_vectors import OccurrenceQuery

MOST_WRITTEN = 200  # sentences that the code contains; more are read from a file


def lines(
    query: OccurrenceQuery, sentences: Sequence[Sentence], *, scored: bool, one: int, depth: int
) -> dict[str, str]:
    """Code for the nearest-centroid accuracy; without labels, for the sentences nearest to one.

    Args:
        query: the word and the model.
        sentences: all sentences, with their labels, each once.
        scored: whether there are labels to predict.
        one: the occurrence whose nearest neighbours are listed, from 0.
        depth: the number of layers; 0 for the learned vectors.
    """
    model, word, _ = query
    needs = "nearest_centroid_accuracy, scorable, some" if scored else "nearest"
    code = [
        "import numpy as np",
        same_in_python.imports(model),
        *_imports(word, sentences),
        f"from core.measures.senses.occurrences import Occurrences, {needs}",
        "",
        f"model = core.load({model!r})",
        *_sentences(word, sentences),
        f"found = list(model.vectors([text for _, text in sentences], {word!r}))",
        "occurrences = Occurrences(",
        "    np.stack([one.learned for one in found]),",
        "    np.stack([one.hidden for one in found]),",
        "    tuple(one.text for one in found),",
        ")",
    ]
    if scored:
        code += [
            "labels = [sentences[one.text][0] for one in found]",
            "which = scorable(labels)  # those whose label has another occurrence",
            "labels = [label for label, counts in zip(labels, which) if counts]",
            "# the learned vector, then each layer:",
            "nearest_centroid_accuracy(some(occurrences, which), labels)",
        ]
    else:
        code.append(f"nearest(occurrences, {one}, {depth}, 5)  # (occurrence, cosine), from 0")
    return {"Python": "\n".join(code)}


def _ours(word: str, sentences: Sequence[Sentence]) -> bool:
    """Whether these are the labelled sentences that come with Polysee."""
    own = [(one.sense, one.text) for one in labelled(word)]
    return own == [(one.label, one.text) for one in sentences]


def _imports(word: str, sentences: Sequence[Sentence]) -> list[str]:
    if _ours(word, sentences):
        return ["from core.examples import labelled"]
    return ["from core import reading"] if len(sentences) > MOST_WRITTEN else []


def _sentences(word: str, sentences: Sequence[Sentence]) -> list[str]:
    """Code for the label and the text of each sentence."""
    if _ours(word, sentences):
        return [f"sentences = [(one.sense, one.text) for one in labelled({word!r})]"]
    if len(sentences) > MOST_WRITTEN:
        return [
            "# Your file; reading.Choices says what the page was told of it.",
            'every = reading.collect("your file.csv", reading.Choices()).sentences',
            "sentences = reading.merge(every, model.spelling).sentences  # each once",
        ]
    rows = [f"    {(one.label, one.text)!r}," for one in sentences]
    return ["sentences = [", *rows, "]"]
