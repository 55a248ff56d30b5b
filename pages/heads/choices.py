"""The controls: models, attention block, part of a pair, zoom level, words or pieces."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.figures import style
from core.localization import N_, _, each, gettext
from core.measures import PARTS
from core.records.seq2seq import Seq2SeqTrace
from core.records.trace import Trace
from pages.heads import displayed
from pages.heads.state import ALL, MEAN, HeadsState, Side
from ui import text
from ui.layout import row
from ui.models import answers, model_cache
from ui.models import blocks as attention_blocks
from ui.models.attempt import attempt
from ui.models.choice import choose_model, choose_second, offer_origin
from ui.query import TextQuery
from ui.state import clamp, select, toggle

MOST_NAMED = 8  # layers whose full names fit side by side
MASK = N_("Causal mask: hide later tokens")

OF_PAIR = {
    "": N_("All"),
    "aa": N_("Within A"),
    "bb": N_("Within B"),
    "ab": N_("A attends to B"),
    "ba": N_("B attends to A"),
}


def choose_models(s: HeadsState) -> list[str]:
    """Choose the models in the sidebar: one, or two side by side; none if none could be loaded."""
    about = _("Shows a second model on the same text.")
    first = choose_model(changed=s.forget)
    second = choose_second(s.other, _("Compare with"), about, changed=s.forget)
    if first and not second:
        offer_origin(s.other, first)
    return [model for model in (first, second) if model]


def question(model: str, text: str, second: str) -> TextQuery:
    """The query for the two text boxes; an encoder–decoder may start with an empty target."""
    takes_target = model_cache.model(model).kind == "encoder-decoder"
    return TextQuery(model, text, second if second or takes_target else None)


def as_chosen(plain: TextQuery, side: Side) -> TextQuery:
    """The query with all choices: causal mask, masked tokens, appended tokens.

    Masked and appended tokens are dropped if they cause an error.
    """
    masked = side.masked.get() if model_cache.model(plain.model).predicts == "masked" else ()
    chosen = plain._replace(
        masked=tuple(number - 1 for number in masked),
        more=side.more.get(),
        causal=side.causal.get() and takes_mask(plain.model),
    )
    if chosen == plain or attempt(answers.answer, chosen) is not None:
        return chosen
    for field in (side.masked, side.more):  # otherwise no button could undo the error
        field.set(())
    masked_only = plain._replace(causal=chosen.causal)
    if masked_only == plain or attempt(answers.answer, masked_only) is not None:
        return masked_only
    side.causal.set(False)
    return plain


def takes_mask(model: str) -> bool:
    """Whether a causal mask can be added: to an encoder that runs in our own transformer."""
    loaded = model_cache.model(model)
    return loaded.kind == "encoder" and loaded.engine == "scratch"


def choose(s: HeadsState, text_query: TextQuery, number: int, *, short: bool) -> None:
    """Draw the controls of one panel.

    Args:
        s: the state of the page.
        text_query: the query to its model.
        number: the index of the panel, from 0.
        short: whether there is little room.
    """
    answer = answers.answer(text_query)
    named_blocks = attention_blocks.named(text_query)
    side = s.sides[number]
    index = choose_block(side, [*named_blocks])
    if isinstance(answer, Seq2SeqTrace) and index:
        st.caption(opening(answer.decoder))
    is_pair = displayed.is_pair(text_query, named_blocks)
    if is_pair and not number:  # shared by both models
        choose_part(s)
    if s.words.get() and not number:
        st.caption(
            _("Within one part of a pair, the page shows pieces, not whole words.")
            if is_pair and s.part.get()
            else _(
                "The attention that a word receives is the sum over its pieces; the attention "
                "that it pays is the mean of their rows."
            )
        )
    block = [*named_blocks.values()][index]
    _clamp_head(side, block.absent.shape[1])
    absent = [bool(heads.all()) for heads in block.absent]
    with row():
        choose_layer(side, absent, short)
        if short:  # one model has it below its picture
            choose_mask(side, text_query.model, number)
    if text_query.causal:
        st.caption(_masked(text_query.model, short=short))


def _clamp_head(side: Side, heads: int) -> None:
    """A head beyond the last one, from a link or a larger model, becomes the last."""
    head = side.head.get()
    if head is not None and head >= heads:
        side.head.set(heads - 1)


def _masked(model: str, *, short: bool) -> str:
    """The effect of a causal mask on an encoder, which was trained without it (Markdown)."""
    title = model_cache.markdown_title(model)
    if short:
        said = _("Later tokens: −∞ before the softmax, 0 after it. {model} was trained without a mask.")
    else:
        said = _(
            "**With a causal mask.** In every layer, each token attends to itself and earlier tokens: "
            "the scores of later tokens are −∞ before the softmax, and their weights are 0 after it. "
            "{model} was trained without a mask and never learned to work with one."
        )
    return said.format(model=title)


def choose_mask(side: Side, model: str, number: int) -> None:
    """Choose whether later tokens are hidden; fixed for a decoder and for other engines.

    Args:
        side: the choices of the panel.
        model: the name of the model.
        number: the index of the panel, from 0.
    """
    if takes_mask(model):
        about = _(
            "Runs the model again with a mask, as in a decoder: the scores of later tokens become −∞ "
            "before the softmax, in every layer. This model was trained without a mask."
        )
        toggle(side.causal, gettext(MASK), about=about)
        return
    decoder = model_cache.model(model).kind == "decoder"
    about = (
        _(
            "The mask belongs to a decoder, which was trained with it: the scores of later tokens are "
            "−∞ before the softmax. It cannot be switched off."
        )
        if decoder
        else _("An encoder–decoder has the mask only in its decoder, where it is always on.")
        if model_cache.model(model).kind == "encoder-decoder"
        else _(
            "Polysee can put a mask on encoders that run in its own transformer: BERT and DistilBERT "
            "models. This model does not run in it."
        )
    )
    st.toggle(gettext(MASK), decoder, key=f"heads mask of {model} {number}", help=about, disabled=True)


def opening(decoder: Trace) -> str:
    """What a decoder reads before the first word, in words (Markdown)."""
    if not decoder.special[0]:
        return ""
    first = next((i for i, special in enumerate(decoder.special) if not special), len(decoder.special))
    signs = _(" and ").join(
        _("“{word}”").format(word=text.plain(sign)) for sign in decoder.tokens[:first]
    )
    if first == len(decoder.special):
        said = _("There is no target yet: the decoder reads only {signs}, the start of a target.")
    else:
        said = _("The decoder reads {signs} before the first word, as the start of its target.")
    return said.format(signs=signs)


def choose_block(side: Side, names: Sequence[str]) -> int:
    """Choose one of the model's attention blocks, from 0; draws no control if there is only one."""
    if len(names) > 1:
        return select(side.block, dict(enumerate(map(gettext, names))), _("Where"), style="segments")
    return clamp(side.block, 0, 0)


