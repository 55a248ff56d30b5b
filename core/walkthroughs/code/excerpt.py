"""Lines of a function, read from its source, so that they cannot differ from it.

An excerpt identifies its statements by their first characters. It is refused if no statement, or more
than one, begins like that: a change of the source then breaks a test, instead of silently showing other
lines.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple


class Excerpt(NamedTuple):
    """Some statements of a function, from first to last; without a first one, the whole function.

    Attributes:
        function: the function.
        first: the beginning of the first statement.
        last: the beginning of the last statement; "" if there is only one.
    """

    function: Callable[..., Any]
    first: str = ""
    last: str = ""

    @property
    def location(self) -> str:
        """The location of the lines: "core.transformer.layers, AddNorm.add"."""
        return f"{self.function.__module__}, {self.function.__qualname__}"


@cache
def lines(excerpt: Excerpt) -> str:
    """The lines as in the source, without their common indentation.

    Raises:
        ValueError: if no statement begins like that, or several do; or if the last precedes the first.
    """
    source = textwrap.dedent(inspect.getsource(excerpt.function))
    if not excerpt.first:
        return source.rstrip()
    start, end = (
        _statement(source, excerpt, begins) for begins in (excerpt.first, excerpt.last or excerpt.first)
    )
    assert end.end_lineno is not None
    if end.lineno < start.lineno or end.col_offset != start.col_offset:
        raise ValueError(f"{excerpt.location}: “{excerpt.last}” does not follow “{excerpt.first}”.")
    return textwrap.dedent("\n".join(source.split("\n")[start.lineno - 1 : end.end_lineno]))


def _statement(source: str, excerpt: Excerpt, begins: str) -> ast.stmt:
    """The only statement that begins like that."""
    rows = source.split("\n")
    found = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.stmt) and rows[node.lineno - 1][node.col_offset :].startswith(begins)
    ]
    if len(found) != 1:
        raise ValueError(f"{excerpt.location}: {len(found)} statements begin with “{begins}”, not one.")
    return found[0]
