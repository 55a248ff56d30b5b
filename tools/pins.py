"""Pin the versions of all packages: `make pins`, or `python -m tools.pins --upgrade NAME …`.

pyproject.toml says which packages are needed, in which ranges, and why. From it, uv computes the
requirement files: a version for each package and for each that it pulls in, on every system and every
Python that we support. A package keeps the version that it has there, unless it is to be upgraded or
its range excludes that version.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

from tools.installer import for_uv, settings_here

ROOT = Path(__file__).resolve().parent.parent
OLDEST_PYTHON = "3.11"

# For each file, what of pyproject.toml it holds, and the file whose versions it shares.
FILES = {
    "requirements.txt": (
        "pyproject.toml",
        "--extra=files",
        "--extra=corpus",
        "--extra=maps",
        "--extra=speed",
    ),
    "requirements-dev.txt": ("pyproject.toml", "--all-extras", "--group=dev", "-c=requirements.txt"),
    "requirements-docs.txt": ("--group=docs", "-c=requirements-dev.txt"),
}
# torch brings CUDA along where there is a GPU, and names those versions itself: pinned here, every
# machine with Linux would get these gigabytes.
CUDA = re.compile(r"(nvidia|cuda|triton)\b")


def tidy(compiled: str) -> str:
    """What uv compiled, without CUDA, and without what depends on this machine."""
    kept = [line for line in compiled.splitlines() if not CUDA.match(line)]
    text = "\n".join(kept) + "\n"
    text = re.sub(r"^(\S+==[^\s+]+)\+\w+", r"\1", text, flags=re.M)  # a build of torch: 2.13.0+cpu
    text = re.sub(r"(?<= via )-c [^,\n]+, |, -c [^,\n]+", "", text)
    return re.sub(r"  # via -c .*", "", text)


def main() -> int:
    """Compute the files, one after the other; returns the first exit status that is not 0."""
    parser = argparse.ArgumentParser(description="Pin the versions of all packages.")
    parser.add_argument("--upgrade", nargs="+", default=[], metavar="NAME")
    upgrades = [f"--upgrade-package={name}" for name in parser.parse_args().upgrade]
    uv = [str(Path(sys.executable).with_name("uv")), "pip", "compile"]
    from_pip, variables = for_uv(settings_here(ROOT), [])
    options = [
        *from_pip,
        "--universal",
        f"--python-version={OLDEST_PYTHON}",
        "--fork-strategy=fewest",
        "--quiet",
    ]
    options += ["--annotation-style=line", "--custom-compile-command=make pins"]
    for name, parts in FILES.items():
        command = [*uv, *parts, *options, *upgrades, f"--output-file={name}"]
        status = subprocess.run(
            command, cwd=ROOT, env={**variables, **os.environ}, check=False
        ).returncode
        if status:
            return status
        file = ROOT / name
        file.write_text(tidy(file.read_text("utf-8")), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
