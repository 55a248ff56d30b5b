"""Whether a word means one thing or two in two sentences: a verdict, if it is nearly certain.

It rests on one layer alone: the last, or in a model that reads from left to right the one that names
the sense best. Two sentences on opposite sides of a sense axis suggest two meanings, on the same side
one. How far both must be from the middle was measured on sentences labelled by sense:
`core.measures.senses.calibrate`. Ends that have nothing to do with the word also separate sentences,
and so do true ends with sentences that reveal nothing about the sense. A verdict therefore requires
more separation than these produce, words at the ends that are near to the word in the model, ends that
are far enough apart, and a word that is near to one of them: a third meaning has a side as well.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Literal

from ...localization import _
from ...records.sense_axis import Frames, SenseAxis
from ...records.trace import Array
from ...records.words import split
from ...sentences import MOST_OF_TEXT, MOST_OF_WORD, listed, sentence, signed
from .shared_word import is_content

Ends = Literal["word", "words", "sentences", "both", "picked", "guessed", "unsure"]
OutOfDictionary = Literal["picked", "guessed", "unsure"]
Answer = Literal["two meanings", "one meaning", "neither", "not clear"]
Side = Literal["low", "high"]

FEW = 3  # sentences at each end that suffice without a word
SEVERAL = 3  # items at each end, some of them words, that make ends of the kind "words"
# A word that is nearer than this to where it stands alone has hardly been moved by its sentence: in one
# of ten verdicts on labelled pairs. These are right as often as others (96 of 100), but not because of
# the sentence.
UNMOVED = 0.1
MANY = 6  # sentences at each end for the kind "sentences"; together with as many words, for "both"


@dataclass(frozen=True)
class Bounds:
    """The bounds of a verdict with ends of one kind, and how often it is right.

    Attributes:
        one: both positions must be beyond this, on the same side; infinite if that is never certain
            enough.
        two: the same on opposite sides.
        distance: the least distance between the ends at the last layer.
        near: the least nearness of an end's words to the word (`End.nearness`).
        fits: the least cosine of the word with the nearer end (`SenseAxis.fit`); one labelled sentence
            in a hundred has less.
        given: the share of labelled pairs that get a verdict, 0 to 1; each word is judged by bounds
            chosen without it. The next three are measured in the same way.
        right: the share of these verdicts that are right.
        right_one: the same of "one meaning".
        right_two: the same of "two meanings".
        unrelated: the share of pairs that get a verdict although the ends say nothing about the word;
            for ends of sentences, which are then two halves of one sense, a wrong verdict.
        uncued_two: the share of pairs of sentences without a cue ("I saw the bank.") that are given
            "two meanings".
        uncued_one: the same of "one meaning".
        third: the share of sentences with a third meaning of the word that are recognized: less than
            `fits`.
        pairs: the number of labelled pairs judged.
    """

    one: float
    two: float
    distance: float
    near: float
    fits: float
    given: float
    right: float
    right_one: float
    right_two: float
    unrelated: float
    uncued_two: float
    uncued_one: float
    third: float
    pairs: int


@dataclass(frozen=True)
class Calibration:
    """The bounds of one model, by kind of ends.

    Attributes:
        model: the name of the model.
        frames: the frames around the anchors.
        bounds: kind of ends -> bounds.
        made_by: the command or function that measured them, and on what.
        layer: the layer whose output is judged, from 0; None for the last.
    """

    model: str
    frames: tuple[str, ...]
    bounds: Mapping[Ends, Bounds]
    made_by: str
    layer: int | None = None

    def to_json(self) -> str:
        """The calibration as JSON for `from_json`; bounds that are never reached are null."""
        bounds = {
            kind: {k: None if v == math.inf else v for k, v in asdict(one).items()}
            for kind, one in self.bounds.items()
        }
        about: dict[str, Any] = {
            "made_by": self.made_by,
            "model": self.model,
            "frames": self.frames,
            "bounds": bounds,
        }
        if self.layer is not None:
            about["layer"] = self.layer
        return json.dumps(about, indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Calibration:
        """Parse the JSON of `to_json`."""
        read: dict[str, Any] = json.loads(text)
        bounds: dict[Ends, Bounds] = {}
        for kind, one in read["bounds"].items():
            numbers: dict[str, Any] = {k: math.inf if v is None else v for k, v in one.items()}
            bounds[kind] = Bounds(**numbers)
        frames = tuple(read["frames"])
        layer = read.get("layer")
        return cls(read["model"], frames, MappingProxyType(bounds), read["made_by"], layer)


@dataclass(frozen=True)
class Verdict:
    """What two positions at the judged layer show.

    Attributes:
        answer: None if none can be given; `reasons` then say why.
        a: the position of the word in the first sentence.
        b: its position in the second sentence.
        side_a: the end on whose side it is in the first sentence.
        side_b: the end on whose side it is in the second sentence.
        ends: the kind of ends; None for a kind that was not measured.
        bounds: the bounds for such ends; None if unknown.
        reasons: why there is no verdict, or why it is not clear, each a sentence; empty if it is clear.
        layer: the judged layer, from 0; None for the last.
    """

    answer: Answer | None
    a: float
    b: float
    side_a: Side
    side_b: Side
    ends: Ends | None
    bounds: Bounds | None
    reasons: tuple[str, ...] = ()
    layer: int | None = None

    @property
    def is_clear(self) -> bool:
        """Whether it names one meaning, or two."""
        return self.answer in ("one meaning", "two meanings")

    @property
    def weaker_side(self) -> Side:
        """The end that the two positions support less."""
        return "low" if -min(self.a, self.b) < max(self.a, self.b) else "high"

    @property
    def least(self) -> float | None:
        """How far from the middle both must be; None if that is unknown, or never enough."""
        if self.bounds is None:
            return None
        return _finite(self.bounds.one if self.side_a == self.side_b else self.bounds.two)


@dataclass(frozen=True)
class OneSide:
    """What one position at the judged layer shows.

    Attributes:
        answer: whether it is far enough from the middle to name its side; None if that is unknown.
        side: the end on whose side it is.
        at: the position of the word.
        ends: the kind of ends; None for a kind that was not measured.
        bounds: the bounds for such ends; None if unknown.
        reasons: why no side is named, each a sentence; empty if one is.
        layer: the judged layer, from 0; None for the last.
    """

    answer: Literal["clear", "not clear"] | None
    side: Side
    at: float
    ends: Ends | None
    bounds: Bounds | None
    reasons: tuple[str, ...] = ()
    layer: int | None = None

    @property
    def least(self) -> float | None:
        """How far from the middle it must be; None if that is unknown, or never enough."""
        return None if self.bounds is None else _finite(max(self.bounds.one, self.bounds.two))


def _finite(bound: float) -> float | None:
    return None if math.isinf(bound) else bound


def shipped(model: str) -> Calibration | None:
    """The calibration shipped with Polysee for a model of its catalogue; None for others."""
    return _shipped().get(model)


@cache
def _shipped() -> Mapping[str, Calibration]:
    folder = files(__package__).joinpath("calibrated")
    read = [
        Calibration.from_json(f.read_text("utf-8")) for f in folder.iterdir() if f.name[-5:] == ".json"
    ]
    return MappingProxyType({one.model: one for one in read})


def kind_of(frames: Frames) -> Ends | None:
    """The kind of an axis's ends, decided by the weaker end. None: a kind that was not measured."""
    low, high = frames.low, frames.high
    sentences = min(len(low.sentences), len(high.sentences))
    if sentences >= MANY:
        words = min(len(low.words), len(high.words))
        return "both" if words >= MANY else "sentences"
    if bool(low.words) != bool(high.words) or (not low.words and sentences < FEW):
        return None
    return "words" if min(len(low.items), len(high.items)) >= SEVERAL else "word"


