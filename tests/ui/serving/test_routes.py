from __future__ import annotations

import re
from pathlib import Path

from ui.serving.routes import HOME, PAGES

ROOT = Path(__file__).resolve().parents[3]


def test_every_file_of_pages_is_in_the_navigation_and_has_its_words() -> None:
    files = {file.parent.name for file in (ROOT / "pages").glob("*/page.py")}
    listed = re.findall(r'^ {12}\("(\w+)", "[^"]+"\),$', (ROOT / "app.py").read_text("utf-8"), re.M)
    assert sorted(listed) == sorted(files)
    assert files == {file.parent.name for file in (ROOT / "pages").glob("*/page.md")}
    assert {HOME, *PAGES} == {name.replace("_", "-") for name in files}
