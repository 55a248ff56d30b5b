"""A loaded encoder–decoder turns a source and its target into one frozen record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NoReturn, Self, overload

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from ..attribution import attention_masks, paired
from ..attribution.attention_masks import index_below
from ..errors import ModelBroken, NotSupported, SettingError
from ..records.chat import Chat
from ..records.decoding import Decoding
from ..records.interventions import Ablate, Cut, Expected, PairIntervention
from ..records.next_token import NextToken
from ..records.pair_contributions import PairContributions
from ..records.prediction import Expectation
from ..records.score import Score
from ..records.seq2seq import Seq2SeqTrace
from ..records.trace import Trace
from ..transformer import causal_mask
from . import cancellation, token_edits
from .can_predict import Words
from .engines.batches import check_keep, padded, refuse_empty, refuse_large
from .engines.engine import Batch, Keep, Seq2SeqEngine, Seq2SeqRun, Shape, cross_numbers, numbers
from .engines.families import LAST_OF_TARGET
from .engines.scratch import NAMED
from .engines.scratch_pair import Block, ScratchPair
from .every_word import TextWords
from .model import BATCH_TEXTS
from .pair_states import PairStates
from .predict import Open, batch_of
from .recording import WordVector, record_pair
from .tokenizer.reader import NOTHING, Encoded, Numbers, TextReader, shifted

# The fields of a record, in the order of `core.attribution.paired.PairShares`.
_SUMS = (
    "by_depth",
    "from_source",
    "biases",
    "source_by_depth",
    "source_biases",
    "by_head",
    "by_cross_head",
    "by_source_head",
)


class Seq2SeqModel(PairStates):
    """An encoder–decoder and its tokenizer. `shape` is the encoder's, `decoder_shape` the decoder's."""

    def __init__(
        self,
        name: str,
        engine: str,
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
            engine,
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
                "The decoder of “{name}” begins with the token {start_id}, which its tokenizer "
                "does not know. They belong to different models.",
                name=name,
                start_id=runner.start_id,
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

    def pair_contributions(
        self,
        text: str,
        target: str,
        direction: npt.ArrayLike,
        *,
        at: int | None = None,
        layer: int | None = None,
        more: Numbers = (),
    ) -> PairContributions:
        """The exact sum behind a vector of the decoder along a direction: over source and target.

        Args:
            text: the source.
            target: what the decoder has read, without its end token, as `decode` continues it.
            direction: (d_model,), not all 0.
            at: the token of the target, its start token counted, from 0; None for the last.
            layer: the layer of the decoder whose output is measured; None for the last one's, behind
                the final norm.
            more: ids of tokens behind the target, as `generate` returns them.

        Raises:
            SettingError: the direction does not fit, or there is no such token or layer.
            NotSupported: the model does not run in our own transformer.
            TooLarge: see `trace`.
        """
        along = np.asarray(direction, np.float32)
        if along.shape != (self.shape.d_model,) or not np.isfinite(along).all() or not along.any():
            raise SettingError(
                f"A direction for “{self.name}” must be {self.shape.d_model} finite numbers, not all 0."
            )
        if layer is not None:
            layer = index_below(layer, self.decoder_shape.n_layers, "layer")
        pair, position = self._read_pair(text, target, more), at
        with torch.inference_mode():
            forward = self._walked(pair)
            along_D = torch.from_numpy(along).to(self.device)
            return self._pair_sum(pair, forward, position, along_D, layer=layer)

    def pair_logit_contributions(
        self,
        text: str,
        target: str,
        token: int | str,
        other: int | str | None = None,
        *,
        at: int | None = None,
        more: Numbers = (),
    ) -> PairContributions:
        """`pair_contributions` to the logit of a next token, or to the difference of two logits.

        Args:
            text: see `pair_contributions`.
            target: see `pair_contributions`.
            token: the id of the token, or the token as it is written in a text.
            other: another one, whose logit is subtracted.
            at: the token of the target behind which is predicted; None for the last.
            more: see `pair_contributions`.

        Raises:
            SettingError: a string is no single token; there is no such id or token; or the two are the
                same.
            NotSupported: the model predicts no words, or does not run in our own transformer.
            TooLarge: see `trace`.
        """
        if self.predicts is None:
            raise NotSupported(self.no_predictions)
        ids = [self._id(one) for one in (token, other) if one is not None]
        if len({*ids}) < len(ids):
            raise SettingError("The two tokens are the same, and their logits do not differ.")
        pair = self._read_pair(text, target, more)
        self._own_pair()
        with torch.inference_mode():
            rows_TD, biases_T, _ = self._rows(ids)
            along_D, bias = rows_TD[0], biases_T[0]
            if len(ids) > 1:
                along_D, bias = along_D - rows_TD[1], bias - biases_T[1]
            return self._pair_sum(pair, self._walked(pair), at, along_D, bias=float(bias))

    def intervene_pair(
        self, text: str, target: str, *changes: Cut | Ablate, more: Numbers = ()
    ) -> PairIntervention:
        """Run a source with its target unchanged, and with edges cut and heads ablated.

        Args:
            text: the source.
            target: see `pair_contributions`.
            changes: each with its `block`. Words of the source are keys of the cross-attention.
            more: see `pair_contributions`.

        Raises:
            WordNotFound: the text of a block does not contain a word of a change.
            SettingError: a change names no block, or there is no such token, layer or head.
            NotSupported: the model does not run in our own transformer; or a token would have nothing
                left to attend to.
            TooLarge: see `trace`.
        """
        runner = self._own_pair()
        for one in changes:
            if not isinstance(one, Cut | Ablate) or not one.block:
                raise SettingError(
                    "In an encoder–decoder, a change is a Cut or an Ablate with a block: “encoder”, "
                    "“decoder” or “cross”."
                )
        source, read = pair = self._read_pair(text, target, more)
        finds = {
            "encoder": (partial(self._alone, source), len(source)),
            "decoder": (partial(self._alone, read), len(read)),
        }
        sides = {"encoder": ("encoder", "encoder"), "decoder": ("decoder", "decoder")}
        sides["cross"] = ("decoder", "encoder")
        later = ~causal_mask(len(read))
        blocks: dict[str, Block] = {}
        for name, (of_query, of_key) in sides.items():
            own = [[one for one in changes if one.block == name]]
            shape = self.shape if name == "encoder" else self.decoder_shape
            (find, n), (find_key, m) = finds[of_query], finds[of_key]
            hides = [later] * shape.n_layers if name == "decoder" else ()
            biases = attention_masks.biases(own, [find], (*shape[:2], n), hides, ([find_key], m))
            mask_NBH = attention_masks.head_mask(own, *shape[:2])
            blocks[name] = Block(
                None if biases is None else [one.to(self.device) for one in biases],
                None if mask_NBH is None else mask_NBH.to(self.device),
            )
        batches = self._batches(pair)
        with torch.inference_mode():
            runs = (
                runner.run_pair(*batches, "all"),
                runner.run_pair(
                    *batches,
                    "all",
                    encoder=blocks["encoder"],
                    decoder=blocks["decoder"],
                    cross=blocks["cross"],
                ),
            )
            before, after = (
                record_pair(run, source, read, "all", self.name, self.spelling) for run in runs
            )
            expected = None
            if self.predicts is not None:
                each = [self._expected(run, batches[1], len(read)) for run in runs]
                expected = tuple(Expected(*both) for both in zip(*each, strict=True))
        return PairIntervention(before, after, tuple(changes), expected)

    def _expected(self, run: Seq2SeqRun, target: Batch, n: int) -> list[Expectation]:
        final = run.decoder.final_BLD
        last_BLD = run.decoder.hidden_BLD[-1] if final is None else final
        logits = self._logits(lambda _: last_BLD, target, range(n))
        return [self._expectation(i, row) for i, row in enumerate(logits)]

    def _own(self) -> NoReturn:
        raise NotSupported(
            f"“{self.name}” is an encoder–decoder: what source and target add is computed by "
            "pair_contributions and pair_logit_contributions, and changed by intervene_pair "
            "and patch_pair."
        )

    def _own_pair(self) -> ScratchPair:
        if not isinstance(self._pair_runner, ScratchPair):
            raise NotSupported(
                "“{name}” does not run in our own transformer, and Polysee can trace back and "
                "change the steps of no other. {named} models run in it, in the shapes in which most "
                "of them are published.",
                name=self.name,
                named=NAMED,
            )
        return self._pair_runner

    def _read_pair(self, text: str, target: str, more: Numbers) -> tuple[Encoded, Encoded]:
        """A source, and what the decoder reads before it continues; both checked as in `trace`."""
        source = self._source(text, ())
        read = self._with(self._target(target), more)
        refuse_empty(source, self.name)
        n, m = len(source), len(read)
        count = numbers(self.shape, self.gives, n, "all")
        count += numbers(self.decoder_shape, self._pair_runner.decoder_gives, m, "all")
        count += cross_numbers(self.decoder_shape, m, n, "all")
        refuse_large(count, n + m, self._trace_bytes)
        return source, read

    def _batches(self, pair: tuple[Encoded, Encoded]) -> tuple[Batch, Batch]:
        readers = self._source_reader, self._reader
        source, target = (
            padded([one], reader.pad_id, self.device) for one, reader in zip(pair, readers, strict=True)
        )
        return source, target

    def _walked(self, pair: tuple[Encoded, Encoded]) -> paired.Forward:
        cancellation.ask()
        runner, batches = self._own_pair(), self._batches(pair)
        source, target = runner.embedded(*batches)
        net = runner.net
        return paired.walk(net.encoder, net.decoder, source[0], target[0], runner.biases(*batches))

    def _pair_sum(
        self,
        pair: tuple[Encoded, Encoded],
        forward: paired.Forward,
        at: int | None,
        along_D: Tensor,
        *,
        layer: int | None = None,
        bias: float = 0.0,
    ) -> PairContributions:
        source, read = pair
        n, net = len(read), self._own_pair().net
        position = n - 1 if at is None else index_below(at, n, "token")
        whole, shares = paired.contributions(
            net.encoder, net.decoder, forward, [position], along_D, layer=layer
        )
        shares = shares._replace(biases_N=shares.biases_N + bias)
        last = self.decoder_shape.n_layers - 1 if layer is None else layer
        parts = {name: share.cpu().numpy() for name, share in zip(_SUMS, shares, strict=True)}
        return PairContributions(
            source=source.tokens,
            target=read.tokens,
            at=(position,),
            layer=last,
            direction=along_D.cpu().numpy(),
            whole=float(whole) + bias,
            final=layer is None and net.decoder.norm is not None,
            **parts,
        )

    def score(self, text: str | Chat, *, more: Numbers = (), top: int = 10) -> Score:
        """Not supported for an encoder–decoder. Raises NotSupported."""
        raise NotSupported(
            "“{name}” is an encoder–decoder, which writes a target for its source; a model "
            "that continues a text scores one alone.",
            name=self.name,
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
            raise NotSupported(
                "“{name}” reads a source and its target, no conversation.",
                name=self.name,
            )
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
                    "The decoder of “{name}” begins with the token of the language that it writes, "
                    "and its tokenizer puts none at the end of a target. Set one: "
                    "decoder_start_token_id in its config.json.",
                    name=self.name,
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
