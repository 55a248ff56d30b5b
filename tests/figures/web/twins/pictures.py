"""Cases of pictures out of traces, and of their states."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.comparison.moves_by_part import MOST_SHOWN
from core.figures import About, OnPage, Patterns, Picture, cosine_paths, heads_of, layer_of, schema
from core.figures.attention import layer_state
from core.figures.trajectories.trajectory import FramePoint, Side, trajectory
from core.measures import (
    PATTERNS,
    WordPath,
    cosines,
    head_similarity,
    mean_of_all,
    patterns,
    without_special,
)
from core.measures.attention import token_names
from core.measures.attention.blocks import as_block
from core.measures.contributions.sentence_parts import parts
from core.measures.senses.sense_map import sense_map
from core.records.sense_axis import SenseAxis
from core.records.trace import Trace
from core.sentences import sentence
from core.settings import PATTERN_THRESHOLDS
from pages.heads import pattern_captions
from tests.figures.web.twins.common import (
    AXES,
    SENTENCES,
    A,
    B,
    Case,
    Reads,
    Table,
    axis_of,
    overlapping,
    plain,
    vectors,
)
from tests.figures.web.twins.traces import traced

SAMPLE = 41  # of so many numbers of a picture one is in the table, beside their sum


def of_states() -> Table:
    odd: tuple[Any, ...] = (
        None,
        True,
        -1,
        0,
        3,
        9,
        1e9,
        0.5,
        0.125,
        0.025,
        "head",
        "",
        [],
        [0, 3],
        [-1],
        [-1, 0],
        [99],
        [0.5],
        {},
        "from",
        False,
        [True],
        2.5,
    )
    layers: list[Case] = []
    for name in schema.state("layer"):
        layers += [
            ([{name: value}, heads, n], layer_state.start({name: value}, heads, (n, n)))
            for value in odd
            for heads, n in ((12, 9), (1, 40))[: 2 if name in ("on", "head") else 1]
        ]
    layers += [
        ([each, 12, 9], layer_state.start(each, 12, (9, 9)))
        for each in (
            {"pin": "query", "query": 3},
            {"pin": "key", "query": 3},
            {"pin": "key", "key": 99},
        )
    ]
    overviews: list[Case] = []
    trace = traced(A)
    n = len(trace.tokens)
    for name in schema.state("overview"):
        for value in odd:
            for tokens in ([*range(n)], [2, 3, 5]):
                there = {"tokens": tokens, "patterns": range(7), "typical": (False, True)}
                overviews.append(
                    (
                        [{name: value}, tokens, True],
                        schema.complete("overview", {name: value}, there, {"special": True}),
                    )
                )
    return {
        "derive/layer.js": {"completeLayer": layers},
        "derive/overview.js": {"completeOverview": overviews},
    }


def in_short(picture: Picture, but: Sequence[str] = ()) -> dict[str, Any]:
    header = {
        name: value
        for name, value in json.loads(json.dumps(picture.header, default=plain)).items()
        if name not in but
    }
    numbers = np.frombuffer(picture.payload, "u1" if header.get("dtype") == "uint8" else "<f4")
    kind = "levels" if numbers.dtype == np.uint8 else "numbers"
    some = {"length": len(numbers), "sum": numbers.sum(dtype=np.float64), kind: numbers[::SAMPLE]}
    return {"module": picture.module, "header": header, **some}


def _patterns(trace: Trace, layers: slice = slice(None)) -> Patterns:
    values = patterns(trace).values
    limits = [PATTERN_THRESHOLDS[name] for name in PATTERNS]
    return Patterns(
        tuple(pattern_captions.NAMES.values()), values[layers], np.zeros_like(values)[layers], limits
    )


def _overview(trace: Trace, chosen: Mapping[str, Any]) -> Any:
    block = as_block(trace)
    own = [i for i, apart in enumerate(trace.apart) if not apart]
    special: bool | None = chosen.get("special", not trace.first_is_sink)
    bare = special is False and 0 < len(own) < len(trace.tokens)
    special = special if len(own) < len(trace.tokens) else None
    picture = heads_of(
        without_special(block) if bare else block,
        notes=pattern_captions.notes(patterns(trace)),
        patterns=_patterns(trace),
        state={"special": special},
        positions=(own, own) if bare else None,
        missing_heads=block.absent,
    )
    return in_short(picture.choosing({**chosen, "special": special}))


def _scored(trace: Trace) -> dict[str, Any]:
    scores = patterns(trace)
    names = pattern_captions.strongest(scores)
    follows = [[None if name is None else PATTERNS.index(name) for name in row] for row in names]
    return {"values": scores.values, "follows": follows}


def _notes(trace: Trace) -> list[str]:
    return [one for row in pattern_captions.notes(patterns(trace)) for one in row]


def _layer(trace: Trace, layer: int, chosen: Mapping[str, Any]) -> Any:
    names = pattern_captions.strongest(patterns(trace))[layer]
    like = head_similarity(trace, layer)
    about = About(
        layer,
        _patterns(trace, slice(layer, layer + 1)),
        [None if name is None else PATTERNS.index(name) for name in names],
        [pattern_captions.nearest(those, layer, head) for head, those in enumerate(like)],
    )
    around = OnPage(above=True, about=about)
    own = {"special": False} if trace.first_is_sink else {}
    return in_short(layer_of(as_block(trace), layer, on_page=around).choosing({**own, **chosen}))


def _mean(trace: Trace, chosen: Mapping[str, Any]) -> Any:
    picture = layer_of(
        mean_of_all(as_block(trace)),
        0,
        averaged=True,
        on_page=OnPage(above=True),
        layer=sentence("heads.mean-title", count="72"),
        name="mean",
        without=sentence("heads.mean-scores"),
        sentence=sentence("heads.mean"),
    )
    own = {"special": False} if trace.first_is_sink else {}
    return in_short(picture.choosing({**own, **chosen}))


def _path(trace: Trace, tokens: Any) -> WordPath:
    at = [trace.learned, trace.embedded, *(trace.hidden if trace.hidden is not None else ())]
    return WordPath(tuple(rows[tokens].astype(np.float64).mean(axis=0) for rows in at), len(tokens))


def of_pictures(reads: Reads) -> Table:
    one_way = [f"⇢{one}" for one in (" The bank's river", "", f"{A}\n\n\t{B} é<|x|>")]
    shown = (A, SENTENCES[4], SENTENCES[6], "bank", SENTENCES[8], "אבג a 河", *one_way)
    overviews: list[Case] = []
    layers: list[Case] = []
    means: list[Case] = []
    for i, one in enumerate(shown):
        trace = reads.one(one)
        chosen = (
            {},
            {"special": False, "token": 3, "pattern": 1, "threshold": 0.125},
            {"direction": "from", "token": 99, "typical": True},
        )[i % 3]
        overviews.append(([one, chosen], _overview(trace, chosen)))
        layers.append(
            (
                [one, i % 6, {"head": i, "query": 2, "level": "head"}],
                _layer(trace, i % 6, {"head": i, "query": 2, "level": "head"}),
            )
        )
        means.append(([one, {"head": 99, "on": [1, 40]}], _mean(trace, {"head": 99, "on": [1, 40]})))
    moving: list[Case] = []
    found: list[Case] = []
    for spec, names in ((AXES[0], "AB"), (AXES[1], "A"), (AXES[0], "B")):
        axis = axis_of(*spec, reads)
        assert isinstance(axis, SenseAxis)
        both = [reads.one(one) for one in (SENTENCES[2], SENTENCES[8])]
        chosen_ = [trace.occurrences(of="bank")[0] for trace in both]
        contexts = [*axis.frames.low.contexts, *axis.frames.high.contexts]
        own = [vectors(traced(c.text), overlapping(c.text, c.start, c.end)) for c in contexts]
        seen = sense_map(
            axis, np.stack([*own, *(vectors(t, w.tokens) for t, w in zip(both, chosen_, strict=True))])
        )
        sides = []
        for name in names:
            i = "AB".index(name)
            pieces, at = parts(both[i], chosen_[i].start, chosen_[i].end, MOST_SHOWN)
            across = seen.across[len(own) + i]
            word = reads.one(both[i].texts[0][chosen_[i].start : chosen_[i].end])
            sides.append(
                Side(
                    name,
                    pieces[at].text,
                    [p.text for p in pieces],
                    at,
                    axis.coordinates(both[i], chosen_[i].tokens),
                    axis.coordinates(word, word.find(word.texts[0])),
                    across,
                )
            )
        points = [
            FramePoint(c.text, i >= len(axis.frames.low.contexts), seen.along[i], seen.across[i])
            for i, c in enumerate(contexts)
        ]
        picture = trajectory(sides, points, ends=("river", "money"), depth=3, unclear=0.4, why="None.")
        given = [
            list(spec),
            [[t.texts[0], w._asdict()] for t, w in zip(both, chosen_, strict=True)],
            list(names),
            3,
            "None.",
            0.4,
        ]
        moving.append((given, in_short(picture, but=("id",))))
    for one in (*SENTENCES[:4], SENTENCES[8]):
        trace = reads.one(one)
        for where in trace.occurrences(of="bank"):
            pieces, at = parts(trace, where.start, where.end, MOST_SHOWN)
            found.append(([one, where._asdict()], {"parts": [p.text for p in pieces], "at": at}))
    a, b, alone = reads.one(A), reads.one(B), reads.one("the bank .")
    paths = [_path(trace, trace.find("bank")) for trace in (a, b, alone)]
    together = cosine_paths(
        cosines(paths[0], paths[1]), (cosines(paths[0], paths[2]), cosines(paths[1], paths[2]))
    )
    return {
        "derive/patterns.js": {
            "patternScores": [([one], _scored(reads.one(one))) for one in shown[:4]],
            "notes": [([one], _notes(reads.one(one))) for one in shown],
        },
        "derive/overview.js": {"overviewOf": overviews},
        "derive/tokennames.js": {
            "namesOf": [([one], token_names.names(reads.one(one))) for one in shown]
        },
        "derive/layer.js": {"layerOf": layers, "meanOf": means},
        "derive/trajectory.js": {
            "trajectoryOf": moving,
            "partsOf": found,
            "cosinesOf": [([A, B, "the bank .", "bank"], in_short(together))],
        },
    }
