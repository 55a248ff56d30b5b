"""A model of this session with the interface of `core.Model`.

Pages request a model by name (`ui.models.model_cache.model`), and need not know where it comes from.
What a small model lacks is refused in a sentence, as with any other model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NoReturn

import numpy as np
import numpy.typing as npt

from core.errors import NotSupported
from core.language import Sampling, choose
from core.localization import N_
from core.records.contributions import Contributions
from core.records.generated import Generated
from core.records.interventions import Ablate, Change, Cut, Expected, Intervention, Mask, Replace
from core.records.next_token import NextToken
from core.records.prediction import Expectation, PredictionKind
from core.records.score import Score
from core.records.sense_axis import SenseAxis
from core.records.seq2seq import Seq2SeqTrace
from core.records.spelling import UNCASED
from core.records.trace import Array, Trace
from core.tasks.languages.vocabulary import MASK, SPECIAL

if TYPE_CHECKING:
    from core.pretrained.engines.engine import Gives, Keep, Shape
    from core.pretrained.engines.families import Kind
    from core.pretrained.tokenizer.reader import Numbers
    from core.tasks import Trained

_NONE = np.array([], np.int64)  # nothing is forbidden
_KINDS: dict[str, Kind] = {"pair": "encoder-decoder", "next": "decoder", "masked": "encoder"}
_PREDICTS: dict[str, PredictionKind | None] = {"pair": None, "next": "next", "masked": "masked"}


class TrainedModel:
    """A trained model as a `TextModel`. `core.Model` documents each method."""

    engine = "scratch"
    device = "cpu"
    cased = False
    spelling = UNCASED
    bound = 0.0
    padding_leaks = False
    notes = ()

    def __init__(self, trained: Trained) -> None:
        self._trained = trained
        self.name = trained.name
        self.kind = _KINDS[trained.task.kind]
        self.predicts = _PREDICTS[trained.task.kind]
        self.ends = frozenset[int]()  # it writes until it is told to stop
        self.no_predictions = (
            ""
            if self.predicts
            else N_(
                "“{name}” writes a target for its source, and its decoder reads that target."
            ).replace("{name}", self.name)
        )

    @property
    def shape(self) -> Shape:
        """The sizes of the model; of its encoder, if it has one."""
        from core.pretrained.engines.engine import Shape

        r = self._trained.recipe
        layers = r.n_encoder_layers or r.n_decoder_layers
        return Shape(layers, r.n_heads, r.d_model // r.n_heads, r.d_model, r.d_model)

    @property
    def gives(self) -> Gives:
        """The quantities that its traces hold."""
        from core.pretrained.engines.engine import Gives

        return Gives(final=self._trained.recipe.norm_first)

    def trace(
        self,
        text: str,
        second: str | None = None,
        *,
        keep: Keep = "all",
        masked: Numbers = (),
        more: Numbers = (),
    ) -> Trace | Seq2SeqTrace:
        """Trace a text, always in full. Without a target, the model writes one itself."""
        if self.kind == "encoder-decoder":
            target = self._with(second or "", more)
            return self._trained.trace(text, target if target.strip() else None)
        if second is not None:
            raise NotSupported(
                "“{name}” learned to read one text at a time. Leave the second text empty.",
                name=self.name,
            )
        return self._trained.trace(self._with(self._masked(text, masked), more))

    def causal_trace(
        self, text: str, second: str | None = None, *, keep: Keep = "all", masked: Numbers = ()
    ) -> Trace:
        """The same with later tokens hidden from every token."""
        if second is not None and self.kind != "encoder-decoder":
            raise NotSupported(
                "“{name}” learned to read one text at a time. Leave the second text empty.",
                name=self.name,
            )
        return self._trained.causal_trace(self._masked(text, masked))

    def trace_many(
        self, texts: Iterable[str], *, keep: Keep = "hidden", batch_size: int = 0
    ) -> list[Trace]:
        """`trace` for each text.

        Raises:
            NotSupported: see `trace`; or if it is an encoder–decoder.
        """
        traces = [self.trace(text) for text in texts]
        if not all(isinstance(one, Trace) for one in traces):
            raise NotSupported(
                "“{name}” reads a source with its target, one pair at a time.",
                name=self.name,
            )
        return [one for one in traces if isinstance(one, Trace)]

    def expects(
        self,
        text: str,
        second: str | None = None,
        *,
        masked: Numbers = (),
        more: Numbers = (),
    ) -> tuple[Expectation, ...]:
        """Its predictions at each mask, or for the next token."""
        if self.predicts is None:
            raise NotSupported(self.no_predictions)
        read = self._with(self._masked(text, masked), more)
        trace = self.trace(read)
        assert isinstance(trace, Trace)
        positions = [len(trace.tokens) - 1]
        if self.predicts == "masked":
            positions = [i for i, token in enumerate(trace.tokens) if token == MASK]
        if not positions:
            raise NotSupported(
                "The text has no mask. Write {mask} where the model should fill in a word.",
                mask=MASK,
            )
        return tuple(self._trained.expectation(read, position) for position in positions)

    def score(self, text: str, *, more: Numbers = (), top: int = 10) -> Score:
        """Not offered for a small model. Raises NotSupported."""
        raise NotSupported(
            "“{name}” knows a few made-up words; a text is scored by a published model.",
            name=self.name,
        )

    def next_token(self, text: str, *, more: Numbers = (), top: int = 10) -> NextToken:
        """What comes next; a small model scores no text."""
        if self.predicts != "next":
            raise NotSupported(
                self.no_predictions or f"“{self.name}” fills in masks; it does not continue a text."
            )
        (found,) = self.expects(text, more=more)
        return NextToken(None, found, _NONE, found.ids, found.tokens, found.texts)

    def next_token_after(
        self,
        before: NextToken,
        text: str,
        written: Sequence[Generated],
        then: Expectation,
        *,
        more: Numbers = (),
    ) -> NextToken:
        """What comes next behind what was written."""
        return NextToken(None, then, _NONE, then.ids, then.tokens, then.texts)

    def patch(self, a: str, b: str, **_: object) -> NoReturn:
        """Not offered for a small model. Raises NotSupported."""
        raise NotSupported(
            "“{name}” knows a few made-up words; two prompts are compared by a published model.",
            name=self.name,
        )

    def patched(self, a: str, b: str, depth: int, positions: Sequence[int]) -> NoReturn:
        """See `patch`."""
        self.patch(a, b)

    def score_changed(self, text: str, *changes: Change, top: int = 10) -> Score:
        """Not offered, as `score`. Raises NotSupported."""
        return self.score(text, top=top)

    def expects_changed(self, text: str, *changes: Change, more: Numbers = ()) -> NoReturn:
        """Not offered; `interventions` has its predictions. Raises NotSupported."""
        raise NotSupported(
            "“{name}” knows a few made-up words; a published model continues a changed text.",
            name=self.name,
        )

    def why(self, text: str, token: int | str, other: int | str | None = None, **_: object) -> NoReturn:
        """Not offered for a small model. Raises NotSupported."""
        raise NotSupported(
            "“{name}” knows a few made-up words; a logit is explained in a published model.",
            name=self.name,
        )

    def first_token(self, word: str) -> NoReturn:
        """See `why`."""
        self.why("", word)

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
        cache: bool = False,
    ) -> Iterator[Generated]:
        """The tokens that it writes next. Raises NotSupported if it writes none."""
        way = Sampling(temperature, top_k, top_p, min_p)
        if self.predicts != "next":
            raise NotSupported(
                self.no_predictions or f"“{self.name}” fills in masks; it does not continue a text."
            )
        return self._generated(text, n, tuple(more), way, seed)

    def _generated(
        self, text: str, n: int, more: tuple[int, ...], way: Sampling, seed: int
    ) -> Iterator[Generated]:
        words = self._trained.target.words
        for _ in range(n):
            (found,) = self.expects(text, more=more)
            if found.position + 1 >= self.max_tokens:
                return
            drawn = choose(found.logits, way, seed, found.position + 1)
            word = words[drawn.id]
            # A model with little training may write a special token inside a text, which could not be
            # read again.
            if word in SPECIAL:
                return
            yield Generated(
                drawn.id, word, word, word, drawn.rank, drawn.probability, drawn.number, found
            )
            more = (*more, drawn.id)

    def contributions(
        self,
        text: str,
        word: str,
        direction: npt.ArrayLike,
        *,
        occurrence: int = 0,
        layer: int | None = None,
    ) -> Contributions:
        """The terms that sum exactly to a word's coordinate along a direction."""
        return self._trained.contributions(text, word, direction, occurrence=occurrence, layer=layer)

    def contributions_by_layer(
        self, text: str, word: str, directions: Sequence[npt.ArrayLike], *, occurrence: int = 0
    ) -> tuple[Contributions, ...]:
        """These terms after each layer, along a direction each."""
        return self._trained.contributions_by_layer(text, word, directions, occurrence=occurrence)

    def sense_axis(self, word: str, low: Sequence[str], high: Sequence[str]) -> SenseAxis:
        """The axis between two senses of a word, from sentences of its toy language."""
        return self._trained.sense_axis(word, low, high)

    def changed(
        self, text: str, each: Iterable[Sequence[Change]], *, keep: Keep = "all"
    ) -> Iterator[Trace]:
        """The text with the changes of each run applied."""
        for changes in each:
            yield self._changed(text, changes, ())[0]

    def interventions(
        self,
        text: str,
        each: Iterable[Sequence[Change]],
        *,
        keep: Keep = "all",
        masked: Numbers = (),
    ) -> Iterator[Intervention]:
        """The results without and with the changes of each run. Each of its words is one token."""
        before, was, at = self._changed(text, (), masked)
        for changes in each:
            after, now, there = self._changed(text, changes, masked)
            pairs = zip(at, there, strict=True)
            expected = tuple(
                Expected(was(i), now(j)) for i, j in pairs if i is not None and j is not None
            )
            yield Intervention(before, after, tuple(changes), expected)

    def _changed(
        self, text: str, changes: Sequence[Change], masked: Numbers
    ) -> tuple[Trace, Callable[[int], Expectation], list[int | None]]:
        """The changed text; the token to predict there; and the positions of the text’s masks."""
        from core.pretrained import token_edits

        plain = self.trace(text)
        assert isinstance(plain, Trace)
        put = [
            (*token_edits.span_of(plain, one.word, one.occurrence, spelling=plain.spelling), one.by)
            for one in changes
            if isinstance(one, Replace)
        ]
        after = token_edits.replaced(text, put)
        there = self.trace(after)
        assert isinstance(there, Trace)
        moved_to = token_edits.moved(plain, there, put)
        find = partial(token_edits.alone, there, spelling=there.spelling, name=self.name)
        hidden = [i for c in changes if isinstance(c, Mask) for i in find(c.word, c.occurrence)]
        hidden += [position for i in masked if (position := moved_to[i]) is not None]
        inside: list[Change] = [c for c in changes if isinstance(c, Ablate)]
        for cut in changes:
            if isinstance(cut, Cut):
                rows, columns = (
                    find(one) if isinstance(one, str) else [one] for one in (cut.query, cut.key)
                )
                inside += [Cut(int(q), int(k), cut.layer, cut.head) for q in rows for k in columns]
        ran, expects = self._trained.changed(self._masked(after, sorted({*map(int, hidden)})), inside)
        known = [i for i, token in enumerate(plain.tokens) if token == MASK or i in masked]
        return ran, expects, [moved_to[i] for i in known]

    def _with(self, text: str, more: Numbers) -> str:
        """The text followed by these tokens, if any."""
        words = self._trained.target.words
        known = [words[i] for i in more if len(SPECIAL) <= i < len(words)]
        if len(known) < len(more):
            raise NotSupported(
                "To “{name}”, that is a special token, not a word: no text can continue with it.",
                name=self.name,
            )
        return self._trained.target.join([text, *known]) if known else text

    def _masked(self, text: str, masked: Numbers) -> str:
        """The text with some of its tokens replaced by the mask."""
        if not masked:
            return text
        trace = self.trace(text)
        assert isinstance(trace, Trace)
        for position in sorted(masked, reverse=True):
            if not 0 <= position < len(trace.offsets) or trace.special[position]:
                raise NotSupported("The text has no such word to mask.")
            start, end = trace.offsets[position]
            text = f"{text[:start]}{MASK}{text[end:]}"
        return text

    def vectors(self, texts: Iterable[str], word: str, *, batch_size: int = 0) -> NoReturn:
        """Not supported: it has read no such sentences."""
        raise NotSupported(
            "“{name}” knows only the few words of its small language, not your sentences.",
            name=self.name,
        )

    def every_word(
        self, texts: Iterable[str], layers: Sequence[int], *, batch_size: int = 0
    ) -> NoReturn:
        """Not supported: it has read no such sentences."""
        self.vectors(texts, "")

    def nearest_words(self, vector: npt.ArrayLike, *, by: str = "cosine", k: int = 10) -> NoReturn:
        """Not supported: its vocabulary is too small."""
        raise NotSupported(
            "This model was trained here: its vocabulary is too small for a list of nearest tokens."
        )

    def spellings(self, ids: Sequence[int]) -> NoReturn:
        """Not supported: it has no word pieces."""
        self.word_pieces()

    def word_pieces(self) -> NoReturn:
        """Not supported: it has no word pieces."""
        raise NotSupported("This model was trained here: its tokens are whole words or letters.")

    @property
    def disentangled(self) -> bool:
        """Its scores are one product."""
        return False

    def score_terms(self, text: str, layer: int, head: int) -> NoReturn:
        """Not supported: its scores are one product."""
        raise NotSupported(
            "The scores of “{name}” have no terms of their own for position.",
            name=self.name,
        )

    def long_attention(self, text: str, *, cells: int = 96) -> NoReturn:
        """Not supported: its texts are short."""
        raise NotSupported(
            "“{name}” was trained on short texts, and reads no long ones.",
            name=self.name,
        )

    @property
    def scratch_encoder(self) -> None:
        """Not supported: it is the paper's whole transformer, not a published encoder."""
        return

    @property
    def scratch_decoder(self) -> None:
        """Not supported: it has an encoder, too."""
        return

    @property
    def untraced(self) -> TrainedModel:
        """The same model."""
        return self

    def cache_cost(self) -> NoReturn:
        """Not counted: it reads its few words anew for each token."""
        raise NotSupported(
            "“{name}” keeps nothing: it reads its few words anew for each token.",
            name=self.name,
        )

    def scratch_head(self) -> None:
        """Not supported: see `scratch_decoder`."""
        return

    @property
    def max_tokens(self) -> int:
        """The number of words of a text that it reads."""
        from core.tasks.trained.reading import MOST_TOKENS

        return MOST_TOKENS

    window = max_tokens

    @property
    def pad_id(self) -> int:
        """The token that pads the shorter texts of a batch."""
        from core.tasks.languages.vocabulary import PAD_ID

        return PAD_ID

    @property
    def n_vocabulary(self) -> int:
        """The number of words in its vocabulary."""
        return len(self._trained.target.words)

    def read(self, text: str) -> NoReturn:
        """Not supported: it has no word pieces."""
        raise NotSupported(
            "“{name}” reads whole words, and this page splits a text into pieces. Choose "
            "MiniLM, another BERT or DistilBERT, or the tiny model.",
            name=self.name,
        )

    def special_in(self, text: str) -> tuple[str, ...]:
        """No text spells one: it reads words of its own vocabulary."""
        return ()

    def output_gram(self) -> None:
        """Not offered for a small model."""
        return

    def position_table(self) -> Array | None:
        """Its learned position embeddings; None if it uses sinusoidal or rotary positions."""
        from core.pretrained.position_table import position_table

        return position_table([self._trained.net])
