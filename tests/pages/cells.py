"""Run the lines of “The same in Python” that a page shows, as a notebook would."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

PAGES = Path(__file__).resolve().parents[2] / "pages"


def visit(page: str, **url: str) -> AppTest:
    app = AppTest.from_file(str(PAGES / page / "page.py"), default_timeout=120)
    app.query_params.update(url)
    app.run()
    assert not app.exception, app.exception
    return app


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
