"""The repository's papers as pages of the site: where each goes, and where its links lead."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Papers outside docs/, and their pages.
ELSEWHERE = {
    "README.md": "readme.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "deploy/README.md": "deploy.md",
    "benchmarks/results.md": "benchmarks.md",
}
# It uses the package under its name in a checkout; the gallery shows the same and more.
NO_PAGE = ("docs/polysee_in_a_notebook.ipynb",)
# Where files go that a paper names and that are no pages: a schema, a manifest.
FILES = "files"
_FENCE = re.compile(r"^( *)(```+).*?^\1\2 *$", re.M | re.S)
_LINK = re.compile(r"(?<=\]\()[^()\s]+(?=[)\s])")


def papers(root: Path = ROOT) -> Iterator[Path]:
    """Every paper of a checkout that becomes a page, notebooks included."""
    for name in ELSEWHERE:
        yield root / name
    for ending in ("*.md", "*.ipynb"):
        there = sorted((root / "docs").rglob(ending))
        yield from (path for path in there if page_of(path.relative_to(root).as_posix()))


def page_of(path: str) -> str | None:
    """The page of a paper, from the first page of the site; None if it has none.

    Args:
        path: of the paper in the checkout.
    """
    if path in ELSEWHERE:
        return ELSEWHERE[path]
    inside = path.removeprefix("docs/")
    if inside == path or path in NO_PAGE or not inside.endswith((".md", ".ipynb")):
        return None
    return inside.removesuffix(".ipynb") + (".md" if inside.endswith(".ipynb") else "")


def outside_fences(text: str, change: Callable[[str], str]) -> str:
    """A Markdown text with `change` made to all but its fenced code."""
    parts, at = [], 0
    for fence in _FENCE.finditer(text):
        parts += [change(text[at : fence.start()]), fence[0]]
        at = fence.end()
    return "".join([*parts, change(text[at:])])


def links(text: str) -> list[str]:
    """The targets of the links and images in a Markdown text, in their order."""
    found: list[str] = []

    def note(part: str) -> str:
        found.extend(_LINK.findall(re.sub(r"`[^`\n]*`", "", part)))
        return part

    outside_fences(text, note)
    return found


def led(text: str, paper: str, copied: Callable[[str], None], root: Path = ROOT) -> str:
    """A paper's text with links that lead to pages.

    Args:
        text: Markdown.
        paper: its path in the checkout.
        copied: is told each file that the site must hold, by its path in the checkout.
        root: the checkout.

    Raises:
        FileNotFoundError: a link leads to no file of the checkout.
    """
    page = page_of(paper)
    assert page

    def lead(found: re.Match[str]) -> str:
        target, hash_, anchor = found[0].partition("#")
        if re.match(r"[a-z]+:", target) or not target or target.startswith(("/", "?")):
            return found[0]
        path = os.path.normpath(os.path.join(os.path.dirname(paper), target))
        if not (root / path).exists():
            raise FileNotFoundError(f"{paper}: no such file: {target}")
        if (root / path).is_dir():
            path = f"{path}/README.md"
        to = page_of(path)
        if to is None:
            to = path.removeprefix("docs/") if path.startswith("docs/") else f"{FILES}/{path}"
            copied(path)
        return os.path.relpath(to, os.path.dirname(page) or ".") + hash_ + anchor

    return outside_fences(text, lambda part: _LINK.sub(lead, part))


def collect(to: Path, root: Path = ROOT) -> list[Path]:
    """Write all pages but those of notebooks into a folder, with the files that they name.

    Returns:
        The notebooks, whose pages `live` makes.
    """
    notebooks = []

    def copy(path: str) -> None:
        inside = path.removeprefix("docs/") if path.startswith("docs/") else f"{FILES}/{path}"
        (to / inside).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / path, to / inside)

    for paper in papers(root):
        if paper.suffix == ".ipynb":
            notebooks.append(paper)
            continue
        path = paper.relative_to(root).as_posix()
        page = to / str(page_of(path))
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(led(paper.read_text("utf-8"), path, copy, root), "utf-8")
    return notebooks
