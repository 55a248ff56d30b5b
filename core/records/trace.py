"""`Trace`: frozen, labelled NumPy arrays, the only currency between model and picture.

Torch ends where a `Trace` begins. A trace checks itself when it is created and cannot be changed
afterwards; a cache can therefore hand the same record to everyone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from ..errors import NotSupported, WordNotFound
from ..localization import N_
from . import data_frames, finding, words
from .attention import Attention, Scores, before_softmax
from .frozen import Array, Record, frozen
from .indices import index, is_index
from .spelling import CASED, UNCASED, Spelling
from .words import Occurrence

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SINK", "Array", "Attention", "Record", "Scores", "Trace", "frozen"]

SINK = N_("first token (sink)")  # the name of a part of its own: `Trace.first_is_sink`


@dataclass(frozen=True, eq=False, repr=False)
class Trace(Record):
    """One text, or a pair of texts, on its way through one encoder or decoder.

    Attributes:
        tokens: the pieces as the tokenizer names them ("##ing" continues a word).
        word_ids: for each token, the index of its word by the rules of `core.records.words`, counted
            through both texts of a pair; None for special tokens.
        segments: for each token, 0, or 1 in the second text of a pair.
        offsets: for each token, `(start, end)` in characters of its text; (0, 0) or empty if special.
        special: for each token, whether it is not part of the text: the model's template added it
            ([CLS], [SEP]), or the model wrote it as a control token.
        left_out: `(start, end)`, the characters that were truncated because the text was too long; None
            if none were. For a pair, those of the first of the two that was cut; `left_out_by_text` has
            both.
        learned: (tokens, d_embedding), the rows of the word-embedding table.
        embedded: (tokens, d_model), the input of layer 0.
        hidden: (layers, tokens, d_model), the output of layer i, before any final norm.
        final: (tokens, d_model) after the final norm, if the architecture has one.
        attention: the self-attention of every layer and head.
        query, key, value: (layers, heads, tokens, d_head), as they enter the product: rotated if
            positions are rotations; a key that several heads share is repeated for each of them.
        model: the model's name.
        texts: the text, or the two texts of a pair, as they were read.
        left_out_by_text: `left_out` for each text.
        cased: whether the model distinguishes "Bank" and "bank".
        spelling: which spellings the model reads alike; by default, all that differ at most in what
            nobody sees, and in case if it is not `cased`.
        causal: whether a token sees only itself and earlier tokens.
        scale: for each layer, the factor of query·key; None means 1/√d_head in all layers.
        bias: added to the scores: (heads, queries, keys) if every layer adds the same (T5's position
            bias), otherwise (layers, heads, queries, keys).
        products: whether the model exposes query and key.
        why_no_products: why it does not, in a sentence; "" if it does.
        masked: (layers, queries, keys) bool, the cells that each layer may not see. None if `causal`
            describes the mask of all layers (it does not for local attention).
        softcap: c, if scores are squashed to c·tanh(score/c) before the bias is added (Gemma 2).

    A layer of a hybrid model may have no attention, and a model may have fewer heads in some layers.
    The rows of such weights are missing (see `core.Attention`), and query, key and value are NaN.

    Anything that `Model.trace(..., keep=...)` left out is None.

    Raises:
        ValueError: a shape does not fit the tokens, or a number is not finite.
    """

    tokens: tuple[str, ...]
    word_ids: tuple[int | None, ...]
    segments: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]
    special: tuple[bool, ...]
    left_out: tuple[int, int] | None
    learned: Array
    embedded: Array
    hidden: Array | None
    final: Array | None
    attention: Attention | None
    query: Array | None
    key: Array | None
    value: Array | None
    model: str
    texts: tuple[str, ...] = ()
    left_out_by_text: tuple[tuple[int, int] | None, ...] = ()
    cased: bool = True
    causal: bool = False
    scale: tuple[float, ...] | None = None
    bias: Array | None = None
    products: bool = True
    why_no_products: str = ""
    masked: Array | None = None
    softcap: float | None = None
    spelling: Spelling = CASED

    def __post_init__(self) -> None:
        self._freeze("learned", "embedded", "hidden", "final", "query", "key", "value", "bias")
        if self.masked is not None:
            object.__setattr__(self, "masked", frozen(self.masked, bool))
        if self.spelling.cased != self.cased:
            object.__setattr__(self, "spelling", CASED if self.cased else UNCASED)
        n = len(self.tokens)
        for name in ("word_ids", "segments", "offsets", "special"):
            if len(getattr(self, name)) != n:
                raise ValueError(f"{name} has {len(getattr(self, name))} entries for {n} tokens.")
        for name in ("learned", "embedded", "final", "hidden", "query", "key", "value"):
            axes = {"hidden": 1, "query": 2, "key": 2, "value": 2}.get(name, 0)
            self._check(name, (*(None,) * axes, n, None))
        by_layer = self.bias is not None and self.bias.ndim == 4
        self._check("bias", (*(None,) * (1 + by_layer), n, n))
        self._check("masked", (None, n, n))
        attention = self.attention
        if attention is not None and not attention.queries == attention.keys == self.tokens:
            raise ValueError("The labels of the attention are not the tokens.")
        steps = (attention, self.query, self.key, self.value)
        of_heads: list[tuple[int, ...]] = [a.shape for a in steps if a is not None]
        by_layers = (self.hidden, self.masked, self.bias if by_layer else None)
        of_layers = of_heads + [a.shape for a in by_layers if a is not None]
        for axis, what, shapes in ((0, "layers", of_layers), (1, "heads", of_heads)):
            counts = {shape[axis] for shape in shapes}
            if len(counts) > 1:
                raise ValueError(f"The arrays disagree on the number of {what}: {sorted(counts)}.")

    def _check(self, name: str, shape: tuple[int | None, ...]) -> None:
        array = getattr(self, name)
        if array is None:
            return
        fits = len(shape) == array.ndim and all(
            want in (None, have) for want, have in zip(shape, array.shape, strict=True)
        )
        if not fits:
            raise ValueError(f"{name} has the shape {array.shape}, not {shape} (None: any).")
        numbers = array.ravel(order="K")
        with np.errstate(over="ignore", invalid="ignore"):
            # A sum that is finite has finite terms alone, and takes half as long as asking each number.
            if np.isfinite(np.dot(numbers, numbers)):
                return
        there = array
        if name in ("query", "key", "value"):  # the numbers of a missing layer or head are NaN
            there = array[~np.isnan(array).all(axis=(2, 3))]
        if not np.isfinite(there).all():
            raise ValueError(f"{name} contains numbers that are not finite.")

    @property
    def contextual(self) -> Array:
        """(tokens, d_model): the model's final vector of each token, after the final norm if any.

        Raises:
            NotSupported: the trace was made with `keep="attention"`.
        """
        if self.final is not None:
            return self.final
        if self.hidden is None:
            raise NotSupported("This trace has no hidden states. Ask for keep='hidden' or keep='all'.")
        last: Array = self.hidden[-1]
        return last

    @property
    def first_is_sink(self) -> bool:
        """Whether the first token is a word of the text and the attention sink at once.

        The heads of a model that reads from left to right rest on its first token. If no token of the
        template (a BOS) takes that place, a word does, and its vector says little about the word.
        """
        return self.causal and len(self.tokens) > 1 and not self.special[0]

    @property
    def apart(self) -> tuple[bool, ...]:
        """For each token, whether it counts as none of the words: special, or the sink."""
        return (self.first_is_sink or self.special[0], *self.special[1:]) if self.tokens else ()

    @property
    def grid(self) -> tuple[int, int]:
        """The number of layers and of heads.

        Raises:
            NotSupported: the trace has no attention.
        """
        if self.attention is None:
            raise NotSupported("This trace has no attention. Ask for keep='attention' or keep='all'.")
        return self.attention.shape[:2]

    def scores(self, layer: int, head: int) -> Scores:
        """The scores of one head before softmax, (queries, keys); indices from 0. See `core.Scores`.

        A score is query·key times `scale`, plus `bias`. An encoder masks only what lies outside the
        window of a local layer; a causal model masks everything after the query.

        Raises:
            NotSupported: the trace has no query and key, or this layer has no such head.
            OutOfRange: there is no such layer or head (an IndexError).
        """
        if not self.products:
            raise NotSupported(
                f"“{self.model}” provides no query and key: "
                + (
                    self.why_no_products
                    or "transformers computes its attention in a way that Polysee cannot record."
                )
                + " Its weights are available."
            )
        if self.query is None or self.key is None:
            raise NotSupported("This trace has no query and key. Ask for keep='all'.")
        layer = index(layer, len(self.query), "layer")
        head = index(head, self.query.shape[1], "head")
        if np.isnan(self.query[layer, head]).any():
            raise NotSupported(f"“{self.model}” has no head {head} in layer {layer} (counted from 0).")
        return before_softmax(
            self.query[layer, head],
            self.key[layer, head],
            scale=None if self.scale is None else self.scale[layer],
            bias=self._bias(layer, head),
            causal=self.causal,
            masked=None if self.masked is None else self.masked[layer],
            softcap=self.softcap,
        )

    def _bias(self, layer: int, head: int) -> Array | None:
        """(queries, keys), the bias added to the scores of this head; None without one."""
        if self.bias is None:
            return None
        of_layer = self.bias[layer] if self.bias.ndim == 4 else self.bias
        bias: Array = of_layer[head if len(of_layer) > 1 else 0]
        return bias

    def find(self, word: str, occurrence: int = 0, segment: int | None = None) -> Array:
        """The indices of the tokens of one occurrence of the whole word (or phrase).

        Args:
            word: found by the rules of `core.records.finding`: in every spelling that the model reads
                alike or that sets the same letters otherwise ("ﬁne"), with the particles of its
                language ("은행" in "은행에서"), and with a star as a part of a word ("bank*").
            occurrence: which one, from 0, from left to right.
            segment: 0 or 1 searches only that text of a pair; None searches both.

        Returns:
            (pieces,) int64, ascending.

        Raises:
            WordNotFound: the message lists the words of the text.
            OutOfRange: the occurrence or the segment is no whole number.
        """
        occurrences = self.find_all(word, segment)
        if not is_index(occurrence):
            index(occurrence, len(occurrences), "occurrence")
        if not 0 <= occurrence < len(occurrences):
            here = () if occurrences else self.words(segment)
            why = finding.why_not_found(
                word, here, occurrence=occurrence, count=len(occurrences), spelling=self.spelling
            )
            cut = " Whatever did not fit the model was left out." if self.left_out else ""
            raise WordNotFound(why + cut)
        return occurrences[occurrence]

    def find_all(self, word: str, segment: int | None = None) -> list[Array]:
        """`find` for every occurrence, from left to right; an empty list if there is none."""
        return [frozen(tokens, np.int64) for *_, tokens in self._places(word, segment)]

    def to_frame(
        self, vectors: Literal["learned", "embedded", "contextual"] | int | None = None
    ) -> pd.DataFrame:
        """A pandas table with one row for each token.

        The columns, all counted from 0:

            position, token     as the tokenizer names it
            word                the index of its word; <NA> for special tokens
            segment             0, or 1 in the second text of a pair
            start, end          its characters in its text
            special             whether it is not part of the text
            d0, d1, …           the numbers of its vector, without unit; only if `vectors` is given

        Args:
            vectors: which vector of each token to add: a row of the word-embedding table, the input of
                layer 0, the final vector, or the number of a layer, whose output it is.

        Raises:
            NotSupported: the trace has no such vectors, or pandas is not installed.
            OutOfRange: there is no such layer (an IndexError).
        """
        table = data_frames.frame(
            {
                "position": range(len(self.tokens)),
                "token": list(self.tokens),
                "word": list(self.word_ids),
                "segment": list(self.segments),
                "start": [start for start, _ in self.offsets],
                "end": [end for _, end in self.offsets],
                "special": list(self.special),
            }
        ).astype({"word": "Int64"})
        if vectors is None:
            return table
        rows = self._vectors(vectors)
        return table.join(data_frames.frame({f"d{i}": column for i, column in enumerate(rows.T)}))

    def _vectors(self, which: str | int) -> Array:
        """(tokens, width): the vectors that `to_frame` adds for `which`."""
        if not isinstance(which, str):
            if self.hidden is None:
                raise NotSupported(
                    "This trace has no hidden states. Ask for keep='hidden' or keep='all'."
                )
            of_layer: Array = self.hidden[index(which, len(self.hidden), "layer")]
            return of_layer
        if which not in ("learned", "embedded", "contextual"):
            raise NotSupported(
                "A token has a learned, an embedded and a contextual vector, not {which!r}.",
                which=which,
            )
        rows: Array = getattr(self, which)
        return rows

    def occurrences(
        self, segment: int | None = None, *, of: str | None = None
    ) -> tuple[Occurrence, ...]:
        """Every word of the text that reached the model, with its tokens, from left to right.

        Args:
            segment: as in `find`.
            of: a word or phrase; only where `find` finds it. Each word has its own name and number: for
                "bank*", "bank" and "banker".
        """
        if of is not None:
            own = {(one.start, one.end, *one.tokens): one for one in self.occurrences(segment)}
            return tuple(
                own.get((start, end, *tokens))
                or Occurrence(self.texts[text][start:end], number, start, end, tokens)
                for number, (text, start, end, tokens) in enumerate(self._places(of, segment))
            )
        every: list[Occurrence] = []
        counts = words.Counts(self.spelling)
        for number, text in self._in(segment):
            spans, end = self._spans(number), self._end(number)
            every += words.occurrences(text, spans, counts, spelling=self.spelling, end=end)
        return tuple(every)

    def _places(self, word: str, segment: int | None) -> list[tuple[int, int, int, Array]]:
        """Where `find` finds a word: its text, its characters there, and its tokens."""
        there = self._in(segment)
        found = finding.spans_in([text for _, text in there], word, spelling=self.spelling)
        return [
            (number, start, end, tokens)
            for (number, _), own in zip(there, found, strict=True)
            for start, end, tokens in finding.with_tokens(own, self._spans(number), self._end(number))
        ]

    def words(self, segment: int | None = None) -> tuple[str, ...]:
        """The different words of the text that reached the model, in order of appearance.

        Words that the model reads alike count as one.
        """
        return tuple(dict.fromkeys(occurrence.word for occurrence in self.occurrences(segment)))

    def _in(self, segment: int | None) -> list[tuple[int, str]]:
        """The number and the text of one segment, or of both."""
        if segment is not None and not is_index(segment):
            index(segment, len(self.texts), "segment")
        return [(i, text) for i, text in enumerate(self.texts) if segment in (None, i)]

    def _end(self, text: int) -> int:
        cut = self.left_out_by_text[text] if self.left_out_by_text else self.left_out
        return cut[0] if cut else len(self.texts[text])

    def _spans(self, text: int) -> Array:
        """(tokens, 2): the characters of each token of one text; (0, 0), which is empty, for others."""
        spans = np.array(self.offsets, dtype=np.int64).reshape(-1, 2)
        spans[np.array(self.segments) != text] = 0
        return spans

    def __repr__(self) -> str:
        text = self.texts[0] if self.texts else " ".join(self.tokens)
        short = text if len(text) <= 40 else text[:39] + "…"
        return f"<core.Trace of {len(self.tokens)} tokens by {self.model!r}: {short!r}>"
