"""The measurements on the Heads page, in words and tables."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks import random_bert
from benchmarks.heads.bertviz_view import Spent
from benchmarks.heads.visit import QUIET, TIMED, Acted, Opened
from benchmarks.side_by_side import table

Cell = tuple[str, int]  # the grid's name, the tokens
CELLS: tuple[Cell, ...] = (("6×12", 128), ("6×12", 512), ("12×12", 512))
MB = 1e6

# The pictures that are opened: name, and the limits in seconds and bytes for each of CELLS.
OPENED: dict[str, tuple[str, tuple[float, ...], tuple[float | None, ...]]] = {
    "all": ("all heads, by a click", (0.2, 0.5, 1.5), (1.2 * MB,) * 3),
    "layer": (f"{TIMED}: lines, all its heads, by a click", (0.25, 0.6, 0.6), (2 * MB, 2 * MB, None)),
    "head": ("one head, by a click among all", (0.25, 0.6, 0.6), (2 * MB, 2 * MB, None)),
}
# Actions inside a picture; None: the answer must be in the next frame. A hover may fetch nothing from
# the server; a choice, after a pause, brings the page's answer: the link and captions, but no numbers.
ANSWER = 16_000  # bytes
ACTED: dict[str, tuple[str, tuple[float | None, ...]]] = {
    "head": ("another head, by a key", (None, 0.05, 0.05)),
    "token": ("another token, by a key", (None, 0.05, 0.05)),
    "product": ("one product, by a click", (None, 0.05, 0.05)),
    "hover all": ("hover among all heads", (None,) * 3),
    "hover lines": ("hover over a token: its lines", (None,) * 3),
    "hover map": ("hover over a cell of one head", (None,) * 3),
}


def median(many: Sequence[Any], attribute: str) -> float:
    """The median of one attribute of the measurements."""
    return statistics.median(getattr(one, attribute) for one in many)


def milliseconds(many: Sequence[Opened | Acted]) -> tuple[str, str]:
    """The median and the slowest."""
    slowest = max(one.seconds for one in many)
    return f"{1e3 * median(many, 'seconds'):.0f} ms", f"{1e3 * slowest:.0f} ms"


def size(count: float) -> str:
    """A number of bytes, readable."""
    return f"{count / MB:.2f} MB" if count >= MB / 100 else f"{count:.0f}"


def within(time: bool, bytes_: bool) -> str:
    """Whether a target was met, and if not, which was missed."""
    missed = [name for name, right in (("time", time), ("bytes", bytes_)) if not right]
    return f"**no**: {' and '.join(missed)}" if missed else "yes"


def head(version: str, screen: str, rounds: int) -> str:
    """How the measurements were made."""
    return (
        "## The Heads page in a browser\n\n"
        f"Headless Chromium {version} on the same machine, {screen} pixels, one visitor. 6×12 is "
        f"MiniLM; 12×12 has the shape of BERT-base (width {random_bert.WIDTH}) and random weights, "
        f"scaled so that its heads prefer some tokens. {rounds} texts of each length that the server "
        "has not seen. Each is entered where Layer 1 is shown and is traced by then; from there, "
        f"all heads and {TIMED} are opened for the first time: the clock has the making of the "
        "picture on the server, its way to the browser and its painting, not the model. It runs inside "
        "the page, from the click's own time stamp to the second frame after the picture was there, "
        "as for Compare. Inside a picture it runs to the end of the first frame that shows the answer. "
        "Bytes are all that came from then until the page was at rest: through its WebSocket, and "
        "numbers fetched by the address of their content."
    )


def targets(
    opened: Mapping[Cell, Mapping[str, list[Opened]]], acted: Mapping[Cell, Mapping[str, list[Acted]]]
) -> str:
    """The table of the targets."""
    rows: list[tuple[object, ...]] = []
    for what, (name, seconds, bytes_) in OPENED.items():
        for cell, most, heavy in zip(CELLS, seconds, bytes_, strict=True):
            many = opened[cell][what]
            came = max(one.received for one in many)
            goal = f"≤ {1e3 * most:.0f} ms" + (f", ≤ {heavy / MB:.1f} MB" if heavy else "")
            met = within(median(many, "seconds") <= most, heavy is None or came <= heavy)
            rows.append((name, _cell(cell), *milliseconds(many), size(came), goal, met))
    for what, (name, limits) in ACTED.items():
        for cell, limit in zip(CELLS, limits, strict=True):
            acts = acted[cell][what]
            came = max(one.received + one.fetched for one in acts)
            heavy = 0 if what.startswith("hover") else ANSWER
            goal = "next frame" if limit is None else f"≤ {1e3 * limit:.0f} ms"
            goal += f", ≤ {heavy / 1e3:.0f} kB" if heavy else ", 0"
            frames = median(acts, "frames")
            soon = frames == 1 if limit is None else median(acts, "seconds") <= limit
            middle, slowest = milliseconds(acts)
            took = f"{middle}, frame {frames:.0f}"
            rows.append(
                (name, _cell(cell), took, slowest, size(came), goal, within(soon, came <= heavy))
            )
    columns = ("what", "model, tokens", "median", "slowest", "bytes", "target", "median within")
    return table(columns, rows)


def _cell(cell: Cell) -> str:
    return f"{cell[0]}, {cell[1]}"


def quiet(acted: Mapping[Cell, Mapping[str, list[Acted]]]) -> str:
    """The messages between page and server during actions inside a picture."""
    every = {what: [one for cell in CELLS for one in acted[cell][what]] for what in ACTED}
    early = sum(one.early for many in every.values() for one in many)
    hovers = [one for what, many in every.items() if what.startswith("hover") for one in many]
    choices = [one for what, many in every.items() if not what.startswith("hover") for one in many]
    before = "no message" if not early else f"**{early} messages**"
    by_hovers = "no message" if not any(one.sent for one in hovers) else "**messages**"
    most = max(one.sent for one in choices)
    came = max(one.received for one in choices)
    fetched = max(one.fetched for one in choices)
    return (
        f"Before any of these was painted, {before} went to the server; a hover sent {by_hovers} at "
        f"all. Within {QUIET:.1f} s of a choice, when it rests, up to {most} messages tell the server, "
        f"which writes the link and the captions: its answer has up to {size(came)} bytes, and "
        + (f"**{size(fetched)} were fetched**." if fetched else "no number was fetched again.")
    )


def growth(
    opened: Mapping[Cell, Mapping[str, list[Opened]]],
    peer: Mapping[Cell, Mapping[str, list[Spent] | None]],
    lengths: Sequence[int],
    limit: float,
) -> str:
    """How the times grow with the text, beside BertViz."""

    def ours(cell: Cell, what: str) -> str:
        return f"{median(opened[cell][what], 'seconds'):.2f} s"

    def theirs(cell: Cell, view: str) -> str:
        answers = peer.get(cell, {})
        if view not in answers:
            return "not tried"
        spent = answers[view]
        return f"not in {limit:.0f} s" if spent is None else f"{median(spent, 'both'):.1f} s"

    small, large = "6×12", "12×12"
    rows = [
        (
            n,
            *(ours((small, n), what) for what in ("all", "layer")),
            *(theirs((small, n), view) for view in ("model_view", "head_view")),
            *(ours((large, n), what) for what in ("all", "layer")),
            theirs((large, n), "model_view"),
        )
        for n in lengths
    ]
    columns = ("all heads", "a layer", "`model_view`", "`head_view`")
    titles = [f"{column}, {small}" for column in columns]
    titles += [f"{column}, {large}" for column in columns[:3]]
    return "Medians, by tokens:\n\n" + table(("tokens", *titles), list(rows))


def about_peer(
    peer: Mapping[Cell, Mapping[str, list[Spent] | None]],
    lengths: Sequence[int],
    grids: Sequence[str],
    limit: float,
    layer: int,
    why_not: str | None,
) -> str:
    """How BertViz was measured, or why it was not."""
    if why_not is not None:
        return f"BertViz was **not measured**: {why_not}."
    sizes = []
    for grid in grids:
        for view in ("model_view", "head_view"):
            large = [(n, peer[grid, n][view]) for n in lengths if peer[grid, n].get(view)]
            if large and (spent := large[-1][1]):
                largest = f"{max(one.size for one in spent) / MB:.0f} MB at {large[-1][0]} tokens"
                sizes.append(f"`{view}` of {grid} {largest}")
    return (
        "BertViz shows the same texts of the same model, by what its user runs: the forward pass of "
        '`transformers` in eager mode and the call with `html_action="return"`, then that HTML opened '
        "in the same browser, from a file, until its lines are painted. Its d3, jQuery and RequireJS "
        "come from this machine's memory: no network is in its times. `model_view` has all heads; "
        f"`head_view` was asked for one layer alone (`include_layers=[{layer}]`), the least that it "
        f"can do. Its HTML: {', '.join(sizes)}. A picture may take {limit:.0f} s, after which it is "
        "given up; it is not tried where half the tokens took a fifth of that: the lines are then "
        "four times as many. Pictures that take longer than five seconds are made once."
    )
