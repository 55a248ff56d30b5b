"""The plan of a lesson of 45 minutes: whole minutes, nothing overlaps, and it fits the lesson."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.lessons import Lesson, lessons, plan, read
from core.lessons.planning import MINUTES

OURS = lessons()


def made(
    folder: Path, *, minutes: int = 5, steps: int = 3, second: bool = True, sentence: bool = True
) -> Lesson:
    """A lesson with equal steps."""
    head = f"# Title\naim: To see.\nminutes: {minutes}\nneeds: nothing\nmodel: minilm\nconcepts: 1\n"
    texts = "a: the cat sat\n" + ("second a: the dog sat\n" if second else "")
    link = "/compare?a={a}" if sentence else "/compare?w=bank"
    step = f'## Step\n[Compare]({link})\nask: Where?\nchoices: x | y\nkey: "x"\nreveal: There.\n'
    file = folder / "11-made.md"
    file.write_text(head + texts + step * steps)
    return read(file)


@pytest.mark.parametrize("lesson", OURS, ids=lambda lesson: lesson.name)
def test_our_lessons_take_45_minutes(lesson: Lesson) -> None:
    phases = plan(lesson)
    assert sum(phase.minutes for phase in phases) == MINUTES == 45
    starts = [0]
    for phase in phases:
        assert phase.start == starts[-1]
        starts.append(phase.end)
    steps = [phase for phase in phases if phase.step]
    assert [phase.step for phase in steps] == [*range(1, len(lesson.steps) + 1)]
    for phase in steps:
        assert min(phase.predict, phase.vote, phase.talk) >= 1
        assert phase.predict + phase.vote + phase.talk == phase.minutes
    # One minute for a single student becomes about three in a class.
    assert abs(sum(phase.minutes for phase in steps) - 3 * lesson.minutes) <= 2
    assert phases[0].kind == "starter"
    assert phases[-1].kind == "wrap-up"
    assert [phase.kind for phase in phases].count("second") == 1


def test_a_longer_step_has_more_time(tmp_path: Path) -> None:
    lesson = made(tmp_path, minutes=8)
    file = tmp_path / "11-made.md"
    link = "[Compare](/compare?a={a})\n"
    file.write_text(file.read_text().replace(link, f"{link}{'so ' * 50}\n", 1))
    first, *others = (phase.minutes for phase in plan(read(file)) if phase.step)
    assert {first > other for other in others} == {True}
    assert len({phase.minutes for phase in plan(lesson) if phase.step}) == 1


@pytest.mark.few(60)
@pytest.mark.parametrize("minutes", range(1, 11))
@pytest.mark.parametrize("steps", [1, 2, 5, 7, 12])
@pytest.mark.parametrize("second", [True, False])
@pytest.mark.parametrize("sentence", [True, False])
def test_whatever_a_teacher_writes_adds_up(
    tmp_path: Path, minutes: int, steps: int, second: bool, sentence: bool
) -> None:
    phases = plan(made(tmp_path, minutes=minutes, steps=steps, second=second, sentence=sentence))
    assert sum(phase.minutes for phase in phases) == MINUTES
    assert all(phase.minutes >= 2 for phase in phases)
    kinds = [phase.kind for phase in phases]
    assert second or "second" not in kinds
    assert sentence or "own" not in kinds
    assert kinds.count("step") == steps


def test_a_short_lesson_leaves_time_for_the_next_one(tmp_path: Path) -> None:
    kinds = {phase.kind: phase.minutes for phase in plan(made(tmp_path, minutes=2, steps=1))}
    assert kinds == {"starter": 7, "step": 6, "second": 3, "own": 10, "next": 14, "wrap-up": 5}
