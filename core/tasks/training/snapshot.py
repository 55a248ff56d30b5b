"""The state of a training at one moment: a frozen record, to be drawn or scrolled back to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from ...records.attention import Attention
from ...records.frozen import Array, Record
from ...transformer import AttentionOutput, Transformer
from ..languages.task import Task
from ..trained import models
from ..trained.models import Net
from .batches import collate
from .measuring import Measured


@dataclass(frozen=True, eq=False)
class Snapshot(Record):
    """A training after so many steps.

    Attributes:
        step: the number of steps so far; 0 is before the first.
        steps: the total number of steps.
        loss: cross-entropy on held-out examples, in nats, where the answer can be known.
        random_loss: the same where nobody can know it, as in the first half of a text that is said
            twice; NaN if the task has no such places.
        accuracy: on the same examples, 0 to 1, see `Task.accuracy`.
        pattern: the share of rows of the attention that attend where they should; see `Task.look_for`.
        learning_rate: the learning rate of the last step.
        seconds: the time for all steps and snapshots so far, without pauses.
        encoder: the self-attention of the probe in the encoder, if there is one.
        decoder: the same in the decoder. Rows and columns are labelled with the tokens read.
        cross: the cross-attention of the probe. Each row is labelled with the word that it *predicts*;
            the token that it reads is the one before.
        wanted: the right prediction at each position of the probe; "" if there is none, or if nobody
            can know it.
        predicted: the actual predictions.
        learned: (V, D) the table of word vectors, in the order of `Task.target`.
        learned_source: (V, D) the source's own table, in the order of `Task.source`, if it has one.
    """

    step: int
    steps: int
    loss: float
    random_loss: float
    accuracy: float
    pattern: float
    learning_rate: float
    seconds: float
    encoder: Attention | None
    decoder: Attention | None
    cross: Attention | None
    wanted: tuple[str, ...]
    predicted: tuple[str, ...]
    learned: Array
    learned_source: Array | None

    def __post_init__(self) -> None:
        self._freeze("learned", "learned_source")


@torch.no_grad()
def snapshot(
    model: Net,
    task: Task,
    measured: Measured,
    *,
    step: int,
    steps: int,
    learning_rate: float,
    seconds: float,
) -> Snapshot:
    """Take a snapshot of a model: run the probe, and copy what must be stored."""
    probe = task.probe()
    out = models.answer(model, collate([probe]))
    reads = _words(task, probe.reads)
    wanted = tuple(
        task.target.words[i] if count >= 1 else ""
        for i, count in zip(probe.labels, probe.counts, strict=True)
    )
    keys = reads if task.source is None else tuple(task.source.words[i] for i in probe.source)
    source = model.source_embeddings if isinstance(model, Transformer) else None
    return Snapshot(
        step=step,
        steps=steps,
        loss=measured.loss,
        random_loss=measured.random_loss,
        accuracy=measured.accuracy,
        pattern=measured.pattern,
        learning_rate=learning_rate,
        seconds=seconds,
        encoder=_block(out.encoder, keys, keys),
        decoder=_block(out.decoder, reads, reads),
        cross=_block(out.cross, wanted, keys),
        wanted=wanted,
        predicted=_words(task, out.logits_BLV[0].argmax(dim=-1).tolist()),
        learned=_copy(model.embeddings.tokens.weight),
        learned_source=None if source is None else _copy(source.tokens.weight),
    )


def _words(task: Task, ids: Sequence[int]) -> tuple[str, ...]:
    return tuple(task.target.words[i] for i in ids)


def _block(
    block: tuple[AttentionOutput, ...], queries: tuple[str, ...], keys: tuple[str, ...]
) -> Attention | None:
    return Attention(queries, keys, models.weights(block)[:, 0]) if block else None


def _copy(weight: torch.Tensor) -> Array:
    # A copy: the table keeps changing.
    copied: Array = weight.detach().numpy().copy()
    return copied
