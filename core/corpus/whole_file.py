"""Replace a file, so that no moment sees half of it."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(file: Path, text: str) -> None:
    """Write a text to a file that readers see as it was before, or complete.

    Raises:
        OSError: it cannot be written; the file is as it was before, and nothing of the new one stays.
    """
    new = file.with_name(f".{file.name}.new")
    try:
        with new.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        new.replace(file)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
