"""Let mypy read the types of the installed packages once, when they are installed.

`make test` then checks our own files alone: 25 s of a core instead of 66. The packages are those that
our files import; that some of them are absent, or have no types, does no harm.

Like `tools.setup`, it uses only the standard library.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

from tools.environment import venv_python

# A test of the wheel imports its one package, "polysee".
OURS = ("core", "ui", "pages", "benchmarks", "tools", "tests", "polysee")

_IMPORT = re.compile(r"^[ ]*(?:import ([\w.]+)(?: as \w+)?$|from (\w[\w.]*) import )", re.M)


def imported(root: Path) -> list[str]:
    """The modules that our files import from elsewhere, by their full names."""
    found = {
        named or its
        for folder in OURS
        for file in (root / folder).rglob("*.py")
        for named, its in _IMPORT.findall(file.read_text("utf-8"))
    }
    return sorted(module for module in found if module.partition(".")[0] not in OURS)


def fill(root: Path) -> None:
    """Fill mypy's cache; what it says goes to `.setup.log`. If it fails, `make types` has that work."""
    with tempfile.TemporaryDirectory(prefix="polysee-types-") as temporary:
        script = Path(temporary) / "packages.py"
        script.write_text("".join(f"import {module}\n" for module in imported(root)), "utf-8")
        with (root / ".setup.log").open("a") as log:
            subprocess.run(
                [str(venv_python(root)), "-m", "mypy", str(script)],
                cwd=root,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                check=False,
            )
