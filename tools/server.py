"""The app in a separate process, for browser tests and benchmarks."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def free_port() -> int:
    """A free port of this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


# As started by `make run` and the image.
AS_STARTED_BY_MAKE = {"MALLOC_ARENA_MAX": "2"}


@dataclass
class Server:
    """A Streamlit server on its own port, reachable only from this machine.

    `folder` receives its log, `environment` is added to ours, `script` is a path in the checkout, and
    `base` is the base path of its addresses.
    """

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    script: str = "app.py"
    base: str = ""
    process: subprocess.Popen[bytes] | None = None
    port: int = 0

    @property
    def url(self) -> str:
        """The address of the app: of its home page, without a slash at its end."""
        return f"{self.origin}/{self.base}" if self.base else self.origin

    @property
    def origin(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """Everything that it has printed."""
        return (self.folder / "server.log").read_text()

    def start(self) -> None:
        """Start it and wait until it answers; a second start uses the same port.

        Raises:
            AssertionError: if it ended, or did not answer within a minute; the message is its log.
        """
        self.port = self.port or free_port()
        command = [sys.executable, "-m", "streamlit", "run", self.script]
        command += ["--server.port", str(self.port), "--server.address", "127.0.0.1"]
        command += ["--server.baseUrlPath", self.base] if self.base else []
        with (self.folder / "server.log").open("a") as log:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**os.environ, **AS_STARTED_BY_MAKE, **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        for _ in range(600):
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=1):
                    return
            except OSError:
                assert self.process.poll() is None, self.log
                time.sleep(0.1)
        raise AssertionError(f"the server did not start: {self.log}")

    def stop(self, how: int = signal.SIGTERM) -> None:
        """Send it the signal `how`, and wait until it has ended."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(20)
            self.process = None