def choose_part(s: HeadsState) -> None:
    """Choose which texts of a pair attend to which; "" for all."""
    named = {part: OF_PAIR[part] for part in ("", *PARTS)}
    if select(s.part, each(named), _("Of the pair"), style="segments"):
        st.caption(
            _(
                "Each head’s rows are rescaled to 1 over the tokens shown. A row with no "
                "weight on them is missing, and hatched."
            )
        )


def choose_layer(side: Side, absent: Sequence[bool], short: bool) -> None:
    """Choose a zoom level: all heads, one layer, or the mean of all.

    Args:
        side: the choices of the panel.
        absent: for each layer, whether it has no attention; such a layer is offered only while it is
            open.
        short: whether there is little room.
    """
    layers = len(absent)
    short = short or layers > MOST_NAMED
    opened = 0
    if side.layer.get() not in (ALL, MEAN):  # a link may come from a larger model
        opened = min(int(side.layer.get()), layers)
        side.layer.set(str(opened))
    offered = [n for n in range(1, layers + 1) if n == opened or not absent[n - 1]]
    numbered = {str(n): str(n) if short else style.layer_name(n - 1) for n in offered}
    names = {ALL: _("All heads"), **numbered, MEAN: _("Mean of all")}
    select(side.layer, names, _("Layer"), style="segments", wrap=True)
