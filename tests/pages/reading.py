"""What a page that runs without a browser has drawn."""

from __future__ import annotations

import base64
import json
import struct
from typing import Any

from streamlit.testing.v1 import AppTest

from ui.serving import sent_once


def drawn(app: AppTest) -> list[tuple[dict[str, Any], bytes]]:
    """The header of each browser picture, with what is chosen in it, and its numbers; in order."""
    found = []
    for element in app.get("bidi_component"):
        sent = json.loads(element.proto.json or element.proto.mixed.json or "{}")
        if "numbers" not in sent:  # what listens to keys and buttons draws nothing
            continue
        header, payload = unpacked(sent)
        found.append((header, payload))
    return found


def unpacked(sent: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """Header and numbers of what a picture was sent."""
    name = sent["numbers"]
    data = sent_once._stored[name.rpartition("/")[2]] if name else base64.b64decode(sent["bytes"])
    (size,) = struct.unpack_from("<I", data)
    header = json.loads(data[4 : 4 + size])
    more = {"opens": sent["opens"], "events": sent["events"]}
    return header | more | ({"state": sent["state"]} if sent["state"] else {}), data[4 + size :]
