"""Typing on Next word reruns the text and its view alone, and nothing becomes stale or mixed up."""

from __future__ import annotations

import asyncio
from urllib.parse import urlencode

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tests.browser.conftest import Server
from tools.streamlit_client import Visitor, wait_for

pytestmark = pytest.mark.check
MODEL = "small-gpt2"
TYPED = ("On the river bank of", "On the old bank by a")


def visitor_of(server: Server, text: str = "", **more: str) -> Visitor:
    query = {"v": "2", "m": MODEL, **more} | ({"t": text} if text else {})
    return Visitor(server.url.removeprefix("http://"), "next-word", urlencode(query))


async def seen_by_link(server: Server, visitor: Visitor) -> str:
    """What somebody else sees who opens the link of this page."""
    host = server.url.removeprefix("http://")
    async with Visitor(host, "next-word", visitor.page.query) as other:
        await other.open()
        return other.page.sentences()


async def click(visitor: Visitor, label: str) -> None:
    button, fragment = visitor.page.box(label)
    await visitor.send(WidgetState(id=button.id, trigger_value=True), fragment)


async def both_type(server: Server) -> list[list[tuple[str, str]]]:
    async def types(text: str) -> list[tuple[str, str]]:
        async with visitor_of(server, text[:6]) as visitor:
            await visitor.open()
            said = []
            for end in range(7, len(text) + 1, 3):
                await visitor.change("Text", text[:end])
                said.append((text[:end], visitor.page.sentences()))
            return said

    return list(await asyncio.gather(*map(types, TYPED)))


def test_two_who_type_at_once_see_what_their_texts_show(server: Server) -> None:
    async def alone(text: str) -> str:
        async with visitor_of(server, text) as visitor:
            await visitor.open()
            return visitor.page.sentences()

    for said in wait_for(both_type(server)):
        for text, sentences in said:
            assert sentences == wait_for(alone(text))


def test_a_key_reruns_the_part_alone_and_the_link_follows(server: Server) -> None:
    async def visit() -> None:
        async with visitor_of(server, TYPED[0]) as visitor:
            await visitor.open()
            whole = {path for path, (_, fragment) in visitor.page.shown.items() if not fragment}
            before = {path: visitor.page.shown[path][0] for path in whole}
            await visitor.change("Text", TYPED[1])
            # what is outside of the part was not drawn again: these are the same messages
            assert all(visitor.page.shown[path][0] is one for path, one in before.items())
            assert urlencode({"t": TYPED[1]}) in visitor.page.query
            assert visitor.page.sentences() == await seen_by_link(server, visitor)
            await click(visitor, "Draw one")
            await click(visitor, "Draw one")
            await click(visitor, "Undo one")
            assert "g=" in visitor.page.query
            assert visitor.page.sentences() == await seen_by_link(server, visitor)
            await visitor.change("Text", TYPED[0])
            assert "g=" not in visitor.page.query  # what was written belongs to the other text
            assert visitor.page.sentences() == await seen_by_link(server, visitor)
            await visitor.change("Text", " ")
            assert "Type a word" in visitor.page.sentences()

    wait_for(visit())


@pytest.mark.parametrize("around", [{"present": "1"}, {"lesson": "tokens.1"}])
def test_where_something_around_it_tells_of_the_text_all_is_drawn_again(
    server: Server, around: dict[str, str]
) -> None:
    async def visit() -> None:
        async with visitor_of(server, TYPED[0], **around) as visitor:
            await visitor.open()
            _, fragment = visitor.page.box("Text")
            assert not fragment
            await visitor.change("Text", TYPED[1])
            assert visitor.page.sentences() == await seen_by_link(server, visitor)

    wait_for(visit())
