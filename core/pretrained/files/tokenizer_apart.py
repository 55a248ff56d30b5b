"""A tokenizer that is not ours is opened in a process of its own first.

The libraries that read tokenizers are written in Rust and C++. A file can make them overflow the stack,
or run for hours, and no exception tells: the whole server would be gone, with all its visitors.
`tokenizer_probe` opens the files in a process with limits of time and memory. It does so once for each
content: the result is remembered in this process, and for the next one in `POLYSEE_CACHE`.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import OrderedDict
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from threading import Lock

from ... import settings
from ...errors import Filled, ModelBroken
from . import tokenizer_probe

# What we have opened ourselves: MiniLM's tokenizer, which comes with Polysee.
OURS = frozenset({"aea6a1a2b5695ee26420c29a5c9157fde240ef6e"})
# Of one processor, and on the clock, which goes on while a machine is busy with others.
SECONDS = 40
PATIENCE = 90
# Bytes: for the libraries, and for each byte of the files.
MEMORY = 1_000_000_000
MEMORY_PER_BYTE = 30
MOST_REMEMBERED = 256  # in this process
MOST_NOTED = 2_000  # on the disk
# What the process may know of this one; its environment may hold secrets.
_ENVIRONMENT = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LANG", "LC_ALL")

_ADVICE = Filled("Choose another model, or another copy of it.")

_remembered: OrderedDict[str, str] = OrderedDict()  # content: why it must not be opened, "" if it may
_locks: dict[str, Lock] = {}
_lock = Lock()


def check(folder: Path, name: str) -> None:
    """Open the tokenizer in a folder in a process of its own, unless its content is known.

    Args:
        folder: the folder.
        name: the name of the model in messages.

    Raises:
        ModelBroken: if a file is beyond a limit, or has ended the process.
    """
    names = sorted(
        path.name
        for path in folder.iterdir()
        if tokenizer_probe.is_read_by_a_library(path.name) and path.is_file()
    )
    for file in names:
        size = (folder / file).stat().st_size
        if size > tokenizer_probe.MOST_BYTES:
            raise ModelBroken(
                "The {file} of “{name}” has {size:,.0f} MB, far more than a tokenizer needs. {advice}",
                file=file,
                name=name,
                size=size / 1000000.0,
                advice=_ADVICE,
            )
    content = digest(folder, names)
    if not names or content in OURS:
        return
    why = _verdict(content, folder, names)
    if why:
        raise ModelBroken(f"{why.format(name=name)} {_ADVICE}")


def digest(folder: Path, names: list[str]) -> str:
    """A hash of the names and the content of some files, in hexadecimal."""
    whole = hashlib.blake2b(digest_size=20)
    for name in names:
        with (folder / name).open("rb") as stream:
            own = hashlib.file_digest(stream, "blake2b").hexdigest()
        whole.update(f"{name} {own}\n".encode())
    return whole.hexdigest()


def _verdict(content: str, folder: Path, names: list[str]) -> str:
    """Why these files must not be opened; "" if they may. Computed once, for all who wait for it."""
    with _lock:
        own = _locks.setdefault(content, Lock())
    with own:
        with _lock:
            if content in _remembered:
                _remembered.move_to_end(content)
                return _remembered[content]
        note = _note_of(content)
        why = "" if note is not None and note.exists() else _opened(folder, names)
        with _lock:
            _remembered[content] = why
            while len(_remembered) > MOST_REMEMBERED:
                _remembered.popitem(last=False)
            _locks.pop(content, None)
    if not why and note is not None:
        _write(note)
    return why


def _opened(folder: Path, names: list[str]) -> str:
    """Why the files must not be opened, with a place for the model's name; "" if they may."""
    files = " and ".join(names[:3]) + (" and others" if len(names) > 3 else "")
    size = sum((folder / name).stat().st_size for name in names)
    asked = {
        "path": [path for path in sys.path if path],
        "folder": str(folder.absolute()),
        "names": names,
        "memory": MEMORY + MEMORY_PER_BYTE * size,
        "seconds": SECONDS,
    }
    environment = {key: os.environ[key] for key in _ENVIRONMENT if key in os.environ}
    try:
        ended = subprocess.run(
            # neither the user's packages nor those of this environment: it is told where they are
            [sys.executable, "-I", "-S", str(Path(tokenizer_probe.__file__).absolute())],
            input=f"{json.dumps(asked)}\n".encode(),
            capture_output=True,
            timeout=PATIENCE,
            env={**environment, "TOKENIZERS_PARALLELISM": "false", "RUST_BACKTRACE": "0"},
            cwd=os.sep,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"The tokenizer of “{{name}}” ({files}) takes longer than {PATIENCE} s to open."
    except (OSError, ValueError) as error:
        raise ModelBroken(
            "Polysee opens a tokenizer that it does not know in a process of its own "
            "first, and could not start one: {error}. Give it the permission to start "
            "processes.",
            error=error,
        ) from error
    if ended.returncode == 0:
        with suppress(ValueError, KeyError, TypeError):
            found = json.loads(ended.stdout)["unfit"]
            return "" if found is None else f"The {found[0]} of “{{name}}” {_braces(found[1])}."
    return (
        f"The tokenizer of “{{name}}” ({_braces(files)}) makes the library that reads it crash, or "
        "takes too much time or memory: Polysee tried it in a process of its own, which came to grief "
        f"({_how(ended.returncode)})."
    )


def _how(status: int) -> str:
    import signal

    if status < 0:
        with suppress(ValueError):
            return signal.Signals(-status).name
    return f"exit status {status}"


def _braces(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _note_of(content: str) -> Path | None:
    """The file that says that this content has been opened by these libraries, once it is there."""
    with suppress(Exception):
        libraries = f"{content} {version('tokenizers')} {version('sentencepiece')} {_own()}"
        name = hashlib.blake2b(libraries.encode(), digest_size=20).hexdigest()
        return settings.read().cache / "tokenizers" / name
    return None


def _own() -> str:
    return hashlib.blake2b(Path(tokenizer_probe.__file__).read_bytes(), digest_size=8).hexdigest()


def _write(note: Path) -> None:
    """Note a content; of too many, the oldest are forgotten. A disk that takes nothing is no error."""
    with suppress(OSError):
        note.parent.mkdir(parents=True, exist_ok=True)
        note.touch()
        every = list(note.parent.iterdir())
        if len(every) > MOST_NOTED:
            for old in sorted(every, key=lambda path: path.stat().st_mtime)[: MOST_NOTED // 2]:
                old.unlink(missing_ok=True)
