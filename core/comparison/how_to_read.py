"""How to read the pictures of a word's path, with their numbers (Markdown)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..localization import N_, _, decimal
from ..markdown import plain
from ..records.trace import Array
from ..sentences import listed, percent, sentence, signed
from .close_ends import apart, close_layers
from .judge import Between, Limit

HIDES = 0.05  # so near, a path lies on another: half the width of its line
# Below the picture before layer 1, where there is neither an axis nor a path.
START = N_(
    "Before layer 1 there are only the numbers of the table, the same in every sentence. The line "
    "between the two ends begins after layer 1: press *Play*, or move the slider."
)


def in_short(
    needed: Limit | None, behind: str = "", before: int = 0, close: int = 0, under: str = ""
) -> str:
    """The same in a line: what a student needs first.

    Args:
        needed: as in `of_axis`.
        behind: as in `of_axis`.
        before: the layer of the verdict, from 1, where it is not the last; 0 for the last.
        close: the last layer, from 1, in which the two ends hardly differ; 0 for none.
        under: the sentences, "A" or "AB", whose path hides that of the word alone; "" for none.
    """
    read = [_("The grey path is the word *alone*: its sentence moves it from there.")]
    if behind:
        read = [
            _("The grey path is the word *alone*, behind “{behind}”: its sentence moves it from there.")
        ]
    if under:
        read = [
            _("The word *alone* has no grey path of its own to be seen: it lies under that of {names}.")
        ]
    if needed is not None:
        band = _("In the grey band, less than {least} from 0, a word is *not clear*.")
        read.append(band.format(least=signed(needed.least)))
    if close:
        read.append(
            _("Up to layer {close} (pale), the two ends hardly differ yet: no path is drawn there.")
        )
    if before:
        read.append(_("After layer {layer} (dotted), the model prepares the next word."))
    names = listed([*under]) if under else ""
    return " ".join(read).format(behind=behind, layer=before, close=close, names=names)


def hides_alone(comparison: Between, alone: Sequence[Array], names: str = "AB") -> str:
    """The sentences of a picture whose path hides the grey one, "A" or "AB"; "" where it is to be seen.

    Args:
        comparison: the positions.
        alone: (layers,) each, where the word of A and of B stands alone.
        names: the sentences that the picture shows.
    """
    first = max(close_layers(comparison.axes[0], comparison.judged), default=0)
    hiding = {
        name: all(
            abs(float(x) - float(y)) < HIDES
            for x, y in zip(
                comparison.coordinates["AB".index(name)][first : comparison.judged],
                alone["AB".index(name)][first : comparison.judged],
                strict=True,
            )
        )
        for name in names
    }
    # A grey path of its own, for each form of the word, has to be hidden by its own sentence.
    one = len(names) < 2 or np.array_equal(alone[0], alone[1])
    gone = any(hiding.values()) if one else all(hiding.values())
    return "".join(name for name, hides in hiding.items() if hides) if gone else ""


def of_shares() -> str:
    """What the bar below a sentence counts."""
    return _(
        "The bar is the way from *alone*, on one scale for both sentences. *Own vector*: the word "
        "starts from the same one in every sentence, but attention, norms and gates let it through "
        "differently in each, so that it can push to either side. *Rest*: special tokens and biases."
    )


def of_axis(needed: Limit | None, behind: str = "") -> str:
    """How to read the path between two ends: its numbers, the word alone, and the grey band.

    Args:
        needed: how far from the middle a word needs to be for a side; None where none is given.
        behind: the neutral beginning behind which the word stands alone; "" for none.
    """
    alone = (
        _("behind “{behind}” and nothing else").format(behind=behind)
        if behind
        else _("in a text that holds nothing else")
    )
    read = _(
        "0 is only halfway between the two ends, −1 and +1, and each layer measures them "
        "anew: from layer to layer, compare sides, not sizes. An end is the mean of what "
        "names it, and a sentence can take the word past it. The grey path is the word "
        "*alone*, {alone}: what the sentence adds is counted from there, not from 0."
    ).format(alone=alone)
    if needed is None:
        return read
    bounds = needed.bounds
    return _(
        "{read} Inside the grey band, up to {least} from 0, a word is *not clear*. We tried ends of "
        "this kind on {pairs} pairs of labelled sentences: {given} of them got a verdict, and {right} "
        "of those verdicts were right; the vaguer the ends, the wider the band."
    ).format(
        read=read,
        least=signed(needed.least),
        pairs=decimal(f"{bounds.pairs:,}"),
        given=percent(bounds.given, 0),
        right=percent(bounds.right, 0),
    )


def of_close_ends(comparison: Between, names: str = "AB") -> str:
    """That the ends hardly differ in some layers, and what is beyond the picture there; "" for none.

    Args:
        comparison: the positions.
        names: the sentences that the picture shows.
    """
    axis, judged = comparison.axes[0], comparison.judged
    close = close_layers(axis, judged)
    if not close:
        return ""
    share, first, last = apart(axis), close[0], close[-1]
    farthest = max(
        ((abs(float(x)), float(x), name, i) for name in names for i, x in _in(comparison, name, close))
    )
    return _(
        "In the pale strip, up to layer {last}, the two ends hardly differ yet: after layer {first} by "
        "{least} of the length of the word’s vectors, after layer {judged} by {most}. So small a unit "
        "makes any number large ({name} stands at {at} after layer {where}), and says nothing about "
        "meaning. No path is drawn there."
    ).format(
        last=last,
        first=first,
        least=percent(float(share[first - 1]), 0),
        judged=judged,
        most=percent(float(share[judged - 1]), 0),
        name=farthest[2],
        at=signed(farthest[1]),
        where=farthest[3],
    )


def _in(comparison: Between, name: str, layers: Sequence[int]) -> list[tuple[int, float]]:
    """The positions of the word of a sentence after some layers, from 1."""
    positions = comparison.coordinates["AB".index(name)]
    return [(layer, float(positions[layer - 1])) for layer in layers]


def of_cosine(words: tuple[str, str]) -> str:
    """How to read the path by cosine (Markdown)."""
    alone = listed([_("“{word}”").format(word=plain(word)) for word in dict.fromkeys(words)])
    return sentence("legend.cosine", a=":blue[A]", b=":orange[B]", alone=alone)


def of_projection(words: tuple[str, str], shares: Array) -> str:
    """How to read a plain projection, and what it does not show (Markdown)."""
    parts = ", ".join(f"{100 * float(share):.0f} %" for share in shares)
    shown = _(
        "depth, not meaning**: they separate learned vectors from contextual ones, and layer from layer"
    )
    if words[0] != words[1]:
        shown = _(
            "depth and the choice of word, not meaning**: they separate layer from layer and "
            "word from word"
        )
    return _(
        "The {count} directions in which these points differ most (principal components) "
        "hold {parts} of their variance. **They show {shown}, whatever the sentence says."
    ).format(count=len(shares), parts=parts, shown=shown)
