"""Find the browser that the tests drive, and install one where there is none.

`python tools/browser.py` (in `.venv`) is a step of `make test`; tests and benchmarks import
`find_browser` and `FLAGS`.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence

# Where a browser is looked for, in this order, before Playwright's own.
ON_PATH = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ON_MACOS = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"

# How it is started: it shows no window and asks nobody for anything.
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# Asked in a process of its own: Playwright's synchronous interface refuses to start where an
# event loop or another Playwright is at work, and a test may well hold one.
ASK_PLAYWRIGHT = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""

INSTALL_SECONDS = 900
NO_BROWSER = (
    "the browser tests need Chromium, and there is none that runs. Install it (Debian: sudo apt "
    "install chromium; Fedora: sudo dnf install chromium; macOS: brew install --cask google-chrome; "
    "elsewhere: .venv/bin/python -m playwright install --with-deps chromium) and try again."
)


class NoBrowser(RuntimeError):
    """There is no Chromium that runs; the message says what to install."""


def find_browser() -> str:
    """The path of a Chromium or Chrome that runs.

    Raises:
        NoBrowser: there is none.
    """
    browser = look_for_browser()
    if browser is None:
        raise NoBrowser(NO_BROWSER)
    return browser


@functools.lru_cache(maxsize=1)
def look_for_browser() -> str | None:
    """The path of the first browser that runs, or None."""
    return next((path for path in candidates() if version(path) is not None), None)


def candidates() -> Iterator[str]:
    """The paths at which a browser lies, the quickest to find first."""
    for name in ON_PATH:
        path = shutil.which(name)
        if path is not None:
            yield path
    if os.path.exists(ON_MACOS):
        yield ON_MACOS
    path = playwright_browser()
    if path is not None:
        yield path


def playwright_browser() -> str | None:
    """The path of Playwright's own Chromium, or None where it has none."""
    words = run([sys.executable, "-c", ASK_PLAYWRIGHT], seconds=60)
    path = words.strip() if words else ""
    return path if os.path.exists(path) else None


def version(path: str) -> str | None:
    """What the browser at `path` says that it is; None if it does not run.

    That a file is there is not enough: Ubuntu's `chromium-browser` may only name a snap, and
    Playwright's Chromium may miss libraries of the system.
    """
    words = run([path, "--version"], seconds=60)
    return words.strip() if words and words.strip() else None


def run(command: Sequence[str], seconds: float) -> str | None:
    """What `command` prints; None if it cannot be run, fails, or takes longer than `seconds`."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout


def debian_commands(root: bool, apt: bool, package: str = "chromium") -> list[list[str]]:
    """The commands that install a package of Debian's; none without apt or for anybody but root.

    Tests never become another user: `NO_BROWSER` names the command instead.
    """
    if not (root and apt):
        return []
    quiet = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=120"]
    return [[*quiet, "update"], [*quiet, "install", "-y", "--no-install-recommends", package]]


def debian_installs(package: str) -> list[list[str]]:
    """The same for who runs this, here."""
    return debian_commands(os.geteuid() == 0, shutil.which("apt-get") is not None, package)


def installers() -> Iterator[tuple[str, list[list[str]]]]:
    """The ways to get a browser, in order: what to tell, and the commands."""
    debian = debian_installs("chromium")
    if debian:
        yield "installing Debian's package chromium for the browser tests ...", debian
    playwright = [sys.executable, "-m", "playwright", "install", "chromium"]
    yield "fetching Playwright's Chromium for the browser tests ...", [playwright]


def ensure_browser() -> str:
    """The path of a browser that runs; one is installed where there is none.

    Raises:
        NoBrowser: there is none, and none could be installed.
    """
    if look_for_browser() is None:
        for sentence, commands in installers():
            print(f"Polysee: {sentence}", flush=True)
            # A failed update need not spoil the installation, and what counts is the browser.
            for command in commands:
                run(command, seconds=INSTALL_SECONDS)
            look_for_browser.cache_clear()
            if look_for_browser() is not None:
                break
    return find_browser()


def main() -> int:
    """Find or install a browser, say which, and return the exit status."""
    try:
        path = ensure_browser()
    except NoBrowser as refusal:
        print(f"Polysee: {refusal}", file=sys.stderr)
        return 1
    print(f"Browser: {path} ({version(path)})", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
