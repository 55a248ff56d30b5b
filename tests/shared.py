"""The small models and servers that all workers of one test run share.

Each worker of xdist is a separate process. Whatever takes seconds to make is made by the first worker
that needs it, in a folder that all of them know; it is removed when the process that started them ends.
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
OWNER = "TESTS_OWNER"  # the process that started them
_RUNNING = ".running.json"


def begin() -> None:
    """Make the folder, in the process that starts the others."""
    os.environ[FOLDER] = tempfile.mkdtemp(prefix="polysee-tests-")
    os.environ[OWNER] = str(os.getpid())


def folder() -> Path:
    """The path of the folder."""
    return Path(os.environ[FOLDER])


def end() -> None:
    """Stop all servers that still run, and remove the folder: in the same process, after all others."""
    for told in folder().glob(f"*{_RUNNING}"):
        stop(json.loads(told.read_text())["pid"])
    shutil.rmtree(folder(), ignore_errors=True)
    del os.environ[FOLDER], os.environ[OWNER]


@contextmanager
def alone(name: str) -> Iterator[Path]:
    """Exclude other processes in this context; yields a path of this name in the folder."""
    path = folder() / name
    with path.with_name(f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # until it is closed, in whatever way
        yield path


def once(key: str, make: Callable[[Path], object]) -> Path:
    """The folder that `make` has filled, in the first process that requested `key`."""
    with alone(hashlib.sha256(key.encode()).hexdigest()[:16]) as path:
        if not path.exists():
            begun = path.with_name(f"{path.name} begun")  # a failed attempt must not count as complete
            shutil.rmtree(begun, ignore_errors=True)
            begun.mkdir()
            make(begun)
            begun.rename(path)
        return path


def running(name: str, start: Callable[[], dict[str, int]]) -> dict[str, int]:
    """What `start` returned ("pid" and more) in the first process that needed this server."""
    with alone(name):
        told = folder() / f"{name}{_RUNNING}"
        if not told.exists():
            told.write_text(json.dumps(start()))
        found: dict[str, int] = json.loads(told.read_text())
        return found


def stop(pid: int, seconds: float = 20) -> None:
    """Stop a server, which may be another process's child, and wait until it has ended."""
    try:
        process = psutil.Process(pid)
        if "streamlit" not in process.cmdline():
            return  # it had ended, and another process has its id
        process.terminate()
        for _ in range(int(seconds / 0.1)):
            if process.status() == psutil.STATUS_ZOMBIE:
                return
            time.sleep(0.1)
        process.kill()
    except psutil.NoSuchProcess:
        return
