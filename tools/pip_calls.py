"""Calls of the pip in `.venv`: it never prompts, and if it fails, one sentence says why."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.environment import venv_python
from tools.refusal import Refusal

NO_NETWORK = re.compile(
    r"NewConnectionError|Failed to establish|name resolution|Name or service not known"
    r"|nodename nor servname|ConnectTimeout|ReadTimeout|Read timed out|Network is unreachable"
    r"|ProxyError|Cannot connect to proxy|Connection refused|Connection reset"
)


def pip_environment(environment: dict[str, str]) -> dict[str, str]:
    """`environment` without settings that would make pip look or install outside `.venv`."""
    without_paths = {k: v for k, v in environment.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    return {**without_paths, "PIP_USER": "0"}


def why_pip_failed(words: str) -> str:
    """The reason for a failure of pip in one sentence, from its output."""
    if "No space left on device" in words:
        return "the disk is full: about 2 GB are needed (a machine with a GPU: 8 GB)."
    if NO_NETWORK.search(words):
        return "the package index cannot be reached. Check the network or the proxy and try again."
    missing = re.search(r"No matching distribution found for (\S+)", words)
    if missing:
        return (
            f"the package index has no {missing[1]} for this Python and machine. "
            "Python 3.11 to 3.13 are known to be served: make run PYTHON=python3.11"
        )
    errors = [line for line in words.splitlines() if line.startswith("ERROR:")]
    return errors[-1] if errors else "pip ended without a word."


def pip_install(root: Path, arguments: Sequence[str]) -> None:
    """Install into `.venv`; pip never prompts, and its output goes to `.setup.log`.

    On a terminal, the latest line of output is shown, so that a slow download is visible.

    Raises:
        Refusal: if pip failed.
    """
    options = ["--no-input", "--disable-pip-version-check", "--progress-bar", "off"]
    pip = subprocess.Popen(
        [str(venv_python(root)), "-m", "pip", "install", *options, *arguments],
        cwd=root,
        env=pip_environment(dict(os.environ)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    words = []
    with pip, (root / ".setup.log").open("a", encoding="utf-8") as log:
        assert pip.stdout is not None
        try:
            for line in pip.stdout:
                log.write(line)
                words.append(line)
                show_passing(line)
        except BaseException:  # interrupted: a pip left running would write into the next .venv
            pip.terminate()
            raise
    show_passing("")
    if pip.returncode:
        raise Refusal(f"{why_pip_failed(''.join(words))} (pip's own words: .setup.log)")


def show_passing(line: str) -> None:
    """On a terminal, replace the line shown before by `line`."""
    if sys.stdout.isatty():
        width = shutil.get_terminal_size().columns - 1
        print("\r\033[K" + line.strip()[:width], end="", flush=True)
