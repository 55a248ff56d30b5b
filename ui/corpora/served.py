"""The similarities of all lines with a chosen line, for a browser that sorts by them: 4 bytes a line.

The address names everything: corpus, its version, word, layer, and the line. Any process of the server
can answer, and a browser keeps the answer. Nothing of a visitor is in it.
"""

from __future__ import annotations

from typing import get_args
from urllib.parse import urlencode

import numpy as np
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from core.corpus.querying.picking import Way
from core.errors import PolyseeError
from ui.corpora import lines, offered
from ui.corpora.lines import WordQuery
from ui.corpora.selection import EVERY, MOST_CONDITIONS, Selection
from ui.serving.routes import root

_PATH = "/corpora/similar"
_served = False


def address(query: WordQuery) -> str | None:
    """The address for one word, after which the number of a line stands; None without our server."""
    if not _served:
        return None
    own = query.selection
    asked = {
        "c": query.corpus,
        "v": query.version,
        "w": query.word,
        "l": query.layer + 1,
        **(
            {}
            if own == EVERY
            else {
                "o": [column for column, _ in own.conditions],
                "f": [value for _, value in own.conditions],
                "p": own.way,
                "n": own.size,
            }
        ),
        "to": "",
    }
    return f"{root()}{_PATH}?{urlencode(asked, doseq=True)}"


def routes() -> list[Route]:
    """The route that answers at these addresses."""
    global _served
    _served = True
    return [Route(f"{root()}{_PATH}", _answer)]


async def _answer(request: Request) -> Response:
    asked = request.query_params
    line = asked.get("to", "")
    if not (line.isascii() and line.isdecimal() and len(line) < 8):
        return _sentence("There is no such line.", 404)
    try:
        values = await run_in_threadpool(
            _values,
            asked.get("c", ""),
            asked.get("v", ""),
            asked.get("w", ""),
            asked.get("l", ""),
            _selection(asked),
            int(line),
        )
    except PolyseeError as error:
        return _sentence(str(error), 404)
    if values is None:
        return _sentence("The corpus has changed. Reload the page.", 404)
    kept = {"Cache-Control": "private, max-age=31536000, immutable", "Content-Encoding": "identity"}
    return Response(values, headers=kept, media_type="application/octet-stream")


def _selection(asked: QueryParams) -> Selection:
    """What an address says of the selection; whatever it may say, it is one."""
    way, size = asked.get("p", ""), asked.get("n", "")
    small = size.isascii() and size.isdecimal() and len(size) < 8
    return Selection(
        tuple(zip(asked.getlist("o"), asked.getlist("f"), strict=False))[:MOST_CONDITIONS],
        way if way in get_args(Way) else EVERY.way,  # type: ignore[arg-type]
        int(size) if small else EVERY.size,
    )


def _values(
    corpus: str, version: str, word: str, layer: str, selection: Selection, line: int
) -> bytes | None:
    every = offered.every()
    if corpus not in every or not (layer.isascii() and layer.isdecimal() and len(layer) < 4):
        return None
    found = lines.get(every[corpus], word, layer, selection)
    if found.query.version != version or line >= len(found.lines):
        return None
    return np.ascontiguousarray(found.similarities(line), "<f4").tobytes()


def _sentence(words: str, status: int) -> Response:
    return PlainTextResponse(f"{words}\n", status, {"Cache-Control": "no-store"})
