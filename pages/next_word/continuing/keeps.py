"""What the model keeps while it writes: keys and values of each token, counted, drawn and timed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from html import escape
from itertools import islice
from typing import NamedTuple

import numpy as np
import streamlit as st

from core.figures import Line, Picture, StepAxis, ValueAxis, lines, style
from core.figures.labels import spelled
from core.localization import N_, _, decimal, gettext
from core.records.cache_cost import BYTES, CacheCost
from core.records.score import Score
from core.sentences import sentence
from pages.next_word import ending, hidden
from pages.next_word.state import NextWordState
from ui import figure, files, layout, text
from ui.models import model_cache
from ui.models.attempt import attempt
from ui.models.long_texts import turn
from ui.state import SessionValue, fold

TITLE = N_("What it keeps while it writes")
MORE = 20  # tokens ahead, in the curves
MOST_COLUMNS = 16  # tokens that are drawn
LONG, TIMED_LONG, TIMED = 200, 3, 8  # beyond so many tokens, the clock runs over fewer
MOST_NAME = 9  # letters of a token below its column
_HIGH = 150  # pixels of the columns
_DRAWING = "display:flex;gap:3px;overflow-x:auto;font-size:.8rem"
_EDGES = "display:flex;flex-direction:column;justify-content:space-between;white-space:nowrap"
_COLUMN = "flex:0 1 3.2em;min-width:1.6em;text-align:center"
_NAME = "writing-mode:vertical-rl;height:5.4em;margin:3px auto;white-space:nowrap"


class Timed(NamedTuple):
    """How long the same tokens took, with what is kept and without.

    Attributes:
        about: the model and its text.
        read: how many tokens the text has.
        tokens: how many were timed, those after the first: reading the text is in neither time.
        kept, anew: seconds.
        same: whether both wrote the same.
    """

    about: tuple[object, ...]
    read: int
    tokens: int
    kept: float
    anew: float
    same: bool


_CLOCK = SessionValue("next word clock", False)
_TIMED = SessionValue[Timed | None]("next word timed", None)


def show(s: NextWordState, model: str, score: Score) -> None:
    """Draw the fold."""
    place = fold(s.keeps, gettext(TITLE))
    if not s.keeps.get():
        return
    with place:
        cost = attempt(model_cache.model(model).cache_cost)
        if cost is None:
            return
        count = len(score.tokens)
        st.markdown(said(cost, count))
        st.html(drawing(hidden.pieces(score.pieces), cost))
        st.caption(
            _(
                "Blue: keys and values of the tokens so far; they never change, since no token sees "
                "a later one. Orange: what is computed for the new token, and then kept too."
            )
        )
        figure.show(
            _curves(cost, count),
            "cache cost",
            saved_as=[files.csv(partial(cost.to_frame, _lengths(count)), "cache")],
            scale=layout.scale(),
        )
        _clock(s, model, cost, count)


def said(cost: CacheCost, tokens: int) -> str:
    """What is kept and what is spared, in numbers (Markdown)."""
    with_it, without = cost.with_cache(tokens + 1), cost.without_cache(tokens + 1)
    kept = cost.kept * tokens
    return _(
        "Of each token it keeps {layers} layers × {heads} key–value heads × 2 × {size} = "
        "**{kept} numbers**; of these {tokens} tokens {all}, or {bytes}. The next token then "
        "takes **{with_it} multiply–adds** in place of {without}: {factor} times fewer."
    ).format(
        layers=cost.n_layers,
        heads=cost.n_kv_heads,
        size=cost.d_head,
        kept=decimal(f"{cost.kept:,}"),
        tokens=decimal(f"{tokens:,}"),
        all=decimal(f"{kept:,}"),
        bytes=_bytes(BYTES * kept),
        with_it=_large(with_it),
        without=_large(without),
        factor=decimal(f"{without / with_it:.1f}"),
    )


def _bytes(count: int) -> str:
    return decimal(f"{count / 1e6:,.1f} MB" if count >= 1e6 else f"{count / 1e3:,.1f} kB")


def _large(count: int) -> str:
    for size, name in ((1e9, _("billion")), (1e6, _("million")), (1e3, _("thousand"))):
        if count >= size:
            return f"{decimal(f'{count / size:,.2f}')} {name}"
    return decimal(f"{count:,}")


def _lengths(tokens: int) -> range:
    return range(tokens + 1, tokens + 1 + MORE)


def _curves(cost: CacheCost, tokens: int) -> Picture:
    lengths = _lengths(tokens)
    rows = [[find(n) / 1e6 for n in lengths] for find in (cost.with_cache, cost.without_cache)]
    most = max(rows[1])
    step = 10 ** np.floor(np.log10(most))
    step = next(one for one in (step / 5, step / 2, step, 2 * step) if most / one <= 6)
    guides = [(float(at), decimal(f"{at:,.4g}")) for at in np.arange(0, most + step / 2, step)]
    return lines(
        [
            Line(_("without"), rows[1], style.SENTENCE_B, "none", _("read anew")),
            Line(_("with what is kept"), rows[0], style.SENTENCE_A, "none", _("kept")),
        ],
        StepAxis(
            [_("token {place}").format(place=decimal(f"{n:,}")) for n in lengths],
            [str(n) if (n - lengths[0]) % 5 == 0 else "" for n in lengths],
            _("place of the token that is read"),
        ),
        ValueAxis(guides, (0.0, most), unit=_("million multiply–adds for the next token"), digits=1),
        sentence=_(
            "Multiply–adds for each of the next {count} tokens, with what is kept and without."
        ).format(count=MORE),
        name="cache-cost",
        height=230,
    )


def drawing(pieces: Sequence[str], cost: CacheCost) -> str:
    """A picture (HTML): a column for each token, the last for the new one; a line for each layer."""
    some = list(pieces[-MOST_COLUMNS:])
    left_out = len(pieces) - len(some)
    row = _HIGH / cost.n_layers
    columns, count = [], decimal(f"{cost.kept:,}")
    about = _("{token}: {count} numbers, {what}")
    for piece in (*some, None):
        colour = style.SENTENCE_B if piece is None else style.SENTENCE_A
        name = _("the new token") if piece is None else spelled(piece)
        what = _("computed now, then kept") if piece is None else _("kept")
        short = _("new") if piece is None else text.clipped(spelled(piece), MOST_NAME)
        lines = f"repeating-linear-gradient({colour} 0 {0.6 * row:.2f}px, {colour}33 0 {row:.2f}px)"
        columns.append(
            f'<div title="{escape(about.format(token=name, count=count, what=what))}" '
            f'style="{_COLUMN}">'
            f'<div style="height:{_HIGH}px;background:{lines}"></div>'
            f'<div style="{_NAME}"><bdi>{escape(short)}</bdi></div></div>'
        )
    before = (
        _("{count} more tokens before. ").format(count=decimal(f"{left_out:,}")) if left_out else ""
    )
    about = _(
        "{before}A column for each of {tokens} tokens and one for the new token, a line for "
        "each of {layers} layers; each line stands for {numbers} numbers."
    ).format(before=before, tokens=len(some), layers=cost.n_layers, numbers=cost.kept // cost.n_layers)
    layer = _("layer {layer}")
    edges = (
        f'<div style="{_EDGES};height:{_HIGH}px"><span>{layer.format(layer=1)}</span>'
        f"<span>{layer.format(layer=cost.n_layers)}</span></div>"
    )
    return (
        f'<div role="img" aria-label="{escape(about)}" style="{_DRAWING}">{edges}'
        f"{''.join(columns)}</div>"
    )


def _clock(s: NextWordState, model: str, cost: CacheCost, tokens: int) -> None:
    """The button that times it, and the times."""
    count = TIMED_LONG if tokens > LONG else TIMED
    st.button(
        _("Time {count} tokens, with and without").format(count=count),
        key="time the cache",
        on_click=_CLOCK.set,
        args=(True,),
        help=_(
            "The server writes the same tokens twice, and reads the whole text anew for each the "
            "second time."
        ),
    )
    about = model, ending.read_of(s, model), s.written.get()
    if _CLOCK.take():
        with st.spinner(_("Writing the same tokens twice …")):
            found = attempt(timed, *about, tokens, count)
        if found is not None:
            _TIMED.set(found)
    now = _TIMED.get()
    if now is not None and now.about == about:
        st.markdown(spent(now))
        st.caption(
            _(
                "The clock gains less than the count: for each token, all {count} numbers of the "
                "matrices come from memory once, however many tokens they are multiplied with."
            ).format(count=_large(cost.weights))
        )


def timed(model: str, typed: str, written: tuple[int, ...], tokens: int, count: int, /) -> Timed:
    """Write the likeliest tokens twice, and look at the clock. Raises: see `Model.generate`."""
    runner = model_cache.model(model).untraced
    ids, seconds = [], []
    with turn(typed):
        for cache in (True, False):
            some = runner.generate(typed, count + 1, more=written, temperature=0, cache=cache)
            found = [one.id for one in islice(some, 1)]
            began = time.perf_counter()
            found += [one.id for one in some]
            ids.append(found)
            seconds.append(time.perf_counter() - began)
    timed_tokens = max(0, len(ids[0]) - 1)
    about, (kept, anew) = (model, typed, written), seconds
    return Timed(about, tokens, timed_tokens, kept, anew, ids[0] == ids[1])


def spent(now: Timed) -> str:
    """The times in a sentence (Markdown)."""
    if not now.tokens:
        return _("The text ends here: nothing was written, and nothing timed.")
    same = (
        _("The tokens are the same.")
        if now.same
        else _("The tokens differ: two tokens were as likely.")
    )
    one = sentence("next-word.token" if now.tokens == 1 else "next-word.tokens", count=str(now.tokens))
    return _(
        "Measured on this server just now: {tokens} behind a text of {read} took **{kept} "
        "s** with what is kept and **{anew} s** without: {factor} times as long. {same}"
    ).format(
        tokens=one,
        read=decimal(f"{now.read:,}"),
        kept=decimal(f"{now.kept:.2f}"),
        anew=decimal(f"{now.anew:.2f}"),
        factor=decimal(f"{now.anew / now.kept:.1f}"),
        same=same,
    )
