"""Lines over something that grows, as a chart: SVG that is readable on white and on dark."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 860, 520
LEFT, RIGHT, TOP, BOTTOM = 74, 634, 74, 456  # of the frame; the names of the lines stand beyond it
APART = 17  # pixels between two names

STYLE = """
svg{--paper:#fff;--ink:#1f2328;--muted:#59636e;--line:#e3e6ea;
 --blue:#0b62c4;--green:#0d8577;--orange:#c2410c;--brown:#9a6700}
@media (prefers-color-scheme:dark){svg{--paper:#0d1117;--ink:#e6edf3;--muted:#9198a1;--line:#262c34;
 --blue:#6cb0ff;--green:#4fd0bd;--orange:#ff9a6b;--brown:#e3b341}}
text{font:13px system-ui,-apple-system,"Segoe UI",sans-serif;fill:var(--ink)}
.paper{fill:var(--paper)} .muted{fill:var(--muted)} .grid{stroke:var(--line)}
.asked{stroke:var(--muted);stroke-width:1.4;stroke-dasharray:6 4}
.title{font-size:16px;font-weight:600}"""


@dataclass(frozen=True)
class Line:
    """One line of the chart.

    Attributes:
        name: what stands at its end.
        colour: "blue", "green", "orange" or "brown".
        dashed: beside one of the same colour.
        points: what was measured, by what grew; None where it was more than the axis shows.
    """

    name: str
    colour: str
    dashed: bool
    points: Mapping[int, float | None]


@dataclass(frozen=True)
class Axis:
    """What is counted along one side of the frame.

    Attributes:
        name: what, and in which unit.
        ticks: the numbers that are written; the first and the last are its ends.
        powers: whether equal steps are equal ratios.
    """

    name: str
    ticks: Sequence[float]
    powers: bool = False

    def place(self, value: float, start: float, stop: float) -> float:
        """Where a value stands between two ends; one beyond them stands at the end."""
        least, most = self.ticks[0], self.ticks[-1]
        inside = min(most, max(least, value))
        if self.powers:
            share = math.log(inside / least) / math.log(most / least)
        else:
            share = (inside - least) / (most - least)
        return round(start + (stop - start) * share, 1)


def draw(
    lines: Sequence[Line],
    across: Axis,
    up: Axis,
    title: str,
    *,
    note: str = "",
    asked: float | None = None,
) -> str:
    """The chart.

    Args:
        lines: what was measured; what was more than `up` shows stands at the top, as rings.
        across: what grows.
        up: what was measured.
        title: what it shows.
        note: what must be known to read it, above the frame.
        asked: the value of a target, drawn across.
    """

    def x(value: float) -> float:
        return across.place(value, LEFT, RIGHT)

    def y(value: float) -> float:
        return up.place(value, BOTTOM, TOP)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title><style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}" rx="6"/>',
        _text(LEFT - 48, 30, title, "title"),
        _text(LEFT, TOP - 14, note, "muted"),
    ]
    for value in up.ticks:
        parts.append(_rule(LEFT, y(value), RIGHT, y(value)))
        parts.append(_text(LEFT - 9, y(value) + 4, f"{value:g}", "muted", "end"))
    for value in across.ticks:
        parts.append(_rule(x(value), TOP, x(value), BOTTOM))
        parts.append(_text(x(value), BOTTOM + 20, f"{value:g}", "muted", "middle"))
    middle = (TOP + BOTTOM) / 2
    parts.append(_text((LEFT + RIGHT) / 2, BOTTOM + 46, across.name, "", "middle"))
    parts.append(
        f'<text transform="translate(24 {middle}) rotate(-90)" text-anchor="middle">'
        f"{escape(up.name)}</text>"
    )
    if asked is not None:
        parts.append(_rule(LEFT, y(asked), RIGHT, y(asked), "asked"))
        parts.append(_text(RIGHT - 6, y(asked) - 6, f"asked: {asked:,g}", "muted", "end"))
    parts += [_drawn(line, x, y, up.ticks[-1]) for line in lines]
    ends = [(max(line.points), line) for line in lines if line.points]
    wanted = [y(up.ticks[-1] if (end := line.points[last]) is None else end) for last, line in ends]
    for (last, line), at, place in zip(ends, wanted, _spread(wanted), strict=True):
        parts.append(_leader(x(last), at, place, line))
        parts.append(_text(RIGHT + 26, place + 4.5, line.name, "", colour=line.colour))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _drawn(line: Line, x: Callable[[float], float], y: Callable[[float], float], most: float) -> str:
    """The line through what was painted, its dots, and the rings of what was not."""
    dash = ' stroke-dasharray="7 5"' if line.dashed else ""
    points = [(x(n), y(s)) for n, s in sorted(line.points.items()) if s is not None]
    rings = [(x(n), y(most)) for n, s in sorted(line.points.items()) if s is None]
    stroke = f'stroke="var(--{line.colour})"'
    parts = []
    if len(points) > 1:
        path = " ".join(f"{a},{b}" for a, b in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke-width="2.4" {stroke}{dash}/>')
    if points and rings:  # on its way there
        (a, b), (c, d) = points[-1], rings[0]
        way = f'x1="{a}" y1="{b}" x2="{c}" y2="{d}"'
        parts.append(f'<line {way} stroke-width="1.3" {stroke} stroke-dasharray="2 4"/>')
    parts += [f'<circle cx="{a}" cy="{b}" r="4" fill="var(--{line.colour})"/>' for a, b in points]
    ring = f'r="5.5" fill="var(--paper)" stroke-width="2.4" {stroke}'
    return "\n".join([*parts, *(f'<circle cx="{a}" cy="{b}" {ring}/>' for a, b in rings)])


def _leader(x: float, y: float, place: float, line: Line) -> str:
    """From the end of a line to its name."""
    return (
        f'<path d="M{x + 8} {y}L{RIGHT + 8} {y}L{RIGHT + 22} {place}" fill="none" '
        f'stroke="var(--{line.colour})" stroke-opacity=".55"/>'
    )


def _spread(wanted: Sequence[float]) -> list[float]:
    """Places as near as may be to those wanted, none over another, all within the chart."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    places = list(wanted)
    lowest = float(TOP - APART)
    for i in order:
        places[i] = lowest = max(wanted[i], lowest + APART)
    highest = BOTTOM + 4.0
    for i in reversed(order):
        places[i] = highest = min(places[i], highest)
        highest -= APART
    return places


def _text(x: float, y: float, text: str, kind: str, anchor: str = "start", colour: str = "") -> str:
    fill = f' style="fill:var(--{colour})"' if colour else ""
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}"{named}{fill}>{escape(text)}</text>'


def _rule(x1: float, y1: float, x2: float, y2: float, kind: str = "grid") -> str:
    return f'<line class="{kind}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'
