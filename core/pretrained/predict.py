"""Predictions at a mask or of the next token, and texts generated token by token."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from ..errors import ModelBroken, NotSupported, TooLarge
from ..language import Sampling, choose
from ..records.chat import Chat
from ..records.frozen import Array
from ..records.generated import Generated
from ..records.next_token import NextToken
from ..records.prediction import Expectation, Prediction, PredictionKind, check_top, likeliest
from ..records.score import Score
from . import generation, scoring, token_edits
from .can_predict import Words
from .engines import passes
from .engines.batches import most, padded, refuse_empty
from .engines.engine import Batch, Engine
from .engines.scratch import ScratchDecoder
from .language_head import GivenLogits, LanguageHead
from .prefixes import Prefixes, TextRead, read_behind
from .tokenizer.reader import Encoded, Numbers, TextReader


def _cannot() -> None:
    """A model that keeps nothing."""
    return


class Open(NamedTuple):
    """A text that a decoder continues.

    Attributes:
        encoded: its tokens.
        run: runs all tokens so far, (1, L) to (1, L, D).
        follow: begins a run of its own, which takes only the tokens that it has not read yet and keeps
            keys and values of the others; returns None where the model cannot.
    """

    encoded: Encoded
    run: Callable[[Batch], Tensor]
    follow: Callable[[], Callable[[Batch], Tensor] | None] = _cannot


class ReadOut(NamedTuple):
    """How a head reads logits out of a vector: rows · vector + biases are the logits.

    Where the model caps its logits, c · tanh(z / c), a logit is no sum. Rows and biases are then those
    of z, times the share of z that the cap lets through at this very vector, which is held as the
    deviation of a norm is.
    """

    rows_TD: Tensor
    biases_T: Tensor
    logits_T: Tensor


class Predicting:
    """The part of a model that predicts."""

    name: str
    max_tokens: int
    _runner: Engine
    _reader: TextReader
    _trace_bytes: int
    _words: Words

    @property
    def predicts(self) -> PredictionKind | None:
        """The token that it predicts: the one at a mask (`masked`), the next one (`next`), or None."""
        return self._words.predicts

    @property
    def max_read(self) -> int:
        """The tokens of a text that `next_token` and `score` can read, special ones included.

        These are all that the model accepts; fewer where more would take more memory than
        `POLYSEE_TRACE_MB`.
        """
        limit = self._trace_bytes // 4
        return max(1, most(lambda n: self._read_numbers(n, 1), limit, self.max_tokens))

    @property
    def ends(self) -> frozenset[int]:
        """The tokens with which it ends what it writes; none for a model that does not write."""
        return self._rules.ends if self.predicts == "next" else frozenset()

    @property
    def no_predictions(self) -> str:
        """The reason why it predicts nothing, as a sentence; "" if it predicts."""
        return self._words.none

    def expects(
        self,
        text: str | Chat,
        second: str | None = None,
        *,
        masked: Numbers = (),
        more: Numbers = (),
    ) -> tuple[Expectation, ...]:
        """Run the model once, and return the logits at each mask, or those of the next token.

        Args:
            text: the text, or a conversation, as `Model.chat` returns it. For a masked model, the text
                contains the model's mask token ("[MASK]", "<mask>") at each word to predict. It is
                truncated if it is too long, as in `Model.trace`.
            second: the second text of a pair, for an encoder; for an encoder–decoder, the target so
                far, which may be empty.
            masked: indices of further tokens to mask, as in `Model.trace`.
            more: ids of tokens to append to the text (or to the target), as `generate` returns them.

        Returns:
            For a masked model, one expectation for each mask, from left to right; otherwise one, for
            the next token.

        Raises:
            NotSupported: the model predicts no words (`no_predictions`); there is no mask, or one lies
                in the truncated part; `more` for a masked model; or a text without any token.
            SettingError: there is no such index or id.
            TooLarge: the result would exceed `POLYSEE_TRACE_MB`; or `more` does not fit the model.
            ModelBroken: the tensors of the head are damaged, or its logits are not finite.
        """
        if self.predicts is None:
            raise NotSupported(self.no_predictions)
        run: Callable[[Batch], Tensor]
        if self.predicts == "masked":
            encoded = self._encoded(text, second, masked, more)
            positions = self._masks(encoded)
            run = self._runner.last
        else:
            opened = self._open(text, second, masked)
            encoded, run = self._with(opened.encoded, more), opened.run
            positions = [len(encoded) - 1]
        refuse_empty(encoded, self.name)
        try:
            logits = self._logits(
                run, padded([encoded], self._reader.pad_id, self._runner.device), positions
            )
        finally:
            self._words.head.release()
        return tuple(
            self._expectation(position, row) for position, row in zip(positions, logits, strict=True)
        )

    def predict(
        self,
        text: str | Chat,
        second: str | None = None,
        *,
        masked: Numbers = (),
        more: Numbers = (),
        top_k: int = 10,
        temperature: float = 1.0,
    ) -> tuple[Prediction, ...]:
        """The `top_k` likeliest tokens of each expectation of `expects`, at a temperature."""
        check_top(top_k, temperature)
        expected = self.expects(text, second, masked=masked, more=more)
        return tuple(one.top(top_k, temperature) for one in expected)

    def score(self, text: str | Chat, *, more: Numbers = (), top: int = 10) -> Score:
        """How surprised the model is by each token of a text, in bits; see `core.Score`.

        Args:
            text: the text. It is truncated if it is too long, as in `Model.trace`.
            more: ids of tokens that follow the text, as in `expects`.
            top: how many likeliest tokens to name at each position, from 1 to
                `settings.MOST_PREDICTIONS`.

        Raises:
            NotSupported: the model does not predict the next token, or is an encoder–decoder; or the
                text has no token.
            SettingError: `top` is out of range.
            TooLarge, ModelBroken: see `expects`.
        """
        check_top(top, 1.0)
        return self._scored(text, more, top)[1]

    def next_token(self, text: str | Chat, *, more: Numbers = (), top: int = 10) -> NextToken:
        """What comes next, and the surprise at each token before it: `expects` and `score` in one run.

        Its logits are those from which `generate` draws: tokens that the model's settings forbid are
        marked.

        Args:
            text: see `score`.
            more: see `score`.
            top: see `score`.

        Raises:
            NotSupported, SettingError, TooLarge, ModelBroken: see `score`.
        """
        check_top(top, 1.0)
        encoded, score, logits = self._scored(text, more, top)
        return self._next(score, self._expectation(len(encoded) - 1, logits), encoded.ids, len(more))

    def next_token_after(
        self,
        before: NextToken,
        text: str,
        written: Sequence[Generated],
        then: Expectation,
        *,
        more: Numbers = (),
    ) -> NextToken:
        """`next_token` behind what `generate` has written, out of the logits that it returned: no run.

        Args:
            before: `next_token(text, more=more)`.
            text: see `before`.
            written: what `generate(text, more=more)` wrote.
            then: what the model expects behind it: the expectation of the token that `generate` would
                have written next.
            more: see `before`.

        Raises:
            SettingError, TooLarge: see `expects`.
            ValueError: `before` has no score, or `then` belongs to another place.
        """
        every = (*more, *(one.id for one in written))
        encoded = self._with(self._open(text, None, ()).encoded, every)
        if before.score is None or then.position != len(encoded) - 1:
            raise ValueError("These are not the numbers of this text.")
        rows = np.stack([one.expectation.logits for one in written]) if written else None
        score = (
            before.score
            if rows is None
            else scoring.followed(before.score, encoded, rows, self._reader)
        )
        return self._next(score, then, encoded.ids, len(every))

    def _scored(self, text: str | Chat, more: Numbers, top: int) -> tuple[Encoded, Score, Array]:
        """A text that is continued, its surprise, and (V,), the logits behind it."""
        scoring.refuse(self.predicts, self.no_predictions, self.name)
        opened = self._open(text, None, ())
        encoded, runner = self._with(opened.encoded, more), self._runner
        refuse_empty(encoded, self.name)
        self._refuse_reading(len(encoded), 1)
        try:
            if isinstance(runner, ScratchDecoder) and runner.keeps:
                return encoded, *self._scored_behind(runner, encoded, top)
            with torch.inference_mode():
                vectors_LD = opened.run(padded([encoded], self._reader.pad_id, runner.device))[0]
            return encoded, *self._score(encoded, vectors_LD, top)
        finally:
            self._words.head.release()

    def _scored_behind(self, runner: ScratchDecoder, encoded: Encoded, top: int) -> tuple[Score, Array]:
        """`_score`, where the beginning of a text may have been read before."""
        known = self._prefixes.longest(encoded.ids)
        if known is None:
            with torch.inference_mode():
                (vectors_LD,), past = runner.read(torch.tensor([encoded.ids], device=runner.device))
            score, logits = self._score(encoded, vectors_LD, top)
        else:
            before, tokens = known
            k = min(top, runner.n_vocabulary)
            # The head belongs to the turn: with it, a class that types keeps one processor busy.
            with passes.turn(True), torch.inference_mode():
                vectors_LD, past = read_behind(runner, encoded.ids, before, tokens)
                if before.score.probabilities.shape[1] == k:
                    last_LD = vectors_LD[tokens - 1 :]
                    score, logits = self._score(encoded, last_LD, top, before.score)
                else:
                    score, logits = self._score(encoded, vectors_LD, top)
        self._prefixes.keep(tuple(encoded.ids), TextRead(past, vectors_LD, score))
        return score, logits

    def _score(
        self, encoded: Encoded, vectors_LD: Tensor, top: int, before: Score | None = None
    ) -> tuple[Score, Array]:
        return scoring.score(
            encoded,
            vectors_LD,
            self._of_head,
            self._reader,
            vocabulary=self._runner.n_vocabulary,
            top=top,
            model=self.name,
            before=before,
        )

    def _next(
        self, score: Score, expectation: Expectation, reads: Sequence[int], new: int
    ) -> NextToken:
        """The record, with what the model's settings forbid. `reads`, `new`: see `Rules.allowed`."""
        allowed = self._rules.allowed(expectation.logits, reads, new)
        forbidden = np.flatnonzero(np.isneginf(allowed))
        if not len(forbidden):
            names = expectation.ids, expectation.tokens, expectation.texts
            return NextToken(score, expectation, forbidden, *names)
        ids = tuple(n for n in likeliest(allowed) if np.isfinite(allowed[n]))
        tokens = tuple(self._reader.name(n) for n in ids)
        texts = tuple(self._reader.surface_form(n) for n in ids)
        return NextToken(score, expectation, forbidden, ids, tokens, texts)

    def generate(
        self,
        text: str | Chat,
        n: int = 1,
        *,
        second: str | None = None,
        more: Numbers = (),
        temperature: float = 1.0,
        top_k: int | None = None,
        top_p: float | None = None,
        min_p: float | None = None,
        seed: int = 0,
        stop: str | Sequence[str] = (),
        cache: bool = True,
    ) -> Iterator[Generated]:
        """Write tokens one by one; each comes as soon as it is written.

        Writing ends after the model's end token, after a stop text, and when the model's length is
        reached; `trace(text, second, more=(*more, *(one.id for one in written)))` therefore always
        works. At temperature 0, the ids equal those of `transformers` with `generate(do_sample=False,
        num_beams=1)`. `core.pretrained.generation` lists the settings of a model that are followed.
        Keys and values of earlier tokens are kept, where the model gives the same numbers with them.

        Args:
            text: see `expects`.
            n: the largest number of tokens.
            second: see `expects`.
            more: see `expects`.
            temperature: 0 takes the likeliest token each time; see `core.language.Sampling`.
            top_k: see `core.language.Sampling`.
            top_p: see `core.language.Sampling`.
            min_p: see `core.language.Sampling`.
            seed: equal seeds give equal samples, in one call or in several that continue with `more`.
            stop: a text, or several, after which to end: as soon as one is in what was written.
            cache: False reads the whole text anew for each token, as a model without a cache would; the
                tokens are the same.

        Raises:
            NotSupported: the model does not predict the next token.
            SettingError, TooLarge, ModelBroken: see `expects`.
        """
        way = Sampling(temperature, top_k, top_p, min_p)
        stops = generation.check(n, seed, stop)
        if self.predicts != "next":
            raise NotSupported(
                self.no_predictions
                or f"“{self.name}” predicts masked words, not words that would follow."
            )
        opened = self._open(text, second, ())
        encoded = self._with(opened.encoded, more)
        refuse_empty(encoded, self.name)
        opened = opened if cache else opened._replace(follow=_cannot)
        return self._released(self._written(encoded, opened, n, len(more), way, seed, stops))

    def _released(self, written: Iterator[Generated]) -> Iterator[Generated]:
        """The same; at its end, or when nobody asks for more, the matrix of the head is given back."""
        try:
            yield from written
        finally:
            self._words.head.release()

    def _written(
        self,
        encoded: Encoded,
        opened: Open,
        n: int,
        before: int,
        way: Sampling,
        seed: int,
        stops: tuple[str, ...],
    ) -> Iterator[Generated]:
        """`generate`, checked. `before`: how many of the tokens, at the end, were generated."""
        ids, unread, new, said = list(encoded.ids), list(encoded.ids), before, ""
        following = opened.follow()
        for _ in range(n):
            if len(ids) >= self.max_tokens or (new and ids[-1] in self._rules.ends):
                return
            if following is None:
                run, unread = opened.run, ids
            else:
                run = following
            (logits,) = self._logits(
                run,
                batch_of(unread, self._runner.device),
                [len(unread) - 1],
            )
            allowed = self._rules.allowed(logits, ids, new)
            drawn = choose(allowed, way, seed, len(ids))
            ids.append(drawn.id)
            unread, new = ids[-1:], new + 1
            written = self._behind(ids, len(encoded))
            stopped = any(one in written for one in stops)
            # Half a character is shown as a sign of replacement: it waits for its other half.
            added = "" if written.endswith("\ufffd") else written[len(said) :]
            said += added
            yield Generated(
                drawn.id,
                self._reader.name(drawn.id),
                self._reader.surface_form(drawn.id),
                added,
                drawn.rank,
                drawn.probability,
                drawn.number,
                self._expectation(len(ids) - 2, logits),
                end=stopped or drawn.id in self._rules.ends,
            )
            if stopped:
                return

    def _to_continue(self, text: str | Chat, more: Numbers) -> Encoded:
        """The text that a decoder continues, with more tokens. Raises the errors of `expects`."""
        encoded = self._with(self._open(text, None, ()).encoded, more)
        refuse_empty(encoded, self.name)
        return encoded

    def _rows(self, ids: Sequence[int]) -> tuple[Tensor, Tensor, Callable[[Tensor], Tensor]]:
        """(T, D) and (T,): the rows and biases of the head for these tokens; and what caps the logits.

        Raises NotSupported if the head is more than these.
        """
        head = self._words.head
        linear = head.linear() if isinstance(head, LanguageHead) else None
        if linear is None or not isinstance(head, LanguageHead):
            raise NotSupported(
                "“{name}” predicts tokens by more than one matrix, and the sum behind a logit "
                "would not be exact.",
                name=self.name,
            )
        matrix_VD, bias_V = linear
        rows_TD = matrix_VD[list(ids)].float() * head.scale
        return (
            rows_TD,
            rows_TD.new_zeros(len(rows_TD)) if bias_V is None else bias_V[list(ids)],
            head.capped,
        )

    def _logits_of(self, ids: Sequence[int]) -> Callable[[Tensor], Tensor]:
        """Gives the logits of these tokens alone, (B, D) to (B, T). Raises as `_rows`."""
        rows_TD, biases_T, capped = self._rows(ids)
        return lambda vectors_BD: capped(vectors_BD @ rows_TD.T + biases_T)

    def _read_out(self, ids: Sequence[int], final_D: Tensor) -> ReadOut:
        """How the head reads these tokens out of a vector. Raises NotSupported: see `_rows`."""
        rows_TD, biases_T, capped = self._rows(ids)
        plain_T = rows_TD @ final_D + biases_T
        logits_T = capped(plain_T)
        through_T = torch.where(plain_T == 0, 1.0, logits_T / plain_T)
        return ReadOut(rows_TD * through_T[:, None], biases_T * through_T, logits_T)

    def _behind(self, ids: Sequence[int], start: int) -> str:
        """The text of the tokens from `start` on, with the space that stands before it."""
        before = ids[max(0, start - 1) : start]
        return self._reader.decode([*before, *ids[start:]])[len(self._reader.decode(before)) :]

    def _encoded(self, text: str | Chat, second: str | None, masked: Numbers, more: Numbers) -> Encoded:
        """One text, or a pair, as the model reads it: masked, or with more tokens appended."""
        raise NotImplementedError

    def _open(self, text: str | Chat, second: str | None, masked: Numbers) -> Open:
        """The text that a decoder continues."""
        raise NotImplementedError

    def _with(self, encoded: Encoded, more: Numbers) -> Encoded:
        """`read` with more tokens appended. Raises the errors of `token_edits.continued`."""
        return token_edits.continued(
            encoded,
            more,
            self._reader,
            vocabulary=self._runner.n_vocabulary,
            most=self.max_tokens,
            name=self.name,
        )

    @cached_property
    def _prefixes(self) -> Prefixes:
        return Prefixes()

    @cached_property
    def _rules(self) -> generation.Rules:
        return generation.rules(self._words.settings(), self._runner.n_vocabulary)

    def _masks(self, encoded: Encoded) -> list[int]:
        """The positions of the masks. NotSupported: if there are none, or one did not fit the model."""
        mask = token_edits.mask_name(self._reader, self.name)
        for text, cut in zip(encoded.texts, encoded.left_out_by_text, strict=True):
            if cut and mask in text[cut[0] : cut[1]]:
                raise NotSupported(
                    "There is a mask in the part of the text that does not fit “{name}”, which "
                    "accepts {max_tokens} tokens. Shorten the text.",
                    name=self.name,
                    max_tokens=self.max_tokens,
                )
        positions = [i for i, number in enumerate(encoded.ids) if number == self._reader.mask_id]
        if not positions:
            raise NotSupported(
                "The text has no mask. Write {mask} where the model should fill in a word, or "
                "choose a token to mask.",
                mask=mask,
            )
        return positions

    def _refuse_reading(self, tokens: int, positions: int) -> None:
        """Raise TooLarge before a run that could exhaust the machine's memory."""
        count = self._read_numbers(tokens, positions)
        if 4 * count > self._trace_bytes:
            raise TooLarge(
                "Reading these {tokens} tokens would take {count:.0f} MB, and the limit is "
                "{trace_bytes:.0f} MB (POLYSEE_TRACE_MB). Shorten the text.",
                tokens=tokens,
                count=4 * count / 1000000.0,
                trace_bytes=self._trace_bytes / 1000000.0,
            )

    def _read_numbers(self, tokens: int, positions: int) -> int:
        """The float32 numbers of a run that needs logits at so many positions, at most."""
        shape = self._runner.shape
        # The vectors of all layers, the scores of one layer, and the vocabulary at each position.
        count = shape.n_layers * tokens * shape.d_model + shape.n_heads * tokens * tokens
        return count + positions * self._runner.n_vocabulary

    def _logits(
        self,
        run: Callable[[Batch], Tensor],
        batch: Batch,
        positions: Sequence[int],
    ) -> Array:
        """(positions, V) float32, computed only at these positions, because a vocabulary is large."""
        everywhere = isinstance(self._words.head, GivenLogits)
        length = batch.ids_BL.shape[1]
        self._refuse_reading(length, length if everywhere else len(positions))
        with torch.inference_mode():
            vectors_LD = run(batch)[0, list(positions)]
        return self._of_head(vectors_LD)

    def _of_head(self, vectors_LD: Tensor) -> Array:
        """(n, V) float32: the logits of n vectors."""
        with torch.inference_mode():
            logits: Array = self._words.head.logits(vectors_LD).float().cpu().numpy()
        if not np.isfinite(logits).all():
            raise ModelBroken(
                "“{name}” gives numbers here that are infinite or not a number. Choose another "
                "copy of the model.",
                name=self.name,
            )
        return logits

    def _expectation(self, position: int, logits: Array) -> Expectation:
        ids = likeliest(logits)
        reader, kind = self._reader, self.predicts
        assert kind is not None
        return Expectation(
            position,
            kind,
            logits,
            ids,
            tuple(reader.name(n) for n in ids),
            tuple(reader.surface_form(n) for n in ids),
        )


def batch_of(ids: Sequence[int], device: str) -> Batch:
    """One whole text as a batch."""
    ids_BL = torch.tensor([ids], device=device)
    return Batch(ids_BL, torch.zeros_like(ids_BL), None)
