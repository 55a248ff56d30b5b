"""The page of every address."""

from __future__ import annotations

import base64
import hashlib
import re

from starlette.applications import Starlette
from starlette.testclient import TestClient

from ui.serving import entry, headers, page_html
from ui.serving.routes import PAGES


def test_each_page_says_where_its_server_is_before_any_other_script() -> None:
    client = TestClient(Starlette(routes=page_html.routes()))
    for page in ("", *PAGES):
        answer = client.get(f"/{page}?w=bank")
        assert answer.headers["content-type"].startswith("text/html")
        assert answer.headers["cache-control"] == "no-cache"
        first = answer.text[answer.text.index("<script") :]
        assert first.startswith("<script>window.__streamlit = {BACKEND_BASE_URL")
    again = client.get(f"/{PAGES[0]}", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(f"/{PAGES[0]}", headers={"If-None-Match": '"other"'}).status_code == 200
    assert {f"/{page}" for page in ("", *PAGES)} <= {one.path for one in entry.routes()}


def test_the_policy_allows_its_inline_scripts() -> None:
    found = re.findall(r"<script>(.*?)</script>", page_html.html(), re.DOTALL)
    assert any("BACKEND_BASE_URL" in one for one in found)
    policy = headers.policy("'self'")
    for one in found:
        digest = base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
