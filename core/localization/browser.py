"""The catalogue of a language for a browser: what our JavaScript says, and how it writes numbers.

A picture's code is English, as Python's is: `m("After layer {depth}")`, and `sentence(name)` for the
table that both share. Where the screen has another language, the page brings this catalogue, before
anything is drawn; `core/figures/web/src/runtime/language.js` reads it. A saved page has it inside.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from babel.messages.pofile import read_po

from .catalogues import ENGLISH, FOLDER, catalogue, current
from .messages import NARROW, decimal_symbol

# Where the messages of JavaScript stand, as a catalogue names its places.
SOURCES = (
    "core/figures/web/src/",
    "core/sentences/table.json",
    "core/own_text/texts/",
    # Names that `tools.constants` hands to it.
    "core/figures/scales.py",
    "core/figures/steps.py",
    "core/figures/style.py",
    "core/figures/trajectories/paths.py",
    "core/measures/attention/visible_keys.py",
    "core/records/trace.py",
)
# What a server's pages never say: the folder of `make static` has its own catalogues.
STATIC = ("core/figures/web/src/static/", "core/figures/web/src/embed/")
# The form of each count up to this one; above, rules of plurals depend on the last two digits alone.
_COUNTS = 200


def of(*sources: str) -> dict[str, Any]:
    """English to a translation, for what stands in these scripts, in the language of the context.

    For a small component, which thus needs no catalogue; {} for English. Like `content`, otherwise.

    Args:
        sources: their paths from the root, or how these begin.
    """
    return _messages(current(), sources)


@cache
def _messages(code: str, sources: tuple[str, ...], without: tuple[str, ...] = ()) -> dict[str, Any]:
    if code == ENGLISH:
        return {}
    with (FOLDER / f"{code}.po").open("rb") as file:
        entries = read_po(file, locale=code)
    messages: dict[str, Any] = {}
    for one in entries:
        places = [place for place, _ in one.locations if not place.startswith(without)]
        if one.id and any(place.startswith(sources) for place in places):
            english = one.id[0] if isinstance(one.id, list | tuple) else one.id
            messages[english] = one.string
    return messages


@cache
def content(code: str, *, static: bool = False) -> bytes:
    """The catalogue as JSON, in UTF-8; `null` for English, which needs none.

    Its fields: `language`, a code; `decimal` and `group`, the signs in numbers; `forms`, for each count
    from 0 to 199, the index of its form; `messages`, English to a translation, or to its forms.

    Args:
        code: of the language.
        static: with what only the folder of `make static` says.

    Raises:
        ValueError: there is no such language.
    """
    if code == ENGLISH:
        return b"null"
    catalogue(code)  # checks that there is one
    rule = catalogue(code).plural
    made = {
        "language": code,
        "decimal": decimal_symbol(code),
        "group": NARROW,
        "forms": "".join(str(int(rule(count))) for count in range(_COUNTS)),
        "messages": _messages(code, SOURCES, () if static else STATIC),
    }
    return json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode()
