"""Why a vector is what it is: exact contributions, and the model run again with something changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from core.attribution import adjoint
from core.causes import Change, Contributions, Cut, Intervention, Mask, Replace, Silence
from core.errors import NotSupported, SettingError
from core.pretrained import edits
from core.pretrained.batches import padded
from core.pretrained.engine import Engine, Keep
from core.pretrained.records import found, record
from core.pretrained.scratch import ScratchEngine
from core.pretrained.tokens import Encoded, TextReader
from core.trace import Trace


class Explaining:
    """The part of a model that says why. It takes one text, and no pair."""

    name: str
    _runner: Engine
    _reader: TextReader

    def contributions(
        self,
        text: str,
        word: str,
        direction: npt.ArrayLike,
        *,
        occurrence: int = 0,
        layer: int | None = None,
    ) -> Contributions:
        """What a word's vector, measured along a direction, is the exact sum of.

        One walk forward and one back (`core.attribution.adjoint`). It is bookkeeping: that a word
        adds much does not say what would be without it; `intervene` does.

        Args:
            text: the text; what does not fit the model is cut off, as in `Model.trace`.
            word: found as `Trace.find` finds it; of several pieces, their mean is measured.
            direction: (d_model,), any length but 0.
            occurrence: which one, from 0.
            layer: behind which layer, from 0; None: the last.

        Raises:
            WordNotFound: as `Trace.find`.
            SettingError: the direction does not fit the model, or there is no such layer.
            NotSupported: the model does not run on our own transformer.
        """
        runner, layers = self._own(), self._runner.shape.n_layers
        layer = layers - 1 if layer is None else _within(layer, layers, "layer")
        along, width = np.asarray(direction, dtype=np.float32), self._runner.shape.d_model
        if along.shape != (width,) or not np.isfinite(along).all() or not along.any():
            raise SettingError(f"A direction for “{self.name}” is {width} finite numbers, not all 0.")
        read = self._whole(text)
        places = found(read, word, occurrence, self._reader.cased)
        batch = padded([read], self._reader.pad_id, runner.device)
        segments_BL = runner.segments(batch)
        with torch.inference_mode():
            whole, shares = adjoint.contributions(
                runner.encoder,
                batch.ids_BL[0],
                None if segments_BL is None else segments_BL[0],
                places.tolist(),
                torch.tensor(along).to(runner.device),
                layer + 1,
            )
        return Contributions(
            read.tokens,
            tuple(places.tolist()),
            layer,
            along,
            float(whole),
            *(share.cpu().numpy() for share in shares),
        )

    def intervene(self, text: str, *changes: Change) -> Intervention:
        """Run a text as it is, and with all the changes at once.

        Args:
            text: as in `contributions`.
            changes: `core.Cut`, `core.Silence`, `core.Mask` and `core.Replace`. Words are replaced
                first; the words of the others are looked for in what then stands there.

        Raises:
            WordNotFound: a word of a change does not stand in the text.
            SettingError: there is no such token, layer or head.
            NotSupported: a cut or a silenced head, and the model does not run on our own transformer;
                a mask, and it has none; or a token would have nothing left to look at.
        """
        return next(self.interventions(text, [changes]))

    def interventions(
        self, text: str, each: Iterable[Sequence[Change]], *, keep: Keep = "all"
    ) -> Iterator[Intervention]:
        """`intervene` once for each of some changes; as it is, the text runs only once.

        Args:
            text: as in `contributions`.
            each: all the changes of each run.
            keep: as in `Model.trace`.
        """
        read = self._whole(text)
        before = self._traced(read, read, (), keep)
        for changes in each:
            after = before
            if changes:
                words, seen = self._changed(text, read, changes)
                after = self._traced(seen, words, changes, keep)
            yield Intervention(before, after, tuple(changes))

    def _changed(self, text: str, read: Encoded, changes: Sequence[Change]) -> tuple[Encoded, Encoded]:
        """The text with its words replaced, as it is read: to find words in, and with those masked."""
        after = _replaced(
            text, read, [c for c in changes if isinstance(c, Replace)], self._reader.cased
        )
        words = read if after == text else self._whole(after)
        hidden = [c for c in changes if isinstance(c, Mask)]
        masks = [
            i for c in hidden for i in found(words, c.word, c.occurrence, self._reader.cased).tolist()
        ]
        return words, edits.masked(words, masks, self._reader, self.name)

    def _traced(self, seen: Encoded, words: Encoded, changes: Sequence[Change], keep: Keep) -> Trace:
        batch = padded([seen], self._reader.pad_id, self._runner.device)
        inside = [c for c in changes if isinstance(c, Cut | Silence)]
        with torch.inference_mode():
            if inside:
                run = self._own().run(batch, keep, self._cuts(inside, words), self._heads(inside))
            else:
                run = self._runner.run(batch, keep)
        return record(run, 0, seen, keep, self.name, self._reader.cased)

    def _cuts(self, inside: Sequence[Cut | Silence], read: Encoded) -> list[Tensor] | None:
        """(1, H, L, M) of each layer: 0, and −∞ where a token must not look; None where all may."""
        if not any(isinstance(one, Cut) for one in inside):
            return None
        layers, heads = self._runner.shape[:2]
        n = len(read)
        hidden = np.zeros((layers, heads, n, n), dtype=bool)
        for cut in inside:
            if isinstance(cut, Cut):
                where = tuple(
                    slice(None) if i is None else _within(i, count, what)
                    for i, count, what in ((cut.layer, layers, "layer"), (cut.head, heads, "head"))
                )
                rows, columns = (self._tokens(read, at) for at in (cut.query, cut.key))
                grid = hidden[where]
                grid[..., rows[:, None], columns] = True
        if hidden.all(-1).any():
            raise NotSupported("A token must look somewhere: leave it at least one to look at.")
        biases = torch.zeros(hidden.shape).masked_fill_(torch.from_numpy(hidden), -torch.inf)
        return list(biases.to(self._runner.device)[:, None])

    def _heads(self, inside: Sequence[Cut | Silence]) -> Tensor:
        layers, heads = self._runner.shape[:2]
        kept = torch.ones(layers, heads)
        for one in inside:
            if isinstance(one, Silence):
                kept[_within(one.layer, layers, "layer"), _within(one.head, heads, "head")] = 0
        return kept.to(self._runner.device)

    def _tokens(self, read: Encoded, at: str | int) -> npt.NDArray[np.int64]:
        if isinstance(at, str):
            return found(read, at, 0, self._reader.cased)
        return np.array([_within(at, len(read), "token")])

    def _own(self) -> ScratchEngine:
        if not isinstance(self._runner, ScratchEngine):
            raise NotSupported(
                f"“{self.name}” does not run on our own transformer, whose every step can be followed "
                "back and changed. BERT and DistilBERT models do."
            )
        return self._runner

    def _whole(self, text: str) -> Encoded:
        """The text as the model reads it. Raises as `Model.trace`."""
        raise NotImplementedError


def _within(number: int, count: int, what: str) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < count:
        raise SettingError(f"There is no {what} {number}: they count from 0 to {count - 1}.")
    return number


def _replaced(text: str, read: Encoded, changes: Sequence[Replace], cased: bool) -> str:
    """The text with the words put in, from its end to its start, so that places stay what they are."""
    spans = []
    for change in changes:
        places = found(read, change.word, change.occurrence, cased)
        spans.append((read.offsets[places[0]][0], read.offsets[places[-1]][1], change.by))
    spans.sort(reverse=True)
    if any(before[1] > behind[0] for behind, before in pairwise(spans)):
        raise SettingError("Two words cannot be put in the place of one. Replace each word once.")
    for start, end, by in spans:
        text = text[:start] + by + text[end:]
    return text
