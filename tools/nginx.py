"""Run the proxy of `deploy/nginx.conf` for the tests: find nginx, or install it if there is none.

`python tools/nginx.py` (in `.venv`) is a step of `make test`. Without nginx, its tests are skipped and
say so.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.browser import INSTALL_SECONDS, debian_installs, run
from tools.server import free_port

ROOT = Path(__file__).resolve().parent.parent
# Debian installs it where only an administrator's path leads.
SEARCH_PATH = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"))


def find_nginx() -> str | None:
    """The path of an nginx that runs, or None."""
    path = shutil.which("nginx", path=SEARCH_PATH)
    return path if path and subprocess.run([path, "-v"], capture_output=True, check=False) else None


@dataclass
class Proxy:
    """nginx with the configuration of `deploy/`, in front of servers on this machine.

    `folder` receives its files and logs; `servers` are the ports that it forwards to.
    """

    folder: Path
    servers: list[int]
    process: subprocess.Popen[bytes] | None = None
    port: int = 0
    plain_port: int = field(default=0)

    @property
    def url(self) -> str:
        """Its address; the certificate is our own."""
        return f"https://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """Everything that it has logged, requests and errors."""
        return (self.folder / "nginx.log").read_text()

    def start(self) -> None:
        """Start it and wait until it answers.

        Raises:
            AssertionError: if it ended, or did not answer within ten seconds.
        """
        nginx = find_nginx()
        assert nginx is not None
        self.port, self.plain_port = free_port(), free_port()
        _certificate(self.folder)
        (self.folder / "nginx.conf").write_text(self.configuration())
        # If root starts it, its workers belong to a user who may not enter our folders.
        as_root = " user root;" if os.geteuid() == 0 else ""
        command = [nginx, "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]
        with (self.folder / "nginx.log").open("a") as log:
            self.process = subprocess.Popen(
                [*command, "-g", f"daemon off;{as_root}"], stdout=log, stderr=subprocess.STDOUT
            )
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                assert self.process.poll() is None, self.log
                time.sleep(0.1)
            else:
                return
        raise AssertionError(f"nginx did not start: {self.log}")

    def stop(self) -> None:
        """End it, and wait until it has ended."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(20)
            self.process = None

    def configuration(self) -> str:
        """The configuration in `deploy/`, with only ports, files and folders replaced."""
        text = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
        for i, port in enumerate(self.servers, 1):
            text = _changed(text, f"polysee-{i}:8501", f"127.0.0.1:{port}")
        text = _changed(text, "listen 8443", f"listen 127.0.0.1:{self.port}")
        text = _changed(text, "listen 8080", f"listen 127.0.0.1:{self.plain_port}")
        text = _changed(text, "/etc/nginx/tls", str(self.folder))
        text = _changed(text, "/tmp/nginx", f"{self.folder}/nginx")
        return _changed(text, "worker_processes auto", "worker_processes 1")


def _changed(text: str, old: str, new: str) -> str:
    assert old in text, f"deploy/nginx.conf has no {old}"
    return text.replace(old, new)


def _certificate(folder: Path) -> None:
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
    ]
    command += ["-keyout", str(folder / "tls.key"), "-out", str(folder / "tls.crt")]
    subprocess.run(command, check=True, capture_output=True)


def main() -> int:
    """Find or install nginx, and print its path; without nginx, its tests are skipped."""
    if find_nginx() is None:
        installs = debian_installs("nginx-light")
        if installs:
            print(
                "Polysee: installing Debian's package nginx-light for the proxy tests ...", flush=True
            )
        for command in installs:
            run(command, seconds=INSTALL_SECONDS)
    nginx = find_nginx()
    print(f"Proxy: {nginx}" if nginx else "Proxy: no nginx here, its tests will be skipped", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
