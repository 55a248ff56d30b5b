"""The captions of the Encoder–decoder page, and a diagram of the three blocks."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from core.figures import style
from core.measures.attention.token_names import names as names_of
from core.sentences import percent
from pages.encoder_decoder import blocks
from pages.encoder_decoder.vocabulary import Sides
from ui import text

if TYPE_CHECKING:
    from core.tasks import Decoding, Sentence

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

    across = mark("cross", f"across: {called.target} → {called.source}")
    return (
        '<div style="display:flex;flex-wrap:wrap;align-items:center;gap:.6rem;margin-bottom:.3rem">'
        + box("encoder", called.source, source, f"⟲ encoder: every {called.unit} sees all")
        + f'<div style="text-align:center"><div style="color:{_HUE if which == "cross" else _QUIET}">'
        + f"◀━━━━━</div>{across}</div>"
        + box("decoder", called.target, reads, "⟲ masked: sees only earlier words")
        + f'<div style="white-space:nowrap">→ <b>{html.escape(decoding.tokens[step])}</b></div></div>'
    )


class Where(NamedTuple):
    """The part of the translation that is shown.

    Attributes:
        block: one of the three blocks.
        layer: from 0.
        head: the head shown, from 0; None for several.
        step: the row, from 0.
    """

    block: str
    layer: int
    head: int | None
    step: int


def caption(decoding: Decoding, where: Where, known: Sequence[Sentence], called: Sides) -> str:
    """The caption for the picture of a block (Markdown).

    Args:
        decoding: the translation.
        where: what is shown.
        known: the translations of the grammar.
        called: the names of its two texts.
    """
    which, layer, head, step = where
    if which == "encoder":
        return (
            f"The encoder reads the whole {called.source} text at once, without a mask. The "
            f"decoder attends, in cross-attention, to the encoder’s output for these {called.unit}s."
        )
    pale = " Pale rows are not written yet." if step + 1 < len(decoding.tokens) and head is None else ""
    if which == "cross":
        sources = (
            f"Queries come from the {called.target} side, keys and values from the "
            f"{called.source} side."
        )
        return f"{sources}{pale} {_heads(decoding, known, called)}".rstrip()
    read = text.plain(blocks.reads(decoding)[step])
    word = text.plain(decoding.tokens[step])
    before = (
        f"A row is named after the {called.unit} that it writes. In training, the decoder "
        f"reads the whole {called.target} text at once. The mask sets the scores of later "
        f"{called.unit}s to −∞, which makes their weights 0"
    )
    if step + 1 == len(decoding.tokens):
        return f"{before}. Nothing comes after the last row: all of it is visible."
    if not decoding.trace.decoder.products:
        return f"{before}. This model exposes no scores: what the mask takes away cannot be computed."
    n_heads = blocks.block(decoding, which).attention.weights.shape[1]
    lost = [blocks.without_mask(decoding, layer, one, step) for one in range(n_heads)]
    worst = max(range(n_heads), key=lost.__getitem__) if head is None else head
    return (
        f"{before}. Without the mask, head {worst + 1} would put **{percent(lost[worst])}** of "
        f"its weight in the row of *{word}*, written after *{read}*, on {called.unit}s that "
        f"are not written yet. *{word}* itself is one of them: in training, the model would "
        f"learn to copy it from its own input.{pale}"
    )


def _heads(decoding: Decoding, known: Sequence[Sentence], called: Sides) -> str:
    """Which head aligns; "" if no grammar defines the alignment."""
    if called.direction is None:
        return ""
    all_heads = blocks.aligned(decoding, known, called.direction)
    if not all_heads:
        return "For this translation, the grammar does not say which word translates which."
    best = max(all_heads, key=lambda one: one.right)
    which = f"head {best.head + 1}" + (f" of layer {best.layer + 1}" if best.layer else "")
    others = f", the best aligned of the {len(all_heads)} heads" if len(all_heads) > 1 else ""
    return (
        f"In {which}{others}, **{best.right} of {best.words}** {called.target} words attend "
        f"most to the {called.source} word that they translate."
    )
