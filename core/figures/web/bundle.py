"""The JavaScript of a browser picture as one script, built from `src/` by `make dist`.

A notebook's output and a Streamlit component cannot import a neighbouring file. The bundles are
committed, so that nobody needs Node to run Polysee.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
from functools import cache
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

_HERE = Path(__file__).parent
# The library for three dimensions: three times as large as all our code, and fetched only if needed.
LIBRARIES = {"space": "plotly"}
MODULES = tuple(sorted(path.stem for path in (_HERE / "dist").glob("*.js")))


@cache
def code(module: str) -> str:
    """The module and all its imports, as one plain script.

    It defines `render(root, data, emit)`. Put it inside a function, or a module of its own.

    Raises:
        ValueError: if there is no such module.
    """
    if module not in MODULES:
        raise ValueError(f"There is no browser picture {module!r}. There are: {', '.join(MODULES)}.")
    return resources.files(__package__).joinpath("dist", f"{module}.js").read_text("utf-8")


def library(module: str) -> str | None:
    """The name of the library that the module needs; None for nearly all modules, which need none."""
    return LIBRARIES.get(module)


@cache
def library_code(name: str) -> bytes:
    """A library as one script, gzip-compressed, from its own package: no host is contacted.

    Raises:
        ValueError: if there is no such library.
    """
    if name != "plotly":
        raise ValueError(f"There is no library {name!r}.")
    package = find_spec("plotly")  # without importing the package for a single file
    assert package is not None
    assert package.submodule_search_locations is not None
    script = Path(package.submodule_search_locations[0]) / "package_data" / "plotly.min.js"
    return gzip.compress(script.read_bytes(), mtime=0)


@cache
def packed(name: str) -> str:
    """A library as text without any HTML syntax: gzip in base64, which `runtime/plotly.js` reads."""
    return base64.b64encode(library_code(name)).decode()


def sources() -> str:
    """The checksum of all sources of `dist/`; `build.js` stores its value at build time."""
    own = [path for path in (_HERE / "src").rglob("*") if path.suffix in (".js", ".json", ".css")]
    names = [path.relative_to(_HERE).as_posix() for path in own]
    hashed = hashlib.sha256()
    for name in sorted(
        [*names, "../../sentences/table.json", "build.js", "reduced.js", "package-lock.json"]
    ):
        hashed.update(f"{name}\n".encode() + (_HERE / name).read_bytes())
    return hashed.hexdigest()
