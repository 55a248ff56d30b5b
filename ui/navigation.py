"""The pages of the app: each declares its name and its icon itself, at the head of its `page.md`.

    ---
    menu: Positions
    icon: <path d="M2.5 12c2.4-7 4.8-7 7.1 0s4.8 7 7.1 0 3.1-6 4.8-6"/>
    ---

`menu` is its name in the menu; `icon` are lines on a square of 24 units, and dots (`class="dot"`), see
`ui.page.icons`. A line that begins with "#" is a comment, an indented one continues the one above. The
folder's name determines the address: step_by_step is at /step-by-step. The order of the menu is in
app.py. Everything that must know all pages reads them here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

HOME = "compare"  # its address is empty; this one leads there too


@dataclass(frozen=True)
class Page:
    """A page, as it declares itself.

    Attributes:
        folder: its folder in `pages`.
        title: its name in the menu.
        icon: its icon, the inside of an SVG.
    """

    folder: str
    title: str
    icon: str

    @property
    def address(self) -> str:
        """The last part of its path; the home page's path may do without it."""
        return address(self.folder)

    @property
    def path(self) -> str:
        """Its path below the base path of the app: empty for the home page."""
        return "" if self.folder == HOME else self.address

    @property
    def script(self) -> str:
        """The path of its script, as Streamlit knows it."""
        return script(self.folder)


def address(folder: str) -> str:
    """The address of the page in a folder of `pages`."""
    return folder.replace("_", "-")


def folder(address: str) -> str:
    """The folder of the page at an address; the empty one is the home page's."""
    return (address or HOME).replace("-", "_")


def script(folder: str) -> str:
    """The path of a page's script, relative to app.py, as Streamlit knows it."""
    return f"pages/{folder}/page.py"


@cache
def pages() -> Mapping[str, Page]:
    """Every page by its folder, in the order of the alphabet.

    Raises:
        ValueError: a page does not declare what it must.
    """
    spec = find_spec("pages")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    files = sorted(Path(spec.submodule_search_locations[0]).glob("*/page.py"))
    return {file.parent.name: declared(file) for file in files}


def declared(file: Path) -> Page:
    """What a page declares, beside its `page.py`.

    Raises:
        ValueError: it lacks a name or an icon, or has something else.
    """
    words = file.with_suffix(".md")
    front, _ = front_matter(words.read_text("utf-8"))
    if front.keys() != {"menu", "icon"}:
        raise ValueError(f"{words} must begin with `menu` and `icon`, between two lines of ---.")
    return Page(file.parent.name, front["menu"], front["icon"].replace("\n", ""))


def front_matter(text: str) -> tuple[dict[str, str], str]:
    """What stands between two lines of "---" at the head of a text, and the rest; {} for nothing."""
    head, opened, rest = text.partition("---\n")
    head, closed, body = rest.partition("\n---\n") if opened and not head else ("", "", "")
    if not closed:
        return {}, text
    front: dict[str, str] = {}
    key = ""
    for line in head.splitlines():
        if line.startswith(" ") and key:
            front[key] += f"\n{line.strip()}"
        elif line and not line.startswith("#"):
            key, _, value = line.partition(":")
            front[key] = value.strip()
    return front, body
