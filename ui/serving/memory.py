"""What one thread frees, another takes: the heaps of the C library are few."""

from __future__ import annotations

import ctypes
import os

HEAPS = 2
_M_ARENA_MAX = -8  # of glibc's malloc.h


def share_heaps() -> bool:
    """Let all threads share a few heaps, where the C library is glibc.

    It gives threads heaps of their own, eight to a processor core, and what is freed in one is not
    taken for another. With a thread for each visitor that came to 60 to 95 MB (16 visitors).

    Returns:
        Whether it was done: not with another C library, nor where the environment says how many.
    """
    if "MALLOC_ARENA_MAX" in os.environ:
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # other systems have no such function, or no such None
        return False
    return bool(mallopt(_M_ARENA_MAX, HEAPS))
