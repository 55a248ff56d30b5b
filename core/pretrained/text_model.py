"""The protocol of every model that reads text: published models, and models trained in the app."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy.typing as npt
    from torch import Tensor

    from ..records.cache_cost import CacheCost
    from ..records.contributions import Contributions
    from ..records.frozen import Array
    from ..records.generated import Generated
    from ..records.interventions import Change, Intervention
    from ..records.logit_parts import LogitParts
    from ..records.long_attention import LongAttention
    from ..records.next_token import NextToken
    from ..records.patching import By, Patching
    from ..records.prediction import Expectation, PredictionKind
    from ..records.score import Score
    from ..records.score_terms import ScoreTerms
    from ..records.sense_axis import SenseAxis
    from ..records.spelling import Spelling
    from ..records.trace import Trace
    from ..transformer import Encoder, LanguageModel
    from .engines.engine import Gives, Keep, Shape
    from .engines.families import Kind
    from .every_word import TextWords
    from .patching import Answer
    from .recording import WordVector
    from .tokenizer.reader import Encoded, Numbers
    from .tokenizer.vocabulary import Measure, Neighbour


class TextModel(Protocol):
    """A model that turns texts into frozen records. `core.Model` documents each member in full.

    A member that a model cannot provide raises `NotSupported`.
    """

    @property
    def name(self) -> str:
        """The name under which it was loaded."""
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
        """The device on which it runs."""
        ...

    @property
    def shape(self) -> Shape:
        """The number of layers and heads, and the widths."""
        ...

    @property
    def gives(self) -> Gives:
        """The parts that its traces can contain."""
        ...

    @property
    def cased(self) -> bool:
        """Whether it distinguishes upper and lower case."""
        ...

    @property
    def spelling(self) -> Spelling:
        """Which spellings of a word it reads alike."""
        ...

    @property
    def bound(self) -> float:
        """The largest difference allowed between the two engines."""
        ...

    @property
    def padding_leaks(self) -> bool:
        """Whether padding after a text changes the text's vectors."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of its numbers should know about how it was loaded, in sentences."""
        ...

    @property
    def max_tokens(self) -> int:
        """The number of tokens of a text that it reads; it truncates longer texts."""
        ...

    @property
    def window(self) -> int:
        """The number of tokens that it accepts, at least `max_tokens`."""
        ...

    @property
    def untraced(self) -> TextModel:
        """The same model for what needs no trace: its own limit of tokens is the only one."""
        ...

    @property
    def predicts(self) -> PredictionKind | None:
        """The token that it predicts: `masked`, `next`, or None."""
        ...

    @property
    def ends(self) -> frozenset[int]:
        """The tokens with which it ends what it writes."""
        ...

    @property
    def no_predictions(self) -> str:
        """The reason why it predicts nothing, as a sentence."""
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
        """Every step of a text; an encoder–decoder returns a `core.Seq2SeqTrace`."""
        ...

    def causal_trace(
        self, text: str, second: str | None = None, *, keep: Keep = "all", masked: Numbers = ()
    ) -> Trace:
        """`trace` with later tokens hidden from every token."""
        ...

    def trace_many(
        self, texts: Iterable[str], *, keep: Keep = "hidden", batch_size: int = ...
    ) -> list[Trace]:
        """`trace` for each text."""
        ...

    def vectors(
        self, texts: Iterable[str], word: str, *, batch_size: int = ...
    ) -> Iterator[WordVector]:
        """The vectors of each occurrence of a word in the texts."""
        ...

    def every_word(
        self, texts: Iterable[str], layers: Sequence[int], *, batch_size: int = ...
    ) -> list[TextWords]:
        """The vectors of every word of each text."""
        ...

    def expects(
        self, text: str, second: str | None = None, *, masked: Numbers = (), more: Numbers = ()
    ) -> tuple[Expectation, ...]:
        """Its predictions at each mask, or for the next token."""
        ...

    def score(self, text: str, *, more: Numbers = (), top: int = 10) -> Score:
        """How surprised it is by each token of a text."""
        ...

    def next_token(self, text: str, *, more: Numbers = (), top: int = 10) -> NextToken:
        """What comes next, and how surprised it is by each token before it, in one run."""
        ...

    def next_token_after(
        self,
        before: NextToken,
        text: str,
        written: Sequence[Generated],
        then: Expectation,
        *,
        more: Numbers = (),
    ) -> NextToken:
        """The same behind what was written, without a run."""
        ...

    def score_changed(self, text: str, *changes: Change, top: int = 10) -> Score:
        """`score`, with all the changes at once."""
        ...

    def expects_changed(self, text: str, *changes: Change, more: Numbers = ()) -> Expectation:
        """What it expects behind a text, with all the changes at once."""
        ...

    def generate(
        self,
        text: str,
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
        """The tokens with which it continues a text, each as soon as it is written."""
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

    def contributions_by_layer(
        self, text: str, word: str, directions: Sequence[npt.ArrayLike], *, occurrence: int = 0
    ) -> tuple[Contributions, ...]:
        """The sums behind a word's vector after each layer, along a direction each."""
        ...

    def sense_axis(self, word: str, low: Sequence[str], high: Sequence[str]) -> SenseAxis:
        """The axis between two senses of a word."""
        ...

    def changed(
        self, text: str, each: Iterable[Sequence[Change]], *, keep: Keep = "all"
    ) -> Iterator[Trace]:
        """One trace of the text for each set of changes."""
        ...

    def interventions(
        self,
        text: str,
        each: Iterable[Sequence[Change]],
        *,
        keep: Keep = "all",
        masked: Numbers = (),
    ) -> Iterator[Intervention]:
        """The unchanged run beside one run for each set of changes."""
        ...

    def patch(
        self,
        a: str,
        b: str,
        *,
        answers: tuple[Answer, Answer] = (None, None),
        by: By = "position",
        at: int | None = -1,
        begun: Patching | None = None,
        on_part: Callable[[Patching], object] | None = None,
    ) -> Patching:
        """How much of the difference between two prompts each exchanged state brings back."""
        ...

    def patched(self, a: str, b: str, depth: int, positions: Sequence[int]) -> Expectation:
        """What it expects after one prompt, with some states of its run of another."""
        ...

    def why(
        self,
        text: str,
        token: int | str,
        other: int | str | None = None,
        *,
        at: int | None = None,
        more: Numbers = (),
    ) -> LogitParts:
        """Two exact sums behind the logit of a next token, or behind the difference of two."""
        ...

    def first_token(self, word: str) -> tuple[int, bool]:
        """The token with which a word begins, and whether it is the whole of it."""
        ...

    def output_gram(self) -> Array | None:
        """(layers, heads, d_head, d_head), W_Oᵀ W_O of each head; None if our decoder cannot run it."""
        ...

    def position_table(self) -> Array | None:
        """The learned positions, (positions, d_model); None if it has none."""
        ...

    def read(self, text: str) -> Encoded:
        """The tokens of a text, as `trace` reads it."""
        ...

    def special_in(self, text: str) -> tuple[str, ...]:
        """The special tokens that a text spells out, such as "<|im_end|>", each read as one token."""
        ...

    def nearest_words(
        self, vector: npt.ArrayLike, *, by: Measure = "cosine", k: int = 10
    ) -> tuple[Neighbour, ...]:
        """The words whose learned vectors lie nearest to a vector."""
        ...

    def spellings(self, ids: Sequence[int]) -> tuple[str | None, ...]:
        """How tokens are written in a text; None for one that no text contains."""
        ...

    def word_pieces(self) -> frozenset[str]:
        """The tokens of its WordPiece vocabulary."""
        ...

    @property
    def scratch_encoder(self) -> Encoder | None:
        """The model as our own transformer; None if our transformer cannot run it."""
        ...

    @property
    def scratch_decoder(self) -> LanguageModel | None:
        """The model as our own decoder alone; None if it is no decoder, or ours cannot run it."""
        ...

    @property
    def disentangled(self) -> bool:
        """Whether its scores have terms of their own for position: see `Model.score_terms`."""
        ...

    def score_terms(self, text: str, layer: int, head: int) -> ScoreTerms:
        """The scores of one head before the softmax, as three terms."""
        ...

    def long_attention(self, text: str, *, cells: int = 96) -> LongAttention:
        """The attention of a text up to the window, without holding its weights."""
        ...

    def scratch_head(self) -> Tensor | None:
        """(V, d_model): the matrix by which `scratch_decoder` predicts tokens; None without one."""
        ...

    def cache_cost(self) -> CacheCost:
        """What it keeps of each token while it writes, and what that spares it."""
        ...

    @property
    def pad_id(self) -> int:
        """The token that pads the shorter texts of a batch."""
        ...

    @property
    def n_vocabulary(self) -> int:
        """The number of rows of its word-embedding table."""
        ...
