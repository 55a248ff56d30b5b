"""Delimited tables (CSV, TSV and their like): how their rows are written, and the rows.

Python's `csv` reads them, once it is known what separates, quotes and escapes. Its own `Sniffer`
guesses from single lines and is wrong about sentences, which have commas; here every way to write a
table reads the same lines, and the one wins whose rows are equally wide, of cells that are whole and of
one kind.
"""

from __future__ import annotations

import csv
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from .. import columns
from ..files import MOST_LINE, Lines, not_clean
from ..understood import Dialect, Row

SAMPLE_LINES = 400
MOST_COLUMNS = 1_000
SAMPLE_LETTERS = 200_000
DELIMITERS: Mapping[str, str] = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
# Between two that fit equally: a comma occurs in prose and in numbers, a tab nowhere else.
_BONUS = {"\t": 0.06, "|": 0.04, ";": 0.03, ",": 0.0}
_SEPARATOR_LINE = re.compile(r"\s*\"?sep=(.)\"?\s*", re.I)
# A row of more lines than the first is not one that the mark of the next row closed. One of more than
# the second is a file that a mark has swallowed, which is read again only as often as the third says.
_SHORT_ROW, _LONG_ROW, _MOST_LONG = 20, 100, 3
_TABULAR = (".csv", ".tsv", ".tab", ".psv")


@dataclass(frozen=True)
class _Read:
    """What one dialect makes of the sample."""

    dialect: Dialect
    rows: tuple[tuple[str, ...], ...]
    score: float
    named: bool


def detect(
    lines: Iterable[str], ending: str, *, delimiter: str | None = None, names: Sequence[str] = ()
) -> Dialect | None:
    """How a table is written; None if the lines are no table.

    Args:
        lines: the first lines of a file, with their ends.
        ending: of its name; a table is more probable in a ".csv".
        delimiter: the sign between cells, if it is said; "" if there is none.
        names: the columns, if they are said: as many as a row has cells.
    """
    given = _sample(without_rules(lines))
    prelude, said = _prelude(given)
    given = given[prelude:]
    delimiter = said if delimiter is None else delimiter
    if not any(line.strip() for line in given):
        return None
    if delimiter == "":
        return _of_one_column(given, prelude)
    found = [
        one
        for sign in ([delimiter] if delimiter else DELIMITERS)
        for quote, escape in (('"', ""), ('"', "\\"), ("", ""), ("", "\\"), ("'", ""))
        if (one := _attempt(given, sign, quote, escape, len(names)))
    ]
    if delimiter:
        fits = found
    elif ending == ".tsv" and (tabs := [one for one in found if one.dialect.delimiter == "\t"]):
        fits = [one for one in tabs if one.score >= 0.3] or tabs
    else:
        fits = [one for one in found if _accepted(one, ending)]
    if fits:
        best = max(fits, key=lambda one: one.score)
        if _is_marked(best) and (marked := _marked(given, prelude)):
            return marked
        made = _with_title(best, given, prelude)
        if not made.quote and made.delimiter != "\t" and not any('"' in line for line in given):
            return replace(made, quote='"', bare=True)  # further down, there may be one
        return replace(made, bare=not made.quote)
    if marked := _marked(given, prelude):
        return marked
    if not delimiter and (partly := _unquoted(given, ending)):
        return replace(partly, prelude=prelude)
    if delimiter:
        return replace(_of_one_column(given, prelude), delimiter=delimiter)
    single = _of_one_column(given, prelude)
    # A list under a header, or in quotes, or in a file that says it is a table.
    first = given[0].strip().strip('"')
    if (
        ending in _TABULAR
        or single.quote
        or (columns.plain_name(first) in columns.TEXTS and len(given) > 1)
    ):
        return single
    return None


def without_rules(lines: Iterable[str]) -> Iterator[str]:
    """Lines without those that only draw a table: "|---|:--:|", "+----+----+"."""
    for line in lines:
        drawn = "--" in line or "==" in line
        if not (drawn and ("|" in line or "+" in line) and not line.strip("|+-:= \t\r\n")):
            yield line


