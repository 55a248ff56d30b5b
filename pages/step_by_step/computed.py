"""The steps of a pass, computed on request, with a cache for a few of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.errors import NotSupported
from core.localization import N_, _, ngettext
from core.memory import cached
from core.records.frozen import Array
from core.records.trace import Trace
from core.walkthroughs import tiny_numbers
from core.walkthroughs.steps.descriptions import STEPS
from core.walkthroughs.steps.record import Step
from pages.step_by_step.sentence import Sentence as Sentence
from pages.step_by_step.sentence import sentence as sentence
from ui.models import answers, model_cache

if TYPE_CHECKING:
    from core.transformer import Encoder, LanguageModel
    from core.walkthroughs.steps.ablations import Order, WhatIf
    from core.walkthroughs.steps.decoder_alone import Next
    from core.walkthroughs.steps.own_share import OwnShare


class Pass(NamedTuple):
    """All steps of a layer.

    Attributes:
        steps: the steps.
        apart: the largest difference of the last step from the model's own output; for recorded
            attention, of the weights from the model's own.
        own_mask: why its mask cannot be switched off, in a sentence (English); "" if it can, or if it
            has none.
        maskable: whether a mask can be added.
    """

    steps: tuple[Step, ...]
    apart: float
    own_mask: str = ""
    maskable: bool = True


DECODERS_MASK = N_(
    "A decoder predicts the next word, and must not see it: the mask is a part of the model, in "
    "training and here."
)


def encoder(name: str) -> Encoder:
    """The model as our own transformer.

    Raises:
        PolyseeError: see `core.load`; NotSupported: if it does not run in our own transformer.
    """
    model = model_cache.model(name)
    transformer = model.scratch_encoder
    if transformer is None or transformer.projection is not None:
        raise NotSupported(
            _(
                "Only our own transformer shows every step, and “{name}” does not run in it, or its "
                "attention is of another kind than BERT’s. Choose MiniLM, another BERT or DistilBERT, "
                "or the tiny model. “Without weights”, the attention of one layer and the paper’s size"
                " work with every model."
            ).format(name=name)
        )
    return transformer


def shape(name: str, read: Sentence) -> tuple[int, int]:
    """The number of layers, and of heads in each."""
    if read.paper:
        from core.walkthroughs.paper import CONFIG

        return CONFIG.n_encoder_layers, CONFIG.n_heads
    own = model_cache.model(name).shape
    return own.n_layers, own.n_heads


def of_model(
    name: str, read: Sentence, layer: int, head: int, block: int, causal: bool = False
) -> Pass:
    """The steps of a text of at most 16 pieces through one layer; all indices from 0.

    `causal` hides later tokens in this layer and in those before it. No trained encoder had a mask.

    Raises:
        PolyseeError: see `encoder` and `Model.trace`.
    """
    if read.paper:
        return _of_paper(name, read.text, layer, head, block, causal)
    encoder(name)  # first, so that its progress is shown to this visitor
    return _of_model(name, read.text, layer, head, block, causal)


def only_recorded(name: str) -> bool:
    """Whether only its attention is shown: another engine runs it, or it has further parts."""
    encoder = model_cache.model(name).scratch_encoder
    mapped = encoder is None or encoder.projection is not None
    return mapped and decoder_alone(name) is None


def decoder_alone(name: str) -> LanguageModel | None:
    """The model as our own decoder; None if ours does not run it, or it has parts not shown here."""
    from core.walkthroughs.steps.decoder_alone import explained

    decoder = model_cache.model(name).scratch_decoder
    return decoder if decoder is not None and explained(decoder) else None


def of_decoder_alone(name: str, read: Sentence, layer: int, head: int, block: int) -> Pass:
    """The steps of a text through one layer of a decoder alone, and to the next token.

    Raises:
        PolyseeError: see `core.load` and `Model.trace`.
    """
    model_cache.model(name)  # first, so that its progress is shown to this visitor
    steps, apart = _of_decoder_alone(name, read.text, layer, head, block)
    return Pass(steps, apart, DECODERS_MASK)


@cached()
def _of_decoder_alone(
    name: str, text: str, layer: int, head: int, block: int
) -> tuple[tuple[Step, ...], float]:
    from core.walkthroughs.steps.queries import pass_of_decoder

    read, trace, decoder = sentence(name, text), answers.trace(name, text), decoder_alone(name)
    assert decoder is not None
    assert trace.hidden is not None
    steps = pass_of_decoder(
        decoder,
        (read.ids, read.tokens, read.notes),
        (_received(trace, layer), trace.hidden[-1]),
        layer,
        head,
        block,
        _next(name, text),
    )
    output = next(one for one in steps if one.name == "residual2").result.values
    return steps, float(np.abs(output - trace.hidden[layer]).max())


def _next(name: str, text: str) -> Next | None:
    """The tokens that a decoder expects most after a text, and its head; None if it predicts none."""
    from core.walkthroughs.steps.decoder_alone import MOST_NEXT, Next

    model = model_cache.model(name)
    head_VD, decoder = model.scratch_head(), model.scratch_decoder
    if head_VD is None or decoder is None:
        return None
    (whole,) = model.expects(text)
    expected = whole.top(min(MOST_NEXT, len(head_VD)), 1.0)
    tied = head_VD.data_ptr() == decoder.embeddings.tokens.weight.data_ptr()
    names = tuple(_visible(one) for one in expected.texts)
    return Next(head_VD, tied, expected.ids, names)


def _visible(text: str) -> str:
    """A token with marks for its spaces and line breaks: " Paris" and "Paris" are two tokens."""
    return text.replace(" ", "␣").replace("\n", "↵") or "␀"


def what_ifs(name: str | None, *, paper: bool) -> tuple[str, ...]:
    """The questions of “What if” that apply to a model; None: the tiny one.

    A decoder's mask tells tokens apart even without positions, so that their order matters; heads that
    share keys, or turn them, are not one wide head cut apart.
    """
    every = ("no-scale", "no-position", "one-head", "depth")
    if name is None or paper:
        return every
    decoder = decoder_alone(name)
    if decoder is None:
        return every if not only_recorded(name) else ("depth",)
    layers: Any = decoder.stack.layers
    whole = all(
        one.attention.rotation is None and one.attention.n_kv_heads == one.attention.n_heads
        for one in layers
    )
    return ("no-scale", "one-head", "depth") if whole else ("no-scale", "depth")


def recorded(name: str, read: Sentence, layer: int, head: int) -> Pass:
    """The steps of the attention of one layer from a model's trace.

    Raises:
        PolyseeError: see `Model.trace`; NotSupported: if its query and key are not recorded.
    """
    model = model_cache.model(name)
    steps, apart = _recorded(name, read.text, layer, head)
    return Pass(steps, apart, DECODERS_MASK if model.kind == "decoder" else "", False)


def usual_scores(made: Pass) -> bool:
    """Whether recorded scores are q·k / √d plus nothing but the mask."""
    titles = {one.name: one.title for one in made.steps}
    return not {"capped", "bias"} & set(titles) and titles["scale"] == STEPS["scale"].title


@cached()
def _recorded(name: str, text: str, layer: int, head: int) -> tuple[tuple[Step, ...], float]:
    from core.walkthroughs.steps.recorded import recorded_steps

    read, known = sentence(name, text), model_cache.model(name).n_vocabulary
    made = recorded_steps(
        answers.trace(name, text), read.ids, read.tokens, read.notes, known, layer=layer, head=head
    )
    return made.steps, made.apart


def of_decoder(name: str, read: Sentence, source: Sentence, layer: int, head: int, block: int) -> Pass:
    """The steps of a text through one layer of the decoder of the paper's size; all indices from 0.

    Args:
        name: the model that tokenizes both texts.
        read: the target.
        source: the input of the encoder.
        layer: from 0.
        head: from 0.
        block: see `layer_steps`.
    """
    return _of_decoder(name, read.text, source.text, layer, head, block)


@cached()
def _of_decoder(name: str, text: str, source: str, layer: int, head: int, block: int) -> Pass:
    from core.walkthroughs.steps.queries import decoder_pass

    read, other = sentence(name, text), sentence(name, source)
    known = model_cache.model(name).n_vocabulary
    pieces = read.ids, read.tokens, read.notes
    steps, returned = decoder_pass(pieces, known, (other.ids, other.tokens), layer, head, block)
    return Pass(steps, float(np.abs(steps[-1].result.values - returned).max()), DECODERS_MASK)


def _received(trace: Trace, layer: int) -> Array:
    """The input of a layer."""
    assert trace.hidden is not None
    vectors: Array = trace.hidden[layer - 1] if layer else trace.embedded
    return vectors


@cached()
def _of_model(name: str, text: str, layer: int, head: int, block: int, causal: bool) -> Pass:
    from core.walkthroughs.steps.queries import pass_of

    read, trace = sentence(name, text), answers.trace(name, text, causal=causal)
    assert trace.hidden is not None
    pieces = (read.ids, read.tokens, read.types, read.notes)
    steps = pass_of(encoder(name), pieces, _received(trace, layer), layer, head, block, causal)
    return Pass(steps, float(np.abs(steps[-1].result.values - trace.hidden[layer]).max()))


@cached()
def _of_paper(name: str, text: str, layer: int, head: int, block: int, causal: bool) -> Pass:
    from core.walkthroughs.steps.queries import paper_pass

    read, known = sentence(name, text), model_cache.model(name).n_vocabulary
    pieces = read.ids, read.tokens, read.notes
    steps, returned = paper_pass(pieces, known, layer, head, block, causal)
    return Pass(steps, float(np.abs(steps[-1].result.values - returned).max()))


class Tiny(NamedTuple):
    """The tiny model with a text: its words as ids, its numbers."""

    ids: tuple[int, ...]
    numbers: dict[str, Array]

    @property
    def tokens(self) -> tuple[str, ...]:
        """The words."""
        return tiny_numbers.names_of(self.ids)


def known_to_tiny() -> str:
    """What the tiny model reads, as the label of its text."""
    label = _("Text: up to {count} of these words: {words}")
    return label.format(count=tiny_numbers.LONGEST, words=", ".join(tiny_numbers.WORDS))


def tiny(typed: str, edits: str) -> Tiny:
    """The tiny model with some of its numbers changed.

    Raises:
        NotSupported: if it does not know a word.
    """
    ids = tiny_numbers.read_words(typed)
    return Tiny(ids, tiny_numbers.changed(tiny_numbers.read_edits(edits)))


def left_out(typed: str) -> str:
    """The words beyond the tiny model's four positions; "" if it reads all."""
    rest = " ".join(tiny_numbers.words_of(typed)[tiny_numbers.LONGEST :])
    said = ngettext(
        "The model has only four positions: “{words}” is left out.",
        "The model has only four positions: “{words}” are left out.",
        len(rest.split()),
    )
    return said.format(words=rest[:60]) if rest else ""


