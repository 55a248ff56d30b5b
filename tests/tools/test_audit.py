"""The messages of `make audit`: vulnerabilities, packages that were not looked up, no network."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tools import audit

SAFE = {"name": "good", "version": "1.0", "vulns": []}
SKIPPED = {"name": "odd", "skip_reason": "Dependency not found"}
UNSAFE = {
    "name": "bad",
    "version": "2.0",
    "vulns": [{"id": "CVE-1", "fix_versions": ["2.1"]}, {"id": "CVE-2", "fix_versions": []}],
}


def report(*parts: object) -> str:
    return json.dumps({"dependencies": parts})


@pytest.mark.parametrize("said", ["", "no JSON", "{}", report(), report(SKIPPED, SKIPPED)])
def test_where_nothing_was_looked_up_nothing_is_called_safe(said: str) -> None:
    status, lines = audit.verdict(said)
    assert status == 2
    assert "No vulnerability database could be reached" in lines[0]


def test_what_is_safe_and_what_is_not() -> None:
    assert audit.verdict(report(SAFE, SAFE, SKIPPED)) == (
        0,
        ["Not known to the database: odd.", "2 packages, and nothing known to be unsafe in them."],
    )
    status, lines = audit.verdict(report(SAFE, UNSAFE))
    assert status == 1
    assert lines[:2] == [
        "bad 2.0: CVE-1, mended in 2.1",
        "bad 2.0: CVE-2, mended in nothing yet",
    ]


@pytest.mark.fuzz  # half a minute
def test_the_bill_lists_the_environment(tmp_path: Path) -> None:
    python = audit.ROOT / "build" / "audit" / "bin" / "python"
    if not python.exists():
        pytest.skip("`make audit` has not been run here: its tools are not installed")
    assert audit.bill(python, Path(sys.executable), tmp_path / "sbom.json") > 50
    told = json.loads((tmp_path / "sbom.json").read_text())
    assert told["bomFormat"] == "CycloneDX"
    assert {"streamlit", "torch"} <= {part["name"] for part in told["components"]}
