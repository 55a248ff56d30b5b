"""A model that was trained here: its recipe, its words, its weights, and what it can do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy.typing as npt
import torch

from ...errors import NotSupported, SettingError
from ...records.contributions import Contributions
from ...records.finding import occurrence_spans
from ...records.frozen import Array
from ...records.interventions import Change
from ...records.lens import LensGrid
from ...records.pair_contributions import PairContributions
from ...records.patching import Half, Patching
from ...records.prediction import Expectation
from ...records.sense_axis import SenseAxis, sense_axis
from ...records.seq2seq import Seq2SeqTrace
from ...records.spelling import UNCASED
from ...records.trace import Trace
from ...transformer import LanguageModel, Transformer
from ..languages.catalogue import TASKS
from ..languages.task import Task
from ..languages.vocabulary import START_ID, Vocabulary
from ..training.recipe import Recipe
from . import attribution, decoding, models, pair_attribution, pair_states, reading, tracing, writing
from .decoding import Decoding
from .models import Net
from .reading import Reading
from .writing import Chance, Written


@dataclass(frozen=True, eq=False)
class Trained:
    """A model that was trained here.

    Attributes:
        recipe: the recipe of its training.
        source: the words that its encoder reads, if it is an encoder–decoder.
        target: the words that it predicts.
        weights: its parameters by name; float32, frozen.
        steps: the number of steps; `recipe.steps` if it was trained to the end.
        changes: (step, learning rate) for each manual change of the rate. Without any, the recipe alone
            reproduces these weights.
    """

    recipe: Recipe
    source: Vocabulary | None
    target: Vocabulary
    weights: Mapping[str, Array]
    steps: int
    changes: tuple[tuple[int, float], ...] = ()

    @property
    def task(self) -> Task:
        """The task that it was trained for."""
        return TASKS[self.recipe.task]

    @property
    def name(self) -> str:
        """Its name in records and messages."""
        return f"{self.task.title}, {self.steps} steps"

    @property
    def words(self) -> tuple[str, ...]:
        """The words that a text for it may contain."""
        return self._read_by.known

    def unknown(self, text: str) -> tuple[str, ...]:
        """The unknown words of a text, each once; a "." or "!" at its end does not count."""
        return self._read_by.unknown(text)

    @cached_property
    def net(self) -> Net:
        """The module itself, for `core.transformer`; it must not be changed."""
        net = models.build(self.recipe, len(self.target), models.n_source(self.source, self.target))
        net.load_state_dict({name: torch.tensor(array) for name, array in self.weights.items()})
        return net.eval().requires_grad_(False)

    def trace(self, text: str, target: str | None = None) -> Trace | Seq2SeqTrace:
        """Run a text through the model, and return every step.

        Args:
            text: the text, or the source of an encoder–decoder.
            target: what its decoder reads after a start token; None for the target that it writes
                itself.

        Returns:
            A `Trace`; for an encoder–decoder, a `Seq2SeqTrace`. Row i of its cross-attention serves to
                predict the target's word i, and should be labelled with that word.

        Raises:
            NotSupported: if a word is unknown, or there is none; or for a target that the model cannot
                read.
            TooLarge: if the text is longer than a small model reads.
        """
        net, read = self.net, self._read(text)
        if isinstance(net, LanguageModel):
            if target is not None:
                raise NotSupported(
                    "“{name}” is not an encoder–decoder: it reads one text and has no target.",
                    name=self.name,
                )
            return tracing.trace(net, read, self.name)
        reads = (
            self._written(text)
            if target is None
            else reading.read(self.target, target, f"“{self.name}”")
        )
        return tracing.trace_pair(net, read, reading.started(reads), self.name)

    def causal_trace(self, text: str) -> Trace:
        """`trace` of a single encoder or decoder, with later tokens hidden in every layer.

        Raises:
            NotSupported: see `trace`; or if it is an encoder–decoder.
            TooLarge: see `trace`.
        """
        net = self.net
        if isinstance(net, Transformer):
            raise NotSupported(
                "“{name}” is an encoder–decoder: its decoder always has a mask, and its "
                "encoder never has one.",
                name=self.name,
            )
        return tracing.trace(net, self._read(text), self.name, causal=True)

    def steps_of(
        self, text: str, *, chance: Chance | None = None, max_tokens: int = 24
    ) -> Iterator[Written]:
        """Write the target of a source, or continue a text, one token at a time.

        Args:
            text: the source, or the text.
            chance: how to sample each token; None for greedy decoding.
            max_tokens: the limit, if the model has not ended before; at most 64.

        Raises:
            NotSupported: if a word is unknown, or there is none; or if the model only fills in masks.
            TooLarge: if the text is longer than a small model reads.
            SettingError: if `max_tokens` is out of range.
        """
        net, read = self.net, self._read(text)
        if isinstance(net, Transformer):
            with torch.no_grad():
                memory_BSD = net.encode(read.ids_BL).final_BLD
            decode = partial(net.decode, memory_BSD=memory_BSD)
            return writing.write(decode, (START_ID,), self.target, read.tokens, chance, max_tokens)
        if not net.causal:
            raise NotSupported(
                "“{name}” fills in masks; it does not continue a text. Ask for its expectation "
                "at a position.",
                name=self.name,
            )
        return writing.write(net, read.ids, self.target, None, chance, max_tokens)

    def translate(self, text: str) -> str:
        """The target of a source by greedy decoding, as a text. Raises the errors of `steps_of`."""
        return self._written(text).text

    def decode(
        self, text: str, forced: Mapping[int, str] | None = None, *, max_tokens: int = 24
    ) -> Decoding:
        """Write the target of a source, with the prediction at each step; words can be forced.

        Args:
            text: the source.
            forced: step, from 0 -> the word written there, whatever is likeliest; the model continues
                after it. Steps that are not reached are ignored.
            max_tokens: the limit, if the text has not ended before; at most 64.

        Raises:
            NotSupported: if a word is unknown, or there is none; or if the model is not an
                encoder–decoder.
            TooLarge: if the text is longer than a small model reads.
            SettingError: if `max_tokens` is out of range, or a forced word cannot be written.
        """
        net, read = self.net, self._read(text)
        if not isinstance(net, Transformer):
            raise NotSupported(
                "“{name}” is not an encoder–decoder: it writes no translation.",
                name=self.name,
            )
        return decoding.decode(net, read, self.target, forced or {}, max_tokens, self.name)

    def expectation(self, text: str, position: int) -> Expectation:
        """The prediction of a single encoder or decoder at one token of a text.

        Args:
            text: the text; `[MASK]` stands for a hidden word.
            position: the index of a token, as in `trace(text).tokens`.

        Raises:
            NotSupported: if a word is unknown, or there is none; or if the model is an encoder–decoder.
            TooLarge: if the text is longer than a small model reads.
            IndexError: if there is no such token.
        """
        net, read = self.net, self._read(text)
        if isinstance(net, Transformer):
            raise NotSupported(f"“{self.name}” predicts word by word: use steps_of.")
        with torch.no_grad():
            logits_LV = net(read.ids_BL).logits_BLV[0]
        if not 0 <= position < len(logits_LV):
            raise IndexError(f"There is no token {position}; there are {len(logits_LV)}.")
        kind = "next" if net.causal else "masked"
        return writing.expectation(logits_LV[position], position, kind, self.target)  # type: ignore[arg-type]

    def pair_logit_contributions(
        self, text: str, written: Sequence[int], token: int, other: int | None = None
    ) -> PairContributions:
        """The exact sum behind the logit of the next word of an encoder–decoder.

        Args:
            text: the source.
            written: the ids of the words that the decoder has written so far, as in `Decoding.ids`.
            token: the id of the next word.
            other: that of another one, whose logit is subtracted.

        Raises:
            NotSupported: see `decode`.
            SettingError: see `core.pretrained.seq2seq.Seq2SeqModel.pair_logit_contributions`.
        """
        net, pair = self._pair(text, written)
        return pair_attribution.logit_contributions(net, pair, token, other)

    def without_word(self, text: str, written: Sequence[int], word: int) -> Expectation:
        """The prediction of an encoder–decoder while nothing reads a word of the source.

        Args:
            text: the source.
            written: see `pair_logit_contributions`.
            word: the word, from 0. Neither the other words of the source attend to it nor the decoder.

        Raises:
            NotSupported: see `decode`; or the source is this word alone.
            SettingError: there is no such word.
        """
        net, pair = self._pair(text, written)
        logits_V = pair_attribution.without_word(net, pair, word)
        return writing.expectation(logits_V, len(written), "next", self.target)

    def pair_lens(self, text: str, written: Sequence[int], word: int | None = None) -> LensGrid:
        """What the decoder's state of each word after each layer reads as, in an encoder–decoder.

        Args:
            text: the source.
            written: see `pair_logit_contributions`.
            word: the id of a word whose probability and rank to give.

        Raises:
            NotSupported: see `decode`.
            SettingError: there is no such word.
        """
        net, pair = self._pair(text, written)
        return pair_states.lens(net, pair, self.target, self.name, word)

    def patch_pair(
        self,
        a: str,
        b: str,
        written: Sequence[int],
        *,
        block: Half = "encoder",
        answers: tuple[int | None, int | None] = (None, None),
        at: int | None = -1,
    ) -> Patching:
        """Put what an encoder–decoder has computed for source A into its run of source B.

        Args:
            a: the source from which states are taken.
            b: the source into whose run they are put.
            written: see `pair_logit_contributions`; the same in both runs.
            block: see `core.pretrained.pair_states.PairStates.patch_pair`.
            answers: the ids of A's answer and of B's; None for the likeliest word.
            at: for the heads of the cross-attention, the word of the target; None for all.

        Raises:
            NotSupported: see `decode`; and `core.pretrained.pair_states.PairStates.patch_pair`.
            SettingError: there is no such block or word.
        """
        net, first = self._pair(a, written)
        second = self._pair(b, written)[1]
        return pair_states.patch(net, first, second, self.target, self.name, block, answers, at)

    def patched_pair(
        self,
        a: str,
        b: str,
        written: Sequence[int],
        depth: int,
        position: int,
        *,
        block: Half = "encoder",
    ) -> Expectation:
        """The next word behind source B with one state of A's run: see `patch_pair`.

        Args:
            a: see `patch_pair`.
            b: see `patch_pair`.
            written: see `patch_pair`.
            depth: 0 for the input of the first layer, i for what layer i returns.
            position: the word of the source or of the target, from 0.
            block: "encoder" or "decoder".

        Raises:
            PolyseeError: see `patch_pair`.
            OutOfRange: there is no such depth or word.
        """
        net, first = self._pair(a, written)
        second = self._pair(b, written)[1]
        logits_V = pair_states.patched(net, first, second, block, depth, position)
        return writing.expectation(logits_V, len(written), "next", self.target)

    def _pair(self, text: str, written: Sequence[int]) -> tuple[Transformer, pair_attribution.Pair]:
        net, read = self.net, self._read(text)
        if not isinstance(net, Transformer):
            raise NotSupported(
                "“{name}” is not an encoder–decoder: it writes no translation.",
                name=self.name,
            )
        strange = [one for one in written if not 0 <= one < len(self.target)]
        if strange:
            raise SettingError(
                "There is no word {strange}; there are {n_target}.",
                strange=strange[0],
                n_target=len(self.target),
            )
        words = [self.target.words[one] for one in written]
        target = reading.started(reading.of_words(self.target, words))
        return net, pair_attribution.Pair(read, target)

    def contributions(
        self,
        text: str,
        word: str,
        direction: npt.ArrayLike,
        *,
        occurrence: int = 0,
        layer: int | None = None,
    ) -> Contributions:
        """The exact sum behind a word's vector along a direction: see `core.Contributions`.

        Raises:
            NotSupported: see `trace`; or if the model's words do not all see each other.
            WordNotFound, SettingError: see `core.pretrained.Model.contributions`.
        """
        net, read = attribution.bidirectional(self.net, self.name), self._read(text)
        tokens = tracing.trace(net, read, self.name).find(word, occurrence).tolist()
        last = len(net.stack.layers) - 1
        return attribution.contributions(net, read, tokens, direction, last if layer is None else layer)

    def contributions_by_layer(
        self, text: str, word: str, directions: Sequence[npt.ArrayLike], *, occurrence: int = 0
    ) -> tuple[Contributions, ...]:
        """`contributions` after each layer, along a direction each: these models are small."""
        return tuple(
            self.contributions(text, word, direction, occurrence=occurrence, layer=layer)
            for layer, direction in enumerate(directions)
        )

    def sense_axis(self, word: str, low: Sequence[str], high: Sequence[str]) -> SenseAxis:
        """The axis between two senses of a word: see `core.pretrained.Model.sense_axis`.

        Both ends are sentences of the toy language, which lacks the words of the frames.

        Raises:
            NotSupported: if an end contains a word instead of a sentence; or see `trace`.
            WordNotFound: see `core.pretrained.Model.sense_axis`.
        """
        for item in (*low, *high):
            if not occurrence_spans(item, word, spelling=UNCASED):
                raise NotSupported(
                    "“{name}” does not know the words of the frames around “{item}”. Use sentences "
                    "of its small language that contain “{word}”.",
                    name=self.name,
                    item=item[:40],
                    word=word[:40],
                )

        net = self.net
        if isinstance(net, Transformer):
            raise NotSupported(
                "“{name}” reads two texts: it has no axis between senses.",
                name=self.name,
            )

        def trace_many(texts: Sequence[str]) -> list[Trace]:
            return [tracing.trace(net, self._read(text), self.name) for text in texts]

        return sense_axis(
            word, low, high, trace_many, spelling=UNCASED, model=self.name, causal=net.causal
        )

    def changed(
        self, text: str, changes: Sequence[Change]
    ) -> tuple[Trace, Callable[[int], Expectation]]:
        """Run a text with attention cut and heads ablated; also returns the prediction at a token.

        Args:
            text: as in `trace`.
            changes: `core.Cut`, with tokens given by position, and `core.Ablate`.

        Raises:
            NotSupported: see `contributions`; or if a token would have nothing left to attend to.
            SettingError: if there is no such token, layer or head.
        """
        net, read = attribution.bidirectional(self.net, self.name), self._read(text)
        trace, logits_LV = attribution.changed(net, read, changes, self.name)
        return trace, lambda position: writing.expectation(
            torch.tensor(logits_LV[position]), position, "masked", self.target
        )

    def accuracy_without_pattern(self, count: int = 128) -> float:
        """The accuracy on held-out examples while no row attends where it should: is that needed?

        The weight from each row to the token that settles its prediction becomes 0, in every layer and
        head; the others share it.

        Raises:
            NotSupported: if the model's words do not all see each other.
        """
        net = attribution.bidirectional(self.net, self.name)
        return attribution.accuracy_without_pattern(net, self.task, self.task.held_out(count))

    @property
    def _read_by(self) -> Vocabulary:
        return self.target if self.source is None else self.source

    def _read(self, text: str) -> Reading:
        read = reading.read(self._read_by, text, f"“{self.name}”")
        return reading.started(read) if self.task.kind == "masked" else read

    def _written(self, text: str) -> Reading:
        words = [written.token for written in self.steps_of(text) if not written.ends]
        return reading.of_words(self.target, words)
