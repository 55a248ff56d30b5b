"""The types of the installed packages are read when they are installed, not in each `make test`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tools import type_cache

ROOT = Path(__file__).resolve().parents[2]


def test_what_our_files_import_from_elsewhere_is_read() -> None:
    found = type_cache.imported(ROOT)
    assert {"torch", "streamlit", "pytest", "playwright.sync_api"} <= set(found)
    assert not [module for module in found if module.split(".")[0] in ("core", "ui", "tests", "tools")]


def test_a_failure_does_not_end_the_set_up(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "a.py").write_text("import json\nfrom .b import c\nfrom ui import d\n")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    os.symlink(sys.executable, tmp_path / ".venv" / "bin" / "python")  # one without mypy
    assert type_cache.imported(tmp_path) == ["json"]
    type_cache.fill(tmp_path)
    assert "mypy" in (tmp_path / ".setup.log").read_text()
