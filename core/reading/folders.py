"""The files under some paths, in order, and what among them is no text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ..errors import NotSupported, in_short
from . import formats
from .files import File
from .understood import Skipped


@dataclass(frozen=True)
class Source:
    """One file.

    Attributes:
        name: its name: its path below the folder that was given, with that folder's name.
        path: where it lies.
        size: in bytes.
        digest: BLAKE2b of its content, in hexadecimal.
    """

    name: str
    path: Path
    size: int
    digest: str

    @property
    def file(self) -> File:
        """It, as the reader takes it."""
        return File(self.name, self.path)


def sources(given: Iterable[Path | str]) -> tuple[list[Source], list[Skipped]]:
    """The files under some paths, in the order of their names, and what is no text.

    In a folder, those whose names end as texts and tables do; a file that is named itself, whatever its
    name. What they are is told by their content when they are read.

    Raises:
        NotSupported: a path does not exist, or there is no file that could be read.
    """
    found: list[Source] = []
    skipped: list[Skipped] = []
    files_seen: set[tuple[int, int]] = set()
    names: set[str] = set()
    for root in map(Path, given):
        if not root.exists():
            raise NotSupported(f"There is no file or folder “{root}”.")
        folder = root.is_dir()
        files = sorted(path for path in root.rglob("*") if path.is_file()) if folder else [root]
        for path in files:
            inside = path.relative_to(root)
            name = f"{root.resolve().name}/{inside.as_posix()}" if folder else path.name
            if folder and any(part.startswith(".") for part in inside.parts):
                skipped.append(Skipped(name, "", "it is hidden"))
            elif folder and formats.ending(path.name) not in formats.ENDINGS:
                skipped.append(Skipped(name, "", "its name does not end as that of a text or a table"))
            else:
                name = str(path) if name in names else name
                status = path.stat()
                if (status.st_dev, status.st_ino) in files_seen:
                    skipped.append(Skipped(name, "", "it was given twice"))
                    continue
                files_seen.add((status.st_dev, status.st_ino))
                names.add(name)
                try:
                    found.append(Source(name, path, status.st_size, _digest(path)))
                except OSError as error:
                    skipped.append(Skipped(name, "", f"it cannot be read: {in_short(error)}"))
    if not found:
        raise NotSupported(
            f"None of these texts can be read. Known are {', '.join(formats.ENDINGS)}; texts also "
            "compressed (.gz, .bz2, .xz)."
        )
    return found, skipped


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
