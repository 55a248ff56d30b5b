"""Messages from a browser are checked on arrival; later errors are our own, and are shown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from tests.browser.conftest import Server
from tools.streamlit_client import Visitor, wait_for


@pytest.fixture
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(
        tmp_path_factory.mktemp("faults"),
        {"POLYSEE_LOG": "json"},
        script="tests/browser/serving/faults_app.py",
    )
    running.start()
    yield running
    running.stop()


async def _visit(host: str, *sent: object) -> list[str]:
    """The text of the page after each event."""
    said = []
    async with Visitor(host) as visitor:
        await visitor.open()
        for value in sent:
            picture, fragment = visitor.page.picture("two")
            await visitor.tell(picture.id, fragment, "bar", value)
            said.append(visitor.page.sentences())
    return said


def test_a_fault_of_ours_is_said_and_logged_and_the_page_goes_on(faulty: Server) -> None:
    host = faulty.url.removeprefix("http://")
    foreign = [{"index": 2}, {"index": "1"}, {"row": 1}, None, {"index": 1, "more": [[[1]]]}]
    *turned_away, fault = wait_for(_visit(host, *foreign, {"index": 1}))
    for said in turned_away:
        assert "Something went wrong" not in said
        assert "chosen: None" in said  # nothing was changed
    found = re.search(r"Something went wrong in Polysee.*under the number (\w{8})\.", fault)
    assert found
    assert "chosen: 1" in fault  # the page is still drawn, by what the session holds
    assert "zymurgic" not in fault
    log = [json.loads(line) for line in faulty.log.splitlines() if line.startswith("{")]
    (error,) = [line for line in log if line["event"] == "error"]
    assert (error["id"], error["error"]) == (found[1], "KeyError")
    # The traceback, without its values.
    assert "tests/browser/serving/faults_app.py:" in str(error["at"])
    assert "broken" in str(error["at"])
    warned = [line for line in log if line["event"] == "sent what no picture sends"]
    assert len(warned) == len(foreign)
    assert "zymurgic" not in faulty.log
