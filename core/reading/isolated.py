"""Formats that large libraries read, in a process of its own: `python -m core.reading.isolated`.

A PDF of a few kilobytes can keep its reader busy for hours or fill the memory. The process has limits
of both, and whatever happens to it, ours has a sentence. It gets the file on its standard input or as a
path, and prints one JSON value a line.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from ..errors import NotSupported
from .files import File
from .understood import OWN, UPLOAD, Limits, Passage, Refused, Row, Skipped
from .whole import read_whole

MEMORY = 1_500_000_000  # bytes that the process may ask for
AT_ONCE = threading.BoundedSemaphore(2)  # processes; further files wait
_MOST_LINE = 64 * 10**6  # of what it prints
_ROOT = Path(__file__).resolve().parents[2]
_PACKAGE = __package__ or "core.reading"


def read_isolated(
    file: File,
    kind: str,
    limits: Limits,
    header: bool | None,
    names: tuple[str, ...],
    encoding: str | None = None,
    packed: str = "",
) -> Iterator[Row | Passage | Skipped]:
    """What `read_whole` gives, from a process of its own.

    Raises:
        Refused: it cannot be read, or takes too much time or memory.
    """
    request = {
        "name": file.name,
        "path": str(file.path) if file.path is not None else None,
        "kind": kind,
        "upload": limits is UPLOAD,
        "header": header,
        "names": names,
        "encoding": encoding,
        "packed": packed,
        "seconds": limits.seconds,
    }
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(_ROOT), os.environ.get("PYTHONPATH", "")]),
    }
    environment["PYTHONIOENCODING"] = "utf-8"
    with AT_ONCE, _Child(request, environment, file.content) as child:
        ended = False
        for value in child.values():
            if "refused" in value:
                raise Refused(value["refused"])
            if "end" in value:
                ended = True
            elif "cells" in value:
                yield Row(value["cells"], value["where"])
            elif "text" in value:
                yield Passage(value["text"], value["columns"], value["where"])
            else:
                yield Skipped(file.name, value["where"], value["why"])
        if not ended:
            if child.late and limits is not UPLOAD:
                # Not left out: a slower machine, or the next try, would leave out something else.
                raise NotSupported(
                    "The file {file} takes more than {seconds:.0f} minutes to read. Leave it out, "
                    "or save its text as .txt.",
                    file=file.name,
                    seconds=limits.seconds / 60,
                )
            if child.late:
                raise Refused(f"it takes more than {limits.seconds:.0f} seconds to read")
            raise Refused("it is damaged, or takes more memory to read than a file of texts should")


class _Child:
    """The process while it runs. It ends with the block that uses it, at the latest after its time."""

    def __init__(
        self, request: dict[str, Any], environment: dict[str, str], content: bytes | None
    ) -> None:
        self.late = False
        self._process = subprocess.Popen(
            [sys.executable, "-m", f"{_PACKAGE}.isolated"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        self._timer = threading.Timer(request["seconds"], self._end_late)
        self._timer.daemon = True
        self._timer.start()
        sent = json.dumps(request).encode() + b"\n" + (content or b"")
        # Beside us: the pipe holds less than a file.
        self._sender = threading.Thread(target=self._send, args=(sent,), daemon=True)
        self._sender.start()

    def __enter__(self) -> _Child:
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._process.kill()
        self._process.wait()
        self._sender.join(1)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _send(self, content: bytes) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        with contextlib.suppress(OSError, ValueError):
            pipe.write(content)
            pipe.close()

    def _end_late(self) -> None:
        self.late = True
        self._process.kill()

    def values(self) -> Iterator[dict[str, Any]]:
        """What it prints, value by value."""
        pipe = self._process.stdout
        assert pipe is not None
        while line := pipe.readline(_MOST_LINE):
            try:
                value = json.loads(line)
            except ValueError:
                return
            if isinstance(value, dict):
                yield value


def main(given: IO[bytes], out: IO[bytes]) -> None:
    """Read one file; the request is the first line of the input, an upload the rest."""
    request = json.loads(given.readline())
    _limit(request["seconds"])
    path = request["path"]
    content = given.read() if path is None else None
    file = File(request["name"], Path(path) if path is not None else None, content)
    limits = UPLOAD if request["upload"] else OWN

    def tell(value: dict[str, Any]) -> None:
        # A lone surrogate is no UTF-8; escaped, it comes through.
        out.write(json.dumps(value, default=str).encode() + b"\n")

    try:
        every = read_whole(
            file,
            request["kind"],
            limits,
            request["header"],
            tuple(request["names"]),
            request["encoding"],
            request["packed"],
        )
        for one in every:
            if isinstance(one, Row):
                tell({"cells": dict(one.cells), "where": one.where})
            elif isinstance(one, Passage):
                tell({"text": one.text, "columns": dict(one.columns), "where": one.where})
            else:
                tell({"where": one.where, "why": one.why})
            out.flush()
        tell({"end": True})
    except Refused as error:
        tell({"refused": str(error)})
    except RecursionError:
        tell({"refused": "it is nested too deeply"})
    out.flush()


def _limit(seconds: float) -> None:
    """Bound the memory and the time of this process, where the system can."""
    try:
        import resource
    except ImportError:  # Windows: the parent's clock alone
        return
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 5, int(seconds) + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
