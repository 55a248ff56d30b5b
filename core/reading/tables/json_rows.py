"""JSON: the objects of a list, one object a line, or what programs write in place of a list.

Objects may hold others: their parts become columns ("data.text"). Where the texts stand in a list
inside each object (the paragraphs of an article), each entry of it is a row, with the columns of what
is around it. What stands beside the texts and could be some as well is counted and named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from json import JSONDecodeError
from typing import Any, NamedTuple

from ...untrusted import NotJson, parse
from .. import columns
from ..files import BROKEN, Lines, not_clean
from ..understood import Refused, Row, Skipped

TEXT = "text"  # the column of texts that have no name
SAMPLE = 200  # entries that are looked at to find where the texts stand
_DEEPEST = 12  # lists and objects in each other
_LONGEST_NAME = 30  # characters of a key that is named: a longer one may be a text
_PARTS = frozenset({"train", "test", "dev", "val", "valid", "validation", "eval", "unsupervised"})
_HEADS = ("columns", "header", "headers", "fields", "names")
_NO_ROW = "it is no JSON object of texts and numbers"

Path = tuple[str, ...]  # the keys of the lists in which the texts stand, from the outermost


class Entry(NamedTuple):
    """An entry of a list.

    Attributes:
        value: what it holds.
        where: its place.
        why: why it is left out, as a clause.
    """

    value: Any
    where: str
    why: str = ""


class _Found(NamedTuple):
    """What the rows of a value are, and what else could have been one: (its name, its entries)."""

    entries: Sequence[Any]
    left_out: Sequence[tuple[str, int]] = ()


def of_lines(lines: Lines) -> Iterator[Row]:
    """The rows of a file with one value a line. What is no row is noted in `lines`."""
    beside: Counter[str] = Counter()
    for row in opened(_values(lines), beside):
        if isinstance(row, Row):
            yield row
        else:
            lines.leave_out(row.why, row.where)
    for name, count in beside.items():
        lines.leave_out(not_read(name, count), "all lines")


def _values(lines: Lines) -> Iterator[Entry]:
    for line in lines:
        if not line.strip():
            continue
        try:
            value = parse(line, most_bytes=len(line), finite=False)  # the reader bounds its lines
        except NotJson:
            yield Entry(None, lines.where, "it is not JSON")
        else:
            yield Entry(value, lines.where)


def of_value(text: str, source: str) -> Iterator[Row | Skipped]:
    """The rows of one JSON value.

    Raises:
        Refused: it is not JSON, is nested too deeply, or has no rows.
    """
    try:
        value = parse(text, most_bytes=len(text), finite=False)  # the reader bounds its files
    except NotJson as error:
        cause = error.__cause__
        why = str(error)
        if isinstance(cause, JSONDecodeError):
            why = f"there is an error in line {cause.lineno:,}"
        raise Refused(f"it is not JSON that can be read: {why}") from None
    found = _rows(value)
    if found is None:
        raise Refused("it is JSON without a list of objects or texts")
    beside = Counter(dict(found.left_out))
    own = Counter(beside)
    entries = (Entry(one, f"entry {number}") for number, one in enumerate(found.entries, 1))
    for row in opened(entries, beside):
        yield row if isinstance(row, Row) else replace(row, source=source)
    for name, count in beside.items():
        yield Skipped(source, "", not_read(name, count, each=not own[name]))


def not_read(name: str, count: int, *, each: bool = True) -> str:
    """That a part with texts is not read, as a clause. Its name stands there if it is short."""
    entries = f"{count:,} {'entry' if count == 1 else 'entries'}"
    named = f"the part “{name}”" if len(name) <= _LONGEST_NAME and len(name.split()) <= 3 else "a part"
    return f"{named}{' of the entries' if each else ''}, with {entries}, is not read"


# What a value holds: its entries.


def _rows(value: Any, depth: int = 0) -> _Found | None:
    """The entries of a value: those of its lists that are alike, or what its keys stand for."""
    if isinstance(value, list):
        return _Found(_of_lists(value) if value and all(isinstance(x, list) for x in value) else value)
    if not isinstance(value, dict) or not value or depth > _DEEPEST:
        return None
    for made in (_of_columns, _of_split, _of_objects, _of_texts):
        if (rows := made(value)) is not None:
            return _Found(rows)
    lists = {
        name: one
        for name, one in value.items()
        if isinstance(one, list) and any(isinstance(x, dict | str | list) for x in one)
    }
    if lists:
        return _of_groups(lists)
    if not any(isinstance(one, str) and _is_text(one) for one in value.values()):
        inner = {
            name: found
            for name, one in value.items()
            if isinstance(one, dict) and (found := _rows(one, depth + 1)) and found.entries != [one]
        }
        if inner:
            grouped = _of_groups({name: list(found.entries) for name, found in inner.items()})
            further = [one for found in inner.values() for one in found.left_out]
            return _Found(grouped.entries, [*grouped.left_out, *further])
    return _Found([value]) if any(isinstance(one, str | dict) for one in value.values()) else None


def _of_columns(value: Mapping[str, Any]) -> list[Any] | None:
    """Columns, all of one length: {"text": ["…", "…"], "label": ["a", "b"]}."""
    parts = list(value.values())
    if not all(isinstance(one, list) for one in parts) or len({len(one) for one in parts}) != 1:
        return None
    if any(isinstance(one, dict | list) for part in parts for one in part):
        return None
    # {"river": ["…", "…"], "money": ["…", "…"]} has texts of two kinds, and no columns.
    if len(parts) > 1 and not any(map(columns.is_known, value)) and all(map(_are_texts, parts)):
        return None
    return [dict(zip(value, row, strict=True)) for row in zip(*parts, strict=True)]


def _of_split(value: Mapping[str, Any]) -> Sequence[Any] | None:
    """Names of columns beside rows that are lists: {"columns": ["text"], "data": [["…"], ["…"]]}."""
    head = next((value[one] for one in _HEADS if isinstance(value.get(one), list)), None)
    rows = [one for one in value.values() if isinstance(one, list) and one and one is not head]
    rows = [one for one in rows if all(isinstance(row, list) for row in one)]
    if head is None or len(rows) != 1 or not all(isinstance(one, str) for one in head):
        return None
    width = max(map(len, rows[0]))
    return _with_names(_names_of(head, width, header=True), rows[0])


def _of_objects(value: Mapping[str, Any]) -> Sequence[Any] | None:
    """Objects by their keys, or columns as pandas writes them: {"text": {"0": "…"}, "label": {…}}."""
    parts = list(value.values())
    if not all(isinstance(one, dict) for one in parts):
        return None
    keys = list(parts[0])
    if keys and all(list(one) == keys for one in parts):
        if all(key.isdecimal() for key in keys) and not all(map(str.isdecimal, value)):
            return [{name: part[key] for name, part in value.items()} for key in keys]
    elif len(parts) < 2 or any(isinstance(x, list | dict) for one in parts for x in one.values()):
        return None
    if any(isinstance(x, list) and _letters(x) for one in parts for x in one.values()):
        return None
    return [one if "key" in one else {"key": key, **one} for key, one in value.items()]


def _of_texts(value: Mapping[str, Any]) -> Sequence[Any] | None:
    """Texts by their keys, or labels by their texts: {"1": "…", "2": "…"}; None for one object."""
    if len(value) < 2 or not all(isinstance(one, str | int | float | None) for one in value.values()):
        return None
    parts = ["" if one is None else str(one) for one in value.values()]
    if any(map(columns.is_known, value)) or not (_are_texts(parts) or _are_texts(list(value))):
        return None
    if _letters(list(value)) > _letters(parts):
        return [{TEXT: key, "label": one} for key, one in value.items()]
    # The key of a text is a number of it, or a label.
    name = "label" if all(columns.kind_of(key) == "label" for key in value) else "id"
    return [{name: key, TEXT: one} for key, one in value.items()]


def _of_groups(lists: Mapping[str, list[Any]]) -> _Found:
    """The lists of an object that are like its fullest one, each entry with the name of its list."""
    best = max(lists, key=lambda name: _letters(lists[name]))
    alike = [name for name in lists if _is_alike(lists[name], lists[best])]
    left_out = [(name, len(one)) for name, one in lists.items() if name not in alike]
    left_out = [(name, count) for name, count in left_out if _are_rows(lists[name])]
    if len(alike) < 2:
        rows = lists[best]
        return _Found(_of_lists(rows) if all(isinstance(x, list) for x in rows) else rows, left_out)
    column = "split" if all(columns.plain_name(name) in _PARTS for name in alike) else "group"
    made: list[Any] = []
    for name in alike:
        for one in lists[name]:
            row = {TEXT: one} if isinstance(one, str) else one
            made.append({column: name, **row} if isinstance(row, dict) else row)
    return _Found(made, left_out)


def _is_alike(a: Sequence[Any], b: Sequence[Any]) -> bool:
    """Whether two lists hold texts, or objects of the same kind."""
    first, second = _keys(a), _keys(b)
    if first is None or second is None:
        return first is second and _are_texts(a) and _are_texts(b)
    return 2 * len(first & second) >= len(first | second) > 0


def _keys(given: Sequence[Any]) -> set[str] | None:
    """The keys of a list's objects; None if it has texts."""
    objects = [one for one in given[:SAMPLE] if isinstance(one, dict)]
    return {key for one in objects for key in one} if objects else None


