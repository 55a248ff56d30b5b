"""The two tokens of a weight: the one that attends, and the one that is attended to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from core.figures import style
from core.localization import N_, _, gettext
from core.measures import AttentionBlock, strongest_key
from pages.heads.displayed import Panel
from pages.heads.state import HeadsState
from ui.layout import row, scale
from ui.state import Part, select

WIDTH = 200  # pixels of a list


class Pair(NamedTuple):
    """A row and a column of a panel's block, from 0, and their names on the screen."""

    query: int
    key: int
    names: tuple[str, str]


def of(one: Panel) -> tuple[int, int]:
    """The chosen row and column.

    By default, the row is the last token of the text's own, and the column the token that receives the
    largest weight of that row in any head.
    """
    block = one.block
    queries, keys = block.attention.shape[2:]
    query, key = (one.chosen.inside.get(what) for what in ("query", "key"))
    if one.layer is None and one.chosen.maps["token"] is not None:
        if one.chosen.maps["direction"] == "from":
            query = one.chosen.maps["token"]
        else:
            key = one.chosen.maps["token"]
    if query is None or query >= queries:
        query = _last(block)
    if key is None or key >= keys:
        key = strongest_key(block, query)
    return query, key


def _last(block: AttentionBlock) -> int:
    """The last word of the queries; the last token if there is none."""
    tokens, special = block.attention.queries, block.special[0]
    own = [i for i, token in enumerate(tokens) if i not in special and any(map(str.isalnum, token))]
    return own[-1] if own else len(tokens) - 1


def choose(s: HeadsState, one: Panel) -> Pair:
    """Draw the two lists, which also show what is chosen in the picture."""
    query, key = of(one)
    attention = one.block.attention
    froms, tos = _names(attention.queries), _names(attention.keys)
    # A browser answers with names, so each text needs lists of its own.
    at_query = Part("heads from", lambda: query, s.choose_from)
    at_key = Part("heads to", lambda: key, s.choose_to)
    with row():
        width = round(WIDTH * scale())
        query = select(at_query, froms, _("From"), by_names=True, width=width, about=gettext(_FROM))
        key = select(at_key, tos, _("To"), by_names=True, width=width, about=gettext(_TO))
    names = style.token_name(attention.queries[query]), style.token_name(attention.keys[key])
    return Pair(query, key, names)


_FROM = N_(
    "The token that attends: a row of every head. A click on a token in the picture also sets it."
)
_TO = N_("The token that is attended to: a column of every head. A click on a cell sets both.")


def _names(tokens: tuple[str, ...]) -> Mapping[int, str]:
    """Each token with its position in the text, from 1."""
    return {i: f"{style.token_name(token)} ({i + 1})" for i, token in enumerate(tokens)}
