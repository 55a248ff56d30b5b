"""A wheel, and an environment with it and without the checkout.

`make wheel` provides both, with every package freshly installed. Otherwise, the environment uses the
packages of this one, and only the wheel is installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests import shared

ROOT = Path(__file__).resolve().parents[2]
DONE = "done"
BUILD = "import sys; from tools.wheel import build_wheel; build_wheel(sys.argv[1])"


@dataclass(frozen=True)
class Installed:
    """An environment with the wheel.

    Attributes:
        wheel: the file.
        python: the Python of the environment.
        folder: an empty folder to run in.
    """

    wheel: Path
    python: Path
    folder: Path

    @property
    def command(self) -> Path:
        """The command `polysee`."""
        return self.python.with_name("polysee")

    @property
    def environ(self) -> dict[str, str]:
        """Our environment, without a path to the checkout."""
        hidden = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
        return {name: value for name, value in os.environ.items() if name not in hidden}

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a command in the empty folder until it ends."""
        return subprocess.run(
            [*map(str, command)],
            cwd=self.folder,
            env=self.environ,
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )

    def python_says(self, lines: str) -> str:
        """The output of a program there, which must succeed."""
        done = self.run(self.python, "-c", lines)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("elsewhere")
    if "WHEEL_PYTHON" in os.environ:
        return Installed(Path(os.environ["WHEEL"]), Path(os.environ["WHEEL_PYTHON"]), folder)
    with shared.alone("wheel") as place:  # its final path: an environment cannot be moved
        if not (place / DONE).exists():
            make(place)
    (wheel,) = place.glob("*.whl")
    return Installed(wheel, python_of(place), folder)


def python_of(place: Path) -> Path:
    return place / "venv" / "bin" / "python"


def make(place: Path) -> None:
    """Build the wheel in a folder, and install it into an environment there."""
    shutil.rmtree(place, ignore_errors=True)  # a failed attempt
    place.mkdir()
    venv, python = place / "venv", python_of(place)
    steps: list[list[str]] = [
        [sys.executable, "-c", BUILD, str(place)],
        [sys.executable, "-m", "venv", "--without-pip", str(venv)],
    ]
    for step in steps:
        subprocess.run(step, cwd=ROOT, check=True, capture_output=True)
    (packages,) = venv.glob("lib/python3*/site-packages")
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (wheel,) = place.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--no-index"]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
    (place / DONE).touch()
