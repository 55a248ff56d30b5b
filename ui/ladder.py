"""The ladder of zoom: all heads, one layer, one head, one token, one product."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import streamlit as st

from core import settings
from core.errors import NotSupported
from core.figures import style
from core.figures.web import Picture, layer_view, overview
from core.measures import PATTERNS, PatternScores, alike
from core.trace import Trace
from ui import answers, frame, web
from ui.sites import NO_PIECES, Site
from ui.web import Head

NAMES = {
    "previous": "the token before",
    "next": "the token after",
    "itself": "itself",
    "first": "the first token",
    "separators": "separators",
    "same": "the same token elsewhere",
    "broad": "everything evenly",
}
MOST_ALIKE = 6


def all_heads(site: Site, scores: PatternScores | None, **more: Any) -> Picture:
    """Every head as a small map, each read with the pattern that it follows, where there are scores."""
    layers, heads = site.attention.weights.shape[:2]
    notes = None
    if scores is not None:
        named = scores.strongest([settings.PATTERN_THRESHOLDS[name] for name in PATTERNS])
        notes = [
            [_note(scores, layer, head, named[layer][head]) for head in range(heads)]
            for layer in range(layers)
        ]
    return overview(
        site.attention.weights,
        sentence=f"All {layers} × {heads} heads: rows look, columns are looked at.",
        name="heads",
        tokens=site.attention.keys,
        looking=site.attention.queries,
        notes=notes,
        **more,
    )


def _note(scores: PatternScores, layer: int, head: int, name: str | None) -> str:
    if name is None:
        return ""
    return f"{NAMES[name]} {style.signed(float(scores.values[layer, head, PATTERNS.index(name)]))}"


def one_layer(site: Site, layer: int, *, state: Mapping[str, Any], words: bool = False) -> Picture:
    """Rungs two to five of a layer, from 0; `state` is what is shown first."""
    more: dict[str, Any] = {"without": NO_PIECES} if words else {}
    return layer_view(
        site.attention.queries,
        site.attention.keys,
        layer=style.layer_name(layer),
        weights=site.attention.weights[layer],
        inner=site.inner(layer),
        causal=site.causal,
        special=site.special,
        sentence=f"{style.layer_name(layer)}: who looks at whom, from lines down to one product.",
        name=f"layer-{layer + 1}",
        state=state,
        **more,
    )


def best(scores: PatternScores, pattern: str, most: int = MOST_ALIKE) -> list[tuple[int, int, float]]:
    """The heads that follow a pattern most: layer, head, score; those without a score are left out."""
    values = scores.values[..., PATTERNS.index(pattern)]
    return _largest(np.nan_to_num(values, nan=-1.0), most)


def nearest(trace: Trace, layer: int, head: int) -> list[tuple[int, int, float]]:
    """The heads whose maps are most like that of one head, itself left out."""
    found = alike(trace, layer, head).copy()
    found[layer, head] = -1
    return _largest(found, MOST_ALIKE)


def _largest(values: Any, most: int) -> list[tuple[int, int, float]]:
    order = np.argsort(-values, axis=None, kind="stable")[:most]
    places = (np.unravel_index(i, values.shape) for i in order)
    return [(int(i), int(j), float(values[i, j])) for i, j in places if values[i, j] >= 0]


def show_all(
    site: Site,
    scores: PatternScores | None,
    *,
    token: int,
    way: str,
    on_head: Callable[[Head], None],
    on_state: Callable[[Mapping[str, Any]], None],
) -> None:
    """The first rung: every head; `token` from 0, −1 for none."""
    picture = all_heads(site, scores, token=token if token >= 0 else None, way=way)
    web.show(picture, "all heads", on_head=on_head, on_state=on_state, scale=frame.scale())
    st.caption("Point at a head for its pattern. A click, or the arrow keys and Enter, opens it.")


def show_best(model: str, scores: PatternScores, pattern: str, on_head: Callable[[Head], None]) -> None:
    """The heads that follow a pattern most, here and in our own sentences."""
    _heads("In this text", best(scores, pattern), on_head)
    if usual := _usual(model):
        _heads("Usually", best(usual, pattern), on_head)


def show_layer(
    site: Site,
    layer: int,
    *,
    words: bool,
    state: Mapping[str, Any],
    on_state: Callable[[Mapping[str, Any]], None],
) -> None:
    """Rungs two to five."""
    picture = one_layer(site, layer, words=words, state=state)
    web.show(picture, f"layer {layer}", on_state=on_state, scale=frame.scale())


def show_head(
    model: str,
    trace: Trace,
    scores: PatternScores,
    layer: int,
    head: int,
    on_head: Callable[[Head], None],
) -> None:
    """What one head does, in words, and the heads that are like it."""
    head = min(head, trace.grid[1] - 1)
    st.caption(pattern_line(model, scores, layer, head))
    _heads(f"Like head {head + 1}", nearest(trace, layer, head), on_head)


def _heads(
    label: str, found: Sequence[tuple[int, int, float]], on_head: Callable[[Head], None]
) -> None:
    """A button for each of these heads, which opens it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"{label}:", width="content")
        for layer, head, score in found:
            st.button(
                f"{layer + 1}·{head + 1} ({style.signed(score)})",
                key=f"{label} {layer} {head}",
                on_click=on_head,
                args=(Head(layer, head),),
                help=f"Open layer {layer + 1}, head {head + 1}",
            )


def pattern_line(model: str, scores: PatternScores, layer: int, head: int) -> str:
    """What one head does in this text and in our sentences, in words (Markdown)."""
    here, usual = scores.values[layer, head], _usual(model)
    said = []
    for i, name in enumerate(PATTERNS):
        beside = "" if usual is None else f" (usually {_share(usual.values[layer, head, i])})"
        said.append(f"{NAMES[name]} **{_share(here[i])}**{beside}")
    return f"Head {head + 1} looks at: {' · '.join(said)}."


def _usual(model: str) -> PatternScores | None:
    """What the heads do in our own sentences; None of a model that does not read one text alone."""
    try:
        return answers.usual_patterns(model)
    except NotSupported:
        return None


def _share(value: float) -> str:
    return "–" if np.isnan(value) else style.signed(float(value))
