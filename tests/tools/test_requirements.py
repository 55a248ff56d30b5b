"""pyproject.toml and the requirement files: pinned, explained, without the name of a registry."""

from __future__ import annotations

import re
import subprocess
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import environment, pins

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
GROUPS = PROJECT["dependency-groups"]
APP = PROJECT["project"]["dependencies"]
RANGES = [*APP, *chain(*EXTRAS.values())]
# What each file is computed from.
ASKED = {
    "requirements.txt": [*APP, *EXTRAS["files"], *EXTRAS["corpus"], *EXTRAS["maps"], *EXTRAS["speed"]],
    "requirements-dev.txt": [*RANGES, *GROUPS["dev"]],
    "requirements-docs.txt": GROUPS["docs"],
}


def requirement_lines(name: str) -> list[str]:
    lines = (re.sub(r"(^|\s)#.*", "", line).strip() for line in (ROOT / name).open("r"))
    return [line for line in lines if line]


def pinned(name: str) -> dict[str, Requirement]:
    """The requirements of a file, by their canonical names."""
    found = [Requirement(line) for line in requirement_lines(name)]
    assert len({canonicalize_name(one.name) for one in found}) == len(found), "a package is there twice"
    return {canonicalize_name(one.name): one for one in found}


def repository_files() -> list[Path]:
    """All files that git tracks or would track."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        pytest.skip("this is no git checkout: which files belong to it is not known")
    names = listed.stdout.decode().split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


@pytest.mark.parametrize("name", [*pins.FILES, environment.NO_DEPS])
def test_every_requirement_is_pinned_and_nothing_of_cuda(name: str) -> None:
    for one in pinned(name).values():
        assert re.fullmatch(r"==[\w.]+", str(one.specifier)), str(one)
        assert not one.name.startswith(("nvidia", "cuda", "triton"))
        assert one.url is None


@pytest.mark.parametrize("name", pins.FILES)
def test_the_pins_are_those_that_pyproject_asks_for(name: str) -> None:
    """Whoever changes pyproject.toml runs `make pins`."""
    there = pinned(name)
    for asked in map(Requirement, ASKED[name]):
        at = there[canonicalize_name(asked.name)]
        (version,) = at.specifier
        assert version.version in asked.specifier, f"{asked}: run `make pins`"
        assert at.marker is None
    # And nothing is left over: what nobody asks for is pulled in by something else.
    text = (ROOT / name).read_text("utf-8")
    direct = re.findall(r"^([\w.-]+)==.*\bpolysee \(pyproject\.toml", text, re.MULTILINE)
    assert sorted(direct) == sorted({canonicalize_name(Requirement(one).name) for one in ASKED[name]})
    assert len(re.findall(r"^[\w.-]+==.*# via \w", text, re.MULTILINE)) == len(there)


def test_the_kinds_share_their_versions() -> None:
    run, test, docs = map(pinned, pins.FILES)
    assert {name: str(test[name].specifier) for name in run} == {
        name: str(one.specifier) for name, one in run.items()
    }
    assert all(test[name].specifier == one.specifier for name, one in docs.items() if name in test)
    assert {name for files in environment.READS.values() for name in files} == {
        *pins.FILES,
        environment.NO_DEPS,
    }


def test_every_direct_requirement_says_why() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    project = text[text.index("dependencies = [") : text.index("[project.scripts]")]
    asked = re.findall(r'^    ".*', project, re.MULTILINE)
    assert len(asked) == len(RANGES) + sum(map(len, GROUPS.values()))
    assert [line for line in asked if not re.search(r'", +# \w', line)] == []
    alone = re.findall(r"^\w.*", (ROOT / environment.NO_DEPS).read_text("utf-8"), re.MULTILINE)
    assert [line for line in alone if not re.search(r"  # \w", line)] == []


def test_the_package_asks_for_ranges() -> None:
    for text in RANGES:
        assert not any(part.operator == "==" for part in Requirement(text).specifier), text


@pytest.mark.check
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
