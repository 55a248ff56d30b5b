"""The app, a notebook and the command line say the same about a comparison, or refuse it alike."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import core
from core.cli import compare
from core.cli.main import main
from core.comparison import Ends, say
from core.comparison.ends import settle
from core.comparison.source import Direct
from core.comparison.word_and_ends import ask
from core.console import FAILED
from core.lessons.model_records import OfModel
from core.markdown import to_html
from core.notebook import PictureView, view_of
from core.sentences import sentence
from tests.pages import reading
from tests.pages.compare.test_page import visit
from ui import comparison

FISHING, MONEY = "A man is fishing on the river bank.", "A man is withdrawing money from the bank."
CHINESE = "我是中国人", "中国人很多"


class Case(NamedTuple):
    """Two sentences, the word in each, two ends as typed, and the beginning of what is said."""

    a: str
    b: str
    word: str
    begins: str
    word_b: str = ""
    low: str = ""
    high: str = ""

    @property
    def ends(self) -> tuple[list[str], list[str]] | None:
        """The ends for a notebook; each here is a word or two."""
        both = [[part.strip() for part in end.split(",")] for end in (self.low, self.high)]
        return (both[0], both[1]) if self.low else None


JUDGED = {
    "two meanings": Case(FISHING, MONEY, "bank", "**Two meanings:**"),
    "one meaning": Case(FISHING, "The steep bank of the river is muddy.", "bank", "**One meaning:**"),
    "not clear": Case(FISHING, "He stood on the bank and waited.", "bank", "**Not clear:**"),
    "a bare word": Case(FISHING, "The bank", "bank", "**No verdict:**"),
    "the same sentence twice": Case(FISHING, FISHING, "bank", "**The same sentence twice**"),
    "another language": Case(
        FISHING, "Wir saßen lange auf der bank im Park.", "bank", "**No verdict:**"
    ),
    "two forms": Case("Ducks nest along the river banks.", MONEY, "bank", "**Two meanings:** *banks*"),
    "named ends": Case(FISHING, MONEY, "bank", "**", low="finance, loan", high="shore"),
    "an end that names nothing": Case(
        FISHING, MONEY, "bank", "**No verdict:**", low="the", high="shore"
    ),
    "drawn from the sentences": Case(
        "A red lantern.", "The lantern of a ship.", "lantern", "**No verdict:**"
    ),
    "out of the dictionary": Case(
        "The conductor raised his baton before the orchestra.",
        "Copper is a good conductor of electricity.",
        "conductor",
        "**Two meanings:**",
    ),
    "several pieces": Case(
        "Unbelievability is a long word.", "His unbelievability was funny.", "unbelievability", "**"
    ),
    "a phrase": Case(
        "On the old river bank we sat.", "A new river bank was built.", "river bank", "**",
        low="cold", high="warm",
    ),
    "Chinese": Case(*CHINESE, "中国人", "**", low="我", high="大"),
    "markup": Case("A <b>lamp</b> & a *lamp*.", "The `lamp` of a $ship$.", "lamp", "**"),
    "from right to left": Case("ضفة النهر bank جميلة", MONEY, "bank", "**"),
}  # fmt: skip
WITHOUT = {
    "no ends": Case("A lantern.", "The lantern!", "lantern", ""),
    "two words": Case(FISHING, MONEY, "river", "", word_b="money"),
}
REFUSED = {
    "not in B": Case(FISHING, "No such word here.", "bank", "Sentence B has no “bank”."),
    "not in A": Case("No such word here.", MONEY, "bank", "Sentence A has no “bank”."),
    "another form is not there": Case(FISHING, MONEY, "bank", "Sentence B has no “shore”.", "shore"),
    "Thai, which MiniLM does not know": Case(
        "ฉันไปธนาคาร", "ธนาคาร bank", "ธนาคาร", "The model does not"
    ),
    "an unknown sign": Case("a bank 🎣", "the bank 🎣", "🎣", "The model does not know “🎣”"),
}


def _first_at_once(cases: Mapping[str, Case]) -> list[Any]:
    """One case in `make test`, the others in `make check`: each starts the app and loads a model."""
    first, *others = cases
    return [first, *(pytest.param(name, marks=pytest.mark.check) for name in others)]


@pytest.fixture(autouse=True)
def loaded_once(
    request: pytest.FixtureRequest, minilm: core.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command loads MiniLM and its double itself in one case; in the others, it takes ours."""
    if "two meanings" in request.node.name:
        return

    def load(name: str, engine: str | None = None) -> core.Model:
        assert name == "minilm"
        found: core.Model = request.getfixturevalue("minilm_hf") if engine else minilm
        return found

    monkeypatch.setattr(compare, "_load", load)


def app_of(case: Case) -> Any:
    return visit(a=case.a, b=case.b, w=case.word, w2=case.word_b, lo=case.low, hi=case.high)


def words_of(case: Case) -> tuple[str, str]:
    return case.word, case.word_b or case.word


def ends_of(case: Case, minilm: core.Model, word: str) -> Ends | None:
    """The ends that are typed, as the command line reads them; None if there are none."""
    typed = case.low, case.high
    return settle(typed, word, None, minilm.spelling) if any(typed) else None


def noted(case: Case, minilm: core.Model) -> PictureView:
    return core.compare(case.a, case.b, words_of(case), ends=case.ends, model=minilm)


def commanded(case: Case, out: Path) -> int:
    more = ["--word-b", case.word_b] * bool(case.word_b)
    more += ["--low", case.low, "--high", case.high] * bool(case.low)
    return main(["compare", case.a, case.b, "--word", case.word, *more, "--out", str(out)])