def of_tiny(tiny_model: Tiny, head: int, causal: bool) -> Pass:
    """The steps of the tiny model."""
    from core.walkthroughs.steps.queries import tiny_pass

    return Pass(tiny_pass(tiny_model.ids, tiny_model.numbers, head, causal), 0.0)


class Vectors(NamedTuple):
    """(tokens, d_model) with the tokens' names."""

    values: Array
    tokens: tuple[str, ...]


def vectors(name: str, read: Sentence, which: str) -> Vectors:
    """The input of attention without weights: "learned" rows, or the input of layer 1."""
    if read.paper:
        from core.walkthroughs.steps.queries import paper_vectors

        return Vectors(paper_vectors(read.ids, positions=which != "learned"), read.tokens)
    trace = answers.trace(name, read.text)
    return Vectors(trace.learned if which == "learned" else trace.embedded, read.tokens)


def adds_positions(name: str, read: Sentence) -> bool:
    """Whether the input of layer 1 differs from the learned vectors, as it does not with rotations."""
    if read.paper or (decoder := decoder_alone(name)) is None:
        return True
    return decoder.embeddings.positions is not None


def tiny_vectors(tiny_model: Tiny, which: str) -> Vectors:
    """The same for the tiny model."""
    from core.walkthroughs.steps.queries import tiny_vectors as of

    return Vectors(
        of(tiny_model.ids, tiny_model.numbers, positions=which != "learned"), tiny_model.tokens
    )


