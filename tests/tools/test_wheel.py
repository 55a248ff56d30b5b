"""What goes into the wheel, as far as that can be said without building it."""

from __future__ import annotations

import json
from pathlib import Path

from core.web import built
from tools import wheel


def test_the_run_time_of_a_graphics_card_stays_outside(tmp_path: Path) -> None:
    """It has 27 MB; where it is not there, it is not offered."""
    folder = tmp_path / "build" / "web"
    folder.mkdir(parents=True)
    for name in (built.MANIFEST, *built.RUNTIME, *built.GRAPHICS):
        (folder / name).write_bytes(b"")
    described = json.dumps({"files": {name: {} for name in built.GRAPHICS}})
    (folder / built.GRAPHICS_MANIFEST).write_text(described)
    names = {name for _, name in wheel.contents(tmp_path) if name.startswith("polysee/web/files/")}
    assert names == {f"polysee/web/files/{name}" for name in (built.MANIFEST, *built.RUNTIME)}
