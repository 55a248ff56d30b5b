"""A loaded encoder–decoder turns a source and its target into one frozen record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NoReturn, Self, overload

import torch

from ..errors import ModelBroken, NotSupported, SettingError
from ..records.chat import Chat
from ..records.decoding import Decoding
from ..records.next_token import NextToken
from ..records.prediction import Expectation
from ..records.score import Score
from ..records.seq2seq import Seq2SeqTrace
from ..records.trace import Trace
from . import token_edits
from .can_predict import Words
from .engines.batches import check_keep, padded, refuse_empty, refuse_large
from .engines.engine import Keep, Seq2SeqEngine, Shape, cross_numbers, numbers
from .engines.families import LAST_OF_TARGET
from .every_word import TextWords
from .model import BATCH_TEXTS, Model
from .predict import Open, batch_of
from .recording import WordVector, record_pair
from .tokenizer.reader import NOTHING, Encoded, Numbers, TextReader, shifted


class Seq2SeqModel(Model):
    """An encoder–decoder and its tokenizer. `shape` is the encoder's, `decoder_shape` the decoder's."""

    def __init__(
        self,
        name: str,
        runner: Seq2SeqEngine,
        reader: TextReader,
        *,
        max_tokens: int,
        trace_bytes: int,
        words: Words,
        notes: tuple[str, ...] = (),
    ) -> None:
        """Internal: callers use `core.load`."""
        super().__init__(
            name,
            "huggingface",
            runner,
            reader.target,  # the reader of targets; sources have another if the two differ
            kind="encoder-decoder",
            max_tokens=max_tokens,
            pairs=True,
            trace_bytes=trace_bytes,
            words=words,
            notes=notes,
        )
        self._pair_runner = runner
        self._source_reader = reader
        if runner.start_id != LAST_OF_TARGET and self._reader.token(runner.start_id) is None:
            raise ModelBroken(
                f"The decoder of “{name}” begins with the token {runner.start_id}, which "
                "its tokenizer does not know. They belong to different models."
            )

    def __repr__(self) -> str:
        s, d = self.shape, self.decoder_shape
        return (
            f"<core.Model {self.name!r}: {s.n_layers} layers × {s.n_heads} heads and "
            f"{d.n_layers} × {d.n_heads}, d_model {s.d_model}, {self.engine} engine on {self.device}>"
        )

    @property
    def decoder_shape(self) -> Shape:
        """The sizes of the decoder."""
        return self._pair_runner.decoder_shape

    @overload
    def trace(
        self, text: str | Chat, second: None = None, *, keep: Keep = "all", masked: Numbers = ()
    ) -> NoReturn: ...
    @overload
    def trace(
        self,
        text: str | Chat,
        second: str | None = None,
        *,
        keep: Keep = "all",
        masked: Numbers = (),
        more: Numbers = (),
    ) -> Seq2SeqTrace: ...
    def trace(
        self,
        text: str | Chat,
        second: str | None = None,
        *,
        keep: Keep = "all",
        masked: Numbers = (),
        more: Numbers = (),
    ) -> Seq2SeqTrace:
        """Run a source and its target, and return every step of both, with the cross-attention.

        The decoder reads the target as in training: after its start token, and without the last token
        (usually the end token), which it only has to predict. If the target is empty, or `more`
        follows it, the decoder reads all tokens from which it would continue. See `core.Seq2SeqTrace`.

        Args:
            text: the source, truncated if it is too long, see `Trace.left_out`.
            second: the target, such as the translation. For an empty target, the decoder reads only its
                start token, as it does before it writes anything.
            keep: `all`; `attention` (no hidden states, query, key, value); or `hidden` (no attention,
                query, key, value), the fastest.
            masked: indices of the source tokens to replace with the model's mask token.
            more: ids of tokens to append to the target, as `generate` returns them; they are the last
                tokens that the decoder reads. The target may then be None, which means empty.

        Raises:
            NotSupported: neither a target nor `more`; a source without any token; or a mask, for a
                model that has none.
            TooLarge: the trace would exceed `POLYSEE_TRACE_MB`; or `more` exceeds what the model
                accepts.
            SettingError: `keep` has another value; or there is no such token to mask or to append.
        """
        check_keep(keep)
        if second is None and not len(more):
            raise NotSupported(
                f"“{self.name}” is an encoder–decoder: its decoder needs a text too. Give "
                "the source and its target (the translation): trace(source, target)."
            )
        source = self._source(text, masked)
        target = self._shifted(second) if second and not len(more) else self._target(second)
        target = self._with(target, more)
        for encoded in (source, target):
            refuse_empty(encoded, self.name)
        n, m = len(source), len(target)
        count = numbers(self.shape, self.gives, n, keep)
        count += numbers(self.decoder_shape, self._pair_runner.decoder_gives, m, keep)
        count += cross_numbers(self.decoder_shape, m, n, keep)
        refuse_large(count, n + m, self._trace_bytes)
        with torch.inference_mode():
            run = self._pair_runner.run_pair(
                padded([source], self._source_reader.pad_id, self.device),
                padded([target], self._reader.pad_id, self.device),
                keep,
            )
        return record_pair(run, source, target, keep, self.name, self.spelling)

    def decode(
        self, text: str, forced: Mapping[int, int] | None = None, *, max_tokens: int = 24
    ) -> Decoding:
        """Write the target of a source, with the prediction at each step; tokens can be forced.

        Without forced tokens, it writes what `generate` does at temperature 0. The encoder runs once.

        Args:
            text: the source.
            forced: step, from 0 -> the id of the token written there; the model continues after it.
                Steps that are not reached are ignored.
            max_tokens: the limit, if the text has not ended before.

        Raises:
            NotSupported: the model predicts no words (`no_predictions`); or a source without any token.
            SettingError: `max_tokens` is below 1, or there is no such token to force.
            TooLarge, ModelBroken: see `expects` and `trace`.
        """
        if self.predicts is None:
            raise NotSupported(self.no_predictions)
        if max_tokens < 1:
            raise SettingError(f"max_tokens is {max_tokens}; it must be 1 or more.")
        forced = forced or {}
        strange = [number for number in forced.values() if not 0 <= number < self.n_vocabulary]
        if strange:
            raise SettingError(f"There is no token {strange[0]}; there are {self.n_vocabulary:,}.")
        opened, run, _ = self._open(text, "", ())
        ids, own = list(opened.ids), list[int]()
        start, expectations = len(ids), list[Expectation]()
        while len(own) < max_tokens and len(ids) < self.max_tokens:
            (logits,) = self._logits(run, batch_of(ids, self.device), [len(ids) - 1])
            allowed = self._rules.allowed(logits, ids, len(own))
            expectations.append(self._expectation(len(ids) - 1, logits))
            own.append(int(allowed.argmax()))
            ids.append(forced.get(len(own) - 1, own[-1]))
            if ids[-1] in self._rules.ends:
                break
        new = tuple(ids[start:])
        named = self._reader.name
        return Decoding(
            tuple(map(named, new)),
            new,
            tuple(expectations),
            self.trace(text, "", more=new[:-1]),
            new[-1] in self._rules.ends,
            tuple((number, named(number)) for number in own),
        )

    def score(self, text: str | Chat, *, more: Numbers = (), top: int = 10) -> Score:
        """Not supported for an encoder–decoder. Raises NotSupported."""
        raise NotSupported(
            f"“{self.name}” is an encoder–decoder, which writes a target for its source; a model that "
            "continues a text scores one alone."
        )

    def next_token(self, text: str | Chat, *, more: Numbers = (), top: int = 10) -> NextToken:
        """Not supported for an encoder–decoder; see `expects`. Raises NotSupported."""
        raise NotSupported(
            f"“{self.name}” is an encoder–decoder, which writes a target for its source; `expects` "
            "says what it expects next."
        )

    def trace_many(
        self, texts: Iterable[str], *, keep: Keep = "hidden", batch_size: int = BATCH_TEXTS
    ) -> list[Trace]:
        """Not supported for an encoder–decoder. Raises NotSupported."""
        raise self._one_pair_at_a_time()

    def vectors(
        self, texts: Iterable[str], word: str, *, batch_size: int = BATCH_TEXTS
    ) -> Iterator[WordVector]:
        """Not supported for an encoder–decoder. Raises NotSupported."""
        raise self._one_pair_at_a_time()

    def every_word(
        self, texts: Iterable[str], layers: Sequence[int], *, batch_size: int = BATCH_TEXTS
    ) -> list[TextWords]:
        """Not supported for an encoder–decoder. Raises NotSupported."""
        raise self._one_pair_at_a_time()

    def fitted(self) -> Self:
        """See `Model.fitted`; the limit holds for a source and a target of the largest length."""
        model = super().fitted()
        model._source_reader = self._source_reader.up_to(model.max_tokens)
        return model

    def _trace_numbers(self, tokens: int) -> int:
        decoder = numbers(self.decoder_shape, self._pair_runner.decoder_gives, tokens, "all")
        cross = cross_numbers(self.decoder_shape, tokens, tokens, "all")
        return super()._trace_numbers(tokens) + decoder + cross

    def _source(self, text: str | Chat, masked: Numbers) -> Encoded:
        if isinstance(text, Chat):
            raise NotSupported(f"“{self.name}” reads a source and its target, no conversation.")
        reader = self._source_reader
        return token_edits.masked(reader.read(self._text(text)), masked, reader, self.name)

    def _shifted(self, target: str) -> Encoded:
        labels = self._reader.read(self._text(target))
        return shifted(labels, *self._start(labels)) if len(labels) else labels

    def _start(self, labels: Encoded) -> tuple[int, str]:
        """The token that the decoder begins with, and its name."""
        number = self._pair_runner.start_id
        if number == LAST_OF_TARGET:  # the language token, which a tokenizer puts at the end
            signs = labels if len(labels) else self._reader.read("")
            if not len(signs) or not signs.special[-1]:
                raise NotSupported(
                    f"The decoder of “{self.name}” begins with the token of the language "
                    "that it writes, and its tokenizer puts none at the end of a target. "
                    "Set one: decoder_start_token_id in its config.json."
                )
            number = signs.ids[-1]
        return number, self._reader.name(number)

    def _target(self, target: str | None) -> Encoded:
        """The tokens from which the decoder continues: the whole target without its end token."""
        labels = self._reader.read(self._text(target)) if target else NOTHING
        start_id, start = self._start(labels)
        # A target without an end token is read completely, if there is room for the start token.
        whole = not len(labels) or not (labels.special[-1] or len(labels) == self.max_tokens)
        return labels.prefixed(start_id, start) if whole else shifted(labels, start_id, start)

    def _open(self, text: str | Chat, second: str | None, masked: Numbers) -> Open:
        source = self._source(text, masked)
        refuse_empty(source, self.name)
        self._refuse_reading(len(source), 0)
        with torch.inference_mode():  # the encoder runs once, whatever the number of following tokens
            batch = padded([source], self._source_reader.pad_id, self.device)
            return Open(self._target(second), self._pair_runner.reading(batch))

    def _one_pair_at_a_time(self) -> NotSupported:
        return NotSupported(
            f"“{self.name}” is an encoder–decoder, which reads a source with its target: trace them "
            "pair by pair, trace(source, target)."
        )
