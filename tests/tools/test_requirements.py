"""The requirement files and the package: pinned, explained, without the name of a registry."""

from __future__ import annotations

import re
import subprocess
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import environment

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENT_FILES = (
    "requirements.txt",
    "requirements-files.txt",
    "requirements-corpus.txt",
    "requirements-ray.txt",
    "requirements-dev.txt",
    "requirements-bench.txt",
    "requirements-audit.txt",
)


def requirement_lines(name: str) -> list[str]:
    lines = (re.sub(r"(^|\s)#.*", "", line).strip() for line in (ROOT / name).open("r"))
    return [line for line in lines if line]


def repository_files() -> list[Path]:
    """All files that git tracks or would track."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        pytest.skip("this is no git checkout: which files belong to it is not known")
    names = listed.stdout.decode().split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


@pytest.mark.parametrize("name", [*REQUIREMENT_FILES, "constraints.txt"])
def test_every_requirement_is_pinned(name: str) -> None:
    loose = [
        line
        for line in requirement_lines(name)
        if not line.startswith(("-c ", "-r ")) and not re.fullmatch(r"[\w.-]+==[\w.]+", line)
    ]
    assert loose == []


def test_requirement_files_read_each_other() -> None:
    assert "-c constraints.txt" in requirement_lines("requirements.txt")
    assert requirement_lines("requirements-files.txt")[0] == "-r requirements.txt"
    assert requirement_lines("requirements-corpus.txt")[0] == "-r requirements-files.txt"
    assert requirement_lines("requirements-ray.txt")[0] == "-r requirements-corpus.txt"
    assert requirement_lines("requirements-dev.txt")[0] == "-r requirements-ray.txt"
    assert requirement_lines("requirements-bench.txt")[0] == "-r requirements-dev.txt"


@pytest.mark.parametrize("name", REQUIREMENT_FILES)
def test_every_direct_requirement_says_why(name: str) -> None:
    pinned = [line for line in (ROOT / name).open("r") if re.match(r"[\w.-]+==", line)]
    assert pinned
    assert [line for line in pinned if not re.search(r"\s# \w", line)] == []


def test_nothing_is_pinned_twice_and_nothing_for_one_platform_only() -> None:
    names = [
        re.sub(r"[-_.]+", "-", line.split("==")[0]).lower()
        for name in (*REQUIREMENT_FILES, "constraints.txt")
        for line in requirement_lines(name)
        if "==" in line
    ]
    assert sorted(names) == sorted(set(names))
    assert [name for name in names if name.startswith(("nvidia", "cuda", "triton"))] == []


def test_the_package_takes_what_is_pinned_and_nothing_else() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    app, every = (
        {canonicalize_name(name): at for name, at in environment.pins(ROOT, kind).items()}
        for kind in ("run", "test")
    )
    extras = project["optional-dependencies"]
    rare = {canonicalize_name(Requirement(text).name) for text in extras["notebook"] + extras["ray"]}
    pins = {name: at for name, at in every.items() if name in {*app, *rare}}
    wanted = [Requirement(text) for text in [*project["dependencies"], *chain(*extras.values())]]
    assert sorted(canonicalize_name(one.name) for one in wanted) == sorted(pins)
    for one in wanted:
        assert pins[canonicalize_name(one.name)] in one.specifier, str(one)
        assert not any(part.operator == "==" for part in one.specifier), str(one)


def test_no_registry_is_named() -> None:
    # In pieces, so that this file does not name one either.
    hosts = [
        "pypi" + r"\.org",
        "pythonhosted" + r"\.org",
        "registry" + r"\.npmjs",
        "npm" + r"js\.(com|org)",
        "conda" + r"\.anaconda",
        "yarn" + r"pkg\.com",
    ]
    named = re.compile("|".join(hosts).encode(), re.IGNORECASE)
    files = repository_files()
    assert ROOT / "Makefile" in files
    assert [str(path.relative_to(ROOT)) for path in files if named.search(path.read_bytes())] == []
