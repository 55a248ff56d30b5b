"""The preparations of the server before its first visitor."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE, ROOT, Server


def ready(server: Server) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"{server.url}/ready", timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_ready_is_red_until_the_model_answers_and_the_first_visitor_may_come_to_any_page(
    tmp_path: Path, visit: Callable[..., Page]
) -> None:
    server = Server(tmp_path)
    server.start()
    try:
        seen = [ready(server)]
        start = time.monotonic()
        while seen[-1][0] != 200 and time.monotonic() < start + PATIENCE / 1000:
            time.sleep(0.1)
            seen.append(ready(server))
        assert seen[0] == (503, "The model is being loaded.\n")
        assert seen[-1] == (200, "ready\n")
        page = visit(f"{server.url}/heads")
        expect(page.locator(".picture[data-drawn]")).to_have_count(2)  # one head, and all
        links = page.get_by_test_id("stSidebarNav").get_by_role("link")
        expect(links).to_have_count(len([*(ROOT / "pages").glob("*/page.py")]))
        page = visit(f"{server.url}/?fn=1")
        expect(page.get_by_text("largest difference").first).to_be_visible()
        assert "Loading the model" not in page.inner_text("body")
    finally:
        server.stop()


@pytest.mark.fuzz
def test_wrong_setting_ends_the_server_with_a_sentence() -> None:
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", "0"]
    ended = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "POLYSEE_THREADS": "many"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode != 0
    said = ended.stdout + ended.stderr
    assert "Polysee cannot start: POLYSEE_THREADS is “many”" in said
    assert "Traceback" not in said
