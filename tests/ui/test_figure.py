"""The messages to a picture on the page: numbers once, a state only if the page changes it."""

from __future__ import annotations

import base64
import json
import logging
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from core import figures, plot
from core.figures import Picture, bars, schema
from core.figures.attention import layer_state
from ui import events, figure, files, permalink
from ui import session as sessions
from ui.serving import files as served
from ui.serving import sent_once

KEY = "layer"


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for module in (permalink, sessions):
        monkeypatch.setattr(module, "st", SimpleNamespace(session_state=kept))
    return kept


class Shown:
    """A picture on a page, and the messages to its browser."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, session: dict[str, Any], size: int) -> None:
        self.wanted: dict[str, Any] = {**LAYER}
        self.sent: dict[str, Any] = {}
        self._session, self._size = session, size
        self._callbacks: dict[str, Callable[[], None]] = {}

        def component(*, key: str, data: dict[str, Any], height: object, **callbacks: Any) -> None:
            self.sent, self._callbacks = json.loads(json.dumps(data)), callbacks

        monkeypatch.setattr(figure, "_COMPONENTS", {"layer": component})

    def run(self) -> dict[str, Any]:
        """Rerun the page; returns the message to the browser."""
        header = {"state": self.wanted, "height": 100, "sentence": "."}
        figure.show(Picture("layer", header, bytes(self._size)), KEY, on_state=self.wanted.update)
        return self.sent

    def tell(self, number: int, **chosen: Any) -> None:
        """Make a choice in the picture."""
        self._session[KEY] = {"state": {**LAYER, **chosen, "n": number}}
        self._callbacks["on_state_change"]()


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch, session: dict[str, Any]) -> Shown:
    return Shown(monkeypatch, session, 4)


def test_a_menu_is_told_where_its_files_are_and_no_more(
    monkeypatch: pytest.MonkeyPatch, session: dict[str, Any]
) -> None:
    monkeypatch.setattr(served, "_served", True)
    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(
        figure,
        "_COMPONENTS",
        {"layer": lambda **given: sent.append(json.loads(json.dumps(given["data"])))},
    )
    picture = Picture("layer", {"state": {}, "height": 100, "sentence": "."}, b"")
    for number in (1, 2):
        table = pd.DataFrame({"a": [number / 3]}, ["row"])
        figure.show(picture, KEY, saved_as=[files.csv(lambda table=table: table, "x")])  # type: ignore[misc]
    figure.show(picture, KEY)
    (one,), (again,), none = (message["files"] for message in sent)
    assert (one["kind"], one["name"], set(one)) == (
        "CSV",
        "polysee-x.csv",
        {"kind", "name", "about", "address"},
    )
    assert (again, none) == (one, [])  # the same address for as long as the visit lasts
    _, _, owner, name = one["address"].split("/")
    assert served._by_session[owner].files[name].make() == ",a\nrow,0.666666667\n"


def test_a_figure_for_a_paper_is_offered_of_what_is_shown(
    monkeypatch: pytest.MonkeyPatch, session: dict[str, Any], tmp_path: Path
) -> None:
    monkeypatch.setattr(served, "_served", True)
    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(figure, "_COMPONENTS", {"bars": lambda **given: sent.append(given["data"])})
    values = [0.25, 0.75]
    figure.show(bars(values, ["a", "b"], unit="share", sentence="Two.", name="two"), KEY)
    ((one, whole),) = (message["files"] for message in sent)
    assert (one["kind"], one["name"]) == ("Plotly", "polysee-two-figure.html")
    assert "figure for a paper" in one["about"]
    page = made(one)
    assert isinstance(page, str)
    (tmp_path / "two.html").write_text(page, "utf-8")
    assert [*plot.read(tmp_path / "two.html").to_dict()["data"][0]["text"]] == ["0.250", "0.750"]
    assert (whole["kind"], whole["name"]) == ("HTML", "polysee-two.html")
    assert "<h1>Two.</h1>" in str(made(whole))


def made(offered: dict[str, Any]) -> str | bytes:
    """The content of a file that a menu offers."""
    _, _, owner, name = offered["address"].split("/")
    return served._by_session[owner].files[name].make()


def test_every_picture_that_is_saved_as_a_page_has_code_that_draws_it() -> None:
    built = {path.stem for path in Path(figures.web.__path__[0]).glob("dist/*.js")}
    assert built >= files.OFFLINE


def test_numbers_keep_their_address_whatever_is_chosen(
    monkeypatch: pytest.MonkeyPatch, session: dict[str, Any]
) -> None:
    monkeypatch.setattr(sent_once, "_served", True)
    shown = Shown(monkeypatch, session, figure.SMALL)
    first = shown.run()
    assert first["numbers"].startswith("/numbers/")
    assert first["bytes"] is None
    assert first["state"]["head"] == 0
    shown.tell(1, head=5)
    second = shown.run()
    assert (second["numbers"], second["state"]["head"]) == (first["numbers"], 5)
    data = sent_once._stored[first["numbers"].rpartition("/")[2]]
    assert (b'"state"' in data, data.endswith(bytes(figure.SMALL))) == (False, True)
    assert len(json.dumps(second)) < 1_000


def test_few_numbers_come_along_and_so_do_all_where_no_server_is_ours(
    monkeypatch: pytest.MonkeyPatch, session: dict[str, Any]
) -> None:
    monkeypatch.setattr(sent_once, "_served", True)
    assert Shown(monkeypatch, session, 4).run()["numbers"] is None
    monkeypatch.setattr(sent_once, "_served", False)
    sent = Shown(monkeypatch, session, figure.SMALL).run()
    assert sent["numbers"] is None
    assert base64.b64decode(sent["bytes"]).endswith(bytes(figure.SMALL))


def test_the_page_says_which_choice_it_has_heard(shown: Shown) -> None:
    assert shown.run()["heard"] == 0
    shown.tell(1, head=2)
    shown.tell(2, head=3)
    sent = shown.run()
    assert (sent["heard"], sent["state"]["head"]) == (2, 3)
    assert shown.run() == sent


def test_what_has_set_the_whole_page_meanwhile_counts(shown: Shown) -> None:
    """A click on Reset, or on an example, right after a choice in the picture."""
    shown.run()
    permalink.now().replaced = True
    shown.tell(1, head=2)
    sent = shown.run()
    assert (sent["heard"], sent["state"]["head"]) == (1, 0)
    permalink.now().replaced = False  # the next run
    shown.tell(2, head=4)
    assert shown.run()["state"]["head"] == 4


def test_another_visit_has_another_name(
    monkeypatch: pytest.MonkeyPatch, session: dict[str, Any], shown: Shown
) -> None:
    name = shown.run()["visit"]
    assert shown.run()["visit"] == name
    session.clear()
    assert shown.run()["visit"] != name


# Incoming events

LAYER = {
    "level": "lines",
    "on": [0, 1],
    "head": 0,
    "query": None,
    "key": 3,
    "pin": None,
    "threshold": 0.05,
    "alone": 0,
    "all": None,
    "special": True,
    "view": "weights",
    "sort": "place",
}
OVERVIEW = {
    "token": None,
    "direction": "to",
    "pattern": 0,
    "typical": False,
    "threshold": 0.5,
    "special": None,
}
WORDMAP = {"chosen": 3, "found": "b", "lasso": [0, 0, 9, 0, 9, 9], "side": 1, "view": [5, 6, 700]}
# Event, picture, detail; pictures have 3 rows, 5 columns, 3 layers of 5 heads, and 3 depths.
TOLD: dict[str, tuple[str, str, dict[str, Any]]] = {
    "cell": ("cell", "heatmap", {"row": 2, "column": 4}),
    "plane": ("state", "plane", {"depth": 2}),
    "head": ("head", "overview", {"layer": 2, "head": 4}),
    "bar": ("bar", "bars", {"index": 2}),
    "layer": ("state", "layer", LAYER),
    "overview": ("state", "overview", OVERVIEW),
    "steps": ("state", "steps", {"step": 1, "row": 2, "column": 3}),
    "cloud": ("state", "cloud", {"depth": 1, "chosen": 7}),
    "space": ("state", "space", {"depth": 1, "view": [30, -20], "chosen": 4}),
    "wordmap": ("state", "wordmap", WORDMAP),
}
SIZES: dict[str, Any] = {"rows": [*"abc"], "columns": [*"abcde"], "labels": [*"abc"], "steps": [*"abc"]}
SIZES |= {"layers": [*"abc"], "heads": 5}
MAY_BE_NONE = {("layer", "key"), ("overview", "pattern"), ("cloud", "chosen"), ("space", "view")}
MAY_BE_NONE |= {("space", "chosen"), ("wordmap", "chosen"), ("wordmap", "lasso"), ("wordmap", "view")}
MAY_BE_NONE |= {("layer", "special"), ("layer", "all")}
DEEP: Any = []
for _ in range(500):
    DEEP = [DEEP]
JUNK = {
    "nothing": None,
    "text": "1",
    "huge text": "x" * 10**6,
    "huge number": 10**400,
    "negative": -2,
    "NaN": math.nan,
    "infinite": math.inf,
    "part": 0.5,
    "list": [1, 2, 3],
    "nested": DEEP,
    "mapping": {"row": {"row": 1}},
    "endless": [0] * 100_000,
}


class Heard:
    """A shown picture, and the arguments with which its page's functions were called."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        session: dict[str, Any],
        what: str,
        handler: Callable[[Any], None] | None = None,
    ) -> None:
        self.event, module, self.told = TOLD[what]
        self.calls: list[Any] = []
        self._session = session
        self._callbacks: dict[str, Callable[[], None]] = {}

        def component(*, key: str, data: object, height: object, **callbacks: Any) -> None:
            self._callbacks |= callbacks

        monkeypatch.setattr(figure, "_COMPONENTS", {module: component})
        picture = Picture(
            module, {**SIZES, "state": {}, "height": 100, "sentence": ".", "file": "x"}, b""
        )
        act: Any = {f"on_{self.event}": handler or self.calls.append}
        figure.show(picture, KEY, **act)

    def tell(self, sent: Any) -> None:
        if self.event == "state" and isinstance(sent, dict):
            sent = {"n": 1, **sent}
        self._session[KEY] = {self.event: sent}
        self._callbacks[f"on_{self.event}_change"]()


