"""The headers on every response, which tell a browser what our pages may do."""

from __future__ import annotations

import base64
import hashlib
import re

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.paper.shell import POLICY as PAPER_POLICY
from ui.serving.classroom import STUDENT_POLICY
from ui.serving.page_html import html
from ui.serving.routes import page_at, path_of

# Browser features that our pages never use.
PERMISSIONS = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer",
        "camera",
        "display-capture",
        "geolocation",
        "gyroscope",
        "magnetometer",
        "microphone",
        "midi",
        "payment",
        "usb",
        "xr-spatial-tracking",
    )
)
# The path of the page that was asked for: a proxy may log it, and so need not know our pages.
PAGE = "X-Polysee-Page"
# A file for saving: if a browser opens it instead, it may run no script and contact no host.
FILE_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"


def inline_scripts() -> tuple[str, ...]:
    """The hashes of the inline scripts in the page, as a policy lists them."""
    scripts = re.findall(rb"<script>(.*?)</script>", html().encode(), re.DOTALL)
    return tuple(f"'sha256-{base64.b64encode(hashlib.sha256(s).digest()).decode()}'" for s in scripts)


def policy(frames: str, *, computes: bool = False) -> str:
    """The content security policy of a page.

    Streamlit turns each of our pictures into a module at an address that the browser creates (`blob:`),
    and writes styles into the page; everything else comes from this server.

    Args:
        frames: the sites that may frame the page, see `core.settings.Settings.frames`.
        computes: whether a visitor's device may compute, as it may in the app: a browser compiles
            WebAssembly only if the policy allows that; this allows no text to become a script.
    """
    wasm = ["'wasm-unsafe-eval'"] if computes else []
    rules = {
        "default-src": "'none'",
        "script-src": " ".join(["'self'", "blob:", *wasm, *inline_scripts()]),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",
        "manifest-src": "'self'",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": frames,
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


class Headers:
    """ASGI middleware that sets the headers on each response."""

    def __init__(self, app: ASGIApp, frames: str, *, computes: bool = False) -> None:
        self.app = app
        common = {
            "Referrer-Policy": "no-referrer",  # addresses contain texts
            "X-Content-Type-Options": "nosniff",
            "Permissions-Policy": PERMISSIONS,
            "Cross-Origin-Opener-Policy": "same-origin",
        }
        # The older header takes no list: if there is one, only the policy decides.
        older = {"'none'": "DENY", "'self'": "SAMEORIGIN"}.get(frames)
        if older:
            common["X-Frame-Options"] = older
        self._page = {**common, "Content-Security-Policy": policy(frames, computes=computes)}
        self._file = {**common, "Content-Security-Policy": FILE_POLICY}
        self._student = {
            **common,
            "Content-Security-Policy": STUDENT_POLICY,
            "X-Frame-Options": "DENY",
        }
        self._paper = {**common, "Content-Security-Policy": PAPER_POLICY, "X-Frame-Options": "DENY"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add our headers to the response."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path = path_of(scope)
        ours = self._of(path)
        if page := page_at(path):
            ours = {**ours, PAGE: page}

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in ours.items():
                    headers[name] = value
            await send(message)

        await self.app(scope, receive, answer)

    def _of(self, path: str) -> dict[str, str]:
        if path.startswith(("/media/", "/files/")):
            return self._file
        if path.startswith("/paper/"):
            return self._paper
        return self._student if path.startswith("/class/") else self._page
