r"""JSON that anybody may have written, with bounds: its size, its depth, its numbers, its characters.

Python's own parser accepts what nothing behind it survives: an object 900 deep exhausts the stack of
whoever walks it next, a whole number of 400 digits is no float, and half of a character (`"\ud800"`)
cannot be sent to a browser.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any, NoReturn

MOST_BYTES = 10_000_000  # unless the caller expects more
# Published configurations and tokenizers are at most 12 deep. Code that walks a tree takes up to ten
# frames of Python's stack for each level, and has about 1,000.
MOST_DEPTH = 64
_MOST_DIGITS = 308  # of a whole number: more is beyond a 64-bit float
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


class NotJson(ValueError):
    """This cannot be read as JSON; the message is a clause that says why ("it is 900 deep …")."""


def parse(
    data: bytes | str,
    *,
    most_bytes: int = MOST_BYTES,
    finite: bool = True,
    unique: bool = False,
    halves: bool = False,
) -> Any:
    """The value that a JSON text holds.

    Args:
        data: the text; bytes are UTF-8, with or without a mark at their beginning. Windows also writes
            UTF-16, which its mark, or its zeros, tell apart.
        most_bytes: its greatest length (characters, if it is a string).
        finite: whether to refuse NaN and the infinities, which are no JSON, but which Python writes.
        unique: whether to refuse an object that has a name twice.
        halves: whether to let half of a character through, for a caller that replaces it.

    Raises:
        NotJson: it is not JSON, too long, nested deeper than `MOST_DEPTH`, or contains a number or a
            character that nothing can represent. Its cause is the parser's error, if there was one.
    """
    if len(data) > most_bytes:
        raise NotJson(f"it has {len(data):,} bytes, and at most {most_bytes:,} are read")
    try:
        text = data.decode(json.detect_encoding(data)) if isinstance(data, bytes) else data
    except UnicodeDecodeError as error:
        raise NotJson("it is not UTF-8") from error
    text = text.removeprefix("\ufeff")
    try:
        value = json.loads(
            text,
            parse_int=_whole,
            parse_float=_finite if finite else None,
            parse_constant=_no_number if finite else None,
            object_pairs_hook=_unique if unique else None,
        )
    except NotJson:
        raise
    except json.JSONDecodeError as error:
        raise NotJson(f"line {error.lineno}, column {error.colno}: {error.msg}") from error
    except RecursionError as error:
        raise NotJson(f"it is nested deeper than {MOST_DEPTH} levels") from error
    _check_depth(value)
    if not halves and _HALF.search(text):
        try:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError as error:
            raise NotJson("it contains half of a character") from error
    return value


def read(file: Path, *, most_bytes: int = MOST_BYTES, finite: bool = True) -> Any:
    """The value in a JSON file, which is not read at all if it is too long.

    Raises:
        NotJson: see `parse`.
        OSError: it cannot be read.
    """
    with file.open("rb") as stream:
        data = stream.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise NotJson(f"it has {file.stat().st_size:,} bytes, and at most {most_bytes:,} are read")
    return parse(data, most_bytes=most_bytes, finite=finite)


def _check_depth(value: Any) -> None:
    """Raise NotJson for a value that is nested too deeply; level by level, without recursion."""
    level, depth = [value] if isinstance(value, dict | list) else [], 0
    while level:
        depth += 1
        if depth > MOST_DEPTH:
            raise NotJson(f"it is nested deeper than {MOST_DEPTH} levels")
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]


def _whole(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise NotJson(f"it contains a number of {len(text):,} digits")
    return int(text)


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise NotJson(f"it contains {text[:20]}, which is beyond all numbers")
    return value


def _no_number(text: str) -> NoReturn:
    raise NotJson(f"{text} is not a number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise NotJson(f"an object has “{twice[:40]}” twice")
    return made