@pytest.mark.parametrize("what", TOLD)
def test_what_a_picture_tells_is_heard(
    monkeypatch: pytest.MonkeyPatch, session: dict[str, Any], what: str
) -> None:
    heard = Heard(monkeypatch, session, what)
    heard.tell(heard.told)
    (got,) = heard.calls
    if what in ("cell", "head"):
        assert got == tuple(heard.told.values())
    else:
        assert got == (heard.told if heard.event == "state" else next(iter(heard.told.values())))
    heard.tell({name: float(x) if type(x) is int else x for name, x in heard.told.items()})
    assert heard.calls == [got, got]  # JavaScript has one kind of number


@pytest.mark.parametrize("what", TOLD)
def test_all_else_is_turned_away_and_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, session: dict[str, Any], what: str, caplog: Any
) -> None:
    heard = Heard(monkeypatch, session, what)
    before = {**session}
    wrong: list[Any] = [*JUNK.values(), {}, {**heard.told, "more": 1}, {1: 2}]
    for name in heard.told:
        wrong.append({field: value for field, value in heard.told.items() if field != name})
        may_be_none = heard.told[name] is None or (what, name) in MAY_BE_NONE
        wrong += [
            {**heard.told, name: junk} for junk in JUNK.values() if not _is_right(what, name, junk)
        ]
        if not may_be_none:
            wrong.append({**heard.told, name: None})
    with caplog.at_level(logging.WARNING, logger="polysee"):
        for sent in wrong:
            heard.tell(sent)
            del session[KEY]
            assert heard.calls == [], str(sent)[:200]
            assert session == before
    assert len(caplog.records) == len(wrong)
    assert "xxx" not in caplog.text  # nothing of what came is in the log
    assert {record.levelname for record in caplog.records} == {"WARNING"}


