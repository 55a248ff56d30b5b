from __future__ import annotations

import socket
import urllib.request
from pathlib import Path

import pytest

from tools.server import Server


def served(folder: Path, body: str) -> Server:
    (folder / "page.py").write_text(body)
    return Server(folder, script=str(folder / "page.py"))


@pytest.mark.check
def test_a_server_answers_here_alone_until_it_is_stopped(tmp_path: Path) -> None:
    server = served(tmp_path, "import streamlit as st\nst.title('x')")
    server.start()
    try:
        with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=10) as answer:
            assert answer.status == 200
        process = server.process
        assert process is not None
        assert process.poll() is None
    finally:
        server.stop()
    assert process.poll() is not None
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", server.port), timeout=5)
    server.stop()  # nothing is left to stop


@pytest.mark.check
def test_a_server_that_ends_says_why(tmp_path: Path) -> None:
    server = Server(tmp_path, script=str(tmp_path / "nowhere.py"))
    with pytest.raises(AssertionError, match=r"nowhere\.py"):
        server.start()
