"""A prediction drawn on the answer: on a line of numbers, among the choices, or in a grid of heads."""

from __future__ import annotations

import html
from collections.abc import Mapping

from core.lessons import Answer, Choice, Click, Number, Step, Value
from core.lessons.expressions import counted, filled
from core.localization import _

_NEAR_EDGE = 20  # per cent of the line: a label there begins or ends at its place, to stay inside
_HEADS = ("l", "h")
_MOST_CELLS = 40
STYLE = """<style>
.polysee-drawn {font-size: .875rem; line-height: 1.35; margin: .1rem 0;
--you: light-dark(#a8480b, #f0a468); --model: light-dark(#2c6199, #7cb2ea);}
.polysee-drawn :is(.line, .grid) {max-width: 26rem;}
.polysee-drawn ul {list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap;
gap: .1rem .75rem;}
.polysee-drawn li {padding: .1rem .5rem; border-left: 3px solid transparent; overflow-wrap: anywhere;}
.polysee-drawn li.model {border-color: var(--model); font-weight: 600;}
.polysee-drawn b {font-weight: 600; margin-left: .6em;}
.polysee-drawn .you {color: var(--you);}
.polysee-drawn :is(.model b, span.model) {color: var(--model);}
.polysee-drawn .line {position: relative; height: 5.2rem; margin: 0 .6rem;}
.polysee-drawn .line > * {position: absolute; white-space: nowrap;}
.polysee-drawn .mid {transform: translateX(-50%);}
.polysee-drawn .to {transform: translateX(-100%);}
.polysee-drawn .axis {top: 2.1rem; border-top: 1px solid currentColor; opacity: .5;}
.polysee-drawn .near {top: calc(2.1rem - 5px); height: 11px; border-radius: 5px;
background: currentColor; opacity: .15;}
.polysee-drawn .tick {top: calc(2.1rem - 4px); height: 9px; border-left: 1px solid currentColor;}
.polysee-drawn .dot.model {top: calc(2.1rem - 5px); width: 11px; height: 11px; margin-left: -5px;
border-radius: 50%; background: var(--model);}
.polysee-drawn .dot.you {top: calc(2.1rem - 14px); margin-left: -6px; border: 6px solid transparent;
border-bottom: 0; border-top: 10px solid var(--you);}
.polysee-drawn .said {top: 0;}
.polysee-drawn .told {top: 2.6rem; font-weight: 600;}
.polysee-drawn .mark {top: 4rem;}
.polysee-drawn .grid {display: grid; gap: 2px;}
.polysee-drawn .grid i {aspect-ratio: 1; border-radius: 2px; box-sizing: border-box;
background: color-mix(in srgb, currentColor 12%, transparent);}
.polysee-drawn .grid i.model {background: var(--model);}
.polysee-drawn .grid i.you {border: 2px solid var(--you);}
</style>"""


def answer(
    step: Step,
    made: Answer,
    predicted: Value,
    texts: Mapping[str, str],
    grid: tuple[int, int] | None = None,
) -> str:
    """The HTML of a prediction and the answer, one on the other; "" if they cannot be drawn.

    Args:
        step: the step.
        made: the answer.
        predicted: of a choice, its words; a number; or the clicked values as in a link.
        texts: the texts of the lesson.
        grid: how many layers the model has, and heads in each; None if that is not known.
    """
    kind = step.prediction
    if isinstance(kind, Choice):
        drawn = _choices(made, predicted)
    elif isinstance(kind, Number) and isinstance(made.key, float) and isinstance(predicted, float):
        marks = tuple((one.at, filled(one.name, texts)) for one in step.scale)
        drawn = _line(predicted, made.key, _near(kind, made.key), marks)
    elif isinstance(kind, Click) and kind.keys == _HEADS:
        drawn = _grid(made, predicted, grid or (1, 1))
    else:
        drawn = ""
    return f'{STYLE}<div class="polysee-drawn">{drawn}</div>' if drawn else ""


def _you() -> str:
    return _("you")


def _model() -> str:
    return _("the model")


def _choices(made: Answer, predicted: Value) -> str:
    """The choices, with who chose which."""
    rows = []
    options = made.options if made.key in made.options else (*made.options, str(made.key))
    for one in options:
        right = one == made.key
        who = [f'<b class="you">← {_you()}</b>'] * (one == predicted) + [f"<b>← {_model()}</b>"] * right
        rows.append(f"<li{' class=model' if right else ''}>{html.escape(one)}{''.join(who)}</li>")
    return f"<ul>{''.join(rows)}</ul>"


