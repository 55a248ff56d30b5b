"""Names of a package that are loaded on first use.

A package states them once, where every package does: as imports, under `if TYPE_CHECKING:`. A type
checker and a reader see plain imports, and `exports` runs each when its name is first used:

    if TYPE_CHECKING:
        from .model import Model
    else:
        __getattr__, __dir__ = lazy.exports(__name__)
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple


class Home(NamedTuple):
    """Where a name is defined: the module, relative to the package, and the name there.

    The name is "" if the module itself is meant.
    """

    module: str
    name: str


def exports(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package: a name is imported when it is first used.

    Args:
        package: the `__name__` of the package, whose `__init__.py` has the imports.
    """
    module = sys.modules[package]

    def get(name: str) -> Any:
        # Python itself asks for names such as `__path__`; none of ours looks like these.
        home = None if name.startswith("__") else homes(package).get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = import_module(home.module, package)
        value = getattr(found, home.name) if home.name else found
        setattr(module, name, value)
        return value

    def listed() -> list[str]:
        return sorted({*vars(module), *homes(package)})

    return get, listed


@cache
def homes(package: str) -> Mapping[str, Home]:
    """The names that a package loads on first use, in their order, and where they are defined."""
    file = sys.modules[package].__file__
    assert file is not None
    with open(file, encoding="utf-8") as source:
        return _homes(source.read())


def _homes(source: str) -> dict[str, Home]:
    """The relative imports below `if TYPE_CHECKING:` in the source of a package."""
    import ast  # a third of the time of `import core`, which may need no name

    found: dict[str, Home] = {}
    for block in ast.parse(source).body:
        if not (isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"):
            continue
        for line in block.body:
            if isinstance(line, ast.ImportFrom) and line.level:
                at = "." * line.level + (line.module or "")
                for one in line.names:  # `from . import plot` names a module
                    home = Home(at, one.name) if line.module else Home(at + one.name, "")
                    found[one.asname or one.name] = home
    return found
