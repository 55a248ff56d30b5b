"""Threads share a few heaps, as the C library itself counts them."""

from __future__ import annotations

import platform
import re

import pytest

from tests.pretrained.fakes import python
from ui.serving.memory import HEAPS

# Twelve threads that allocate at once, and what `malloc_info` then writes.
ASK = """
import ctypes, threading
from ui.serving.memory import share_heaps

print(share_heaps())
at_once, kept = threading.Barrier(12), []

def fill():
    at_once.wait()
    kept.append([bytearray(50_000) for _ in range(100)])
    at_once.wait()

threads = [threading.Thread(target=fill) for _ in range(12)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
file = ctypes.c_void_p(libc.fopen(b"/dev/stdout", b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
@pytest.mark.parametrize(("said", "done"), [("", True), ("64", False)])
def test_threads_share_heaps_unless_the_environment_says_how_many(
    said: str, done: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MALLOC_ARENA_MAX", raising=False)
    if said:
        monkeypatch.setenv("MALLOC_ARENA_MAX", said)
    written = python(ASK).stdout
    assert str(done) in written
    heaps = len(re.findall("<heap nr=", written))
    assert (heaps <= HEAPS) is done
