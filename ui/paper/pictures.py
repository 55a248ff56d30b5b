"""The pictures of a sheet: lines and bars in black, as SVG that needs no style.

A line of numbers is there to mark a prediction on it. Bars and curves (`core.lessons.pictured`) stand
on the key, and on the slides of answers: they show the answer.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping

from core.figures.labels import label
from core.lessons import Number, Step
from core.lessons.expressions import counted, filled
from core.lessons.pictured import Bars, Lines, Pictured
from core.localization import _

# Pixels, as wide as `sheet.css` draws it, for its letters to have 9 points: of a picture; a bar; names.
_WIDE, _ROW, _NAMES = 204.0, 14.0, 76.0
_LINES, _LEFT, _RIGHT = 264.0, 72.0, 80.0  # of lines: the width, and the room for names beside them
_MOST_BARS = 6
_DASHES = ("", "5 3", "1.5 2.5")  # A, B, and a word alone


def _svg(width: float, height: float, parts: Iterable[str], about: str) -> str:
    kind = "figure lines" if width == _LINES else "figure"
    return (
        f'<svg class="{kind}" role="img" aria-label="{html.escape(about)}" '
        f'viewBox="0 0 {width:g} {height:g}" font-size="12">{"".join(parts)}</svg>'
    )


def _stroke(x1: float, y1: float, x2: float, y2: float, more: str = "") -> str:
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" fill="none" stroke="#000" {more}/>'


def _words(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(words)}</text>'


def line(step: Step, texts: Mapping[str, str], answer: float | None = None) -> str:
    """The line of numbers of a step, to mark a prediction on it; "" where its places have no names.

    Args:
        step: the step.
        texts: the texts of the lesson.
        answer: a number to mark on it; None for a line without.
    """
    if not isinstance(step.prediction, Number) or len(step.scale) < 2:
        return ""
    marks = [(one.at, filled(one.name, texts)) for one in step.scale]
    places = [at for at, _name in marks] + ([] if answer is None else [answer])
    low, high = min(places), max(places)
    wide = 2 * _WIDE  # it has a row for itself
    top = 4.0 if answer is None else 24.0

    def x(value: float) -> float:
        return 12 + (wide - 24) * (value - low) / (high - low)

    def side(value: float) -> tuple[str, float]:
        """Where letters begin, and how far from their place: none stands beyond the line."""
        if x(value) < wide / 3:
            return "start", -8
        return ("end", 8) if x(value) > 2 * wide / 3 else ("middle", 0)

    parts = [_stroke(2, top, wide - 2, top)]
    for at, name in marks:
        anchor, edge = side(at)
        parts += [
            _stroke(x(at), top - 3.5, x(at), top + 3.5),
            _words(x(at) + edge, top + 13, f"{counted(at)} {name}", anchor),
        ]
    about = _("A line to mark the prediction on")
    if answer is not None:
        anchor, edge = side(answer)
        parts += [
            f'<circle cx="{x(answer):.1f}" cy="{top:g}" r="5" fill="#000"/>',
            _words(x(answer) + edge, top - 10, counted(answer), anchor),
        ]
        about = _("The answer on its line: {number}").format(number=counted(answer))
    return _svg(wide, top + 16, parts, about)


def of(shown: Pictured | None, ends: tuple[str, str] = ("", "")) -> str:
    """A picture of the answer; "" for none.

    Args:
        shown: what it shows.
        ends: the names of −1 and +1, of lines over layers.
    """
    if isinstance(shown, Bars):
        return _bars(shown)
    return "" if shown is None else _lines(shown, ends)


def _bars(shown: Bars) -> str:
    pairs = [*zip(shown.names, shown.values, strict=True)]
    if len(pairs) > _MOST_BARS:  # the largest, in their order
        least = sorted(shown.values)[-_MOST_BARS]
        pairs = [one for one in pairs if one[1] >= least][:_MOST_BARS]
    room = _WIDE - _NAMES - 36
    about = _("Probability of the next word") if shown.expected else _("Share of the attention")
    parts = [_words(2, 12, about)]
    pairs = [(label(name), value) for name, value in pairs]
    for i, (name, value) in enumerate(pairs, 1):
        y = i * _ROW
        parts.append(_words(_NAMES - 5, y + 12, name, "end"))
        wide = max(room * value, 0.4)
        parts.append(
            f'<rect x="{_NAMES:g}" y="{y + 2.5:.1f}" width="{wide:.1f}" height="10" fill="#555"/>'
        )
        parts.append(_words(_NAMES + wide + 4, y + 12, counted(value)))
    said = "; ".join(f"{a} {counted(b)}" for a, b in pairs)
    return _svg(_WIDE, (len(pairs) + 1) * _ROW + 2, parts, f"{about}: {said}")


def _lines(shown: Lines, ends: tuple[str, str]) -> str:
    about = _caption(shown)
    high_at, names_at, deep = 24.0, _LINES - _RIGHT, 48.0
    values = [one for _name, line in shown.lines for one in line] + (
        [0.0] if shown.trained else [-1.0, 1.0]
    )
    low, high = min(values), max(values)

    def x(at: float) -> float:
        return _LEFT + (names_at - _LEFT - 6) * (at - shown.at[0]) / (shown.at[-1] - shown.at[0])

    def y(value: float) -> float:
        return high_at + deep * (high - value) / ((high - low) or 1)

    marks = [(0.0, ""), (high, "")] if shown.trained else [(-1.0, ends[0]), (0.0, ""), (1.0, ends[1])]
    parts = [_words(2, 12, about)]
    for value, name in marks:
        parts.append(_stroke(_LEFT, y(value), names_at, y(value), 'stroke-width=".4"'))
        parts.append(_words(_LEFT - 4, y(value) + 4, f"{name} {counted(value)}".strip(), "end"))
    told = []
    taken: list[float] = []
    for (name, line), dashes in zip(shown.lines, _DASHES, strict=False):
        points = "L".join(
            f"{x(at):.1f} {y(value):.1f}" for at, value in zip(shown.at, line, strict=True)
        )
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        parts.append(f'<path d="M{points}" fill="none" stroke="#000" stroke-width="1.4"{dashed}/>')
        called = "" if shown.trained else name or _("alone")
        said = f"{called} {counted(line[-1])}".strip()
        at = y(line[-1]) + 4
        while any(abs(at - other) < 12 for other in taken):
            at += 1
        taken.append(at)
        parts.append(_words(names_at + 4, at, said))
        told.append(said)
    below = max([high_at + deep, *taken]) + 13
    for at in (shown.at[0], shown.at[-1]):
        parts.append(_words(x(at), below, counted(float(at)), "middle"))
    over = _("steps") if shown.trained else _("after layer")
    parts.append(_words((_LEFT + names_at) / 2, below, over, "middle"))
    return _svg(_LINES, below + 4, parts, f"{about}: {'; '.join(told)}")


def _caption(shown: Lines) -> str:
    if not shown.trained:
        return _("Where the word lies, layer by layer")
    what = {"loss": _("Loss"), "accuracy": _("Accuracy"), "found": _("Share of the attention")}
    return what[shown.lines[0][0]]
