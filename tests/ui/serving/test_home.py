from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from ui.serving import entry, home


@pytest.mark.parametrize("path", ["/compare", "/compare/"])
def test_the_home_page_has_a_name(path: str) -> None:
    client = TestClient(Starlette(routes=home.routes()), follow_redirects=False)
    link = "v=2&a=The+b%C3%A4nk.&w=b%C3%A4nk"
    assert client.get(f"{path}?{link}").headers["location"] == f"/?{link}"
    assert client.get(path).headers["location"] == "/"
    # A path cannot lead to another host.
    assert client.get(f"{path}?//elsewhere.example").headers["location"] == "/?//elsewhere.example"


def test_the_app_answers_there() -> None:
    assert {"/compare", "/compare/"} <= {one.path for one in entry.routes()}
