"""What a head does, in words: in the text on the page, and usually."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core import settings
from core.errors import NotSupported
from core.figures import style
from core.measures import PATTERNS, PatternScores
from ui import answers, ladder_kept, ladder_state
from ui.asked import Asked
from ui.ladder_shown import Shown, scores
from ui.ladder_state import Side

NAMES = {
    "previous": "the token before",
    "next": "the token after",
    "itself": "itself",
    "first": "the first token",
    "separators": "separators",
    "same": "the same token elsewhere",
    "broad": "everything evenly",
}
assert tuple(NAMES) == PATTERNS
MOST_ALIKE = 6


def notes(scores: PatternScores) -> list[list[str]]:
    """What is read with each head: the pattern that it follows, "" for none."""
    return [
        [
            "" if name is None else f"{NAMES[name]} {_share(of[PATTERNS.index(name)])}"
            for name, of in zip(names, values, strict=True)
        ]
        for names, values in zip(strongest(scores), scores.values, strict=True)
    ]


def strongest(scores: PatternScores) -> tuple[tuple[str | None, ...], ...]:
    """The pattern that each head follows; None for none."""
    return scores.strongest([settings.PATTERN_THRESHOLDS[name] for name in PATTERNS])


def usual(model: str) -> PatternScores | None:
    """What the heads do in our own sentences; None of a model that does not read one text alone."""
    try:
        return answers.usual_patterns(model)
    except NotSupported:
        return None


def line(model: str, scores: PatternScores, layer: int, head: int) -> str:
    """What one head does in this text and in our sentences, in words (Markdown)."""
    here, beside = scores.values[layer, head], usual(model)
    said = []
    for i, name in enumerate(PATTERNS):
        also = "" if beside is None else f" (usually {_share(beside.values[layer, head, i])})"
        said.append(f"{NAMES[name]} **{_share(here[i])}**{also}")
    return f"Head {head + 1} looks at: {' · '.join(said)}."


def line_of_several(scores: PatternScores, layer: int, heads: Sequence[int]) -> str:
    """Which of several heads follow a pattern in this text, in words (Markdown)."""
    named, found = strongest(scores)[layer], dict[str, list[str]]()
    for head in heads:
        if (name := named[head]) is not None:
            share = _share(scores.values[layer, head, PATTERNS.index(name)])
            found.setdefault(name, []).append(f"**{head + 1}** ({share})")
    if not found:
        return f"None of these {len(heads)} heads follows a pattern."
    said = [f"{NAMES[name]}: {', '.join(those)}" for name, those in found.items()]
    rest = "" if sum(map(len, found.values())) == len(heads) else " The others follow no pattern."
    return f"Which of these {len(heads)} heads look at: {' · '.join(said)}.{rest}"


def _share(value: float) -> str:
    return "–" if np.isnan(value) else style.signed(float(value))


def nearest(asked: Asked, place: int, layer: int, head: int) -> list[tuple[int, int, float]]:
    """The heads whose maps are most like that of one head: layer, head, cosine; itself left out.

    Args:
        asked: of whom, and of which text.
        place: where in the model, as in `Shown`.
        layer: from 0.
        head: from 0.
    """
    found = ladder_kept.likeness(asked, place, layer, head).copy()
    found[layer, head] = -1
    return _largest(found, MOST_ALIKE)


def _largest(values: Any, most: int) -> list[tuple[int, int, float]]:
    order = np.argsort(-values, axis=None, kind="stable")[:most]
    places = (np.unravel_index(i, values.shape) for i in order)
    return [(int(i), int(j), float(values[i, j])) for i, j in places if values[i, j] >= 0]


def why_not(one: Shown) -> str:
    """Why there are no patterns here, or no usual ones; "" where there are both."""
    if one.site.within is None:
        return "No patterns here: they are scored where the whole of one text looks at itself."
    if usual(one.asked.model) is None:
        return "What heads usually do is known only of models that read one text alone."
    return ""


def show(one: Shown, heads: Sequence[int], changed: Callable[[], None]) -> None:
    """What the heads that are drawn do, in words, and the heads that are like a single one.

    Args:
        one: the ladder, at a layer.
        heads: those that are drawn, from 0; their mean is no head.
        changed: called when another is opened.
    """
    found, mean = scores(one), one.averaged or not heads or min(heads) < 0
    if found is None or one.layer is None:
        st.caption(why_not(one))
    elif len(heads) > 1:
        st.caption(line_of_several(found, one.layer, heads))
    elif not mean:
        st.caption(f"{line(one.asked.model, found, one.layer, heads[0])} {why_not(one)}".strip())
        _alike(one, one.layer, heads[0], changed)


def _alike(one: Shown, layer: int, head: int, changed: Callable[[], None]) -> None:
    """The heads that are like one, each a button that opens it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"Like head {head + 1}:", width="content")
        for place in nearest(one.asked, one.place, layer, head):
            st.button(
                f"{place[0] + 1}·{place[1] + 1} ({style.signed(place[2])})",
                key=f"like {place[0]} {place[1]} {one.side.number}",
                on_click=_open,
                args=(one.side, place[0], place[1], changed),
                help=f"Open layer {place[0] + 1}, head {place[1] + 1}",
            )


def _open(side: Side, layer: int, head: int, changed: Callable[[], None]) -> None:
    ladder_state.open_head(side, layer, head)
    changed()


def table(model: str, scores: PatternScores) -> pd.DataFrame:
    """Every head by what it does in this text, and usually; as a file."""
    beside = usual(model)
    columns = {f"here: {NAMES[name]}": scores.values[..., i] for i, name in enumerate(PATTERNS)}
    if beside is not None:
        columns |= {f"usually: {NAMES[n]}": beside.values[..., i] for i, n in enumerate(PATTERNS)}
    layers, heads = scores.values.shape[:2]
    index = pd.MultiIndex.from_product(
        [range(1, layers + 1), range(1, heads + 1)], names=["layer", "head"]
    )
    return pd.DataFrame({name: values.ravel() for name, values in columns.items()}, index)