def _sample(lines: Iterable[str]) -> list[str]:
    kept: list[str] = []
    size = 0
    for line in islice(lines, SAMPLE_LINES):
        kept.append(line[:SAMPLE_LETTERS])
        size += len(line)
        if size > SAMPLE_LETTERS:
            break
    return kept


def _prelude(lines: Sequence[str]) -> tuple[int, str | None]:
    """How many lines stand before the table, and the delimiter that one of them names."""
    number, delimiter = 0, None
    while number < len(lines):
        line = lines[number]
        if number == 0 and (found := _SEPARATOR_LINE.fullmatch(line.rstrip("\r\n"))):
            delimiter = found.group(1)
        elif line.strip() and not _is_comment(line, lines[number + 1 :]):
            break
        number += 1
    return number, delimiter


def _is_comment(line: str, below: Sequence[str]) -> bool:
    """Whether a line before a table begins with "#" and has not the cells of the line below it."""
    if not line.lstrip().startswith(("#", "%")):
        return False
    after = next((one for one in below if one.strip() and not one.lstrip().startswith(("#", "%"))), "")
    # "#id<tab>text" is a header, and a tweet may begin with "#".
    return any(
        after.count(sign) and line.count(sign) != after.count(sign) for sign in DELIMITERS
    ) and not any(after.count(sign) and line.count(sign) == after.count(sign) for sign in "\t|;,")


def parsed(lines: Iterable[str], dialect: Dialect) -> Iterator[list[str]]:
    """The rows of lines; see `_mended`."""
    return (row for row, _, _ in _mended(((line, "") for line in lines), dialect))


def _reader(lines: Iterable[str], dialect: Dialect, *, strict: bool = False) -> Iterator[list[str]]:
    csv.field_size_limit(MOST_LINE)
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE
    return csv.reader(
        lines,
        delimiter=dialect.delimiter or "\x1f",
        quotechar=dialect.quote or None,
        quoting=quoting,
        escapechar=dialect.escape or None,
        doublequote=True,
        strict=strict,
    )


def _mended(
    lines: Iterable[tuple[str, str]], dialect: Dialect
) -> Iterator[tuple[list[str], str, bool]]:
    """The rows of lines, as `csv` reads them; a quotation mark that is never closed swallows none.

    Args:
        lines: each with its place.
        dialect: how they are written.

    Returns:
        For each row: its cells, its place, and whether it had such a mark.
    """
    plain = replace(dialect, quote="")
    source = iter(lines)
    again: deque[tuple[str, str]] = deque()  # lines that a mark had swallowed
    taken: list[tuple[str, str]] = []
    long = 0

    def feed() -> Iterator[str]:
        while True:
            one = again.popleft() if again else next(source, None)
            if one is None:
                return
            taken.append(one)
            yield one[0]

    reader = _reader(feed(), dialect)
    while True:
        trouble: csv.Error | None = None
        row: list[str] | None = None
        taken.clear()
        try:
            row = next(reader, None)
        except csv.Error as error:
            trouble = error  # a cell that is longer than any
        if row is None and trouble is None:
            return
        mended = dialect.quote and _is_open(row, taken, dialect, plain)
        if not mended:
            if trouble is not None:
                raise trouble
            assert row is not None
            yield row, taken[-1][1] if taken else "", False
            continue
        first, where = taken[0]
        yield [_unquoted_cell(cell, dialect.quote) for cell in _literal(first, plain)], where, True
        long += len(taken) > _LONG_ROW
        again.extendleft(reversed(taken[1:]))
        # A file full of them would be read again and again: from here on, nothing is quoted.
        reader = _reader(feed(), plain if long > _MOST_LONG else dialect)
        dialect = plain if long > _MOST_LONG else dialect


def _literal(line: str, plain: Dialect) -> list[str]:
    return next(_reader([line], plain), [])


def _unquoted_cell(cell: str, quote: str) -> str:
    cell = cell.strip().removeprefix(quote)
    return cell.removesuffix(quote) if cell.count(quote) % 2 else cell


