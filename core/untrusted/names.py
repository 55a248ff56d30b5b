"""A name out of a file is the name of one entry in one folder, and never a path.

`/` joins what it is given: a name such as `../../etc`, or `/etc`, leads anywhere.
"""

from __future__ import annotations

import re

# No separator of any system, no drive, no stream of a file, no control character; not hidden, and
# nothing that Windows drops or reserves.
_ENTRY = re.compile(r"[^\W_][\w.+ @=,()\[\]-]*|_[\w.+ @=,()\[\]-]+")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_MOST_BYTES = 255  # of a file system's entry


class NoName(ValueError):
    """A value is no name of a file or a folder; the message says so in a clause."""


def entry(value: object, *endings: str) -> str:
    """A name that somebody's file or request gives, if it can only mean an entry of one folder.

    Args:
        value: the name.
        endings: one of them must be at its end, if there are any.

    Returns:
        The same name: letters of any script, digits, and some signs, none of which leads elsewhere.

    Raises:
        NoName: it is a path, or no name at all.
    """
    if (
        not isinstance(value, str)
        or not _ENTRY.fullmatch(value)
        or value.endswith((".", " "))
        or _RESERVED.fullmatch(value)
        or len(value.encode("utf-8", "replace")) > _MOST_BYTES
        or (endings and not value.endswith(endings))
    ):
        shown = value[:40] if isinstance(value, str) else type(value).__name__
        shown = "".join(sign if sign.isprintable() else "�" for sign in shown)
        raise NoName(f"“{shown}” is not the name of a file or folder beside it")
    return value
