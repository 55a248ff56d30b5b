"""Marks that people set on lines of a corpus, such as the sense of a word there: kept with the corpus.

`marks.tsv` in the folder of the corpus has one row for each marked occurrence: the number of its
sentence, the position of its first word in it, the mark, the word, and the sentence, so that the file
says what it is about where the corpus is lost. It is written whole, and read by any spreadsheet,
which takes no cell for a formula.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout

from ..errors import CorpusError, in_short
from ..spreadsheet import as_typed, as_written, writer
from .whole_file import write_whole

FILE = "marks.tsv"
MOST_MARK = 60  # characters
MOST_MARKS = 100_000
MOST_TEXT = 200  # characters of the word, and of the sentence, that stand in the file
_LOCK = ".marks.lock"
_LOCK_SECONDS = 10.0
_MOST_BYTES = 200_000_000  # more than the most marks take up
_MOST_CELL = 100_000  # characters; how many `csv` reads depends on the rest of the process
_COLUMNS = ("sentence", "position", "mark", "word", "text")


class Place(NamedTuple):
    """An occurrence, by the number of its sentence and the position of its first word in it."""

    sentence: int
    position: int


class Mark(NamedTuple):
    """What somebody has marked.

    Attributes:
        mark: the name of the mark.
        word: the word that was looked for.
        text: the beginning of the sentence.
    """

    mark: str
    word: str
    text: str


def read(folder: Path) -> dict[Place, Mark]:
    """The marks of a corpus; none if nobody has set any.

    Raises:
        CorpusError: the file is damaged.
    """
    file = folder / FILE
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise ValueError("it is too large.")
        return parsed(file.read_text("utf-8-sig"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise CorpusError(
            "{file} of this corpus cannot be read: {in_short}",
            file=FILE,
            in_short=in_short(error),
        ) from error


def parsed(text: str) -> dict[Place, Mark]:
    """Marks out of the text of such a file.

    Raises:
        ValueError: it is none; the message says in which line.
    """
    try:
        rows = [*csv.reader(io.StringIO(text), delimiter="\t")]
    except csv.Error as error:  # no ValueError
        raise ValueError(f"it is no table: {error}.") from error
    return _of_rows(rows)


def _of_rows(rows: Sequence[Sequence[str]]) -> dict[Place, Mark]:
    if not rows:
        return {}
    found: dict[Place, Mark] = {}
    if tuple(rows[0]) != _COLUMNS:
        raise ValueError(f"its columns are not {', '.join(_COLUMNS)}.")
    for number, row in enumerate(rows[1:], start=2):
        places = row[:2]
        fits = len(row) == len(_COLUMNS) and max(map(len, row)) <= _MOST_CELL
        if not fits or not all(one.isdecimal() and len(one) < 12 for one in places):
            raise ValueError(f"line {number} is no mark.")
        if len(found) >= MOST_MARKS:
            raise ValueError(f"it has more than {MOST_MARKS:,} marks.")
        found[Place(int(row[0]), int(row[1]))] = _bounded(*map(as_typed, row[2:]))
    return {place: one for place, one in found.items() if one.mark}


def written(marks: Mapping[Place, Mark]) -> str:
    """Marks as the text of such a file, in the order of the corpus; no cell is a formula."""
    out = io.StringIO()
    write_row = writer(out, delimiter="\t")
    write_row(_COLUMNS)
    for place in sorted(marks):
        write_row((*place, *marks[place]))
    return out.getvalue()


def write(folder: Path, marks: Mapping[Place, Mark]) -> None:
    """Keep marks with the corpus: those that were there before are gone.

    Raises:
        CorpusError: the folder cannot be written.
    """
    try:
        write_whole(folder / FILE, written(marks))
    except OSError as error:
        raise CorpusError(
            "The marks could not be kept: {in_short}",
            in_short=in_short(error),
        ) from error


def update(
    folder: Path,
    places: Sequence[tuple[Place, Mark]],
    still: Mapping[Place, Mark] | None = None,
) -> dict[Place, Mark]:
    """Set some marks of a corpus anew, while no other process does; an empty one takes a mark away.

    Args:
        folder: the folder of the corpus.
        places: the marks.
        still: to undo a change, what it has set: see `untouched`. None sets every mark.

    Returns:
        what stood at these places before: set again, it undoes the change.

    Raises:
        CorpusError: the file is damaged, cannot be written, or has too many marks; or another process
            has kept it for too long.
    """
    try:
        with FileLock(folder / _LOCK, timeout=_LOCK_SECONDS):
            before = read(folder)
            places = places if still is None else untouched(before, places, still)
            write(folder, changed(before, places))
    except Timeout as error:  # its own words name the folder of the server
        raise CorpusError(
            "The marks could not be kept: another visitor or program has been writing them "
            "for {lock_seconds:.0f} seconds. Nothing was changed; try again.",
            lock_seconds=_LOCK_SECONDS,
        ) from error
    except OSError as error:
        raise CorpusError(
            "The marks could not be kept: {in_short}",
            in_short=in_short(error),
        ) from error
    return replaced(before, places)


def untouched(
    marks: Mapping[Place, Mark], places: Iterable[tuple[Place, Mark]], still: Mapping[Place, Mark]
) -> list[tuple[Place, Mark]]:
    """Of some places, those that have the marks of `still`: nobody has changed them since.

    A mark that was read from its file may stand there in another form: see `elsewhere`.
    """

    def name(found: Mapping[Place, Mark], place: Place) -> str:
        return as_written(cleaned(found[place].mark)) if place in found else ""

    return [(place, one) for place, one in places if name(marks, place) == name(still, place)]


def replaced(before: Mapping[Place, Mark], places: Iterable[tuple[Place, Mark]]) -> dict[Place, Mark]:
    """What stood at some places; an empty mark where there was none."""
    return {place: before.get(place, Mark("", one.word, one.text)) for place, one in places}


def elsewhere(marks: Mapping[Place, Mark], texts: Mapping[int, str]) -> int:
    """How many marks stand in another sentence than they say: they are of another corpus.

    Args:
        marks: the marks of a file; one that does not say its sentence is not counted.
        texts: the sentences of the corpus, by their numbers; one that it does not have is missing.
    """
    return sum(
        place.sentence not in texts or not _begins(texts[place.sentence], one.text)
        for place, one in marks.items()
    )


def _begins(sentence: str, text: str) -> bool:
    """Whether a sentence begins with what a mark says of it, or with what a file makes of that.

    A file does not keep apart "= 1" and "'= 1", nor the kinds of line ends.
    """
    return sentence.startswith(text) or as_written(sentence).startswith(as_written(text))


def changed(marks: Mapping[Place, Mark], places: Iterable[tuple[Place, Mark]]) -> dict[Place, Mark]:
    """Marks with some set anew; an empty mark takes one away.

    Raises:
        CorpusError: there are too many.
    """
    now = dict(marks)
    for place, one in places:
        own = _bounded(*one)
        if own.mark:
            now[place] = own
        else:
            now.pop(place, None)
    if len(now) > MOST_MARKS:
        raise CorpusError(
            "A corpus keeps up to {most_marks:,} marks.",
            most_marks=MOST_MARKS,
        )
    return now


def _bounded(mark: str, word: str, text: str) -> Mark:
    """A mark that takes up little, whoever sends it."""
    return Mark(cleaned(mark), word[:MOST_TEXT], text[:MOST_TEXT])


def cleaned(mark: str) -> str:
    """A mark as it is kept: one line, no blanks around it, of at most 60 characters."""
    return " ".join(mark.split())[:MOST_MARK].strip()
