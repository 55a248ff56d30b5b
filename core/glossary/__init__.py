"""The terms of the field that the app uses: each with its meaning, its formula, its paper and our code.

They are in `terms.md`, in the order in which a newcomer meets them:

# Subject
## term
also: other forms of the word, separated by commas: its plural, its abbreviation
Its meaning, in two plain sentences, the first of which says it alone.
formula: LaTeX, if it has one
example: a sentence with a number to check, or with a link to a page at its end: [See it](heads?l=6)
see: the page that shows it, where the example does not end with a link: positions?p=rotary
paper: where it was introduced, or where the transformer's paper uses it
code: the module, class or function of this project that implements it

`terms.de.md` has them in German: each under its English name, by which links find it, with `name: …`.
What is the same in every language, a formula, a page, a paper, the code, stands in the English file
alone. A language without such a file has them in English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ..localization import ENGLISH

FILE = Path(__file__).with_name("terms.md")
_LABELS = ("name", "also", "formula", "example", "see", "paper", "code")
_LINK = re.compile(r"\[([^\]]+)\]\(([^)]+)\)$")  # the last thing in an example


@dataclass(frozen=True)
class Term:
    """A term of the field.

    Attributes:
        name: its form in a sentence.
        subject: the heading above it.
        also: other forms of it.
        meaning: one or two sentences, plain text.
        formula: in LaTeX; "" if it has none.
        example: an example of it, Markdown in one line.
        see: the page that shows it, as a link from the app's first address.
        paper: author, year and section.
        code: the dotted name of its implementation in this project.
        english: its English name; "" for itself.
    """

    name: str
    subject: str
    also: tuple[str, ...]
    meaning: str
    formula: str
    example: str
    see: str
    paper: str
    code: str
    english: str = ""

    @property
    def anchor(self) -> str:
        """Its name in a link, the same in every language: lower case, with hyphens."""
        return _anchor(self.english or self.name)

    @property
    def in_a_line(self) -> str:
        """What it is: the first sentence of its meaning."""
        first, dot, _ = self.meaning.partition(". ")
        return first + dot.strip()

    @property
    def further(self) -> str:
        """The rest of its meaning; "" for none."""
        return self.meaning.partition(". ")[2]

    @property
    def shown_by(self) -> str:
        """Its example, without the link at its end."""
        return _LINK.sub("", self.example).strip()

    @property
    def forms(self) -> tuple[str, ...]:
        """All its forms, its name first."""
        return (self.name, *self.also)


def _anchor(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


@cache
def terms(language: str = ENGLISH) -> tuple[Term, ...]:
    """All terms in a language, by subject; in English, where it has no file."""
    file = _file(language)
    if language == ENGLISH or not file.exists():
        return tuple(_read(FILE))
    own = {one.anchor: one for one in _read(file)}
    return tuple(_with_the_same(own[one.anchor], one) for one in terms())


def is_in(language: str) -> bool:
    """Whether the terms are in a language."""
    return language == ENGLISH or _file(language).exists()


def _file(language: str) -> Path:
    return FILE.with_name(f"{FILE.stem}.{language}.md")


def _with_the_same(own: Term, english: Term) -> Term:
    """A term of a language with what it has in common with the English one."""
    return replace(
        own,
        formula=own.formula or english.formula,
        paper=own.paper or english.paper,
        see=english.see,
        code=english.code,
    )


def find(name: str, language: str = ENGLISH) -> Term | None:
    """The term of this anchor, or None; that of another English form of it leads to it as well."""
    known = {form: one.anchor for one in terms() for form in map(_anchor, reversed(one.forms))}
    known |= {one.anchor: one.anchor for one in terms()}
    return next((one for one in terms(language) if one.anchor == known.get(name)), None)


def matching(typed: str, language: str = ENGLISH) -> tuple[Term, ...]:
    """The terms whose forms or meaning contain the typed text; matches of a form come first.

    The English name is one of the forms in every language.
    """
    wanted = " ".join(typed.casefold().split())
    every = terms(language)
    named = [
        one for one in every if any(wanted in form.casefold() for form in (*one.forms, one.english))
    ]
    meant = [one for one in every if one not in named and wanted in one.meaning.casefold()]
    return (*named, *meant)


def _read(file: Path) -> Iterator[Term]:
    for part in re.split(r"(?m)^# ", file.read_text("utf-8"))[1:]:
        subject, _, rest = part.partition("\n")
        for one in re.split(r"(?m)^## ", rest)[1:]:
            yield _term(subject.strip(), one)


def _term(subject: str, block: str) -> Term:
    name, *lines = [line.strip() for line in block.strip().splitlines() if line.strip()]
    labelled = dict.fromkeys(_LABELS, "")
    meaning = []
    for line in lines:
        label, colon, rest = line.partition(": ")
        if colon and label in _LABELS:
            labelled[label] = rest.strip()
        else:
            meaning.append(line)
    also = tuple(form.strip() for form in labelled["also"].split(",") if form.strip())
    formula, example, see, paper, code = (labelled[label] for label in _LABELS[2:])
    link = _LINK.search(example)
    see = link[2] if link else see
    own, english = (labelled["name"], name) if labelled["name"] else (name, "")
    return Term(own, subject, also, " ".join(meaning), formula, example, see, paper, code, english)
