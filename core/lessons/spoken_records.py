"""What a model that predicts the next token gives to an expression: expectations, sums, copying, parts.

`Spoken` is the base of `OfModel`; it asks a `TextModel` once for each record.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import NotSupported
from ..measures import CopyingHeads, Sink, copying_heads, random_text, sink
from ..measures.attention.require_attention import weights_of
from ..records.frozen import Array
from ..records.interventions import Ablate, Change, Cut
from ..records.logit_parts import LogitParts
from ..records.prediction import Expectation
from ..records.score import Score

if TYPE_CHECKING:
    from ..pretrained import TextModel
    from ..records.trace import Trace

T = TypeVar("T")


class Spoken:
    """The records of a model that predicts the next token."""

    name: str

    def once(self, key: tuple[Any, ...], make: Callable[[], T]) -> T:
        """The record of this key; it is made once."""
        raise NotImplementedError

    @property
    def model(self) -> TextModel:
        """The model."""
        raise NotImplementedError

    def trace(self, text: str, after: int | None = None, second: str | None = None) -> Trace:
        """The trace of a text."""
        raise NotImplementedError

    def expects(self, text: str, changes: Sequence[Change] = ()) -> Expectation:
        """See `Records`."""
        return self.once(
            ("expects", text, tuple(changes)), lambda: self.model.expects_changed(text, *changes)
        )

    def first_token(self, word: str) -> int:
        """See `Records`."""
        return self.model.first_token(word)[0]

    def written(self, text: str, count: int, temperature: float, seed: int) -> str:
        """See `Records`."""

        def write() -> str:
            made = self.model.generate(text, count, temperature=temperature, seed=seed)
            return "".join(one.text for one in made)

        return self.once(("written", text, count, temperature, seed), write)

    def leads(self, text: str, token: int, other: int) -> LogitParts:
        """See `Records`."""
        return self.once(("leads", text, token, other), lambda: self.model.why(text, token, other))

    def score(self, text: str, changes: Sequence[Change] = ()) -> Score:
        """See `Records`."""
        return self.once(("score", text, tuple(changes)), lambda: self._score(text, changes))

    def _score(self, text: str, changes: Sequence[Change]) -> Score:
        return self.model.score_changed(text, *changes) if changes else self.model.score(text)

    def repeated(self, length: int, seed: int) -> str:
        """See `Records`."""

        def drawn() -> str:
            try:
                return random_text(self.model, length, seed, vocabulary=False)
            except NotSupported:  # it does not know our words: its own tokens, as on the page
                return random_text(self.model, length, seed, vocabulary=True)

        return self.once(("repeated", length, seed), drawn)

    def copying(self, text: str, length: int) -> CopyingHeads:
        """See `Records`."""

        def measured() -> CopyingHeads:
            return copying_heads(weights_of(self.model.trace(text, keep="attention")), length)

        return self.once(("copying", text, length), measured)

    def without_copying(self, text: str, length: int, count: int) -> Score:
        """See `Records`."""
        best = self.copying(text, length).ranked()[:count]
        return self.score(text, tuple(Ablate(*one) for one in best))

    def sink(self, text: str) -> Sink:
        """See `Records`."""
        return self.once(("sink", text), lambda: sink(self.model.trace(text), self.model.output_gram()))

    def without_first(self, text: str) -> Expectation:
        """See `Records`."""
        count = len(self.model.read(text).ids)
        return self.expects(text, tuple(Cut(query, 0) for query in range(1, count)))

    def with_state_of(self, a: str, b: str, depth: int, position: int) -> Expectation:
        """See `Records`."""
        return self.once(
            ("state of", a, b, depth, position), lambda: self.model.patched(a, b, depth, [position])
        )

    def exchanged(self, text: str, part: str) -> Array:
        """See `Records`."""
        from ..walkthroughs import part_names, swapped_parts

        decoder, head_VD = self._decoder()

        def run() -> Array:
            ids = self.model.read(text).ids
            return swapped_parts.expected(decoder, head_VD, ids, part_names.named(part))

        return self.once(("exchanged", text, part), run)

    def lengths(self, text: str, part: str) -> Array:
        """See `Records`."""
        from ..walkthroughs import part_names, swapped_parts

        decoder, _ = self._decoder()

        def run() -> Array:
            return swapped_parts.lengths(decoder, self.model.read(text).ids, part_names.named(part))

        return self.once(("lengths", text, part), run)

    def kept(self, part: str) -> int:
        """See `Records`."""
        from ..walkthroughs import part_names, swapped_parts

        return swapped_parts.kept(self._decoder()[0], part_names.named(part))

    def _decoder(self) -> tuple[Any, Any]:
        decoder, head_VD = self.model.scratch_decoder, self.model.scratch_head()
        if decoder is None or head_VD is None:
            raise NotSupported(f"“{self.name}” has no parts that can be exchanged here.")
        return decoder, head_VD
