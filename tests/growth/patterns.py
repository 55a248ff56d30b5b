"""Finds every regular expression of our Python code, by its syntax."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIBRARIES = ("re", "regex")
# What compiles or runs an expression; `re.escape` and the flags do not.
RUNS = frozenset(
    (
        *("compile", "search", "match", "fullmatch", "split", "splititer", "findall", "finditer"),
        *("sub", "subf", "subn", "subfn", "template"),
    )
)


def patterns() -> frozenset[str]:
    """Each place with an expression: "core/a.py:_NAME", or "core/a.py:function" if it has no name."""
    files = [file for folder in ("core", "ui", "pages") for file in (ROOT / folder).rglob("*.py")]
    return frozenset(
        f"{file.relative_to(ROOT).as_posix()}:{name}"
        for file in [*files, ROOT / "app.py"]
        for name in in_source(file.read_text("utf-8"))
    )


def in_source(source: str) -> Iterator[str]:
    """The names of the expressions in the source of a module."""
    if not any(library in source for library in ("import re", "import regex", "from re")):
        return  # most modules have none, and are not worth a parse
    tree = ast.parse(source)
    own = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name in LIBRARIES
    }
    direct = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in LIBRARIES
        for alias in node.names
        if alias.name in RUNS
    }
    yield from _within(tree, "", own, direct)


def _within(node: ast.AST, name: str, own: set[str], direct: set[str]) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        inner = name
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = f"{name}.{child.name}" if name else child.name
        elif isinstance(child, ast.Assign | ast.AnnAssign) and not name:
            target = child.targets[0] if isinstance(child, ast.Assign) else child.target
            inner = target.id if isinstance(target, ast.Name) else name
        if isinstance(child, ast.Call) and _runs(child.func, own, direct):
            yield inner or "a line of the module"
        yield from _within(child, inner, own, direct)


def _runs(function: ast.expr, own: set[str], direct: set[str]) -> bool:
    if isinstance(function, ast.Name):
        return function.id in direct
    return (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id in own
        and function.attr in RUNS
    )
