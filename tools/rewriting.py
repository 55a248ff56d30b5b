"""From the repository's package names to those of the wheel: `core` is `polysee` there.

Nobody may put modules called `core`, `ui` and `pages` into site-packages. The repository keeps its
short names. The sources of a wheel are rewritten: names that Python reads, by the syntax tree; names in
strings, comments and texts, by the rules of `in_text`.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

# The name of each package of the repository in a wheel.
MOVED = {"core": "polysee", "ui": "polysee.ui", "pages": "polysee.app.pages"}
_NAMED = re.compile(rf"\b(?:{'|'.join(MOVED)})\b")
Span = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Names:
    """The names to rewrite.

    Attributes:
        members: for each package of `MOVED`, the names that may follow it and a dot: its modules and
            its exports.
        files: for each, the names that may follow it and a slash: its files and folders.
    """

    members: Mapping[str, frozenset[str]]
    files: Mapping[str, frozenset[str]]


def names(root: Path) -> Names:
    """The names of a checkout, read from its folders and from the exports of each package."""
    members, files = {}, {}
    for package in MOVED:
        there = [one for one in (root / package).iterdir() if one.name != "__pycache__"]
        modules = {one.stem for one in there if one.is_dir() or one.suffix == ".py"} - {"__init__"}
        exported = _exported((root / package / "__init__.py").read_text("utf-8"))
        members[package] = frozenset(modules | exported)
        files[package] = frozenset(one.name for one in there)
    return Names(members, files)


def _exported(source: str) -> set[str]:
    """The public names of a package."""
    exported: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign):
            named = {target.id for target in node.targets if isinstance(target, ast.Name)}
            exported |= set(ast.literal_eval(node.value)) if "__all__" in named else set()
    return exported


def in_text(text: str, of: Names) -> str:
    """A text, a comment or the source of a string, with every name of a module rewritten.

    1. `core.load`, `ui.page`: a package, a dot, and one of its members.
    2. `import core`, `from core import`, `python -m core`.
    3. "core", `core`: the name alone, in quotes.
    4. core/figures/style.py: a file. "pages/heads/page.py" stays, because it is how Streamlit addresses
       a page: relative to app.py, beside which pages/ lies in a wheel as well.
    """
    for package, rules in _rules(of).items():
        if package in text:  # true of hardly any string
            for rule, by in rules:
                text = rule.sub(by, text)
    return text


@cache
def _rules(of: Names) -> Mapping[str, Sequence[tuple[re.Pattern[str], str]]]:
    """For each package, its rules in the order of `in_text`: a pattern and its replacement."""
    rules = {}
    for package, moved in MOVED.items():
        members, files = (
            "|".join(sorted(map(re.escape, some[package]))) for some in (of.members, of.files)
        )
        begins = rf"(?<![\w./-]){package}"
        address = r"(?!\w+/page\.py\b)" if package == "pages" else ""
        by_package = {
            rf"{begins}(?=\.(?:{members})\b)": moved,
            rf"\b(import|python -m) {package}\b(?![./])": rf"\1 {moved}",
            rf"\bfrom {package} import\b": f"from {moved} import",
            rf"(?<![\w\\])(['\"`]){package}\1": rf"\1{moved}\1",
            rf"{begins}/{address}(?=(?:{files})\b)": f"{moved.replace('.', '/')}/",
        }
        rules[package] = [(re.compile(rule), by) for rule, by in by_package.items()]
    return rules


def in_python(source: str, of: Names) -> str:
    """The source of a module, with every name of a module rewritten.

    Raises:
        ValueError: if the name of an imported package is also bound to something else, and would be
            ambiguous.
    """
    if not _NAMED.search(source):
        return source
    raw, starts = source.encode(), [0]
    for line in raw.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    tree = ast.parse(source)
    strings = [*_strings(tree, starts)]
    code, comments = (
        [span for span in found if not any(start <= span[0] < end for start, end in strings)]
        for found in (_code(tree, raw, starts), _comments(source, starts))
    )
    done, at = list[bytes](), 0
    for (start, end), rewritten in sorted(
        [(span, in_text(_piece(raw, span), of)) for span in (*strings, *comments)]
        + [(span, MOVED[_piece(raw, span)]) for span in code]
    ):
        done += [raw[at:start], rewritten.encode()]
        at = end
    return b"".join([*done, raw[at:]]).decode()


def _piece(raw: bytes, span: Span) -> str:
    return raw[slice(*span)].decode()


def _span(node: ast.expr | ast.stmt | ast.alias, starts: list[int]) -> Span:
    """The bytes that a node spans."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset


def _strings(tree: ast.Module, starts: list[int]) -> Iterator[Span]:
    """Every string with its quotes; an f-string as a whole, with its expressions."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.JoinedStr) or (
            isinstance(node, ast.Constant) and isinstance(node.value, str)
        ):
            yield _span(node, starts)
        else:
            waiting += ast.iter_child_nodes(node)


def _comments(source: str, starts: list[int]) -> Iterator[Span]:
    lines = source.splitlines(keepends=True)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            start = starts[row - 1] + len(lines[row - 1][:column].encode())
            yield start, start + len(token.string.encode())


def _code(tree: ast.Module, raw: bytes, starts: list[int]) -> Iterator[Span]:
    """The name of a package wherever Python reads it: in imports, and where they are used."""
    bound, other = set[str](), set[str]()
    used: list[tuple[str, Span]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                start, _ = _span(alias, starts)
                package = alias.name.partition(".")[0]
                if package in MOVED:
                    yield start, start + len(package)
                    if alias.asname is None:
                        bound.add(package)
        elif isinstance(node, ast.ImportFrom):
            package = (node.module or "").partition(".")[0]
            if package in MOVED and not node.level:
                start = raw.index(package.encode(), _span(node, starts)[0] + len("from"))
                yield start, start + len(package)
        elif isinstance(node, ast.Name) and node.id in MOVED:
            used.append((node.id, _span(node, starts)))
            if not isinstance(node.ctx, ast.Load):
                other.add(node.id)
        elif isinstance(node, ast.arg) and node.arg in MOVED:
            other.add(node.arg)
    if twice := bound & other:
        raise ValueError(f"These names are a package and something else: {', '.join(sorted(twice))}.")
    yield from (span for name, span in used if name in bound)
