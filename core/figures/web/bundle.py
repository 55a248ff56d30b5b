"""The JavaScript of a browser picture as one piece of text, its imports put before it.

A notebook's output and a Streamlit component cannot import a file from beside themselves.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

import rjsmin

MODULES = (
    "heatmap",
    "strips",
    "places",
    "lines",
    "bars",
    "plane",
    "space",
    "cloud",
    "overview",
    "layer",
    "working",
)

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=const |function |class )", re.MULTILINE)


@cache
def code(module: str) -> str:
    """The module and all that it imports, in order, without imports, exports, comments and blanks.

    It defines `render(root, data, emit)`. Put it inside a function, or a module of its own.

    Raises:
        ValueError: there is no such module.
    """
    if module not in MODULES:
        raise ValueError(f"There is no browser picture {module!r}. There are: {', '.join(MODULES)}.")
    return str(rjsmin.jsmin(_EXPORT.sub("", "".join(_files(module, []))))) + "\n"


def _files(name: str, seen: list[str]) -> list[str]:
    """The text of the files that `name` imports, deepest first, each once; then its own."""
    seen.append(name)
    text = resources.files(__package__).joinpath(f"{name}.js").read_text("utf-8")
    before = [
        part for other in _IMPORT.findall(text) if other not in seen for part in _files(other, seen)
    ]
    return [*before, _IMPORT.sub("", text)]
