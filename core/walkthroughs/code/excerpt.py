"""Lines of a function, read from its source: nobody copies them, and they cannot differ.

An excerpt names its statements by how they begin. It is refused where none begins so, or more than one:
a change of the source then breaks a test, and never shows other lines without a word.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple


class Excerpt(NamedTuple):
    """Some statements of a function, from the first to the last; without a first one, all of it.

    Attributes:
        function: whose they are.
        first: how the first statement begins.
        last: how the last one begins; "": there is only one.
    """

    function: Callable[..., Any]
    first: str = ""
    last: str = ""

    @property
    def place(self) -> str:
        """Where they stand: "core.transformer.layers, AddNorm.add"."""
        return f"{self.function.__module__}, {self.function.__qualname__}"


@cache
def lines(excerpt: Excerpt) -> str:
    """The lines as they stand in the source, without the indent that they share.

    Raises:
        ValueError: no statement begins so, or several do; or the last stands before the first.
    """
    source = textwrap.dedent(inspect.getsource(excerpt.function))
    if not excerpt.first:
        return source.rstrip()
    start, end = (
        _statement(source, excerpt, begins) for begins in (excerpt.first, excerpt.last or excerpt.first)
    )
    assert end.end_lineno is not None
    if end.lineno < start.lineno or end.col_offset != start.col_offset:
        raise ValueError(f"{excerpt.place}: “{excerpt.last}” does not follow “{excerpt.first}”.")
    return textwrap.dedent("\n".join(source.split("\n")[start.lineno - 1 : end.end_lineno]))


def _statement(source: str, excerpt: Excerpt, begins: str) -> ast.stmt:
    """The one statement that begins so."""
    rows = source.split("\n")
    found = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.stmt) and rows[node.lineno - 1][node.col_offset :].startswith(begins)
    ]
    if len(found) != 1:
        raise ValueError(f"{excerpt.place}: {len(found)} statements begin with “{begins}”, not one.")
    return found[0]
