"""The Heads page in a real browser, from a click to the painted picture, beside BertViz."""

from __future__ import annotations

import itertools
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

import core
from benchmarks import page_memory, random_bert, sentences
from benchmarks.compare_page import SIZE, server
from benchmarks.heads import bertviz_view, report
from benchmarks.heads.bertviz_view import Spent
from benchmarks.heads.visit import FIRST, TIMED, Acted, Opened, Visitor
from benchmarks.stopwatch import NotPainted
from core import settings
from core.pretrained.load_model import find
from tools.browser import FLAGS, find_browser

LENGTHS = (14, 64, 128, 256, 512)
ROUNDS = 3
LIMIT = 120.0  # seconds that a picture of BertViz's may take
QUICK = 5.0  # a slower BertViz picture is made only once
LAYER = 2  # for BertViz's head_view
VIEWS: dict[str, dict[str, Any]] = {"model_view": {}, "head_view": {"include_layers": [LAYER]}}


@dataclass(frozen=True)
class Grid:
    """A model, by its numbers of layers and heads.

    Attributes:
        name: its name in the report.
        model: its name in the app.
        layers, heads: their numbers.
        acts: the text lengths at which actions inside the pictures are measured.
        views: the BertViz views; one layer of 12 heads is the same picture for every model.
    """

    name: str
    model: str
    layers: int
    heads: int
    acts: tuple[int, ...]
    views: tuple[str, ...]


GRIDS = (
    Grid("6×12", "minilm", 6, 12, (128, 512), ("model_view", "head_view")),
    Grid("12×12", random_bert.NAME, random_bert.LAYERS, random_bert.HEADS, (512,), ("model_view",)),
)

Cell = tuple[str, int]  # the grid's name, the tokens


@dataclass(frozen=True)
class Measured:
    """All measurements, by model and number of tokens; None for BertViz if it took too long."""

    opened: dict[Cell, dict[str, list[Opened]]]
    acted: dict[Cell, dict[str, list[Acted]]]
    peer: dict[Cell, dict[str, list[Spent] | None]]
    why_not: str | None = None


def rounds(visitor: Visitor, grid: Grid, length: int, measured: Measured) -> None:
    """Enter some texts of this length, with their first layer shown, and measure."""
    opened, acted = (defaultdict[str, list[Any]](list) for _ in range(2))
    for number in range(ROUNDS):
        visitor.enter(sentences.of_tokens(length, seed=1000 * length + number))
        opened["all"].append(visitor.all_heads())
        if length in grid.acts:
            acted["hover all"].append(visitor.hover_grid())
        opened["layer"].append(visitor.layer())
        if length in grid.acts:
            acted["hover lines"].append(visitor.hover_lines())
            visitor.all_heads()
            opened["head"].append(visitor.head_in_grid())
            acted["head"].append(visitor.another_head())
            acted["token"].append(visitor.another_token())
            acted["hover map"].append(visitor.hover_map())
            acted["product"].append(visitor.product())
            visitor.lines()
        visitor.layer(FIRST)
    measured.opened[grid.name, length], measured.acted[grid.name, length] = opened, acted


def beside(peer: bertviz_view.Peer, grid: Grid, length: int, measured: Measured) -> None:
    """BertViz's pictures of a text of this length, unless they are certain to take too long."""
    answers = measured.peer.setdefault((grid.name, length), {})
    for view in grid.views:
        before = [
            answer[view]
            for (name, tokens), answer in measured.peer.items()
            if name == grid.name and tokens < length and view in answer
        ]
        # Twice the tokens are four times the lines, and a page that is far too late no longer responds,
        # even to a request to close: it is not tried near the limit.
        last = before[-1] if before else []
        if last is None or len(before) < LENGTHS.index(length):
            continue
        if last and statistics.median(one.both for one in last) > LIMIT / 5:
            continue
        spent: list[Spent] = []
        try:
            while len(spent) < ROUNDS and (not spent or spent[0].both < QUICK):
                text = sentences.of_tokens(length, seed=1000 * length + len(spent))
                spent.append(peer.show(view, text, seconds=LIMIT, **VIEWS[view]))
        except NotPainted:
            answers[view] = None
        else:
            answers[view] = spent


@contextmanager
def visitor(browser: Browser, url: str, grid: Grid) -> Iterator[Visitor]:
    """A visitor of the page with this model, after one unmeasured round."""
    with browser.new_context(viewport=SIZE) as context:
        made = Visitor(context.new_page(), grid.layers, grid.heads)
        made.visit(url, grid.model, sentences.of_tokens(20, seed=1))
        made.all_heads()
        made.layer()
        made.layer(FIRST)
        yield made


def measure(browser: Browser, url: str, folders: dict[str, Path], measured: Measured) -> str | None:
    """Measure everything but the memory; returns why BertViz was not measured, if it was not."""
    why_not = None
    for grid in GRIDS:
        with (
            visitor(browser, url, grid) as visiting,
            browser.new_context(viewport=SIZE) as context,
            tempfile.TemporaryDirectory() as folder,
        ):
            peer = None
            try:
                peer = bertviz_view.peer(context, Path(folder), folders[grid.model])
                peer.show("model_view", sentences.of_tokens(10, seed=1), seconds=LIMIT)  # not measured
            except bertviz_view.NotThere as reason:
                why_not = str(reason)
            for length in LENGTHS:
                rounds(visiting, grid, length, measured)
                if peer is not None:
                    beside(peer, grid, length, measured)
                print(f"  {grid.name}, {length} tokens: done", flush=True)
    return why_not


def memory(browser: Browser) -> dict[int, float]:
    """The resident memory of a fresh server while one visitor reads long texts."""
    with server() as app, visitor(browser, app.url, GRIDS[0]) as visiting:
        other = itertools.cycle((TIMED, FIRST))

        def show(text: str) -> None:
            visiting.enter(text)
            visiting.all_heads()
            visiting.layer(next(other))

        assert app.process is not None
        return page_memory.walk(visiting.page, app.process.pid, show)


def check(models: dict[str, Path], lengths: Sequence[int]) -> None:
    """Check that each text has the expected number of tokens in every model."""
    for folder in models.values():
        model = core.load(str(folder))
        for length in lengths:
            text = sentences.of_tokens(length, seed=1000 * length)
            assert len(model.trace(text, keep="hidden").tokens) == length


def run() -> str:
    """Measure, and return the section of the report."""
    measured = Measured({}, {}, {})
    embedded, _ = find("minilm", settings.read())
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as models:
        folders = {"minilm": embedded, random_bert.NAME: random_bert.save(Path(models), embedded)}
        check(folders, LENGTHS)
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        with server(POLYSEE_MODELS=models) as app:
            why_not = measure(browser, app.url, folders, measured)
        megabytes = memory(browser)
        version = browser.version
        browser.close()
    head = report.head(version, f"{SIZE['width']} × {SIZE['height']}", ROUNDS)
    peers = report.about_peer(measured.peer, LENGTHS, [g.name for g in GRIDS], LIMIT, LAYER, why_not)
    return "\n\n".join(
        [
            head,
            report.targets(measured.opened, measured.acted),
            report.quiet(measured.acted),
            report.growth(measured.opened, measured.peer, LENGTHS, LIMIT),
            peers,
            "Resident memory of a fresh server, its caches at their defaults, while one visitor walks "
            f"through {page_memory.TEXTS} different texts of 512 tokens, all heads and one more layer "
            f"opened for each: {page_memory.sentence(megabytes)}",
        ]
    )
