"""What a panel shows: of a question and what is chosen, the attention to draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from core.figures import Link
from core.figures.attention.layer_state import start
from core.measures import AttentionBlock, PatternScores, part, shared, without_special
from core.records.seq2seq import Seq2SeqTrace
from core.records.trace import Trace
from pages.heads.state import ALL, MEAN, Choices
from ui.models import answers, model_cache
from ui.models import blocks as attention_blocks
from ui.query import TextQuery

WITHOUT_SPECIAL = "without_special(block)"


class Shown(NamedTuple):
    """One panel.

    Attributes:
        chosen: what is chosen for it.
        text_query: of whom it was asked, and what.
        block_index: which of the model's `blocks` it is, from 0.
        block: the tokens that are counted, special ones among them: pieces or whole words, all or one
            part of a pair.
        drawn: what the picture is made of.
        layer: from 0; None for all heads as maps.
        head: which of the layer's heads is open, from 0; −1 for their mean.
        hidden: whether special tokens are left out.
        of: how many layers and heads the block has, those that are absent among them.
        name: of the block, as `blocks` has it.
        steps: what was done to the block, each as a line of Python would say it.
    """

    chosen: Choices
    text_query: TextQuery
    block_index: int
    block: AttentionBlock
    drawn: AttentionBlock
    layer: int | None
    head: int
    hidden: bool
    of: tuple[int, int]
    name: str
    steps: tuple[str, ...]

    @property
    def tokens(self) -> tuple[TextQuery, int, tuple[str, ...]]:
        """What is drawn; a picture of a layer has special tokens too, and leaves them out by itself."""
        steps = (step for step in self.steps if step != WITHOUT_SPECIAL or self.layer is None)
        return self.text_query, self.block_index, tuple(steps)

    @property
    def averaged(self) -> bool:
        """Whether it is the one mean of all heads."""
        return "mean_of_all(block)" in self.steps

    @property
    def masked(self) -> bool:
        """Whether later tokens are hidden that the model was trained to see."""
        return self.text_query.causal

    @property
    def without_attention(self) -> bool:
        """Whether it is a layer that has none, as hybrids have."""
        return (
            self.layer is not None and not self.averaged and bool(self.block.absent[self.layer].all())
        )

    @property
    def seen(self) -> AttentionBlock:
        """The numbers as they are seen: a picture of a layer leaves special tokens out by itself."""
        return without_special(self.drawn) if self.hidden and self.layer is not None else self.drawn


def first_of(answer: Trace | Seq2SeqTrace) -> Trace:
    """What the first text became: of an encoder–decoder, in the encoder."""
    return answer.encoder if isinstance(answer, Seq2SeqTrace) else answer


def shown(text_query: TextQuery, chosen: Choices) -> Shown:
    """What is chosen, of what was asked.

    Args:
        text_query: the question.
        chosen: what is too large for this model is taken as its last.

    Raises:
        PolyseeError: see `blocks.named`.
    """
    named_blocks = attention_blocks.named(text_query)
    index = min(chosen.block, len(named_blocks) - 1)
    name, block = [*named_blocks.items()][index]
    steps: list[str] = []
    of_pair = chosen.part if is_pair(text_query, named_blocks) else ""
    whole = chosen.words and not of_pair
    if of_pair:
        block = part(block, of_pair)
        steps.append(f"part(block, {of_pair!r})")
    elif whole:
        block = attention_blocks.words(text_query, index)
        steps.append("whole_words(block)")
    layers, heads = block.attention.weights.shape[:2]
    absent = block.absent
    drawn, layer = block, None
    hidden = any(block.special) and not chosen.special
    if chosen.layer == MEAN:
        drawn, layer = attention_blocks.mean(text_query, index, of_pair, whole=whole), 0
        steps.append("mean_of_all(block)")
    elif chosen.layer != ALL:
        layer = min(int(chosen.layer), layers) - 1
    elif hidden:
        drawn = without_special(block)
    if hidden:
        steps.append(WITHOUT_SPECIAL)
    # What there is none of, in a link or after a larger model, is the first, as in the picture itself.
    here = np.zeros(heads, bool) if layer is None or chosen.layer == MEAN else absent[layer]
    head = start({"head": chosen.head}, heads, (1, 1), np.flatnonzero(here).tolist())["head"]
    of = layers, heads
    return Shown(chosen, text_query, index, block, drawn, layer, head, hidden, of, name, tuple(steps))


def is_pair(text_query: TextQuery, named_blocks: Mapping[str, AttentionBlock]) -> bool:
    """Whether two texts were read as one."""
    return bool(text_query.second) and len(named_blocks) == 1


def scores(one: Shown) -> PatternScores | None:
    """What each head does in this text; None where not the whole of one text attends to itself."""
    if one.block.trace is None:
        return None
    return answers.text_patterns(one.text_query, one.block_index)


def called(one: TextQuery) -> str:
    """What a sentence calls a model, and whether a mask was put on it."""
    title = model_cache.title(one.model)
    return f"{title} with a causal mask" if one.causal else title


def link(panels: Sequence[Shown], number: int) -> Link | None:
    """What one of two pictures shares with the other; nothing where there is only one."""
    if len(panels) != 2:
        return None
    return Link("heads", *shared(panels[0].drawn, panels[1].drawn)[number])
