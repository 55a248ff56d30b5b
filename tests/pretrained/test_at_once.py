"""Models loaded at the same time, in a process that has not loaded any before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pretrained.fakes import python

pytestmark = pytest.mark.check

CODE = """
import threading
import core
failed = []
def load(source):
    try:
        core.load(source).trace("a bank", "the shore" if source in PAIRED else None)
    except BaseException as error:
        failed.append(f"{type(error).__name__}: {error}"[:300])
def at_once(sources):
    threads = [threading.Thread(target=load, args=(source,)) for source in sources]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
sources = FOLDERS
at_once(sources)
at_once(sources)
for source in sources:
    load(source)
print("failed:", failed)
"""


@pytest.mark.fuzz
def test_models_are_loaded_by_several_visitors_at_once_and_alone_after_it(
    made: Callable[..., Path],
) -> None:
    paired = [str(made(kind)) for kind in ("t5", "bart")]  # they take two texts
    alone = [str(made(kind)) for kind in ("gpt2", "bert", "llama")]
    ran = python(CODE.replace("FOLDERS", repr([*alone, *paired])).replace("PAIRED", repr(paired)))
    assert ran.stdout.strip() == "failed: []", ran.stdout + ran.stderr
