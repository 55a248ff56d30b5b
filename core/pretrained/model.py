"""A loaded model turns texts into frozen records; beyond this module there are no torch tensors."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Self, overload

import torch
from torch import Tensor

from .. import settings
from ..attribution.attention_masks import index_below
from ..attribution.output_gram import output_gram
from ..errors import NotSupported, SettingError, TooLarge
from ..records.cache_cost import CacheCost
from ..records.chat import Chat
from ..records.frozen import Array
from ..records.indices import index
from ..records.long_attention import BIASES, LongAttention
from ..records.pieces import pieces_of
from ..records.score_terms import ScoreTerms
from ..records.sense_axis import SenseAxis, sense_axis
from ..records.spelling import Spelling
from ..records.trace import Trace
from ..transformer import DisentangledAttention, Encoder, LanguageModel
from ..transformer.layers import EncoderLayer
from . import cancellation, token_edits
from .batching import together
from .can_predict import Words
from .chatting import Chatting
from .engines import long_texts
from .engines.batches import Together, batches, check_keep, most, padded, refuse_empty, refuse_large
from .engines.engine import Engine, Gives, Keep, Run, Shape, numbers
from .engines.families import Kind
from .engines.scratch import ScratchBidirectional, ScratchEngine
from .every_word import TextWords, every_word
from .language_head import LanguageHead
from .lens import Lenses
from .patching import Patches
from .position_table import position_table
from .predict import Open, Predicting
from .recording import WordVector, record
from .streaming import stream
from .tokenizer.reader import Encoded, Numbers, TextReader
from .tokenizer.vocabulary import Vocabulary

# Texts are sorted by length within a window, to reduce padding, and returned in their original order.
WINDOW_TEXTS = 1024
BATCH_TEXTS = 32


class Model(Predicting, Chatting, Patches, Lenses, Vocabulary):
    """A model and its tokenizer on one of the two engines. Threads can share it safely.

    Attributes:
        name: the name under which it was loaded.
        kind: `encoder`, `decoder` (each token sees only earlier ones), or `encoder-decoder`: then it is
            a `core.pretrained.seq2seq.Seq2SeqModel`, which traces a source with its target.
        engine: `scratch` (our own transformer) or `huggingface` (`transformers`).
        shape: the number of layers and heads, and the widths.
        gives: whether it exposes query and key, a final norm and a position bias.
        max_tokens: how many tokens of a text it reads, special tokens included.
        window: how many tokens it accepts; larger than `max_tokens` if it was `fitted`.
        cased: whether it distinguishes upper and lower case.
        spelling: which spellings of a word it reads alike.
        device: `cpu`, `cuda` or `mps`.
        bound: the largest difference allowed between the two engines on this device.
        padding_leaks: whether padding changes a text's own vectors (ConvBERT).
        notes: what a reader of its numbers should know about how it was loaded, in sentences.
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
        words: Words,
        notes: tuple[str, ...] = (),
    ) -> None:
        """Internal: callers use `core.load`."""
        self.name = name
        self.engine = engine
        self.kind: Kind = kind
        self.max_tokens = self.window = max_tokens
        self._runner = runner
        self._reader = reader
        self._pairs = pairs
        self._trace_bytes = trace_bytes
        self._words = words
        self._tried: Together | None = None
        self._untraced: Self | None = None
        self.notes = notes

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
        """The parts that its traces can contain."""
        return self._runner.gives

    @property
    def device(self) -> str:
        """The device it runs on: `cpu`, `cuda` or `mps`."""
        return self._runner.device

    def fitted(self) -> Self:
        """The same model, limited to texts whose trace fits into `POLYSEE_TRACE_MB`.

        A longer text is truncated, as it would be at the model's own limit, and no trace is too large.
        """
        model = copy.copy(self)
        model.max_tokens = max(3, most(self._trace_numbers, self._trace_bytes // 4, self.window))
        model._reader = self._reader.up_to(model.max_tokens)
        model._untraced = self.untraced
        return model

    @property
    def untraced(self) -> Self:
        """The same model with its own limit, for `next_token`, `score` and `generate`: no trace.

        These refuse a text that would take more than `POLYSEE_TRACE_MB`; they never cut it for that.
        """
        return self if self._untraced is None else self._untraced

    def _trace_numbers(self, tokens: int) -> int:
        """The size of a full trace of this length, in float32 numbers; masks take a byte per cell."""
        return numbers(self.shape, self.gives, tokens, "all") + self.shape.n_layers * tokens**2 // 4

    @property
    def scratch_encoder(self) -> Encoder | None:
        """The model as our own transformer, with BERT's attention; None if it is no such model."""
        encoder = getattr(self._runner, "encoder", None) if self.engine == "scratch" else None
        if not isinstance(encoder, Encoder):
            return None
        if encoder.relative is not None or encoder.distances is not None:
            return None
        return encoder

    @property
    def scratch_decoder(self) -> LanguageModel | None:
        """The model as our own decoder alone; None if it is no decoder, or ours cannot run it."""
        decoder = getattr(self._runner, "decoder", None) if self.engine == "scratch" else None
        return decoder if isinstance(decoder, LanguageModel) else None

    def scratch_head(self) -> Tensor | None:
        """(V, d_model): the matrix by which `scratch_decoder` predicts tokens.

        None if there is no such decoder, it predicts nothing, or its head is more than one matrix.
        """
        head = self._words.head
        if self.scratch_decoder is None or self.predicts != "next":
            return None
        matrix_VD = head.matrix() if isinstance(head, LanguageHead) else None
        return None if matrix_VD is None else matrix_VD.float()

    def cache_cost(self) -> CacheCost:
        """What it keeps of each token while it writes, and what that spares it.

        Raises:
            NotSupported: it is no decoder that runs in our own transformer and predicts the next token.
        """
        decoder = self.scratch_decoder
        if decoder is None or self.predicts != "next":
            raise NotSupported(
                "“{name}” is no decoder that runs in our own transformer, and Polysee does not "
                "count what another engine keeps.",
                name=self.name,
            )
        c, s = decoder.config, self.shape
        return CacheCost(
            s.n_layers,
            s.n_heads,
            c.parts.n_kv_heads or s.n_heads,
            s.d_head,
            s.d_model,
            c.d_ff,
            c.parts.gated,
            self.n_vocabulary,
            c.windows,
        )

    @property
    def pad_id(self) -> int:
        """The token that pads the shorter texts of a batch."""
        return self._reader.pad_id

    @property
    def n_vocabulary(self) -> int:
        """The number of rows of its word-embedding table."""
        return len(self._runner.table)

    def read(self, text: str) -> Encoded:
        """The tokens of a text, as `trace` reads it."""
        return self._read(text)

    def special_in(self, text: str) -> tuple[str, ...]:
        """The special tokens that a text spells out, such as "<|im_end|>", each read as one token."""
        return self._reader.special_in(self._read(text))

    def output_gram(self) -> Array | None:
        """(layers, heads, d_head, d_head), W_Oᵀ W_O: how long what a head writes is, see `sink`.

        None if it is no decoder, or our transformer cannot run it.
        """
        decoder = self.scratch_decoder
        if decoder is None:
            return None
        layers = (layer for layer in decoder.stack.layers if isinstance(layer, EncoderLayer))
        found: Array = output_gram([layer.attention for layer in layers]).cpu().numpy()
        return found

    def position_table(self) -> Array | None:
        """The learned positions, (positions, d_model), without unused rows; None if it has none."""
        return position_table(vars(self._runner).values())

    @property
    def padding_leaks(self) -> bool:
        """Whether padding after a text changes the text's vectors, as it can with a convolution.

        The model is tried once (`core.pretrained.batching`); what shares a batch follows from it.
        """
        return self.kind != "encoder-decoder" and self._together() != "padded"

    def _together(self) -> Together:
        """Which texts may share a batch; found out when it is first asked, and remembered."""
        if self._tried is None:
            self._tried = together(self._read, partial(self._traced, keep="all"))
        return self._tried

    @property
    def bound(self) -> float:
        """The largest difference allowed between the two engines on this device."""
        return settings.ENGINE_BOUND[self.device]

    @property
    def cased(self) -> bool:
        """Whether it distinguishes upper and lower case."""
        return self._reader.cased

    @property
    def spelling(self) -> Spelling:
        """Which spellings of a word it reads alike."""
        return self._reader.spelling

    @overload
    def trace(
        self, text: str | Chat, second: None = None, *, keep: Keep = "all", masked: Numbers = ()
    ) -> Trace: ...
    @overload  # a Trace of the pair, or with more tokens; or an encoder–decoder's Seq2SeqTrace
    def trace(
        self,
        text: str | Chat,
        second: str | None = None,
        *,
        keep: Keep = "all",
        masked: Numbers = (),
        more: Numbers = (),
    ) -> Any: ...
    def trace(
        self,
        text: str | Chat,
        second: str | None = None,
        *,
        keep: Keep = "all",
        masked: Numbers = (),
        more: Numbers = (),
    ) -> Trace | Any:
        """Run one text, or a pair of texts, and return every step.

        An encoder–decoder takes a source and its target, and returns a `core.Seq2SeqTrace`.

        Args:
            text: the text, truncated if it is too long, see `Trace.left_out`; or a conversation, as
                `chat` returns it.
            second: the second text of a pair, for an encoder that learned pairs.
            keep: `all`; `attention` (no hidden states, query, key, value); or `hidden` (no attention,
                query, key, value), the fastest.
            masked: indices of the tokens to replace with the model's mask token.
            more: for a decoder, ids of tokens to append to the text, as `generate` returns them; they
                are the last tokens of the trace.

        Raises:
            NotSupported: a pair, for a model that learned no second text; a text without any token; a
                mask, for a model that has none; or `more`, for an encoder.
            TooLarge: the trace would exceed `POLYSEE_TRACE_MB`; or `more` exceeds what the model
                accepts.
            SettingError: `keep` has another value; or there is no such token to mask or to append.
        """
        check_keep(keep)
        encoded = self._encoded(text, second, masked, more)
        self._refuse(encoded, keep)
        run = self._run([encoded], keep)
        return record(run, 0, encoded, keep, self.name, self.spelling)

    def long_attention(self, text: str, *, cells: int = 96) -> LongAttention:
        """The attention of a text up to the model's own window, without holding its weights.

        A trace has the weights of all heads, and `POLYSEE_TRACE_MB` ends it at some hundred tokens.
        This keeps query, key and row log-sums, from which any weight follows; and each head's map in
        small, its blocks pooled.

        Args:
            text: the text, truncated if it is longer than the model's window, see `left_out`.
            cells: the most cells along a side of a small map.

        Raises:
            NotSupported: it is no decoder that runs in our own transformer, or its positions are a bias
                on the scores (Bloom).
            TooLarge: even so it would exceed `POLYSEE_TRACE_MB`.
            SettingError: `cells` is below 1.
        """
        net = self.scratch_decoder
        if net is None or net.config.positions in BIASES:
            raise NotSupported(
                "“{name}” is no decoder in our own transformer whose scores are query · key "
                "alone. Polysee reads only those by blocks of rows: shorten the text.",
                name=self.name,
            )
        if cells < 1:
            raise SettingError(f"cells is {cells}; it must be 1 or more.")
        model = self.untraced
        encoded = model._read(text)
        refuse_empty(encoded, self.name)
        n, s, c = len(encoded), self.shape, net.config
        width = s.d_head * (s.n_heads + (c.parts.n_kv_heads or s.n_heads))
        kept = s.n_layers * (n * (width + s.n_heads) + s.n_heads * min(cells, n) ** 2)
        if 4 * kept > self._trace_bytes:
            raise TooLarge(
                "The attention of these {n:,} tokens takes {kept:,.0f} MB even by blocks of "
                "rows, and the limit is {trace_bytes:,.0f} MB (POLYSEE_TRACE_MB). Shorten the "
                "text, or set a higher limit.",
                n=n,
                kept=4 * kept / 1000000.0,
                trace_bytes=self._trace_bytes / 1000000.0,
            )
        with torch.inference_mode():
            ids_L = torch.tensor(encoded.ids, device=self.device)
            found = long_texts.run(
                net, ids_L, cells, cancellation.ask, threads=long_texts.threads(self.device)
            )
        layers, own = s.n_layers, c.parts.scale or s.d_head**-0.5
        return LongAttention(
            encoded.tokens,
            found.query_NHLK,
            found.key_NGMK,
            found.log_sums_NHL,
            scale=(own,) * layers,
            windows=c.windows or (0,) * layers,
            softcap=c.parts.score_cap,
            largest=found.largest_NHCC,
            block=-(-n // cells),
            model=self.name,
            left_out=next((cut for cut in encoded.left_out_by_text if cut), None),
            pieces=pieces_of(encoded.texts[0], encoded.tokens, encoded.offsets),
        )

    def causal_trace(
        self, text: str, second: str | None = None, *, keep: Keep = "all", masked: Numbers = ()
    ) -> Trace:
        """`trace` with later tokens hidden from every token, in every layer: as in a decoder.

        An encoder was trained without this mask, so its numbers here are untypical. A decoder always
        has it. The scores above the diagonal become −∞ before the softmax, and their weights are
        exactly 0.

        Args:
            text: see `trace`.
            second: see `trace`.
            keep: see `trace`.
            masked: see `trace`.

        Raises:
            NotSupported: the model is an encoder that does not run in our own transformer; or see
                `trace`.
            TooLarge, SettingError: see `trace`.
        """
        if self.kind == "decoder":
            traced: Trace = self.trace(text, second, keep=keep, masked=masked)
            return traced
        runner = self._runner
        if self.kind != "encoder" or not isinstance(runner, ScratchEngine | ScratchBidirectional):
            raise NotSupported(
                "“{name}” does not run in our own transformer, the only one in which Polysee "
                "can hide later tokens. BERT, RoBERTa, DistilBERT and ModernBERT models do.",
                name=self.name,
            )
        check_keep(keep)
        encoded = self._encoded(text, second, masked, ())
        self._refuse(encoded, keep)
        with torch.inference_mode():
            run = runner.run(padded([encoded], self._reader.pad_id, self.device), keep, causal=True)
        return record(run, 0, encoded, keep, self.name, self.spelling)

    @property
    def disentangled(self) -> bool:
        """Whether its scores have terms of their own for position, which `score_terms` gives."""
        return isinstance(self._runner, ScratchEngine) and self._runner.encoder.relative is not None

    def score_terms(self, text: str, layer: int, head: int) -> ScoreTerms:
        """The scores of a DeBERTa's head before the softmax, as three terms: see `core.ScoreTerms`.

        Args:
            text: see `trace`.
            layer: the layer, from 0.
            head: the head, from 0.

        Raises:
            NotSupported: the scores of this model are one product, or it runs in `transformers`.
            SettingError: there is no such layer or head.
            TooLarge: see `trace`.
        """
        runner = self._runner
        if not self.disentangled or not isinstance(runner, ScratchEngine):
            raise NotSupported(
                "The scores of “{name}” have no terms of their own for position: only a "
                "DeBERTa in our own transformer has them.",
                name=self.name,
            )
        layer = index_below(layer, self.shape.n_layers, "layer")
        head = index_below(head, self.shape.n_heads, "head")
        encoded = self._encoded(text, None, (), ())
        self._refuse(encoded, "all")
        run = self._run([encoded], "all")
        query_BHLK, key_BHMK = run.query_BHLK[layer], run.key_BHMK[layer]
        attention = runner.layers[layer].attention
        assert isinstance(attention, DisentangledAttention)
        assert query_BHLK is not None
        assert key_BHMK is not None
        with torch.inference_mode():
            each = attention.every_term(query_BHLK, key_BHMK)
        content, to_position, to_content = (one[0, head].cpu().numpy() for one in each)
        return ScoreTerms(encoded.tokens, layer, head, content, to_position, to_content)

    def trace_many(
        self, texts: Iterable[str], *, keep: Keep = "hidden", batch_size: int = BATCH_TEXTS
    ) -> list[Trace]:
        """`trace` for each text, computed in batches; equal to single traces up to rounding.

        Texts share a batch only where the model's numbers do not depend on it: if padding changes them,
        texts of equal length; if any other text does, none.

        On the CPU, no number of an array differs by more than 5e-6 · max(1, the array's largest
        absolute value) (`settings.BATCH_BOUND`): up to 1.5e-4 for hidden values of a pre-norm model
        that reach 30. Models with attention scores of several hundred, as large untrained weights
        produce them, are an exception: there, the softmax magnifies the rounding error.

        The result holds all traces in memory; `vectors` streams instead.

        Args:
            texts: single texts, no pairs.
            keep: see `trace`; here, the fastest is the default.
            batch_size: the number of texts in a batch.

        Returns:
            One trace for each text, in order.

        Raises:
            TooLarge, SettingError, NotSupported: see `trace`; also SettingError for a string instead of
                a list, or a `batch_size` below 1.
        """
        check_keep(keep)
        if isinstance(texts, str):
            raise SettingError("trace_many takes a list of texts; for one text call trace.")
        encodings = [self._read(text) for text in texts]
        for encoded in encodings:
            self._refuse(encoded, keep)
        traces: list[Trace | None] = [None] * len(encodings)
        for indices in batches(encodings, batch_size, most=self._at_once, together=self._together):
            traced = self._traced([encodings[i] for i in indices], keep)
            for i, trace in zip(indices, traced, strict=True):
                traces[i] = trace
        return [trace for trace in traces if trace is not None]

    def vectors(
        self, texts: Iterable[str], word: str, *, batch_size: int = BATCH_TEXTS
    ) -> Iterator[WordVector]:
        """Stream the vectors of each occurrence of a word, in the order of the texts.

        `texts` may be endless: memory does not grow with them. A text without the word, or whose
        word did not fit the model, yields nothing; `WordVector.text` says which text a vector comes
        from. No vector depends on the other texts, see `trace_many`.

        Args:
            texts: single texts; may be a generator.
            word: a word or phrase, found as `Trace.find` finds it.
            batch_size: the number of texts in a batch.

        Returns:
            An iterator of records that unpack as `learned` (d_embedding,), `hidden` (layers, d_model).

        Raises:
            SettingError: a string instead of a list, or a `batch_size` below 1.
        """
        if isinstance(texts, str):
            raise SettingError("vectors takes a list of texts, not one text.")
        return stream(
            iter(texts),
            word,
            self.spelling,
            self._read,
            self._run,
            window=WINDOW_TEXTS,
            size=batch_size,
            together=self._together,
            most=self._at_once,
        )

    def every_word(
        self, texts: Iterable[str], layers: Sequence[int], *, batch_size: int = BATCH_TEXTS
    ) -> list[TextWords]:
        """The vectors of every word of each text, computed in batches; quicker than `trace_many`.

        No vector depends on the other texts, as in `vectors`.

        Args:
            texts: single texts, no pairs.
            layers: which layers, from 0.
            batch_size: how many texts run at once.

        Returns:
            One record for each text, in order.

        Raises:
            TooLarge, SettingError, NotSupported: see `trace_many`.
            OutOfRange: there is no such layer.
        """
        if isinstance(texts, str):
            raise SettingError("every_word takes a list of texts, not one text.")
        encodings = [self._read(text) for text in texts]
        for encoded in encodings:
            self._refuse(encoded, "hidden")
        return every_word(
            encodings,
            [index(layer, self.shape.n_layers, "layer") for layer in layers],
            self._run,
            size=batch_size,
            together=self._together,
            most=self._at_once,
        )

    def sense_axis(self, word: str, low: Sequence[str], high: Sequence[str]) -> SenseAxis:
        """The axis between two senses of a word, in each layer: see `core.SenseAxis`.

        Args:
            word: the word.
            low: names the sense at −1: words ("money"), which the model reads in frames beside the
                word, and sentences that contain the word. One item is enough.
            high: the same for the sense at +1.

        Raises:
            NotSupported: an end is empty or too large; the model does not know the word or an anchor
                word; it cannot tell the two ends apart; or it is an encoder–decoder.
            WordNotFound: a sentence does not contain the word.
        """
        return sense_axis(
            word,
            low,
            high,
            self.trace_many,
            spelling=self.spelling,
            model=self.name,
            causal=self.kind == "decoder",
        )

    def _at_once(self, tokens: int) -> int:
        """The number of texts of this length that run at once; memory for their scores limits it.

        Somebody's object reads one at a time: its hooks may look at the whole batch, and dynamic
        quantisation scales each text by the others.
        """
        if getattr(self._runner, "lent", None) is not None:
            return 1
        return max(1, self._trace_bytes // (4 * self.shape.n_heads * max(1, tokens) ** 2))

    def _read(self, text: str | Chat, second: str | None = None) -> Encoded:
        if isinstance(text, Chat):
            if second is not None:
                raise NotSupported("A conversation is one text, and takes no second one.")
            return self._encoded_chat(text)
        for t in (text,) if second is None else (text, second):
            self._text(t)
        if second is not None and not self._pairs:
            why = "it is a decoder" if self.kind == "decoder" else "it has one token type"
            raise NotSupported(
                "“{name}” learned to read one text at a time ({why}), so it cannot take a "
                "pair. Trace the two texts one by one.",
                name=self.name,
                why=why,
            )
        return self._reader.read(text, second)

    def _whole(self, text: str) -> Encoded:
        encoded = self._read(text)
        self._refuse(encoded, "all")
        return encoded

    def _encoded(self, text: str | Chat, second: str | None, masked: Numbers, more: Numbers) -> Encoded:
        encoded = token_edits.masked(self._read(text, second), masked, self._reader, self.name)
        if not len(more):
            return encoded
        if self.kind != "decoder":
            raise NotSupported(
                "“{name}” reads a text in both directions, and no token follows another. Put a "
                "mask into the text.",
                name=self.name,
            )
        return self._with(_opened(text, encoded), more)

    def _open(self, text: str | Chat, second: str | None, masked: Numbers) -> Open:
        encoded = _opened(text, self._encoded(text, second, masked, ()))
        return Open(encoded, self._runner.last, self._runner.following)

    def _text(self, text: str) -> str:
        if not isinstance(text, str):
            raise SettingError(
                "A text must be a string, not {name}.",
                name=type(text).__name__,
            )
        return text

    def _run(self, encodings: Sequence[Encoded], keep: Keep) -> Run:
        cancellation.ask()
        with torch.inference_mode():
            return self._runner.run(padded(encodings, self._reader.pad_id, self.device), keep)

    def _traced(self, encodings: Sequence[Encoded], keep: Keep) -> list[Trace]:
        """The traces of texts that run as one batch."""
        run = self._run(encodings, keep)
        return [
            record(run, row, encoded, keep, self.name, self.spelling)
            for row, encoded in enumerate(encodings)
        ]

    def _refuse(self, encoded: Encoded, keep: Keep) -> None:
        n = len(encoded)
        refuse_empty(encoded, self.name)
        refuse_large(numbers(self.shape, self.gives, n, keep), n, self._trace_bytes)


def _opened(text: str | Chat, encoded: Encoded) -> Encoded:
    """A text without the end tokens that a tokenizer may add; a conversation ends as it says."""
    return encoded if isinstance(text, Chat) else token_edits.opened(encoded)
