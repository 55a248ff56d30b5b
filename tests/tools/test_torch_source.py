from __future__ import annotations

import http.server
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from tools import torch_source


@pytest.fixture
def index() -> Iterator[tuple[str, list[str], dict[str, float]]]:
    """A stand-in for PyTorch's index: its address, the requested paths, and its behaviour."""
    asked: list[str] = []
    manner = {"delay": 0.0, "status": 200.0}
    over = threading.Event()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            asked.append(self.path)
            over.wait(manner["delay"])
            self.send_response(int(manner["status"]))
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/whl/cpu", asked, manner
    over.set()
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def without_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")


def test_without_gpu_an_index_that_answers_is_taken(
    index: tuple[str, list[str], dict[str, float]],
) -> None:
    url, asked, _ = index
    assert torch_source.torch_index("linux", gpu=False, url=url) == url
    assert asked == ["/whl/cpu/torch/"]


@pytest.mark.parametrize(("platform", "gpu"), [("linux", True), ("darwin", False)])
def test_with_gpu_or_on_macos_the_index_is_not_even_asked(
    index: tuple[str, list[str], dict[str, float]], platform: str, gpu: bool
) -> None:
    url, asked, _ = index
    assert torch_source.torch_index(platform, gpu=gpu, url=url) is None
    assert asked == []


def test_an_index_that_refuses_is_not_taken(
    index: tuple[str, list[str], dict[str, float]],
) -> None:
    url, _, manner = index
    manner["status"] = 403
    assert torch_source.torch_index("linux", gpu=False, url=url) is None


def test_a_slow_index_is_not_waited_for(index: tuple[str, list[str], dict[str, float]]) -> None:
    url, _, manner = index
    manner["delay"] = 30
    start = time.monotonic()
    assert torch_source.torch_index("linux", gpu=False, url=url, seconds=0.3) is None
    assert time.monotonic() - start < 1.5


def test_a_slow_name_server_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()

    def no_answer(*args: object, **kwargs: object) -> None:
        over.wait(30)
        raise OSError("no answer")

    monkeypatch.setattr(socket, "getaddrinfo", no_answer)
    start = time.monotonic()
    found = torch_source.torch_index("linux", gpu=False, url="http://name.invalid", seconds=0.3)
    took = time.monotonic() - start
    over.set()
    assert found is None
    assert took < 1.5


def test_a_server_that_does_not_speak_http_is_no_index() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        def talk() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"this is not HTTP\r\n\r\n")

        threading.Thread(target=talk, daemon=True).start()
        assert not torch_source.answers(f"http://127.0.0.1:{port}/", seconds=3)
