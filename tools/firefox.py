"""Firefox by Marionette, the protocol that every Firefox has: Playwright drives only its own build.

A message is JSON after its length and a colon; an answer has the number of its command.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

import psutil

from tools.server import free_port

ON_PATH = ("firefox", "firefox-esr")
PATIENCE = 120  # seconds
_SETTINGS = {
    "marionette.port": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
}


def find() -> str | None:
    """The path of a Firefox, or None."""
    return next((path for name in ON_PATH if (path := shutil.which(name))), None)


class Firefox:
    """A Firefox without a window, with a profile of its own, until `stop`."""

    def __init__(self, program: str, folder: Path) -> None:
        port = free_port()
        settings = _SETTINGS | {"marionette.port": port}
        lines = (f'user_pref("{name}", {json.dumps(value)});\n' for name, value in settings.items())
        (folder / "user.js").write_text("".join(lines))
        self.sent = 0
        self.process = subprocess.Popen(
            [program, "--headless", "--marionette", "--no-remote", "--profile", str(folder)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"HOME": str(folder)},
        )
        try:
            self.socket = self._connected(port)
            self._read()  # its greeting
            session = self.do("WebDriver:NewSession", capabilities={})
            self.version = str(session["capabilities"]["browserVersion"])
            self.do("WebDriver:SetTimeouts", script=1000 * PATIENCE)
        except BaseException:
            self.stop()
            raise

    def _connected(self, port: int) -> socket.socket:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port), PATIENCE)
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise
                time.sleep(0.2)

    def do(self, command: str, **parameters: Any) -> Any:
        """Send a command, and return its result.

        Raises:
            RuntimeError: Firefox could not do it.
        """
        self.sent += 1
        message = json.dumps([0, self.sent, command, parameters]).encode()
        self.socket.sendall(b"%d:%b" % (len(message), message))
        _, _, error, result = self._read()
        if error:
            raise RuntimeError(error)
        return result

    def _read(self) -> Any:
        length = b""
        while (sign := self.socket.recv(1)) != b":":
            if not sign:
                raise ConnectionError("Firefox has ended")
            length += sign
        message = b""
        while len(message) < int(length):
            message += self.socket.recv(int(length) - len(message))
        return json.loads(message)

    def open(self, address: str) -> None:
        """Load a page."""
        self.do("WebDriver:Navigate", url=address)

    def run(self, script: str, *arguments: Any) -> Any:
        """What the body of a function returns in the page, or promises; it gets some arguments."""
        return self.do("WebDriver:ExecuteScript", script=script, args=arguments)["value"]

    def tabs(self) -> list[psutil.Process]:
        """The processes in which pages run."""
        children = psutil.Process(self.process.pid).children(recursive=True)
        return [one for one in children if one.cmdline()[-1:] == ["tab"]]

    def until(self, script: str) -> Any:
        """The same, as soon as it is true."""
        end = time.monotonic() + PATIENCE
        while not (value := self.run(script)):
            assert time.monotonic() < end, f"never: {script}"
            time.sleep(0.2)
        return value

    def stop(self) -> None:
        """End it, and wait until it has ended."""
        self.process.terminate()
        self.process.wait(30)
