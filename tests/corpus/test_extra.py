"""Without the extra, everything else works, and a corpus says how to get it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# As if the packages were not installed.
WITHOUT = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("lancedb", "sentencex"):
            raise ModuleNotFoundError(name=name)
sys.meta_path.insert(0, Absent())
from core.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def test_the_command_line_says_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One.")
    arguments = ["corpus", "build", str(tmp_path / "a.txt"), "--out", str(tmp_path / "out")]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "needs the package lancedb" in done.stderr
    assert "requirements.txt" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_command_line_loads_nothing_of_it_before_it_is_asked() -> None:
    code = (
        "import sys, core.cli.main, core.cli.corpus, core.corpus\n"
        "print(*{'lancedb', 'pyarrow', 'sentencex', 'torch'} & {*sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
