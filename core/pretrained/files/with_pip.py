"""Fetch one wheel with pip's own client, and continue what was begun: run as a script, by `in_package`.

`pip download` begins anew after each interruption, and says nothing while it downloads. This script
takes pip's parts instead: its settings (index, proxy, certificates, user names), its search for the
file, and its session. They are no public interface: where they are other ones, `pip download` itself
does it.
"""

from __future__ import annotations

import errno
import logging
import os
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

# What this script says, each on a line.
ARRIVED, STALLED, MISSING, FULL = "arrived", "nothing-arrives", "no-such-package", "no-space-left"
UNREACHED = "index-unreached"
_PIECE = 2**18
_RETRIES = 2  # of a request; without a network, each takes a second
_WHOLE = 200, 206, 416  # the file; its rest; nothing is left of it


def main(project: str, version: str, part: str, most: str) -> int:
    """Fetch the wheel into the file `part`, of at most so many bytes; returns the exit status."""
    try:
        return _fetch(project, version, Path(part), int(most))
    except (ImportError, AttributeError, TypeError):  # a pip whose parts are others
        return _plainly(project, version, Path(part))
    except OSError as error:  # those of a connection as well
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        print(FULL if full else UNREACHED, type(error).__name__, error)
        return 1


class _Unreached(logging.Handler):
    """Whether an index gave no answer: pip only logs that, and takes it for one without the package."""

    found = False

    def emit(self, record: logging.LogRecord) -> None:
        said = record.getMessage()
        self.found |= said.startswith("Could not fetch URL") and " 404 " not in said


def _fetch(project: str, version: str, part: Path, most: int) -> int:
    command = import_module("pip._internal.commands").create_command("download")
    options, _ = command.parse_args(["--no-deps", "--no-input", f"{project}=={version}"])
    options.cache_dir = None  # the file would lie there a second time
    options.retries = min(options.retries, _RETRIES)
    specifier = import_module("pip._vendor.packaging.specifiers").SpecifierSet(f"=={version}")
    log = logging.getLogger("pip._internal.index.collector")
    unreached = _Unreached()
    log.addHandler(unreached)
    log.setLevel(logging.DEBUG)
    log.propagate = False
    with command.main_context():
        session = command.get_default_session(options)
        finder = command._build_package_finder(options=options, session=session)
        found = finder.find_best_candidate(project, specifier).best_candidate
        if found is None or not found.link.is_wheel:
            print(UNREACHED if unreached.found else MISSING)
            return 1
        url = found.link.url.partition("#")[0]
        before = -1
        while before < (size := part.stat().st_size if part.exists() else 0):
            before = size  # an attempt that brings nothing is the last one
            try:
                return _stream(session, url, part, most)
            except ConnectionError as error:
                print(type(error).__name__, error)
    print(UNREACHED)
    return 1


def _stream(session: Any, url: str, part: Path, most: int) -> int:
    """Append what is missing; a server that cannot continue gives all of it anew.

    Raises:
        ConnectionError: the connection ended too early.
    """
    begun = part.stat().st_size if part.exists() else 0
    # Packed on the way, it would have another number of bytes.
    headers = {"Accept-Encoding": "identity", **({"Range": f"bytes={begun}-"} if begun else {})}
    answer = session.get(url, headers=headers, stream=True)
    if answer.status_code not in _WHOLE:
        answer.raise_for_status()
    if answer.status_code == 416:
        if answer.headers.get("Content-Range", "").endswith(f"/{begun}"):
            return 0
        part.unlink()
        return _stream(session, url, part, most)
    continued = answer.status_code == 206
    at = begun if continued else 0
    total = at + int(answer.headers.get("Content-Length") or 0)
    with part.open("ab" if continued else "wb") as out:
        try:
            for piece in answer.iter_content(_PIECE):
                at += len(piece)
                if max(at, total) > most:
                    print(MISSING, "the file is far too large")
                    return 1
                out.write(piece)
                out.flush()
                print(ARRIVED, at, max(at, total), flush=True)
        except OSError as error:
            if error.errno is not None:  # of the disk
                raise
            raise ConnectionError(str(error)) from error
    if at < total:
        raise ConnectionError("it was closed too early")
    return 0


def _plainly(project: str, version: str, part: Path) -> int:
    """`pip download`, which does not continue."""
    with tempfile.TemporaryDirectory(dir=part.parent, prefix="begun-") as folder:
        options = ["--no-deps", "--only-binary=:all:", "--no-input", "--disable-pip-version-check"]
        wanted = ["-d", folder, f"{project}=={version}"]
        pip = [sys.executable, "-P", "-m", "pip", "download"]
        done = subprocess.run([*pip, *options, *wanted], check=False)
        wheels = [*Path(folder).glob("*.whl")]
        if done.returncode or not wheels:
            return 1
        os.replace(wheels[0], part)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
