"""What each layer would say: its states, read by the head that predicts after the last one.

The plain lens puts a state through the final norm and the head (nostalgebraist 2020, "logit lens"). The
fitted lens has a map between the two, `core.language.lens`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from ..errors import ModelBroken, NotSupported, SettingError, TooLarge
from ..language.lens import RANK, FittedLens, shipped
from ..records.frozen import Array
from ..records.indices import index
from ..records.lens import LensGrid
from ..records.prediction import PredictionKind
from ..settings import MOST_PREDICTIONS
from . import cancellation
from .can_predict import Words
from .engines.batches import padded, refuse_empty
from .engines.engine import Batch, Engine, Run
from .engines.huggingface import HuggingFaceEngine
from .engines.scratch import Ours, ScratchEngine
from .language_head import LanguageHead
from .tokenizer.reader import Encoded, Numbers, TextReader

TOP = 5
TOKENS = 16_384  # to fit a lens on
_ROWS = 8_000_000  # logits at once: 32 MB
_SAMPLE = 32  # numbers of each tensor in a fingerprint
_CLOSE = 1e-4  # how near the last state, normed, must be to what the head reads
_THICKENED = "\u2423"  # how a space is shown before a token


class States(NamedTuple):
    """Every state of one text.

    Attributes:
        normed_NLD: (N + 1, L, D), the input of the first layer and each layer's output, after the final
            norm.
        last_LD: (L, D), the input of the head, as the model computes it.
    """

    normed_NLD: Tensor
    last_LD: Tensor


class Lenses:
    """The part of a model that reads its states."""

    name: str
    max_tokens: int
    _runner: Engine
    _reader: TextReader
    _trace_bytes: int
    _words: Words

    @property
    def predicts(self) -> PredictionKind | None:
        """See `Predicting`."""
        raise NotImplementedError

    def lens(
        self,
        text: str,
        *,
        fitted: FittedLens | bool = False,
        word: str | int | None = None,
        more: Numbers = (),
        positions: Sequence[int] | None = None,
        top: int = TOP,
    ) -> LensGrid:
        """What the state of each token after each layer reads as, see `core.LensGrid`.

        The last row is the model's own prediction. The rows before it are no predictions of the model,
        which never uses its head there; and a fitted map may find in a state what the model does not
        use.

        Args:
            text: the text, truncated if it is too long, as in `Model.trace`.
            fitted: False for the plain lens; True for the fitted lens that comes with Polysee, where
                this model has one; or one from `fit_lens`.
            word: a word, or the id of a token, whose probability and rank to give as well. Of a word,
                the token that begins it: with or without a space, the one that the model finds likelier
                after the last token.
            more: ids of tokens that follow the text, as in `expects`.
            positions: of which tokens, from 0; None for all. A negative one counts from the end.
            top: how many likeliest tokens to name, from 1 to `settings.MOST_PREDICTIONS`.

        Raises:
            NotSupported: the model predicts no words, is an encoder–decoder, or does more than a norm
                between its last layer and its head; it has no fitted lens; or the text has no token.
            SettingError: `top` or the id is out of range, the word has no token, or the lens was fitted
                on another model.
            OutOfRange: there is no such position.
            TooLarge, ModelBroken: see `expects`.
        """
        k = checked_top(top, self._runner.n_vocabulary)
        refuse_lens(self)
        map_of = self._map(fitted)
        encoded = self._lens_encoded(text, more)
        at = sorted({index(one, len(encoded), "position") for one in positions or range(len(encoded))})
        self._refuse_states(len(encoded))
        try:
            states = states_of(self._runner, encoded, self._reader.pad_id, self.name)
            return self._grid(encoded, states, at, k, word, map_of)
        finally:
            self._words.head.release()

    def _grid(
        self,
        encoded: Encoded,
        states: States,
        at: Sequence[int],
        k: int,
        word: str | int | None,
        map_of: FittedLens | None,
    ) -> LensGrid:
        """The record of some tokens' states, read by the head."""
        asked = None if word is None else self._word(word, states.last_LD[at[-1]])
        depths = len(states.normed_NLD)
        rows = [states.normed_NLD[depth, at] for depth in range(depths - 1)]
        if map_of is not None:
            rows = [
                torch.from_numpy(map_of.read(depth, row.cpu().numpy())).to(row)
                for depth, row in enumerate(rows)
            ]
        vectors_RD = torch.cat([*rows, states.last_LD[at]])
        ids, shares, own, ranks = self._read_rows(vectors_RD, k, asked)
        shape = (depths, len(at))
        ids = ids.reshape(*shape, k)
        named = {int(one) for one in np.unique(ids)} | ({asked} if asked is not None else set())
        assert self.predicts is not None
        return LensGrid(
            encoded.tokens,
            encoded.ids,
            encoded.offsets,
            tuple(at),
            ids,
            shares.reshape(*shape, k),
            {one: self._reader.surface_form(one) for one in sorted(named)},
            asked,
            None if asked is None else own.reshape(shape),
            None if asked is None else ranks.reshape(shape),
            "plain" if map_of is None else "fitted",
            "" if map_of is None else map_of.fitted_on,
            self.predicts,
            self.name,
            encoded.texts[0],
            encoded.left_out_by_text[0],
        )

    def fitted_lens(self) -> FittedLens | None:
        """The fitted lens that comes with Polysee for exactly these weights; None for other models."""
        if self.predicts is None or not isinstance(self._words.head, LanguageHead):
            return None
        own = self.fingerprint()
        return next((one for one in shipped() if one.fingerprint == own), None)

    def fit_lens(
        self,
        texts: Iterable[str],
        *,
        fitted_on: str,
        tokens: int = TOKENS,
        rank: int = RANK,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> FittedLens:
        """Fit a lens to this model: a map for each layer, by ridge regression.

        It needs at least twice as many tokens as a state has numbers, and gets better up to about
        thirty times as many. The last eighth is kept to measure it on.

        Args:
            texts: texts as the model may read them; of eight or more, whole ones are kept to measure.
            fitted_on: what they are, in words, for the readers of the lens.
            tokens: how many tokens to use at most.
            rank: the rank of the maps, beside a scale for each coordinate.
            on_progress: called with the tokens done, and with all of them.

        Raises:
            NotSupported: see `lens`; or the texts have too few tokens.
            TooLarge: the sums would exceed `POLYSEE_TRACE_MB`.
        """
        from .fit_lens import fit

        return fit(self, texts, fitted_on=fitted_on, tokens=tokens, rank=rank, on_progress=on_progress)

    def fingerprint(self) -> str:
        """A checksum of some numbers of each of its weights: of other weights, it is another one."""
        module = _module(self._runner)
        digest = sha256()
        for name, tensor in sorted(module.state_dict().items()):
            some = tensor.detach().reshape(-1)[:_SAMPLE].float().cpu().numpy()
            digest.update(f"{name} {tuple(tensor.shape)} ".encode())
            digest.update(np.ascontiguousarray(some, "<f4").tobytes())
        return digest.hexdigest()

    def _map(self, fitted: FittedLens | bool) -> FittedLens | None:
        """The lens that was asked for; None for the plain one."""
        if fitted is False:
            return None
        if fitted is True:
            own = self.fitted_lens()
            if own is None:
                raise NotSupported(
                    f"No fitted lens for “{self.name}” comes with Polysee. Fit one by fit_lens."
                )
            return own
        if not isinstance(fitted, FittedLens):
            raise SettingError("A fitted lens is True, or what fit_lens has returned.")
        if fitted.fingerprint != self.fingerprint():
            raise SettingError(
                "This lens was fitted on other weights than those of “{name}”.",
                name=self.name,
            )
        return fitted

    def _lens_encoded(self, text: str, more: Numbers) -> Encoded:
        """The text as the model reads it."""
        if self.predicts != "masked":
            return self._to_continue(text, more)
        encoded = self._encoded(text, None, (), more)
        refuse_empty(encoded, self.name)
        return encoded

    def _encoded(self, text: str, second: str | None, masked: Numbers, more: Numbers) -> Encoded:
        """See `Predicting`."""
        raise NotImplementedError

    def _to_continue(self, text: str, more: Numbers) -> Encoded:
        """See `Predicting`."""
        raise NotImplementedError

    def _refuse_states(self, tokens: int) -> None:
        """Raise TooLarge before a run that could exhaust the machine's memory."""
        shape = self._runner.shape
        count = 2 * (shape.n_layers + 1) * tokens * shape.d_model + _ROWS
        count += shape.n_heads * tokens * tokens
        if 4 * count > self._trace_bytes:
            raise TooLarge(
                "The states of these {tokens} tokens would take {count:.0f} MB, and the limit "
                "is {trace_bytes:.0f} MB (POLYSEE_TRACE_MB). Shorten the text.",
                tokens=tokens,
                count=4 * count / 1000000.0,
                trace_bytes=self._trace_bytes / 1000000.0,
            )

    def _word(self, word: str | int, last_D: Tensor) -> int:
        """The token of a word; of several, the one that is likelier at the end."""
        vocabulary = self._runner.n_vocabulary
        if isinstance(word, int | np.integer) and not isinstance(word, bool):
            if not 0 <= word < vocabulary:
                raise SettingError(f"There is no token {word}; they count from 0 to {vocabulary - 1}.")
            return int(word)
        if not isinstance(word, str):
            raise SettingError("A word is a text, or the id of a token.")
        bare = word.replace(_THICKENED, " ").replace("↵", "\n")
        # A space before it where one belongs there: who writes one means that token alone.
        ways = [bare] if bare != bare.strip() or not bare else [f" {bare}", bare]
        first = [one for one in map(self._first, ways) if one is not None and one < vocabulary]
        if not first:
            raise SettingError("The word has no token. Write a word or a sign.")
        with torch.inference_mode():
            logits_V = self._words.head.logits(last_D[None])[0]
        return max(dict.fromkeys(first), key=lambda one: float(logits_V[one]))

    def _first(self, text: str) -> int | None:
        """The first token of a text that is not the template's; of a word, one with letters in it."""
        encoded = self._reader.read(text)
        own = [i for i, special in zip(encoded.ids, encoded.special, strict=True) if not special]
        seen = [i for i in own if self._reader.surface_form(i).strip()] if text.strip() else own
        return seen[0] if seen else None

    def _read_rows(
        self, vectors_RD: Tensor, k: int, word: int | None
    ) -> tuple[Array, Array, Array, Array]:
        """Of each row, the likeliest ids and their probabilities; of a word, its own and its rank."""
        step = max(1, _ROWS // self._runner.n_vocabulary)
        ids, shares, own, ranks = [], [], [], []
        with torch.inference_mode():
            for some_RD in torch.split(vectors_RD, step):
                cancellation.ask()
                logits_RV = self._words.head.logits(some_RD).float()
                best = logits_RV.topk(k, dim=1)
                largest_R1 = best.values[:, :1]
                if word is not None:
                    of_word_R1 = logits_RV[:, word : word + 1].clone()
                    ranks.append((logits_RV > of_word_R1).sum(dim=1).cpu().numpy())
                # In place, and without a second array of this size, which would take as long again.
                sums_R1 = logits_RV.sub_(largest_R1).exp_().sum(dim=1, keepdim=True)
                if not torch.isfinite(sums_R1).all():
                    raise ModelBroken(
                        "“{name}” gives numbers here that are infinite or not a number. Choose another "
                        "copy of the model.",
                        name=self.name,
                    )
                ids.append(best.indices.cpu().numpy())
                shares.append(((best.values - largest_R1).exp() / sums_R1).cpu().numpy())
                if word is not None:
                    own.append(((of_word_R1 - largest_R1).exp() / sums_R1)[:, 0].cpu().numpy())
        nothing = [np.zeros(0)]
        return (
            np.concatenate(ids),
            np.concatenate(shares).clip(0, 1),
            np.concatenate(own or nothing),
            np.concatenate(ranks or nothing),
        )


def refuse_lens(model: Lenses) -> None:
    """Raise NotSupported unless a model's states can be read by its head."""
    if model.predicts is None:
        raise NotSupported(model.no_predictions)  # type: ignore[attr-defined]
    if not isinstance(model._runner, Ours | HuggingFaceEngine):
        raise NotSupported(
            f"“{model.name}” is an encoder–decoder: pair_lens reads the states of its decoder, behind "
            "a source and a target."
        )
    if not isinstance(model._words.head, LanguageHead):
        raise NotSupported(
            "“{name}” is run as somebody’s own object, whose head takes no other states.",
            name=model.name,
        )


def states_of(runner: Engine, encoded: Encoded, pad_id: int, name: str) -> States:
    """Every state of one text.

    Raises:
        NotSupported: between the last layer and the head, the model does more than a norm.
    """
    batch = padded([encoded], pad_id, runner.device)
    with torch.inference_mode():
        run = runner.run(batch, "hidden")
        last_BLD = _last(runner, batch, run)
        states = [run.embedded_BLD, *run.hidden_BLD]
        if len({state.shape for state in states}) > 1:
            raise NotSupported(
                "The states of “{name}” do not all have one width.",
                name=name,
            )
        for norm in _norms(runner):
            if _is_close(normed := norm(states[-1]), last_BLD):
                rest = [norm(state)[0] for state in states[:-1]]
                return States(torch.stack([*rest, normed[0]]), last_BLD[0])
    raise NotSupported(
        "“{name}” does more than a norm between its last layer and its prediction: "
        "what an earlier layer would say is not defined.",
        name=name,
    )


def _last(runner: Engine, batch: Batch, run: Run) -> Tensor:
    """(1, L, D): the input of the head."""
    if isinstance(runner, HuggingFaceEngine):
        return runner.last(batch)
    return run.hidden_BLD[-1] if run.final_BLD is None else run.final_BLD


def _norms(runner: Engine) -> Iterator[Callable[[Tensor], Tensor]]:
    """What may stand between the last layer and the head: nothing, or a norm outside of all layers."""
    if isinstance(runner, Ours):
        yield runner.final_norm or nn.Identity()
        return
    yield nn.Identity()
    width = (runner.shape.d_model,)
    for name, module in _module(runner).named_modules():
        own = [tuple(weight.shape) for weight in module.parameters()]
        in_layer = any(part.isdigit() for part in name.split("."))
        if own and {*own} == {width} and not in_layer and not [*module.children()]:
            yield module


def _is_close(one: Tensor, other: Tensor) -> bool:
    most = _CLOSE * max(1.0, float(other.abs().max()))
    return one.shape == other.shape and float((one - other).abs().max()) <= most


def _module(runner: Engine) -> nn.Module:
    """What holds the weights."""
    if isinstance(runner, Ours):
        return runner.encoder if isinstance(runner, ScratchEngine) else runner.net
    module: nn.Module = runner.model  # type: ignore[attr-defined]
    return module


def checked_top(top: int, vocabulary: int) -> int:
    """How many tokens to name."""
    whole = isinstance(top, int | np.integer) and not isinstance(top, bool)
    if not (whole and 1 <= top <= MOST_PREDICTIONS):
        raise SettingError(
            "The number of tokens is {top}; it must be a whole number from 1 to {most_predictions}.",
            top=top,
            most_predictions=MOST_PREDICTIONS,
        )
    return min(int(top), vocabulary)