def _near(kind: Number, right: float) -> tuple[float, float]:
    """From where to where a prediction counts as near the answer."""
    low, high = right - kind.tolerance, right + kind.tolerance
    return (min(right, max(0.0, low)), high) if kind.positive else (low, high)


def _line(
    predicted: float, right: float, near: tuple[float, float], marks: tuple[tuple[float, str], ...]
) -> str:
    """A line of numbers: marks below, the answer and what counts as near on it, a prediction above."""
    held = [right, *(at for at, _ in marks)]
    low, high = min([*held, near[0]]), max([*held, near[1]])
    if high - low < 1e-9:
        low, high = low - 1, high + 1
    # A prediction far outside is drawn at the edge, or the rest of the line would shrink to a point.
    span = high - low
    placed = min(max(predicted, low - span), high + span)
    low, high = min(low, placed), max(high, placed)

    def x(value: float) -> float:
        return 100 * (value - low) / (high - low)

    def label(kind: str, value: float, words: str) -> str:
        at = x(value)
        side = "from" if at < _NEAR_EDGE else "to" if at > 100 - _NEAR_EDGE else "mid"
        return f'<span class="{kind} {side}" style="left:{at:.1f}%">{html.escape(words)}</span>'

    parts = ['<i class="axis" style="left:0;width:100%"></i>']
    if near[1] > near[0]:
        wide = x(near[1]) - x(near[0])
        parts.append(f'<i class="near" style="left:{x(near[0]):.1f}%;width:{wide:.1f}%"></i>')
    for at, name in marks:
        parts.append(f'<i class="tick" style="left:{x(at):.1f}%"></i>')
        parts.append(label("mark", at, f"{counted(at)} {name}"))
    said = f"{_you()} {counted(predicted)}"
    if placed != predicted:
        said = f"{said} →" if predicted > placed else f"← {said}"
    parts.append(f'<i class="dot you" style="left:{x(placed):.1f}%"></i>')
    parts.append(label("said you", placed, said))
    parts.append(f'<i class="dot model" style="left:{x(right):.1f}%"></i>')
    parts.append(label("told model", right, f"{_model()} {counted(right)}"))
    about = _("You predicted {own}; the model’s answer is {key}.").format(
        own=counted(predicted), key=counted(right)
    )
    return f'<div class="line" role="img" aria-label="{about}">{"".join(parts)}</div>'


def _grid(made: Answer, predicted: Value, least: tuple[int, int]) -> str:
    """The grid of layers and heads with the two heads; "" where a value is no number of a head."""
    cells = {_model(): _cell(made.key), _you(): _cell(predicted)}
    found = [one for one in cells.values() if one is not None]
    if cells[_model()] is None:
        return ""
    rows, columns = (
        min(_MOST_CELLS, max(size, *at))
        for size, at in zip(least, zip(*found, strict=True), strict=True)
    )

    def cell(row: int, column: int) -> str:
        kinds = [
            kind
            for kind, who in (("model", _model()), ("you", _you()))
            if cells[who] == (row + 1, column + 1)
        ]
        return f'<i class="{" ".join(kinds)}"></i>'

    drawn = "".join(cell(row, column) for row in range(rows) for column in range(columns))
    where = _("{who}: layer {layer}, head {head}")
    said = ", ".join(where.format(who=who, layer=at[0], head=at[1]) for who, at in cells.items() if at)
    style = f"grid-template-columns:repeat({columns},1fr);max-width:{columns}rem"
    return (
        f'<div class="grid" role="img" aria-label="{said}" style="{style}">{drawn}</div>'
        f'<span class="you">○ {_you()}</span> <span class="model"><b>■ {_model()}</b></span>, '
        + _("a row a layer")
    )


def _cell(value: Value) -> tuple[int, int] | None:
    """A layer and a head, from numbers or from the texts of a link."""
    if not isinstance(value, tuple) or len(value) != 2:
        return None
    try:
        layer, head = (int(float(one)) for one in value if isinstance(one, str | float))
    except ValueError:
        return None
    return (layer, head) if min(layer, head) >= 1 and max(layer, head) <= _MOST_CELLS else None
