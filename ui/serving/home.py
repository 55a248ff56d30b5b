"""The home page by its name: /compare, as lessons and the static folder write it, leads to /."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from ui.navigation import HOME
from ui.serving.routes import root


def routes() -> list[Route]:
    """The routes that lead there, with the query that they came with."""
    return [Route(f"{root()}/{HOME}{end}", _home) for end in ("", "/")]


async def _home(request: Request) -> RedirectResponse:
    query = request.url.query
    return RedirectResponse(f"{root()}/{f'?{query}' if query else ''}", 307)
