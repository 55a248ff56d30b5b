"""A page with the language model inside, as one HTML file that computes from a disk.

A browser puts the same file together in the app (`core/figures/web/src/saved/file.js`), where the
server sends only the page and the model; it takes the names, sizes and policy from here
(`tools.constants`). Its own script, `speaking.js`, reads what lies inside.
"""

from __future__ import annotations

import base64
import gzip
import json
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..errors import NotSupported
from .built import LANGUAGE_MANIFEST, LICENCE, RUNTIME, SCRIPTS_AT, Built, find, why_not

SCRIPT = "speaking.js"  # what runs in the page
PREFIX = "polysee-inside-"
_HEAD, _END = '<meta charset="utf-8">', "</body>"
PIECE = 4_194_300  # bytes of one element, a multiple of three: what is unpacked keeps a page waiting
BLOCKS = ".gguf"  # weights as blocks of 4 bits, which compression would hardly shrink
POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval' blob:; "
    "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; connect-src blob:; "
    "base-uri 'none'; form-action 'none'"
)


def speaking() -> Built:
    """What is built, with the language model.

    Raises:
        NotSupported: nothing was built, or the model's package is not installed.
    """
    built = find()
    if built is None:
        raise NotSupported(why_not())
    if built.language is None:
        raise NotSupported("SmolLM2 cannot be saved into a page here: its package is not installed.")
    return built


def licence(built: Built) -> str:
    """Whose work the language model is, what was changed in it, and the text of its licence."""
    return built.files[LICENCE].read_text("utf-8")


def size(built: Built) -> int:
    """The bytes of a page with the model inside, without the page's own: exact to one in a hundred."""
    assert built.language is not None
    weights: int = built.language["files"][built.language["weights"]]["bytes"]
    runtime = built.files[RUNTIME[2]].stat().st_size // 3  # with gzip
    return (weights + runtime) * 4 // 3


def with_model(page: str, choices: Mapping[str, str], built: Built) -> Iterator[str]:
    """The parts of the file, in order.

    Args:
        page: the page as `core.figures.saved_page` makes it. What was typed stands in it as text, so
            that each `<script>` in it is one of ours.
        choices: what was chosen, by the keys of a link to Next word.
        built: see `speaking`.

    Raises:
        ValueError: that is no saved page.
    """
    start, end = page.find(_HEAD) + len(_HEAD), page.rfind(_END)
    if start < len(_HEAD) or end < start or built.language is None:
        raise ValueError("This is no saved page, or there is no model to put into it.")
    nonce = secrets.token_hex(16)
    policy = POLICY.format(nonce=nonce)
    yield f'{page[:start]}\n<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield page[start:end].replace("<script>", f'<script nonce="{nonce}">')
    yield _data("manifest", built.files[LANGUAGE_MANIFEST].read_text("utf-8"))
    yield _data("query", json.dumps(dict(choices)))
    for name in dict.fromkeys((*built.language["stored"], *RUNTIME[:2])):
        yield from _stored(name, built.files[name])
    code = (SCRIPTS_AT / SCRIPT).read_text("utf-8").replace("</script", "<\\/script")
    yield f'<script type="module" nonce="{nonce}">\n{code}</script>\n{page[end:]}'


def _stored(name: str, file: Path) -> Iterator[str]:
    """The elements that hold a file, with gzip unless it is packed already."""
    data = file.read_bytes()
    if not name.endswith(BLOCKS):
        data = gzip.compress(data, 6, mtime=0)
    for number, at in enumerate(range(0, len(data), PIECE)):
        piece = base64.b64encode(data[at : at + PIECE]).decode("ascii")
        where = f'class="{PREFIX}file" data-name="{name}" data-piece="{number}"'
        yield f'<script type="text/plain" {where}>{piece}</script>\n'


def _data(name: str, text: str) -> str:
    """Text in an element that nothing ends before its end."""
    escaped = text.replace("<", "\\u003c")
    return f'<script type="application/json" id="{PREFIX}{name}">{escaped}</script>\n'
