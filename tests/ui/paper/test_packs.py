"""A lesson's pack: its slides and their answers, a rubric, all in one document or file."""

from __future__ import annotations

import html
import io
import re
import zipfile
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.lessons import Answer, Click, Lesson, courses, lessons, misconceptions_of
from core.lessons.parsing import FOLDER
from core.lessons.pictured import Bars
from tools import packs as tool
from ui.paper import links, packs, served
from ui.paper.markdown_html import inline

OURS = lessons()
FIRST = OURS[0]
EACH = pytest.mark.parametrize("lesson", OURS, ids=lambda lesson: lesson.name)


def plain(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


@EACH
def test_the_slide_of_an_answer_follows_that_of_its_question(lesson: Lesson) -> None:
    count = len(lesson.steps)
    clicked = [one.prediction for one in lesson.steps]
    values = [(1.0,) * len(one.keys) if isinstance(one, Click) else "" for one in clicked]
    told = [Answer(value, (), f"TOLD{i}.") for i, value in enumerate(values)]
    shown = [Bars((f"bar{i}", "other"), (0.25, 0.5)) for i in range(count)]
    made = packs.slides(lesson, lesson.texts, told, shown)
    assert len(made) == 2 * count + 2
    assert lesson.check is not None
    because = plain(packs._said(lesson.check.because, lesson.texts))
    assert not [leaf for leaf in made if because in plain(leaf)]  # nor is that question answered
    for i, step in enumerate(lesson.steps):
        where = [at for at, leaf in enumerate(made) if f"TOLD{i}." in leaf]
        asked = [at for at, leaf in enumerate(made) if f"<h2>{inline(step.title)}</h2>" in leaf]
        assert (asked, where) == ([2 * i + 1], [2 * i + 2]), step.title
        assert [
            at for at, leaf in enumerate(made) if f"bar{i}: " in leaf or f"bar{i} 0.25" in leaf
        ] == where
        parts = [one for one in re.split(r"\{.*?\}|\n|\*", step.reveal) if len(one) > 20]
        assert not [one for one in parts if one in plain("".join(made))]  # only what was computed


@EACH
def test_a_rubric_has_the_right_answer_each_idea_and_three_levels(lesson: Lesson) -> None:
    made = packs.rubric(lesson, lesson.texts)
    check = lesson.check
    assert check is not None
    assert made.count("class=right") == 1
    known = misconceptions_of(FOLDER)
    for name in filter(None, check.misconceptions):
        assert known[name].says in plain(made)
        assert known[name].sources[0] in plain(made)
    examples = [plain(packs._said(level.example, lesson.texts)) for level in check.rubric]
    places = [plain(made).index(f"“{one}”") for one in examples]
    assert places == sorted(places)
    assert "{" not in made


def test_what_a_teacher_types_stays_text() -> None:
    bad = {**FIRST.texts, "word": "<script>x</script>"}
    none = ["<script>"] * len(FIRST.steps), [None] * len(FIRST.steps)
    for made in ("".join(packs.slides(FIRST, bad, *none)), packs.rubric(FIRST, bad)):
        assert "<script" not in made
        assert "&lt;script" in made


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> TestClient:
    # What is computed into them, for minutes, is looked at where it is computed anyway: in the folder.
    monkeypatch.setattr(served, "answers", lambda lesson, second: ["Not here."] * len(lesson.steps))
    monkeypatch.setattr(served, "_pictures", lambda lesson, texts: [None] * len(lesson.steps))
    return TestClient(Starlette(routes=served.routes()))


def test_a_pack_is_all_sheets_in_one_document(client: TestClient) -> None:
    made = served._content(FIRST, served.Sheet(FIRST.name, "pack", False))
    kinds = re.findall(r'<article class="leaf(?: slide)?" data-kind="(\w+)">', made)
    slides = ["slides"] * (2 * len(FIRST.steps) + 2)
    assert kinds == ["check", "questions", "notes", "plan", *slides, "key", "rubric"]
    assert client.get(f"/paper/{FIRST.name}/rubric").status_code == 200
    assert links.address(FIRST.name, "pack") in client.get(f"/paper/{FIRST.name}/slides").text


def test_all_packs_are_one_file_of_pages_that_need_no_server(client: TestClient) -> None:
    reply = client.get("/paper/packs.zip")
    assert reply.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(reply.content)) as made:
        assert made.testzip() is None
        names = made.namelist()
        assert names[0] == "course-six-sessions.html"
        assert [one[3:-5] for one in names[1:]] == [one.name for one in OURS]
        page = made.read(names[1]).decode()
    nav = page.partition("<nav")[2].partition("</nav>")[0]
    assert "href" not in nav
    assert page.count('class="leaf"') == 6
    assert page.count('class="leaf slide"') == 2 * len(FIRST.steps) + 2


def test_the_command_writes_the_same_pages(client: TestClient, tmp_path: Path) -> None:
    paths = tool.write(tmp_path / "packs")
    assert [one.name for one in paths] == sorted(
        [one.name for one in paths], key=lambda name: (name[0] != "c", name)
    )
    assert all(one.read_text("utf-8").startswith("<!doctype html>") for one in paths)


def test_a_course_is_a_page_with_its_links(client: TestClient) -> None:
    (course,), wrong = courses()
    assert wrong == ()
    reply = client.get(links.course(course.name))
    assert reply.status_code == 200
    for session in course.sessions:
        for one in (*session.lessons, *session.home):
            assert f"lesson={one.name}.1" in reply.text
            asks = one.steps[0].model == "smollm2"
            assert (
                "m=smollm2&amp;" in reply.text.partition(f"lesson={one.name}.1")[0].rpartition("<a ")[2]
            ) is asks
            assert links.address(one.name, "pack") in reply.text
        for words in (session.title, *session.can):
            assert words in plain(reply.text)
    assert "/next-word?t=" in reply.text
    shown, own = reply.text.split("<details class=own>")
    assert ".md" not in plain(shown)  # a visitor sees no file
    assert f"lessons/course-{course.name}.md" in own  # the file that a teacher copies
    german = client.get(f"{links.course(course.name)}?lang=de").text
    every = re.findall(r'href="(/[^"]*)"', german.partition("<main>")[2])
    assert len(every) > 20
    assert all("lang=de" in one for one in every)
    assert "lesson=heads.6&amp;lang=de" in german  # session three says that six asks it again
    assert client.get("/paper/course/nobody").status_code == 404
