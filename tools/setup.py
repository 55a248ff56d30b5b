"""Set up `.venv` for the Makefile: `python3 tools/setup.py run` or `python3 tools/setup.py test`.

Standard library only, because nothing else is there yet. The file must also parse under an old
Python 3, so that the one who has it is refused with a sentence and not with a syntax error.

`.venv` is trusted when its stamp says that it was finished, here, from these very requirement
files, and when the pinned versions are in it. Anything else is thrown away and made again. `run`
and `test` share the environment; `test` adds to what `run` needs.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import fcntl
import hashlib
import http.client
import importlib.util
import json
import os
import queue
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST_PYTHON = (3, 11)

# The one index that is named: PyTorch's own, whose wheels leave out gigabytes of CUDA.
TORCH_CPU_INDEX = "https://download.pytorch.org/whl/cpu"
INDEX_SECONDS = 3.0

# For each kind of set-up the files that decide it. The last is handed to pip and reads the others.
READS = {
    "run": ("constraints.txt", "requirements.txt"),
    "test": ("constraints.txt", "requirements.txt", "requirements-dev.txt"),
}

# Runs inside .venv: prints the name of each package whose version is not the one asked for.
CHECK_VERSIONS = """
import json, sys
from importlib.metadata import PackageNotFoundError, version
for name, wanted in json.load(sys.stdin).items():
    try:
        found = version(name).partition("+")[0]
    except PackageNotFoundError:
        found = None
    if found != wanted:
        print(name)
