"""Record every host that this Python process looks up or connects to.

Python imports a module of this name when it starts; the tests put this folder on the path of the server
that they watch. Each event becomes one line at the end of the file that POLYSEE_AUDIT names.

If POLYSEE_AUDIT_OWNER is the id of a process, this process ends with it: a killed test run leaves no
server behind.
"""

import os
import signal
import sys
import threading
import time

_PLACE = os.environ.get("POLYSEE_AUDIT", "")
_OWNER = os.environ.get("POLYSEE_AUDIT_OWNER", "")
_EVENTS = {"socket.connect": 1, "socket.getaddrinfo": 0, "socket.gethostbyname": 0, "socket.sendto": 1}


def _write(event: str, args: tuple) -> None:
    if event in _EVENTS:
        address = args[_EVENTS[event]]
        host = address[0] if isinstance(address, tuple) else address
        with open(_PLACE, "a", encoding="utf-8") as file:
            file.write(f"{event} {host!r}\n")


if _PLACE:
    sys.addaudithook(_write)


def _end_with(owner: int) -> None:
    while True:
        time.sleep(2)
        try:
            os.kill(owner, 0)
        except ProcessLookupError:
            os.kill(os.getpid(), signal.SIGTERM)
            return


if _OWNER:
    threading.Thread(target=_end_with, args=(int(_OWNER),), daemon=True).start()
