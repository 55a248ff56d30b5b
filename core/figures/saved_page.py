"""Pictures and text as one HTML file that opens offline, with everything that the pictures can do.

The JavaScript of each kind of picture is included once; Plotly, 1.9 MB when packed, only if a picture
is three-dimensional. Nothing is fetched.
"""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

from .. import localization
from ..localization import browser
from .picture import Picture, drawing


@dataclass(frozen=True, eq=False)
class Series:
    """Pictures side by side that sliders replace with others of the same kinds.

    Attributes:
        sliders: the name of each slider and the names of its steps.
        chosen: the initial step of each slider.
        sets: the pictures for every choice, with the last slider's steps varying fastest; all sets have
            the same size.
    """

    sliders: tuple[tuple[str, tuple[str, ...]], ...]
    chosen: tuple[int, ...]
    sets: tuple[tuple[Picture, ...], ...]

    @property
    def first(self) -> int:
        """The index of the first set to show."""
        at = 0
        for step, (_, steps) in zip(self.chosen, self.sliders, strict=True):
            at = at * len(steps) + step
        return at


@dataclass(frozen=True, eq=False)
class Part:
    """A section of the page: a title, text, and pictures below, side by side.

    Attributes:
        title: plain text; "" for none.
        words: HTML, already safe.
        shown: the pictures.
        captions: HTML, one for each of `shown`, or none.
    """

    title: str
    words: str = ""
    shown: tuple[Picture | Series, ...] = ()
    captions: tuple[str, ...] = ()


def saved_page(
    title: str, parts: Sequence[Part], *, foot: str = "", modules: Sequence[str] = ()
) -> str:
    """The whole file.

    Args:
        title: plain text.
        parts: the sections from top to bottom.
        foot: HTML, already safe.
        modules: further kinds of pictures, which a script of the page draws later.
    """
    seen: set[str] = set()
    body = _words() + "\n".join(_part(part, seen) for part in parts)
    body += "".join(f"\n<script>{drawing(one)}</script>" for one in modules if one not in seen)
    look, script = (_file(f"saved_page.{kind}") for kind in ("css", "js"))
    return (
        f'<!DOCTYPE html>\n<html lang="{localization.current()}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{html.escape(title)}</title>\n<style>\n{look}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{html.escape(title)}</h1>\n{body}\n<footer>{foot}</footer>\n</main>\n"
        f"<script>\n{script}</script>\n</body>\n</html>\n"
    )


def _words() -> str:
    """The catalogue of the page's language, before anything is drawn."""
    if localization.current() == localization.ENGLISH:
        return ""
    content = browser.content(localization.current()).decode().replace("<", "\\u003c")
    return f"<script>globalThis.polyseeLanguage = {content};</script>\n"


def _part(part: Part, seen: set[str]) -> str:
    title = f"<h2>{html.escape(part.title)}</h2>\n" if part.title else ""
    captions = part.captions or ("",) * len(part.shown)
    drawn = "".join(
        f"<figure>{_drawn(thing, seen)}<figcaption>{caption}</figcaption></figure>\n"
        for thing, caption in zip(part.shown, captions, strict=True)
    )
    return f'<section>\n{title}{part.words}\n<div class="row">\n{drawn}</div>\n</section>'


def _drawn(thing: Picture | Series, seen: set[str]) -> str:
    if isinstance(thing, Picture):
        return _picture(thing, seen)
    return _series(thing, seen)


def _picture(picture: Picture, seen: set[str]) -> str:
    first = picture.module not in seen
    seen.add(picture.module)
    return picture.to_html(with_code=first)


def _series(series: Series, seen: set[str]) -> str:
    sliders = "".join(
        f'<label>{html.escape(name)} <input type="range" min="0" max="{len(steps) - 1}" '
        f'value="{at}" data-steps="{html.escape(json.dumps(steps))}"> '
        f"<output>{html.escape(steps[at])}</output></label>"
        for (name, steps), at in zip(series.sliders, series.chosen, strict=True)
    )
    shown = "".join(f"<div>{_picture(one, seen)}</div>" for one in series.sets[series.first])
    # The first set is already in the page; it is null here.
    packed = json.dumps(
        [
            [None if at == series.first else base64.b64encode(one.to_bytes()).decode() for one in some]
            for at, some in enumerate(series.sets)
        ]
    )
    return (
        f'<div class="series"><div class="sliders">{sliders}</div><div class="row">{shown}</div>'
        f'<script type="application/json">{packed}</script></div>'
    )


def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text("utf-8")
