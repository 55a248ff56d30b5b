"""A picture for the browser to draw: a header and numbers, nothing else."""

from __future__ import annotations

import base64
import html
import json
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from .web.bundle import code, library, packed

# Runs in a saved page or notebook: draws every picture of this kind that is not yet drawn. A choice in
# a picture becomes an event of the page.
_DRAW = """(() => {
"use strict";
const all = (globalThis.polysee ??= {});
%(define)sfor (const host of document.querySelectorAll('[data-polysee="%(module)s"]')) {
if (host.polysee || !all.%(module)s) continue;
host.replaceChildren();
const bytes = Uint8Array.from(atob(host.dataset.bytes), (sign) => sign.charCodeAt(0));
host.polysee = all.%(module)s(host, bytes, (name, detail) =>
host.dispatchEvent(new CustomEvent(`polysee:${name}`, { detail, bubbles: true })));
host.style.minHeight = "";
}
})();"""


# Parts of a header that are sent beside the numbers: the choices, and the height on the page. A page
# reserves that height before the numbers arrive, so that nothing below jumps; larger type needs more.
# The numbers, and thus their address, are the same for all.
_BESIDE = ("state", "autoplay", "height")
_OBJECTS = 10  # memory of a header, as objects and packed, per byte of its JSON
Chosen = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Numbers:
    """A picture without its state and height, as `Picture.to_bytes` packs it.

    Attributes:
        head: the bytes before the payload.
        payload: the picture's own payload, not a copy.
    """

    head: bytes
    payload: bytes

    def __len__(self) -> int:
        return len(self.head) + len(self.payload)

    @property
    def content(self) -> bytes:
        """The head and the payload together."""
        return self.head + self.payload

    @cached_property
    def name(self) -> str:
        """The address of this content, the same in every process."""
        digest = sha256(self.head)
        digest.update(self.payload)
        return digest.hexdigest()


@dataclass(frozen=True, eq=False)
class _Fixed:
    """The part that pictures with different states and heights share; packed once, on first use.

    Attributes:
        header: all other parts of their headers.
        payload: their payload.
    """

    header: Mapping[str, Any]
    payload: bytes

    @cached_property
    def numbers(self) -> Numbers:
        return Numbers(_head(self.header), self.payload)


def _as_it_is(_: Mapping[str, Any], chosen: Chosen) -> Chosen:
    return chosen


