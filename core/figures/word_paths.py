"""The path of a word over the depth of a model: between two senses, or by cosine."""

from __future__ import annotations

from core.figures import style
from core.figures.web import Band, Line, Picture, lines
from core.measures import Spread
from core.trace import Array

HEIGHT = 330


def sense_paths(places_a: Array, places_b: Array, *, low: str, high: str) -> Picture:
    """One line a sentence, left to right through the layers, up and down between two senses.

    Args:
        places_a: where the word of sentence A stands at every depth, (depths,), from
            `SenseAxis.place`.
        places_b: the same for sentence B.
        low: the name of the anchor group at −1.
        high: the name of the anchor group at +1.
    """
    one = abs(float(places_a[0]) - float(places_b[0])) < 5e-4
    ends = (
        min(-1.15, *map(float, (*places_a, *places_b))),
        max(1.15, *map(float, (*places_a, *places_b))),
    )
    return _lines(
        [
            Line("Sentence A", places_a, style.SENTENCE_A, "circle", f"A {style.signed(places_a[-1])}"),
            Line("Sentence B", places_b, style.SENTENCE_B, "square", f"B {style.signed(places_b[-1])}"),
        ],
        len(places_a),
        guides=[(-1, f"{style.short(low)} −1"), (0, "halfway 0"), (1, f"{style.short(high)} +1")],
        bounds=ends,
        start="learned" if one else None,
        band=None,
        sentence=f"The place of the word between {low} (−1) and {high} (+1) at every depth.",
    )


def cosine_paths(
    together: Array, from_alone: tuple[Array, Array], *, same: Spread | None = None
) -> Picture:
    """Cosine similarities over depth.

    Args:
        together: of the word in A and the word in B, (depths,).
        from_alone: of the word in A, and of that in B, with the same word by itself, (depths,) each.
        same: the range of `together` within one sense, where that is known: drawn as a band.
    """
    a, b = from_alone
    least = min(0.0, *map(float, (*together, *a, *b)))
    return _lines(
        [
            Line("A and alone", a, style.SENTENCE_A, "circle", f"A {style.signed(a[-1])}"),
            Line("B and alone", b, style.SENTENCE_B, "square", f"B {style.signed(b[-1])}"),
            Line("A and B", together, style.LEARNED, "diamond", f"A·B {style.signed(together[-1])}"),
        ],
        len(together),
        guides=[(0, "0"), (0.5, ".5"), (1, "same 1")],
        bounds=(least, 1.0),
        start=None,
        band=None if same is None else Band(same.low, same.high, "A·B within one sense"),
        sentence="Cosine similarities at every depth: A with B, and each of them with the word alone.",
    )


def _lines(
    shown: list[Line],
    depths: int,
    *,
    guides: list[tuple[float, str]],
    bounds: tuple[float, float],
    start: str | None,
    band: Band | None,
    sentence: str,
) -> Picture:
    return lines(
        shown,
        steps=[style.depth_name(depth) for depth in range(depths)],
        ticks=[style.depth_tick(depth) for depth in range(depths)],
        axis="after layer",
        guides=guides,
        bounds=bounds,
        start=start,
        band=band,
        sentence=sentence,
        name="path",
        height=HEIGHT,
    )
