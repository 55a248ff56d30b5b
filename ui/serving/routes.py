"""The name of a route, for logs: a path may contain what a visitor typed, a name never does."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

HOME = "compare"
_SPEC = find_spec("pages")
assert _SPEC is not None
assert _SPEC.submodule_search_locations is not None
_FILES = Path(_SPEC.submodule_search_locations[0]).glob("*/page.py")
# The addresses of all pages except the home page, whose address is empty: step_by_step/ is at
# /step-by-step.
PAGES = tuple(sorted({file.parent.name.replace("_", "-") for file in _FILES} - {HOME}))
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
    "/class/": "class",
    "/paper/": "paper",
    "/corpora/": "corpora",
    "/pictures/": "component",
    "/device/": "device",
    "/component/": "component",
    "/_stcore/upload_file/": "upload",
    "/_stcore/bidi-components/": "component",
}

_PROBES = ("/_stcore/health", "/_stcore/host-config")


def route(path: str) -> str:
    """The name of the route of a path; "other" if it is none of ours."""
    if path.endswith(_PROBES):  # a browser on /heads also probes below that address, and gets a 404
        return "probe"
    known = _KNOWN.get(path.rstrip("/") or "/")
    return known or next((name for at, name in _BENEATH.items() if path.startswith(at)), "other")


def is_page(name: str) -> bool:
    """Whether a person sees this route: one of the app's pages."""
    return name == HOME or name in PAGES
