"""The terms of the field that the app uses: each with its meaning, its formula, its paper and our code.

They are in `terms.md`, in the order in which a newcomer meets them:

# Subject
## term
also: other forms of the word, separated by commas: its plural, its abbreviation
Its meaning, in two plain sentences.
formula: LaTeX, if it has one
example: a sentence with a number to check, or with a link to a page at its end: [See it](heads?l=6)
paper: where it was introduced, or where the transformer's paper uses it
code: the module, class or function of this project that implements it
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("terms.md")
_LABELS = ("also", "formula", "example", "paper", "code")


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
        paper: author, year and section.
        code: the dotted name of its implementation in this project.
    """

    name: str
    subject: str
    also: tuple[str, ...]
    meaning: str
    formula: str
    example: str
    paper: str
    code: str

    @property
    def anchor(self) -> str:
        """Its name in a link: lower case, with hyphens."""
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")

    @property
    def forms(self) -> tuple[str, ...]:
        """All its forms, its name first."""
        return (self.name, *self.also)


@cache
def terms() -> tuple[Term, ...]:
    """All terms, by subject."""
    made = []
    for part in re.split(r"(?m)^# ", FILE.read_text("utf-8"))[1:]:
        subject, _, rest = part.partition("\n")
        made += [_term(subject.strip(), one) for one in re.split(r"(?m)^## ", rest)[1:]]
    return tuple(made)


def find(name: str) -> Term | None:
    """The term of this anchor, or None."""
    return next((one for one in terms() if one.anchor == name), None)


def matching(typed: str) -> tuple[Term, ...]:
    """The terms whose forms or meaning contain the typed text; matches of a form come first."""
    wanted = " ".join(typed.casefold().split())
    named = [one for one in terms() if any(wanted in form.casefold() for form in one.forms)]
    meant = [one for one in terms() if one not in named and wanted in one.meaning.casefold()]
    return (*named, *meant)


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
    others = (labelled[label] for label in _LABELS[1:])
    return Term(name, subject, also, " ".join(meaning), *others)