def verdict(
    axis: SenseAxis,
    a: Array,
    b: Array,
    calibration: Calibration | None,
    *,
    proposed: bool = False,
    barred: Sequence[str] = (),
    kind: OutOfDictionary | None = None,
    fit: tuple[float, float] | None = None,
) -> Verdict:
    """One meaning, two meanings, or not clear; or no verdict, with the reasons.

    Args:
        axis: the sense axis.
        a: `axis.position` of the word in the first sentence, (layers,).
        b: its position in the second sentence, (layers,).
        calibration: the calibration of the axis's model; None if it was not measured.
        proposed: whether the ends were drawn from the two sentences
            (`core.measures.senses.shared_word`): such ends separate any two sentences, and therefore
            get no verdict.
        barred: further reasons against a verdict on these sentences, each a sentence.
        kind: how ends out of a dictionary came about; None for others, whose kind their frames tell.
        fit: `axis.fit` of the word in each sentence; None if that is not to be judged.

    Raises:
        ValueError: if the calibration belongs to another model or to other frames.
    """
    layer = _layer(calibration)
    at_a, at_b = (float(one[-1 if layer is None else layer]) for one in (a, b))
    sides: tuple[Side, Side] = ("high" if at_a > 0 else "low"), ("high" if at_b > 0 else "low")
    of_kind, bounds, reasons = _judge(axis, calibration, proposed, barred, kind)
    if reasons or bounds is None:
        return Verdict(None, at_a, at_b, *sides, of_kind, bounds, reasons, layer)
    same = sides[0] == sides[1]
    least = bounds.one if same else bounds.two
    far = [name for name, one in zip("AB", fit or (), strict=False) if one < bounds.fits]
    if len(far) == 2:
        why = sentence("reason.neither", at_a=signed(at_a), at_b=signed(at_b))
        return Verdict("neither", at_a, at_b, *sides, of_kind, bounds, (why,), layer)
    reasons = _why_unclear(axis, {"A": at_a, "B": at_b}, least, bounds, layer)
    reasons = (*(sentence("reason.fits-not", name=name) for name in far), *reasons)
    answer: Answer = "not clear" if reasons else "one meaning" if same else "two meanings"
    return Verdict(answer, at_a, at_b, *sides, of_kind, bounds, reasons, layer)


