"""`make docs`: build the site into build/docs/site, and test it.

Zensical reads zensical.toml beside this file. A warning, such as a link to a heading that is not there,
ends the build.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools import wheel
from tools.site import papers

ROOT = papers.ROOT
HERE = Path(__file__).resolve().parent
BUILD = ROOT / "build" / "docs"
CONFIG = "zensical.toml"
ASSETS = (HERE / "look.css", HERE / "frames.js", ROOT / "ui" / "page" / "icon.svg")


def build(to: Path = BUILD) -> Path:
    """Build the site into the folder `to`, and return the folder with its first page.

    Raises:
        subprocess.CalledProcessError: a cell fails, or Zensical warns.
    """
    shutil.rmtree(to, ignore_errors=True)
    pages, package = to / "pages", to / "package"
    pages.mkdir(parents=True)
    package.mkdir()
    wheel.arrange(ROOT, package)  # the names that people import
    notebooks = papers.collect(pages)
    path = os.pathsep.join([str(package), str(ROOT)])
    live = [sys.executable, "-m", "tools.site.live", str(pages), *map(str, notebooks)]
    subprocess.run(live, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, check=True)
    for asset in ASSETS:
        shutil.copyfile(asset, pages / asset.name)
    shutil.copyfile(HERE / CONFIG, to / CONFIG)
    subprocess.run([sys.executable, "-m", "zensical", "build", "--strict"], cwd=to, check=True)
    return to / "site"


def main() -> int:
    """Build and test; returns the exit status."""
    try:
        site = build()
    except subprocess.CalledProcessError:
        print("Polysee: the site is not built; above stands why.", file=sys.stderr)
        return 1
    tests = ["-m", "pytest", "-n", "0", "-m", "check or not check", "tests/tools/site/test_built.py"]
    status = subprocess.run(
        [sys.executable, *tests], cwd=ROOT, env={**os.environ, "SITE": str(site)}, check=False
    ).returncode
    if status == 0:
        print(f"Polysee: {site.relative_to(ROOT)} is built and tested; open its index.html.")
    return status


if __name__ == "__main__":
    sys.exit(main())
