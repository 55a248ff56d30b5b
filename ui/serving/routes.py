"""What a request asks for, in words of our own: a path may hold what a visitor typed, these do not."""

from __future__ import annotations

from pathlib import Path

HOME = "compare"
_FILES = (Path(__file__).resolve().parents[2] / "pages").glob("*/page.py")
# The addresses of all pages but the first one, which has none: step_by_step/ is at /step-by-step.
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
    "/pictures/": "component",
    "/component/": "component",
    "/_stcore/upload_file/": "upload",
    "/_stcore/bidi-components/": "component",
}

_PROBES = ("/_stcore/health", "/_stcore/host-config")


def route(path: str) -> str:
    """The name of what lies at a path; "other" where nothing of ours does."""
    if path.endswith(_PROBES):  # a browser on /heads asks beneath that address too, and is told 404
        return "probe"
    known = _KNOWN.get(path.rstrip("/") or "/")
    return known or next((name for at, name in _BENEATH.items() if path.startswith(at)), "other")


def is_page(name: str) -> bool:
    """Whether a person sees it: one of the app's pages."""
    return name == HOME or name in PAGES
