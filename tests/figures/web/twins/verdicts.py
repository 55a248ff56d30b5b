"""Cases of the axis between two senses, and of the verdict and its sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from core.comparison import say
from core.measures.senses.how_sure import standing as how_sure_standing
from core.measures.senses.sense_map import sense_map
from core.measures.senses.verdict import OneSide, OutOfDictionary, Verdict, one_side, shipped, verdict
from core.records.sense_axis import End, Frames, SenseAxis
from tests.figures.web.twins.common import (
    AXES,
    SENTENCES,
    A,
    B,
    Case,
    Reads,
    Table,
    axis_of,
    rounded,
    vectors,
)
from tests.figures.web.twins.traces import traced


def of_axes(reads: Reads) -> Table:
    made = [axis_of(*one, reads) for one in AXES]
    good = [(spec, axis) for spec, axis in zip(AXES, made, strict=True) if isinstance(axis, SenseAxis)]
    at = [(one, reads.one(one).find("bank")) for one in SENTENCES[:4]]
    positions = [
        ([list(spec), one, tokens], axis.coordinates(reads.one(one), tokens))
        for spec, axis in good
        for one, tokens in at
    ]
    fits = [
        ([list(spec), one, tokens], axis.fit(reads.one(one), tokens))
        for spec, axis in good
        for one, tokens in at
    ]
    maps: list[Case] = []
    for spec, axis in good:
        contexts = [*axis.frames.low.contexts, *axis.frames.high.contexts]
        own = [
            vectors(
                traced(c.text),
                [i for i, (a, b) in enumerate(traced(c.text).offsets) if a < c.end and b > c.start],
            )
            for c in contexts
        ]
        seen = sense_map(
            axis, np.stack([*own, *(vectors(traced(one), tokens) for one, tokens in at[:2])])
        )
        maps.append(
            (
                [list(spec), [[one, tokens] for one, tokens in at[:2]]],
                {"along": seen.along, "across": seen.across},
            )
        )
    return {
        "derive/axis.js": {
            "senseAxis": [
                ([list(spec)], _summary(axis)) for spec, axis in zip(AXES, made, strict=True)
            ],
            "coordinates": positions,
            "fit": fits,
            "senseMap": maps,
            "vectorsAt": [([one, tokens], vectors(reads.one(one), tokens)) for one, tokens in at],
        },
    }


def _summary(axis: SenseAxis | str) -> dict[str, Any]:
    if isinstance(axis, str):
        return {"refused": axis}
    ends = [
        {
            "words": end.words,
            "sentences": end.sentences,
            "near": end.near,
            "contexts": [[c.text, c.start, c.end] for c in end.contexts],
        }
        for end in (axis.frames.low, axis.frames.high)
    ]
    return {
        "midpoints": axis.midpoints,
        "halves": axis.halves,
        "unknown": axis.frames.unknown,
        "distance": axis.distance[-1],
        "ends": ends,
    }


def _given_axis(
    low: Mapping[str, Any], high: Mapping[str, Any], unknown: Sequence[str], distance: float
) -> SenseAxis:
    """An axis of two ends as a verdict sees it."""
    ends = [End(tuple(e["words"]), tuple(e["sentences"]), (), tuple(e["near"])) for e in (low, high)]
    halves = np.array([[distance / 2, 0]], np.float32)
    return SenseAxis(
        "bank",
        "minilm",
        Frames(ends[0], ends[1], (), tuple(unknown)),
        np.zeros((1, 2), np.float32),
        halves,
    )


def _judged(one: Any) -> Any:
    names = ("answer", "a", "b", "sideA", "sideB", "at", "side", "least")
    fields = {"sideA": "side_a", "sideB": "side_b"}
    own = {
        name: getattr(one, fields.get(name, name))
        for name in names
        if hasattr(one, fields.get(name, name))
    }
    if isinstance(one, Verdict):
        own["unsure"] = one.ends == "unsure"
    return {**own, "reasons": one.reasons}


def of_verdicts() -> Table:
    calibration = shipped("minilm")
    assert calibration is not None

    def end(words_: Sequence[str], sentences: int = 0, near: float = 0.9) -> dict[str, Any]:
        return {
            "words": [*words_],
            "sentences": [f"At the bank {i}." for i in range(sentences)],
            "near": [near] * len(words_),
        }

    kinds = (
        (end(["river"]), end(["money"])),
        (end(["river", "shore", "water"]), end(["money", "loan", "cash"])),
        (end([], 6), end([], 7)),
        (end([f"w{i}" for i in range(6)], 6), end([f"v{i}" for i in range(6)], 6)),
        (end([], 2), end([], 2)),
        (end([], 3), end([], 3)),
        (end(["river"]), end([], 4)),
        (end(["the"]), end(["²"])),
        (end(["of", "3"]), end(["x" * 70, ","])),
        (end(["river", "shore"], 0, -1.0), end(["money"], 0, 0.2)),
        (end(["the"]), end(["the"])),
    )
    near = [[bounds.near, bounds.distance] for bounds in calibration.bounds.values()]
    positions = [
        rounded(at)
        for at in (
            -3.0,
            -0.5,
            0.0,
            0.5,
            2.0,
            *(
                float(np.float32(v))
                for b in calibration.bounds.values()
                for v in (b.one, b.two)
                if math.isfinite(v)
            ),
        )
    ]
    out_of: tuple[OutOfDictionary | None, ...] = (None, "picked", "guessed", "unsure")
    fits = ((0.95, 0.9), None, (0.2, 0.1), (0.9, -0.4), (0.1, 0.9))
    both: list[Case] = []
    single: list[Case] = []
    heads: list[Case] = []
    alone: list[Case] = []
    still: list[Case] = []
    for low, high in kinds:
        for unknown, distance, proposed, barred in (
            ([], 50.0, False, []),
            (["❤ " * 40], 50.0, True, ["Because."]),
            ([], 0.5, False, []),
            *(([], d, False, []) for _, d in near),
        ):
            axis = _given_axis(low, high, unknown, distance)
            plain_axis = {
                "word": "bank",
                "low": low,
                "high": high,
                "unknown": unknown,
                "distance": distance,
            }
            about = {"proposed": proposed, "barred": barred}
            for i, (a, b) in enumerate(product(positions[::2], positions[1::2])):
                more = {**about, "kind": out_of[i % 4], "fit": fits[i % 5]}
                judged = verdict(axis, [a], [b], calibration, **more)  # type: ignore[arg-type]
                both.append(([plain_axis, [a], [b], more], _judged(judged)))
            for i, a in enumerate(positions):
                fit = fits[i % 5]
                more = {**about, "kind": out_of[i % 4], "fit": None if fit is None else fit[0]}
                one = one_side(axis, [a], calibration, **more)  # type: ignore[arg-type]
                single.append(([plain_axis, [a], more], _judged(one)))
    both, single = both[::23], single[::11]
    for names in (("river", "money"), ("a*b", "בנק")):
        answers: tuple[Any, ...] = ("clear", "not clear", None)
        ends: tuple[Any, ...] = ("low", "high")
        for answer, side, at in product(answers, ends, (0.125, -0.004, 2.345)):
            single_side = OneSide(answer, side, at, None, None, ())
            one_way = {"answer": answer, "side": side, "at": at, "reasons": []}
            said = say.of_one("b_k", "A", single_side, names)
            alone.append((["b_k", "A", one_way, list(names)], said))
            for before in (at, at + 0.09, at - 0.11):
                said = say.of_one("b_k", "A", single_side, names, before)
                alone.append((["b_k", "A", one_way, list(names), before], said))
            # Whatever the verdict on two sentences is, if they are one.
            any_verdict = Verdict(None, at, at, side, side, None, None, ())
            said = say.headline(("b_k", "x"), names, any_verdict, single_side)
            heads.append(([["b_k", "x"], list(names), None, one_way], said))
            for pair in ((at, 9.0), (at + 0.11, at)):
                said = say.headline(("b_k", "x"), names, any_verdict, single_side, pair)
                heads.append(([["b_k", "x"], list(names), None, one_way, list(pair)], said))
                still.append(([None, one_way, list(pair)], say.unmoved(any_verdict, single_side, pair)))
        verdicts: tuple[Any, ...] = ("two meanings", "one meaning", "neither", "not clear", None)
        for answer, side_a, side_b in product(verdicts, ends, ends):
            record = Verdict(answer, -0.625, 0.375, side_a, side_b, None, None, ())
            two: dict[str, Any] = {"answer": answer, "a": -0.625, "b": 0.375, "reasons": []}
            two |= {"sideA": side_a, "sideB": side_b}
            for words in (("bank", "bank"), ("bank", "Bänke*")):
                said = say.headline(words, names, record)
                heads.append(([list(words), list(names), two, None], said))
            for pair in ((-0.6, 0.4), (-0.6, 0.6), (0.1, 0.3), (-0.625, -0.625), (-0.72, 0.47)):
                said = say.headline(("bank", "bank"), names, record, None, pair)
                heads.append(([["bank", "bank"], list(names), two, None, list(pair)], said))
                still.append(([two, None, list(pair)], say.unmoved(record, None, pair)))
            if answer is None:  # of meanings of which the model is unsure
                record = Verdict(None, -0.625, 0.375, side_a, side_b, "unsure", None, ())
                said = say.headline(("bank", "bank"), names, record)
                heads.append(([["bank", "bank"], list(names), {**two, "unsure": True}, None], said))
            still.append(([two, None, None], say.unmoved(record, None, None)))
    standing_: list[Case] = []
    for low, high in kinds:
        axis = _given_axis(low, high, [], 1.0)
        for some in ([A, B], ["The river and the shores of water, money, w0 w1 w2 w3 w4", ""], [A]):
            found = how_sure_standing(axis, some)
            standing_.append(([{"low": low, "high": high}, some], say.shared(found)))
    return {
        "derive/verdict.js": {
            "verdict": both,
            "oneSide": single,
            "headline": heads,
            "ofOne": alone,
            "standing": standing_,
            "unmoved": still,
        }
    }
