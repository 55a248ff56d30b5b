"""The address of a room: one that the phones of a class can reach, or the reason why there is none.

Who opens the page as `localhost` sees an address that no phone reaches. The server then names its own
address in the local network, if it listens there and knows it; otherwise a sentence says what to do.
An address of which we are not sure is never shown as a QR code.
"""

from __future__ import annotations

import ipaddress
import platform
import re
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import streamlit as st

from core.localization import N_, gettext

SEAT = "polysee_seat"  # the cookie of `deploy/nginx.conf`, which hashes its first four digits
NO_SEAT = "0"
EVERYWHERE = ("", "0.0.0.0", "::")
NOT_REACHED = N_(
    "**Phones cannot join yet: Polysee answers only on this computer.** Its other windows can answer; "
    "all others raise their hands. To let phones in, Polysee has to be started in another way. If "
    "somebody else runs it for you, send them this:\n\n"
    "> Please let phones reach Polysee: stop it, and start it with `polysee --host 0.0.0.0`, or with "
    "`make run HOST=0.0.0.0` in its folder. {then}\n\n"
    "Then open Polysee again, and the room: the QR code stands here."
)
THEN = N_("Phones in the same network then reach it at `{address}`.")
SAME_NETWORK = N_(
    "Phones in the same network reach this computer at `{address}`, if its firewall lets them in."
)
NO_NETWORK = N_(
    "This computer has no network that phones could use: connect it, and open the room again."
)
# In a container or a virtual machine, the address that we see is one inside this computer.
INSIDE = N_(
    "Polysee runs in a container or a virtual machine here, and does not know the address of the "
    "computer around it. Open this page at that computer’s address in the network, `{address}`, "
    "instead of at localhost: the address for the phones then stands here."
)
_CONTAINERS = ("/.dockerenv", "/run/.containerenv")


class Reach(NamedTuple):
    """How phones reach the server.

    Attributes:
        origin: such as "http://192.168.1.20:8501"; "" if there is none that we are sure of.
        said: a sentence (Markdown) for a teacher whose own address no phone reaches; "" otherwise.
    """

    origin: str
    said: str = ""


def reach(
    url: str,
    listens: str,
    port: int,
    lan: Callable[[], str],
    *,
    inside: bool = False,
    secure: bool = False,
) -> Reach:
    """The origin for the phones.

    Args:
        url: the address in the teacher's browser.
        listens: the address on which the server listens, "" for all.
        port: on which it listens.
        lan: the address of this computer in its network, "" if it has none.
        inside: whether the server runs in a container or a virtual machine.
        secure: whether the server itself speaks https.
    """
    parts = urlsplit(url)
    if parts.hostname and not is_loopback(parts.hostname):
        return Reach(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}")

    def origin(host: str, behind: int = port) -> str:
        return f"{'https' if secure else 'http'}://{_bracketed(host)}:{behind}"

    found = "" if inside else lan()
    found = found if _is_of_network(found) else ""
    if is_loopback(listens):
        then = gettext(THEN).format(address=origin(found)) if found else ""
        return Reach("", gettext(NOT_REACHED).format(then=then).strip())
    if inside:
        return Reach("", gettext(INSIDE).format(address=origin("ADDRESS", _port(url) or port)))
    at = found if listens in EVERYWHERE else listens
    if not at:
        return Reach("", gettext(NO_NETWORK))
    return Reach(origin(at), gettext(SAME_NETWORK).format(address=origin(at)))


def reached(url: str) -> Reach:
    """The origin of this very server for the phones.

    Args:
        url: the address in the teacher's browser.
    """
    return reach(
        url,
        str(st.get_option("server.address") or ""),
        int(st.get_option("server.port")),
        own_address,
        inside=is_inside(),
        secure=bool(st.get_option("server.sslCertFile")),
    )


def _is_of_network(host: str) -> bool:
    """Whether a network gave this address: a computer without any gives itself others."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return not (address.is_loopback or address.is_link_local or address.is_unspecified)


def _port(url: str) -> int | None:
    """The port in an address; None if it has none that is one."""
    try:
        return urlsplit(url).port
    except ValueError:
        return None


def is_inside() -> bool:
    """Whether this process runs in a container, or in the virtual machine of a Windows computer."""
    system = platform.release().lower()
    return "microsoft" in system or any(Path(one).exists() for one in _CONTAINERS)


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