def headers(page: str) -> dict[str, Any]:
    """The header of the first picture of each kind in a saved page."""
    found: dict[str, Any] = {}
    for module, sent in re.findall(r'<div data-polysee="([^"]*)"[^>]* data-bytes="([^"]*)"', page):
        raw = base64.b64decode(sent)
        found.setdefault(module, json.loads(raw[4 : 4 + int.from_bytes(raw[:4], "little")]))
    return found


def shown_in(app: Any, file: str) -> dict[str, Any]:
    return next(header for header, _ in reading.drawn(app) if header["file"] == file)


def check_sides(picture: dict[str, Any], others: Any) -> None:
    for mine, theirs in zip(picture["sides"], others["sides"], strict=True):
        assert list(mine["parts"]) == list(theirs["parts"])
        assert (mine["word"], mine["chosen"]) == (theirs["word"], theirs["chosen"])
        np.testing.assert_allclose(mine["position"], theirs["position"], atol=1e-5)


@pytest.mark.few(1)
@pytest.mark.check
@pytest.mark.parametrize("name", _first_at_once(JUDGED))
def test_one_verdict_and_one_picture(minilm: core.Model, tmp_path: Path, name: str) -> None:
    case = JUDGED[name]
    view = noted(case, minilm)
    assert view.said[0].startswith(case.begins)
    app = app_of(case)
    assert view.said[0] in [one.value for one in app.markdown]
    captions = [one.value for one in app.caption]
    assert [one for one in view.said[1:] if one not in captions] == []
    out = tmp_path / "page.html"
    assert commanded(case, out) == 0
    page = out.read_text("utf-8")
    question = ask(Direct(minilm), (case.a, case.b), words_of(case), partial(ends_of, case, minilm))
    found = comparison.between(question)
    assert found is not None
    at_length = say.said_at_length(found, comparison.sure(found), Direct(minilm))
    assert at_length[0] == view.said[0]
    assert [one for one in at_length if to_html(one) not in page] == []
    for drawn in (shown_in(app, "polysee-trajectory"), headers(page)["trajectory"]):
        check_sides(drawn, view.picture.header)
        assert drawn["ends"] == dict(view.picture.header["ends"])


@pytest.mark.check
@pytest.mark.parametrize("name", _first_at_once(WITHOUT))
def test_without_an_axis_all_compare_by_cosine_and_give_no_verdict(
    minilm: core.Model, tmp_path: Path, name: str
) -> None:
    case = WITHOUT[name]
    view = noted(case, minilm)
    out = tmp_path / "page.html"
    assert commanded(case, out) == 0
    page = out.read_text("utf-8")
    assert to_html(view.said[0]) in page
    assert "trajectory" not in headers(page)
    app = app_of(case)
    shown = [one.value for one in app.markdown]
    # In the app, boxes for the two ends are below.
    missing = sentence("ends.missing", word=f"*{case.word}*")
    assert (missing if name == "no ends" else view.said[0]) in shown
    assert not any("eaning:**" in one for one in (*shown, *view.said, page))
    lines = view.picture.header["file"], view.picture.payload
    assert lines in [(header["file"], numbers) for header, numbers in reading.drawn(app)]


@pytest.mark.parametrize("name", _first_at_once(REFUSED))
def test_what_cannot_be_compared_is_refused_with_one_sentence(
    minilm: core.Model, tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    case = REFUSED[name]
    with pytest.raises(core.WordNotFound, match=re.escape(case.begins)) as refused:
        noted(case, minilm)
    out = tmp_path / "page.html"
    capfd.readouterr()
    assert commanded(case, out) == FAILED
    assert capfd.readouterr().err == f"Polysee: {refused.value}\n"
    assert not out.exists()


@pytest.mark.check
@pytest.mark.parametrize("name", ["not in B", "not in A", "another form is not there"])
def test_the_app_says_that_sentence_too(minilm: core.Model, name: str) -> None:
    case = REFUSED[name]
    with pytest.raises(core.WordNotFound) as refused:
        noted(case, minilm)
    (message,) = [one.value for one in app_of(case).info]
    assert str(refused.value).startswith(re.sub(r"\\(.)", r"\1", message))


@pytest.mark.check
def test_a_word_that_both_lack_is_replaced_only_where_the_words_can_be_seen(
    minilm: core.Model, tmp_path: Path
) -> None:
    case = Case(FISHING, MONEY, "shore", "")
    app = app_of(case)
    assert app.info[0].value == sentence("word.instead", wanted="shore", shown="bank")
    with pytest.raises(core.WordNotFound, match="Sentence A has no “shore”"):
        noted(case, minilm)
    assert commanded(case, tmp_path / "page.html") == FAILED


@pytest.mark.check
def test_a_notebook_shows_the_sentences_above_its_picture(minilm: core.Model) -> None:
    view = noted(JUDGED["markup"], minilm)
    assert "<b>" not in view._repr_html_()
    page = view.to_html()
    assert all(to_html(one) in page for one in view.said)
    assert html.escape("**") not in page.split("<figure>")[0].split("<h1>")[1]
    plain = core.path(FISHING, "bank", model=minilm).picture
    assert view_of(plain).said == ()


@pytest.mark.few(2)
@pytest.mark.parametrize("name", ["two meanings", "one meaning", "not clear", "a bare word"])
def test_a_lesson_has_that_verdict(minilm: core.Model, name: str) -> None:
    case = JUDGED[name]
    source = Direct(minilm)
    found = OfModel(lambda: minilm, "MiniLM", source.calibration).verdict(case.word, case.a, case.b)
    assert case.begins.strip("*:").lower() == found
