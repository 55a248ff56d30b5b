"""Set up `.venv` for the Makefile: `python3 tools/setup.py run`, or `test`, or `docs`.

It uses only the standard library, because nothing else is installed yet. This file and those that it
imports must also parse under an old Python 3, so that its user gets a sentence instead of a syntax
error.

An environment that cannot be trusted (see `tools.environment`) is deleted and created again. The kinds
share it: `test` adds to what `run` needs, and `docs` to what `test` needs.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

# Run as a script, it finds its parts where the tests find them: in the package `tools` of this
# checkout.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools import type_cache
from tools.environment import (
    NO_DEPS,
    READS,
    fingerprint,
    is_ready,
    make_venv,
    pins,
    venv_python,
    write_stamp,
    wrong_packages,
)
from tools.installer import install, own_environment, provide_uv
from tools.ports import require_port
from tools.refusal import Refusal, say
from tools.torch_source import has_gpu, torch_index

ROOT = Path(__file__).resolve().parent.parent
OLDEST_PYTHON = (3, 11)


def require_python(version: tuple[int, ...], executable: str) -> None:
    """Refuse a Python that is too old.

    Raises:
        Refusal: if `version` is older than `OLDEST_PYTHON`.
    """
    if version[:2] < OLDEST_PYTHON:
        raise Refusal(
            f"this needs Python 3.11 or newer, and {executable} is {version[0]}.{version[1]}. "
            "Install one (Debian, Ubuntu: apt install python3 python3-venv; Fedora: dnf install "
            "python3.12; macOS: brew install python@3.13), or name one: "
            "make run PYTHON=/path/to/python3.12"
        )


def install_torch(root: Path) -> None:
    """Install torch first and alone, so that nothing else decides its source.

    The dependencies of torch come with the rest, from the package index and in the pinned versions.

    Raises:
        Refusal: if torch cannot be installed from any index.
    """
    torch = f"torch=={pins(root / 'requirements.txt')['torch']}"
    index = torch_index(sys.platform, has_gpu())
    if index is not None:
        try:
            say(f"installing {torch} for the CPU, from {index} ...")
            install(root, ["--no-deps", "--index-url", index, torch])
            return
        except Refusal as refusal:
            say(f"that did not work: {refusal}")
    say(f"installing {torch} from the package index ...")
    install(root, ["--no-deps", torch])


def set_up(root: Path, kind: str) -> None:
    """Make `.venv` ready for `kind`; quick if it is ready.

    Raises:
        Refusal: if that fails; the incomplete environment has no stamp, and will be created again.
    """
    if is_ready(root, kind):
        return
    start = time.monotonic()
    (root / ".setup.log").write_text("", "utf-8")
    # More can be added to a complete `run`; in any other case, the environment starts empty.
    if is_ready(root, "run"):
        (root / ".venv" / "stamp.json").unlink()  # until everything is in place again
    else:
        say("making .venv, once; this takes a minute or more ...")
        make_venv(root)
        provide_uv(root)
        install_torch(root)
    files = [file for file in READS[kind] if file != NO_DEPS]
    say(f"installing {' and '.join(files)} ...")
    install(root, [part for file in files for part in ("-r", file)])
    if pins(root / NO_DEPS):
        say(f"installing {NO_DEPS} ...")
        install(root, ["--no-deps", "-r", NO_DEPS])
        unpack_models(root)
    wrong = wrong_packages(root, kind)
    if wrong != []:
        raise Refusal(f"something else was installed than {files[-1]} asks for: {wrong}.")
    if kind != "run":
        say("reading the types of the packages ...")
        type_cache.fill(root)
    kinds = list(READS)
    finished = kinds[: kinds.index(kind) + 1]
    write_stamp(root, {each: fingerprint(root, each) for each in finished})
    say(f".venv is ready ({time.monotonic() - start:.0f} s).")


def unpack_models(root: Path) -> None:
    """Unpack the models that came as packages into Polysee's cache, where later checkouts find them.

    If that fails, for example for want of room, the app says so where somebody asks for such a model.
    """
    say("unpacking the language model ...")
    done = subprocess.run(
        [str(venv_python(root)), "-m", "core.pretrained.unpack"],
        cwd=root,
        env=own_environment(os.environ),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        words = done.stderr.strip().splitlines() or ["no reason given"]
        say(f"that did not work: {words[-1]}")


@contextlib.contextmanager
def alone(root: Path) -> Iterator[None]:
    """Prevent two set-ups of one checkout at the same time; the second waits for the first."""
    with (root / ".setup.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another set-up is at work on .venv; waiting for it ...")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, set up, and return the exit status."""
    parser = argparse.ArgumentParser(description="Set up .venv for the Makefile.")
    parser.add_argument("kind", choices=list(READS))
    parser.add_argument("--port", help="refuse if the app could not listen on this port")
    parser.add_argument("--host", default="localhost", help="the address to go with the port")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # end as for Ctrl-C, including pip
    try:
        require_python(tuple(sys.version_info[:2]), sys.executable)
        if options.port is not None:
            require_port(options.host, options.port)
        with alone(ROOT):
            set_up(ROOT, options.kind)
    except Refusal as refusal:
        print(f"Polysee: {refusal}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nPolysee: stopped; what was begun is made again next time.", file=sys.stderr)
        return 130
    except OSError as error:
        print(f"Polysee: the set-up failed: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
