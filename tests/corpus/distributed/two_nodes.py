"""A real Ray cluster of two nodes on the loopback interface, one of which can be killed."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

# Ray takes 127.0.0.1 for a mistake and puts an outside address in its place.
HEAD, SECOND = "127.0.0.2", "127.0.0.3"
STORE_BYTES = 80_000_000
STARTS = 4  # Ray gives up after a quarter of a minute, which is short on a busy machine
ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "disabled",  # a token would be stored in the home folder
    "RAY_health_check_period_ms": "500",
    "RAY_health_check_failure_threshold": "4",
    "HF_HUB_OFFLINE": "1",
}


class TwoNodes:
    """The processes of both nodes; each node with its own group of processes."""

    def __init__(self, folder: Path) -> None:
        # Paths of sockets may have 107 characters.
        self.environment = {**os.environ, **ENVIRONMENT, "RAY_TMPDIR": str(folder)}
        self.environment.pop("RAY_ADDRESS", None)
        # Each of a dozen processes imports jsonschema, which builds a grammar of addresses in 1.2 s of
        # one core where notebooks are installed, and does without it where they are not.
        (folder / "path").mkdir()
        (folder / "path" / "rfc3987_syntax.py").write_text("raise ImportError")
        self.environment["PYTHONPATH"] = str(folder / "path")
        with socket.socket() as free:
            free.bind((HEAD, 0))
            self.address = f"{HEAD}:{free.getsockname()[1]}"
        port = self.address.rpartition(":")[2]
        head = ("--head", f"--port={port}", "--include-dashboard=false", "--no-monitor")
        self.head = self._start(*head, at=HEAD)
        self.second = self._start(f"--address={self.address}", at=SECOND)
        self.environment["RAY_ADDRESS"] = self.address

    def _start(self, *arguments: str, at: str) -> subprocess.Popen[bytes]:
        command = [
            *(sys.executable, "-m", "ray.scripts.scripts", "start", "--block", *arguments),
            *(f"--node-ip-address={at}", "--num-cpus=1", f"--object-store-memory={STORE_BYTES}"),
            *("--disable-usage-stats", "--include-log-monitor=false"),
        ]
        for _ in range(STARTS):
            log = tempfile.TemporaryFile()  # noqa: SIM115
            node = subprocess.Popen(
                command,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            prefer(node.pid)
            while node.poll() is None:
                log.seek(0)
                text = log.read()
                if b"Ray runtime started" in text:
                    return node
                time.sleep(0.2)
            kill(node)
        raise RuntimeError(f"Ray did not start: {text.decode(errors='replace')[-3000:]}")

    def kill_second(self) -> None:
        """As if its machine lost power."""
        kill(self.second)

    def stop(self) -> None:
        """End all processes of both nodes."""
        kill(self.second)
        kill(self.head)


def prefer(pid: int) -> None:
    """Give a starting node more of a busy machine, where this is allowed."""
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text("-10")


def descendants(pid: int) -> list[int]:
    """All processes below one."""
    import psutil

    with contextlib.suppress(psutil.NoSuchProcess):
        return [one.pid for one in psutil.Process(pid).children(recursive=True)]
    return []


def kill(node: subprocess.Popen[bytes]) -> None:
    """Kill a node: its raylet, its workers and all that belongs to it."""
    for pid in [node.pid, *descendants(node.pid)]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    node.wait()


@contextlib.contextmanager
def two_nodes() -> Iterator[TwoNodes]:
    """The cluster, in a folder with a short name."""
    folder = Path(tempfile.mkdtemp(prefix="ray", dir="/tmp"))
    nodes = None
    try:
        nodes = TwoNodes(folder)
        yield nodes
    finally:
        if nodes is not None:
            nodes.stop()
        shutil.rmtree(folder, ignore_errors=True)
