"""The captions of the Encoder–decoder page, and a diagram of the three blocks."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from core.figures import style
from core.localization import N_, _, gettext
from core.measures.attention.token_names import names as names_of
from core.sentences import percent
from core.tasks.training.batches import NOWHERE
from pages.encoder_decoder import blocks
from pages.encoder_decoder.vocabulary import Sides
from ui import text

if TYPE_CHECKING:
    from core.tasks import Decoding, Sentence

_SEES = {
    "word": N_("⟲ encoder: every word sees all"),
    "letter": N_("⟲ encoder: every letter sees all"),
    "token": N_("⟲ encoder: every token sees all"),
}
_READS = {
    "word": N_(
        "The encoder reads the whole {source} text at once, without a mask. The decoder attends, in "
        "cross-attention, to the encoder’s output for these words."
    ),
    "letter": N_(
        "The encoder reads the whole {source} text at once, without a mask. The decoder attends, in "
        "cross-attention, to the encoder’s output for these letters."
    ),
    "token": N_(
        "The encoder reads the whole {source} text at once, without a mask. The decoder attends, in "
        "cross-attention, to the encoder’s output for these tokens."
    ),
}
_MASKED = {
    "word": N_(
        "A row is named after the word that it writes. In training, the decoder reads the whole "
        "{target} text at once. The mask sets the scores of later words to −∞, which makes their "
        "weights 0"
    ),
    "letter": N_(
        "A row is named after the letter that it writes. In training, the decoder reads the whole "
        "{target} text at once. The mask sets the scores of later letters to −∞, which makes their "
        "weights 0"
    ),
    "token": N_(
        "A row is named after the token that it writes. In training, the decoder reads the whole "
        "{target} text at once. The mask sets the scores of later tokens to −∞, which makes their "
        "weights 0"
    ),
}
_LOST = {
    "word": N_(
        "{before}. Without the mask, head {head} would put **{share}** of its weight in the row of "
        "*{word}*, written after *{read}*, on words that are not written yet. *{word}* itself is one "
        "of them: in training, the model would learn to copy it from its own input.{pale}"
    ),
    "letter": N_(
        "{before}. Without the mask, head {head} would put **{share}** of its weight in the row of "
        "*{word}*, written after *{read}*, on letters that are not written yet. *{word}* itself is one "
        "of them: in training, the model would learn to copy it from its own input.{pale}"
    ),
    "token": N_(
        "{before}. Without the mask, head {head} would put **{share}** of its weight in the row of "
        "*{word}*, written after *{read}*, on tokens that are not written yet. *{word}* itself is one "
        "of them: in training, the model would learn to copy it from its own input.{pale}"
    ),
}
_HUE = f"rgb({' '.join(map(str, style.WEIGHT_HUE))})"
_WRITTEN = f"color-mix(in srgb, {_HUE} 75%, currentColor)"  # small letters need more contrast
_NOTE = "overflow-wrap:anywhere"
_WORDS = f"{_NOTE};max-height:4.6em;overflow-y:auto"  # three lines; a longer text is scrolled
_BOX = "border:1.5px solid {border};border-radius:.5rem;padding:.15rem .6rem;min-width:0;flex:1 1 11rem"
_QUIET = "color-mix(in srgb, currentColor 25%, transparent)"


def diagram(decoding: Decoding, which: str, step: int, called: Sides) -> str:
    """A diagram of the three blocks in HTML, the chosen one in the colour of weights."""
    source = [*map(style.token_name, names_of(decoding.trace.encoder))]
    reads = blocks.reads(decoding)[: step + 1]

    def mark(name: str, note: str) -> str:
        bold = f"color:{_WRITTEN};font-weight:700" if name == which else "opacity:.75"
        return f'<div style="font-size:.8rem;{bold};{_NOTE}">{html.escape(note)}</div>'

    def box(name: str, what: str, words: Sequence[str], note: str) -> str:
        border = _HUE if name == which else _QUIET
        shown = html.escape(" ".join(words))
        return (
            f'<div style="{_BOX.format(border=border)}"><div style="{_WORDS}">'
            f'<span style="opacity:.7">{what}</span> <b>{shown}</b></div>{mark(name, note)}</div>'
        )

    across = mark(
        "cross", _("across: {target} → {source}").format(target=called.target, source=called.source)
    )
    return (
        '<div style="display:flex;flex-wrap:wrap;align-items:center;gap:.6rem;margin-bottom:.3rem">'
        + box("encoder", called.source, source, gettext(_SEES[called.unit]))
        + f'<div style="text-align:center"><div style="color:{_HUE if which == "cross" else _QUIET}">'
        + f"◀━━━━━</div>{across}</div>"
        + box("decoder", called.target, reads, _("⟲ masked: sees only earlier words"))
        + f'<div style="white-space:nowrap">→ <b>{html.escape(decoding.tokens[step])}</b></div></div>'
    )


class Where(NamedTuple):
    """The part of the translation that is shown.

    Attributes:
        block: one of the three blocks.
        layer: from 0.
        head: the head shown, from 0; None for several.
        step: the row, from 0.
        lines: whether lines are drawn: among them, the rows that are not written yet are pale.
    """

    block: str
    layer: int
    head: int | None
    step: int
    lines: bool = False


def caption(
    decoding: Decoding,
    where: Where,
    known: Sequence[Sentence],
    called: Sides,
    *,
    taught: bool = False,
) -> str:
    """The caption for the picture of a block (Markdown).

    Args:
        decoding: the translation.
        where: what is shown.
        known: the translations of the grammar.
        called: the names of its two texts.
        taught: whether a part of the loss taught the cross-attention what to attend to.
    """
    which, layer, head, step, lines = where
    if which == "encoder":
        return gettext(_READS[called.unit]).format(source=called.source)
    unwritten = step + 1 < len(decoding.tokens) and lines
    pale = _(" Pale rows are not written yet.") if unwritten else ""
    if which == "cross":
        sources = _(
            "Queries come from the {target} side, keys and values from the {source} side."
        ).format(target=called.target, source=called.source)
        free = _free_row(decoding, where, known, called) if taught else ""
        return " ".join(
            one for one in (f"{sources}{pale}", _heads(decoding, known, called), free) if one
        )
    read = text.plain(blocks.reads(decoding)[step])
    word = text.plain(decoding.tokens[step])
    before = gettext(_MASKED[called.unit]).format(target=called.target)
    if step + 1 == len(decoding.tokens):
        last = _("{before}. Nothing comes after the last row: all of it is visible.")
        return last.format(before=before)
    if not decoding.trace.decoder.products:
        return _(
            "{before}. This model exposes no scores: what the mask takes away cannot be computed."
        ).format(before=before)
    n_heads = blocks.block(decoding, which).attention.weights.shape[1]
    lost = [blocks.without_mask(decoding, layer, one, step) for one in range(n_heads)]
    worst = max(range(n_heads), key=lost.__getitem__) if head is None else head
    return gettext(_LOST[called.unit]).format(
        before=before, head=worst + 1, share=percent(lost[worst]), word=word, read=read, pale=pale
    )


def _free_row(decoding: Decoding, where: Where, known: Sequence[Sentence], called: Sides) -> str:
    """What the weights of a row mean that was not taught; "" if there is none, or several heads.

    The row of the chosen step if it translates no word, or else that of the end.
    """
    across = decoding.trace.cross
    if called.direction is None or across is None or across.weights.shape[:2] != (1, 1):
        return ""  # several heads were taught as a mean, and only those of the last layer
    alignment = blocks.alignment(decoding, known, called.direction)
    if alignment is None:
        return ""
    untaught = [row for row, key in enumerate(alignment) if key == NOWHERE]
    untaught += range(len(alignment), len(decoding.tokens))
    if not untaught:
        return ""
    row = where.step if where.step in untaught else untaught[-1]
    weights = across.weights[0, 0, row]
    strongest = int(weights.argmax())
    return _(
        "*{word}* translates no word, so nothing taught its row where to attend: its **{share}** on "
        "*{key}* is no translation, and another training might choose another word."
    ).format(
        word=text.plain(decoding.tokens[row]),
        share=percent(float(weights[strongest])),
        key=text.plain(across.keys[strongest]),
    )


def _heads(decoding: Decoding, known: Sequence[Sentence], called: Sides) -> str:
    """Which head aligns; "" if no grammar defines the alignment."""
    if called.direction is None:
        return ""
    all_heads = blocks.aligned(decoding, known, called.direction)
    if not all_heads:
        return _("For this translation, the grammar does not say which word translates which.")
    best = max(all_heads, key=lambda one: one.right)
    which = (_("head {head} of layer {layer}") if best.layer else _("head {head}")).format(
        head=best.head + 1, layer=best.layer + 1
    )
    others = ""
    if len(all_heads) > 1:
        others = _(", the best aligned of the {count} heads").format(count=len(all_heads))
    return _(
        "In {which}{others}, **{right} of {words}** {target} words attend most to the {source} word "
        "that they translate."
    ).format(
        which=which,
        others=others,
        right=best.right,
        words=best.words,
        target=called.target,
        source=called.source,
    )
