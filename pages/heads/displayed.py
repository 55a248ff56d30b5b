"""What a panel shows: of a question and what is chosen, the attention to draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from core.figures import Link
from core.figures.attention.layer_state import start
from core.measures import AttentionBlock, PatternScores, blocks, part, shared, without_special
from core.records.seq2seq import Seq2SeqTrace
from core.records.trace import Trace
from pages.heads import derived, state
from pages.heads.state import ALL, MEAN, PART, WORDS, Side, shows_special
from ui.models import answers
from ui.query import TextQuery


class Shown(NamedTuple):
    """One panel.

    Attributes:
        side: whose choices.
        asked: of whom it was asked, and what.
        place: where in the model, from 0, among `blocks`.
        block: the tokens that are counted, special ones among them: pieces or whole words, all or one
            part of a pair.
        drawn: what the picture is made of.
        layer: from 0; None for all heads as maps.
        head: which of the layer's heads is open, from 0; −1 for their mean.
        hidden: whether special tokens are left out.
        of: how many layers and heads the model has there, those that are absent among them.
        name: of the place, as `blocks` has it.
        steps: what was done to the place, each as a line of Python would say it.
    """

    side: Side
    asked: TextQuery
    place: int
    block: AttentionBlock
    drawn: AttentionBlock
    layer: int | None
    head: int
    hidden: bool
    of: tuple[int, int]
    name: str
    steps: tuple[str, ...]

    @property
    def averaged(self) -> bool:
        """Whether it is the one mean of all heads."""
        return "mean_of_all(block)" in self.steps

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


def first_of(found: Trace | Seq2SeqTrace) -> Trace:
    """What the first text became: of an encoder–decoder, in the encoder."""
    return found.encoder if isinstance(found, Seq2SeqTrace) else found


def shown(asked: TextQuery, side: Side, values: Mapping[Any, Any]) -> Shown:
    """What is chosen, of what was asked.

    Args:
        asked: the question.
        side: whose choices.
        values: of each parameter, by its key; what is too large for this model is taken as its last.

    Raises:
        PolyseeError: as `answers.answer`.
    """
    found = blocks(answers.answer(asked))
    place = min(values[side.place.key], len(found) - 1)
    name, block = [*found.items()][place]
    steps: list[str] = []
    which = values[PART.key] if is_pair(asked, found) else ""
    whole = values[WORDS.key] and not which
    if which:
        block = part(block, which)
        steps.append(f"part(block, {which!r})")
    elif whole:
        block = derived.words(asked, place)
        steps.append("whole_words(block)")
    layers, heads = block.attention.weights.shape[:2]
    absent = block.absent
    chosen, drawn, layer = values[side.layer.key], block, None
    head = state.head(values, side)
    hidden = any(block.special) and not shows_special(values, above=chosen == ALL)
    if chosen == MEAN:
        drawn, layer = derived.mean(asked, place, which, whole=whole), 0
        steps.append("mean_of_all(block)")
    elif chosen != ALL:
        layer = min(int(chosen), layers) - 1
    elif hidden:
        drawn = without_special(block)
    if hidden:
        steps.append("without_special(block)")
    # What there is none of, in a link or after a larger model, is the first, as in the picture itself.
    here = np.zeros(heads, bool) if layer is None or chosen == MEAN else absent[layer]
    head = start({"head": head}, heads, (1, 1), np.flatnonzero(here).tolist())["head"]
    of = layers, heads
    return Shown(side, asked, place, block, drawn, layer, head, hidden, of, name, tuple(steps))


def is_pair(asked: TextQuery, found: Mapping[str, AttentionBlock]) -> bool:
    """Whether two texts were read as one."""
    return bool(asked.second) and len(found) == 1


def scores(one: Shown) -> PatternScores | None:
    """What each head does in this text; None where not the whole of one text attends to itself."""
    if one.block.within is None:
        return None
    return answers.text_patterns(one.asked, one.place)


def links(panels: Sequence[Shown]) -> list[Link | None]:
    """What each of two pictures shares with the other; nothing where there is only one."""
    if len(panels) != 2:
        return [None for _ in panels]
    numbers = shared(panels[0].drawn, panels[1].drawn)
    return [Link("heads", *own) for own in numbers]
