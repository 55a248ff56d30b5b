"""The states of an encoder–decoder: what its decoder's read as, and two sources patched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import torch

from ..attribution import paired_patching
from ..attribution.paired_patching import PairRun
from ..errors import NotSupported, SettingError
from ..records.indices import index
from ..records.lens import LensGrid
from ..records.patching import Half, Patching
from ..records.prediction import Expectation
from ..transformer import Transformer
from . import cancellation
from .engines.batches import refuse_large
from .engines.engine import Batch, Shape
from .engines.scratch_pair import ScratchPair
from .language_head import LanguageHead
from .lens import TOP, States, checked_top
from .model import Model
from .patching import Answer, differing, unequal
from .tokenizer.reader import Encoded, Numbers

HALVES = ("encoder", "decoder", "cross")


class _Sources(NamedTuple):
    """The runs of both sources, with the target that both have read."""

    net: Transformer
    encoded: tuple[Encoded, Encoded]
    target: Encoded
    a: PairRun
    b: PairRun


class PairStates(Model):
    """The part of an encoder–decoder that reads and exchanges its states."""

    @property
    def decoder_shape(self) -> Shape:
        """See `Seq2SeqModel`, which implements this and all below."""
        raise NotImplementedError

    def pair_lens(
        self,
        text: str,
        target: str,
        *,
        word: str | int | None = None,
        more: Numbers = (),
        positions: Sequence[int] | None = None,
        top: int = TOP,
    ) -> LensGrid:
        """What the decoder's state of each token after each layer reads as: see `lens`.

        Each state goes through the decoder's final norm, where it has one, and through the head, as the
        last state does. The last row is the model's own prediction.

        Args:
            text: the source.
            target: what the decoder has read, without its end token.
            word: see `lens`.
            more: ids of tokens behind the target, as `generate` returns them.
            positions: tokens of the target, the start token counted, from 0; None for all.
            top: see `lens`.

        Raises:
            NotSupported: the model predicts no words, or does not run in our own transformer.
            SettingError, OutOfRange: see `lens`.
            TooLarge: see `trace`.
        """
        k, runner = self._predicting(top), self._own_pair()
        pair = self._read_pair(text, target, more)
        read, norm = pair[1], runner.net.decoder.norm
        at = sorted({index(one, len(read), "position") for one in positions or range(len(read))})
        try:
            with torch.inference_mode():
                run = runner.run_pair(*self._batches(pair), "hidden").decoder
                states_NLD = torch.cat([run.embedded_BLD, *run.hidden_BLD])
                last_BLD = run.hidden_BLD[-1] if run.final_BLD is None else run.final_BLD
                normed_NLD = states_NLD if norm is None else norm(states_NLD)
                return self._grid(read, States(normed_NLD, last_BLD[0]), at, k, word, None)
        finally:
            self._words.head.release()

    def patch_pair(
        self,
        a: str,
        b: str,
        target: str = "",
        *,
        block: Half = "encoder",
        answers: tuple[Answer, Answer] = (None, None),
        at: int | None = -1,
        more: Numbers = (),
        begun: Patching | None = None,
        on_part: Callable[[Patching], object] | None = None,
    ) -> Patching:
        """Put what the model has computed for source A into its run of source B: see `patch`.

        In both runs, the decoder has read the same target. What comes back is measured on its next
        token.

        Args:
            a: the source from which states are taken.
            b: the source into whose run they are put.
            target: what the decoder has read, without its end token.
            block: "encoder" for a state of the encoder, after each layer at each token of the source;
                "decoder" for a state of the decoder, after each layer at each token of the target;
                "cross" for the output of each head of the cross-attention.
            answers: see `patch`; each is a token of the target's language.
            at: for heads, the token of the target at which the output is exchanged, −1 for the last;
                None for all at once.
            more: ids of tokens behind the target.
            begun: see `patch`.
            on_part: see `patch`.

        Raises:
            NotSupported: the model predicts no words, or does not run in our own transformer; the
                sources are the same, or too long; for the encoder, they do not have equally many
                tokens; or the answers are the same, or differ as much after B as after A.
            SettingError: an answer is no single token, or there is no such block.
            OutOfRange: there is no such token.
            TooLarge: see `trace`.
        """
        if block not in HALVES:
            raise SettingError(f"The block is “{block}”; it must be “encoder”, “decoder” or “cross”.")
        self._predicting(TOP)
        try:
            with torch.inference_mode():
                both = self._sources(a, b, target, more, block)
                n = len(both.target)
                token = None if block != "cross" or at is None else index(at, n, "token")
                start = self._begin_pair(both, answers, block, token)
                if begun is not None and _same(begun, start):
                    start = begun
                return self._patched_pair(both, start, on_part)
        finally:
            self._words.head.release()

    def patched_pair(
        self,
        a: str,
        b: str,
        target: str,
        depth: int,
        position: int,
        *,
        block: Half = "encoder",
        more: Numbers = (),
    ) -> Expectation:
        """What the decoder expects behind source B, with one state of the run of source A.

        Args:
            a: see `patch_pair`.
            b: see `patch_pair`.
            target: see `patch_pair`.
            depth: 0 for the input of the first layer, i for what layer i returns.
            position: the token, of the source or of the target.
            block: "encoder" or "decoder".
            more: see `patch_pair`.

        Raises:
            PolyseeError: see `patch_pair`.
            OutOfRange: there is no such depth or token.
        """
        if block not in HALVES[:2]:
            raise SettingError(f"The block is “{block}”; it must be “encoder” or “decoder”.")
        self._predicting(TOP)
        try:
            with torch.inference_mode():
                both = self._sources(a, b, target, more, block)
                of_encoder = block == "encoder"
                shape = self._runner.shape if of_encoder else self.decoder_shape
                tokens = both.encoded[1] if of_encoder else both.target
                depth = index(depth, shape.n_layers + 1, "depth", from_end=False)
                position = index(position, len(tokens), "token")
                run = paired_patching.of_encoder if of_encoder else paired_patching.of_decoder
                rows_ND = run(both.net, both.a, both.b, position, cancellation.ask)
            return self._expectation(len(both.target) - 1, self._of_head(rows_ND[depth][None])[0])
        finally:
            self._words.head.release()

    def _patched_pair(
        self, both: _Sources, found: Patching, on_part: Callable[[Patching], object] | None
    ) -> Patching:
        """Fill in what is missing, a column or a layer at a time."""
        lead = self._lead(found.ids)
        words, differences = found.words.copy(), found.differences.copy()

        def done() -> Patching:
            nonlocal found
            found = replace(found, words=words.copy(), differences=differences.copy())
            if on_part is not None:
                on_part(found)
            return found

        net, a, b = both.net, both.a, both.b
        if found.block == "cross":
            at = range(len(both.target)) if found.at is None else [found.at]
            for layer in range(len(differences) - 1, -1, -1):
                if np.isnan(differences[layer]).any():
                    rows_HD = paired_patching.of_cross_heads(net, a, b, layer, at, cancellation.ask)
                    differences[layer] = lead(rows_HD).cpu().numpy()
                    done()
            return done()
        of_encoder = found.block == "encoder"
        run = paired_patching.of_encoder if of_encoder else paired_patching.of_decoder
        for i in range(differences.shape[1] - 1, -1, -1):
            if np.isnan(differences[:, i]).any():
                differences[:, i] = lead(run(net, a, b, i, cancellation.ask)).cpu().numpy()
                words[i] = differences[0, i]
                done()
        return done()

    def _begin_pair(
        self, both: _Sources, answers: tuple[Answer, Answer], block: Half, at: int | None
    ) -> Patching:
        """Everything but the patched runs."""
        ends = [run.decoder.final_BLD[:, -1] for run in (both.a, both.b)]
        likeliest = [int(self._of_head(end)[0].argmax()) for end in ends]
        ids = [
            own if answer is None else self._answer(answer)
            for own, answer in zip(likeliest, answers, strict=True)
        ]
        names = [self._reader.surface_form(one) for one in ids]
        lead = self._lead(ids)
        of_a, of_b = (float(lead(end)[0]) for end in ends)
        differing(names, ids, of_a, of_b, "sources")
        of_encoder, cross = block == "encoder", block == "cross"
        x, y = both.encoded if of_encoder else (both.target, both.target)
        shape = self._runner.shape if of_encoder else self.decoder_shape
        words = np.full(len(x), np.nan if of_encoder else of_b, np.float32)
        size = (shape.n_layers, both.net.config.cross_heads) if cross else (shape.n_layers + 1, len(x))
        return Patching(
            "head" if cross else "position",
            (x.tokens, y.tokens),
            (x.offsets, y.offsets),
            (x.texts[0], y.texts[0]),
            (names[0], names[1]),
            (ids[0], ids[1]),
            of_a,
            of_b,
            words,
            np.full(size, np.nan, np.float32),
            at,
            self.name,
            block,
        )

    def _sources(self, a: str, b: str, target: str, more: Numbers, block: Half) -> _Sources:
        """The runs of both sources. Raises the errors of `patch_pair` about models and texts."""
        runner = self._own_pair()
        pairs = [self._read_pair(one, target, more) for one in (a, b)]
        sources, read = (pairs[0][0], pairs[1][0]), pairs[0][1]
        for name, one in zip("AB", sources, strict=True):
            if one.left_out_by_text[0]:
                raise NotSupported(
                    "Source {name} has more than {n_one} tokens, and no more are compared here. "
                    "Shorten it.",
                    name=name,
                    n_one=len(one),
                )
        if sources[0].ids == sources[1].ids:
            raise NotSupported(
                "The model reads the same tokens in both sources: there is nothing to exchange. Change "
                "a word of one of them."
            )
        if block == "encoder" and len(sources[0]) != len(sources[1]):
            raise NotSupported(unequal(*sources, "Source"))
        rows, n, m = 1 + self._runner.shape.n_layers, max(map(len, sources)), len(read)
        count = rows * (self._runner.shape.n_heads * n * n + 4 * (n + m) * self._runner.shape.d_model)
        refuse_large(count, n + m, self._trace_bytes)
        runs = []
        for pair in pairs:
            cancellation.ask()
            ids = (batch.ids_BL for batch in self._batches(pair))
            runs.append(paired_patching.run(runner.net, *ids))
        return _Sources(runner.net, sources, read, *runs)

    def _predicting(self, top: int) -> int:
        """How many tokens to name; raises NotSupported if the model predicts none by a head of ours."""
        if self.predicts is None:
            raise NotSupported(self.no_predictions)
        if not isinstance(self._words.head, LanguageHead):
            raise NotSupported(
                "“{name}” is run as somebody’s own object, whose head takes no other states.",
                name=self.name,
            )
        return checked_top(top, self._runner.n_vocabulary)

    def _read_pair(self, text: str, target: str, more: Numbers) -> tuple[Encoded, Encoded]:
        raise NotImplementedError

    def _own_pair(self) -> ScratchPair:
        raise NotImplementedError

    def _batches(self, pair: tuple[Encoded, Encoded]) -> tuple[Batch, Batch]:
        raise NotImplementedError


def _same(begun: Patching, start: Patching) -> bool:
    names = ("block", "tokens", "texts", "ids", "at", "model", "a", "b")
    return all(getattr(begun, name) == getattr(start, name) for name in names)
