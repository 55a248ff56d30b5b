"""`import polysee`: the names and numbers of `core`, each class once, every module importable."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import core
from tests import shared

from .conftest import Installed

pytestmark = pytest.mark.check
TEXT = "fishing on a river bank"
FOUND = "found.json"

# Runs the first page of the app, imports every module that is not a script, and looks for duplicates.
EVERYTHING = f"""
import json, pkgutil, sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import polysee
from polysee import glossary, lessons, tasks
from polysee.cli.start import script
from polysee.transformer.layers import AddNorm
from polysee.walkthroughs.code.excerpt import Excerpt
from streamlit import config
from streamlit.testing.v1 import AppTest

EXTRAS = ("anywidget", "umap")  # a plain installation has neither
config._main_script_path = str(script())
trace = polysee.load("minilm").trace({TEXT!r})
app = AppTest.from_file(str(script()), default_timeout=200).run()
home = Path(polysee.__file__).parent
for found in pkgutil.walk_packages([str(home)], "polysee."):
    script_alone = found.name == "polysee.app.app" or found.name.endswith((".page", ".__main__"))
    if found.ispkg or not script_alone:
        try:
            import_module(found.name)
        except ModuleNotFoundError as error:
            if error.name not in EXTRAS:
                raise
# The script is "__main__" while it runs, under two names.
ours = {{
    name: module
    for name, module in sys.modules.items()
    if str(home) in str(getattr(module, "__file__", None) or "") and not name.startswith("__")
}}
classes = {{
    (one.__module__, one.__qualname__, id(one))
    for module in ours.values()
    for one in vars(module).values()
    if isinstance(one, type)
}}
named = [(module, name) for module, name, _ in classes if module.startswith("polysee")]
names = [*polysee.__all__]
print(json.dumps({{
    "app": [one.message for one in app.exception],
    "verdict": [one.value for one in app.markdown if "Two meanings" in one.value],
    "settings": [config.get_option(one) for one in ("client.showErrorDetails", "server.maxUploadSize")],
    "top": [name for name in ("core", "ui", "pages", "app", "tools") if find_spec(name)],
    "strangers": sorted(name for name in ours if name.partition(".")[0] != "polysee"),
    "modules": len(ours),
    "files": len({{module.__file__ for module in ours.values()}}),
    "not supported": sorted(module for module, name, _ in classes if name == "NotSupported"),
    "twice": sorted({{one for one in named if named.count(one) > 1}}),
    "version": polysee.__version__,
    "names": names,
    "loaded": [getattr(polysee, name).__name__ for name in names],
    "trace": repr(trace),
    "vector": trace.contextual[trace.find("bank")[0]].tolist(),
    "lessons": len(lessons.lessons()),
    "terms": len(glossary.terms()),
    "translator": tasks.shipped("translation").name,
    "place": Excerpt(AddNorm).location,
}}))
"""


@pytest.fixture(scope="module")
def found(installed: Installed) -> Any:
    """The findings of a program that runs in the environment, once for all processes of a run."""

    def find(folder: Path) -> None:
        (folder / FOUND).write_text(installed.python_says(EVERYTHING).splitlines()[-1], "utf-8")

    return json.loads((shared.once("what is in the wheel", find) / FOUND).read_text("utf-8"))


@pytest.mark.fuzz
def test_the_first_page_answers(found: Any) -> None:
    assert found["app"] == []
    assert found["verdict"] != []


def test_the_settings_beside_the_script_are_applied(found: Any) -> None:
    assert found["settings"] == ["none", 4]


def test_no_module_and_no_class_exists_twice(found: Any) -> None:
    assert found["top"] == []
    assert found["strangers"] == []
    assert found["modules"] > 400
    assert found["files"] == found["modules"]
    assert found["not supported"] == ["polysee.errors"]
    assert found["twice"] == []


def test_it_exports_what_core_exports(found: Any) -> None:
    assert found["version"] == core.__version__
    assert found["names"] == found["loaded"] == core.__all__


def test_a_trace_has_the_same_numbers(found: Any, minilm: core.Model) -> None:
    trace = minilm.trace(TEXT)
    assert found["vector"] == pytest.approx(trace.contextual[trace.find("bank")[0]], abs=1e-5)
    assert found["trace"].startswith("<polysee.Trace of 7 tokens")


def test_what_is_read_from_files_is_found(found: Any) -> None:
    assert found["lessons"] == 14
    assert found["terms"] > 50
    assert found["translator"]
    assert found["place"] == "polysee.transformer.layers, AddNorm"
