"""The bundles of the pictures' JavaScript: up to date, one plain script each, and small."""

from __future__ import annotations

import base64
import gzip
import re
import shutil
from pathlib import Path

import pytest

from core.figures import schema, web
from core.figures.web import MODULES, bundle, code
from tools import node

DIST = Path(web.__file__).parent / "dist"

# kB, of which the save menu takes 6.4, and the language of the page 0.4. Each of the first does the
# work of several.
MOST = {
    "forward": 79,  # all of "steps", and the tiny model
    "layer": 105,  # in any language; the strongest lines or all, numbers of one row
    "overview": 55,  # in any language, with stacks of layers, and groups of heads
    "steps": 54,  # in any language, with RMSNorm, a pair that turns, and the heads that share keys
    "trajectory": 53,  # it waits until it is seen, its ends keep apart, close ends set no scale
    "space": 49,  # and Plotly besides
    "cloud": 41,
    "wordmap": 44,  # with a search, a lasso, a second map, a quick loop for many points
    "plane": 40,
    "heatmap": 39,  # numbers also in narrow cells
    "nextword": 38,
    "concordance": 42,  # with marks, an order drawn by chance, and contexts as wide as the lines need
    "shaded": 37,  # with lines of its own, two directions of writing in one, and kinds of pieces
    "places": 38,  # rows keep their names in large letters
}


def test_what_is_built_is_of_these_sources() -> None:
    built = (DIST / "sources.sha256").read_text("utf-8").strip()
    assert built == bundle.sources(), "core/figures/web/dist is older than its sources: run make dist"


@pytest.mark.parametrize("module", sorted(schema.STATES))
def test_a_bundle_knows_the_state_of_its_picture(module: str) -> None:
    """The build leaves out what only completes a state; once, it left out a picture of such a name."""
    first = next(iter(schema.STATES[module]))
    assert re.search(rf"\b{module}:{{{first}:{{", (DIST / f"{module}.js").read_text("utf-8"))


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder by their paths in it."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.check
def test_the_same_is_built_of_them_anywhere(tmp_path: Path) -> None:
    """Byte for byte, even if the path contains a space."""
    assert node.install() == 0
    here = tmp_path / "a folder with spaces" / "figures" / "web"
    of_its_own = shutil.ignore_patterns("node_modules", "dist", "__pycache__")
    shutil.copytree(node.WEB, here, ignore=of_its_own)
    shutil.copytree(node.WEB.parents[1] / "sentences", here.parents[1] / "sentences", ignore=of_its_own)
    (here / "node_modules").symlink_to(node.WEB / "node_modules", target_is_directory=True)
    assert node.npm("run", "--silent", "build", web=here) == 0
    assert contents(here / "dist") == contents(DIST)


def test_another_source_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tmp_path / "figures" / "web"
    for name in ("src/draw", "../../sentences"):
        (here / name).mkdir(parents=True)
    sentences, beside = "../../sentences/table.json", ("build.js", "reduced.js", "package-lock.json")
    for name in (*beside, "src/schema.json", "src/draw/cells.js", sentences):
        (here / name).write_text(name, "utf-8")
    monkeypatch.setattr(bundle, "_HERE", here)
    before = bundle.sources()
    assert bundle.sources() == before
    (here / "src" / "draw" / "cells.js").write_text("another", "utf-8")
    changed = bundle.sources()
    (here / "src" / "draw" / "cells.js").rename(here / "src" / "draw" / "moved.js")
    moved = bundle.sources()
    (here / sentences).write_text("other words", "utf-8")
    assert len({before, changed, moved, bundle.sources()}) == 4


@pytest.mark.parametrize("module", MODULES)
def test_code_is_one_plain_script_that_ends_none(module: str) -> None:
    text = code(module)
    assert not re.search(r"\bimport\b[^;]*\bfrom\b|\bimport\(|^export\b", text, re.MULTILINE)
    assert not re.search(r"</script|<!--", text, re.IGNORECASE)
    assert text.endswith("const { render } = picture;\n")
    assert "innerHTML" not in text


@pytest.mark.parametrize("module", MODULES)
def test_code_is_small(module: str) -> None:
    assert len(code(module).encode()) < 1000 * MOST.get(module, 35)


def test_plotly_comes_as_its_package_has_it_and_as_a_text_that_ends_no_script() -> None:
    assert [module for module in MODULES if bundle.library(module)] == ["space"]
    script = gzip.decompress(bundle.library_code("plotly"))
    assert re.search(rb"\* plotly\.js v", script[:200])
    packed = bundle.packed("plotly")
    assert gzip.decompress(base64.b64decode(packed)) == script
    assert len(packed) < 2_000_000
    with pytest.raises(ValueError, match="no library 'nothing'"):
        bundle.library_code("nothing")


def test_a_module_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="no browser picture 'nothing'"):
        code("nothing")
