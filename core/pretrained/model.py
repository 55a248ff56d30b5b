"""A loaded model: texts in, frozen records out. Torch ends here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, overload

import torch

from core import settings
from core.errors import NotSupported, SettingError
from core.pretrained.batches import batches, known, padded, refuse_empty, refuse_large
from core.pretrained.engine import Engine, Gives, Keep, Run, Shape, numbers
from core.pretrained.families import Kind
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
        kind: `encoder`, `decoder` (it sees only what came before), or `encoder-decoder`: then it is a
            `core.pretrained.seq2seq.Seq2SeqModel`, which traces a source with its target.
        engine: `scratch` (our own transformer) or `huggingface` (`transformers`).
        shape: number of layers and heads, and the widths.
        gives: whether query and key, a final norm and a position bias are there to be seen.
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
        kind: Kind,
        max_tokens: int,
        pairs: bool,
        trace_bytes: int,
    ) -> None:
        """Not for callers: see `core.load`."""
        self.name = name
        self.engine = engine
        self.kind: Kind = kind
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
    def gives(self) -> Gives:
        """What a trace by it can hold."""
        return self._runner.gives

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

    @overload
    def trace(self, text: str, second: None = None, *, keep: Keep = "all") -> Trace: ...
    @overload  # a Trace of the pair, or an encoder–decoder's Seq2SeqTrace
    def trace(self, text: str, second: str, *, keep: Keep = "all") -> Any: ...
    def trace(self, text: str, second: str | None = None, *, keep: Keep = "all") -> Trace | Any:
        """Run one text, or a pair of texts, and return every step.

        An encoder–decoder takes a source and its target, and returns a `core.Seq2SeqTrace`.

        Args:
            text: the text; what does not fit the model is cut off, see `Trace.left_out`.
            second: the second text of a pair, for an encoder that learned pairs.
            keep: `all`; `attention` (no hidden states, query, key, value); `hidden` (no attention,
                query, key, value), which is the fastest.

        Raises:
            NotSupported: a pair, on a model that learned no second text; or a text without any token.
            TooLarge: the trace would take more than `POLYSEE_TRACE_MB`.
            SettingError: `keep` is none of these.
        """
        known(keep)
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
        known(keep)
        if isinstance(texts, str):
            raise SettingError("trace_many takes a list of texts; for one text call trace.")
        read = [self._read(text) for text in texts]
        for encoded in read:
            self._refuse(encoded, keep)
        traces: list[Trace | None] = [None] * len(read)
        for indices in batches(read, batch_size):
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
            for batch in batches([read[i] for i in with_word], batch_size):
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
            self._text(t)
        if second is not None and not self._pairs:
            why = "a decoder reads on" if self.kind == "decoder" else "it has one token type"
            raise NotSupported(
                f"“{self.name}” learned to read one text at a time ({why}), so it "
                "cannot take a pair. Trace the two texts one by one."
            )
        return self._reader.read(text, second)

    def _text(self, text: str) -> str:
        if not isinstance(text, str):
            raise SettingError(f"A text must be a string, not {type(text).__name__}.")
        return text

    def _run(self, read: Sequence[Encoded], keep: Keep) -> Run:
        with torch.inference_mode():
            return self._runner.run(padded(read, self._reader.pad_id, self.device), keep)

    def _refuse(self, encoded: Encoded, keep: Keep) -> None:
        n = len(encoded)
        refuse_empty(encoded, self.name)
        refuse_large(numbers(self.shape, self.gives, n, keep), n, self._trace_bytes)
