"""What is said about a file, what was understood of it, what stands in it and what was left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

# Grows when the same file gives other texts than before: a build that was interrupted starts anew.
VERSION = 2


@dataclass(frozen=True)
class Choices:
    """How files are to be read. None leaves it to the reader, which guesses.

    Attributes:
        encoding: the name of an encoding, as Python knows it.
        delimiter: the sign between the columns of a table: a comma, a semicolon, a tab, a bar; "" for a
            file that is no table.
        header: whether the first row of a table names its columns.
        text: the column of texts, by its name or its number from 1.
        label: the column of labels; "" for none.
        names: the names of the columns of tables without a header; empty if they have one, or none.
        running: whether texts are running text, to be split into sentences; False takes each line, row
            or paragraph as one sentence.
        language: the language by whose rules sentences are split, an ISO 639-1 code.
    """

    encoding: str | None = None
    delimiter: str | None = None
    header: bool | None = None
    text: str | None = None
    label: str | None = None
    names: tuple[str, ...] = ()
    running: bool | None = None
    language: str = "en"


GUESS = Choices()


@dataclass(frozen=True)
class Dialect:
    """How the rows of a delimited table are written.

    Attributes:
        delimiter: the sign between cells; "" for a table of one column.
        quote: the sign around cells; "" if cells are not quoted.
        escape: the sign before a sign that is meant as it is; "" for none.
        width: the number of columns.
        prelude: lines before the table: comments, a title, "sep=;".
        marked: each line is "label | text", or a text alone.
        bare: nothing is quoted at the beginning of the file.
        loose: the column whose cells have the delimiter inside, although nothing is quoted; None if
            that is not known from the lines alone.
    """

    delimiter: str
    quote: str
    escape: str
    width: int
    prelude: int = 0
    marked: bool = False
    bare: bool = False
    loose: int | None = None


@dataclass(frozen=True)
class Understood:
    """How a file is read: what was said, and what was guessed.

    Attributes:
        format: the key of its format in `formats.NAMES`.
        encoding: of its letters; "" where the format says it itself.
        packed: "gzip", "bzip2" or "xz" if it is compressed, or "".
        dialect: how a delimited table is written; None for everything else.
        header: whether the first row names the columns; None where columns have names of their own.
        columns: the names of the columns of a table; empty for other texts.
        text: the column of texts, "" without a table.
        label: the column of labels, "" for none.
        running: whether its texts are split into sentences.
        wrapped: whether a paragraph goes over several lines, up to an empty one.
        first_line: of a book from Project Gutenberg, below the licence, from 1; 0 for other texts.
        guessed: the names of those of these attributes that nobody has said.
    """

    format: str
    encoding: str = ""
    packed: str = ""
    dialect: Dialect | None = None
    header: bool | None = None
    columns: tuple[str, ...] = ()
    text: str = ""
    label: str = ""
    running: bool = False
    wrapped: bool = False
    first_line: int = 0
    guessed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Passage:
    """A paragraph, a line, or the text of a row.

    Attributes:
        text: the text.
        columns: the other columns of its row.
        where: its place in the file, such as "line 3".
    """

    text: str
    columns: Mapping[str, Any] = field(default_factory=dict)
    where: str = ""


@dataclass(frozen=True)
class Row:
    """A row of a table: its cells by the names of the columns."""

    cells: Mapping[str, Any]
    where: str


@dataclass(frozen=True)
class Skipped:
    """Something that is left out.

    It quotes nothing of the text: the manifest keeps it, and what is deleted must be in no file.

    Attributes:
        source: the file.
        where: the place in it ("line 3"), or "" for all of it.
        why: the reason, as a clause.
    """

    source: str
    where: str
    why: str

    def __str__(self) -> str:
        place = f"{self.source}, {self.where}" if self.where else self.source
        return f"{place}: {self.why}"


@dataclass(frozen=True)
class Limits:
    """What one file may cost.

    Attributes:
        packed: bytes of the file.
        unpacked: bytes of what is compressed in it, or of a format that is read as a whole.
        text: characters of its texts together.
        seconds: for a format that is read by a process of its own.
        isolated: formats that are read by a process of their own.
    """

    packed: int
    unpacked: int
    text: int
    seconds: float
    isolated: frozenset[str]


_LIBRARIES = frozenset({"docx", "pdf", "xlsx"})
# A visitor's file. The parts of a .docx or .epub are XML, five to ten times their text.
UPLOAD = Limits(
    4 * 10**6,
    40 * 10**6,
    4 * 10**6,
    30.0,
    _LIBRARIES | {"markdown", "parquet", "arrow", "arrows", "feather"},
)
# A file of whoever runs the command. What is read line by line may be of any size.
OWN = Limits(2**62, 400 * 10**6, 2**62, 900.0, _LIBRARIES)


class Refused(Exception):
    """A file, or the rest of one, cannot be read; the message is a clause that says why.

    Attributes:
        otherwise: whether it may be read if somebody says how: its encoding, its columns.
    """

    otherwise = False
