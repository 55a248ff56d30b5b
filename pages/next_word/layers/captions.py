"""What the layers would say, in sentences (Markdown)."""

from __future__ import annotations

import numpy as np

from core.figures.labels import aloud, spelled
from core.figures.lens import depth_name
from core.language.lens import FittedLens
from core.localization import _, decimal
from core.records.lens import LensGrid
from core.sentences import percent, sentence
from ui import text

MOST_NAMED = 5


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
    said = {"word": word, "since": _since(since, n)}
    if fitted is None:
        return sentence("lens.plain", **said)
    first = fitted.since(of_fitted)
    if first == since:
        return sentence("lens.both", **said)
    if since < first:
        return sentence("lens.plain-first", **said, other=_since(first, n))
    return sentence("lens.fitted-first", word=word, since=_since(first, n), other=said["since"])


def _since(depth: int, n: int) -> str:
    """From which layer on."""
    if depth == n:
        return sentence("lens.since.last" if n > 1 else "lens.since.only", layers=str(n))
    said = "lens.since.layer" if depth else "lens.since.input"
    return sentence(said, layer=str(depth), layers=str(n))


def asked(grid: LensGrid, column: int) -> str:
    """When the word that was asked for comes to place 1 by one lens, and whether it keeps it.

    Of a word that never does, where it stands best; "" if none was asked for.
    """
    if grid.word is None or grid.word_ranks is None or grid.word_probabilities is None:
        return ""
    ranks, shares = grid.word_ranks[:, column], grid.word_probabilities[:, column]
    n, end = grid.n_layers, percent(float(shares[-1]))
    by = sentence("lens.by.fitted" if grid.lens == "fitted" else "lens.by.plain")
    word = {"by": by, "word": named(grid, grid.word)}
    best = int(np.lexsort((-shares, ranks))[0])  # of equal places, the one with more probability
    if ranks[best]:
        place, share = decimal(f"{int(ranks[best]) + 1:,}"), percent(float(shares[best]))
        return sentence("lens.asked", **word, where=_where(best), place=place, share=share)
    first = int(np.flatnonzero(ranks == 0)[0])
    other = np.flatnonzero(ranks)
    since = int(other[-1]) + 1 if other.size else 0
    if first == n:
        return sentence("lens.asked.last", **word, end=end)
    word |= {"where": _where(first), "share": percent(float(shares[first])), "end": end}
    if since > n:
        return sentence("lens.asked.lost", **word, place=decimal(f"{int(ranks[-1]) + 1:,}"))
    if since == first:
        return sentence("lens.asked.keeps", **word)
    if since == n:
        return sentence("lens.asked.again.last", **word)
    return sentence("lens.asked.again", **word, layer=str(since))


def _where(depth: int) -> str:
    return depth_name(depth) if depth else sentence("lens.at.input")


def pieces(grid: LensGrid, typed: str) -> str:
    """That a word is no single token, and which piece of it is followed; "" for one that is."""
    if grid.word is None or grid.names[grid.word].strip() == typed.strip(" ␣↵"):
        return ""
    return sentence("lens.pieces", word=text.plain(typed.strip()), piece=named(grid, grid.word))


def cell(grid: LensGrid, depth: int, column: int) -> str:
    """The likeliest tokens of a state, and what was asked for: "*Mary* 92 %, *the* 2 %"."""
    said = ", ".join(
        sentence("next-word.one", word=named(grid, int(one)), share=percent(float(p)))
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
    share = percent(float(grid.word_probabilities[depth, column]))
    word = named(grid, grid.word)
    return sentence("lens.cell", said=said, word=word, place=decimal(f"{place:,}"), share=share)


def how_good(lens: FittedLens, depth: int) -> str:
    """How far a fitted lens is from the model's own prediction at a depth."""
    losses = lens.losses
    depth = min(depth, len(losses.fitted) - 1)
    return sentence(
        "lens.good",
        tokens=decimal(f"{lens.tokens:,}"),
        text=text.plain(lens.fitted_on),
        tested=decimal(f"{losses.tokens:,}"),
        depth=depth_name(depth),
        same=percent(float(losses.fitted_same[depth])),
        bits=decimal(f"{float(losses.fitted[depth]):.2f}"),
        plain_same=percent(float(losses.plain_same[depth])),
        plain=decimal(f"{float(losses.plain[depth]):.1f}"),
    )


def chosen(
    shown: LensGrid, plain: LensGrid, fitted: LensGrid | None, depth: int, column: int, token: str
) -> str:
    """The chosen state in words.

    Args:
        shown: the grid in which it was chosen.
        plain: its one token, read by the plain lens.
        fitted: the same by the fitted one; None where there is none.
        depth: how many layers the state has passed.
        column: its column in `shown`.
        token: the token, as it is named.
    """
    position, what = shown.positions[column], depth_name(depth)
    if depth == shown.n_layers:
        said = sentence("lens.chosen.model", said=cell(plain, depth, 0))
    elif fitted is None:
        said = sentence("lens.chosen.plain", said=cell(plain, depth, 0))
    else:
        read = {"fitted": cell(fitted, depth, 0), "plain": cell(plain, depth, 0)}
        said = sentence("lens.chosen.both", **read)
    if position == 0 and fitted is not None and shown.predicts == "next":
        said = " ".join([said, sentence("lens.chosen.sink")])
    return sentence(
        "lens.chosen",
        depth=f"{what[0].upper()}{what[1:]}",
        token=token,
        position=str(position + 1),
        count=str(len(shown.tokens)),
        said=said,
    )


def named(grid: LensGrid, number: int) -> str:
    """A token in a sentence, without the space before it; between marks if it has no letter."""
    written = grid.names[number]
    name = spelled(written.strip(" ") or written)
    shown = text.plain(aloud(name))
    bare = aloud(name) != name or any(sign.isalnum() for sign in written)
    return shown if bare else _("“{word}”").format(word=shown)
