"""What the processes of one run of the tests have in common: small models, and servers.

Each worker of xdist is a process of its own. What takes a worker seconds to make is made by the first
one that needs it, in a folder that all of them know; it goes when the process that began them ends.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

FOLDER = "TESTS_SHARED"  # the variable with the path of that folder: workers inherit it
OWNER = "TESTS_OWNER"  # the process that began them
_RUNNING = ".running.json"


def begin() -> None:
    """Make the folder: in the process that begins the others."""
    os.environ[FOLDER] = tempfile.mkdtemp(prefix="polysee-tests-")
    os.environ[OWNER] = str(os.getpid())


def folder() -> Path:
    """Where it is."""
    return Path(os.environ[FOLDER])


def end() -> None:
    """Stop what still runs, and remove the folder: in the same process, after all others."""
    for told in folder().glob(f"*{_RUNNING}"):
        stop(json.loads(told.read_text())["pid"])
    shutil.rmtree(folder(), ignore_errors=True)
    del os.environ[FOLDER], os.environ[OWNER]


@contextmanager
def alone(name: str) -> Iterator[Path]:
    """One process at a time; a path of this name, in the folder."""
    path = folder() / name
    with path.with_name(f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # until it is closed, by whatever
        yield path


def once(key: str, make: Callable[[Path], object]) -> Path:
    """The folder that `make` fills, for the first process that asks for `key`."""
    with alone(hashlib.sha256(key.encode()).hexdigest()[:16]) as path:
        if not path.exists():
            begun = path.with_name(f"{path.name} begun")  # what failed is no folder for the next
            shutil.rmtree(begun, ignore_errors=True)
            begun.mkdir()
            make(begun)
            begun.rename(path)
        return path


def running(name: str, start: Callable[[], dict[str, int]]) -> dict[str, int]:
    """What the first process that asks for this server finds out by starting it: "pid", and more."""
    with alone(name):
        told = folder() / f"{name}{_RUNNING}"
        if not told.exists():
            told.write_text(json.dumps(start()))
        found: dict[str, int] = json.loads(told.read_text())
        return found


def stop(pid: int, seconds: float = 20) -> None:
    """End a server that may be another process's child, and wait until it has ended."""
    try:
        process = psutil.Process(pid)
        if "streamlit" not in process.cmdline():
            return  # it had ended, and another one has its number
        process.terminate()
        for _ in range(int(seconds / 0.1)):
            if process.status() == psutil.STATUS_ZOMBIE:
                return
            time.sleep(0.1)
        process.kill()
    except psutil.NoSuchProcess:
        return
