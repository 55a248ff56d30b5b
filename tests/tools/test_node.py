"""npm installs once per lock file, with the Node from a package; failures are passed on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools import node


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """A package without dependencies, whose scripts print the Node that runs them."""
    about = {
        "name": "nothing",
        "version": "1.0.0",
        "scripts": {
            "by": "node -e \"require('fs').writeFileSync('by', process.version)\"",
            "fail": "node -e 'process.exit(3)'",
        },
    }
    lock = {"name": "nothing", "version": "1.0.0", "lockfileVersion": 3, "packages": {"": about}}
    (tmp_path / "package.json").write_text(json.dumps(about), "utf-8")
    (tmp_path / "package-lock.json").write_text(json.dumps(lock), "utf-8")
    (tmp_path / "node_modules").mkdir()
    return tmp_path


@pytest.mark.check
def test_a_lock_file_is_installed_once(web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert node.install(web) == 0
    assert capsys.readouterr().out.count("installing") == 1
    lock = web / "package-lock.json"
    lock.write_text(lock.read_text("utf-8") + "\n", "utf-8")
    assert node.install(web) == 0
    assert capsys.readouterr().out.count("installing") == 1


@pytest.mark.check
def test_what_cannot_be_installed_is_said(web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (web / "package-lock.json").write_text("no lock file", "utf-8")
    assert node.install(web) != 0
    assert "npm ci" in capsys.readouterr().out
    assert not (web / "node_modules" / ".installed").exists()


@pytest.mark.check
def test_scripts_run_by_our_node_and_their_status_is_passed_on(web: Path) -> None:
    assert node.npm("run", "--silent", "by", web=web) == 0
    assert (web / "by").read_text().startswith("v24.")
    assert node.npm("run", "--silent", "fail", web=web) == 3
