"""Run the lines of “The same in Python” that a page shows, as a notebook would."""

from __future__ import annotations

import ast
from typing import Any

from tests.visits import visit


def given_by(cell: str) -> Any:
    """The value of the last line, in a separate namespace."""
    there: dict[str, Any] = {"__name__": "a notebook"}
    *before, last = ast.parse(cell).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(before, []), "a cell", "exec"), there)
    return eval(compile(ast.Expression(last.value), "a cell", "eval"), there)


def given(page: str, **url: str) -> list[Any]:
    """The values of the lines of each tab."""
    app = visit(page, py="1", **url)
    assert all(one.language == "python" for one in app.code)
    return [given_by(str(one.value)) for one in app.code]
