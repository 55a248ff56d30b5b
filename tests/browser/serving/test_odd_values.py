"""Every kind of value for every kind of widget, from a program in place of a browser.

None of them is an error of ours: the page goes on, and nothing of them is in the log.
"""

from __future__ import annotations

import itertools
import json
import urllib.request
from collections.abc import Iterator

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tests.browser.conftest import Server
from tools.streamlit_client import Visitor, wait_for
from tools.streamlit_page import Broken
from tools.streamlit_widgets import text_box
from ui.serving import routes

# A page and a link of each that has kinds of widgets which no other has.
LINKS = {
    **dict.fromkeys(("", *routes.PAGES), ""),
    "positions": "v=2&p=sums",
    "embeddings": "v=2&p=sentences",
    "step-by-step": "v=2&sk=fresh",
}
TEXTS = ("", " ", "zymurgic", "\u2028", "\x00", "1e999", "9" * 400, "x" * 20_000, "{}", "[", "NaN")
NUMBERS = (0.0, -1.0, 0.5, 1e308, float("nan"), float("inf"), -float("inf"), 2.0**63)
JSONS = (
    *("", "{", "[]", "null", "3", '"x"', "NaN", '"\\ud800"', "[" * 100_000, '{"a":' * 900, "9" * 5_000),
    '{"edited_rows": {"0": 3}}',
    '{"edited_rows": {"x": {"1": "2"}}}',
    '{"edited_rows": {"0": {"1": {"a": []}}}, "added_rows": 3, "deleted_rows": {}}',
    '{"edited_rows": [], "added_rows": [[]], "deleted_rows": [-1, "x"]}',
    '{"edited_rows": {"99999999999999999999": {"1": "2"}}}',
    '{"edited_rows": {"0": {"zymurgic": "2", "-5": null}}}',
    '[{"event": "state", "value": {}}]',
    '[{"event": 3}, 4, null, {"event": {"a": 1}, "value": []}]',
    '{"typed": {"n": 1e308, "text": ["x"]}}',
    '{"typed": {"n": null}, "state": [[[]]], "value": true}',
)


def values(widget: str) -> Iterator[WidgetState]:
    """Values of every kind that Streamlit's protocol knows, plausible ones among them."""
    yield WidgetState(id=widget)
    for truth in (True, False):
        yield WidgetState(id=widget, bool_value=truth)
        yield WidgetState(id=widget, trigger_value=truth)
    for number in NUMBERS:
        yield WidgetState(id=widget, double_value=number)
    for whole in (0, -1, 2**62, -(2**62)):
        yield WidgetState(id=widget, int_value=whole)
    for text in TEXTS:
        yield WidgetState(id=widget, string_value=text)
        yield WidgetState(id=widget, json_value=text)
        yield WidgetState(id=widget, bytes_value=text.encode())
        state = WidgetState(id=widget)
        state.string_trigger_value.data = text
        yield state
        state = WidgetState(id=widget)
        state.chat_input_value.data = text
        yield state
        state = WidgetState(id=widget)
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.file_id = info.name = text
        yield state
        state = WidgetState(id=widget)
        state.arrow_value.data = text.encode()
        yield state
    for text in JSONS:
        yield WidgetState(id=widget, json_value=text)
        yield WidgetState(id=widget, json_trigger_value=text)
    for count in (0, 1, 2, 1_000):
        for texts in ((), TEXTS):
            state = WidgetState(id=widget)
            state.string_array_value.data.extend(itertools.islice(itertools.cycle(texts), count))
            yield state
        state = WidgetState(id=widget)
        state.double_array_value.data.extend(itertools.islice(itertools.cycle(NUMBERS), count))
        yield state
        state = WidgetState(id=widget)
        state.int_array_value.data.extend([-1, 2**62] * count)
        yield state


async def try_all(host: str, page: str, each: int, step: int = 1) -> list[str]:
    """The kinds of widgets of a page that were sent every value (each `step`th), `each` of one kind.

    Raises:
        AssertionError: the page shows an error, or cannot be opened any more.
    """
    tried: dict[str, int] = {}
    async with Visitor(host, page, LINKS[page]) as visitor:
        await visitor.open()
        for kind, widget, fragment in list(visitor.page.widgets()):
            kind = (text_box(widget).get("label") and "text box") or kind
            if tried.setdefault(kind, 0) >= each:
                continue
            tried[kind] += 1
            internal = f"$$STREAMLIT_INTERNAL_KEY_{widget.id}__events"
            sent = itertools.chain(values(widget.id), values(internal))
            for state in itertools.islice(sent, len(tried) % step, None, step):
                if state.id == internal and kind not in ("bidi_component", "text box"):
                    continue
                there = {one.id for _, one, _ in visitor.page.widgets()}
                if widget.id not in there:
                    break  # a button or a toggle has taken it away
                try:
                    await visitor.send(state, fragment)
                except (Broken, TimeoutError, OSError) as error:
                    raise AssertionError(f"{kind}: {error!r} after {str(state)[:300]}") from error
                said = visitor.page.sentences()
                assert "Something went wrong" not in said, f"{kind}: {str(state)[:300]}"
                visitor.page.states.pop(state.id, None)
    return [*tried]


def errors(server: Server) -> int:
    lines = [json.loads(one) for one in server.log.splitlines() if one.startswith("{")]
    return sum(one["event"] in ("error", "error in a thread") or "error" in one for one in lines)


@pytest.mark.check
# In `make check`, a tenth of the values for the page with a file to upload, other ones for each widget.
@pytest.mark.fuzz
@pytest.mark.parametrize(
    ("page", "step"),
    [("training", 10), *(pytest.param(page, 1, marks=pytest.mark.fuzz) for page in sorted(LINKS))],
)
def test_no_value_of_any_widget_is_an_error_of_ours(page: str, step: int, odd_server: Server) -> None:
    tried = wait_for(try_all(odd_server.url.removeprefix("http://"), page, each=1, step=step))
    assert tried
    assert errors(odd_server) == 0, [one for one in odd_server.log.splitlines() if "error" in one][:3]
    assert "zymurgic" not in odd_server.log
    with urllib.request.urlopen(f"{odd_server.url}/_stcore/health", timeout=10) as answer:
        assert answer.status == 200


@pytest.fixture(scope="module")
def odd_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose log is JSON."""
    running = Server(tmp_path_factory.mktemp("odd"), {"POLYSEE_LOG": "json", "POLYSEE_UMAP": "asked"})
    running.start()
    yield running
    running.stop()
