"""The resident memory of a server that many visitors ask for different things, against its budget."""

from __future__ import annotations

import re
import urllib.request
from pathlib import Path

import psutil
import pytest

from tests.browser.conftest import Server
from tools.streamlit_client import Visitor, wait_for

pytestmark = pytest.mark.fuzz

WORDS = [
    "river",
    "money",
    "water",
    "loan",
    "boat",
    "cash",
    "shore",
    "fish",
    "account",
    "deep",
    "credit",
    "mud",
    "coin",
    "reed",
    "vault",
    "stream",
]
# What is no cached result: sessions, what a run is just computing, what malloc keeps for the next one.
BESIDE = 350  # MB


def text(number: int, tokens: int) -> str:
    """A text that nobody else has asked for, of about so many tokens."""
    words = [WORDS[(number * 7 + i * (number % 5 + 1)) % len(WORDS)] for i in range(tokens)]
    return f"{number} the bank " + " ".join(words)


async def visit(server: Server, address: str, query: str) -> None:
    async with Visitor(server.url.removeprefix("http://"), address, query) as visitor:
        await visitor.open()


def gauge(server: Server, name: str) -> float:
    with urllib.request.urlopen(f"{server.url}/metrics", timeout=10) as answer:
        found = re.search(rf"^{name} (\S+)$", answer.read().decode(), re.MULTILINE)
    assert found
    return float(found[1])


def driven(folder: Path, megabytes: int, visits: int) -> tuple[float, float, float]:
    """Resident MB before and after many visits, and the MB of all caches, under a budget."""
    environment = {
        "POLYSEE_CACHE_MB": f"{megabytes}",
        "POLYSEE_METRICS": "route",
        "POLYSEE_UMAP": "asked",
    }
    server = Server(folder, environment)
    server.start()
    try:
        assert server.process is not None
        process = psutil.Process(server.process.pid)
        for page in ("", "heads", "embeddings", "step-by-step", "positions", "senses"):
            wait_for(visit(server, page, ""))  # what each page loads once
        before = process.memory_info().rss / 1e6
        for number in range(visits):
            long = text(number, 200).replace(" ", "+")
            wait_for(visit(server, "heads", f"v=2&t={long}"))
            wait_for(visit(server, "", f"v=2&w=bank&a={text(number, 60)}&b={text(-number - 1, 60)}"))
            wait_for(visit(server, "embeddings", f"v=2&t={long}"))
            wait_for(visit(server, "step-by-step", f"v=2&t={text(number, 30)}"))
        return before, process.memory_info().rss / 1e6, gauge(server, "polysee_cache_bytes") / 1e6
    finally:
        server.stop()


@pytest.mark.parametrize("megabytes", [64, 512])
def test_resident_memory_follows_the_budget(megabytes: int, tmp_path: Path) -> None:
    before, after, cached = driven(tmp_path, megabytes, visits=40)
    print(
        f"budget {megabytes} MB: resident {before:.0f} MB, then {after:.0f} MB; cached {cached:.0f} MB"
    )
    assert 0.8 * megabytes < cached <= megabytes
    assert after - before < megabytes + BESIDE
