"""The texts of a corpus as one long row of words and signs, in which queries are looked for.

LanceDB keeps the words in the order of their spelling, which is right for one word and its vectors, and
wrong for words in a row. `Tokens` is the other order, in memory: two numbers a word, 12 bytes. A query
is answered by comparing whole columns, so that a million words take some milliseconds a part.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ...errors import CorpusError
from ...records.finding import STAR
from ...records.frozen import Record
from .query import Both, Choice, Either, Form, Part, Repeat, Row, Test, Token

MOST_TOKENS = 20_000_000  # words and signs of a corpus in which queries are looked for: 240 MB
MOST_PAIRS = 4_000_000  # beginnings and ends of what is being matched
_SIGN = 0  # the number of every sign
_NOWHERE = -1  # the row of a sign

Bits = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]
_SPECIAL = frozenset(r"\.+*?()|[]{}^$")


@dataclass(frozen=True, eq=False)
class Tokens(Record):
    """All words and signs of a corpus, in the order of the texts.

    Attributes:
        form: (tokens,) int32, the number of each in `keys`; 0 is a sign.
        sentence: (tokens,) int64, the number of its sentence, ascending.
        row: (tokens,) int64, its row in the table of words; −1 for a sign, which has none.
        keys: (forms,), under which the corpus finds each form; "" for signs.
        written: (forms,), as the texts write it, as far as the corpus keeps that.
    """

    form: npt.NDArray[np.int32]
    sentence: Numbers
    row: Numbers
    keys: tuple[str, ...]
    written: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.form)

    @property
    def nbytes(self) -> int:
        """About how much memory they take."""
        return int(self.form.nbytes + self.sentence.nbytes + self.row.nbytes) + 150 * len(self.keys)

    @cached_property
    def is_word(self) -> Bits:
        """(tokens,): whether each is a word, and no sign."""
        is_word: Bits = self.form != _SIGN
        return is_word

    @cached_property
    def counts(self) -> Numbers:
        """(forms,): how often each occurs; signs 0 times."""
        counts = np.bincount(self.form, minlength=len(self.keys))
        counts[_SIGN] = 0
        return counts

    @cached_property
    def of_rows(self) -> Numbers:
        """(rows,): the token of each row of the table of words."""
        spoken = np.flatnonzero(self.is_word)
        of = np.full(int(self.row.max(initial=-1)) + 1, _NOWHERE, np.int64)
        of[self.row[spoken]] = spoken
        return of

    @cached_property
    def _arrow(self) -> tuple[pa.Array, pa.Array]:
        return pa.array(self.keys), pa.array(self.written)


class Forms(NamedTuple):
    """What a corpus knows of its forms, for the tests of a query.

    Attributes:
        same: word -> the keys under which it is found, other spellings included.
        key: a part of a word -> how it is compared.
        lemmas: returns (forms,), the lemma of each form.
        lemma: word -> its lemma.
        shapes: returns (tokens,), every word with its upper and lower case, and all of these once.
    """

    same: Callable[[str], Collection[str]]
    key: Callable[[str], str]
    lemmas: Callable[[], Sequence[str]]
    lemma: Callable[[str], str]
    shapes: Callable[[], tuple[npt.NDArray[np.int32], Sequence[str]]]


class Matches(NamedTuple):
    """Where a query was found, in the order of the texts.

    Attributes:
        start: (matches,), the first token of each.
        end: (matches,), the one behind its last.
    """

    start: Numbers
    end: Numbers


def in_order(
    words: Sequence[str],
    written: Sequence[str],
    form: npt.NDArray[np.int64],
    sentence: Numbers,
    position: Numbers,
    row: Numbers,
) -> Tokens:
    """The tokens, out of the rows of words in any order.

    Positions count signs as well, which have no rows: where one is left out, a sign stands. Signs
    behind the last word of a sentence are not known, and never matter.

    Args:
        words: the keys of the forms.
        written: their spellings.
        form: (rows,), the number of each row's form in `words`.
        sentence: (rows,), see `Tokens`.
        position: (rows,), the number of the word in its sentence.
        row: (rows,), see `Tokens`.

    Raises:
        CorpusError: there are more than `MOST_TOKENS`.
    """
    order = np.lexsort([position, sentence])
    form, sentence, position, row = form[order], sentence[order], position[order], row[order]
    new = np.empty(len(sentence), bool)
    new[:1] = True
    new[1:] = sentence[1:] != sentence[:-1]
    # From a word to the next one of its sentence, so many tokens; a sentence begins with its position.
    step = np.where(new, position + 1, np.diff(position, prepend=0))
    at = np.cumsum(step) - 1
    count = int(at[-1]) + 1 if len(at) else 0
    if count > MOST_TOKENS:
        raise CorpusError(
            "Queries are looked for in corpora of up to {most_tokens:,} words and signs; "
            "this one has more. Ask for a word or a phrase.",
            most_tokens=MOST_TOKENS,
        )
    forms = np.full(count, _SIGN, np.int32)
    forms[at] = form + 1
    rows = np.full(count, _NOWHERE, np.int64)
    rows[at] = row
    # Signs belong to the sentence of the next word.
    sentences = np.repeat(sentence, step) if count else sentence
    return Tokens(forms, sentences, rows, ("", *words), ("", *written))


def find(tokens: Tokens, part: Part, forms: Forms) -> Matches:
    """Where a query stands, within sentences.

    At each place the shortest match counts, and of those that end together the one that begins first:
    `"very"* "good"` is found once in "very very good", as a whole (the standard strategy of CQP).

    Raises:
        CorpusError: too much would match, or a regular expression cannot be read.
    """
    masks: dict[Token, Bits] = {}

    def mask(token: Token) -> Bits:
        if token not in masks:
            masks[token] = _mask(tokens, token, forms)
        return masks[token]

    begin = _may_begin(part, mask)
    start = np.flatnonzero(begin) if begin is not None else np.arange(len(tokens))
    start, end = _ends(tokens, part, mask, start, start)
    start, end = start[end > start], end[end > start]
    order = np.lexsort([end, start])
    start, end = start[order], end[order]
    first = np.r_[True, start[1:] != start[:-1]][: len(start)]
    start, end = start[first], end[first]
    order = np.lexsort([start, end])
    start, end = start[order], end[order]
    longest = np.r_[True, end[1:] != end[:-1]][: len(end)]
    start, end = start[longest], end[longest]
    words = np.concatenate([[0], np.cumsum(tokens.is_word)])
    spoken = words[end] > words[start]  # signs alone are no match: they have no vector
    order = np.argsort(start[spoken], kind="stable")
    return Matches(start[spoken][order], end[spoken][order])


def _ends(
    tokens: Tokens, part: Part, mask: Callable[[Token], Bits], start: Numbers, at: Numbers
) -> tuple[Numbers, Numbers]:
    """From pairs of a beginning and of what is read up to, those behind a part; each pair once."""
    if isinstance(part, Token):
        inside = at < len(tokens)
        start, at = start[inside], at[inside]
        fits = mask(part)[at] & (tokens.sentence[at] == tokens.sentence[start])
        return start[fits], at[fits] + 1
    if isinstance(part, Row):
        for one in part.of:
            start, at = _ends(tokens, one, mask, start, at)
        return start, at
    if isinstance(part, Choice):
        return _once([_ends(tokens, one, mask, start, at) for one in part.of], len(tokens))
    found = [(start, at)] if not part.least else []
    for times in range(1, part.most + 1):
        start, at = _ends(tokens, part.of, mask, start, at)
        if not len(start):
            break
        if times >= part.least:
            found.append((start, at))
            _bounded(found)
    return _once(found, len(tokens))


def _once(found: Sequence[tuple[Numbers, Numbers]], count: int) -> tuple[Numbers, Numbers]:
    """All pairs of several lists, each once."""
    if not found:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    if len(found) == 1:
        return found[0]
    _bounded(found)
    both = np.unique(np.concatenate([start * (count + 1) + at for start, at in found]))
    return both // (count + 1), both % (count + 1)


def _bounded(found: Sequence[tuple[Numbers, Numbers]]) -> None:
    """Raise an error where there are too many pairs to go on with."""
    if sum(len(start) for start, _ in found) > MOST_PAIRS:
        raise CorpusError("This query matches too much: name a rarer word, or fewer in between.")


def _may_begin(part: Part, mask: Callable[[Token], Bits]) -> Bits | None:
    """(tokens,): where a part may begin, or None if it may begin anywhere."""
    if isinstance(part, Token):
        return mask(part)
    if isinstance(part, Row):
        return _may_begin(part.of[0], mask)
    if isinstance(part, Repeat):
        return _may_begin(part.of, mask) if part.least else None
    every = np.zeros(0, bool)
    for one in part.of:
        own = _may_begin(one, mask)
        if own is None:
            return None
        every = every | own if len(every) else own
    return every


def _mask(tokens: Tokens, token: Token, forms: Forms) -> Bits:
    """(tokens,): for which tokens it holds."""
    if token.test is None:
        return np.ones(len(tokens), bool) if token.signs else tokens.is_word
    return _holds(tokens, token.test, forms) & tokens.is_word


def _holds(tokens: Tokens, test: Test, forms: Forms) -> Bits:
    """(tokens,): for which words a test holds; of signs it says nothing."""
    if isinstance(test, Both | Either):
        joined = np.logical_and if isinstance(test, Both) else np.logical_or
        every: Bits = joined.reduce([_holds(tokens, one, forms) for one in test.of])
        return every
    if not isinstance(test, Form):
        return ~_holds(tokens, test.of, forms)
    if test.cased:
        numbers, shapes = forms.shapes()
        return _matching(pa.array(shapes), test.value)[numbers]
    return _fitting(tokens, test, forms)[tokens.form]


def _fitting(tokens: Tokens, test: Form, forms: Forms) -> Bits:
    """(forms,): which forms a test fits, whatever their case."""
    keys, written = tokens._arrow
    if test.attribute == "lemma":
        lemmas = pa.array([one.lower() for one in forms.lemmas()])
        if test.by == "word":
            own = {test.value.lower(), forms.lemma(test.value).lower()}
            return np.asarray(pc.is_in(lemmas, pa.array(sorted(own))))
        return _matching(lemmas, test.value, loose=True)
    if test.by == "word":
        return np.asarray(pc.is_in(keys, pa.array(sorted(forms.same(test.value)))))
    if test.by == "wildcards":
        return _matching(keys, _expression(test.value, forms.key))
    return _matching(keys, test.value, loose=True) | _matching(written, test.value, loose=True)


def _expression(typed: str, key: Callable[[str], str]) -> str:
    """A word with `*` for any letters and `?` for one, as a regular expression."""
    signs = {STAR: ".*", "?": "."}
    found, letters = "", ""
    for sign in f"{typed} ":
        if sign in signs or sign == " ":
            found += "".join(f"\\{one}" if one in _SPECIAL else one for one in key(letters)) * bool(
                letters
            )
            found, letters = found + signs.get(sign, ""), ""
        else:
            letters += sign
    return found


def _matching(texts: pa.Array, expression: str, *, loose: bool = False) -> Bits:
    """Which texts a regular expression matches as a whole, by RE2: in time in proportion to them.

    Raises:
        CorpusError: RE2 cannot read it.
    """
    try:
        found = pc.match_substring_regex(texts, f"^(?:{expression})$", ignore_case=loose)
    except (pa.ArrowInvalid, ValueError):
        raise CorpusError(
            "“{expression}” is no regular expression; look for brackets that are not "
            "closed, and for \\1 and (?=…), which are not known here.",
            expression=expression[:40],
        ) from None
    return np.asarray(found)
