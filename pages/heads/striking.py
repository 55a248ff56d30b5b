"""What the page opens with: one head of this text, in a sentence and a picture."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from core.errors import NotSupported
from core.figures import Picture, heatmap, style
from core.localization import N_, _, gettext, ngettext
from core.measures import HeadMap, StrikingWeight, head_map
from core.sentences import listed, percent
from pages.heads.displayed import Panel
from pages.heads.state import HeadsState
from ui import figure, files, layout, left_out, tables, text
from ui.figure import Cell
from ui.models import answers
from ui.session import SessionValue
from ui.state import LESSON

PICTURE = "striking head"  # its name on the page
NONE = N_(
    "**No head stands out here:** no two different words of this text attend to each other. "
    "Click on any head to see what it does."
)
CARRIES = N_(
    "The head then carries over to the row’s token each column’s *value*, a vector of its own, times "
    "that weight."
)
MOST_DRAWN = 64  # tokens
_ALL = SessionValue("heads presented all", False)  # in front of a class, instead of the one
_MOST = 0.5  # of a row: from here on, it is most of it
_MOST_NAMED = 4  # words
_NUMBERED = (
    N_("the first {word}"),
    N_("the second {word}"),
    N_("the third {word}"),
    N_("the fourth {word}"),
    N_("the fifth {word}"),
    N_("the sixth {word}"),
    N_("the seventh {word}"),
    N_("the eighth {word}"),
    N_("the ninth {word}"),
)


def of(panel: Panel) -> StrikingWeight | None:
    """The weight that the page opens with; None if the text has none, or if it is no whole text.

    Raises:
        NotSupported: if the model has no attention.
    """
    if panel.block.trace is None:
        return None
    return answers.striking_weight(panel.text_query, panel.block_index)


def opens(s: HeadsState, panels: list[Panel]) -> bool:
    """Whether nothing else is asked for: one whole text in one model, and no layer or token chosen.

    A lesson says itself what to look at.
    """
    one = panels[0]
    chosen = one.layer is not None or one.chosen.maps["token"] is not None or s.pattern.get()
    asked = LESSON.get() is not None or s.words.get() or one.masked
    return len(panels) == 1 and not chosen and not asked and one.block.trace is not None


def say(panel: Panel, found: StrikingWeight | None) -> str:
    """The head in a sentence about this text (Markdown)."""
    layers, heads = panel.of
    if found is None:
        return gettext(NONE)
    query, key = _named(panel, found.query), _named(panel, found.key)
    count = layers * heads - int(panel.block.absent.sum())
    share = percent(found.weight)
    return _(
        "**In layer {layer}, head {head} sends {share} of the attention of {query} to {key}.** It is "
        "one of {count} heads: click on any of them."
    ).format(layer=found.layer + 1, head=found.head + 1, share=share, query=query, key=key, count=count)


def resting(panel: Panel, found: StrikingWeight) -> str:
    """Which words of the head give most of their attention to a token of no text; "" for none."""
    queries, keys = panel.block.special
    if panel.hidden or not keys:
        return ""
    weights = panel.block.attention.weights[found.layer, found.head]
    strongest = np.nan_to_num(weights).argmax(axis=1)
    rows = [
        row
        for row, key in enumerate(strongest)
        if row not in queries and key in keys and weights[row, key] > _MOST
    ]
    if not rows:
        return ""
    key = int(np.bincount(strongest[rows]).argmax())
    words = list(dict.fromkeys(_named(panel, row) for row in rows if strongest[row] == key))
    if len(words) > _MOST_NAMED:
        words = [*words[:_MOST_NAMED], _("others")]
    return ngettext(
        "{words} gives most to {key}, which stands for no word: a row must add up to 1, and a head "
        "often rests there where it finds nothing to fetch (Clark et al. 2019).",
        "{words} give most to {key}, which stands for no word: a row must add up to 1, and a head "
        "often rests there where it finds nothing to fetch (Clark et al. 2019).",
        len(words),
    ).format(words=listed(words), key=_named(panel, key))


def _named(panel: Panel, token: int) -> str:
    """A token by its name, and by its number among equal ones (Markdown)."""
    names = panel.block.attention.queries
    same = [i for i, name in enumerate(names) if name == names[token]]
    word = f"*{text.plain(style.token_name(names[token]))}*"
    if len(same) == 1:
        return word
    number = same.index(token)
    named = gettext(_NUMBERED[number]) if number < len(_NUMBERED) else _("{word} (no. {number})")
    return named.format(word=word, number=number + 1)


def drawn(panel: Panel, found: StrikingWeight) -> Picture:
    """The map of the head, the row of the token that attends marked."""
    where = style.head_name(found.layer, found.head)
    return heatmap(
        seen(panel, found),
        sentence=_("{head}: rows are queries, columns are keys.").format(head=where),
        name=f"striking-layer-{found.layer + 1}-head-{found.head + 1}",
        marked=seen(panel, found).rows(np.array([found.query])),
    )


def seen(panel: Panel, found: StrikingWeight) -> HeadMap:
    """The weights of the head; without a first token that is the sink, unless it is asked for."""
    special = not panel.block.first_is_sink or not panel.hidden
    return head_map(panel.block, found.layer, found.head, special=special)


def fits(panel: Panel) -> bool:
    """Whether the text is short enough for its map to be read beside all heads."""
    return len(panel.block.attention.queries) <= MOST_DRAWN


def offer(s: HeadsState, found: StrikingWeight) -> None:
    """Draw the button that opens the head."""
    st.button(
        _("Open this head"),
        key="open striking head",
        on_click=s.open_weight,
        args=(found.layer, found.head, found.query, found.key),
    )


def show(s: HeadsState, panel: Panel, found: StrikingWeight) -> None:
    """Draw the head, with what leads to all its numbers."""
    view = partial(seen, panel, found)
    tokens = view().tokens

    def opened(cell: Cell) -> None:
        row, column = int(tokens[cell.row]), int(tokens[cell.column])
        s.open_weight(found.layer, found.head, row, column)

    with st.container(key="striking"):
        query, key = _named(panel, found.query), _named(panel, found.key)
        st.markdown(
            _(
                "**{head}.** A row is a token that attends, a column one that it attends to; each row "
                "adds up to 1. Look for the strongest cell in the framed row: it is what {query} gives "
                "{key}. {carries}"
            ).format(
                head=style.head_name(found.layer, found.head),
                query=query,
                key=key,
                carries=gettext(CARRIES),
            )
        )
        left_out.of_map(view(), _("of this head’s attention"))
        figure.show(
            drawn(panel, found),
            PICTURE,
            on_cell=opened,
            saved_as=[files.csv(lambda: tables.head(view()), "striking-head")],
            scale=layout.scale(),
        )
        if rests := resting(panel, found):
            st.caption(rests)
        offer(s, found)


def present(panel: Panel, found: StrikingWeight) -> bool:
    """What is said and chosen in front of a class; returns whether it sees this head, and not all."""
    layers, heads = panel.of
    count = layers * heads - int(panel.block.absent.sum())
    one = fits(panel) and not _ALL.get()
    said = (
        _(
            "**In layer {layer}, head {head} sends {share} of the attention of {query} to {key}** "
            "(framed). Row: who attends. Column: to whom. Each row adds up to 1."
        ).format(
            layer=found.layer + 1,
            head=found.head + 1,
            share=percent(found.weight),
            query=_named(panel, found.query),
            key=_named(panel, found.key),
        )
        if one
        else _(
            "**Each tile is one of {count} heads,** on the whole text: from top to bottom, who "
            "attends; from left to right, to whom."
        ).format(count=count)
    )
    with st.container(key="presented line"), st.container(horizontal=True, key="striking presented"):
        st.markdown(said)
        if fits(panel):
            label = _("All {count} heads").format(count=count) if one else _("One head")
            st.button(label, key="striking all", on_click=_ALL.set, args=(one,))
    return one


def read(panel: Panel) -> StrikingWeight | None:
    """`of`, without the error of a model that has no attention."""
    try:
        return of(panel)
    except NotSupported:
        return None