def plain(vectors: Vectors, token: int) -> tuple[Step, ...]:
    """The steps of attention without weights for one token."""
    from core.walkthroughs.steps.unweighted import plain_steps

    return plain_steps(vectors.values, vectors.tokens, token)


def own_share(vectors: Vectors, token: int) -> OwnShare:
    """What one token keeps for itself there, and why."""
    from core.walkthroughs.steps.own_share import own_share as of

    return of(vectors.values, token)


def what_if(what: str, name: str, read: Sentence, layer: int, head: int) -> WhatIf:
    """A layer of a model without its scale, or with one head."""
    from core.walkthroughs.steps import queries

    if read.paper:
        return queries.paper_what_if(what, read.ids, read.tokens, layer, head)
    x = _received(answers.trace(name, read.text), layer)
    if (decoder := decoder_alone(name)) is not None:
        return queries.decoder_what_if(what, decoder, x, read.tokens, layer, head)
    return queries.what_if(what, encoder(name), x, read.tokens, layer, head)


def tiny_what_if(what: str, tiny_model: Tiny, head: int) -> WhatIf:
    """The tiny model without its scale, or with one head."""
    from core.walkthroughs.steps.queries import tiny_what_if as of

    return of(what, tiny_model.ids, tiny_model.numbers, head)


def orders(name: str, first: Sentence, second: tuple[int, ...], layer: int) -> Order:
    """The same pieces in two orders, with and without positions."""
    from core.walkthroughs.steps.queries import in_two_orders, paper_in_two_orders

    if first.paper:
        return paper_in_two_orders(first.ids, second, first.tokens, layer)
    return in_two_orders(encoder(name), first.ids, second, first.tokens, layer)


def tiny_orders(tiny_model: Tiny) -> Order:
    """The tiny model's words, and the same in reverse order."""
    from core.walkthroughs.steps.queries import tiny_in_two_orders

    return tiny_in_two_orders(tiny_model.ids, tiny_model.numbers)
