"""What the layers would say, in sentences (Markdown)."""

from __future__ import annotations

from core.figures.labels import spelled
from core.figures.lens import depth_name
from core.language.lens import FittedLens
from core.records.lens import LensGrid
from core.sentences import percent
from ui import text

MOST_NAMED = 5
USES = (
    "A fitted map may find in a state what the model does not use: it says what can be read there, not "
    "what the later layers read."
)


def headline(plain: LensGrid, fitted: LensGrid | None, column: int, of_fitted: int) -> str:
    """From which layer on each lens reads the word that the model says in the end.

    Args:
        plain: read by the plain lens.
        fitted: read by the fitted one; None where there is none.
        column: the column of `plain`.
        of_fitted: that of `fitted`.
    """
    n = plain.n_layers
    word = f"*{named(plain, int(plain.likeliest[-1, column, 0]))}*"
    since = plain.since(column)
    if fitted is None:
        return f"The plain lens reads {word} {_since(since, n)}."
    first = fitted.since(of_fitted)
    if first == since:
        return f"Both lenses read {word} {_since(since, n)}."
    if since < first:
        return (
            f"The plain lens reads {word} {_since(since, n)}, the fitted one only {_since(first, n)}."
        )
    return f"The fitted lens reads {word} {_since(first, n)}; the plain one only {_since(since, n)}."


def _since(depth: int, n: int) -> str:
    """From which layer on."""
    if depth == n:
        return f"after the last of {n} layers" if n > 1 else "after its only layer"
    return f"from layer {depth} of {n} on" if depth else "from the input on"


def asked(grid: LensGrid, column: int) -> str:
    """Where the word that was asked for is, by one lens; "" if none was."""
    if grid.word is None or grid.word_ranks is None or grid.word_probabilities is None:
        return ""
    ranks = grid.word_ranks[:, column]
    best = int(ranks.argmin())
    p = percent(float(grid.word_probabilities[best, column]))
    return (
        f"By the {grid.lens} lens, *{named(grid, grid.word)}* stands best {depth_name(best)}: place "
        f"{int(ranks[best]) + 1:,}, {p}."
    )


def cell(grid: LensGrid, depth: int, column: int) -> str:
    """The likeliest tokens of a state, and what was asked for: "*Mary* 92 %, *the* 2 %"."""
    said = ", ".join(
        f"*{named(grid, int(one))}* {percent(float(p))}"
        for one, p in zip(
            grid.likeliest[depth, column, :MOST_NAMED],
            grid.probabilities[depth, column, :MOST_NAMED],
            strict=True,
        )
    )
    if grid.word is None or grid.word_ranks is None or grid.word_probabilities is None:
        return said
    place = int(grid.word_ranks[depth, column]) + 1
    if place == 1:  # it has been named
        return said
    p = percent(float(grid.word_probabilities[depth, column]))
    return f"{said}; *{named(grid, grid.word)}* at place {place:,}, {p}"


def how_good(lens: FittedLens, depth: int) -> str:
    """How far a fitted lens is from the model's own prediction at a depth."""
    losses = lens.losses
    depth = min(depth, len(losses.fitted) - 1)
    return (
        f"Fitted on {lens.tokens:,} tokens of {text.plain(lens.fitted_on)}. On {losses.tokens:,} other "
        f"tokens, {depth_name(depth)}, it names the model’s own likeliest token in "
        f"{percent(float(losses.fitted_same[depth]))} of the places ({float(losses.fitted[depth]):.2f} "
        f"bits away from its prediction), the plain lens in {percent(float(losses.plain_same[depth]))} "
        f"({float(losses.plain[depth]):.1f} bits)."
    )


def named(grid: LensGrid, number: int) -> str:
    """A token in a sentence, without the space before it; between marks if it has no letter."""
    written = grid.names[number]
    shown = text.plain(spelled(written.strip(" ")) if written.strip(" ") else spelled(written))
    return shown if any(sign.isalnum() for sign in written) else f"“{shown}”"