def _is_right(what: str, name: str, junk: object) -> bool:
    """Whether this value is valid in a field of this name."""
    if what == "wordmap" and name != "chosen":
        right: dict[str, list[object]] = {"found": ["1"], "lasso": [None], "view": [None, [1, 2, 3]]}
        return junk in right.get(name, [])
    if name in ("threshold", "alone", "least"):
        return junk == 0.5
    if name in ("query", "key", "token", "pattern", "chosen", "pin", "all", "special", "view"):
        return junk is None
    return name == "on" and junk == [1, 2, 3]


@pytest.mark.parametrize(
    ("what", "changes"),
    [
        ("cell", {"row": 3}),
        ("cell", {"column": 5}),
        ("head", {"layer": 3}),
        ("head", {"head": 5}),
        ("head", {"head": True}),
        ("plane", {"depth": -1}),
        ("bar", {"index": 3}),
        ("layer", {"on": [0, None]}),
        ("layer", {"level": "product "}),
        ("layer", {"head": -2}),
        ("layer", {"threshold": 1.01}),
        ("layer", {"threshold": True}),
        ("layer", {"special": 1}),
        ("layer", {"up": "yes"}),
        ("layer", {"open": {"layer": 1}}),
        ("layer", {"open": {"layer": 10**6, "head": 0}}),
        ("overview", {"pattern": 99}),
        ("overview", {"direction": "towards"}),
        ("space", {"view": [1, 2, 3]}),
        ("space", {"view": [1, 1e9]}),
        ("steps", {"row": 10**5}),
    ],
)
def test_names_and_ranges_are_the_picture_s(
    monkeypatch: pytest.MonkeyPatch, session: dict[str, Any], what: str, changes: Mapping[str, Any]
) -> None:
    heard = Heard(monkeypatch, session, what)
    heard.tell({**heard.told, **changes})
    assert heard.calls == []


