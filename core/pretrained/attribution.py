"""Attribution: exact contributions to a vector, and interventions, which run the model again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from ..attribution import adjoint, attention_masks, direct
from ..errors import NotSupported, SettingError
from ..records.contributions import Contributions
from ..records.frozen import Array
from ..records.interventions import Ablate, Change, Cut, Expected, Intervention, Mask, Replace
from ..records.logit_parts import LogitParts
from ..records.prediction import Expectation, PredictionKind, check_top
from ..records.score import Score
from ..records.trace import Trace
from ..transformer.attention import MultiHeadAttention
from ..transformer.layers import EncoderLayer
from . import cancellation, scoring, token_edits
from .can_predict import Words
from .engines.batches import padded
from .engines.engine import Batch, Engine, Keep, Run
from .engines.scratch import NAMED, Ours
from .predict import ReadOut
from .recording import record
from .tokenizer.reader import Encoded, Numbers, TextReader

TOKENS_AT_ONCE = 512  # in a batch of runs of equal length
MOST_TOGETHER = 128  # tokens of texts that share a pass, whose scores grow with their square


class _Edited(NamedTuple):
    """A changed text: its words replaced, then masked, and the new position of each original token."""

    encoded: Encoded
    seen: Encoded
    positions: tuple[int | None, ...]


class Attributing:
    """The part of a model that computes contributions and interventions, of single texts alone."""

    name: str
    _runner: Engine
    _reader: TextReader
    _words: Words

    @property
    def no_predictions(self) -> str:
        """See `Predicting`."""
        raise NotImplementedError

    @property
    def predicts(self) -> PredictionKind | None:
        """See `Predicting`."""
        raise NotImplementedError

    def contributions(
        self,
        text: str,
        word: str,
        direction: npt.ArrayLike,
        *,
        occurrence: int = 0,
        layer: int | None = None,
    ) -> Contributions:
        """The exact sum behind a word's vector, measured along a direction.

        It takes one forward and one backward pass (`core.attribution.adjoint`). The sum accounts for
        this run. It does not say what the model would do without a word; `intervene` does.

        Args:
            text: the text, truncated if it is too long, as in `Model.trace`.
            word: the word, found as in `Trace.find`; the vectors of several pieces are averaged.
            direction: (d_model,), of any length but 0.
            occurrence: which occurrence of the word, from 0.
            layer: the layer whose output is measured, from 0; None for the last.

        Raises:
            WordNotFound: the text does not contain the word, see `Trace.find`.
            SettingError: the direction does not fit the model, or there is no such layer.
            NotSupported: the model does not run in our own transformer.
        """
        layers = self._runner.shape.n_layers
        layer = layers - 1 if layer is None else attention_masks.index_below(layer, layers, "layer")
        return self._contributions(text, word, {layer: direction}, occurrence)[0]

    def contributions_by_layer(
        self, text: str, word: str, directions: Sequence[npt.ArrayLike], *, occurrence: int = 0
    ) -> tuple[Contributions, ...]:
        """`contributions` to the word's vector after each layer, along a direction each.

        One forward pass serves all layers.

        Args:
            text: see `contributions`.
            word: see `contributions`.
            directions: one for each layer from the first, or for fewer.
            occurrence: see `contributions`.

        Raises:
            PolyseeError: see `contributions`.
        """
        return self._contributions(text, word, self._of_layers(directions), occurrence)

    def contributions_of_each(
        self, words: Sequence[tuple[str, str, int]], directions: Sequence[Sequence[npt.ArrayLike]]
    ) -> list[tuple[Contributions, ...]]:
        """`contributions_by_layer` for words in several texts, equal up to rounding.

        Short texts share one forward and one backward pass: half of the time that each alone takes.

        Args:
            words: the text, the word and its occurrence, of each.
            directions: those of each, for the same layers.

        Raises:
            PolyseeError: see `contributions`.
        """
        runner, read = self._own(), []
        with torch.inference_mode():
            for (text, word, occurrence), along in zip(words, directions, strict=True):
                read.append(self._measured(text, word, occurrence, self._of_layers(along)))
            few = sum(len(one.encoded) for one in read) <= MOST_TOGETHER
            if read and few and all(map(_is_anywhere_the_same, runner.layers)):
                every = adjoint.contributions_of_each(runner.layers, [one.asked for one in read])
            else:
                every = [_alone(runner.layers, one.asked) for one in read]
        return [one.found(sums) for one, sums in zip(read, every, strict=True)]

    def _of_layers(self, directions: Sequence[npt.ArrayLike]) -> dict[int, npt.ArrayLike]:
        for layer in range(len(directions)):
            attention_masks.index_below(layer, self._runner.shape.n_layers, "layer")
        return dict(enumerate(directions))

    def _contributions(
        self, text: str, word: str, directions: Mapping[int, npt.ArrayLike], occurrence: int
    ) -> tuple[Contributions, ...]:
        with torch.inference_mode():
            of = self._measured(text, word, occurrence, directions)
            return of.found(_alone(self._own().layers, of.asked))

    def _measured(
        self, text: str, word: str, occurrence: int, directions: Mapping[int, npt.ArrayLike]
    ) -> _OfText:
        runner, width = self._own(), self._runner.shape.d_model
        along = {layer: np.asarray(one, dtype=np.float32) for layer, one in directions.items()}
        for one in along.values():
            if one.shape != (width,) or not np.isfinite(one).all() or not one.any():
                raise SettingError(
                    f"A direction for “{self.name}” must be {width} finite numbers, not all 0."
                )
        encoded = self._whole(text)
        tokens = token_edits.tokens_of(encoded, word, occurrence, spelling=self._reader.spelling)
        batch = padded([encoded], self._reader.pad_id, runner.device)
        asked = adjoint.Measured(
            runner.embedded(batch)[0],
            tokens.tolist(),
            {layer: torch.tensor(one).to(runner.device) for layer, one in along.items()},
            runner.biases(batch),
        )
        return _OfText(encoded, asked, along, causal=runner.causal)

    def logit_contributions(
        self,
        text: str,
        token: int | str,
        other: int | str | None = None,
        *,
        at: int | None = None,
        more: Numbers = (),
    ) -> Contributions:
        """The exact sum behind the logit of a next token, or behind the difference of two logits.

        The sum goes through the final norm, whose deviation is held as those of the layers are, and
        through a cap on the logits, where there is one: the share of each logit that it lets through is
        held, too. Its `direction` is the row of the matrix that predicts `token`, less that of `other`,
        each times that share; its `word` is the one token at which the model predicts.

        Args:
            text: see `contributions`.
            token: the id of the token, or the token as it is written in a text: " bank".
            other: another one, whose logit is subtracted.
            at: the index of the token at which the next one is predicted; None for the last.
            more: ids of tokens to append to the text, as `generate` returns them.

        Raises:
            SettingError: a string is no single token; there is no such id or index; or the two tokens
                are the same.
            NotSupported: the model does not run in our own transformer, or does not predict the next
                token by a single matrix.
            TooLarge: see `Model.expects`.
        """
        encoded, position, ids = self._asked(text, token, other, at, more)
        return self._logit_sources(encoded, position, ids)[0]

    def why(
        self,
        text: str,
        token: int | str,
        other: int | str | None = None,
        *,
        at: int | None = None,
        more: Numbers = (),
    ) -> LogitParts:
        """Why a next token, or why it rather than another: two exact sums; see `core.LogitParts`.

        Args:
            text: see `logit_contributions`, also for the arguments below.
            token: the token.
            other: another one, whose logit is subtracted.
            at: where it is predicted.
            more: ids of further tokens.

        Raises:
            SettingError, NotSupported, TooLarge: see `logit_contributions`; NotSupported also if the
                model normalises what was added before.
        """
        encoded, position, ids = self._asked(text, token, other, at, more)
        sources, forward, read = self._logit_sources(encoded, position, ids)
        runner = self._own()
        norm = runner.final_norm
        if norm is None:
            raise NotSupported(
                "“{name}” normalises after each part, which rescales all that was added "
                "before: what a head adds has no number of its own.",
                name=self.name,
            )
        along_D = torch.tensor(sources.direction).to(runner.device)
        with torch.inference_mode():
            found = direct.parts(runner.layers, forward, position, along_D, norm)
        names = [self._reader.surface_form(one) for one in ids]
        return LogitParts(
            names[0],
            names[1] if len(names) > 1 else None,
            sources,
            float(found.embedding),
            found.by_head_NHM.cpu().numpy(),
            found.feed_forward_N.cpu().numpy(),
            found.biases_N.cpu().numpy(),
            float(found.final_bias + _difference(read.biases_T)),
            tuple(read.logits_T.tolist()),
        )

    def _asked(
        self,
        text: str,
        token: int | str,
        other: int | str | None,
        at: int | None,
        more: Numbers,
    ) -> tuple[Encoded, int, list[int]]:
        """The text, the token at which is predicted, and the ids of the predicted tokens."""
        self._own()
        if self.predicts != "next":
            raise NotSupported(
                f"“{self.name}” does not predict the next token. Its vectors can be measured along "
                "any direction: use contributions."
            )
        encoded = self._to_continue(text, more)
        n = len(encoded)
        position = n - 1 if at is None else attention_masks.index_below(at, n, "token")
        ids = [self._id(one) for one in (token, other) if one is not None]
        if len({*ids}) < len(ids):
            raise SettingError("The two tokens are the same, and their logits do not differ.")
        return encoded, position, ids

    def _logit_sources(
        self, encoded: Encoded, position: int, ids: Sequence[int]
    ) -> tuple[Contributions, adjoint.Walk, ReadOut]:
        """The sum by source, the forward pass behind it, and what reads the logits out of it."""
        cancellation.ask()
        runner = self._own()
        batch = padded([encoded], self._reader.pad_id, runner.device)
        norm = runner.final_norm
        with torch.inference_mode():
            forward = adjoint.walk(runner.layers, runner.embedded(batch)[0], runner.biases(batch))
            last_1D = forward.output_LD[position][None]
            read = self._read_out(ids, (last_1D if norm is None else norm(last_1D))[0])
            along, bias = _difference(read.rows_TD), _difference(read.biases_T)
            whole, shares = adjoint.behind(runner.layers, forward, [position], along, norm)
            shares = shares._replace(biases_N=shares.biases_N + bias)
        last = self._runner.shape.n_layers - 1
        sum_ = whole + bias, shares
        found = _contributions(
            encoded, (position,), last, along.cpu().numpy(), sum_, causal=runner.causal
        )
        return replace(found, final=norm is not None), forward, read

    def first_token(self, word: str) -> tuple[int, bool]:
        """The token with which a word begins behind other words, and whether it is the whole of it.

        Args:
            word: the word, with or without the space before it.

        Raises:
            SettingError: there is nothing to read.
        """
        if not word:
            raise SettingError("Type a word that may come next.")
        spaced = word if word[:1].isspace() else f" {word}"
        for typed in dict.fromkeys((spaced, word)):
            number = self._reader.one_token(typed)
            if number is not None:
                return number, True
        pieces = self._reader.behind(spaced)
        if not pieces:
            raise SettingError("Type a word that may come next.")
        return pieces[0], False

    def _id(self, token: int | str) -> int:
        """The id of a token that is given by its id, or as it is written."""
        number = self._reader.one_token(token) if isinstance(token, str) else token
        if number is None:
            raise SettingError(
                "“{name}” does not read “{token}” as a single token behind others. Within a "
                "text, most tokens begin with a space; or give the id of the token.",
                name=self.name,
                token=str(token)[:40],
            )
        return attention_masks.index_below(number, self._runner.n_vocabulary, "token")

    def intervene(self, text: str, *changes: Change, masked: Numbers = ()) -> Intervention:
        """Run a text unchanged, and with all the changes at once.

        Args:
            text: see `contributions`.
            changes: `core.Cut`, `core.Ablate`, `core.Mask` and `core.Replace`. Replacements come first;
                the other changes find their words in the resulting text.
            masked: indices of the tokens to mask in both runs, as in `Model.trace`. A model that fills
                in words predicts these, and those at masks in the text.

        Raises:
            WordNotFound: the text does not contain a word of a change.
            SettingError: there is no such token, layer or head.
            NotSupported: a cut or an ablation, if the model does not run in our own transformer; a
                mask, if it has none; a word to mask or to cut that shares a token with another word;
                or a token with nothing left to attend to.
            TooLarge: see `Model.expects`.
        """
        return next(self.interventions(text, [changes], masked=masked))

    def interventions(
        self, text: str, each: Iterable[Sequence[Change]], *, keep: Keep = "all", masked: Numbers = ()
    ) -> Iterator[Intervention]:
        """`intervene` for several sets of changes; the unchanged text runs only once.

        Args:
            text: see `contributions`.
            each: the changes of each run.
            keep: see `Model.trace`.
            masked: see `intervene`.
        """
        encoded = self._whole(text)
        seen = token_edits.masked(encoded, masked, self._reader, self.name)
        fills_masks = self.predicts == "masked"
        at = self._masks_in(seen) if fills_masks else []
        before, expected = self._ran(_Edited(encoded, seen, ()), (), keep, at)
        for changes in each:
            after, pairs = before, [*zip(expected, expected, strict=True)]
            if changes:
                edited = self._changed(encoded, changes, masked)
                moved = [edited.positions[position] for position in at]
                left = [position for position in moved if position is not None]
                after, new = self._ran(edited, changes, keep, left)
                old = (one for one, there in zip(expected, moved, strict=True) if there is not None)
                pairs = [*zip(old, new, strict=True)]
            expectations = tuple(Expected(*pair) for pair in pairs) if fills_masks else None
            yield Intervention(before, after, tuple(changes), expectations)

    def changed(
        self, text: str, each: Iterable[Sequence[Change]], *, keep: Keep = "all"
    ) -> Iterator[Trace]:
        """Only the changed runs (`Intervention.after`), equal to those of `interventions` within 1e-5.

        Runs of equal length share a batch, which is 3 times as fast at 14 tokens.
        """
        encoded = self._whole(text)
        every, at_once = list(each), max(1, TOKENS_AT_ONCE // len(encoded))
        for start in range(0, len(every), at_once):
            some = every[start : start + at_once]
            edits = [self._changed(encoded, changes, ()) for changes in some]
            same = len({len(edited.seen) for edited in edits}) == 1
            for rows in [slice(None)] if same else [slice(i, i + 1) for i in range(len(edits))]:
                run = self._run_changed(edits[rows], some[rows], keep)
                for row, edited in enumerate(edits[rows]):
                    yield record(run, row, edited.seen, keep, self.name, self._reader.spelling)

    def expects_changed(self, text: str, *changes: Change, more: Numbers = ()) -> Expectation:
        """`expects` for the next token, with changes as in `intervene`.

        Without a change it is the run that all changed ones are compared with, on the same engine.

        Args:
            text: the text, see `intervene`.
            changes: as in `intervene`, all at once; indices of tokens count in the changed text.
            more: ids of tokens behind it, as `generate` returns them.

        Raises:
            PolyseeError: see `intervene`, `score` and `expects`.
        """
        encoded, last_BLD = self._last_changed(text, changes, more)
        batch = padded([encoded], self._reader.pad_id, self._runner.device)
        try:
            (logits,) = self._logits(lambda _: last_BLD, batch, [len(encoded) - 1])
        finally:
            self._words.head.release()
        return self._expectation(len(encoded) - 1, logits)

    def score_changed(self, text: str, *changes: Change, top: int = 10) -> Score:
        """`score`, with changes as in `intervene`: how surprised the model is without a head.

        Raises:
            PolyseeError: see `intervene` and `score`.
        """
        check_top(top, 1.0)
        encoded, last_BLD = self._last_changed(text, changes)
        try:
            score, _ = scoring.score(
                encoded,
                last_BLD[0],
                self._of_head,
                self._reader,
                vocabulary=self._runner.n_vocabulary,
                top=top,
                model=self.name,
            )
            return score
        finally:
            self._words.head.release()

    def _last_changed(
        self, text: str, changes: Sequence[Change], more: Numbers = ()
    ) -> tuple[Encoded, Tensor]:
        """A changed text with `more` behind it, and what the head reads of it, (1, L, D)."""
        scoring.refuse(self.predicts, self.no_predictions, self.name)
        encoded = self._to_continue(text, ())
        edited = self._changed(encoded, changes, ())
        read, seen = (
            self._with(token_edits.opened(one), more) for one in (edited.encoded, edited.seen)
        )
        run = self._run_changed([_Edited(read, seen, ())], [changes], "hidden")
        return seen, run.hidden_BLD[-1] if run.final_BLD is None else run.final_BLD

    def _changed(self, encoded: Encoded, changes: Sequence[Change], masked: Numbers) -> _Edited:
        """The encoded text after the replacements, without and with its masks."""
        spelling = self._reader.spelling
        put = [
            (*token_edits.span_of(encoded, one.word, one.occurrence, spelling=spelling), one.by)
            for one in changes
            if isinstance(one, Replace)
        ]
        after = token_edits.replaced(encoded.texts[0], put)
        words = encoded if after == encoded.texts[0] else self._whole(after)
        positions_after = token_edits.moved(encoded, words, put)
        hidden = [c for c in changes if isinstance(c, Mask)]
        masks = [i for c in hidden for i in self._alone(words, c.word, c.occurrence).tolist()]
        masks += [position for i in masked if (position := positions_after[i]) is not None]
        return _Edited(
            words, token_edits.masked(words, masks, self._reader, self.name), positions_after
        )

    def _masks_in(self, seen: Encoded) -> list[int]:
        return [i for i, number in enumerate(seen.ids) if number == self._reader.mask_id]

    def _ran(
        self, edited: _Edited, changes: Sequence[Change], keep: Keep, at: Sequence[int]
    ) -> tuple[Trace, list[Expectation]]:
        """The trace of a changed text, and the predictions at the masks `at`."""
        run = self._run_changed([edited], [changes], keep)
        last_BLD = run.hidden_BLD[-1] if run.final_BLD is None else run.final_BLD
        batch = padded([edited.seen], self._reader.pad_id, self._runner.device)
        logits = self._logits(lambda _: last_BLD, batch, at) if at else ()
        expected = [self._expectation(position, row) for position, row in zip(at, logits, strict=True)]
        return record(run, 0, edited.seen, keep, self.name, self._reader.spelling), expected

    def _run_changed(
        self, edits: Sequence[_Edited], each: Sequence[Sequence[Change]], keep: Keep
    ) -> Run:
        """Run texts of equal length in one batch, each with its own changes."""
        cancellation.ask()
        device, shape = self._runner.device, self._runner.shape
        batch = padded([edited.seen for edited in edits], self._reader.pad_id, device)
        with torch.inference_mode():
            if not any(isinstance(one, Cut | Ablate) for changes in each for one in changes):
                return self._runner.run(batch, keep)
            own = self._own()
            if any(isinstance(one, Cut | Ablate) and one.block for changes in each for one in changes):
                raise SettingError(
                    "“{name}” is no encoder–decoder: a change needs no block.",
                    name=self.name,
                )
            finds = [partial(self._alone, edited.encoded) for edited in edits]
            n = len(edits[0].encoded)
            biases = attention_masks.biases(each, finds, (*shape[:2], n), own.hides(n))
            head_mask_NBH = attention_masks.head_mask(each, *shape[:2])
            return own.run(
                batch,
                keep,
                None if biases is None else [bias.to(device) for bias in biases],
                None if head_mask_NBH is None else head_mask_NBH.to(device),
            )

    def _alone(self, encoded: Encoded, word: str, occurrence: int = 0) -> Array:
        return token_edits.alone(
            encoded, word, occurrence, spelling=self._reader.spelling, name=self.name
        )

    def _own(self) -> Ours:
        if not isinstance(self._runner, Ours):
            raise NotSupported(
                "“{name}” does not run in our own transformer, and Polysee can trace back and "
                "change the steps of no other. {named} models run in it, in the shapes in which most "
                "of them are published.",
                name=self.name,
                named=NAMED,
            )
        return self._runner

    def _whole(self, text: str) -> Encoded:
        """The encoded text. Raises the errors of `Model.trace`."""
        raise NotImplementedError

    def _to_continue(self, text: str, more: Numbers) -> Encoded:
        """The text that a decoder continues. See `Predicting`: it implements this and the next two."""
        raise NotImplementedError

    def _with(self, encoded: Encoded, more: Numbers) -> Encoded:
        raise NotImplementedError

    def _read_out(self, ids: Sequence[int], final_D: Tensor) -> ReadOut:
        raise NotImplementedError

    def _logits(self, run: Callable[[Batch], Tensor], batch: Batch, positions: Sequence[int]) -> Array:
        """See `Predicting`, which implements this and `_expectation`."""
        raise NotImplementedError

    def _of_head(self, vectors_LD: Tensor) -> Array:
        raise NotImplementedError

    def _expectation(self, position: int, logits: Array) -> Expectation:
        raise NotImplementedError


def _difference(of_tokens: Tensor) -> Tensor:
    """The first, or the first less the second."""
    return of_tokens[0] - of_tokens[1] if len(of_tokens) > 1 else of_tokens[0]


@dataclass(frozen=True)
class _OfText:
    """What is measured in one text."""

    encoded: Encoded
    asked: adjoint.Measured
    along: Mapping[int, Array]
    causal: bool

    def found(self, sums: Mapping[int, tuple[Tensor, adjoint.Shares]]) -> tuple[Contributions, ...]:
        """The sums as records."""
        word = tuple(self.asked.word)
        return tuple(
            _contributions(self.encoded, word, layer, self.along[layer], sum_, causal=self.causal)
            for layer, sum_ in sums.items()
        )


def _is_anywhere_the_same(layer: nn.Module) -> bool:
    """Whether a layer does not know where in its input a text stands."""
    if type(layer) is not EncoderLayer or type(layer.attention) is not MultiHeadAttention:
        return False
    return layer.attention.rotation is None


def _alone(
    layers: Sequence[nn.Module], one: adjoint.Measured
) -> dict[int, tuple[Tensor, adjoint.Shares]]:
    return adjoint.contributions_by_layer(layers, one.x_LD, one.word, one.directions, biases=one.biases)


def _contributions(
    encoded: Encoded,
    word: tuple[int, ...],
    layer: int,
    direction: Array,
    found: tuple[Tensor, adjoint.Shares],
    *,
    causal: bool,
) -> Contributions:
    whole, shares = found
    first_is_sink = causal and len(encoded) > 1 and not encoded.special[0]
    return Contributions(
        encoded.tokens,
        word,
        layer,
        direction,
        float(whole),
        shares.by_depth_NL.cpu().numpy(),
        shares.biases_N.cpu().numpy(),
        shares.by_head_NHM.cpu().numpy(),
        shares.by_head_direct_NHM.cpu().numpy(),
        sink=first_is_sink and 0 not in word,
    )
