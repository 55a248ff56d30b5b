r"""What is looked for in a corpus, as it is typed: words in a row, by the simple rules or in CQL.

The simple rules, for a box into which people type:

    on the * of          * alone is any one word
    key*  *ing  wom?n    * is any letters, none included, and ? is one letter
    bank|shore           either
    [go]                 every form that a dictionary lists under a word: go, goes, went, going
    very *{0,3} good     {0,3}: so many times; +, * and ? do so too behind a bracket

and what is common to the corpus query languages of the IMS Corpus Workbench and of Sketch Engine:

    [lemma="bank"] []{0,2} "of"
    [word="Bank" | lemma="shore"] [lemma!="the"]
    ("in" "this" | "in" "that") "case" %c

There, a value is a regular expression for the whole word, `"bank"` is short for `[word="bank"]`, `[]`
is any word or sign, and upper and lower case differ unless `%c` follows, the only flag that is known
here (behind a word without quotation marks it changes nothing). `word` and `lemma` are the attributes;
this corpus has no parts of speech.

`parse` makes a tree of it, which knows nothing of a corpus; `tokens` looks for it.

Source of the syntax: Evert and the CWB Development Team, The IMS Open Corpus Workbench: CQP query
language tutorial, version 3.5 (2022), sections 2 and 3.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple, NoReturn

from ...errors import CorpusError
from ...records.finding import STAR
from ...records.words import split

MOST_CHARACTERS = 500
MOST_REPEATED = 20  # times that one part may stand in a row
MOST_PARTS = 30  # words and brackets of a query
_ONE = "?"  # in a simple word, one letter
# What makes a text a query; else it is a word or a phrase, as everywhere in Polysee.
# `bank%c` has a flag of CQL: no word has a percent sign in it.
_SIGNS = re.compile(r"\[|\||\{\d|\?\w|</?s>|[\w*]\s?%\s?[cdl]{1,3}(?!\S)")
# Words in quotation marks: several, or one with a flag, a repetition or `within s` behind it.
_VALUES = re.compile(
    r"""\(?\s* "(?:[^"\\]|\\.)*"
    \s* (?: %\s*[cdl] | [+*?{"(] | \|\s*" | within\s+(?:<s\s*/>|s)\s*$ )""",
    re.VERBOSE,
)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_TIMES = re.compile(r"\{\s*(\d{1,4})\s*(?:(,)\s*(\d{1,4})?\s*)?\}")
_FLAG = re.compile(r"\s*%\s*(\w+)")
_NAME = re.compile(r"[A-Za-z_]+")
_WITHIN = re.compile(r"within\s+(?:<s\s*/>|s)\s*$")
_ATTRIBUTES = ("word", "lemma")


@dataclass(frozen=True)
class Form:
    """The test of one word by its letters.

    Attributes:
        attribute: of what: the word as its text has it, or its lemma.
        value: a word, a word with `*` and `?`, or a regular expression for all of it.
        by: which of these three.
        cased: whether upper and lower case differ.
    """

    attribute: Literal["word", "lemma"]
    value: str
    by: Literal["word", "wildcards", "expression"]
    cased: bool = False


@dataclass(frozen=True)
class Not:
    """What a test does not hold for; signs are none of it."""

    of: Test


@dataclass(frozen=True)
class Both:
    """All of some tests."""

    of: tuple[Test, ...]


@dataclass(frozen=True)
class Either:
    """One of some tests, at least."""

    of: tuple[Test, ...]


Test = Form | Not | Both | Either


@dataclass(frozen=True)
class Token:
    """One word for which a test holds; with None, any word.

    Attributes:
        test: what holds for it.
        signs: whether a sign, such as a comma, counts as well; only where there is no test.
    """

    test: Test | None
    signs: bool = False


@dataclass(frozen=True)
class Row:
    """Several parts, one behind the other."""

    of: tuple[Part, ...]


@dataclass(frozen=True)
class Choice:
    """One of several parts."""

    of: tuple[Part, ...]


@dataclass(frozen=True)
class Repeat:
    """A part, from `least` to `most` times in a row."""

    of: Part
    least: int
    most: int


Part = Token | Row | Choice | Repeat


class _Read(NamedTuple):
    """What was read, and the character behind it."""

    part: Part
    at: int


def is_query(text: str) -> bool:
    """Whether a text asks for more than a word, a word with stars, or a phrase.

    >>> [is_query(one) for one in ("bank", "bank*", "in this case", "on the * of", '"in" "this"')]
    [False, False, False, True, True]
    """
    own = text.strip()
    if _SIGNS.search(own) or _VALUES.match(own):
        return True
    words = own.split()
    return len(words) > 1 and any(STAR in one for one in words)


def parse(text: str) -> Part:
    """The tree of a query.

    Args:
        text: in either of the two ways above.

    Raises:
        CorpusError: it is neither; the message says where it stops being one.
    """
    own = text.strip()
    if not own or len(own) > MOST_CHARACTERS:
        raise CorpusError(
            "A query has 1 to {most_characters} characters.",
            most_characters=MOST_CHARACTERS,
        )
    parser = _Parser(own)
    part = parser.whole()
    if _most_repeated(part) > MOST_REPEATED**2:
        raise CorpusError("Repetitions in this query stand too deep in each other.")
    if _may_be_empty(part):
        raise CorpusError("Everything in this query may be left out: name a word that must be there.")
    return part


class _Parser:
    """Reads a query from left to right; `at` is the next character."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.parts = 0
        self.at = 0
        self.depth = 0

    def whole(self) -> Part:
        part = self._choice(closed=False)
        self._spaces()
        if self.at < len(self.text) and not _WITHIN.match(self.text, self.at):
            self._refuse("is not expected here")
        return part

    def _choice(self, *, closed: bool) -> Part:
        """Rows between bars, to the closing bracket or the end."""
        rows = [self._row(closed)]
        while self._next("|"):
            rows.append(self._row(closed))
        return rows[0] if len(rows) == 1 else Choice(tuple(rows))

    def _row(self, closed: bool) -> Part:
        parts: list[Part] = []
        while True:
            self._spaces()
            here = self.text[self.at : self.at + 1]
            if not here or here in "|)" or _WITHIN.match(self.text, self.at):
                break
            self.parts += 1
            if self.parts > MOST_PARTS:
                raise CorpusError(
                    "A query has at most {most_parts} words and brackets.",
                    most_parts=MOST_PARTS,
                )
            parts.append(self._repeated(self._one()))
        if not parts:
            self._refuse("is where a word is missing" if closed or here else "has no word")
        return parts[0] if len(parts) == 1 else Row(tuple(parts))

    def _one(self) -> Part:
        here = self.text[self.at]
        if here == "(":
            self.at += 1
            self.depth += 1
            if self.depth > MOST_PARTS:
                raise CorpusError("The brackets of this query stand too deep in each other.")
            part = self._choice(closed=True)
            self.depth -= 1
            if not self._next(")"):
                self._refuse("is where a “)” is missing")
            return part
        if here == "[":
            return self._bracket()
        if here == '"':
            return Token(Form("word", *self._value()))
        return self._simple()

    def _simple(self) -> Part:
        """A word that is typed without quotation marks, up to a space or a bracket; `a|b` is either."""
        start = self.at
        if self.text[start] in "]{}":
            self._refuse("is not expected here")
        if self.text.startswith(("<s>", "</s>"), start):
            self._refuse("is not known here: a query lies within one sentence, at any place of it")
        if self.text[start] == "%":
            self._refuse("stands behind no word and no value in quotation marks")
        while self.at < len(self.text) and not self.text[self.at].isspace():
            if self.text[self.at] in '[]()"{}' or _FLAG.match(self.text, self.at):
                break
            self.at += 1
        typed = self.text[start : self.at]
        self._flag()  # of words without quotation marks, case never counts
        choices = [self._typed(one) for one in typed.split("|") if one]
        if not choices:
            self.at = start
            self._refuse("stands between no two words")
        return choices[0] if len(choices) == 1 else Choice(tuple(choices))

    def _typed(self, word: str) -> Part:
        if not word.strip(STAR):
            return Token(None)
        if STAR in word or _ONE in word.strip(_ONE):
            return Token(Form("word", word, "wildcards"))
        spoken = [one.text for one in split(word) if any(map(str.isalnum, one.text))]
        if not spoken:
            self._refuse("has no letter")
        each = tuple(Token(Form("word", one, "word")) for one in spoken)
        return each[0] if len(each) == 1 else Row(each)

    def _bracket(self) -> Part:
        """`[]`, `[go]`, or the tests of one word."""
        end = self.text.find("]", self.at)
        inside = self.text[self.at + 1 : end].strip() if end > 0 else ""
        if end > 0 and not inside:
            self.at = end + 1
            return Token(None, signs=True)
        if inside and '"' not in inside and "=" not in inside:
            self.at = end + 1
            forms = tuple(Form("lemma", one.strip(), "word") for one in inside.split("|"))
            self._flag()
            return Token(forms[0] if len(forms) == 1 else Either(forms))
        self.at += 1
        test = self._tests("|", lambda: self._tests("&", self._test, Both), Either)
        if not self._next("]"):
            self._refuse("is where a “]” is missing")
        return Token(test)

    def _tests(
        self, sign: str, one: Callable[[], Test], joined: Callable[[tuple[Test, ...]], Test]
    ) -> Test:
        tests = [one()]
        while self._next(sign):
            tests.append(one())
        return tests[0] if len(tests) == 1 else joined(tuple(tests))

    def _test(self) -> Test:
        self.parts += 1
        if self.parts > MOST_PARTS:
            raise CorpusError(
                "A query has at most {most_parts} words and brackets.",
                most_parts=MOST_PARTS,
            )
        if self._next("!"):
            return Not(self._test())
        if self._next("("):
            test = self._tests("|", lambda: self._tests("&", self._test, Both), Either)
            if not self._next(")"):
                self._refuse("is where a “)” is missing")
            return test
        self._spaces()
        name = _NAME.match(self.text, self.at)
        if not name or name[0] not in _ATTRIBUTES:
            self._refuse('is no attribute: a word here has “word” and “lemma”, such as [lemma="go"]')
        self.at = name.end()
        opposite = self._next("!")
        if not self._next("="):
            self._refuse("is where “=” or “!=” is missing")
        self._spaces()
        value, by, cased = self._value()
        # A lemma is written as its dictionary does; case tells no two of them apart here.
        form = Form("word" if name[0] == "word" else "lemma", value, by, cased and name[0] == "word")
        return Not(form) if opposite else form

    def _value(self) -> tuple[str, Literal["expression"], bool]:
        """A regular expression in quotation marks, and whether case counts in it."""
        quoted = _QUOTED.match(self.text, self.at)
        if not quoted:
            self._refuse("is where a value in quotation marks is missing")
        self.at = quoted.end()
        loose = self._flag()
        return quoted[0][1:-1].replace('\\"', '"'), "expression", not loose

    def _flag(self) -> bool:
        """Whether `%c` is next; then it is read."""
        flag = _FLAG.match(self.text, self.at)
        if not flag:
            return False
        if flag[1] != "c":
            self._refuse("is no flag; only %c is known here: upper and lower case alike")
        self.at = flag.end()
        return True

    def _repeated(self, part: Part) -> Part:
        """A part with what stands behind it: `{2}`, `{0,3}`, `{1,}`, `?`, `+`, `*`."""
        if times := _TIMES.match(self.text, self.at):
            self.at = times.end()
            least = int(times[1])
            most = int(times[3]) if times[3] else MOST_REPEATED if times[2] else least
        elif self.at and self.text[self.at - 1] in '])"' and self.text[self.at : self.at + 1] in "?+*":
            sign = self.text[self.at : self.at + 1]
            if not sign:
                return part
            self.at += 1
            least, most = int(sign == "+"), 1 if sign == "?" else MOST_REPEATED
        else:
            return part
        if not least <= most <= MOST_REPEATED or not most:
            raise CorpusError(
                "A part of a query repeats 1 to {most_repeated} times: {{0,3}} or {{2}}.",
                most_repeated=MOST_REPEATED,
            )
        return Repeat(part, least, most)

    def _spaces(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def _next(self, sign: str) -> bool:
        """Whether this sign is the next one; then it is read."""
        before = self.at
        self._spaces()
        if self.text.startswith(sign, self.at):
            self.at += len(sign)
            return True
        self.at = before
        return False

    def _refuse(self, why: str) -> NoReturn:
        rest = self.text[self.at : self.at + 20]
        what = f"“{rest}”" if rest else "The end"
        raise CorpusError(
            "This is no query yet. {what} {why}.",
            what=what,
            why=why,
        )


def _may_be_empty(part: Part) -> bool:
    """Whether a part may be nothing at all."""
    if isinstance(part, Row):
        return all(map(_may_be_empty, part.of))
    if isinstance(part, Choice):
        return any(map(_may_be_empty, part.of))
    return isinstance(part, Repeat) and (not part.least or _may_be_empty(part.of))


def _most_repeated(part: Part) -> int:
    """How often a word of a part is repeated at most, by all that stands around it."""
    if isinstance(part, Token):
        return 1
    if isinstance(part, Repeat):
        return part.most * _most_repeated(part.of)
    return max(map(_most_repeated, part.of))
