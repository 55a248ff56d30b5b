"""What a head does, in words: in the text on the page, and in other texts."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core import settings
from core.errors import NotSupported
from core.figures import About, Patterns, style
from core.localization import N_, _, each, gettext
from core.measures import PATTERNS, PatternScores
from core.records.trace import Array
from pages.heads.displayed import Panel, scores
from ui.models import answers
from ui.models import blocks as attention_blocks

NAMES = {
    "previous": N_("the token before"),
    "next": N_("the token after"),
    "itself": N_("itself"),
    "first": N_("the first token"),
    "separators": N_("separators"),
    "same": N_("the same token elsewhere"),
    "broad": N_("everything evenly"),
}
assert tuple(NAMES) == PATTERNS
MOST_SIMILAR = 6


def notes(scores: PatternScores) -> list[list[str]]:
    """The note read with each head: the pattern that it follows, or ""."""
    return [
        [
            "" if name is None else f"{gettext(NAMES[name])} {_share(of[PATTERNS.index(name)])}"
            for name, of in zip(names, values, strict=True)
        ]
        for names, values in zip(strongest(scores), scores.values, strict=True)
    ]


def strongest(scores: PatternScores) -> tuple[tuple[str | None, ...], ...]:
    """The pattern that each head follows; None for none."""
    return scores.strongest([settings.PATTERN_THRESHOLDS[name] for name in PATTERNS])


def typical(model: str) -> PatternScores | None:
    """The mean scores of the heads in our own sentences; None unless the model reads single texts."""
    try:
        return answers.typical_patterns(model)
    except NotSupported:
        return None


def _share(value: float) -> str:
    return "–" if np.isnan(value) else style.signed(float(value))


def nearest(similarity: Array, layer: int, head: int) -> list[tuple[int, int, float]]:
    """The heads whose maps are most similar to that of one head: layer, head, cosine.

    Args:
        similarity: (layers, heads), the cosine of each.
        layer: from 0.
        head: from 0.
    """
    others = similarity.copy()
    others[layer, head] = -1
    order = np.argsort(-others, axis=None, kind="stable")[:MOST_SIMILAR].tolist()
    heads = (divmod(at, others.shape[1]) for at in order)
    return [(i, j, float(others[i, j])) for i, j in heads if others[i, j] >= 0]


def patterns(model: str, pattern_scores: PatternScores, layers: slice = slice(None)) -> Patterns:
    """How much the heads of some layers follow each pattern: here, and in our own sentences."""
    beside = typical(model)
    return Patterns(
        tuple(each(NAMES).values()),
        pattern_scores.values[layers],
        None if beside is None else beside.values[layers],
        [settings.PATTERN_THRESHOLDS[name] for name in PATTERNS],
    )


def about(one: Panel) -> About | None:
    """The caption of the heads below the picture of a layer; None if nothing is known of them."""
    pattern_scores = scores(one)
    if pattern_scores is None or one.layer is None or one.averaged or one.without_attention:
        return None
    names = strongest(pattern_scores)[one.layer]
    like = attention_blocks.similarity(one.text_query, one.block_index, one.layer)
    return About(
        one.layer,
        patterns(one.text_query.model, pattern_scores, slice(one.layer, one.layer + 1)),
        [None if name is None else PATTERNS.index(name) for name in names],
        [nearest(those, one.layer, head) for head, those in enumerate(like)],
        why_not(one),
    )


def why_not(one: Panel) -> str:
    """Why there are no patterns here, or none for other texts; "" if there are both."""
    if one.block.trace is None:
        return _("No patterns here: they are scored only where one whole text attends to itself.")
    if typical(one.text_query.model) is None:
        return _("The usual patterns are known only for models that read a single text.")
    if one.masked:
        return _("The usual patterns are those of the model without a causal mask, as it was trained.")
    return ""


def table(model: str, scores: PatternScores) -> pd.DataFrame:
    """The scores of every head, in this text and in others, as a table for a file."""
    beside = typical(model)
    columns = {f"here: {NAMES[name]}": scores.values[..., i] for i, name in enumerate(PATTERNS)}
    if beside is not None:
        columns |= {f"usually: {NAMES[n]}": beside.values[..., i] for i, n in enumerate(PATTERNS)}
    layers, heads = scores.values.shape[:2]
    index = pd.MultiIndex.from_product(
        [range(1, layers + 1), range(1, heads + 1)], names=["layer", "head"]
    )
    return pd.DataFrame({name: values.ravel() for name, values in columns.items()}, index)
