from __future__ import annotations

import socket

import pytest

from tools.ports import require_port
from tools.refusal import Refusal


@pytest.mark.parametrize("port", ["", "abc", "0", "65536", "-1", "8501;ls", "99999999"])
def test_what_is_no_port_is_refused(port: str) -> None:
    with pytest.raises(Refusal, match="is no port"):
        require_port("localhost", port)


def test_a_taken_port_is_refused_and_a_free_one_is_not() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        with pytest.raises(Refusal, match=f"port {port} is taken"):
            require_port("127.0.0.1", port)
    require_port("127.0.0.1", port)
