"""The collocates of two words side by side: what stands beside the one and not beside the other."""

from __future__ import annotations

from functools import partial
from typing import Literal

import streamlit as st

from core.corpus.querying.collocate_difference import CollocateDifference
from core.corpus.querying.collocates import By
from core.figures import Picture, bars
from core.localization import _, decimal, ngettext
from core.records.frozen import Array
from pages.corpus import captions, tables
from ui import figure, layout
from ui.corpora.lines import CachedWord
from ui.models.attempt import attempt
from ui.page import terms

SHOWN = 12  # collocates of either word
LEAST = 3  # times that one stands there: fewer may be chance
LEAST_SMALL, FEW = 2, 100  # of a word with fewer lines than that
SIDES: tuple[Literal[0, 1], ...] = (0, 1)
ALIKE = 1.0  # difference of logDice below which a word stands beside both alike
MOST_ALIKE = 6


def draw(word: CachedWord, other: str, left: int, right: int, by: By) -> None:
    """The bars of both words, and a sentence that names the strongest."""
    if word.corpus.spelling.key(other) == word.corpus.spelling.key(word.query.word):
        st.info(_("This is the word itself. Type another one."))
        return
    with st.spinner(_("Counting …")):
        found = attempt(word.collocate_difference, other, left, right, by)
    if found is None:
        return
    sides = [[found.words[i] for i in _of(found, which)] for which in SIDES]
    st.markdown(captions.apart(found, sides, alike(found)))
    if any(sides):
        figure.show(
            picture_of(found),
            "corpus difference",
            saved_as=tables.both(partial(tables.difference_table, found), "collocates-compared"),
            scale=layout.scale(),
        )
    shown = [i for which in SIDES for i in _of(found, which)]
    terms.caption(captions.difference(found, shown, left, right), "corpus difference said")


def least_of(found: CollocateDifference, which: Literal[0, 1]) -> int:
    """How often a collocate of either word stands beside it at least."""
    return LEAST if found.counts[which] >= FEW else LEAST_SMALL


def _of(found: CollocateDifference, which: Literal[0, 1]) -> list[int]:
    """Those that surely go together with this word, and more strongly than with the other."""
    own = found.beside(which, least=least_of(found, which), sure=captions.BY_CHANCE)
    return [*map(int, own[:SHOWN])]


def alike(found: CollocateDifference) -> list[str]:
    """The words that stand beside both, and about as often, the strongest first."""
    points: Array = found.log_dice.min(axis=0)
    near = (found.together.min(axis=0) >= LEAST) & (abs(found.difference) < ALIKE)
    return [found.words[i] for i in (-points).argsort(kind="stable") if near[i]][:MOST_ALIKE]


def picture_of(found: CollocateDifference) -> Picture:
    """A bar for each collocate, to the right for those of the first word."""
    of = [*_of(found, 0), *reversed(_of(found, 1))]
    first, second = found.compared
    return bars(
        found.difference[of],
        [found.words[i] for i in of],
        unit=_("logDice with “{first}” − logDice with “{second}”").format(first=first, second=second),
        kind="signed",
        notes=[note(found, i) for i in of],
        digits=2,
        sentence=_(
            "How much more strongly words go together with “{first}” than with “{second}”."
        ).format(first=first, second=second),
        name="collocates-compared",
    )


def note(found: CollocateDifference, i: int) -> str:
    """The exact numbers of a collocate."""
    said = []
    for k, word in enumerate(found.compared):
        times, points = int(found.together[k][i]), float(found.log_dice[k][i])
        if times:
            near = ngettext(
                "{count} time beside “{word}” (logDice {points})",
                "{count} times beside “{word}” (logDice {points})",
                times,
            ).format(count=captions.count_of(times), word=word, points=decimal(f"{points:.2f}"))
        else:
            near = _("never beside “{word}”").format(word=word)
        said.append(near)
    sure = decimal(f"{abs(float(found.log_likelihood[i])):.1f}")
    return _("{times}; log-likelihood {value}").format(times=", ".join(said), value=sure)
