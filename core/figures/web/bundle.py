"""The JavaScript of a browser picture as one piece of text, its imports put before it.

A notebook's output and a Streamlit component cannot import a file from beside themselves.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources
from posixpath import normpath

from ..schema import part

# Each picture's own module, under `src/`.
_ENTRY = {
    "heatmap": "matrix/heatmap",
    "strips": "matrix/strips",
    "places": "matrix/places",
    "lines": "charts/lines",
    "bars": "charts/bars",
    "plane": "points/plane",
    "space": "points/space",
    "cloud": "points/cloud",
    "overview": "heads/overview",
    "layer": "layer/layer",
    "working": "working/working",
    "trajectory": "trajectory/trajectory",
}
MODULES = tuple(_ENTRY)

_IMPORT = re.compile(r'^import \{[^}]*\} from "(\.[\w./]+)\.js";\n', re.MULTILINE)
# The schema of all pictures, of which a bundle has a part.
_SCHEMA = re.compile(
    r'^import (\w+) from "[./]+/schema\.json" with \{ type: "json" \};\n', re.MULTILINE
)
_EXPORT = re.compile(r"^export (?=const |function |class )", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?://.*|/\*\*.*?\*/)\n", re.MULTILINE)
_LONG_COMMENT = re.compile(r"^[ \t]*/\*\*\n(?:[ \t]+\*.*\n)*?[ \t]+\*/\n", re.MULTILINE)
_BESIDE = re.compile(r"[ \t]+// .*$", re.MULTILINE)
# rjsmin would shorten more, but takes the blanks of a text too, in a template within a template.
# Blanks that no text of ours has: within braces and before them, about operators, after these words.
_BLANKS = re.compile(
    r"(?<=\{) (?=[\w.\[])|(?<=[\w)\]}\"'`]) (?=\})|(?<=\)) (?=\{)"
    r"| (?=(?:=>|&&|\|\||\?\?|[=!]==) )|(?<==>|&&|\|\||\?\?) |(?<=[=!]==) "
    r"|(?:(?<=\bif)|(?<=\bfor)|(?<=\bwhile)) (?=\()"
)
_DECLARED = re.compile(r"\b((?:const|let) \w+) = ")
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
# Where a line goes on in the next one, or has ended anyway; our templates have no such lines of text.
_GOES_ON = re.compile(r"(?<=[;{[,(])\n|\n(?=[})\].?:+|&])|(?<=\})\n(?!(?:const|let|function|class) )")
_LAST = re.compile(r";(?=\})")  # the end of a block ends its last line


@cache
def code(module: str) -> str:
    """The module and all that it imports, in order, without imports, exports, comments and blanks.

    It defines `render(root, data, emit)`. Put it inside a function, or a module of its own.

    Raises:
        ValueError: there is no such module.
    """
    if module not in MODULES:
        raise ValueError(f"There is no browser picture {module!r}. There are: {', '.join(MODULES)}.")
    schema = json.dumps(part(module), separators=(",", ":"))
    text = _SCHEMA.sub(rf"const \1 = {schema};\n", "".join(_files(_ENTRY[module], [])))
    for noise in (_LONG_COMMENT, _COMMENT, _BESIDE, _EXPORT, _INDENT, _GOES_ON, _BLANKS, _LAST):
        text = noise.sub("", text)
    return _DECLARED.sub(r"\1=", text)


def _files(name: str, seen: list[str]) -> list[str]:
    """The text of the files that `name` imports, deepest first, each once; then its own."""
    seen.append(name)
    text = resources.files(__package__).joinpath("src", f"{name}.js").read_text("utf-8")
    before: list[str] = []
    for path in _IMPORT.findall(text):
        other = normpath(f"{name}/../{path}")
        if other not in seen:
            before += _files(other, seen)
    return [*before, _IMPORT.sub("", text)]
