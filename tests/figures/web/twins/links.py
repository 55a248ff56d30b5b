"""Cases of links: how a page's choices are read and written."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from core.figures.attention import layer_state
from core.measures.attention.blocks import as_block
from pages.heads.state import HeadsState
from tests.figures.web.twins.common import (
    SENTENCES,
    TEXTS,
    Case,
    Table,
)
from tests.figures.web.twins.traces import traced
from tools import links
from ui import compressed_state, formats, permalink
from ui.state.layer import URLS

SEARCHES = (
    "",
    "?v=1",
    "?x",
    "?z=",
    "?z=nonsense&v=2",
    "?v=2&o=0&w=bank",
    "?o=3&o=2",
    "?v=2&fa=2&d=x",
    "?v=1&w=bank",
    "?v=1&y=up&ge=7&a=x",
    *(f"?v=2&q={one}" for one in ("%2B3", "+3", "٣", "1_0", "0", "1e1", "", "0x1", "0" * 20 + "1")),
    *(f"?v=2&th={one}" for one in ("0x1", ".5", "1.", "1e-3", "1_0e-2", "inf", "nan", "-0")),
    *(f"?v=2&l={one}" for one in ("007", "mean", "-1", "999", "1000", "٣")),
    *(f"?v=2&m={one}" for one in ("%20", "%E2%80%8B", "a%20%20b", "%0A")),
    "?v=2&o=%D9%A3&sd=034.-5&ge=0.350&on=1..2&lesson=one-vector.02",
    "?v=2&on=mean.3&mk=1.&lesson=constructor.1&sd=1.2.3",
    f"?v=2&z={compressed_state.pack({'w': 'bank', 'o': '2', 'v': '1'})}&o=3",
    f"?v=2&z={compressed_state.pack({'w': 'bank'})}AAAA",
    f"?v=2&z={compressed_state.pack({'w': 'bank'})}%3D",
    f"?v=2&z={compressed_state.pack({'a': 'x' * 1_000_001})}",
)
_NOISE = "".join("abcdefghijklmnopqrstuvwxyz012345"[zlib.crc32(b"%d" % i) % 32] for i in range(9000))


def of_links() -> Table:
    described = {
        json.dumps(f["format"]): f["format"] for page in links.fields()["pages"].values() for f in page
    }
    parsers = {
        json.dumps(formats.described(f.parse)): f.parse
        for page in links.PAGES.values()
        for f in page.link()
    }
    odd = (
        *TEXTS,
        "1",
        "2.3",
        "34.-20",
        "-5.9",
        "one-vector.3",
        "one-vector.3.second",
        "one-vector.0",
        "0.35",
        "0.1000000000000000055",
        "1e-30",
        "5e-324",
        "0",
        "999",
        "1000",
        "1e999",
        "0" * 20,
        "9" * 15,
        "10.0",
    )
    read: list[Case] = []
    canonical: list[Case] = []
    wrote: list[Case] = []
    small = ("1", "2.3", "mean.3", "none", "", "0x1", "constructor", "0.35", "1e-30", "-5.9")
    for name, format_ in described.items():
        if name == '{"kind": "text"}':
            continue
        values = [_parsed(parsers[name], one) for one in odd]
        again = [None if value is None else formats.writer(parsers[name])(value[0]) for value in values]
        canonical.append(([format_, [*odd]], again))
        if format_["kind"] not in ("place", "either", "words"):
            parsed = [(one, _parsed(parsers[name], one)) for one in small]
            read += [([format_, one], None if value is None else value[0]) for one, value in parsed]
            write = formats.writer(parsers[name])
            wrote += [
                ([format_, value[0]], write(value[0])) for _, value in parsed if value is not None
            ]
    heads, start = links.PAGES["heads"], layer_state.start({}, 12, (9, 9))
    states = [
        dict(zip(("r", "on", "h", "q", "k", "pin", "th", "ta", "s", "vw", "so"), values, strict=True))
        for values in (
            ("head", "1.9", "3", "10", "2", "query", "0.3", "0.2", "1", "scores", "size"),
            *([one] * 11 for one in odd),
        )
    ]
    told = [
        layer_state.start(each, 12, (9, 9))
        for each in (
            {},
            {"level": "head", "head": 4, "on": [1, 2], "query": 3},
            {"on": [], "special": False, "pin": "key", "key": 0},
            {"on": [-1], "head": -1, "threshold": 1e-5, "alone": 0.25, "special": True},
        )
    ]
    overviews = [
        dict(zip(("x", "y", "f", "us", "ge", "s"), values, strict=True))
        for values in (
            ("4", "from", "previous", "1", "0.35", "0"),
            *([one] * 6 for one in odd),
        )
    ]
    queries: tuple[dict[str, str], ...] = (
        {"a": "bank", "lo": "a~b*c(d)!'", "w": "é 🎣"},
        {"a": "\u2028 +&=%"},
        {},
    )
    address = [
        ("?v=2&w=bank", {"a": "x y~*"}),
        ("", {"a": "é"}),
        ("?z=AA", {"a": "b"}),
        ("?v=2&a=b", {"a": "b"}),
        ("?a=1", {"a": "z" * 7000}),
    ]
    pages = links.PAGES
    chosen: tuple[dict[str, str], ...] = (
        {},
        {"a": "On the bank, at 5 % + 1"},
        {"t": "~*", "l": "3", "on": "none"},
        {"w": "x" * 150, "d": "2", "a": "é"},
        {"a": "é " * 900, "w": "b"},
        {"a": _NOISE, "w": "b"},
    )
    return {
        "links/formats.js": {"canonical": canonical, "parse": read, "write": wrote},
        "links/query.js": {
            "asQuery": [([list(map(list, one.items()))], urlencode(one)) for one in queries]
        },
        "device/link.js": {
            "linked": [([search, changed], _linked(search, changed)) for search, changed in address]
        },
        "static/link.js": {
            "read": [
                ([page, search], _changed(page, _read(page, search)))
                for page in pages
                for search in SEARCHES
            ],
            "write": [([page, one], _written(page, one)) for page in pages for one in chosen],
        },
        "static/layerlink.js": {
            "layerChosen": [([one], _layer_chosen(one)) for one in states],
            "layerFields": [([one, start], _layer_fields(one, start)) for one in told],
            "overviewChosen": [([one], _overview_chosen(one)) for one in overviews],
            "overviewFields": _overview_fields(heads),
        },
    }


def _parsed(parse: Callable[[str], Any], one: str) -> tuple[Any] | None:
    """The value of a text in a link; None if it has none."""
    try:
        return (parse(one),)
    except (ValueError, KeyError):
        return None


def _values(page: str, url: Mapping[str, str]) -> dict[str, Any]:
    return {one.key: permalink._read(one, url) for one in links.PAGES[page].link()}


def _texts(page: str, values: Mapping[str, Any]) -> dict[str, str]:
    fields = links.PAGES[page].link()
    return {f.url: "" if values[f.key] is None else f.write(values[f.key]) for f in fields}


def _read(page: str, search: str) -> dict[str, str]:
    return _texts(
        page, _values(page, permalink._whole(dict(parse_qsl(search[1:], keep_blank_values=True))))
    )


def _changed(page: str, values: Mapping[str, str]) -> dict[str, str]:
    """What of a page is not as it opens."""
    start = _full(page, {})
    return {url: value for url, value in values.items() if value != start[url]}


def _full(page: str, changed: Mapping[str, str]) -> dict[str, str]:
    start = {one["url"]: one["start"] for one in links.fields()["pages"][page]}
    return start | {url: value for url, value in changed.items() if url in start}


def _written(page: str, changed: Mapping[str, str]) -> dict[str, Any]:
    fields = links.PAGES[page].link()
    values = {f.key: f.parse(changed[f.url]) if f.url in changed else f.default for f in fields}
    query, fits = permalink._address(permalink._query(fields, values))
    if permalink.PACKED in query:  # deflated by another library
        return {"packed": _changed(page, changed), "fits": fits}
    return {"query": urlencode(query), "fits": fits}


def _linked(search: str, changed: Mapping[str, str]) -> str | None:
    """The link of a page with other texts, which the server would write in this way."""
    old = dict(parse_qsl(search[1:], keep_blank_values=True))
    if permalink.PACKED in old:
        return None
    new = urlencode({**old, **permalink.VERSION, **changed})
    return None if len(new) > permalink.MOST or new == urlencode(old) else f"?{new}"


def _layer_chosen(state: Mapping[str, str]) -> dict[str, Any]:
    values = _values("heads", state)
    return {what: value for what in URLS if (value := values[f"heads {what}"]) is not None}


def _layer_fields(told: Mapping[str, Any], start: Mapping[str, Any]) -> dict[str, str]:
    from ui.state import layer

    fields = layer.fields("heads")
    return {
        fields[what].url: fields[what].write(value) for what, value in layer.chosen(told, start).items()
    }


def _overview_chosen(state: Mapping[str, str]) -> dict[str, Any]:
    values = _values("heads", state)
    choices = HeadsState().choices(0, lambda field: values[field.key])
    return {**choices.maps, "special": choices.special()}


def _overview_fields(heads: Any) -> list[Case]:
    told = {
        "token": 3,
        "direction": "to",
        "pattern": 1,
        "typical": True,
        "threshold": 0.35,
        "special": True,
    }
    none = {
        "token": None,
        "direction": "from",
        "pattern": None,
        "typical": False,
        "threshold": 0,
        "special": None,
    }
    changes: list[dict[str, Any]] = [
        told,
        none,
        {**told, "direction": "from"},
        {**told, "special": False, "threshold": 1e-5},
    ]
    befores: tuple[dict[str, str], ...] = (
        {},
        {"x": "4", "y": "to", "k": "4", "q": "4"},
        {"x": "4", "y": "from", "q": "4", "s": "1"},
    )
    return [
        ([change, _full("heads", before)], _taken(heads, change, before))
        for change in changes
        for before in befores
    ]


def _taken(heads: Any, change: Mapping[str, Any], before: Mapping[str, str]) -> dict[str, str]:
    """The link of the page after the picture of all heads has told a state."""
    import streamlit as st

    fields = heads.link()
    for field in fields:
        st.session_state[field.key] = (
            field.parse(before[field.url]) if field.url in before else field.default
        )
    block = as_block(traced(SENTENCES[0]))
    heads().take_in_overview(change, block, block)
    return _texts("heads", {field.key: field.get() for field in fields})