def _is_open(
    row: list[str] | None, taken: Sequence[tuple[str, str]], dialect: Dialect, plain: Dialect
) -> bool:
    """Whether a row begins with a quotation mark that is never closed, and holds other rows."""
    first = taken[0][0]
    whole_line = len(taken) == 1 and (not dialect.width or len(row or ()) == dialect.width)
    if dialect.quote not in first or whole_line:
        return False
    if dialect.width and len(_literal(first, plain)) != dialect.width:
        return False
    whole = _whole(taken, dialect)
    if whole is None:  # up to the end of the file, or of what a cell may hold
        return dialect.width > 1 or len(taken) > _SHORT_ROW
    if len(taken) > _SHORT_ROW or not dialect.width:
        return False
    # Closed by the mark of another row: that one is whole by itself, and the two together are not.
    second = _whole(taken[1:2], dialect)
    alone = (
        second is not None
        and len(second) == dialect.width
        and taken[1][0].count(dialect.quote) % 2 == 0
    )
    return alone and (row is None or len(row) != dialect.width or len(whole) != dialect.width)


def _whole(taken: Sequence[tuple[str, str]], dialect: Dialect) -> list[str] | None:
    """The row that lines make, with all marks closed where a cell ends; None if they are not."""
    try:
        return next(_reader([line for line, _ in taken], dialect, strict=True), [])
    except csv.Error as error:
        return None if "unexpected end" in str(error) or "field larger" in str(error) else []


def _attempt(lines: Sequence[str], delimiter: str, quote: str, escape: str, width: int) -> _Read | None:
    """What a dialect makes of the sample; None if it separates nothing, or breaks it."""
    if not any(delimiter in line for line in lines):
        return None
    if quote and not any(quote in line for line in lines):
        return None
    if escape and not any(f"\\{sign}" in line for line in lines for sign in (quote or delimiter)):
        return None
    dialect = Dialect(
        delimiter, quote, escape, width or (_usual(lines, delimiter, quote) if quote else 0)
    )
    try:
        rows = [row for row in parsed(lines, dialect) if any(map(str.strip, row))]
    except csv.Error:
        return None
    if len(lines) >= SAMPLE_LINES or sum(map(len, lines)) > SAMPLE_LETTERS:
        rows = rows[:-1]  # it may go on behind the sample
    if not rows:
        return None
    # A quotation mark that is never closed swallows the rest.
    if (
        len(rows) < len([line for line in lines if line.strip()])
        and rows[-1]
        and (max(cell.count("\n") + cell.count("\r") for cell in rows[-1]) > max(20, len(rows)))
    ):
        return None
    # A title above the table has one cell.
    common = Counter(map(len, rows)).most_common(1)[0][0]
    lead = 0
    while lead < min(5, len(rows) - 1) and common > 1 and sum(map(bool, rows[lead])) < 2:
        lead += 1
    rows = rows[lead:]
    named = _known(rows[0]) if len(rows[0]) > 1 else 0
    usual = width or (len(rows[0]) if named else Counter(map(len, rows)).most_common(1)[0][0])
    if not 2 <= usual <= MOST_COLUMNS:
        return None
    whole = [row for row in rows if len(row) == usual]
    same = len(whole) / len(rows)
    # Columns without a name and a cell are what a spreadsheet once had.
    used = max((i + 1 for row in whole for i, cell in enumerate(row) if cell.strip()), default=0)
    if not width and 1 < used < usual:
        whole, usual = [row[:used] for row in whole], used
    cells = [cell for row in whole for cell in row]
    if not cells:
        return None
    other = {'"', "'"} if not quote else {'"', "'"} - {quote}
    left = sum(_is_torn(cell, other if not quote else {*other, quote}) for cell in cells) / len(cells)
    if delimiter == "\t" and not _is_quoted(lines, delimiter, '"'):
        # Corpora with tabs quote nothing, and their texts contain single quotation marks: here, quoting
        # must make rows whole that are not whole without it.
        left = 0.0
    inside = [cell for row in whole for cell in row[1:]]
    spaced = sum(cell[:1] == " " and cell[1:2].isalpha() for cell in inside) / len(inside)
    score = same - 1.5 * left + _BONUS[delimiter] if delimiter in _BONUS else same - 1.5 * left
    score += 0.3 * _typed(whole) + 0.15 * min(named, 2)
    if not named:
        score -= 0.5 * spaced
    if escape:
        score += 0.05 - 0.2 * (sum("\\" in cell for cell in cells) / len(cells))
    if quote == "'":
        # An apostrophe is one more often than a quotation mark.
        score -= 0.0 if _is_quoted(lines, delimiter, quote) else 1.0
    if delimiter == "\t" and quote and not escape and not _is_quoted(lines, delimiter, quote):
        score -= 0.001 if _is_balanced(lines, delimiter, quote) else 0.1
    if quote == '"' and escape == "" and any('\\"' in cell or cell.endswith("\\") for cell in cells):
        score -= 0.1
    kept = [tuple(trimmed(row, usual)) for row in rows]
    return _Read(replace(dialect, width=usual), tuple(kept), score, named > 0)


