"""Write docs/misconceptions.md from lessons/misconceptions.md and the questions of the lessons.

.venv/bin/python -m tools.misconceptions
"""

from __future__ import annotations

from pathlib import Path

from core.lessons import Misconception, lessons, misconceptions_of
from core.lessons.parsing import FOLDER

PAGE = Path(__file__).resolve().parents[1] / "docs" / "misconceptions.md"
_HEAD = """# What people think that models do

<!-- Written by `python -m tools.misconceptions` out of lessons/misconceptions.md. -->

Ideas about language models that many people have, and that the models do not bear out. Each wrong
answer of the question before and after a lesson shows one of them. When a class is asked that question
twice, the wall counts each idea before and after, and the file of the room has these counts with the
names below.

A wrong answer is a hint, not a diagnosis: somebody may have guessed, or read too fast. What a student
writes in words says more; the rubric of each lesson, in its pack, helps to read it.

The list is ours: we chose what the lessons can show to be otherwise. A source says where an idea is
described, or what speaks against it. Where no study of learners stands beside an idea, that people have
it is our assumption; we have not measured how common any of them is. `lessons/misconceptions.md` holds
the list, and you may add to it: [Write a lesson](lessons.md#before-and-after).
"""


def page() -> str:
    """The page."""
    asked: dict[str, list[int]] = {}
    for lesson in lessons():
        for name in () if lesson.check is None else filter(None, lesson.check.misconceptions):
            if lesson.number not in asked.setdefault(name, []):
                asked[name].append(lesson.number)
    known = misconceptions_of(FOLDER)
    return "\n".join((_HEAD, *(_part(one, asked.get(one.name, [])) for one in known.values())))


def _part(one: Misconception, asked: list[int]) -> str:
    sources = "\n".join(f"- {source}" for source in one.sources)
    numbers = ", ".join(map(str, asked))
    where = f"Asked in lesson{'s' if len(asked) > 1 else ''} {numbers}." if asked else ""
    said = f"## “{one.says}”\n\n{one.instead}\n\n{sources}\n\n"
    return said + f"In files: `{one.name}`. {where}".strip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
