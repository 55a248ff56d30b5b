"""What every thing that reads text has in common: a published model, and one that was trained here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..records.contributions import Contributions
    from ..records.frozen import Array
    from ..records.interventions import Change, Intervention
    from ..records.prediction import Expectation, PredictionKind
    from ..records.sense_axis import SenseAxis
    from ..records.trace import Trace
    from ..transformer import Encoder
    from .engines.engine import Gives, Keep, Shape
    from .engines.families import Kind
    from .records import WordVector
    from .tokenizer.reader import Encoded, Numbers
    from .tokenizer.vocabulary import Measure, Neighbour


class TextModel(Protocol):
    """Texts in, frozen records out. `core.Model` says of each member what it gives and raises.

    What a model does not have is refused with `NotSupported`, in a sentence.
    """

    @property
    def name(self) -> str:
        """The name that it was loaded by."""
        ...

    @property
    def kind(self) -> Kind:
        """`encoder`, `decoder` or `encoder-decoder`."""
        ...

    @property
    def engine(self) -> str:
        """`scratch` (our own transformer) or `huggingface`."""
        ...

    @property
    def device(self) -> str:
        """Where it runs."""
        ...

    @property
    def shape(self) -> Shape:
        """Its sizes."""
        ...

    @property
    def gives(self) -> Gives:
        """The parts that a trace by it can hold."""
        ...

    @property
    def cased(self) -> bool:
        """Whether it tells upper from lower case."""
        ...

    @property
    def bound(self) -> float:
        """How far two engines may lie apart."""
        ...

    @property
    def padding_leaks(self) -> bool:
        """Whether the padding behind a text changes its vectors."""
        ...

    @property
    def max_tokens(self) -> int:
        """How many tokens of a text it reads."""
        ...

    @property
    def window(self) -> int:
        """How many it takes."""
        ...

    @property
    def predicts(self) -> PredictionKind | None:
        """The token that it predicts: `masked`, `next`, or none."""
        ...

    @property
    def no_predictions(self) -> str:
        """Why it predicts nothing, in a sentence."""
        ...

    def trace(
        self,
        text: str,
        second: str | None = None,
        *,
        keep: Keep = "all",
        masked: Numbers = (),
        more: Numbers = (),
    ) -> Any:
        """Every step of a text; of an encoder–decoder's source and target, a `core.Seq2SeqTrace`."""
        ...

    def causal_trace(
        self, text: str, second: str | None = None, *, keep: Keep = "all", masked: Numbers = ()
    ) -> Trace:
        """`trace` with later tokens hidden from every token."""
        ...

    def trace_many(
        self, texts: Iterable[str], *, keep: Keep = "hidden", batch_size: int = ...
    ) -> list[Trace]:
        """`trace` of each text."""
        ...

    def vectors(
        self, texts: Iterable[str], word: str, *, batch_size: int = ...
    ) -> Iterator[WordVector]:
        """The vectors of each occurrence of a word."""
        ...

    def expects(
        self, text: str, second: str | None = None, *, masked: Numbers = (), more: Numbers = ()
    ) -> tuple[Expectation, ...]:
        """Its prediction at each mask, or of the next token."""
        ...

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
        """The ids of its continuation."""
        ...

    def contributions(
        self,
        text: str,
        word: str,
        direction: npt.ArrayLike,
        *,
        occurrence: int = 0,
        layer: int | None = None,
    ) -> Contributions:
        """The exact sum behind a word's vector along a direction."""
        ...

    def sense_axis(self, word: str, low: Sequence[str], high: Sequence[str]) -> SenseAxis:
        """The axis between two senses of a word."""
        ...

    def changed(
        self, text: str, each: Iterable[Sequence[Change]], *, keep: Keep = "all"
    ) -> Iterator[Trace]:
        """The text with the changes of each run."""
        ...

    def interventions(
        self,
        text: str,
        each: Iterable[Sequence[Change]],
        *,
        keep: Keep = "all",
        masked: Numbers = (),
    ) -> Iterator[Intervention]:
        """The text as it is, and with the changes of each run."""
        ...

    def position_table(self) -> Array | None:
        """The learned positions; None where it has none."""
        ...

    def read(self, text: str) -> Encoded:
        """A text cut into tokens."""
        ...

    def nearest_words(
        self, vector: npt.ArrayLike, *, by: Measure = "cosine", k: int = 10
    ) -> tuple[Neighbour, ...]:
        """The words whose learned vectors lie nearest to a vector."""
        ...

    def word_pieces(self) -> frozenset[str]:
        """The tokens of its WordPiece vocabulary."""
        ...

    @property
    def scratch_encoder(self) -> Encoder | None:
        """The model as our own transformer; None where it does not run in that."""
        ...

    @property
    def pad_id(self) -> int:
        """The token that fills up the shorter texts of a batch."""
        ...

    @property
    def n_vocabulary(self) -> int:
        """How many rows its word-embedding table has."""
        ...
