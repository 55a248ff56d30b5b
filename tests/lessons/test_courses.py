"""Courses: sessions made from lessons, own ones as well; a mistake names the file and the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.lessons import BadLesson, courses, find_course, lessons, readable
from core.lessons.courses import read
from core.lessons.parsing import FOLDER

GOOD = """# A course
aim: To see
  more.

## One
lessons: one-vector, tokens
minutes: 60
can: Say one thing.
can: Say another,
  in two lines.
[Look](/heads?t=a)
Some *words*
and more.

## Two
lessons: heads
home: nearness
minutes: 45
"""


def written(folder: Path, text: str, name: str = "course-own.md") -> Path:
    (folder / name).write_text(text, "utf-8")
    return folder / name


def test_a_course_is_read(tmp_path: Path) -> None:
    course = read(written(tmp_path, GOOD), lessons())
    one, two = course.sessions
    assert (course.name, course.title, course.aim, course.audience) == (
        "own",
        "A course",
        "To see more.",
        "",
    )
    assert [lesson.name for lesson in one.lessons] == ["one-vector", "tokens"]
    assert (one.minutes, one.can) == (60, ("Say one thing.", "Say another, in two lines."))
    assert one.links == (("Look", "/heads?t=a"),)
    assert one.text == "Some *words*\nand more."
    assert one.missing == ()
    assert [lesson.name for lesson in two.home] == ["nearness"]
    assert two.can == (two.lessons[0].aim,)
    assert [lesson.name for lesson in two.missing] == ["softmax"]  # heads builds on it


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("# A course", "A course", "line 1: a course begins"),
        ("aim: To see\n  more.\n", "", "line 1: the head has no line “aim: …”"),
        ("tokens\n", "tokenz\n", "line 6: there is no lesson “tokenz”"),
        ("minutes: 60", "minutes: soon", "line 7: a session takes 1 to"),
        ("minutes: 60\n", "", "line 5: this session has no line “minutes: …”"),
        ("lessons: heads\n", "", "this session has no line “lessons: …”"),
        ("## One", "## One\n" + "x\n" * 130, "at most 130 lines"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, old: str, new: str, why: str) -> None:
    assert old in GOOD
    with pytest.raises(BadLesson, match=r"course-own\.md") as raised:
        read(written(tmp_path, GOOD.replace(old, new, 1)), lessons())
    assert why in str(raised.value)


def test_own_courses_stand_where_own_lessons_do_and_are_no_lessons(tmp_path: Path) -> None:
    for name in ("01-one-vector.md", "02-tokens.md", "misconceptions.md"):
        written(tmp_path, (FOLDER / name).read_text("utf-8"), name)
    written(tmp_path, GOOD.partition("## Two")[0])
    written(tmp_path, "# Another\n", "course-bad.md")
    assert ([one.name for one in readable(tmp_path)[0]], readable(tmp_path)[1]) == (
        ["one-vector", "tokens"],
        (),
    )
    found, wrong = courses(tmp_path)
    assert [one.name for one in found] == ["own"]
    assert len(wrong) == 1
    assert find_course("own", tmp_path) is found[0]
    assert find_course("bad", tmp_path) is None


def test_ours_has_six_sessions_and_every_lesson_once_after_those_it_builds_on() -> None:
    (course,), wrong = courses()
    assert wrong == ()
    assert len(course.sessions) == 6
    taken = [one.name for session in course.sessions for one in (*session.lessons, *session.home)]
    assert sorted(taken) == sorted(one.name for one in lessons())
    assert not any(session.missing for session in course.sessions)
    for session in course.sessions:  # the plan of a lesson in class is 45 minutes
        assert session.minutes == 45 * len(session.lessons)


def test_the_example_of_the_guide_is_a_course(tmp_path: Path) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "lessons.md").read_text("utf-8")
    example = guide.partition("## A course\n")[2].partition("```markdown\n")[2].partition("```")[0]
    course = read(written(tmp_path, example), lessons())
    assert [one.title for one in course.sessions] == ["A word in numbers"]
    assert course.sessions[0].links
