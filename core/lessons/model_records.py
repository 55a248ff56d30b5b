"""The records from which an expression is computed: those of a model, frozen, each requested once.

`OfModel` has those of a model that reads texts, `TranslatorRecords` those of a translator, and
`TaskRecords` those of a small model in the course of its training. A model that cannot provide a record
raises NotSupported. All indices here count from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

import numpy as np

from ..comparison import Chosen, Ends, Question, moves_by_part
from ..comparison.alone import by_itself
from ..comparison.judge import judge
from ..comparison.source import Direct, Source, contributions
from ..errors import NotSupported
from ..examples import known_ends
from ..localization import _
from ..measures import CopyingHeads, Sink
from ..measures.senses.verdict import Calibration
from ..records.contributions import Contributions
from ..records.frozen import Array
from ..records.interventions import Ablate, Change, Cut
from ..records.logit_parts import LogitParts
from ..records.prediction import Expectation
from ..records.score import Score
from ..records.sense_axis import SenseAxis
from ..records.trace import Trace
from .spoken_records import Spoken

if TYPE_CHECKING:
    from ..pretrained import TextModel
    from ..tasks import Decoding, Snapshot, Trained
    from ..tasks.training.loop import Training
    from ..walkthroughs.steps.ablations import Order

T = TypeVar("T")
MOST_KEPT = 64  # records of one model
LOOKS = 8  # at a training on its way to a step, where the curve of an answer has its points


def _in_words(verdict: str | None) -> str:
    names = {
        "two meanings": _("two meanings"),
        "one meaning": _("one meaning"),
        "neither": _("neither"),
        "not clear": _("not clear"),
    }
    return names.get(verdict or "", verdict or _("no verdict"))


class Between(NamedTuple):
    """The axis of a word between its two senses, and the names of its ends at −1 and +1."""

    axis: SenseAxis
    names: tuple[str, str]


class Moved(NamedTuple):
    """How a sentence moves a word from where it stands alone, after the last layer.

    Attributes:
        alone: the position of the word in a text that holds nothing else.
        own: what its own vector adds more than alone.
        others: what each other word adds, (word, number), in the order of the sentence.
    """

    alone: float
    own: float
    others: tuple[tuple[str, float], ...]


class Records(Protocol):
    """The records that a model provides. A method for any other record raises NotSupported."""

    @property
    def name(self) -> str:
        """The name of the model in a sentence."""
        ...

    def trace(self, text: str, after: int | None = None, second: str | None = None) -> Trace:
        """The trace of a text, or of a pair; for a model in training, after so many steps."""
        ...

    def ids(self, text: str) -> tuple[int, ...]:
        """The ids of its tokens."""
        ...

    def n_vocabulary(self) -> int:
        """The number of rows in the table of learned vectors."""
        ...

    def nearest(self, vector: Array, count: int) -> tuple[str, ...]:
        """The words whose learned vectors lie nearest by cosine, the nearest first."""
        ...

    def position_table(self) -> Array:
        """The learned positions, (positions, d_model)."""
        ...

    def between(self, word: str, texts: tuple[str, ...]) -> Between:
        """The axis of a labelled word; a labelled sentence among `texts` is left out of its ends."""
        ...

    def verdict(self, word: str, a: str, b: str) -> str:
        """The verdict in two words: as on Compare, or "no verdict"."""
        ...

    def without_head(self, text: str, layer: int, head: int) -> Trace:
        """The text with one head ablated."""
        ...

    def moved(self, text: str, word: str) -> Moved:
        """What each word of the text adds to the position of a word between its two senses."""
        ...

    def by_head(self, text: str, word: str, other: str) -> Array:
        """(layers, heads): what each head adds by carrying one word to the other directly."""
        ...

    def without_word(self, text: str, word: str, other: str) -> Trace:
        """The text, in which the word attends to the other word in no layer and no head."""
        ...

    def step(self, text: str, step: str, layer: int, head: int) -> Array:
        """(tokens, columns): the result of a step of Step by step, by its name in a link."""
        ...

    def orders(self, text: str, other: str, layer: int) -> Order:
        """The same tokens in two orders, with positions and without."""
        ...

    def decoding(self, text: str) -> Decoding:
        """A translation, step by step."""
        ...

    def snapshot(self, after: int) -> Snapshot:
        """A training after so many steps."""
        ...

    def fills(self, text: str, after: int | None = None) -> tuple[str, ...]:
        """The most probable words at the first [MASK] of a text, in descending order."""
        ...

    def expects(self, text: str, changes: Sequence[Change] = ()) -> Expectation:
        """What is expected next after a text, with all the changes at once."""
        ...

    def first_token(self, word: str) -> int:
        """The token with which a word begins behind others."""
        ...

    def written(self, text: str, count: int, temperature: float, seed: int) -> str:
        """The next tokens as they are written, drawn one after another."""
        ...

    def leads(self, text: str, token: int, other: int) -> LogitParts:
        """The sums behind the difference of two next tokens."""
        ...

    def score(self, text: str, changes: Sequence[Change] = ()) -> Score:
        """The surprise at each token of a text, with all the changes at once."""
        ...

    def repeated(self, length: int, seed: int) -> str:
        """A first word, then random ones, then the same again."""
        ...

    def copying(self, text: str, length: int) -> CopyingHeads:
        """What each head attends to in a text that says its words twice."""
        ...

    def without_copying(self, text: str, length: int, count: int) -> Score:
        """The surprise at such a text with the best induction heads ablated."""
        ...

    def sink(self, text: str) -> Sink:
        """The first token of a text against all others."""
        ...

    def without_first(self, text: str) -> Expectation:
        """What is expected next if no other token attends to the first."""
        ...

    def with_state_of(self, a: str, b: str, depth: int, position: int) -> Expectation:
        """What is expected after B with one state of the run of A; depth 0 is the input."""
        ...

    def exchanged(self, text: str, part: str) -> Array:
        """(V,): the logits of the next token, with one part as the paper had it."""
        ...

    def lengths(self, text: str, part: str) -> Array:
        """(layers + 1,): the length of the last token's vector behind each layer, from the input."""
        ...

    def kept(self, part: str) -> int:
        """The numbers that are kept of one token while the model writes."""
        ...