@dataclass(frozen=True, eq=False)
class Picture:
    """A header and numbers, for one of our JavaScript modules to draw.

    Attributes:
        module: the name of the module in `core/figures/web`.
        header: labels, scale and texts, as plain JSON values. Its `state` holds the initial choices,
            and `autoplay` says whether an animation starts when the picture is first drawn.
        payload: the numbers, little-endian float32 or uint8, as the header's "dtype" says.
        complete: from the header and the wanted choices, perhaps from a link, computes the whole state
            without invalid choices.
    """

    module: str
    header: Mapping[str, Any]
    payload: bytes
    complete: Callable[[Mapping[str, Any], Chosen], Chosen] = _as_it_is
    _fixed: _Fixed = field(init=False, repr=False)

    def __post_init__(self) -> None:
        header = _frozen(self.header)
        object.__setattr__(self, "header", header)
        fixed = {name: part for name, part in header.items() if name not in _BESIDE}
        object.__setattr__(self, "_fixed", _Fixed(fixed, self.payload))

    def __reduce__(self) -> tuple[Any, ...]:
        return Picture, (self.module, json.loads(_json(self.header)), self.payload, self.complete)

    def choosing(self, chosen: Chosen, *, autoplay: bool | None = None) -> Picture:
        """The picture with other choices; its numbers are not copied.

        Args:
            chosen: the choices, in the format of `state`; missing or invalid ones take their defaults.
            autoplay: whether an animation starts when it is first drawn; None for no change.
        """
        more = {"state": self.complete(self.header, chosen)}
        return self._with(more if autoplay is None else {**more, "autoplay": autoplay})

    def _with(self, changed: Mapping[str, Any]) -> Picture:
        """The picture with other parts of the header; the rest is frozen and not checked again."""
        picture = object.__new__(Picture)
        header = MappingProxyType({**self.header, **_frozen(changed)})
        for name, value in {**vars(self), "header": header}.items():
            object.__setattr__(picture, name, value)
        return picture

    @property
    def height(self) -> int:
        """The height on the screen in pixels, known before anything is drawn."""
        return int(self.header["height"])

    def scaled(self, factor: float) -> Picture:
        """The picture with its height multiplied, for a page with larger type."""
        return self._with({"height": round(self.height * factor)})

    @property
    def sentence(self) -> str:
        """The picture in one sentence, for those who do not see it."""
        return str(self.header["sentence"])

    @property
    def state(self) -> Mapping[str, Any]:
        """The initial choices; empty if nothing can be chosen."""
        return self.header.get("state") or {}

    def numbers(self) -> Numbers:
        """The picture without state and height; equal for all choices, and packed once."""
        return self._fixed.numbers

    @property
    def nbytes(self) -> int:
        """The approximate memory that it takes, in bytes."""
        return _OBJECTS * len(self.numbers().head) + len(self.payload)

    def to_bytes(self, *, events: Sequence[str] = ()) -> bytes:
        """The whole picture: the header's length (u32, little-endian), the header as JSON, the payload.

        Args:
            events: the actions of a visitor that the picture reports, such as "cell".
        """
        return _head({**self.header, "events": events} if events else self.header) + self.payload

    def to_html(
        self, *, with_code: bool = True, with_library: bool | None = None, events: Sequence[str] = ()
    ) -> str:
        """An HTML fragment that draws the picture anywhere, offline.

        If scripts do not run, it shows the sentence instead. Everything that a person typed is inside
        the bytes, as base64, or escaped.

        Args:
            with_code: whether to include the module's JavaScript, which one picture of each kind on a
                page must do.
            with_library: whether to include the library that it needs, if any (1.9 MB); None for the
                same as `with_code`.
            events: see `to_bytes`; each becomes a bubbling event `polysee:<name>` of the page.
        """
        sent = base64.b64encode(self.to_bytes(events=events)).decode()
        script = drawing(self.module, with_code=with_code)
        name = library(self.module)
        brought = ""
        if name is not None and (with_code if with_library is None else with_library):
            brought = f'<script type="text/plain" id="polysee-{name}">{packed(name)}</script>\n'
        return brought + (
            f'<div data-polysee="{self.module}" style="min-height:{self.height}px" '
            f'data-bytes="{sent}"><p>{html.escape(self.sentence)}</p></div>\n<script>{script}</script>\n'
        )

    def _repr_html_(self) -> str:
        return self.to_html()


def drawing(module: str, *, with_code: bool = True) -> str:
    """The script that draws all pictures of one kind that a page has so far.

    Args:
        module: the kind.
        with_code: whether to include the module's JavaScript, which stays for later pictures.
    """
    define = f"all.{module} = (() => {{\n{code(module)}return render;\n}})();\n" if with_code else ""
    return _DRAW % {"module": module, "define": define}


def _head(header: Mapping[str, Any]) -> bytes:
    text = _json(header)
    return struct.pack("<I", len(text)) + text


def _json(header: Mapping[str, Any]) -> bytes:
    """JSON in pure ASCII, so that a lone surrogate from a broken text does no harm."""
    return json.dumps(header, default=dict, allow_nan=False, separators=(",", ":")).encode("ascii")


_PLAIN = frozenset({str, int, float, bool, type(None), MappingProxyType})


def _frozen(value: Any) -> Any:
    if type(value) in _PLAIN:  # nearly all values: a check for `Mapping` takes ten times as long
        return value
    if isinstance(value, Mapping):
        return MappingProxyType({str(key): _frozen(item) for key, item in value.items()})
    if isinstance(value, list | tuple):
        return tuple(_frozen(item) for item in value)
    return value
