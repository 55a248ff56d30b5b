"""A loaded model: texts in, frozen records out. Torch ends here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import get_args

import numpy as np
import torch

from core import settings
from core.errors import NotSupported, SettingError, TooLarge
from core.pretrained.engine import Batch, Engine, Keep, Run, Shape
from core.pretrained.records import WordVector, gather, pieces, record
from core.pretrained.tokens import Encoded, TextReader
from core.trace import Trace

# Texts are sorted by length within a window, so that little is padded, and leave in their own order.
WINDOW_TEXTS = 1024
BATCH_TEXTS = 32


class Model:
    """A model and its tokenizer behind one of the two engines. Safe to share among threads.

    Attributes:
        name: what it was loaded as.
        engine: `scratch` (our own transformer) or `huggingface` (`transformers`).
        shape: number of layers and heads, and the widths.
        max_tokens: how many tokens it takes, special ones included.
        cased: whether it tells upper from lower case.
        device: `cpu`, `cuda` or `mps`.
        bound: how far the two engines may lie apart on this device.
    """

    def __init__(
        self,
        name: str,
        engine: str,
        runner: Engine,
        reader: TextReader,
        *,
        max_tokens: int,
        pairs: bool,
        trace_bytes: int,
    ) -> None:
        """Not for callers: see `core.load`."""
        self.name = name
        self.engine = engine
        self.max_tokens = max_tokens
        self._runner = runner
        self._reader = reader
        self._pairs = pairs
        self._trace_bytes = trace_bytes

    def __repr__(self) -> str:
        s = self.shape
        return (
            f"<core.Model {self.name!r}: {s.n_layers} layers × {s.n_heads} heads, d_model {s.d_model}, "
            f"{self.engine} engine on {self.device}>"
        )

    @property
    def shape(self) -> Shape:
        """The sizes of the model."""
        return self._runner.shape

    @property
    def device(self) -> str:
        """Where it runs: `cpu`, `cuda` or `mps`."""
        return self._runner.device

    @property
    def bound(self) -> float:
        """The largest difference that the two engines may show on this device."""
        return settings.ENGINE_BOUND[self.device]

    @property
    def cased(self) -> bool:
        """Whether it tells upper from lower case."""
        return self._reader.cased

    def trace(self, text: str, second: str | None = None, *, keep: Keep = "all") -> Trace:
        """Run one text, or a pair of texts, and return every step.

        Args:
            text: the text; what does not fit the model is cut off, see `Trace.left_out`.
            second: the second text of a pair.
            keep: `all`; `attention` (no hidden states, query, key, value); `hidden` (no attention,
                query, key, value), which is the fastest.

        Raises:
            NotSupported: a pair, on a model that learned no second text; or a text without any token.
            TooLarge: the trace would take more than `POLYSEE_TRACE_MB`.
            SettingError: `keep` is none of these.
        """
        _known(keep)
        encoded = self._read(text, second)
        self._refuse(encoded, keep)
        run = self._run([encoded], keep)
        return record(run, 0, encoded, keep, self.name, self.cased)

    def trace_many(
        self, texts: Iterable[str], *, keep: Keep = "hidden", batch_size: int = BATCH_TEXTS
    ) -> list[Trace]:
        """`trace` for each text, computed in batches; equal to one at a time within 1e-5.

        All the traces are held in memory; `vectors` streams.

        Args:
            texts: single texts, no pairs.
            keep: see `trace`; here the fastest is the default.
            batch_size: how many texts run at once.

        Returns:
            One trace for each text, in their order.

        Raises:
            TooLarge, SettingError, NotSupported: as `trace`; SettingError too for a string in the
                place of a list, or a `batch_size` below 1.
        """
        _known(keep)
        if isinstance(texts, str):
            raise SettingError("trace_many takes a list of texts; for one text call trace.")
        read = [self._read(text) for text in texts]
        for encoded in read:
            self._refuse(encoded, keep)
        traces: list[Trace | None] = [None] * len(read)
        for indices in _batches(read, batch_size):
            run = self._run([read[i] for i in indices], keep)
            for row, i in enumerate(indices):
                traces[i] = record(run, row, read[i], keep, self.name, self.cased)
        return [trace for trace in traces if trace is not None]

    def vectors(
        self, texts: Iterable[str], word: str, *, batch_size: int = BATCH_TEXTS
    ) -> Iterator[WordVector]:
        """Stream the vectors of each occurrence of a word, in the order of the texts.

        `texts` may be endless: memory does not grow with them. A text without the word, or whose
        word did not fit the model, gives nothing; `WordVector.text` says which texts did.

        Args:
            texts: single texts; may be a generator.
            word: a word or phrase, found as `Trace.find` finds it.
            batch_size: how many texts run at once.

        Returns:
            An iterator of records that unpack as `learned` (d_embedding,), `hidden` (layers, d_model).

        Raises:
            SettingError: a string in the place of a list, or a `batch_size` below 1.
        """
        if isinstance(texts, str):
            raise SettingError("vectors takes a list of texts, not one text.")
        return self._vectors(iter(texts), word, batch_size)

    def _vectors(self, texts: Iterator[str], word: str, batch_size: int) -> Iterator[WordVector]:
        first = 0
        while window := list(islice(texts, WINDOW_TEXTS)):
            read = [self._read(text) for text in window]
            found = [pieces(encoded, word, self.cased) for encoded in read]
            with_word = [i for i, occurrences in enumerate(found) if occurrences]
            result: dict[int, list[WordVector]] = {}
            for batch in _batches([read[i] for i in with_word], batch_size):
                indices = [with_word[i] for i in batch]
                run = self._run([read[i] for i in indices], "hidden")
                learned, hidden = gather(run, [found[i] for i in indices])
                at = 0
                for i in indices:
                    result[i] = []
                    for n, tokens in enumerate(found[i]):
                        rows = slice(at, at := at + len(tokens))
                        result[i].append(
                            WordVector(learned[rows].mean(0), hidden[rows].mean(0), first + i, n)
                        )
            for i in sorted(result):
                yield from result[i]
            first += len(window)

    def _read(self, text: str, second: str | None = None) -> Encoded:
        for t in (text,) if second is None else (text, second):
            if not isinstance(t, str):
                raise SettingError(f"A text must be a string, not {type(t).__name__}.")
        if second is not None and not self._pairs:
            raise NotSupported(
                f"“{self.name}” learned to read one text at a time (it has one token type), so it "
                "cannot take a pair. Trace the two texts one by one."
            )
        return self._reader.read(text, second)

    def _run(self, read: Sequence[Encoded], keep: Keep) -> Run:
        longest = max(len(encoded) for encoded in read)
        ids = np.full((len(read), longest), self._reader.pad_id, dtype=np.int64)
        segments, mask = np.zeros_like(ids), np.zeros(ids.shape, dtype=bool)
        for row, encoded in enumerate(read):
            ids[row, : len(encoded)] = encoded.ids
            segments[row, : len(encoded)] = encoded.types
            mask[row, : len(encoded)] = True
        ids_BL, segments_BL, mask_BL = (
            torch.from_numpy(a).to(self.device) for a in (ids, segments, mask)
        )
        with torch.inference_mode():
            return self._runner.run(Batch(ids_BL, segments_BL, None if mask.all() else mask_BL), keep)

    def _refuse(self, encoded: Encoded, keep: Keep) -> None:
        s, n = self.shape, len(encoded)
        if n == 0:
            raise NotSupported(
                f"The text holds nothing that “{self.name}” could read: its tokenizer finds no token "
                "in it and adds none. Write a word."
            )
        numbers = n * (s.d_embedding + s.d_model)
        if keep != "attention":
            numbers += s.n_layers * n * s.d_model
        if keep != "hidden":
            numbers += s.n_layers * s.n_heads * n * n
        if keep == "all":
            numbers += 3 * s.n_layers * s.n_heads * n * s.d_head
        if 4 * numbers > self._trace_bytes:
            raise TooLarge(
                f"This trace of {n} tokens would take {4 * numbers / 1e6:.0f} MB, and the limit is "
                f"{self._trace_bytes / 1e6:.0f} MB (POLYSEE_TRACE_MB). Shorten the text, or ask for "
                "less with keep='hidden' or keep='attention'."
            )


def _known(keep: str) -> None:
    if keep not in get_args(Keep):
        raise SettingError(f"keep is “{keep}”; it must be one of {', '.join(get_args(Keep))}.")


def _batches(read: Sequence[Encoded], size: int) -> Iterator[list[int]]:
    """Indices of texts of similar length, the longest first: if memory runs out, it does so at once."""
    if size < 1:
        raise SettingError(f"batch_size is {size}; it must be 1 or more.")
    order = sorted(range(len(read)), key=lambda i: -len(read[i]))
    for start in range(0, len(order), size):
        yield order[start : start + size]
