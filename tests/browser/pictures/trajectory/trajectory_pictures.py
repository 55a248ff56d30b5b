"""Trajectories of made-up words, drawn as on Compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from core.figures import Picture
from core.figures.trajectories.trajectory import Adds, FramePoint, Side, trajectory

A = ("He", " ", "fished", " ", "on", " ", "a", " ", "bank", ".")
B = ("Her", " ", "bank", " ", "lends", " ", "money", "!")
WORDS = {
    "plain": (A, B),
    "rtl": (("ישב", " ", "על", " ", "bank", " ", "הנהר"), B),
    "nasty": (("<b>", " ", "🎣", " ", "bank", " ", "<script>alert(1)</script>"), B),
    "long": (("…", *(part for i in range(60) for part in (" ", f"word{i}")), " ", "bank", " ", "…"), B),
}


def sides(kind: str = "plain", layers: int = 5) -> tuple[Side, Side]:
    """Both sentences: A rises to 0.9, B falls to −0.7; no two numbers are equal."""
    random = np.random.default_rng(3)
    found = []
    for name, parts, end in zip("AB", WORDS.get(kind, WORDS["plain"]), (0.9, -0.7), strict=True):
        position = end * np.linspace(0.5, 1, layers) + random.normal(0, 0.05, layers)
        blank = np.array([not part.strip() for part in parts])
        adds = random.normal(0, 0.3, (layers, len(parts)))
        adds[:, blank] = np.nan
        special, bias = random.normal(0, 0.1, (2, layers))
        alone = position - np.nansum(adds, axis=1) - special - bias
        found.append(
            Side(
                name,
                "bank",
                parts,
                parts.index("bank"),
                position,
                alone,
                random.normal(0, 0.4, layers),
                Adds(adds, special, bias),
                ("[CLS]", "[SEP]"),
            )
        )
    return found[0], found[1]


def points(layers: int = 5) -> list[FramePoint]:
    random = np.random.default_rng(5)
    return [
        FramePoint(
            f"frame {i}",
            i % 2 == 1,
            (1 if i % 2 else -1) * (1 + i) * 0.5 + random.normal(0, 0.2, layers),  # far beyond the ends
            random.normal(0, 0.3, layers),
        )
        for i in range(6)
    ]


def made(asked: Mapping[str, str]) -> Picture:
    """The picture that an address names: `kind` of words, `layers`, `depth`, `play`, `adds`."""
    layers = int(asked.get("layers", "5"))
    both = sides(asked.get("kind", "plain"), layers)
    adds = asked.get("adds", "there")
    if adds != "there":
        both = replace(both[0], adds=None), replace(both[1], adds=None)
    picture = trajectory(
        both,
        points(layers),
        ends=("money", "river"),
        depth=int(asked.get("depth", layers)),
        play=asked.get("play") == "1",
        key="made",
        wants=adds == "wanted",
        why="It runs in another program." if adds == "never" else "",
    )
    return Picture(picture.module, {**picture.header, "events": ("state", "wanted")}, b"")
