"""Builds in processes of their own, forked from one that has imported all that a build needs.

A process that is started anew imports torch and loads a model for several seconds before it builds
for one. Nothing of a corpus is open in the one that is forked: lancedb's threads outlive no fork.
"""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
import os
import resource
import signal
import sys
from collections.abc import Callable
from functools import partial
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from types import ModuleType
from typing import Any

SMALL = 4  # sentences in a part, so that there are many moments to be killed at
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.corpus.prepared"])


def begin(texts: Path, out: Path, *, sentences: int = SMALL) -> ForkServerProcess:
    """The real build in parts of so many sentences, for who kills it at a moment of their own."""
    return _begun(partial(_build, sentences), texts, out)


def build(texts: Path, out: Path, *, sentences: int = SMALL) -> None:
    """The same, to its end."""
    process = begin(texts, out, sentences=sentences)
    process.join()
    assert process.exitcode == 0


def killed_at(module: str, name: str, count: int, texts: Path, out: Path) -> int | None:
    """The status of a build that is killed when a function is called for the `count`-th time."""
    process = _begun(partial(_killed_at, module, name, count), texts, out)
    process.join()
    return process.exitcode


def on_a_full_disk(texts: Path, out: Path, said: Path) -> int | None:
    """The status of a build that can write no more once it has embedded; its errors go to `said`."""
    process = _begun(partial(_full, said), texts, out)
    process.join()
    return process.exitcode


def deletion_on_a_full_disk(corpus: Path, where: str, room: int, said: Path) -> int | None:
    """The status of a deletion that can write no file of more than `room` bytes."""
    process = _started(partial(_without_room, room, said), ["delete", str(corpus), "--where", where])
    process.join()
    return process.exitcode


def publishing_on_a_full_disk(texts: Path, out: Path, room: int, said: Path) -> int | None:
    """The status of a build whose disk is full once all is embedded; its errors go to `said`."""
    process = _begun(partial(_published_without_room, room, said), texts, out)
    process.join()
    return process.exitcode


def _begun(run: Callable[[list[str]], None], texts: Path, out: Path) -> ForkServerProcess:
    return _started(run, ["build", str(texts), "--out", str(out), "--layers", "last"])


def _started(run: Callable[[list[str]], None], arguments: list[str]) -> ForkServerProcess:
    process = _CONTEXT.Process(target=run, args=(arguments,))
    # A new process first runs the file of `__main__`: after a Streamlit test, a script that is gone.
    main, sys.modules["__main__"] = sys.modules["__main__"], ModuleType("__main__")
    try:
        process.start()
    finally:
        sys.modules["__main__"] = main
    return process


def _building() -> Any:
    return importlib.import_module("core.corpus.building.build")


def _command() -> Any:
    return importlib.import_module("core.corpus.command")


def _build(sentences: int, arguments: list[str]) -> None:
    _building().SENTENCES = sentences
    sys.exit(_command().main(arguments))


def _killed_at(module: str, name: str, count: int, arguments: list[str]) -> None:
    owner: Any = importlib.import_module(module)
    *path, last = name.split(".")
    for part in path:
        owner = getattr(owner, part)
    real, calls = getattr(owner, last), 0

    def killing(*given: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == count:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*given, **named)

    setattr(owner, last, killing)
    _build(SMALL, arguments)


def _without_room(room: int, said: Path, arguments: list[str]) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))  # a full disk, for one program
    with said.open("w") as file, contextlib.redirect_stderr(file):
        sys.exit(_command().main(arguments))


def _published_without_room(room: int, said: Path, arguments: list[str]) -> None:
    building = _building()
    publish = building.publish

    def full(*given: Any, **named: Any) -> Any:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
        return publish(*given, **named)

    building.publish = full
    with said.open("w") as file, contextlib.redirect_stderr(file):
        sys.exit(_command().main(arguments))


def _full(said: Path, arguments: list[str]) -> None:
    building = _building()
    part_of = building.part_of

    def part_of_then_full(*given: Any, **named: Any) -> Any:
        part = part_of(*given, **named)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))  # a full disk, for one program
        return part

    building.part_of = part_of_then_full
    with said.open("w") as file, contextlib.redirect_stderr(file):
        sys.exit(_command().main(arguments))