def _layer(calibration: Calibration | None) -> int | None:
    return None if calibration is None else calibration.layer


def one_side(
    axis: SenseAxis,
    position: Array,
    calibration: Calibration | None,
    *,
    proposed: bool = False,
    barred: Sequence[str] = (),
    kind: OutOfDictionary | None = None,
    fit: float | None = None,
) -> OneSide:
    """On which side the word in one sentence is; none if it is not far enough from the middle.

    Far enough means beyond both bounds of a verdict on two sentences: a side named here would also be
    named beside any other sentence that is as far out, on either side.

    Args:
        axis: the sense axis.
        position: `axis.position` of the word, (layers,).
        calibration: as in `verdict`.
        proposed: as in `verdict`.
        barred: as in `verdict`.
        kind: as in `verdict`.
        fit: `axis.fit` of the word.

    Raises:
        ValueError: if the calibration belongs to another model or to other frames.
    """
    layer = _layer(calibration)
    at = float(position[-1 if layer is None else layer])
    of_kind, bounds, reasons = _judge(axis, calibration, proposed, barred, kind)
    side: Side = "high" if at > 0 else "low"
    if reasons or bounds is None:
        return OneSide(None, side, at, of_kind, bounds, reasons, layer)
    reasons = _why_unclear(axis, {"It": at}, max(bounds.one, bounds.two), bounds, layer)
    if fit is not None and fit < bounds.fits:
        reasons = (sentence("reason.fits-not.it"), *reasons)
    return OneSide("not clear" if reasons else "clear", side, at, of_kind, bounds, reasons, layer)


def _judge(
    axis: SenseAxis,
    calibration: Calibration | None,
    proposed: bool,
    barred: Sequence[str],
    out_of_dictionary: OutOfDictionary | None,
) -> tuple[Ends | None, Bounds | None, tuple[str, ...]]:
    """The kind of ends, its bounds, and the reasons why there can be no verdict."""
    contexts = (*axis.frames.low.contexts, *axis.frames.high.contexts)
    if calibration is not None and (
        calibration.model != axis.model or {one.frame for one in contexts} - {None, *calibration.frames}
    ):
        raise ValueError(f"The bounds of “{calibration.model}” are not those of “{axis.model}”.")
    kind: Ends | None = out_of_dictionary or kind_of(axis.frames)
    bounds = None if calibration is None or kind is None else calibration.bounds.get(kind)
    return kind, bounds, (*barred, *_why_none(axis.frames, kind, bounds, proposed=proposed))


def _why_none(
    frames: Frames, kind: Ends | None, bounds: Bounds | None, *, proposed: bool
) -> tuple[str, ...]:
    reasons = []
    empty = [
        end.words[0]
        for end in (frames.low, frames.high)
        if end.words and not end.sentences and not any(map(_names_something, end.words))
    ]
    if empty:
        which = [_("“{word}”").format(word=word[:MOST_OF_TEXT]) for word in dict.fromkeys(empty)]
        verb = "name" if len(which) > 1 else "names"
        reasons.append(sentence(f"reason.{verb}-nothing", words=listed(which)))
    if proposed:
        reasons.append(sentence("reason.proposed"))
    if frames.unknown:
        reasons.append(sentence("reason.unknown", text=frames.unknown[0][:MOST_OF_TEXT]))
    if kind is None:
        reasons.append(
            sentence("reason.one-without-word")
            if frames.low.words or frames.high.words
            else sentence("reason.few-sentences", few=str(FEW))
        )
    elif kind == "unsure":
        reasons.append(sentence("reason.unsure"))
    elif bounds is None:
        reasons.append(sentence("reason.unmeasured"))
    return tuple(reasons)


def _names_something(item: str) -> bool:
    """Whether an end's word is more than function words and punctuation."""
    return any(is_content(word.text) or any(map(str.isdecimal, word.text)) for word in split(item))


def _why_unclear(
    axis: SenseAxis, at: Mapping[str, float], least: float, bounds: Bounds, layer: int | None
) -> tuple[str, ...]:
    reasons = []
    for end in (axis.frames.low, axis.frames.high):
        if end.nearness is not None and end.nearness < bounds.near:
            far = [word for word, near in zip(end.words, end.near, strict=True) if near < bounds.near]
            named = ", ".join(_("“{word}”").format(word=word[:MOST_OF_WORD]) for word in far)
            which = _several("reason.unrelated", len(far))
            reasons.append(sentence(which, words=named, word=axis.word[:MOST_OF_WORD]))
    if axis.distance[-1 if layer is None else layer] < bounds.distance:
        reasons.append(sentence("reason.close-ends"))
    near = [name for name, position in at.items() if not abs(position) > least]
    if near and least == math.inf:
        reasons.append(sentence("reason.never"))
    elif near:
        which = _several("reason.middle", len(near))
        reasons.append(sentence(which, names=listed(near), least=signed(least)))
    return tuple(reasons)


def _several(name: str, count: int) -> str:
    """The name of a sentence about one thing, or about several."""
    return f"{name}.several" if count > 1 else name
