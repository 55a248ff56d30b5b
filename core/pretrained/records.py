"""From a batch in torch to frozen records in NumPy: without the batch axis, without the padding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from core import words
from core.attention import Attention
from core.errors import WordNotFound
from core.frozen import Array, Record
from core.pretrained.engine import Keep, Run, Seq2SeqRun
from core.pretrained.tokens import Encoded
from core.seq2seq import Seq2SeqTrace
from core.trace import Trace


@dataclass(frozen=True, eq=False)
class WordVector(Record):
    """One occurrence of a word: where it starts, and what each layer makes of it.

    Unpacks as `learned, hidden`. A word of several pieces is the mean of their vectors.

    Attributes:
        learned: (d_embedding,) the word's row in the word-embedding table.
        hidden: (layers, d_model) what each layer returns.
        text: the index of the text among those given.
        occurrence: which occurrence in that text, from 0.
    """

    learned: Array
    hidden: Array
    text: int
    occurrence: int

    def __post_init__(self) -> None:
        self._freeze("learned", "hidden")

    def __iter__(self) -> Iterator[Array]:
        return iter((self.learned, self.hidden))


def record(run: Run, row: int, encoded: Encoded, keep: Keep, model: str, cased: bool) -> Trace:
    """One row of a batch as a frozen record, without the batch axis and the padding."""
    n = len(encoded)

    def vectors(layers: Sequence[torch.Tensor]) -> Array | None:
        """(layers, …, tokens, width) of this row."""
        return _stacked([layer[row, ..., :n, :] for layer in layers])

    weights = _stacked([layer[row, :, :n, :n] for layer in run.weights_BHLM])
    cuts = encoded.left_out_by_text
    return Trace(
        tokens=encoded.tokens,
        word_ids=encoded.word_ids(),
        segments=encoded.segments,
        offsets=encoded.offsets,
        special=encoded.special,
        left_out=next((cut for cut in cuts if cut), None),
        learned=run.learned_BLE[row, :n].cpu().numpy(),
        embedded=run.embedded_BLD[row, :n].cpu().numpy(),
        hidden=vectors(run.hidden_BLD) if keep != "attention" else None,
        final=(
            run.final_BLD[row, :n].cpu().numpy()
            if run.final_BLD is not None and keep != "attention"
            else None
        ),
        attention=(Attention(encoded.tokens, encoded.tokens, weights) if weights is not None else None),
        query=vectors(run.query_BHLK),
        key=vectors(run.key_BHMK),
        value=vectors(run.value_BHMK),
        model=model,
        texts=encoded.texts,
        left_out_by_text=cuts,
        cased=cased,
        causal=run.causal,
        scale=run.scale,
        bias=None if run.bias_HLM is None else run.bias_HLM[:, :n, :n].cpu().numpy(),
        products=run.products,
    )


def record_pair(
    run: Seq2SeqRun, source: Encoded, target: Encoded, keep: Keep, model: str, cased: bool
) -> Seq2SeqTrace:
    """The one row of an encoder–decoder's run; `target` is what the decoder read."""
    weights = _stacked([layer[0] for layer in run.cross.weights_BHLM])
    return Seq2SeqTrace(
        encoder=record(run.encoder, 0, source, keep, model, cased),
        decoder=record(run.decoder, 0, target, keep, model, cased),
        cross=None if weights is None else Attention(target.tokens, source.tokens, weights),
        query=_stacked([layer[0] for layer in run.cross.query_BHLK]),
        key=_stacked([layer[0] for layer in run.cross.key_BHMK]),
        value=_stacked([layer[0] for layer in run.cross.value_BHMK]),
        scale=run.cross.scale,
    )


def _stacked(layers: Sequence[torch.Tensor]) -> Array | None:
    """The layers on a new first axis: one copy, into an array of its own in C order."""
    if not layers:
        return None
    stacked = np.empty((len(layers), *layers[0].shape), np.float32)
    return np.stack([layer.cpu().numpy() for layer in layers], out=stacked)


def pieces(encoded: Encoded, word: str, cased: bool) -> list[Array]:
    """The token indices of each occurrence of a word in one text: `Trace.find_all` before the run."""
    text, cut = encoded.texts[0], encoded.left_out_by_text[0]
    spans = np.array(encoded.offsets, dtype=np.int64).reshape(-1, 2)
    return words.pieces(text, spans, word, cased=cased, end=cut[0] if cut else len(text))


def found(encoded: Encoded, word: str, occurrence: int, cased: bool) -> Array:
    """`Trace.find` before the run, in one text. Raises as that."""
    places = pieces(encoded, word, cased)
    if not 0 <= occurrence < len(places):
        text, cut = encoded.texts[0], encoded.left_out_by_text[0]
        spans = np.array(encoded.offsets, dtype=np.int64).reshape(-1, 2)
        end = cut[0] if cut else len(text)
        here = words.occurrences(text, spans, Counter(), cased=cased, end=end)
        names = () if places else tuple(dict.fromkeys(one.word for one in here))
        raise WordNotFound(words.why_not_found(word, names, occurrence=occurrence, count=len(places)))
    return places[occurrence]


def gather(run: Run, pieces: Sequence[Sequence[Array]]) -> tuple[Array, Array]:
    """The rows of a batch at these tokens, (pieces, E) and (pieces, N, D), in NumPy."""
    row = np.concatenate([np.full(len(t), b) for b, found in enumerate(pieces) for t in found])
    column = np.concatenate([tokens for found in pieces for tokens in found])
    at = (torch.from_numpy(row), torch.from_numpy(column))
    hidden = torch.stack([h[at] for h in run.hidden_BLD], dim=1)
    return run.learned_BLE[at].cpu().numpy(), hidden.cpu().numpy()
