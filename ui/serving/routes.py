"""The routes of a request: its path below the app's base path, and a name for logs.

A path may contain what a visitor typed, a name never does.
"""

from __future__ import annotations

import streamlit as st
from starlette.types import Scope

from ui import navigation
from ui.navigation import HOME

# The addresses of all pages but the home page, whose address is empty.
PAGES = tuple(page.path for page in navigation.pages().values() if page.path)
_KNOWN = {
    "/": HOME,
    f"/{HOME}": HOME,
    **{f"/{page}": page for page in PAGES},
    "/ready": "ready",
    "/metrics": "metrics",
    "/_stcore/stream": "stream",
}
_BENEATH = {
    "/static/": "static",
    "/media/": "media",
    "/numbers/": "numbers",
    "/files/": "files",
    "/words/": "words",
    "/class/": "class",
    "/paper/": "paper",
    "/corpora/": "corpora",
    "/pictures/": "component",
    "/device/": "device",
    "/component/": "component",
    "/scripts/": "component",
    "/_stcore/upload_file/": "upload",
    "/_stcore/bidi-components/": "component",
}

_PROBES = ("/_stcore/health", "/_stcore/host-config")


def root() -> str:
    """The base path of all addresses of the app (`server.baseUrlPath`), usually ""."""
    path = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}" if path else ""


def path_of(scope: Scope) -> str:
    """The path of a request as it is without a base path, or a mount: what all rules are about.

    A path outside the base path stays as it is; of our addresses, only /ready and /metrics are there.
    """
    path = str(scope["path"])
    for prefix in (str(scope.get("root_path", "")).rstrip("/"), root()):
        if prefix and (path == prefix or path.startswith(f"{prefix}/")):
            path = path[len(prefix) :] or "/"
    return path


def route(path: str) -> str:
    """The name of the route of a path (see `path_of`); "other" if it is none of ours."""
    if path.endswith(_PROBES):  # a browser on /heads also probes below that address, and gets a 404
        return "probe"
    known = _KNOWN.get(path.rstrip("/") or "/")
    return known or next((name for at, name in _BENEATH.items() if path.startswith(at)), "other")


def is_page(name: str) -> bool:
    """Whether a person sees this route: one of the app's pages."""
    return name == HOME or name in PAGES


def page_at(path: str) -> str:
    """The path of a page, as it may be logged; "" if there is none. Another may hold what was typed."""
    return path if is_page(route(path)) else ""