def _are_texts(given: Sequence[Any]) -> bool:
    """Whether some cells are rather sentences than names: of several words, or of ten letters."""
    there = [one for one in given[:SAMPLE] if isinstance(one, str) and one.strip()]
    return bool(there) and 2 * sum(map(_is_text, there)) > len(there)


def _is_text(one: str) -> bool:
    return len(one.split()) > 2 or (len(one.split()) == 1 and columns.kind_of(one) == "text")


def _are_rows(given: Sequence[Any]) -> bool:
    """Whether a list could have been the one that is read: it has objects or texts."""
    return _are_texts(given) or any(isinstance(one, dict) and _letters([one]) for one in given[:SAMPLE])


def _letters(given: Iterable[Any]) -> int:
    """The letters of the first entries, as deep as they are; ten times those of texts."""
    count, stack = 0, [(one, 0) for one in islice(given, SAMPLE)]
    while stack:
        one, depth = stack.pop()
        if isinstance(one, str):
            count += columns.letters(one) * (10 if _is_text(one) else 1)
        elif isinstance(one, dict | list) and depth < _DEEPEST:
            inner = one.values() if isinstance(one, dict) else one
            stack += [(x, depth + 1) for x in islice(inner, SAMPLE)]
    return count


def _of_lists(rows: Sequence[list[Any]]) -> Sequence[Any]:
    """Rows that are lists: the first names the columns, if it can."""
    from .delimited import MOST_COLUMNS

    width = min(max(len(row) for row in rows[:SAMPLE]), MOST_COLUMNS)
    sample = [["" if cell is None else str(cell) for cell in row[:width]] for row in rows[:SAMPLE]]
    header = all(isinstance(cell, str) for cell in rows[0]) and columns.has_header(sample)
    names = _names_of(sample[0], width, header=header)
    return _with_names(names, rows[1:] if header else rows)


