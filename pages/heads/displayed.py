"""The content of a panel: the attention to draw for a query and the choices on the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from core.figures import Link
from core.figures.attention.layer_state import start
from core.localization import _
from core.measures import AttentionBlock, PatternScores, part, shared, without_special
from core.records.seq2seq import Seq2SeqTrace
from core.records.trace import Trace
from pages.heads.state import ALL, MEAN, Choices
from ui.models import answers, model_cache
from ui.models import blocks as attention_blocks
from ui.query import TextQuery

WITHOUT_SPECIAL = "without_special(block)"


class Panel(NamedTuple):
    """One panel.

    Attributes:
        chosen: the choices of the panel.
        text_query: the query.
        block_index: the index of the block among the model's `blocks`, from 0.
        block: the attention whose tokens count, special ones included: pieces or whole words, all or
            one part of a pair.
        drawn: the attention that the picture draws.
        layer: from 0; None for all heads as maps.
        head: the open head, from 0; −1 for the mean of the layer's heads.
        hidden: whether special tokens are left out.
        of: the numbers of layers and heads in the block, missing ones included.
        name: the name of the block in `blocks`.
        steps: the operations on the block, each as Python code.
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
        """The tokens drawn; a picture of a layer has special tokens too, and hides them itself."""
        steps = (step for step in self.steps if step != WITHOUT_SPECIAL or self.layer is None)
        return self.text_query, self.block_index, tuple(steps)

    @property
    def averaged(self) -> bool:
        """Whether it is a single mean of all heads."""
        return "mean_of_all(block)" in self.steps

    @property
    def masked(self) -> bool:
        """Whether later tokens are hidden although the model was trained to see them."""
        return self.text_query.causal

    @property
    def without_attention(self) -> bool:
        """Whether it is a layer without attention, as in hybrid models."""
        return (
            self.layer is not None and not self.averaged and bool(self.block.absent[self.layer].all())
        )

    @property
    def seen(self) -> AttentionBlock:
        """The numbers as shown on the screen: a picture of a layer itself hides special tokens."""
        return without_special(self.drawn) if self.hidden and self.layer is not None else self.drawn


def first_of(answer: Trace | Seq2SeqTrace) -> Trace:
    """The trace of the first text; for an encoder–decoder, that of the encoder."""
    return answer.encoder if isinstance(answer, Seq2SeqTrace) else answer


def panel_of(text_query: TextQuery, chosen: Choices) -> Panel:
    """The content of a panel for a query.

    Args:
        text_query: the query.
        chosen: the choices; a layer or head beyond the model's last becomes the last.

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
    layers, heads = block.attention.shape[:2]
    absent = block.absent
    drawn, layer = block, None
    hidden = any(block.special) and not chosen.special(block)
    if chosen.layer == MEAN:
        drawn, layer = attention_blocks.mean(text_query, index, of_pair, whole=whole), 0
        steps.append("mean_of_all(block)")
    elif chosen.layer != ALL:
        layer = min(int(chosen.layer), layers) - 1
    elif hidden:
        drawn = without_special(block)
    if hidden:
        steps.append(WITHOUT_SPECIAL)
    # A missing head, from a link or a larger model, becomes the first one, as in the picture itself.
    here = np.zeros(heads, bool) if layer is None or chosen.layer == MEAN else absent[layer]
    head = start({"head": chosen.head}, heads, (1, 1), np.flatnonzero(here).tolist())["head"]
    of = layers, heads
    return Panel(chosen, text_query, index, block, drawn, layer, head, hidden, of, name, tuple(steps))


def is_pair(text_query: TextQuery, named_blocks: Mapping[str, AttentionBlock]) -> bool:
    """Whether two texts were read as a pair."""
    return bool(text_query.second) and len(named_blocks) == 1


def scores(one: Panel) -> PatternScores | None:
    """The pattern scores of each head in this text; None unless a whole text attends to itself."""
    if one.block.trace is None:
        return None
    return answers.text_patterns(one.text_query, one.block_index)


def called(one: TextQuery) -> str:
    """The name of a model in a sentence, and whether a mask was added."""
    title = model_cache.title(one.model)
    return _("{model} with a causal mask").format(model=title) if one.causal else title


def link(panels: Sequence[Panel], number: int) -> Link | None:
    """What one of two pictures shares with the other; None if there is only one."""
    if len(panels) != 2:
        return None
    return Link("heads", *shared(panels[0].drawn, panels[1].drawn)[number])
