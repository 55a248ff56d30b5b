"""One word's trajectory through the layers in two sentences: the app's first picture, animated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ...localization import _
from ...measures.contributions.by_word import push_back
from ...records.trace import Array
from ...sentences import sentence
from .. import style
from ..picture import Picture

HEIGHT = 430  # for a laptop, with each sentence on one line
MOST_MARKS = 3  # named special tokens
EXACT = 4  # digits of a number under the pointer
DIGITS = 7  # of a number in the header: float32 has not more
# A word stands out if it adds this share of what the others add, each without its sign, or more than
# this many times what the next one adds. If the word's own vector adds more than so many times as much
# as that word, it has the first place in the line.
OUTSTANDING, AHEAD, OWN = 1 / 3, 1.5, 4.0
_STYLES: Mapping[str, tuple[str, str, Literal["circle", "square"]]] = {
    "A": (style.SENTENCE_A, "●", "circle"),
    "B": (style.SENTENCE_B, "■", "square"),
}


@dataclass(frozen=True, eq=False)
class Adds:
    """What moves a word from where it stands alone, at every layer, in the units of its axis.

    Attributes:
        parts: what each part of the sentence adds, (layers, parts); NaN for a part without a token. At
            the word itself, what its own vector adds more than alone.
        special: what the tokens that are none of the words add more than alone.
        bias: what the model's biases add more than alone.
    """

    parts: Array
    special: Array
    bias: Array


@dataclass(frozen=True, eq=False)
class Side:
    """A sentence and the trajectory of its word.

    Attributes:
        name: "A" or "B".
        word: the word in this sentence.
        parts: the sentence, split into words and the text between them.
        chosen: the index of the word among the parts.
        position: its position at layers 1…N, (layers,).
        alone: its position in a text that holds nothing else, (layers,).
        across: its distance from the axis in the map of each layer, (layers,).
        adds: the terms of `position` − `alone`; None if they are unknown, or not yet computed.
        special: the names of what is none of the words, whose sum is `adds.special`: tokens that the
            model's template added, or the sink.
        behind: the neutral beginning behind which the word stands alone; "" if it stands by itself.
    """

    name: str
    word: str
    parts: Sequence[str]
    chosen: int
    position: Array
    alone: Array
    across: Array
    adds: Adds | None = None
    special: Sequence[str] = ()
    behind: str = ""


@dataclass(frozen=True, eq=False)
class FramePoint:
    """The word beside one of the two ends, in the map of every layer.

    Attributes:
        name: the frame or sentence around it.
        high: whether it belongs to the end at +1.
        along: its position, (layers,).
        across: its distance from the axis, (layers,).
    """

    name: str
    high: bool
    along: Array
    across: Array


def trajectory(
    sides: Sequence[Side],
    points: Sequence[FramePoint],
    *,
    ends: tuple[str, str],
    depth: int,
    unclear: float = 0.0,
    judged: int | None = None,
    close: Sequence[int] = (),
    guessed: bool = False,
    two: bool = False,
    play: bool = False,
    key: str = "",
    wants: bool = False,
    why: str = "",
) -> Picture:
    """Both sentences, the path of the word through the layers, and a map of each layer.

    Events: "state" {depth}; "wanted" {id}, once it is drawn, if contributions are still to come.

    Args:
        sides: one or two sentences.
        points: the word beside its ends.
        ends: the names of the ends at −1 and +1.
        depth: the layer after which it is shown, 0 for the learned vector.
        unclear: the distance from the middle that a word needs to be given a side; 0 if that is
            unknown.
        judged: the layer, from 1, after which it needs that distance; None for the last.
        close: the layers, from 1, in which the two ends hardly differ; the scale is fitted to the rest.
        guessed: whether a model guessed the ends, which are then drawn fainter.
        two: whether the word is not the same token in both sentences, and has two learned vectors.
        play: whether it plays from layer 0 to the last when it is first drawn.
        key: the identity of its content: new numbers with the same key do not interrupt a visitor.
        wants: whether contributions are still to come: the picture then requests them.
        why: the reason, if there will be none.
    """
    layers = len(sides[0].position)
    low, high = ends
    most = np.max([_most(side, layers) for side in sides], axis=0)
    towards = "; ".join(
        sentence(
            "trajectory.side",
            word=side.word,
            name=side.name,
            at=style.signed(side.position[-1]),
            end=low if side.position[-1] < 0 else high,
        )
        for side in sides
    )
    data: dict[str, Any] = {
        "id": key,
        "layers": layers,
        "ends": {"low": low, "high": high},
        "sides": [_side(side) for side in sides],
        "map": {
            "sides": [_numbers(side.across) for side in sides],
            "points": [
                {
                    "name": point.name,
                    "high": point.high,
                    "along": _numbers(point.along),
                    "across": _numbers(point.across),
                }
                for point in points
            ],
        },
        "unclear": unclear,
        "maxima": _numbers(np.where(most > 0, most, 1.0)),
        "awaitsContributions": wants,
        "whyNone": why,
        "learned": style.LEARNED,
        "signed": {"light": style.SIGNED_ON_LIGHT, "dark": style.SIGNED_ON_DARK},
        "sentence": sentence(f"trajectory.sentence{'.two' * two}", towards=towards),
        "parts": sentence(f"trajectory.parts{'.first' * any(side.behind for side in sides)}"),
        "file": "polysee-trajectory",
        "height": HEIGHT,
    }
    if judged not in (None, layers):
        data["judged"] = judged
    if close:
        data["close"] = [*close]
    if guessed:
        data["guessed"] = True
    if two:
        data["two"] = True
    return Picture("trajectory", {**data, "state": {"depth": depth}, "autoplay": play}, b"")


def _most(side: Side, layers: int) -> Array:
    """The largest contribution of a part of the sentence, including the word itself, (layers,)."""
    if side.adds is None:
        return np.zeros(layers, np.float32)
    return np.asarray(np.nanmax(np.abs(side.adds.parts), axis=1, initial=0.0))


def _side(side: Side) -> dict[str, Any]:
    colour, mark, shape = _STYLES[side.name]
    adds = None
    if side.adds is not None:
        adds = {
            "parts": [_numbers(row) for row in side.adds.parts],
            "otherParts": _numbers(side.adds.special + side.adds.bias),
            "lines": [_line(side, layer) for layer in range(len(side.position))],
            "sums": [_sum(side, layer) for layer in range(len(side.position))],
        }
    return {
        "name": side.name,
        "word": side.word,
        "colour": colour,
        "mark": mark,
        "shape": shape,
        "parts": list(side.parts),
        "chosen": side.chosen,
        "position": _numbers(side.position),
        "alone": _numbers(side.alone),
        "adds": adds,
    }


def _line(side: Side, layer: int) -> str:
    """What moves the word in its sentence after a layer, from 0, beginning where it stands alone.

    The shares add up as they are printed: the other words together, the word's own vector, and the
    rest, special tokens and biases. Of the other words it names the one that adds most, unless they
    push against the move together, that word leads to the end on whose side the word does not stand,
    or none stands out among them.
    """
    assert side.adds is not None
    row = np.nan_to_num(side.adds.parts[layer].astype(np.float64))
    own, row[side.chosen] = float(row[side.chosen]), 0
    stands, at = float(side.alone[layer]), float(side.position[layer])
    words = float(row.sum())
    # A full stop counts as one of the words, and is not the one that is named.
    named = [any(map(str.isalnum, part)) for part in side.parts]
    first = int(np.where(named, np.abs(row), 0.0).argmax())
    if _added(row[first]) == _added(0) == _added(at - stands):
        return sentence("trajectory.none", alone=style.signed(stands))
    others = float(side.adds.special[layer]) + float(side.adds.bias[layer])
    parts = style.adding_up([words, own, others, stands], at, rest=2)
    printed = dict(zip(("words", "own", "rest"), map(_added, parts), strict=False))
    shares = {**printed, "alone": style.signed(stands), "at": style.signed(at)}
    if push_back(words, at - stands):
        return sentence("trajectory.back", **shares)
    if row[first] * at < 0 or _added(row[first]) == _added(0) or not _stands_out(row, first):
        return sentence("trajectory.whole", **shares)
    most = sentence("trajectory.most", word=_quoted(side, first), adds=_added(row[first]))
    return sentence("trajectory.whole", **shares | {"words": f"{shares['words']} {most}"})


def _stands_out(row: Array, one: int) -> bool:
    """Whether one of the other words adds so much more than the rest that it can be named alone."""
    sizes = np.abs(row)
    its, others = float(sizes[one]), np.delete(sizes, one)
    next_one = float(others.max(initial=0.0))
    whole = its + float(others.sum())
    return its > AHEAD * next_one or (its >= next_one and its >= OUTSTANDING * whole)


def _quoted(side: Side, part: int) -> str:
    return _("“{word}”").format(word=side.parts[part].strip())


def _added(value: float) -> str:
    return style.signed(float(value), plus=True)


def _sum(side: Side, layer: int) -> str:
    """The sum behind the position after a layer, from 0, printed so that it adds up exactly."""
    assert side.adds is not None
    adds, marks = side.adds, [*dict.fromkeys(side.special)]
    row = np.nan_to_num(adds.parts[layer].astype(np.float64))
    own, alone = float(row[side.chosen]), float(side.alone[layer])
    few = 0 < len(marks) <= MOST_MARKS
    parts = {
        sentence("trajectory.words"): float(row.sum()) - own,
        sentence("trajectory.own"): own,
        ", ".join(marks) if few else sentence("trajectory.special"): float(adds.special[layer]),
        sentence("trajectory.biases"): float(adds.bias[layer]),
    }
    whole = float(side.position[layer])
    printed = style.adding_up([*parts.values(), alone], whole, rest=0, digits=EXACT)
    terms = [
        f"{name} {style.signed(x, EXACT, plus=True)}"
        for name, x in zip(parts, printed[:-1], strict=True)
    ]
    return sentence(
        "trajectory.sum",
        behind=sentence("trajectory.sum-behind", word=side.behind) if side.behind else "",
        word=_quoted(side, side.chosen),
        alone=style.signed(alone, EXACT),
        terms=", ".join(terms),
        at=style.signed(whole, EXACT),
        layer=str(layer + 1),
    )


def _numbers(row: Array) -> list[float | None]:
    """Numbers in JSON: a missing number is null."""
    return [None if np.isnan(x) else float(f"{x:.{DIGITS}g}") for x in row]
