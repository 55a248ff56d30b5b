"""One word in two sentences, computed: what the Compare page shows and what its saved file holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from core.figures import Plane
from core.measures import Across, Projection, WordPath, across, cosines, pca, plane
from core.settings import AnchorGroup
from core.trace import Array
from ui import answers
from ui.say import Known, apart


class Chosen(NamedTuple):
    """A sentence and one place of a word in it: `trace.find(word, number)`."""

    text: str
    word: str
    number: int


class Question(NamedTuple):
    """All that a comparison depends on: strings and numbers, so that keeping one costs nothing."""

    model: str
    a: Chosen
    b: Chosen
    groups: tuple[AnchorGroup, AnchorGroup] | None

    @property
    def words(self) -> tuple[str, str]:
        """The word in A and the word in B."""
        return self.a.word, self.b.word

    @property
    def names(self) -> tuple[str, ...]:
        """What the paths of a picture are called: A, B, and each word by itself."""
        if self.a.word == self.b.word:
            return "A", "B", "alone"
        return "A", "B", *(f"{word} alone" for word in self.words)


@dataclass(frozen=True, eq=False)
class Moved:
    """How the word moves, with no axis between senses.

    Attributes:
        a: its path in sentence A.
        b: its path in sentence B.
        alone: the path of each word by itself, in the anchor frame; one where it is one word.
        together: cosine of `a` and `b` at every depth, (depths,).
        from_alone: of `a` and of `b`, each with its own word by itself, (depths,) each.
        projection: principal components of `a`, `b` and the words by themselves, in this order.
    """

    a: WordPath
    b: WordPath
    alone: tuple[WordPath, ...]
    together: Array
    from_alone: tuple[Array, Array]
    projection: Projection


@dataclass(frozen=True, eq=False)
class Between:
    """How it moves between the two senses.

    Attributes:
        low: the group at −1.
        high: the group at +1.
        a: the place of the word in A on the axis at every depth, (depths,).
        b: the same in B.
        plane: the same with one direction across the axis, among the anchor words.
        up: that direction.
        few: whether there were too few anchor words to fit it to them alone.
        known: what our labelled sentences show; None where the word has none, or there are two words.
    """

    low: AnchorGroup
    high: AnchorGroup
    a: Array
    b: Array
    plane: Plane
    up: Across
    few: bool
    known: Known | None

    @property
    def gap(self) -> float:
        """How far apart A and B stand on the axis at the last layer, as it is printed."""
        return apart(self.a, self.b)


def moved(asked: Question) -> Moved:
    """The paths of the word.

    Raises:
        PolyseeError: as `core.load` and `Model.trace`; NotSupported: the model does not know the word.
    """
    a, b = (answers.path(asked.model, *chosen) for chosen in (asked.a, asked.b))
    alone_a, alone_b = (answers.anchors(asked.model, (word,))[0] for word in asked.words)
    alone = (alone_a,) if asked.a.word == asked.b.word else (alone_a, alone_b)
    from_alone = cosines(a, alone_a), cosines(b, alone_b)
    return Moved(a, b, alone, cosines(a, b), from_alone, pca([a, b, *alone]))


def between(asked: Question, found: Moved) -> Between | None:
    """Its places between the two senses; None where none are named.

    Raises:
        PolyseeError: as `answers.axis` and `core.measures.across`.
    """
    if asked.groups is None:
        return None
    low, high = asked.groups
    axis = answers.axis(asked.model, low.words, high.words)
    anchors = [
        dict(zip(group.words, answers.anchors(asked.model, group.words), strict=True))
        for group in asked.groups
    ]
    words = [path for group in anchors for path in group.values()]
    # Two words lie on the axis itself and leave nothing across it; then the compared word helps out.
    few = len(words) < 3
    up = across(axis, [*words, *found.alone, found.a, found.b] if few else words)
    lows, highs = ({w: plane(axis, up, path) for w, path in group.items()} for group in anchors)
    a, b, *alone = (plane(axis, up, path) for path in (found.a, found.b, *found.alone))
    one = asked.a.word == asked.b.word
    known = answers.known(asked.model, asked.a.word, low.words, high.words) if one else None
    shown = Plane(a, b, dict(zip(asked.names[2:], alone, strict=True)), lows, highs)
    return Between(low, high, a[:, 0], b[:, 0], shown, up, few, known)
