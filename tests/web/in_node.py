"""Run one of the programs beside the tests of the browser's engine."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tools import node

PROGRAMS = Path(__file__).parents[1] / "figures" / "web" / "engine"


def run(program: str, *arguments: str) -> None:
    """Run it with these arguments; it raises if the program fails."""
    subprocess.run([node.NODE / "node", PROGRAMS / program, *arguments], check=True, timeout=120)
