"""UMAP in a separate process, which compiles the library in the background.

umap-learn compiles itself when it is imported and first used, which takes half a minute or more, and
hardly any of it is cached on disk. A server would block the first visitor who requests a map, and all
others too, since Python compiles under its global lock. A process of the lowest priority therefore does
it once, and then waits.

The two sides communicate over its standard input and output: a line of JSON, followed by numbers, if
any. Run as `python -m core.measures.maps.umap_process`; it ends with its parent.
"""

from __future__ import annotations

import atexit
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ...errors import NotSupported
from ...records.trace import Array
from .neighbour_map import has_umap, require_umap

NICENESS = 5  # below the pages, which stay quick; at the lowest, a busy server would never finish a map
_ROOT = Path(__file__).resolve().parents[3]


class UmapProcess:
    """The process, started when it is first needed or requested; safe to use from any thread."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def begin(self) -> None:
        """Start it, if it is not running; it compiles in the background. Returns at once.

        Without the package there is nothing to compile, and no process.
        """
        with self._lock:
            if has_umap():
                self._begun()

    def fit(self, points: Array, near: int, components: int, seed: int) -> Array:
        """UMAP of points, initialised with their principal components.

        Args:
            points: (n, d) float32.
            near: UMAP's n_neighbors.
            components: 2 or 3.
            seed: the seed of its random numbers.

        Returns:
            (n, components) float32.

        Raises:
            NotSupported: if the library is not installed, or cannot be used on this computer.
        """
        require_umap()
        request = {"near": near, "components": components, "seed": seed}
        with self._lock:
            for _ in range(2):  # a process that has died is restarted once
                process = self._begun()
                assert process.stdin is not None
                assert process.stdout is not None
                try:
                    _send(process.stdin, request, points)
                    answer, coordinates = _receive(process.stdout)
                except (OSError, ValueError):
                    self._end()
                    continue
                if coordinates is None:
                    break
                return coordinates
            else:
                answer = {"why": "its process ended"}
        raise NotSupported(
            "UMAP cannot be used on this computer: {answer}. Choose PCA or t-SNE.",
            answer=answer["why"],
        )

    def end(self) -> None:
        """End the process, and release its memory."""
        with self._lock:
            self._end()

    @property
    def number(self) -> int | None:
        """The id of the running process; None if there is none."""
        running = self._process is not None and self._process.poll() is None
        return self._process.pid if running and self._process is not None else None

    def _begun(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __spec__.name],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=_ROOT,
                creationflags=getattr(subprocess, "IDLE_PRIORITY_CLASS", 0),  # on Windows alone
            )
            atexit.register(self.end)
        return self._process

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._process = None


def _send(to: BinaryIO | Any, message: Mapping[str, Any], numbers: Array | None) -> None:
    """Write a line of JSON, which states how many numbers follow, and the numbers."""
    shape = None if numbers is None else numbers.shape
    to.write(json.dumps({**message, "shape": shape}).encode() + b"\n")
    if numbers is not None:
        to.write(np.ascontiguousarray(numbers, "<f4").tobytes())
    to.flush()


def _receive(of: BinaryIO | Any) -> tuple[dict[str, Any], Array | None]:
    """Read what `_send` wrote; a ValueError if the other side has ended."""
    line = of.readline()
    if not line:
        raise ValueError("The other side has ended.")
    message: dict[str, Any] = json.loads(line)
    shape = message.pop("shape")
    if shape is None:
        return message, None
    sent = of.read(4 * int(np.prod(shape)))
    return message, np.frombuffer(sent, "<f4").reshape(shape).copy()


def _serve() -> None:
    """Compile, then answer requests until the parent has gone."""
    if hasattr(os, "nice"):  # on Windows, the parent sets the priority of a process
        os.nice(NICENESS)
    waiting: queue.Queue[tuple[dict[str, Any], Array | None]] = queue.Queue()

    def listen() -> None:
        while True:
            try:
                waiting.put(_receive(sys.stdin.buffer))
            except ValueError:
                os._exit(0)  # even in the middle of compiling: it is no longer needed

    out = sys.stdout.buffer
    sys.stdout = sys.stderr  # the library's own output must not mix with the answers
    threading.Thread(target=listen, daemon=True).start()
    why = ""
    try:
        from .neighbour_map import SEED, umap_here

        umap_here(np.random.default_rng(SEED).normal(size=(31, 8)).astype(np.float32), 15, 2, SEED)
    except NotSupported as error:
        why = str(error)
    while True:
        request, points = waiting.get()
        if why or points is None:
            _send(out, {"why": why or "no points were sent"}, None)
            continue
        try:
            coordinates = umap_here(points, request["near"], request["components"], request["seed"])
        except Exception as error:
            _send(out, {"why": str(error)}, None)
        else:
            _send(out, {}, coordinates)


if __name__ == "__main__":
    _serve()
