"""A long state in few characters, which permalink.py puts into one parameter of the URL.

It is needed because percent-encoding turns a character of another script into six: a page of Arabic
takes 15 kB of URL, and servers take 8 kB by default. Deflate and base64 make a third of it.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Mapping

from core import untrusted

# The largest unpacked size: a few bytes in a link must not fill the memory.
MOST_BYTES = 1_000_000
_WORD = re.compile("[A-Za-z0-9_-]*")


def pack(state: Mapping[str, str]) -> str:
    """The state as one word of letters, digits, - and _."""
    text = json.dumps(dict(state), ensure_ascii=False, separators=(",", ":"))
    packed = zlib.compress(text.encode("utf-8", "replace"), 9)
    return base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")


def unpack(word: str) -> dict[str, str]:
    """The inverse of `pack`; empty if the word did not come from it."""
    if not _WORD.fullmatch(word):
        return {}
    try:
        packed = base64.b64decode(word + "=" * (-len(word) % 4), altchars=b"-_")
        inflate = zlib.decompressobj()
        text = inflate.decompress(packed, MOST_BYTES)
        state = untrusted.parse(text) if inflate.eof and not inflate.unused_data else None
    except (ValueError, zlib.error):
        return {}
    if not isinstance(state, dict):
        return {}
    return {key: value for key, value in state.items() if isinstance(value, str)}
