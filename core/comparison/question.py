"""What is compared: a word in two sentences, and the two ends of the axis on which it is measured."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

from ..localization import _
from ..records.inflections import same_word
from ..records.spelling import Spelling


class Chosen(NamedTuple):
    """A sentence and one occurrence of a word in it: `trace.find(word, number)`."""

    text: str
    word: str
    number: int


class Ends(NamedTuple):
    """The two ends of a word's axis: words that name a sense, and sentences that contain the word.

    Attributes:
        names: the names of the ends at −1 and +1.
        low: the words and sentences of the end at −1, as for `Model.sense_axis`.
        high: those of the end at +1.
        proposed: whether they were drawn from the sentences themselves; such ends give no verdict.
        guessed: whether they are those meanings of a dictionary that a model found likeliest.
        unsure: whether the model gives that guess too little probability to judge by.
        own: the sentence, "A" or "B", for which a visitor named a meaning that none of those on offer
            has, and the end, "low" or "high", that it is; None if that is not so.
    """

    names: tuple[str, str]
    low: tuple[str, ...]
    high: tuple[str, ...]
    proposed: bool = False
    guessed: bool = False
    unsure: bool = False
    own: tuple[str, str] | None = None


class Question(NamedTuple):
    """All inputs of a comparison: only strings and numbers, and therefore cheap to keep.

    Attributes:
        model: the name of the model.
        a: the word in sentence A.
        b: the word in sentence B.
        ends: the two ends; None if there are none.
    """

    model: str
    a: Chosen
    b: Chosen
    ends: Ends | None

    def side(self, name: str) -> Chosen:
        """The sentence "A" or "B"."""
        return {"A": self.a, "B": self.b}[name]

    @property
    def words(self) -> tuple[str, str]:
        """The word in A and the word in B."""
        return self.a.word, self.b.word

    @property
    def texts(self) -> tuple[str, str]:
        """Sentence A and sentence B."""
        return self.a.text, self.b.text

    @property
    def id(self) -> str:
        """A short name, equal for equal questions in every process."""
        return sha256(repr(self).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def is_one_word(self, spelling: Spelling) -> bool:
        """Whether both are the same word, perhaps in two forms: "bank" and "banks"."""
        return same_word(*self.words, spelling)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the paths in a picture: A, B, and each word alone."""
        if self.a.word == self.b.word:
            return "A", "B", _("alone")
        return "A", "B", *(_("{word} alone").format(word=word) for word in self.words)
