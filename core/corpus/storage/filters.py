"""Filters over the columns of a corpus: SQL conditions, as LanceDB reads them.

A filter comes from a person, and a word from any text. A word is always a quoted string. A filter must
be closed in itself before it is combined with one: otherwise `1=1) OR (1=1` would close our
parenthesis. LanceDB reads conditions only, no statements, and ignores what follows a complete one; we
refuse it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from itertools import groupby
from typing import Any

from ...errors import CorpusError
from ...untrusted import normalized
from .columns import Value, is_named
from .store import batches

MOST_FILTER = 2_000  # characters
# A string, a quoted name, or one sign; a quotation mark that is not closed is a sign.
_PIECE = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|`[^`]*`|--|/\*|.", re.DOTALL)


def quoted(text: str) -> str:
    """A text as an SQL string."""
    return "'" + text.replace("'", "''") + "'"


def is_value(column: str, value: Value) -> str:
    """The condition that a column has a value; None for none."""
    if value is None:
        return f"{column} IS NULL"
    return f"{column} = {quoted(value) if isinstance(value, str) else repr(value)}"


def checked(table: Any, where: str) -> str:
    """A filter in parentheses, which can be combined with others.

    Args:
        table: the LanceDB table whose columns it names.
        where: the condition, such as `year >= 1990 AND genre = 'letters'`.

    Raises:
        CorpusError: it is empty, too long, not closed in itself, or no condition over these columns.
    """
    if not where.strip() or len(where) > MOST_FILTER or "\0" in where:
        raise CorpusError(
            "A filter is a condition of 1 to {most_filter:,} characters.",
            most_filter=MOST_FILTER,
        )
    condition = f"({_with_quotes(where, table.schema.names)})"
    if not _is_closed(where):
        raise _refused(
            table, where, "It is more than one condition, or has a quotation mark without its end."
        )
    try:
        next(batches(table, condition), None)
    except CorpusError as error:  # the library's message names files of the machine that built it
        raise _refused(table, where) from error
    return condition


def _with_quotes(where: str, names: Collection[str]) -> str:
    """A filter with quotes around those of its columns that LanceDB would else not read as names.

    It reads letters of every script, and no signs that stand on or below one (Thai tones, for example).
    """
    marked = {name for name in names if any(unicodedata.category(sign)[0] == "M" for sign in name)}
    if not marked:
        return where
    parts: list[str] = []
    for piece in _words(where):
        name = normalized("NFKC", normalized("NFKC", piece).lower())
        parts.append(f"`{name}`" if name in marked else piece)
    return "".join(parts)


def _words(where: str) -> Iterator[str]:
    """A filter in pieces: strings, quoted names, words, and single signs."""
    for named, pieces in groupby(_PIECE.findall(where), lambda one: len(one) == 1 and is_named(one)):
        if named:
            yield "".join(pieces)
        else:
            yield from pieces


def _refused(table: Any, where: str, why: str = "") -> CorpusError:
    vectors = "fixed_size_list"
    names = ", ".join(f.name for f in table.schema if not str(f.type).startswith(vectors))
    return CorpusError(
        f"“{where[:200]}” is no filter over this corpus. Its columns are {names}. A filter compares "
        f"one of them, such as year >= 1990; a text stands in single quotation marks. {why}".rstrip()
    )


def _is_closed(where: str) -> bool:
    """Whether all quotation marks and parentheses are closed, and nothing ends the condition early."""
    depth = 0
    for piece in _PIECE.findall(where):
        depth += {"(": 1, ")": -1}.get(piece, 0)
        if depth < 0 or piece in ("'", '"', "`", ";", "--", "/*"):
            return False
    return depth == 0