"""

NO_NETWORK = re.compile(
    r"NewConnectionError|Failed to establish|name resolution|Name or service not known"
    r"|nodename nor servname|ConnectTimeout|ReadTimeout|Read timed out|Network is unreachable"
    r"|ProxyError|Cannot connect to proxy|Connection refused|Connection reset"
)


class Refusal(Exception):
    """The set-up cannot go on; the message is a sentence for the person who typed `make`."""


def say(sentence: str) -> None:
    """Print one line at once, also into a pipe."""
    print(f"Polysee: {sentence}", flush=True)


# ---------------------------------------------------------------------------------------------
# Python


def require_python(version: tuple[int, ...], executable: str) -> None:
    """Refuse a Python that is too old.

    Raises:
        Refusal: `version` is older than `OLDEST_PYTHON`.
    """
    if version[:2] < OLDEST_PYTHON:
        raise Refusal(
            f"this needs Python 3.11 or newer, and {executable} is {version[0]}.{version[1]}. "
            "Install one (Debian, Ubuntu: apt install python3 python3-venv; Fedora: dnf install "
            "python3.12; macOS: brew install python@3.13), or name one: "
            "make run PYTHON=/path/to/python3.12"
        )


def require_ensurepip(executable: str, found: bool) -> None:
    """Refuse a Python that cannot make an environment: Debian packs that part separately.

    Raises:
        Refusal: `found` is false.
    """
    if not found:
        raise Refusal(
            f"{executable} has no ensurepip, so it cannot make a virtual environment. "
            "On Debian or Ubuntu install it with: apt install python3-venv"
        )


def base_python() -> str:
    """The Python outside any environment: the one in an active `.venv` would be removed with it."""
    return getattr(sys, "_base_executable", None) or sys.executable


# ---------------------------------------------------------------------------------------------
# Is the environment that is there the one that is wanted?


def pins(root: Path, kind: str) -> dict[str, str]:
    """The versions that the requirement files of `kind` ask for, by package."""
    found = {}
    for name in READS[kind]:
        if name != "constraints.txt":
            for line in (root / name).read_text("utf-8").splitlines():
                pin = re.match(r"([A-Za-z0-9._-]+)==([^\s#;]+)", line)
                if pin:
                    found[pin[1]] = pin[2]
    return found


def fingerprint(root: Path, kind: str) -> str:
    """A hash of the content of the requirement files of `kind`."""
    digest = hashlib.sha256()
    for name in READS[kind]:
        content = (root / name).read_bytes()
        digest.update(f"{name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def venv_python(root: Path) -> Path:
    """The Python of the environment."""
    return root / ".venv" / "bin" / "python"


def read_stamp(root: Path) -> dict[str, str]:
    """What was finished in `.venv`: kind -> fingerprint. Empty where it cannot be trusted.

    A moved environment is not trusted: the scripts in its `bin` name the old place.
    """
    try:
        stamp = json.loads((root / ".venv" / "stamp.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    here = isinstance(stamp, dict) and stamp.pop("place", None) == str(root / ".venv")
    return stamp if here else {}


def write_stamp(root: Path, done: dict[str, str]) -> None:
    """Say what is finished in `.venv`. The last thing that a set-up does."""
    stamp = {"place": str(root / ".venv"), **done}
    (root / ".venv" / "stamp.json").write_text(json.dumps(stamp, indent=1) + "\n", "utf-8")


def wrong_packages(root: Path, kind: str) -> list[str] | None:
    """The pinned packages that `.venv` lacks or has in another version; None if it does not run."""
    try:
        done = subprocess.run(
            [str(venv_python(root)), "-c", CHECK_VERSIONS],
            input=json.dumps(pins(root, kind)),
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.split()


def is_ready(root: Path, kind: str) -> bool:
    """Whether `.venv` is finished for `kind` and whole."""
    return read_stamp(root).get(kind) == fingerprint(root, kind) and wrong_packages(root, kind) == []


# ---------------------------------------------------------------------------------------------
# Where torch comes from


def has_gpu() -> bool:
    """Whether this machine shows a graphics card that CUDA could use."""
    return shutil.which("nvidia-smi") is not None or os.path.exists("/dev/nvidia0")


def answers(url: str, seconds: float) -> bool:
    """Whether `url` answers within `seconds`, the look-up of its name included.

    The question is asked in a thread that is left behind when time is up: no timeout of a socket
    bounds a name server that says nothing.
    """
    heard: queue.Queue[bool] = queue.Queue()

    def ask() -> None:
        try:
            request = urllib.request.Request(url, method="HEAD")
            with urllib.request.urlopen(request, timeout=seconds) as answer:
                heard.put(answer.status < 400)
        except (OSError, ValueError, http.client.HTTPException):  # URLError is an OSError
            heard.put(False)

    threading.Thread(target=ask, daemon=True).start()
    try:
        return heard.get(timeout=seconds)
    except queue.Empty:
        return False


def torch_index(
    platform: str, gpu: bool, url: str = TORCH_CPU_INDEX, seconds: float = INDEX_SECONDS
) -> str | None:
    """The index that torch comes from: PyTorch's CPU wheels, or None for pip's own index.

    pip's own index has torch for CUDA on Linux, which a GPU needs, and for the CPU on macOS.
    """
    if platform == "darwin" or gpu:
        return None
    return url if answers(f"{url}/torch/", seconds) else None


# ---------------------------------------------------------------------------------------------
# pip


def pip_environment(environment: dict[str, str]) -> dict[str, str]:
    """`environment` without what would make pip look or install outside `.venv`."""
    kept = {k: v for k, v in environment.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    return {**kept, "PIP_USER": "0"}


def why_pip_failed(words: str) -> str:
    """One sentence from the words of a pip that failed."""
    if "No space left on device" in words:
        return "the disk is full: about 2 GB are needed (a machine with a GPU: 8 GB)."
    if NO_NETWORK.search(words):
        return "the package index cannot be reached. Check the network or the proxy and try again."
    missing = re.search(r"No matching distribution found for (\S+)", words)
    if missing:
        return (
            f"the package index has no {missing[1]} for this Python and machine. "
            "Python 3.11 to 3.13 are known to be served: make run PYTHON=python3.11"
        )
    errors = [line for line in words.splitlines() if line.startswith("ERROR:")]
    return errors[-1] if errors else "pip ended without a word."


def pip_install(root: Path, arguments: Sequence[str]) -> None:
    """Install into `.venv`; pip asks nothing, and its words go to `.setup.log`.

    On a terminal the latest of them are shown in one line, so that a slow download is seen.

    Raises:
        Refusal: pip failed.
    """
    options = ["--no-input", "--disable-pip-version-check", "--progress-bar", "off"]
    pip = subprocess.Popen(
        [str(venv_python(root)), "-m", "pip", "install", *options, *arguments],
        cwd=root,
        env=pip_environment(dict(os.environ)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    words = []
    with pip, (root / ".setup.log").open("a", encoding="utf-8") as log:
        assert pip.stdout is not None
        try:
            for line in pip.stdout:
                log.write(line)
                words.append(line)
                show_passing(line)
        except BaseException:  # stopped: a pip left behind would write into the next .venv
            pip.terminate()
            raise
    show_passing("")
    if pip.returncode:
        raise Refusal(f"{why_pip_failed(''.join(words))} (pip's own words: .setup.log)")


def show_passing(line: str) -> None:
    """On a terminal, put `line` in the place of the one shown before."""
    if sys.stdout.isatty():
        width = shutil.get_terminal_size().columns - 1
        print("\r\033[K" + line.strip()[:width], end="", flush=True)


# ---------------------------------------------------------------------------------------------
# Making the environment


def make_venv(root: Path) -> None:
    """Make an empty `.venv`, in the place of any that is there.

    Raises:
        Refusal: this Python cannot make one.
    """
    venv = root / ".venv"
    if venv.is_symlink() or venv.is_file():
        venv.unlink()
    elif venv.exists():
        shutil.rmtree(venv)
    executable = base_python()
    require_ensurepip(executable, importlib.util.find_spec("ensurepip") is not None)
    made = subprocess.run(
        [executable, "-m", "venv", str(venv)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if made.returncode:
        words = made.stdout.strip().splitlines() or ["no reason given"]
        raise Refusal(f"{executable} could not make .venv: {words[-1]}")


def install_torch(root: Path) -> None:
    """Install torch first and alone, so that nothing else decides where it comes from.

    What torch needs comes with the rest, from pip's own index and in the pinned versions.

    Raises:
        Refusal: torch comes from nowhere.
    """
    torch = f"torch=={pins(root, 'run')['torch']}"
    index = torch_index(sys.platform, has_gpu())
    if index is not None:
        try:
            say(f"installing {torch} for the CPU, from {index} ...")
            pip_install(root, ["--no-deps", "--index-url", index, torch])
            return
        except Refusal as refusal:
            say(f"that did not work: {refusal}")
    say(f"installing {torch} from pip's package index ...")
    pip_install(root, ["--no-deps", torch])


def set_up(root: Path, kind: str) -> None:
    """Make `.venv` ready for `kind`; quick where it is.

    Raises:
        Refusal: it cannot be made ready; what is there is not stamped and will be made again.
    """
    if is_ready(root, kind):
        return
    start = time.monotonic()
    file = READS[kind][-1]
    (root / ".setup.log").write_text("", "utf-8")
    # `test` may be added to a whole `run`; in any other case the environment starts empty.
    if is_ready(root, "run"):
        (root / ".venv" / "stamp.json").unlink()  # until all is in place again
    else:
        say("making .venv, once; this takes a minute or more ...")
        make_venv(root)
        install_torch(root)
    say(f"installing {file} ...")
    pip_install(root, ["-r", file])
    wrong = wrong_packages(root, kind)
    if wrong != []:
        raise Refusal(f"pip installed something else than {file} asks for: {wrong}.")
    finished = ("run",) if kind == "run" else ("run", "test")
    write_stamp(root, {each: fingerprint(root, each) for each in finished})
    say(f".venv is ready ({time.monotonic() - start:.0f} s).")


@contextlib.contextmanager
def alone(root: Path) -> Iterator[None]:
    """Keep two set-ups of one checkout apart; the second waits for the first."""
    with (root / ".setup.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another set-up is at work on .venv; waiting for it ...")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# ---------------------------------------------------------------------------------------------
# The port


def require_port(host: str, text: str) -> None:
    """Refuse a port that the app could not listen on.

    Raises:
        Refusal: `text` is no port, or the port is taken or not allowed.
    """
    if not re.fullmatch(r"[0-9]{1,5}", text) or not 0 < int(text) < 65536:
        raise Refusal(f"PORT={text} is no port: it must be a number from 1 to 65535.")
    try:
        place = socket.getaddrinfo(host, int(text), type=socket.SOCK_STREAM)[0]
    except OSError:
        raise Refusal(f"HOST={host} is no address of this machine.") from None
    with socket.socket(place[0], place[1]) as probe:
        # As the server does it: without this, a port that was used a minute ago looks taken.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(place[4])
        except OSError as error:
            raise Refusal(why_no_port(error.errno, host, text)) from None


def why_no_port(number: int | None, host: str, port: str) -> str:
    """One sentence for the error of a `bind`."""
    if number == errno.EADDRINUSE:
        return (
            f"port {port} is taken, perhaps by a Polysee that still runs. "
            "Stop it, or take another: make run PORT=8600"
        )
    if number == errno.EACCES:
        return f"port {port} is reserved for the administrator. Take another: make run PORT=8600"
    return f"HOST={host} is no address of this machine."


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, set up, and return the exit status."""
    parser = argparse.ArgumentParser(description="Set up .venv for the Makefile.")
    parser.add_argument("kind", choices=sorted(READS))
    parser.add_argument("--port", help="refuse if the app could not listen on this port")
    parser.add_argument("--host", default="localhost", help="the address to go with the port")
    asked = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # end as for Ctrl-C, pip as well
    try:
        require_python(tuple(sys.version_info[:2]), sys.executable)
        if asked.port is not None:
            require_port(asked.host, asked.port)
        with alone(ROOT):
            set_up(ROOT, asked.kind)
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