def _usual(lines: Sequence[str], delimiter: str, quote: str) -> int:
    """How many cells most lines without a quotation mark have; 0 where there are none."""
    counts = Counter(line.count(delimiter) + 1 for line in lines if quote not in line and line.strip())
    return counts.most_common(1)[0][0] if counts else 0


def _is_torn(cell: str, quotes: set[str]) -> bool:
    """Whether a cell still has a quotation mark at one end only, or at both: it was not read as one."""
    cell = cell.strip()
    if len(cell) < 2:
        return cell in quotes and cell == '"'
    first, last = cell[0] in quotes, cell[-1] in quotes
    if first and last and cell[0] == cell[-1]:
        return cell[0] == '"' or " " in cell
    return '"' in quotes and ((cell[0] == '"') != (cell[-1] == '"')) and cell.count('"') % 2 == 1


def _is_quoted(lines: Sequence[str], delimiter: str, quote: str) -> bool:
    """Whether cells stand in this quotation mark: on each of its outer sides is the end of a cell."""
    begin, end = _outer(lines, delimiter, quote)
    count = sum(line.count(quote) for line in lines)
    # Only who quotes cells doubles the quotation marks inside them.
    doubled = re.search(rf"[^{re.escape(delimiter)}\r\n{quote}]{quote}{quote}", "".join(lines))
    if doubled and begin == end > 0:
        return True
    return (begin + end) * 10 >= count * 6 and begin + end >= min(len(lines), 6)


def _is_balanced(lines: Sequence[str], delimiter: str, quote: str) -> bool:
    """Whether as many cells begin with this quotation mark as end with it."""
    begin, end = _outer(lines, delimiter, quote)
    return begin == end > 0


def _outer(lines: Sequence[str], delimiter: str, quote: str) -> tuple[int, int]:
    """How many cells begin, and how many end, with this quotation mark."""
    text, side = "".join(lines), re.escape(delimiter)
    begin = re.findall(rf"(?:^|(?<=[\r\n])|(?<={side})){quote}", text)
    end = re.findall(rf"{quote}(?={side}|\r|\n|\Z)", text)
    return len(begin), len(end)


def _known(row: Sequence[str]) -> int:
    """How many cells of a row are names that people give to columns; 0 if one is a sentence."""
    if any(len(cell.split()) > 5 or len(cell) > 60 for cell in row):
        return 0
    names = [columns.plain_name(cell) for cell in row if cell.strip()]
    return sum(map(columns.is_known, names)) if len(set(names)) == len(names) else 0


def _typed(rows: Sequence[Sequence[str]]) -> float:
    """The share of columns whose cells are all numbers, dates or labels."""
    count = 0
    for cells in zip(*rows, strict=False):
        below = cells[1:] or cells
        kinds = [columns.kind_of(cell) for cell in below]
        there = [kind for kind in kinds if kind != "empty"]
        if there and (
            sum(kind in ("number", "date", "link") for kind in there) >= 0.9 * len(there)
            or (len(cells) > 2 and (columns.is_label_column(below) or columns.is_label_column(cells)))
        ):
            count += 1
    return count / max(1, len(rows[0]))


