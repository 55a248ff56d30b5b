"""Whether the app can listen on a port, checked before anything is installed."""

from __future__ import annotations

import errno
import re
import socket

from tools.refusal import Refusal


def require_port(host: str, text: str) -> None:
    """Refuse a port on which the app could not listen.

    Raises:
        Refusal: if `text` is not a port, or the port is taken or not allowed.
    """
    if not re.fullmatch(r"[0-9]{1,5}", text) or not 0 < int(text) < 65536:
        raise Refusal(f"PORT={text} is no port: it must be a number from 1 to 65535.")
    try:
        address = socket.getaddrinfo(host, int(text), type=socket.SOCK_STREAM)[0]
    except OSError:
        raise Refusal(f"HOST={host} is no address of this machine.") from None
    with socket.socket(address[0], address[1]) as probe:
        # As the server does: without this, a port that was used a minute ago would seem taken.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address[4])
        except OSError as error:
            raise Refusal(why_no_port(error.errno, host, text)) from None


def why_no_port(number: int | None, host: str, port: str) -> str:
    """The reason for an error of `bind`, in one sentence."""
    if number == errno.EADDRINUSE:
        return (
            f"port {port} is taken, perhaps by a Polysee that still runs. "
            "Stop it, or take another: make run PORT=8600"
        )
    if number == errno.EACCES:
        return f"port {port} is reserved for the administrator. Take another: make run PORT=8600"
    return f"HOST={host} is no address of this machine."
