"""Find the browser for the tests, and install one if there is none.

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
from pathlib import Path

# Debian's package of Chromium without windows, and its program: a visit takes a fifth less processing.
SHELL = "chromium-headless-shell"
# Where to look for a browser, in this order, before Playwright's own.
ON_PATH = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ON_MACOS = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"

# The browser's options: it shows no window and contacts no host.
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Without it, the browser without windows sets letters on whole pixels, and a line of tabs
    # breaks that elsewhere fits.
    "--font-render-hinting=none",
)

# Run in a separate process: Playwright's synchronous interface refuses to start beside an event loop or
# another Playwright, and a test may use one.
ASK_PLAYWRIGHT = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""

INSTALL_SECONDS = 900
# Not every Debian has that package: beside another browser, an environment asks for it once.
TRIED = Path(__file__).resolve().parent.parent / ".venv" / "headless-shell-tried"
NO_BROWSER = (
    "the browser tests need Chromium, and there is none that runs. Install it (Debian: sudo apt "
    "install chromium; Fedora: sudo dnf install chromium; macOS: brew install --cask google-chrome; "
    "elsewhere: .venv/bin/python -m playwright install --with-deps chromium) and try again."
)


class NoBrowser(RuntimeError):
    """No Chromium runs here; the message says what to install."""


def find_browser() -> str:
    """The path of a Chromium or Chrome that runs.

    Raises:
        NoBrowser: if there is none.
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
    """The paths of possible browsers, those that are fastest to check first."""
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
    """The path of Playwright's own Chromium, or None if it has none."""
    words = run([sys.executable, "-c", ASK_PLAYWRIGHT], seconds=60)
    path = words.strip() if words else ""
    return path if os.path.exists(path) else None


def version(path: str) -> str | None:
    """The version that the browser at `path` reports; None if it does not run.

    An existing file is not enough: Ubuntu's `chromium-browser` may only refer to a snap, and
    Playwright's Chromium may lack system libraries.
    """
    words = run([path, "--version"], seconds=60)
    return words.strip() if words and words.strip() else None


def run(command: Sequence[str], seconds: float) -> str | None:
    """The output of `command`; None if it cannot be run, fails, or takes longer than `seconds`."""
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
    """The commands that install a Debian package; none without apt, or for anyone but root.

    Tests never change the user: the message `NO_BROWSER` names the command instead.
    """
    if not (root and apt):
        return []
    quiet = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=120"]
    return [[*quiet, "update"], [*quiet, "install", "-y", "--no-install-recommends", package]]


def debian_installs(package: str) -> list[list[str]]:
    """The same for the current user, on this machine."""
    return debian_commands(os.geteuid() == 0, shutil.which("apt-get") is not None, package)


def installers() -> Iterator[tuple[str, list[list[str]]]]:
    """The ways to get a browser, in order: the message, and the commands."""
    for package in (SHELL, "chromium"):
        if debian := debian_installs(package):
            yield f"installing Debian's package {package} for the browser tests ...", debian
    playwright = [sys.executable, "-m", "playwright", "install", "chromium"]
    yield "fetching Playwright's Chromium for the browser tests ...", [playwright]


def lighter() -> Iterator[tuple[str, list[list[str]]]]:
    """The way to get Debian's Chromium without windows, beside the browser that is there."""
    if debian := debian_installs(SHELL):
        yield f"installing Debian's package {SHELL}: the browser tests take less time ...", debian


def ensure_browser() -> str:
    """The path of a browser that runs; installs one if there is none, or only one with windows.

    Raises:
        NoBrowser: if there is none, and none could be installed.
    """
    found = look_for_browser()
    if found is None or (Path(found).name != SHELL and not TRIED.exists()):
        ways = installers() if found is None else lighter()
        for sentence, commands in ways:
            print(f"Polysee: {sentence}", flush=True)
            # A failed update need not prevent the installation, and only the browser matters.
            for command in commands:
                run(command, seconds=INSTALL_SECONDS)
            look_for_browser.cache_clear()
            if look_for_browser() not in (None, found):
                break
        if found is not None and TRIED.parent.is_dir():
            TRIED.touch()
    return find_browser()


def main() -> int:
    """Find or install a browser, print which, and return the exit status."""
    try:
        path = ensure_browser()
    except NoBrowser as refusal:
        print(f"Polysee: {refusal}", file=sys.stderr)
        return 1
    print(f"Browser: {path} ({version(path)})", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
