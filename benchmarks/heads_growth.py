"""How times grow with the length of a text, as a chart: SVG that is readable on white and on dark."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

FILE = "heads_growth.svg"
WIDTH, HEIGHT = 860, 520
LEFT, RIGHT, TOP, BOTTOM = 74, 634, 74, 456  # of the frame; the names of the lines stand beyond it
LEAST = 0.05  # seconds at the bottom
APART = 17  # pixels between two names

STYLE = """
svg{--paper:#fff;--ink:#1f2328;--muted:#59636e;--line:#e3e6ea;
 --all:#0b62c4;--layer:#0d8577;--model:#c2410c;--head:#9a6700}
@media (prefers-color-scheme:dark){svg{--paper:#0d1117;--ink:#e6edf3;--muted:#9198a1;--line:#262c34;
 --all:#6cb0ff;--layer:#4fd0bd;--model:#ff9a6b;--head:#e3b341}}
text{font:13px system-ui,-apple-system,"Segoe UI",sans-serif;fill:var(--ink)}
.paper{fill:var(--paper)} .muted{fill:var(--muted)} .grid{stroke:var(--line)}
.title{font-size:16px;font-weight:600}"""


@dataclass(frozen=True)
class Line:
    """One line of the chart.

    Attributes:
        name: what stands at its end.
        colour: "all", "layer", "model" or "head".
        dashed: for the larger model.
        seconds: by tokens; None where it was not painted within the limit.
    """

    name: str
    colour: str
    dashed: bool
    seconds: Mapping[int, float | None]


def draw(lines: Sequence[Line], *, limit: float, title: str) -> str:
    """The chart: seconds over tokens, both in powers; what took too long, as rings at the top."""
    tokens = sorted({token for line in lines for token in line.seconds})
    span = math.log(tokens[-1] / tokens[0]), math.log(limit / LEAST)

    def x(count: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * math.log(count / tokens[0]) / span[0], 1)

    def y(seconds: float) -> float:
        inside = min(limit, max(LEAST, seconds))
        return round(BOTTOM - (BOTTOM - TOP) * math.log(inside / LEAST) / span[1], 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title><style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}" rx="6"/>',
        _text(LEFT - 48, 30, title, "title"),
    ]
    for seconds in (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, limit):
        parts.append(_rule(LEFT, y(seconds), RIGHT, y(seconds)))
        parts.append(_text(LEFT - 9, y(seconds) + 4, f"{seconds:g}", "muted", "end"))
    for count in tokens:
        parts.append(_rule(x(count), TOP, x(count), BOTTOM))
        parts.append(_text(x(count), BOTTOM + 20, str(count), "muted", "middle"))
    middle = (TOP + BOTTOM) / 2
    parts.append(_text((LEFT + RIGHT) / 2, BOTTOM + 46, "length of the text (tokens)", "", "middle"))
    parts.append(
        f'<text transform="translate(24 {middle}) rotate(-90)" text-anchor="middle">'
        "time until painted (seconds)</text>"
    )
    late = any(seconds is None for line in lines for seconds in line.seconds.values())
    if late:
        said = f"rings: not painted within {limit:.0f} seconds; longer texts were not tried"
        parts.append(_text(LEFT, TOP - 14, said, "muted"))
    parts += [_drawn(line, x, y, limit) for line in lines]
    ends = [(max(line.seconds), line) for line in lines if line.seconds]
    wanted = [y(limit if (end := line.seconds[last]) is None else end) for last, line in ends]
    for (last, line), at, place in zip(ends, wanted, _spread(wanted), strict=True):
        parts.append(_leader(x(last), at, place, line))
        parts.append(_text(RIGHT + 26, place + 4.5, line.name, "", colour=line.colour))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _drawn(line: Line, x, y, limit: float) -> str:
    """The line through what was painted, its dots, and the rings of what was not."""
    dash = ' stroke-dasharray="7 5"' if line.dashed else ""
    points = [(x(n), y(s)) for n, s in sorted(line.seconds.items()) if s is not None]
    rings = [(x(n), y(limit)) for n, s in sorted(line.seconds.items()) if s is None]
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


def _rule(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="grid" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'