def _accepted(one: _Read, ending: str) -> bool:
    """Whether what a dialect makes of the sample is a table, and not prose with signs in it."""
    count = len(one.rows)
    same = sum(len(row) == one.dialect.width for row in one.rows) / count
    delimiter = one.dialect.delimiter
    if one.named:
        return same >= 0.5
    whole = [row for row in one.rows if len(row) == one.dialect.width]
    inside = [cell for row in whole for cell in row[1:]]
    spaced = sum(cell[:1] in (" ", "") and not cell[1:2].isdigit() for cell in inside) / len(inside)
    if ending in _TABULAR:
        if same < 0.9 and not (same >= 0.7 and count >= 10):
            return False
        return delimiter in "\t|" or spaced < 0.5 or bool(_typed(whole))
    if delimiter == "\t":
        return same >= 0.9 and (count > 1 or one.dialect.width > 2)
    if delimiter == "|":
        return same >= 0.9
    # In a file that does not say that it is a table, sentences have commas and semicolons.
    return (
        same >= 0.9 and count > 2 and spaced < 0.2 and (_typed(whole) > 0 or one.dialect.quote == '"')
    )


def _with_title(one: _Read, lines: Sequence[str], prelude: int) -> Dialect:
    """The dialect; a title above the first whole row, in one cell, belongs to the prelude."""
    for i, line in enumerate(lines[:20]):
        row = next(parsed([line], one.dialect), [])
        if sum(bool(cell.strip()) for cell in row) > 1 or line.count(one.dialect.quote or "\0") % 2:
            return replace(one.dialect, prelude=prelude + i)
    return replace(one.dialect, prelude=prelude)


def trimmed(row: Sequence[str], width: int) -> Sequence[str]:
    """A row without the empty cells behind its last column."""
    return row[:width] if len(row) > width and not any(map(str.strip, row[width:])) else row


def _is_marked(read: _Read) -> bool:
    """Whether two columns with a bar between them, under no header, are "label | text" in each line."""
    if read.dialect.delimiter != "|" or read.dialect.width != 2 or read.named or read.dialect.quote:
        return False
    rows = [row for row in read.rows if len(row) == 2]
    labels, texts = [[row[i].strip() for row in rows] for i in (0, 1)]
    if columns.has_header(rows) or not all(
        columns.kind_of(one) in ("label", "empty") for one in labels
    ):
        return False
    return sum(map(columns.letters, labels)) < sum(map(columns.letters, texts))


def is_named(lines: Iterable[str], dialect: Dialect) -> bool:
    """Whether the first row of a table has names that people give to columns."""
    rows = parsed(islice(without_rules(lines), dialect.prelude, None), dialect)
    return _known(next((row for row in rows if any(map(str.strip, row))), [])) > 0


def _marked(lines: Sequence[str], prelude: int) -> Dialect | None:
    """Lines as "label | text", of which some may lack the label."""
    there = [line for line in lines if line.strip()]
    with_bar = [line.partition("|")[0].strip() for line in there if "|" in line]
    if not with_bar or len(with_bar) * 3 < len(there):
        return None
    short = sum(len(label) <= 60 and len(label.split()) <= 6 for label in with_bar)
    return Dialect("|", "", "", 2, prelude, marked=True) if short >= 0.9 * len(with_bar) else None


def _unquoted(lines: Sequence[str], ending: str) -> Dialect | None:
    """A table whose sentences have commas, in no quotation marks: only its labels tell."""
    if ending not in _TABULAR:
        return None
    there = [line.rstrip("\r\n") for line in lines if line.strip()]
    for sign in DELIMITERS:
        if sum(sign in line for line in there) < 0.95 * len(there) or len(there) < 3:
            continue
        heads, tails = (
            [line.split(sign, 1)[0] for line in there],
            [line.rsplit(sign, 1)[-1] for line in there],
        )
        for labels, loose in ((heads, 1), (tails, 0)):
            if columns.is_label_column(labels) and all(
                label and label == label.strip() and columns.kind_of(label) in ("label", "number")
                for label in labels
            ):
                return Dialect(sign, "", "", 2, bare=True, loose=loose)
    return None


