"""A checkout to set up, in a folder with a space in its name; without a network or installations."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tools import environment

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with a space in its name that contains the set-up and the requirement files."""
    root = tmp_path / "Poly see"
    (root / "tools").mkdir(parents=True)
    tools = [f"tools/{path.name}" for path in (ROOT / "tools").glob("*.py")]
    requirements = {name for files in environment.READS.values() for name in files}
    for name in ("Makefile", *tools, *requirements):
        shutil.copy(ROOT / name, root / name)
    return root


@pytest.fixture
def built(checkout: Path) -> Path:
    """The same with a complete `.venv`, whose Python is ours, which has the pinned packages."""
    python = environment.venv_python(checkout)
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    done = {kind: environment.fingerprint(checkout, kind) for kind in ("run", "test")}
    environment.write_stamp(checkout, done)
    return checkout
