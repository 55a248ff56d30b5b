"""Cases of the axis between two senses, and of the verdict and its sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np

from core.comparison import say
from core.comparison.judge import limit, without_reading
from core.measures.senses.how_sure import standing as how_sure_standing
from core.measures.senses.sense_map import sense_map
from core.measures.senses.verdict import OneSide, OutOfDictionary, Verdict, one_side, shipped, verdict
from core.records.sense_axis import End, Frames, SenseAxis
from core.records.spelling import UNCASED
from core.sentences import sentence
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
    asked = [(one, False) for one in AXES] + [(one, True) for one in AXES[:3]]
    specs = [(*one, *([True] * causal)) for one, causal in asked]
    made = [axis_of(*one, reads, causal=causal) for one, causal in asked]
    good = [(spec, axis) for spec, axis in zip(specs, made, strict=True) if isinstance(axis, SenseAxis)]
    at = [(one, reads.one(one).find("bank")) for one in SENTENCES[:4]]
    positions = [
        ([list(spec), one, tokens], axis.coordinates(reads.one(one), tokens))
        for spec, axis in good
        for one, tokens in at
    ]
    fits = [
        ([list(spec), one, tokens, layer], axis.fit(reads.one(one), tokens, layer))
        for spec, axis in good
        for one, tokens in at
        for layer in (5, 2)
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
                ([list(spec)], _summary(axis)) for spec, axis in zip(specs, made, strict=True)
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
        "distances": axis.distance,
        "ends": ends,
    }


def _given_axis(
    low: Mapping[str, Any],
    high: Mapping[str, Any],
    unknown: Sequence[str],
    distances: Sequence[float],
    model: str = "minilm",
) -> SenseAxis:
    """An axis of two ends as a verdict sees it."""
    ends = [End(tuple(e["words"]), tuple(e["sentences"]), (), tuple(e["near"])) for e in (low, high)]
    halves = np.array([[distance / 2, 0] for distance in distances], np.float32)
    return SenseAxis(
        "bank",
        model,
        Frames(ends[0], ends[1], (), tuple(unknown)),
        np.zeros_like(halves),
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


def _by_bounds(model: str, kinds: Sequence[tuple[Any, Any]]) -> tuple[list[Case], list[Case]]:
    """Verdicts on two positions and on one, at and around the bounds of a model."""
    calibration = shipped(model)
    assert calibration is not None
    layer = calibration.layer

    def after_each(at: float) -> list[float]:
        """`at` after the layer that is judged, and something else after others."""
        return [at] if layer is None else [7.0] * layer + [at, -7.0]

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
    for low, high in kinds:
        for unknown, distance, proposed, barred in (
            ([], 50.0, False, []),
            (["❤ " * 40], 50.0, True, ["Because."]),
            ([], 0.5, False, []),
            *(([], d, False, []) for _, d in near),
        ):
            axis = _given_axis(low, high, unknown, after_each(distance), model)
            plain_axis = {
                "word": "bank",
                "model": model,
                "low": low,
                "high": high,
                "unknown": unknown,
                "distances": after_each(distance),
            }
            about: dict[str, Any] = {"proposed": proposed, "barred": barred}
            for i, (a, b) in enumerate(product(positions[::2], positions[1::2])):
                more: dict[str, Any] = {**about, "kind": out_of[i % 4], "fit": fits[i % 5]}
                at_a, at_b = after_each(a), after_each(b)
                judged = verdict(axis, np.array(at_a), np.array(at_b), calibration, **more)
                both.append(([plain_axis, at_a, at_b, more], _judged(judged)))
            for i, a in enumerate(positions):
                fit = fits[i % 5]
                more = {**about, "kind": out_of[i % 4], "fit": None if fit is None else fit[0]}
                one = one_side(axis, np.array(after_each(a)), calibration, **more)
                single.append(([plain_axis, after_each(a), more], _judged(one)))
    return both[::23], single[::11]


def _with_limit(answer: Any, least: float | None) -> Any:
    """A verdict on opposite sides, with this limit."""
    clear = answer in ("two meanings", "one meaning")
    return SimpleNamespace(answer=answer, is_clear=clear, bounds=object(), least=least)


def _of_unread() -> list[Case]:
    """Verdicts on sentences of which the model has read something, or nothing, before the word."""
    found: list[Case] = []
    answers: tuple[Any, ...] = ("two meanings", "not clear", None)
    shown: dict[str, Any]
    for answer, causal, read, before in product(
        answers, (True, False), ("The ", "It is the brass "), (0.25, 0.35)
    ):
        sides = [("A", causal, read), ("B", causal, "A good ")]
        given = [{"name": n, "causal": c, "read": r} for n, c, r in sides]
        two: Any = Verdict(answer, 0.25, -0.5, "high", "low", None, None, ())
        judged, names = without_reading(two, sides, (before, -0.5))
        shown = {"answer": answer, "a": 0.25, "b": -0.5, "reasons": []}
        then = {**shown, "answer": judged.answer, "reasons": list(judged.reasons)}
        found.append(([shown, given, [before, -0.5]], {"judged": then, "names": list(names)}))
    for one_answer in ("clear", None):
        one: Any = OneSide(one_answer, "high", 0.25, None, None, ())
        judged, names = without_reading(one, [("A", True, "The ")], (0.25,))
        shown = {"answer": one_answer, "at": 0.25, "reasons": []}
        then = {**shown, "answer": judged.answer, "reasons": list(judged.reasons)}
        given = [{"name": "A", "causal": True, "read": "The "}]
        found.append(([shown, given, [0.25]], {"judged": then, "names": list(names)}))
    return found


def of_verdicts() -> Table:
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
    both: list[Case] = []
    single: list[Case] = []
    heads: list[Case] = []
    alone: list[Case] = []
    still: list[Case] = []
    for model in ("minilm", "smollm2"):
        judged_both, judged_one = _by_bounds(model, kinds)
        both += judged_both
        single += judged_one
    for names in (("river", "money"), ("a*b", "a בנק")):
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
                unsure_two = {**two, "unsure": True}
                heads.append(([["bank", "bank"], list(names), unsure_two, None], said))
                for needed_by in (0.25, 0.5, 0.625, 0.7):
                    said = say.headline(("bank", "bank"), names, record, None, None, needed_by)
                    asked = [["bank", "bank"], list(names), unsure_two, None, None, needed_by]
                    heads.append((asked, said))
            still.append(([two, None, None], say.unmoved(record, None, None)))
    standing_: list[Case] = []
    for low, high in kinds:
        axis = _given_axis(low, high, [], [1.0])
        for some in ([A, B], ["The river and the shores of water, money, w0 w1 w2 w3 w4", ""], [A]):
            found = how_sure_standing(axis, some)
            standing_.append(([{"low": low, "high": high}, some], say.shared(found)))
    judged_by = [(model, shipped(model)) for model in ("minilm", "smollm2", "bert")]
    leaning: list[Case] = []
    for answer, pair in product(
        ("two meanings", "neither", None), ((-0.625, -0.625), (0.5, -0.125), (0.1, -0.1))
    ):
        of_word: Any = SimpleNamespace(
            question=SimpleNamespace(
                ends=SimpleNamespace(names=("river*", "a בנק")), words=("bank", "B*nk")
            ),
            verdict=SimpleNamespace(a=-0.5, b=0.125),
            same=None,
            alone=pair,
        )
        judged = {"answer": answer, "least": 0.25, "a": -0.5, "b": 0.125}
        said = "" if answer in ("neither", None) else say.leans(of_word, 0.25, " (x)")
        leaning.append(([["river*", "a בנק"], judged, [*pair], " (x)", ["bank", "B*nk"]], said))
        of_word.same, one = SimpleNamespace(at=0.3), {"answer": answer, "least": 0.25, "at": 0.3}
        said = "" if answer in ("neither", None) else say.leans(of_word, 0.25, " (x)")
        leaning.append(([["river*", "a בנק"], one, [*pair], " (x)", ["bank", "B*nk"]], said))
    needs: list[Case] = []
    for model, why, side_b in product(("minilm", "bert"), (sentence("reason.unsure"), "another"), ends):
        record = Verdict(None, -0.5, 0.5, "low", side_b, "unsure", None, (why,))
        unsure: Any = SimpleNamespace(same=None, verdict=record)
        needed = limit(unsure, shipped(model))
        unclear: dict[str, Any] = {"answer": None, "sideA": "low", "sideB": side_b, "least": None}
        unclear["reasons"] = [why]
        needs.append(([model, unclear], needed and needed.least))
    later: list[Case] = []
    for start, rests in (
        ("The bank", {"A": " by the river.", "B": "."}),
        ("The bank", {"A": " by the river", "B": " of much money and *of* gold"}),
        ("The bank", {"A": "", "B": "!"}),
        ("The bank", {"A": " is here, now or then", "B": ""}),
        ("The rivers' bank", {"A": " by the river and Money", "B": " of the river"}),
    ):
        two_ends = {"low": end(["river"]), "high": end(["money"])}
        sides = [
            {"name": n, "text": start + r, "word": "bank", "end": len(start)} for n, r in rests.items()
        ]
        axis = _given_axis(two_ends["low"], two_ends["high"], [], [1.0])
        of = {name: (start, start + rest) for name, rest in rests.items()}
        said = say.unread(axis, of, ("bank", "bank"), UNCASED)
        later.append(([two_ends, sides, False], said))
        said = say._not_yet(of, ("bank", "bank"), clue=True)
        later.append(([two_ends, sides, False, True], said))
    sided = [
        ([{"answer": answer, "least": least}], say.by_side(_with_limit(answer, least)))
        for answer, least in product(("two meanings", "not clear", None), (0.0, 0.35, None))
    ]
    return {
        "derive/verdict.js": {
            "layerOf": [([model], found and found.layer) for model, found in judged_by],
            "verdict": both,
            "oneSide": single,
            "headline": heads,
            "ofOne": alone,
            "standing": standing_,
            "unmoved": still,
            "leans": leaning,
            "needed": needs,
            "unread": later,
            "bySide": sided,
            "withoutReading": _of_unread(),
        }
    }