def _of_one_column(lines: Sequence[str], prelude: int) -> Dialect:
    """Lines that nothing separates, perhaps each in quotation marks."""
    there = [line.strip() for line in lines if line.strip()]
    body = there[1:] or there
    quoted = sum(len(line) > 1 and line[0] == line[-1] == '"' for line in body)
    return Dialect("", '"' if quoted > 0.5 * len(body) else "", "", 1, prelude)


def rows(
    lines: Lines,
    dialect: Dialect,
    names: Sequence[str],
    *,
    header: bool,
    text: str | None,
    encoding: str,
) -> Iterator[Row]:
    """The rows below the header. What is no row is noted in `lines`.

    Args:
        lines: the lines of the file.
        dialect: how it is written.
        names: the names of the columns.
        header: whether the first row holds these names.
        text: the column of texts, to which signs too many belong where nothing is quoted.
        encoding: of the file.
    """
    at = names.index(text) if text in names else dialect.loose
    given = without_rules(lines)
    for line in islice(given, dialect.prelude):
        if line.strip() and not _SEPARATOR_LINE.fullmatch(line.rstrip("\r\n")):
            lines.leave_out("it stands above the table")
    every: Iterator[tuple[list[str], str, bool]]
    if dialect.marked:
        every = ((_marked_row(line), lines.where, False) for line in given)
    else:
        every = _mended(((line, lines.where) for line in given), dialect)
    start = header
    for row, where, mended in every:
        if not any(map(str.strip, row)):
            continue
        if mended:
            lines.leave_out("a quotation mark that is never closed", where)
        if start:
            start = False
            continue
        why = next((reason for cell in row if (reason := not_clean(cell, encoding))), "")
        if why:
            lines.leave_out(why, where)
            continue
        if len(row) != len(names):
            if len(row) > 1 and row[0].startswith("#") and len(row) < len(names):
                lines.leave_out("it is a comment", where)
                continue
            fitted = fit(row, len(names), at, dialect)
            if fitted is None:
                if row[0].startswith("#"):
                    lines.leave_out("it is a comment", where)
                else:
                    lines.leave_out(f"it has {_cells(len(row))}, not {len(names)}", where)
                continue
            row = fitted
        yield Row(dict(zip(names, row, strict=True)), where)


def fit(row: list[str], width: int, text: int | None, dialect: Dialect) -> list[str] | None:
    """A row of another width than its table's; None if it cannot be told what its cells are.

    A row that is too short but has its text lacks its last cells. One that is too long, in a table that
    quotes nothing, has a text with the delimiter inside.
    """
    if len(row) < width:
        return [*row, *[""] * (width - len(row))] if text is not None and len(row) > text else None
    # Empty cells at the end are columns that a spreadsheet once had.
    if not any(map(str.strip, row[width:])):
        return row[:width]
    if not dialect.bare or dialect.delimiter not in ",;|" or text is None:
        return None
    more = len(row) - width
    whole = dialect.delimiter.join(row[text : text + more + 1])
    return [*row[:text], whole, *row[text + more + 1 :]]


def _cells(count: int) -> str:
    return f"{count} column{'s' * (count > 1)}"


def _marked_row(line: str) -> list[str]:
    label, bar, text = line.partition("|")
    return [label.strip(), text.strip()] if bar else ["", line.strip()]


def names_of(first: Sequence[str], width: int, header: bool) -> tuple[str, ...]:
    """The names of the columns: those of the header, all different; or their numbers."""
    names: dict[str, None] = {}
    numbers: dict[str, int] = {}  # for each name that came before, the number to try next
    for i in range(width):
        name = " ".join(first[i].split()).strip("\ufeff") if header and i < len(first) else ""
        name = base = name[:80] or f"column {i + 1}"
        while name in names:
            numbers[base] = numbers.get(base, 1) + 1
            name = f"{base} {numbers[base]}"
        names[name] = None
    return tuple(names)