def _names_of(first: Sequence[str], width: int, *, header: bool) -> tuple[str, ...]:
    from .delimited import names_of

    return names_of(first, max(width, len(first)), header)


def _with_names(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(names, row, strict=False)) for row in rows]


# What an entry holds: its columns, or further entries.


def opened(entries: Iterator[Entry], beside: Counter[str]) -> Iterator[Row | Skipped]:
    """The rows of entries. What stands beside their texts and is not read is counted in `beside`."""
    first: list[Entry] = []
    trouble: Exception | None = None
    try:
        for one in islice(entries, SAMPLE):
            first.append(one)
    except (*BROKEN, Refused) as error:
        trouble = error  # what is there is read first
    path = _path([one.value for one in first])
    for value, where, why in chain(first, entries):
        if isinstance(value, str):
            value = {TEXT: value}
        if why or not isinstance(value, dict):
            yield Skipped("", where, why or _NO_ROW)
            continue
        for row in _inner(_unwrapped(value), path, {}, beside):
            unclean = next(
                (x for one in row.values() if isinstance(one, str) and (x := not_clean(one))), ""
            )
            yield Skipped("", where, unclean) if unclean else Row(row, where)
    if trouble is not None:
        raise trouble


def _inner(
    value: Mapping[str, Any], path: Path, around: Mapping[str, Any], beside: Counter[str]
) -> Iterator[dict[str, Any]]:
    """The rows of an object: itself, or the entries of the list at the end of a path."""
    flat = _flat(value)
    at = path[0] if path else ""
    own = dict(around)
    for name, cell in flat.items():
        if name == at and isinstance(cell, list):
            continue
        if isinstance(cell, list) and _are_rows(cell):
            beside[name.rpartition(".")[2]] += len(cell)
        own[f"{name}.inner" if name in own else name] = cell
    inner = flat.get(at) if path else None
    if not isinstance(inner, list):
        yield own
        return
    last = at.rpartition(".")[2]
    for one in inner:
        if isinstance(one, dict):
            yield from _inner(
                {f"{last}.{key}" if key in own else key: cell for key, cell in one.items()},
                path[1:],
                own,
                beside,
            )
        elif isinstance(one, str):
            yield {**own, last: one}


