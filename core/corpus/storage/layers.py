"""Which layers of a model a corpus keeps.

`best` is the layer whose vectors say most about a word's sense: the one with the highest leave-one-out
nearest-centroid accuracy on our own labelled sentences, averaged over their words. In many models, it
is not the last one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import CorpusError
from ...examples.sentences import labelled, words
from ...measures.senses.same_sense_baseline import centroid_accuracies
from ...pretrained.text_model import TextModel


@dataclass(frozen=True)
class Layer:
    """A layer whose vectors are kept.

    Attributes:
        layer: from 0.
        names: the names by which it was asked for: `best`, `last`, or its number from 1.
        accuracy: its accuracy on the labelled sentences, 0 to 1; None if it was not measured.
    """

    layer: int
    names: tuple[str, ...]
    accuracy: float | None = None

    @property
    def column(self) -> str:
        """The name of its column; layers count from 1 there, as on the screen."""
        return f"vector_{self.layer + 1}"


def accuracies(model: TextModel) -> tuple[float, ...]:
    """(layers,): the accuracy of each layer, from 0 to 1, averaged over our words of two senses."""
    by_word = []
    for word in words():
        sentences = labelled(word, causal=model.kind == "decoder")
        vectors = []
        for trace in model.trace_many([one.text for one in sentences]):
            assert trace.hidden is not None
            vectors.append(trace.hidden[:, trace.find(word)].mean(axis=1))
        by_layer = np.moveaxis(np.array(vectors), 1, 0)
        by_word.append(centroid_accuracies(tuple(by_layer), [one.sense for one in sentences]))
    return tuple(float(one) for one in np.mean(by_word, axis=0))


def chosen(model: TextModel, wanted: Sequence[str]) -> tuple[Layer, ...]:
    """The layers that some names mean, in ascending order.

    Args:
        model: the model.
        wanted: `best`, `last`, or numbers from 1.

    Raises:
        CorpusError: there is no such layer.
    """
    count = model.shape.n_layers
    measured = accuracies(model) if "best" in wanted else ()
    names: dict[int, list[str]] = {}
    for name in wanted:
        if name == "best":
            layer = int(np.argmax(measured))
        elif name == "last":
            layer = count - 1
        elif name.isascii() and name.isdigit() and 1 <= int(name) <= count:
            layer = int(name) - 1
        else:
            raise CorpusError(
                "“{name}” is no layer of “{name2}”: name best, last, or 1 to {count}.",
                name=name[:40],
                name2=model.name,
                count=count,
            )
        names.setdefault(layer, []).append(name)
    if not names:
        raise CorpusError("A corpus needs at least one layer: best, last, or a number from 1.")
    return tuple(
        Layer(layer, tuple(names[layer]), round(measured[layer], 4) if measured else None)
        for layer in sorted(names)
    )
