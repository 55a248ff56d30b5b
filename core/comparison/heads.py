"""Which token attends to which: a head of each sentence, their difference, and the word by layer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..figures import Picture, heatmap, signed_heatmap, style
from ..figures.scales import difference_bound
from ..localization import N_, _, ngettext
from ..markdown import plain
from ..measures import HeadDifference, HeadMap, head_difference, word_map
from ..measures.attention.visible import mean_of_rows
from .question import Chosen
from .source import Source

COLOURS = {"A": style.SENTENCE_A, "B": style.SENTENCE_B}
DIFFERENCE = N_(
    "Green: the weight is larger in A. Purple: it is larger in B. Repeated tokens are "
    "paired in order, the first with the first, and the compared word is paired with "
    "itself. A row need not add up to 0, because weights on tokens of only one sentence "
    "do not appear here."
)


class Look(NamedTuple):
    """A choice of weights: layer and head from 0, None for all; with or without special tokens."""

    layer: int | None
    head: int | None
    special: bool

    @classmethod
    def numbered(cls, layer: int, head: int, special: bool) -> Look:
        """Convert the numbers of a link: layer and head from 1, 0 for all."""
        return cls(layer - 1 if layer else None, head - 1 if head else None, special)

    @property
    def where(self) -> str:
        """The layer and the head in words."""
        return style.head_name(self.layer, self.head)


class Seen(NamedTuple):
    """One sentence in one head.

    Attributes:
        name: "A" or "B".
        view: its weights.
        tokens: the name of each row's token in the model's vocabulary.
        rows: the rows of the word, if they are shown.
        word: the word.
    """

    name: str
    view: HeadMap
    tokens: tuple[str, ...]
    rows: tuple[int, ...]
    word: str | None


def seen(name: str, text: str, side: Chosen | None, look: Look, source: Source) -> Seen:
    """The data to draw for one sentence.

    Args:
        name: "A" or "B".
        text: the sentence.
        side: its word; None if none is chosen.
        look: the chosen head.
        source: the model.

    Raises:
        PolyseeError: see `Model.trace` and `core.measures.head_map`.
    """
    view = source.head_map(text, look.layer, look.head, special=look.special)
    trace = source.trace(text)
    tokens = tuple(trace.tokens[i] for i in view.tokens)
    if side is None:
        return Seen(name, view, tokens, (), None)
    return Seen(name, view, tokens, view.rows(trace.find(side.word, side.number)), side.word)


def picture(one: Seen, look: Look) -> Picture:
    """A sentence's head as a heatmap."""
    return heatmap(
        one.view,
        sentence=_("Sentence {name}, {where}: rows are queries, columns are keys.").format(
            name=one.name, where=look.where
        ),
        name=f"head-{one.name}",
        marked=one.rows,
        colour=COLOURS[one.name],
    )


def less(a: Seen, b: Seen) -> HeadDifference:
    """A minus B, for the tokens that both sentences contain.

    Raises:
        NotSupported: if they share none.
    """
    names = a.tokens, b.tokens
    return head_difference(a.view, b.view, rows_a=a.rows, rows_b=b.rows, names=names)


def difference(difference: HeadDifference, look: Look) -> Picture:
    """A picture of the difference between the two sentences."""
    return signed_heatmap(
        difference.queries,
        difference.keys,
        difference.values,
        title=_("weight in A minus weight in B"),
        sentence=_("Sentence A minus sentence B, {where}, for the tokens that both contain.").format(
            where=look.where
        ),
        name="head-difference",
        bound=difference_bound(difference.values),
        marked=difference.marked,
    )


def every_layer(side: Chosen, look: Look, source: Source) -> HeadMap:
    """The attention of the word of a sentence in every layer.

    Raises:
        PolyseeError: see `Model.trace` and `word_map`.
    """
    trace = source.trace(side.text)
    view = word_map(trace, trace.find(side.word, side.number), special=look.special)
    return replace(view, queries=tuple(style.layer_name(int(layer)) for layer in view.queries))


def by_layer(name: str, view: HeadMap, side: Chosen, look: Look) -> Picture:
    """The result of `every_layer` as a heatmap."""
    return heatmap(
        view,
        sentence=(
            _(
                "What {word} attends to in sentence {name}: one row per layer, the mean over the heads."
            ).format(word=side.word, name=name)
        ),
        name=f"layers-{name}",
        marked=() if look.layer is None else (look.layer,),
        colour=COLOURS[name],
    )


def strongest_attention(view: HeadMap, rows: Sequence[int], word: str | None) -> str:
    """What a word attends to most in one head, in a sentence (Markdown)."""
    if not rows or word is None:
        return _("Rows are queries, columns are keys.")
    gone = view.missing
    if gone[list(rows)].all():
        return _no_row(view, rows, word)
    rows = [row for row in rows if not gone[row]]
    weights = mean_of_rows(view.weights[rows])
    top = np.argsort(-weights, kind="stable")[:3]
    names = [plain(style.token_name(view.keys[i])) for i in top]
    seen = ", ".join(
        f"*{name}* {style.signed(float(weights[i]))}" for name, i in zip(names, top, strict=True)
    )
    caption = ngettext(
        "Row **{word}** attends most to {seen}.",
        "On average, the {count} rows of **{word}** attend most to {seen}.",
        len(rows),
    ).format(count=len(rows), word=plain(word), seen=seen)
    if view.renormalised:
        spent = style.signed(float(view.dropped[rows].mean()))
        left = left_out(view.first_is_sink)
        hidden = ngettext(
            "The {spent} of its weight on {left} is hidden;",
            "The {spent} of their weight on {left} is hidden;",
            len(rows),
        ).format(spent=spent, left=left)
        rest = (
            _(
                "the rest of each head’s rows is rescaled to add up to 1, and then the heads are "
                "averaged."
            )
            if view.averaged
            else _("the rest is rescaled to add up to 1.")
        )
        caption = f"{caption} {hidden} {rest}"
    return caption


def left_out(first_is_sink: bool) -> str:
    """What a picture of attention may leave out."""
    return _("the first token (sink)") if first_is_sink else _("special tokens")


def _no_row(view: HeadMap, rows: Sequence[int], word: str) -> str:
    """Why a word attends to nothing here (Markdown)."""
    spent = view.dropped[list(rows)]
    if not view.renormalised or np.isnan(spent).all():
        return _("**{word}** attends to nothing here: this layer has no attention.").format(
            word=plain(word)
        )
    return _(
        "**{word}** spends all of its weight on {left} here: nothing else of its row is left."
    ).format(word=plain(word), left=left_out(view.first_is_sink))
