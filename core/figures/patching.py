"""Two prompts, and how much of their difference each exchanged state brings back."""

from __future__ import annotations

import numpy as np

from ..localization import N_, _, gettext
from ..records.patching import Patching
from . import style
from .labels import spelled
from .lens import INPUT
from .matrices import signed_heatmap
from .picture import Picture
from .scales import rounded_up
from .shaded import shaded_text

TITLE = N_("% of the difference that comes back")
_MISSING = N_("not computed yet")
_MOST_SPELLED = 6  # layers whose columns are named in words
_LEAST = 10  # per cent, from which on a cell has its number
_OVERSHOOTS = 1.25  # up to this share, the scale ends at 100 %


def patching(
    found: Patching,
    *,
    chosen: tuple[int, int] | None = None,
    first: int = 0,
    name: str = "patching",
) -> Picture:
    """A matrix with one cell for each patched run, purple below 0 % and green above.

    By position, a row is a token, and a column the depth after which its state was exchanged; by head,
    a row is a layer. Event: "cell" {row, column}.

    Args:
        found: the patched runs; rows that have not been computed are hatched.
        chosen: the cell that is framed, (row, column) of the picture.
        first: by position, the first token with a row: before the first one that differs, nothing can
            come back.
        name: the name of the saved file, after "polysee-".

    Raises:
        ValueError: there is no such cell.
    """
    values = 100 * found.recovered
    names = token_names(found)
    if found.by == "position":
        values, rows = values.T[first:], names[first:]
        columns = [str(depth) for depth in range(values.shape[1])]
        of, between = (_("token"), _("after layer")), _(", after layer ")
        if len(columns) - 1 <= _MOST_SPELLED:
            columns = [_depth(depth) for depth in range(values.shape[1])]
            of, between = (_("token"), _("state")), ", "
        sentence = _(
            "How much of the difference comes back when one state of A is put into B: {tokens} "
            "tokens, at the input (0) and after each of {layers} layers."
        ).format(tokens=len(rows), layers=len(columns) - 1)
    else:
        rows = [style.layer_name(layer) for layer in range(len(values))]
        columns = [str(head + 1) for head in range(values.shape[1])]
        of, between = (_("layer"), _("head")), _(", head ")
        where = (
            _("all tokens")
            if found.at is None
            else _("the token {token}").format(token=names[found.at])
        )
        sentence = _(
            "How much of the difference comes back when the output of one head of A is put into "
            "B, at {where}: {layers} layers of {heads} heads."
        ).format(where=where, layers=len(rows), heads=len(columns))
    return signed_heatmap(
        rows,
        columns,
        values,
        title=gettext(TITLE),
        bound=_bound(found),
        marked=() if chosen is None else (chosen[0],),
        against=None if chosen is None else (chosen[1],),
        sentence=sentence,
        name=name,
        of=of,
        between=between,
        missing=_MISSING,
        digits=1,
        least=_LEAST,
    )


def _depth(depth: int) -> str:
    return _("after layer {layer}").format(layer=depth) if depth else gettext(INPUT)


def patched_words(found: Patching, *, chosen: int | None = None, name: str = "words") -> Picture:
    """Prompt A with the words of B beside it where they differ, shaded by what each alone brings back.

    Event: "bar" {index}.

    Args:
        found: the patched runs.
        chosen: the token that is framed.
        name: the name of the saved file, after "polysee-".
    """
    pieces = []
    for one, other in zip(*found.pieces, strict=True):
        same = one == other
        pieces.append(one if same else f"{one}/{other.strip(' ') or spelled(other)}")
    differ = {*found.differ}
    notes = [
        _("exchanged: {one} for {other}").format(one=spelled(one), other=spelled(other))
        if i in differ
        else _("the same in both")
        for i, (one, other) in enumerate(zip(*found.pieces, strict=True))
    ]
    return shaded_text(
        pieces,
        100 * found.recovered_by_word,
        kind="signed",
        most=_bound(found),
        unit=_("% comes back"),
        title=_("% that comes back with the input of one word alone"),
        notes=notes,
        chosen=chosen,
        sentence=(
            _("The sentences in {tokens} tokens; {differ} differ.")
            if found.block
            else _("The prompts in {tokens} tokens; {differ} differ.")
        ).format(tokens=len(pieces), differ=len(differ)),
        name=name,
    )


def _bound(found: Patching) -> float:
    """The end of the scale of both pictures: 100 %, or as far as a share overshoots it by much."""
    shares = np.concatenate([found.recovered.ravel(), found.recovered_by_word])
    there = np.abs(shares[np.isfinite(shares)])
    most = float(there.max(initial=0))
    return 100.0 if most <= _OVERSHOOTS else rounded_up(100 * most)


def token_names(found: Patching) -> list[str]:
    """Each token, without the space before it; of two that differ, both: "France / Italy"."""
    return [
        named(one) if one == other else f"{named(one)} / {named(other)}"
        for one, other in zip(*found.pieces, strict=True)
    ]


def named(piece: str) -> str:
    """A token without the space before it, its invisible characters made visible."""
    return spelled(piece.strip(" ") or piece)