def _path(values: Sequence[Any]) -> Path:
    """In which lists of the entries the texts stand; empty if in none."""
    cells: dict[tuple[Path, str], list[str]] = {}
    stack: list[tuple[Any, Path]] = [(_unwrapped(one), ()) for one in values if isinstance(one, dict)]
    while stack:
        value, path = stack.pop()
        for name, cell in _flat(value).items():
            if isinstance(cell, str) and cell.strip():
                cells.setdefault((path, name), []).append(cell[:2_000])
            elif isinstance(cell, list) and len(path) < _DEEPEST:
                inside = (*path, name)
                for one in cell[:SAMPLE]:
                    if isinstance(one, str) and one.strip():
                        cells.setdefault((inside, name), []).append(one[:2_000])
                    elif isinstance(one, dict) and len(stack) < 50 * SAMPLE:
                        stack.append((one, inside))
    weights = {
        at: columns.text_weight(at[1], given)
        for at, given in cells.items()
        if not at[0] or _are_texts(given)
    }
    here = max((weight for (path, _), weight in weights.items() if not path), default=0.0)
    best = max(weights, key=lambda at: weights[at], default=((), ""))
    # Rather the text of the entry itself, where the other one is not clearly the text.
    return best[0] if weights and weights[best] > 2 * here else ()


def _flat(value: Mapping[str, Any]) -> dict[str, Any]:
    """An object with the parts of the objects inside it: {"data": {"text": …}} is {"data.text": …}."""
    flat: dict[str, Any] = {}
    stack: list[tuple[str, Any, int]] = [(str(name), one, 0) for name, one in [*value.items()][::-1]]
    while stack:
        name, one, depth = stack.pop()
        if isinstance(one, dict) and one and depth < _DEEPEST:
            stack += [(f"{name}.{key}", x, depth + 1) for key, x in reversed(one.items())]
        else:
            flat[name] = one
    return flat


def _unwrapped(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """The object inside an object that holds only that, as data sets on the web give rows."""
    inner = [one for one in value.values() if isinstance(one, dict)]
    if len(inner) == 1 and not any(one and isinstance(one, str | list) for one in value.values()):
        own: Mapping[str, Any] = inner[0]
        return own
    return value
