"""A number as somebody types it: .5, 0,5, 50 %, −2, 34,560."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

# "whole": a count. "share": from 0 to 1 (or from −1), for which a percentage may stand.
Kind: TypeAlias = Literal["number", "whole", "share"]
MOST_TYPED = 24  # characters
# A sign; groups of three digits, or digits, a point or a comma, and digits; a per cent sign.
_TYPED = re.compile(
    r"([+−–-]?) ?([1-9][0-9]{0,2}(?:[, ][0-9]{3}){1,3}|[0-9]{0,12})(?:[.,]([0-9]{0,12}))? ?(%?)"
)


def number(typed: str, kind: Kind = "number") -> float | None:
    """The number that was typed; None if it is none of this kind.

    The comma of 0,5 is a decimal one. Three digits behind it are thousands where no 0 stands first, as
    on every page: 34,560. `core/figures/web/src/derive/typed.js` reads all of it alike.

    Args:
        typed: the text.
        kind: what is wanted.
    """
    found = _TYPED.fullmatch(" ".join(typed.split())) if len(typed) <= MOST_TYPED else None
    if found is None or not any(found.group(2, 3)):
        return None
    sign, whole, decimals, percent = found.groups()
    digits = whole.replace(",", "").replace(" ", "") or "0"
    value = float(f"{digits}.{decimals or 0}") / (100 if percent else 1)
    fits = {"number": not percent, "whole": not percent and value.is_integer(), "share": value <= 1}
    return (-value if sign in ("−", "–", "-") and value else value) if fits[kind] else None
