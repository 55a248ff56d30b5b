"""`.venv`: the files that define it, and whether the existing one is up to date.

It is trusted if its stamp says that it was completed, in this folder, from exactly these requirement
files, and if it contains the pinned versions.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tools.refusal import Refusal

# For each kind of set-up, the files that define it. The last one is passed to pip and reads the others.
# Each kind adds to the one before it.
READS = {
    "run": ("constraints.txt", "requirements.txt", "requirements-files.txt", "requirements-corpus.txt"),
    "test": (
        "constraints.txt",
        "requirements.txt",
        "requirements-files.txt",
        "requirements-corpus.txt",
        "requirements-ray.txt",
        "requirements-dev.txt",
    ),
    "bench": (
        "constraints.txt",
        "requirements.txt",
        "requirements-files.txt",
        "requirements-corpus.txt",
        "requirements-ray.txt",
        "requirements-dev.txt",
        "requirements-bench.txt",
    ),
}

# Runs inside .venv: prints the name of each package with a version other than the pinned one.
CHECK_VERSIONS = """
import json, sys
from importlib.metadata import PackageNotFoundError, version
for name, wanted in json.load(sys.stdin).items():
    try:
        found = version(name).partition("+")[0]
    except PackageNotFoundError:
        found = None
    if found != wanted:
        print(name)
"""


def pins(root: Path, kind: str) -> dict[str, str]:
    """The versions that the requirement files of `kind` pin, by package."""
    versions = {}
    for name in READS[kind]:
        if name != "constraints.txt":
            for line in (root / name).read_text("utf-8").splitlines():
                pin = re.match(r"([A-Za-z0-9._-]+)==([^\s#;]+)", line)
                if pin:
                    versions[pin[1]] = pin[2]
    return versions


def fingerprint(root: Path, kind: str) -> str:
    """A hash of the content of the requirement files of `kind`."""
    digest = hashlib.sha256()
    for name in READS[kind]:
        content = (root / name).read_bytes()
        digest.update(f"{name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def venv_python(root: Path) -> Path:
    """The Python of the environment."""
    return root / ".venv" / "bin" / "python"


def read_stamp(root: Path) -> dict[str, str]:
    """The kinds completed in `.venv`: kind -> fingerprint. Empty if they cannot be trusted.

    A moved environment is not trusted: the scripts in its `bin` refer to the old path.
    """
    try:
        stamp = json.loads((root / ".venv" / "stamp.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    here = isinstance(stamp, dict) and stamp.pop("place", None) == str(root / ".venv")
    return stamp if here else {}


def write_stamp(root: Path, done: dict[str, str]) -> None:
    """Record what is completed in `.venv`, as the last step of a set-up."""
    stamp = {"place": str(root / ".venv"), **done}
    (root / ".venv" / "stamp.json").write_text(json.dumps(stamp, indent=1) + "\n", "utf-8")


def wrong_packages(root: Path, kind: str) -> list[str] | None:
    """The pinned packages that `.venv` lacks or has in another version; None if it does not run."""
    try:
        done = subprocess.run(
            [str(venv_python(root)), "-c", CHECK_VERSIONS],
            input=json.dumps(pins(root, kind)),
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.split()


def is_ready(root: Path, kind: str) -> bool:
    """Whether `.venv` is complete for `kind`."""
    return read_stamp(root).get(kind) == fingerprint(root, kind) and wrong_packages(root, kind) == []


def make_venv(root: Path) -> None:
    """Create an empty `.venv` in place of any existing one.

    Raises:
        Refusal: if this Python cannot create one.
    """
    venv = root / ".venv"
    if venv.is_symlink() or venv.is_file():
        venv.unlink()
    elif venv.exists():
        shutil.rmtree(venv)
    executable = base_python()
    require_ensurepip(executable, importlib.util.find_spec("ensurepip") is not None)
    made = subprocess.run(
        [executable, "-m", "venv", str(venv)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if made.returncode:
        words = made.stdout.strip().splitlines() or ["no reason given"]
        raise Refusal(f"{executable} could not make .venv: {words[-1]}")


def base_python() -> str:
    """The Python outside any environment: one in an active `.venv` would be removed with it."""
    return getattr(sys, "_base_executable", None) or sys.executable


def require_ensurepip(executable: str, has_ensurepip: bool) -> None:
    """Refuse a Python that cannot create an environment: on Debian, ensurepip is a separate package.

    Raises:
        Refusal: if `has_ensurepip` is false.
    """
    if not has_ensurepip:
        raise Refusal(
            f"{executable} has no ensurepip, so it cannot make a virtual environment. "
            "On Debian or Ubuntu install it with: apt install python3-venv"
        )
