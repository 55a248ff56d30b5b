"""Metrics for Prometheus: counts, times, memory. No label holds anything that a visitor typed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
    start_http_server,
)
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

disable_created_metrics()  # type: ignore[no-untyped-call]  # when each count began: nobody asks
REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)  # resident memory, processor time, open files
PlatformCollector(registry=REGISTRY)
REQUESTS = Counter("polysee_requests", "HTTP requests", ["place", "status"], registry=REGISTRY)
REFUSED = Counter("polysee_refused", "Requests refused", ["why"], registry=REGISTRY)
ERRORS = Counter("polysee_errors", "Page runs that ended in an error of the app", registry=REGISTRY)
SESSIONS = Gauge("polysee_sessions", "Open pages", registry=REGISTRY)
RUNS = Histogram(
    "polysee_run_seconds",
    "Seconds for one run of a page, from the request to the last picture",
    ["page"],
    buckets=(0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
    registry=REGISTRY,
)


def gauge(name: str, what: str, ask: Callable[[], float]) -> None:
    """A number that is computed when Prometheus reads it."""
    Gauge(name, what, registry=REGISTRY).set_function(ask)


@contextmanager
def run(page: str) -> Iterator[None]:
    """Time one run of a page, including one that a newer run interrupts."""
    began = time.perf_counter()
    try:
        yield
    finally:
        RUNS.labels(page or "compare").observe(time.perf_counter() - began)


def routes(where: str | int) -> list[Route]:
    """The route `/metrics`, if the settings place the metrics on the app's port."""
    return [Route("/metrics", _answer)] if where == "route" else []


def listen(where: str | int, address: str) -> None:
    """Serve the metrics on a separate port, if the settings say so.

    Raises:
        OSError: if the port is taken.
    """
    if isinstance(where, int):
        start_http_server(where, addr=address, registry=REGISTRY)


async def _answer(_: Request) -> Response:
    return Response(generate_latest(REGISTRY), headers={"Content-Type": CONTENT_TYPE_LATEST})
