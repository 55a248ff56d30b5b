"""Curves and points for the tests: `bank` in MiniLM, gaps, unusual names."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.figures import (
    Axis,
    Band,
    GroupedPoints,
    Line,
    Picture,
    Point,
    Side,
    StepAxis,
    ValueAxis,
    cloud,
    cloud_in_space,
    groups_of,
    in_space,
    lines,
    scatter,
    style,
    word_map,
)

# Positions in the plane at 8 depths, from MiniLM; A and B are `bank` in the opening sentences.
BANK = {
    name: np.array(places)
    for name, places in json.loads(Path(__file__).with_name("bank.json").read_text()).items()
}
LOW = ("money", "deposit", "withdraw", "cash", "loan", "finance")
HIGH = ("river", "water", "nature", "stream", "shore", "fishing")
STEPS = tuple(style.depth_name(depth) for depth in range(8))
TICKS = ("◆", "+pos", *"123456")
GUIDES = ((-1, "money −1"), (0, "halfway 0"), (1, "river +1"))
ODD = ("<b>bold</b>", "😀👩‍👩‍👧 family", "שלום", "a\x01\ud800b", "pneumonoultramicroscopicsilico", " ")
COLOURS = (style.SENTENCE_A, style.SENTENCE_B, style.LEARNED)
NAN = float("nan")


def bank_lines(seed: int = 1, band: Band | None = None) -> Picture:
    """The path of `bank`; another seed ends elsewhere."""
    a, b = BANK["A"][:, 0], BANK["B"][:, 0] + 0.1 * (seed - 1) * (np.arange(8) == 7)
    return lines(
        [
            Line("Sentence A", a, style.SENTENCE_A, "circle", f"A {style.signed(a[-1])}"),
            Line("Sentence B", b, style.SENTENCE_B, "square", f"B {style.signed(b[-1])}"),
        ],
        StepAxis(STEPS, TICKS, "after layer"),
        ValueAxis(GUIDES, bounds=(-1.15, 1.15)),
        start="learned, the same in both",
        band=band,
        sentence="The path of bank.",
        name="path",
    )


def band_lines() -> Picture:
    """The path with a range behind it that has a gap."""
    middle = BANK["alone"][:, 0].copy()
    middle[3] = NAN
    return bank_lines(band=Band(middle - 0.15, middle + 0.2, "bank in 40 sentences"))


GAPS = {  # name -> values; all start at different points
    "one": [NAN, 0.25, 0.5, NAN, 0.125, NAN],
    "two": [0.5, -0.5, NAN, NAN, -0.25, 0.75],
    "three": [-0.75, -0.5, -0.5, -0.5, -0.375, 0.7],
}


def gap_lines() -> Picture:
    """Curves with gaps, two of which end at nearly the same point; without guides and labels."""
    marks: tuple = ("circle", "square", "diamond")
    shown = [
        Line(name, values, colour, mark)
        for (name, values), colour, mark in zip(GAPS.items(), COLOURS, marks, strict=True)
    ]
    steps = StepAxis([f"Step {i}" for i in range(6)], list("012345"), "step")
    return lines(shown, steps, ValueAxis(digits=4), sentence="Gaps.", name="gaps")


def odd_lines() -> Picture:
    """Many curves that end together, with names that are not plain words."""
    values = np.random.default_rng(5).normal(size=(6, 5))
    values[:, -1] = 0.5
    shown = [Line(name, row, style.SENTENCE_A, "none") for name, row in zip(ODD, values, strict=True)]
    names = [*ODD[:4], "x"]
    steps = StepAxis(names, names, "<i>axis</i> " * 20)
    guides = ValueAxis([(0, ODD[2]), (9, ODD[0])])
    return lines(shown, steps, guides, sentence="Odd <i>names</i>.", name="odd")


def plane_picture(depth: int = 7, *, trail: bool = False, seed: int = 1) -> Picture:
    """The move of `bank` among the anchors; another seed moves `alone`."""
    shift = 0.1 * (seed - 1)
    moving = {"bold": True, "dashed": not trail, "trail": trail}
    points = [
        Point("A", BANK["A"], style.SENTENCE_A, "circle", **moving),
        Point("B", BANK["B"], style.SENTENCE_B, "square", **moving),
        Point("learned", BANK["A"], style.LEARNED, "diamond", fixed=True),
        Point("alone", BANK["alone"] + shift, style.LEARNED, "ring", trail=trail),
        *(Point(word, BANK[word], style.LEARNED, "left") for word in LOW),
        *(Point(word, BANK[word], style.LEARNED, "right") for word in HIGH),
    ]
    return scatter(
        points,
        steps=STEPS,
        depth=depth,
        x=Axis("place on the sense axis of this layer", GUIDES),
        y=Axis("across it: one direction"),
        guides=[("y", -0.5), ("y", 1.5)],
        sentence="The move of bank.",
        name="move",
    )


def cloud_places(count: int) -> np.ndarray:
    """(points, 3 depths, 2): all at one point at first, then three clusters."""
    places = np.random.default_rng(11).normal(size=(count, 3, 2))
    places += 8 * np.eye(3)[:, :2][np.arange(count) % 3][:, None]
    places[:, 0] = 0
    return places


def three_groups(coordinates: np.ndarray, texts: Sequence[tuple[str, str, str]]) -> GroupedPoints:
    """The points in three groups, in turn."""
    groups = groups_of(["one", "<b>two</b>", "three"])
    return GroupedPoints(
        coordinates, texts, groups, np.arange(len(texts)) % 3, ("learned", "Layer 1", "Layer 2")
    )


def cloud_picture(count: int = 2003) -> Picture:
    """Points with sentences, in three groups; every seventh sentence is unusual."""
    texts = [
        (ODD[i // 7 % 6] if i % 7 == 0 else f"Sentence {i} on the ", "bank", ".") for i in range(count)
    ]
    return cloud(
        three_groups(cloud_places(count), texts),
        depth=2,
        titles=("first component", "second"),
        words=("along", "up"),
        sentence="A cloud of points.",
        name="cloud",
    ).choosing({"depth": 2, "chosen": 4})


def word_map_picture(count: int = 200, sides: int = 2) -> Picture:
    """Words in rows of ten, on a second map from right to left; some are unusual, one is missing."""
    at = np.array([(i % 10, i // 10) for i in range(count)], np.float32)
    words = [ODD[i // 7 % 6] if i % 7 == 6 else f"word{i}" for i in range(count)]
    other = at * (-1, 1) + (9, 0)
    other[1] = np.nan
    counts = np.arange(2 * count, count, -1)
    each = [
        Side("left", at, counts, np.arange(count) % 3),
        Side("right", other, counts - 1, np.arange(count) % 3),
    ]
    if sides == 1:
        each = [Side("", at, counts, np.arange(count) % 3)]
    return word_map(
        words, each, groups_of(["one", "<b>two</b>", "three"]), sentence="A map of words.", name="words"
    )


SPACE = np.random.default_rng(13).normal(size=(5, 3, 3)).astype("<f4") * (1, 2, 0.5)


def space_picture() -> Picture:
    """Five points in three dimensions at three depths, each with its trail."""
    of = [style.SENTENCE_A, style.SENTENCE_B, *[style.LEARNED] * 3]
    points = [Point(f"p{i}", SPACE[i], of[i], bold=i < 2, trail=True) for i in range(5)]
    flat = scatter(
        [replace(point, coordinates=SPACE[i, :, :2]) for i, point in enumerate(points)],
        steps=STEPS[:3],
        depth=2,
        x=Axis("x"),
        y=Axis("y"),
        sentence="Five points.",
        name="space",
        play=True,
    )
    return in_space(flat, points, ("PCA 1: 50 %", "PCA 2: 30 %", "PCA 3: 10 %"), height=480)


def cloud_space(count: int = 2003) -> Picture:
    """The points of `cloud_picture` in three dimensions; at all depths, z rises from 0 to 1."""
    rising = np.broadcast_to(np.linspace(0, 1, count)[:, None, None], (count, 3, 1))
    flat = cloud_picture(count).header
    coordinates = np.concatenate([cloud_places(count), 9 * rising], axis=2)
    return cloud_in_space(
        three_groups(coordinates, [tuple(parts) for parts in flat["texts"]]),
        depth=2,
        chosen=4,
        titles=("PCA 1", "PCA 2", "PCA 3"),
        sentence="A cloud of points in space.",
        name="cloud-space",
    )


def odd_plane() -> Picture:
    """Points with unusual names; one has no position at first, and one never has."""
    places = np.random.default_rng(7).normal(size=(7, 3, 2))
    places[4, 0] = NAN
    places[6] = NAN
    points = [
        Point(name, place, style.LEARNED, "ring", trail=i == 4)
        for i, (name, place) in enumerate(zip((*ODD, "nowhere"), places, strict=True))
    ]
    return scatter(
        points,
        steps=("<b>0</b>", "שלום", "2"),
        depth=1,
        x=Axis("<i>x</i> " * 30),
        y=Axis("y", ((0.0, ODD[4]), (1.0, "שלום"))),
        sentence="Odd <i>points</i>.",
        name="odd",
    )


def made(seed: int) -> dict[str, Callable[[], Picture]]:
    """Every kind of picture that the app can name."""
    return {
        "lines": lambda: bank_lines(seed),
        "band": band_lines,
        "gaps": gap_lines,
        "oddlines": odd_lines,
        "plane": lambda: plane_picture(seed=seed),
        "start": lambda: plane_picture(0),
        "trails": lambda: plane_picture(trail=True),
        "oddplane": odd_plane,
        "space": space_picture,
        "cloud": cloud_picture,
        "wordmap": word_map_picture,
        "few": lambda: cloud_picture(17),
        "cloudspace": cloud_space,
        "fewspace": lambda: cloud_space(17),
    }
