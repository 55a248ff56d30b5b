"""A visitor without a browser, who uses Streamlit's own protocol over a websocket."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from ssl import SSLContext
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from tools.streamlit_page import Page
from tools.streamlit_widgets import as_typed, text_box

T = TypeVar("T")
PATIENCE = 120.0  # seconds for one run; a server that takes longer has failed


class Answer(NamedTuple):
    """The result of one run.

    Attributes:
        seconds: the time from the request to the end of the run.
        received: the received bytes.
        digest: the digest of everything that the page now shows; see `Page.digest`.
    """

    seconds: float
    received: int
    digest: str


def wait_for(visit: Coroutine[Any, Any, T]) -> T:
    """The results of a visit, or of several at once; works even inside a running event loop."""
    with ThreadPoolExecutor(1) as own_thread:
        return own_thread.submit(asyncio.run, visit).result()


@dataclass
class Visitor:
    """One visit: `async with Visitor("127.0.0.1:8501", "heads") as visitor`.

    Attributes:
        host: the host and port.
        address: the address of the page below that, "" for the home page.
        query: the part of the opened link after the question mark.
        on_message: called after each message from the server.
        tls: the trusted certificates, if the server uses TLS.
        cookie: "name=value", if the server has set one.
        page: the current content.
    """

    host: str
    address: str = ""
    query: str = ""
    on_message: Callable[[], object] | None = None
    tls: SSLContext | None = None
    cookie: str = ""
    page: Page = field(default_factory=Page, repr=False)
    _socket: ClientConnection | None = None
    _chosen: dict[str, dict[str, Any]] = field(default_factory=dict, repr=False)

    async def __aenter__(self) -> Self:
        self.page.query = self.query
        # A message may be as large as a layer of 512 tokens; neither side compresses.
        self._socket = await connect(
            f"{'wss' if self.tls else 'ws'}://{self.host}/_stcore/stream",
            origin=Origin(f"{'https' if self.tls else 'http'}://{self.host}"),
            subprotocols=[Subprotocol("streamlit")],
            additional_headers={"Cookie": self.cookie} if self.cookie else None,
            ssl=self.tls,
            max_size=None,
            compression=None,
            ping_interval=None,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._socket is not None
        await self._socket.close()

    async def open(self) -> Answer:
        """Run the page for the first time."""
        return await self._run("")

    async def change(self, label: str, value: object) -> Answer:
        """Set a control to another value, and wait for the page's answer.

        Args:
            label: its label.
            value: a text, a boolean, or a list of labels.

        Raises:
            KeyError: if there is no such control on the page.
        """
        widget, fragment = self.page.box(label)
        state = WidgetState(id=widget.id)
        if isinstance(value, str) and text_box(widget):
            state = as_typed(widget, value)
        elif isinstance(value, bool):
            state.bool_value = value
        elif isinstance(value, str):
            state.string_value = value
        elif isinstance(value, list):
            state.string_array_value.data.extend(value)
        else:
            raise TypeError(f"no box takes {value!r}")
        return await self.send(state, fragment)

    async def choose(self, key: str, chosen: Mapping[str, object]) -> Answer:
        """Make a choice inside a picture, which reports its complete state to the page.

        Args:
            key: the name of the picture on the page.
            chosen: parts of its state -> the new values.
        """
        picture, fragment = self.page.picture(key)
        sent = json.loads(picture.json or picture.mixed.json)
        before = sent["state"] | {"n": sent["heard"]} | self._chosen.get(key, {})
        self._chosen[key] = before | dict(chosen) | {"n": before["n"] + 1}
        return await self.tell(picture.id, fragment, "state", self._chosen[key])

    async def tell(self, picture: str, fragment: str, event: str, value: object) -> Answer:
        """Send an event of a picture to the page, once, with plain values."""
        state = WidgetState(id=f"$$STREAMLIT_INTERNAL_KEY_{picture}__events")
        state.json_trigger_value = json.dumps([{"event": event, "value": value}])
        return await self.send(state, fragment)

    async def send(self, state: WidgetState, fragment: str) -> Answer:
        """Set the state of any widget; the message of a button or a picture is sent once."""
        self.page.states[state.id] = state
        answer = await self._run(fragment)
        if state.trigger_value:
            self.page.states.pop(state.id, None)
        return answer

    async def _run(self, fragment: str) -> Answer:
        """Request a run, of the page or of one fragment, and read until it has ended."""
        assert self._socket is not None
        message = BackMsg()
        rerun = message.rerun_script
        rerun.query_string = self.page.query
        rerun.page_script_hash = self.page.script
        rerun.page_name = "" if self.page.script else self.address
        rerun.fragment_id = fragment
        rerun.widget_states.widgets.extend(self.page.states.values())
        rerun.cached_message_hashes.extend(self.page.cached)
        rerun.context_info.url = f"http://{self.host}/{self.address}"
        received, over = 0, False
        started = time.perf_counter()
        await self._socket.send(message.SerializeToString())
        async with asyncio.timeout(PATIENCE):
            while not over:
                data = await self._socket.recv()
                assert isinstance(data, bytes)
                received += len(data)
                over = self.page.take(ForwardMsg.FromString(data))
                if self.on_message is not None:
                    self.on_message()
        seconds = time.perf_counter() - started
        self.page.end(fragment)
        return Answer(seconds, received, self.page.digest())