def test_a_layer_is_left_upwards_or_for_another(
    monkeypatch: pytest.MonkeyPatch, session: dict[str, Any]
) -> None:
    heard = Heard(monkeypatch, session, "layer")
    for more in ({"up": True}, {"open": {"layer": 4, "head": 11}}):
        heard.tell({**LAYER, **more})
        assert heard.calls[-1] == {**LAYER, **more}


ERRORS = [KeyError, IndexError, TypeError, ValueError, OverflowError, AttributeError, ZeroDivisionError]


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("what", TOLD)
def test_a_fault_of_ours_is_seen(
    monkeypatch: pytest.MonkeyPatch, session: dict[str, Any], what: str, error: type[Exception]
) -> None:
    def broken(_: object) -> None:
        raise error("ours")

    heard = Heard(monkeypatch, session, what, broken)
    with pytest.raises(error, match="ours"):
        heard.tell(heard.told)


def test_an_event_of_a_page_that_was_left_meanwhile_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[object] = []
    session: dict[str, object] = {"bars": {"bar": {"index": 2}}}
    monkeypatch.setattr("ui.session.st.session_state", session)
    events.receive(events.bar(3), "bars", "bar", heard.append)
    session.clear()  # another page is shown, which has no such picture
    events.receive(events.bar(3), "bars", "bar", heard.append)
    assert heard == [{"index": 2}]


def test_a_server_tells_of_it_and_the_page_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Exception] = []

    def tell(error: Exception) -> bool:
        told.append(error)
        return True

    context = SimpleNamespace(on_script_error=tell)
    monkeypatch.setattr(events, "get_script_run_ctx", lambda **_: context)

    def broken(sent: Mapping[str, Any]) -> None:
        raise KeyError(sent["index"])

    events.pass_on(events.bar(3), {"index": 2}, broken)
    (error,) = told
    assert isinstance(error, KeyError)
    assert error.__traceback__ is not None
    events.pass_on(events.bar(3), {"index": 3}, broken)  # never reaches our code
    assert told == [error]
    context.on_script_error = lambda _: False  # it does not show the error: Streamlit is to
    with pytest.raises(KeyError):
        events.pass_on(events.bar(3), {"index": 2}, broken)


def test_each_state_has_a_schema_and_fits_it() -> None:
    """The initial states in the pictures' headers have the form of their events."""
    state = layer_state.start({}, 12, (9, 9))
    assert schema.read(schema.STATES["layer"], {**state, "on": [*state["on"]]}) == {
        **state,
        "on": [*state["on"]],
    }
    assert set(schema.STATES) <= set(figure._COMPONENTS)