class _Kept:
    """Records by their query; if there are too many, the oldest are dropped."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Any, ...], Any] = {}
        self._lock = Lock()

    def once(self, key: tuple[Any, ...], make: Callable[[], T]) -> T:
        with self._lock:
            if key in self._kept:
                found: T = self._kept[key]
                return found
        made = make()
        with self._lock:
            while len(self._kept) >= MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = made
        return made


class _None:
    """The base of records: every method raises NotSupported unless a model overrides it."""

    name: str

    def _no(self, what: str) -> NotSupported:
        return NotSupported(f"“{self.name}” has no {what}.")

    def trace(self, text: str, after: int | None = None, second: str | None = None) -> Trace:
        raise self._no("vectors of a text that it reads alone")

    def ids(self, text: str) -> tuple[int, ...]:
        raise self._no("ids of word pieces")

    def n_vocabulary(self) -> int:
        raise self._no("table of word pieces")

    def nearest(self, vector: Array, count: int) -> tuple[str, ...]:
        raise self._no("nearest words")

    def position_table(self) -> Array:
        raise self._no("learned positions")

    def between(self, word: str, texts: tuple[str, ...]) -> Between:
        raise self._no("axis between two senses")

    def verdict(self, word: str, a: str, b: str) -> str:
        raise self._no("verdict")

    def without_head(self, text: str, layer: int, head: int) -> Trace:
        raise self._no("heads that can be ablated here")

    def moved(self, text: str, word: str) -> Moved:
        raise self._no("sum over the words of a text")

    def by_head(self, text: str, word: str, other: str) -> Array:
        raise self._no("sum over the words of a text")

    def without_word(self, text: str, word: str, other: str) -> Trace:
        raise self._no("words that can be cut off here")

    def step(self, text: str, step: str, layer: int, head: int) -> Array:
        raise self._no("steps of a layer of its own")

    def orders(self, text: str, other: str, layer: int) -> Order:
        raise self._no("two orders to compare")

    def decoding(self, text: str) -> Decoding:
        raise self._no("decoder that translates")

    def snapshot(self, after: int) -> Snapshot:
        raise self._no("training that can be watched")

    def fills(self, text: str, after: int | None = None) -> tuple[str, ...]:
        raise self._no("words for a mask")

    def expects(self, text: str, changes: Sequence[Change] = ()) -> Expectation:
        raise self._no("next word")

    def first_token(self, word: str) -> int:
        raise self._no("next word")

    def written(self, text: str, count: int, temperature: float, seed: int) -> str:
        raise self._no("next word")

    def leads(self, text: str, token: int, other: int) -> LogitParts:
        raise self._no("next word")

    def score(self, text: str, changes: Sequence[Change] = ()) -> Score:
        raise self._no("next word")

    def repeated(self, length: int, seed: int) -> str:
        raise self._no("next word")

    def copying(self, text: str, length: int) -> CopyingHeads:
        raise self._no("next word")

    def without_copying(self, text: str, length: int, count: int) -> Score:
        raise self._no("next word")

    def sink(self, text: str) -> Sink:
        raise self._no("next word")

    def without_first(self, text: str) -> Expectation:
        raise self._no("next word")

    def with_state_of(self, a: str, b: str, depth: int, position: int) -> Expectation:
        raise self._no("next word")

    def exchanged(self, text: str, part: str) -> Array:
        raise self._no("parts that can be exchanged here")

    def lengths(self, text: str, part: str) -> Array:
        raise self._no("parts that can be exchanged here")

    def kept(self, part: str) -> int:
        raise self._no("parts that can be exchanged here")


class OfModel(Spoken, _None):
    """The records of a model that reads texts.

    Args:
        model: returns the model, as `core.load` does; it is called each time, so that these records
            keep no model alive that a cache has dropped.
        name: the name of the model in a sentence.
        calibration: the bounds of its verdicts; None if they were not measured.
    """

    def __init__(
        self, model: Callable[[], TextModel], name: str, calibration: Calibration | None = None
    ) -> None:
        self._model, self.name, self.calibration = model, name, calibration
        self._kept = _Kept()

    def once(self, key: tuple[Any, ...], make: Callable[[], T]) -> T:
        """See `Spoken`."""
        return self._kept.once(key, make)

    @property
    def model(self) -> TextModel:
        """The model."""
        return self._model()

    def trace(self, text: str, after: int | None = None, second: str | None = None) -> Trace:
        """See `Records`."""
        if after is not None:
            raise self._no("training that can be watched")
        return self._kept.once(("trace", text, second), lambda: self._traced(text, second))

    def _traced(self, text: str, second: str | None) -> Trace:
        if self.model.kind == "encoder-decoder":
            raise self._no("vectors of a text that it reads alone")
        traced: Trace = self.model.trace(text, second)
        return traced

    def ids(self, text: str) -> tuple[int, ...]:
        """See `Records`."""
        return tuple(self.model.read(text).ids)

    def n_vocabulary(self) -> int:
        """See `Records`."""
        return self.model.n_vocabulary

    def nearest(self, vector: Array, count: int) -> tuple[str, ...]:
        """See `Records`."""
        return tuple(one.text.strip() for one in self.model.nearest_words(vector, k=count))

    def position_table(self) -> Array:
        """See `Records`."""
        table = self.model.position_table()
        if table is None:
            raise self._no("learned positions")
        return table

    def between(self, word: str, texts: tuple[str, ...]) -> Between:
        """See `Records`."""
        causal = self.model.kind == "decoder"
        known = known_ends(word, texts, self.model.spelling, causal=causal)
        if known is None:
            raise NotSupported(f"Polysee has no two ends for “{word[:40]}”.")
        key = ("axis", word, known.low, known.high)
        axis = self._kept.once(key, lambda: self.axis(word, known.low, known.high))
        return Between(axis, known.names)

    def axis(self, word: str, low: tuple[str, ...], high: tuple[str, ...]) -> SenseAxis:
        """The axis of a word; a subclass that already caches axes overrides this."""
        return self.model.sense_axis(word, low, high)

    def verdict(self, word: str, a: str, b: str) -> str:
        """See `Records`."""
        axis, names = self.between(word, (a, b))
        ends = Ends(names, axis.frames.low.items, axis.frames.high.items)
        question = Question(axis.model, Chosen(a, word, 0), Chosen(b, word, 0), ends)
        traces = self.trace(a), self.trace(b)
        found = judge(question, (axis, axis), traces, self.calibration, self.model.spelling)
        return _in_words(found.verdict.answer)

    def without_head(self, text: str, layer: int, head: int) -> Trace:
        """See `Records`."""

        def ablated() -> Trace:
            (traced,) = self.model.changed(text, [[Ablate(layer, head)]], keep="hidden")
            return traced

        return self._kept.once(("ablated", text, layer, head), ablated)

    def source(self) -> Source:
        """The model as comparisons ask it; a subclass that already caches results overrides this."""
        return Direct(self.model)

    def _side(self, text: str, word: str) -> tuple[Chosen, Ends, SenseAxis]:
        axis, names = self.between(word.partition(":")[0], (text,))
        name, number = named(word)
        return (
            Chosen(text, name, number),
            Ends(names, axis.frames.low.items, axis.frames.high.items),
            axis,
        )

    def moved(self, text: str, word: str) -> Moved:
        """See `Records`."""
        return self._kept.once(("moved", text, word), lambda: self._moved(text, word))

    def _moved(self, text: str, word: str) -> Moved:
        side, ends, _ = self._side(text, word)
        sums = self.source().added(side, ends)
        shown, own = moves_by_part.shown_parts(self.trace(text), side)
        row = sums.parts[-1]
        others = tuple(
            (one.text.strip(), float(row[i]))
            for i, one in enumerate(shown)
            if i != own and any(map(str.isalnum, one.text)) and not np.isnan(row[i])
        )
        return Moved(float(sums.alone[-1]), float(np.nan_to_num(row[own])), others)

    def by_head(self, text: str, word: str, other: str) -> Array:
        """See `Records`."""
        moves = self._kept.once(("from alone", text, word), lambda: self._from_alone(text, word))
        keys = tokens_of(self.trace(text), other)
        direct: Array = moves.by_head_direct[:, :, keys].sum(axis=-1)
        return direct

    def _from_alone(self, text: str, word: str) -> Contributions:
        side, _, axis = self._side(text, word)
        trace = self.trace(text)
        here, there = (contributions(self.model, one, axis) for one in (side, by_itself(trace, side)))
        return here[-1].from_alone(there[-1], causal=trace.causal)

    def without_word(self, text: str, word: str, other: str) -> Trace:
        """See `Records`."""
        trace = self.trace(text)
        queries, keys = tokens_of(trace, word), tokens_of(trace, other)
        cuts: list[Change] = [Cut(int(q), int(k)) for q in queries for k in keys]

        def changed() -> Trace:
            (traced,) = self.model.changed(text, [cuts], keep="hidden")
            return traced

        return self._kept.once(("cut", text, word, other), changed)

    def step(self, text: str, step: str, layer: int, head: int) -> Array:
        """See `Records`."""
        steps = self._kept.once(("steps", text, layer, head), lambda: self._steps(text, layer, head))
        if step not in steps:
            raise NotSupported(f"There is no step “{step}”. There are {', '.join(steps)}.")
        return steps[step]

    def _steps(self, text: str, layer: int, head: int) -> dict[str, Array]:
        from ..walkthroughs.steps.queries import pass_of

        encoder, trace, read = self.model.scratch_encoder, self.trace(text), self.model.read(text)
        if encoder is None or trace.hidden is None:
            raise self._no("steps of a layer of its own")
        received = trace.hidden[layer - 1] if layer else trace.embedded
        pieces = read.ids, trace.tokens, read.types, [""] * len(trace.tokens)
        made = pass_of(encoder, pieces, received, layer, head, 0)
        return {one.name: one.result.values for one in made}

    def orders(self, text: str, other: str, layer: int) -> Order:
        """See `Records`."""
        from ..walkthroughs.steps.queries import in_two_orders

        encoder = self.model.scratch_encoder
        if encoder is None:
            raise self._no("layers that run without positions here")
        first, second = self.model.read(text), self.model.read(other)
        if sorted(first.ids) != sorted(second.ids):
            raise NotSupported("The two texts are not made of the same tokens.")
        return in_two_orders(encoder, first.ids, second.ids, first.tokens, layer)


class TranslatorRecords(_None):
    """The records of a translator, an encoder–decoder that was trained on a small language."""

    def __init__(self, model: Trained) -> None:
        self._model, self.name = model, model.name
        self._kept = _Kept()

    def decoding(self, text: str) -> Decoding:
        """See `Records`."""
        return self._kept.once((text,), lambda: self._model.decode(text))


def looks(last: float) -> tuple[int, ...]:
    """The steps at which a training is looked at on its way to its last one, from 0."""
    return tuple(dict.fromkeys(round(last * one / LOOKS) for one in range(LOOKS + 1)))


class TaskRecords(_None):
    """The records of a small model, trained by a recipe up to the requested step.

    Each step of the training runs once. On its way to a step, the training is looked at `LOOKS` times.
    A request for an earlier step returns the stored snapshot, if there is one; otherwise the training
    begins again.

    Args:
        recipe: as in a link: "bank", or "bank~n200".
        before: called before each training, for example to limit threads.

    Raises:
        SettingError: this is not the form of a recipe.
    """

    def __init__(self, recipe: str, before: Callable[[], None] = lambda: None) -> None:
        from ..tasks import TASKS
        from ..tasks.training import recipe_code

        self._recipe, self._before = recipe_code.read(recipe), before
        self.name = TASKS[self._recipe.task].title
        self._training: Training | None = None
        self._at: dict[int, tuple[Snapshot, Trained]] = {}
        self._lock = Lock()

    @property
    def steps(self) -> int:
        """The number of steps of the whole training."""
        return self._recipe.steps

    @property
    def made(self) -> int:
        """The number of steps so far, which another thread may ask while this one trains."""
        training = self._training
        return 0 if training is None else training.step

    def _after(self, steps: int | None) -> tuple[Snapshot, Trained]:
        from ..tasks import train

        wanted = self.steps if steps is None else steps
        if not 0 <= wanted <= self.steps:
            raise NotSupported(f"The training has {self.steps} steps, not {wanted}.")
        with self._lock:
            if wanted not in self._at:
                training = self._training
                if training is None or training.step > wanted:
                    self._before()
                    training = self._training = train(self._recipe)
                for step in looks(wanted):
                    if step >= training.step and step not in self._at:
                        seen = training.advance(step - training.step)
                        self._at[step] = seen, training.trained()
            return self._at[wanted]

    def snapshot(self, after: int) -> Snapshot:
        """See `Records`."""
        return self._after(after)[0]

    def trace(self, text: str, after: int | None = None, second: str | None = None) -> Trace:
        """See `Records`."""
        traced = self._after(after)[1].trace(text, second)
        if not isinstance(traced, Trace):
            raise self._no("vectors of a text that it reads alone")
        return traced

    def fills(self, text: str, after: int | None = None) -> tuple[str, ...]:
        """See `Records`."""
        trained = self._after(after)[1]
        tokens = self.trace(text, after).tokens
        if "[MASK]" not in tokens:
            raise NotSupported("The text has no [MASK].")
        return trained.expectation(text, tokens.index("[MASK]")).tokens


def named(word: str) -> tuple[str, int]:
    """A word of a text and the number of its occurrence, from 0: "bank", or the second one "bank:2"."""
    name, colon, number = word.rpartition(":")
    if colon and number.isascii() and number.isdigit() and name:
        return name, int(number) - 1
    return word, 0


def tokens_of(trace: Trace, word: str | float) -> Array:
    """The tokens of a word of a text: "bank", the second one "bank:2", or the number of a token.

    Raises:
        WordNotFound: see `Trace.find`.
        NotSupported: there is no token of this number.
    """
    if isinstance(word, str):
        return trace.find(*named(word))
    if not 1 <= word <= len(trace.tokens):
        raise NotSupported(f"The text has {len(trace.tokens)} tokens; there is no token {word:.0f}.")
    return np.array([int(word) - 1])
