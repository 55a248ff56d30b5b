"""The address of a room: one that the phones of a class can reach, or the reason why there is none."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

SEAT = "polysee_seat"  # the cookie of `deploy/nginx.conf`, which hashes its first four digits
NO_SEAT = "0"
EVERYWHERE = ("", "0.0.0.0", "::")
NOT_REACHED = (
    "This server answers only on this computer. For a class, start it with `make run HOST=0.0.0.0`, or "
    "with `polysee --host 0.0.0.0` where it was installed with pip."
)
NO_NETWORK = "This computer has no network that phones could use: connect it, and open the room again."


class Reach(NamedTuple):
    """The origin that phones can reach, such as "http://192.168.1.20:8501"; or "" and the reason."""

    origin: str
    why_not: str = ""


def reach(url: str, listens: str, port: int, lan: Callable[[], str]) -> Reach:
    """The origin for the phones.

    Args:
        url: the address in the teacher's browser.
        listens: the address on which the server listens, "" for all.
        port: on which it listens.
        lan: the address of this computer in its network, "" if it has none.
    """
    parts = urlsplit(url)
    if parts.hostname and not is_loopback(parts.hostname):
        return Reach(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}")
    if listens not in EVERYWHERE:
        if is_loopback(listens):
            return Reach("", NOT_REACHED)
        return Reach(f"http://{_bracketed(listens)}:{port}")
    found = lan()
    if not found or is_loopback(found):
        return Reach("", NO_NETWORK)
    return Reach(f"http://{_bracketed(found)}:{port}")


def is_loopback(host: str) -> bool:
    """Whether a name or an address means this computer alone."""
    name = host.strip("[]").rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def own_address() -> str:
    """The address of this computer in its network; "" if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            # A datagram socket sends nothing when it is connected: it only chooses the way out. The
            # address is one of those reserved for examples.
            asked.connect(("192.0.2.1", 9))
            return str(asked.getsockname()[0])
        except OSError:
            return ""


def seat_of(cookies: Mapping[str, str]) -> str:
    """The seat in the address of a room: it leads phones to the server where the teacher is."""
    found = cookies.get(SEAT, "")
    return found[:4] if re.fullmatch(r"[0-9a-f]+", found) else NO_SEAT
