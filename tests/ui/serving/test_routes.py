from __future__ import annotations

import re
from pathlib import Path

from ui.paper import served
from ui.serving import entry
from ui.serving.routes import HOME, PAGES, route

ROOT = Path(__file__).resolve().parents[3]


def test_every_file_of_pages_is_in_the_navigation_and_has_its_words() -> None:
    files = {file.parent.name for file in (ROOT / "pages").glob("*/page.py")}
    listed = re.findall(r'^ {12}\("(\w+)", "[^"]+"\),$', (ROOT / "app.py").read_text("utf-8"), re.M)
    assert sorted(listed) == sorted(files)
    assert files == {file.parent.name for file in (ROOT / "pages").glob("*/page.md")}
    assert {HOME, *PAGES} == {name.replace("_", "-") for name in files}


def test_the_proxy_logs_the_path_of_each_route_of_ours_by_its_beginning() -> None:
    proxy = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
    begin = {f"/{one.path.split('/')[1]}/" for one in (*entry.routes(), *served.routes())}
    begin -= {"/metrics/", f"/{HOME}/"}  # the proxy answers the first, and knows the other as a page
    assert begin >= {"/class/", "/paper/", "/files/"}
    for path in begin:
        assert route(path) != "other", path
        assert re.search(rf"~\^{path} +{path};", proxy), path
