"""Many visitors at once on one server: each gets the same answers as alone, and long work queues."""

from __future__ import annotations

import asyncio
from urllib.parse import urlencode

import pytest

from benchmarks import sentences
from benchmarks.load.crowd import heads
from tests.browser.conftest import Server
from tools.streamlit_client import Visitor, wait_for

VISITORS, TOKENS = 8, 32


async def _walk(host: str, number: int) -> list[str]:
    async with Visitor(host, "heads") as visitor:
        return [answer.digest async for answer in heads(visitor, number, TOKENS)]


async def _together(host: str) -> list[list[str]]:
    return await asyncio.gather(*(_walk(host, number) for number in range(VISITORS)))


def test_visitors_at_once_are_not_mixed_up(server: Server) -> None:
    host = server.url.removeprefix("http://")
    wait_for(_walk(host, 99))  # what the heads usually do is computed once
    together = wait_for(_together(host))
    alone = [wait_for(_walk(host, number)) for number in range(VISITORS)]
    assert together == alone
    assert len({tuple(walk) for walk in together}) == VISITORS  # no two of them see the same


async def _long(host: str, number: int, texts: list[str]) -> None:
    """Read a long text, and record all sentences shown meanwhile."""
    query = urlencode({"t": sentences.of_tokens(500, number)})
    async with Visitor(host, "heads", query) as visitor:
        visitor.on_message = lambda: texts.append(visitor.page.sentences())
        await visitor.open()


async def _three(host: str) -> list[str]:
    texts: list[str] = []
    await asyncio.gather(*(_long(host, number, texts) for number in range(300, 303)))
    return texts


@pytest.mark.fuzz
@pytest.mark.usefixtures("only_here")
def test_long_texts_wait_in_line_and_are_told_so(server: Server) -> None:
    texts = wait_for(_three(server.url.removeprefix("http://")))
    assert any("A long text takes a while, and one other is" in t for t in texts)
