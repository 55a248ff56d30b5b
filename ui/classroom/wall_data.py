"""What the wall's script is given: by the page of the teacher, and by the wall's own window."""

from __future__ import annotations

from core.localization import _, current, decimal
from ui.classroom import qr
from ui.state import LANGUAGE


def of(name: str, path: str, origin: str, key: str = "") -> dict[str, object]:
    """The numbers and words of `wall.js`.

    Args:
        name: of the room.
        path: of the room's page.
        origin: that phones can reach; "" if there is none, and then there is no code.
        key: of its tally; "" for the wall's own window, which has it from the teacher's link.
    """
    address = f"{origin}{path}" if origin else ""
    drawn = qr.code(address) if address else None
    return {
        "name": name,
        "address": address,
        "join": path,
        "size": drawn.size if drawn else 0,
        "path": drawn.path if drawn else "",
        "tally": f"{path}/tally?{LANGUAGE.url}={current()}",
        # Behind “#”, a key is neither sent nor logged.
        "wall": f"{path}/wall#{key}" if key else "",
        "key": key,
        "words": _words(own=not key),
    }


def _words(*, own: bool) -> dict[str, str]:
    """What the wall's script says, in its own window or on the page; "{…}" is filled in there."""
    closed = _("This room is closed, and what was answered is gone.")
    if not own:
        closed = _(
            "This room is closed, and what was answered is gone. Close it here, and open another."
        )
    return {
        "room": _("Room"),
        "code": _("QR code of {address}"),
        "here": _("On this computer, join at"),
        "wall": _("Open the wall in another window"),
        "one": _("1 answer"),
        "many": _("{count} answers"),
        "oneRight": _("1 answer, right"),
        "oneWrong": _("1 answer, not right"),
        "right": _("{count} answers, {right} of them right"),
        "oneReason": _("{told} · 1 reason"),
        "reasons": _("{told} · {count} reasons"),
        "both": _("class {times} ({own}), model {share}"),
        "own": _("class"),
        "model": _("model"),
        "twice": _("before {before}, now {times}"),
        "before": _("before the lesson"),
        "now": _("now"),
        "between": _("The phones wait for the next question."),
        "closed": closed,
        "offline": _("No connection to the server. This page keeps trying."),
        "point": decimal("."),
    }
