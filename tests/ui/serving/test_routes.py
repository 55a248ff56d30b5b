from __future__ import annotations

import re
from pathlib import Path

from ui import navigation
from ui.paper import served
from ui.serving import entry
from ui.serving.routes import PAGES, page_at, route

ROOT = Path(__file__).resolve().parents[3]


def test_every_page_is_a_route_and_nothing_else_is_logged() -> None:
    for page in navigation.pages().values():
        for path in {f"/{page.path}", f"/{page.address}"}:
            assert route(path) == page.address
            assert page_at(path) == path
    for path in (
        "/secret words",
        "/heads/secret",
        "/heads.",
        "/files/heads",
        "/static/heads",
        "/ready",
    ):
        assert page_at(path) == ""


def test_the_proxy_logs_the_path_of_each_route_of_ours_by_its_beginning() -> None:
    proxy = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
    begin = {f"/{one.path.split('/')[1]}/" for one in (*entry.routes(), *served.routes())}
    begin -= {
        "/metrics/",
        "//",
        f"/{navigation.HOME}/",
        *(f"/{page}/" for page in PAGES),
    }  # the proxy answers the first, and knows the others as pages
    assert begin >= {"/class/", "/paper/", "/files/"}
    for path in begin:
        assert route(path) != "other", path
        assert re.search(rf"~\^{path} +{path};", proxy), path
