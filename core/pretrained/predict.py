"""Predictions at a mask or of the next token, and texts generated token by token."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from ..errors import ModelBroken, NotSupported, TooLarge
from ..records.frozen import Array
from ..records.prediction import Expectation, Prediction, PredictionKind, check_top, likeliest
from . import generation, token_edits
from .engines.batches import padded, refuse_empty
from .engines.engine import Batch, Engine
from .lm_support import Words
from .tokenizer.reader import Encoded, Numbers, TextReader


class Open(NamedTuple):
    """A text that a decoder goes on from, and how it reads that and more: (1, L) to (1, L, D)."""

    encoded: Encoded
    run: Callable[[Batch], Tensor]


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
        """The token that it predicts: behind a mask (`masked`), the next one (`next`), or none."""
        return self._words.predicts

    @property
    def no_predictions(self) -> str:
        """Why it predicts nothing, in a sentence; "" where it does."""
        return self._words.none

    def expects(
        self,
        text: str,
        second: str | None = None,
        *,
        masked: Numbers = (),
        more: Numbers = (),
    ) -> tuple[Expectation, ...]:
        """Run the model once, for the logits at each mask or of the next token.

        Args:
            text: the text; for a masked model, with its mask token in it ("[MASK]", "<mask>") where a
                word is wanted. What does not fit the model is cut off, as in `Model.trace`.
            second: the second text of a pair, for an encoder. An encoder–decoder goes on from this
                target, which may be empty: then nothing is written yet.
            masked: indices of tokens to mask beside these, as `Model.trace` numbers them.
            more: ids of tokens that follow the text (the target), as they are: what `generate` gave.

        Returns:
            Of a masked model, one for each mask, from left to right; else one, for the next token.

        Raises:
            NotSupported: the model predicts no words (`no_predictions`); there is no mask, or one is in
                the part that was cut off; `more` to a masked model; a text without any token.
            SettingError: an index or an id that there is not.
            TooLarge: it would take more than `POLYSEE_TRACE_MB`; or `more` does not fit the model.
            ModelBroken: the head's tensors are damaged, or give no numbers.
        """
        if self.predicts is None:
            raise NotSupported(self.no_predictions)
        run: Callable[[Batch], Tensor]
        if self.predicts == "masked":
            encoded = self._encoded(text, second, masked, more)
            positions = self._masks(encoded)
            run = self._runner.last
        else:
            begun, run = self._open(text, second, masked)
            encoded = self._with(begun, more)
            positions = [len(encoded) - 1]
        refuse_empty(encoded, self.name)
        logits = self._logits(
            run, padded([encoded], self._reader.pad_id, self._runner.device), positions
        )
        return tuple(
            self._expectation(position, row) for position, row in zip(positions, logits, strict=True)
        )

    def predict(
        self,
        text: str,
        second: str | None = None,
        *,
        masked: Numbers = (),
        more: Numbers = (),
        top_k: int = 10,
        temperature: float = 1.0,
    ) -> tuple[Prediction, ...]:
        """`expects`, and of each the `top_k` likeliest tokens at a temperature (`Expectation.top`)."""
        check_top(top_k, temperature)
        expected = self.expects(text, second, masked=masked, more=more)
        return tuple(one.top(top_k, temperature) for one in expected)

    def generate(
        self,
        text: str,
        second: str | None = None,
        *,
        more: Numbers = (),
        steps: int = 1,
        temperature: float = 1.0,
        top_k: int | None = None,
        seed: int = 0,
    ) -> tuple[int, ...]:
        """The ids of the tokens that the model writes next, one by one.

        It ends early behind the model's end token, which is then the last of them, and where the model
        is full: `trace(text, second, more=(*more, *generated))` always works. Greedy, it is what
        `transformers` gives with `generate(do_sample=False, num_beams=1)`; which of the model's own
        settings it follows stands in `core.pretrained.generation`.

        Args:
            text: see `expects`.
            second: see `expects`.
            more: see `expects`.
            steps: how many tokens at most.
            temperature: 0 takes the likeliest each time; above, it is drawn by its probability.
            top_k: draw among so many of the likeliest; None: among all.
            seed: the same seed draws the same, in one call or in several that go on with `more`.

        Raises:
            NotSupported: the model predicts no next word.
            SettingError, TooLarge, ModelBroken: as `expects`.
        """
        generation.check(steps, temperature, top_k, seed)
        if self.predicts != "next":
            raise NotSupported(
                self.no_predictions
                or f"“{self.name}” predicts masked words, not words that would follow."
            )
        begun, run = self._open(text, second, ())
        encoded = self._with(begun, more)
        refuse_empty(encoded, self.name)
        ids, new = list(encoded.ids), len(more)
        for _ in range(steps):
            if len(ids) >= self.max_tokens or (new and ids[-1] in self._rules.ends):
                break
            (logits,) = self._logits(run, _batch(ids, self._runner.device), [len(ids) - 1])
            allowed = self._rules.allowed(logits, ids, new)
            ids.append(generation.choose(allowed, temperature, top_k, seed, len(ids)))
            new += 1
        return tuple(ids[len(encoded) :])

    def _encoded(self, text: str, second: str | None, masked: Numbers, more: Numbers) -> Encoded:
        """One text, or a pair, as the model reads it: masked, or with more behind it."""
        raise NotImplementedError

    def _open(self, text: str, second: str | None, masked: Numbers) -> Open:
        """The text that a decoder continues."""
        raise NotImplementedError

    def _with(self, encoded: Encoded, more: Numbers) -> Encoded:
        """`read` with more behind it. Raises as `edits.continued`."""
        return token_edits.continued(
            encoded,
            more,
            self._reader,
            vocabulary=self._runner.n_vocabulary,
            most=self.max_tokens,
            name=self.name,
        )

    @cached_property
    def _rules(self) -> generation.Rules:
        return generation.rules(self._words.settings(), self._runner.n_vocabulary)

    def _masks(self, encoded: Encoded) -> list[int]:
        """Where the masks are. NotSupported: there are none, or one did not fit the model."""
        mask = token_edits.mask_name(self._reader, self.name)
        for text, cut in zip(encoded.texts, encoded.left_out_by_text, strict=True):
            if cut and mask in text[cut[0] : cut[1]]:
                raise NotSupported(
                    "There is a mask in the part of the text that does not fit "
                    f"“{self.name}”, which accepts {self.max_tokens} tokens. Shorten the "
                    "text."
                )
        positions = [i for i, number in enumerate(encoded.ids) if number == self._reader.mask_id]
        if not positions:
            raise NotSupported(
                f"The text has no mask. Write {mask} where the model should fill in a word, "
                "or choose a token to mask."
            )
        return positions

    def _refuse_reading(self, tokens: int, positions: int) -> None:
        """Raise TooLarge before a run that could take the machine's memory."""
        shape = self._runner.shape
        # All layers' vectors at most, one layer's scores at a time, the vocabulary at each position.
        count = shape.n_layers * tokens * shape.d_model + shape.n_heads * tokens * tokens
        count += positions * self._runner.n_vocabulary
        if 4 * count > self._trace_bytes:
            raise TooLarge(
                f"Reading these {tokens} tokens would take {4 * count / 1e6:.0f} MB, and "
                f"the limit is {self._trace_bytes / 1e6:.0f} MB (POLYSEE_TRACE_MB). Shorten "
                "the text."
            )

    def _logits(self, run: Callable[[Batch], Tensor], batch: Batch, positions: Sequence[int]) -> Array:
        """(positions, V) float32. The head computes these positions alone: a vocabulary is wide."""
        self._refuse_reading(batch.ids_BL.shape[1], len(positions))
        with torch.inference_mode():
            logits_LV = self._words.head.logits(run(batch)[0, list(positions)])
            logits: Array = logits_LV.float().cpu().numpy()
        if not np.isfinite(logits).all():
            raise ModelBroken(
                f"“{self.name}” gives numbers here that are infinite or not a number. "
                "Choose another copy of the model."
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


def _batch(ids: Sequence[int], device: str) -> Batch:
    """One text, whole."""
    ids_BL = torch.tensor([ids], device=device)
    return Batch(ids_BL, torch.zeros_like(ids_BL), None)
