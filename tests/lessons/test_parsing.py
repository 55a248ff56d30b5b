"""Files of lessons: their records, and mistakes, whose messages name the file and the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.lessons import (
    BadLesson,
    Check,
    Choice,
    Click,
    Level,
    Mark,
    Number,
    Watch,
    find,
    lessons,
    read,
    readable,
    route,
)
from core.lessons.operations import OPERATIONS

GOOD = """# A title
aim: To see something.
minutes: 5
needs: nothing
model: minilm
concepts: 1, 22
a: the cat
second a: the dog
word: cat
second word: dog

## First
[Compare](/compare?a={a}&w={word})
Some words about *{word}*,
  continued.
let share = {"weight":
  {"text": "{a}", "from": 1, "to": "{word}", "layer": 1, "head": 1}}
ask: How much?
number: ± 0.1
key: {"value": "share"}
reveal: It is {share}, or {key%}.
And more.

## Second
[Heads](/heads?t=the+big+cat)
ask: Which one?
choices: one | {word}
key: "one"
reveal: This one.

## Third
[Home](/)
ask: Which head?
covers: verdict, picture-steps-step
click: l, h
key: {"list": [1, 2]}
reveal: That one.
"""


def written(folder: Path, text: str, name: str = "01-good.md") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_a_lesson_is_read(tmp_path: Path) -> None:
    lesson = read(written(tmp_path, GOOD))
    assert (lesson.name, lesson.number, lesson.title) == ("good", 1, "A title")
    assert (lesson.aim, lesson.minutes, lesson.needs) == ("To see something.", 5, ())
    assert (lesson.model, lesson.concepts) == ("minilm", (1, 22))
    assert dict(lesson.texts) == {"a": "the cat", "word": "cat"}
    assert dict(lesson.with_second()) == {"a": "the dog", "word": "dog"}
    first, second, third = lesson.steps
    assert (first.title, first.page, first.line) == ("First", "compare", 12)
    assert first.state == (("a", "{a}"), ("w", "{word}"))
    assert first.text == "Some words about *{word}*, continued."
    assert [name for name, _ in first.values] == ["share"]
    assert first.prediction == Number(0.1)
    assert first.reveal == "It is {share}, or {key%}.\nAnd more."
    assert second.state == (("t", "the big cat"),)
    assert second.prediction == Choice(("one", "{word}"))
    assert (third.page, third.prediction) == ("", Click(("l", "h")))
    assert (first.covers, third.covers) == ((), ("verdict", "picture-steps-step"))
    assert first.page_name == "Compare"
    with pytest.raises(AttributeError):
        lesson.title = "another"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("# A title", "A title", 1),
        ("aim: To see something.\n", "", 1),
        ("minutes: 5", "minutes: 50", 3),
        ("minutes: 5", "minutes: five", 3),
        ("concepts: 1, 22", "concepts: one", 6),
        ("word: cat\n", "word cat\n", 9),
        ("second a: the dog", "second b: the dog", 8),
        ("a: the cat", "key: the cat", 7),
        ("[Compare](/compare?a={a}&w={word})\n", "", 12),
        ("a={a}&w", "a={nobody}&w", 13),
        ("a={a}&w", "a&w", 13),
        ("Some words about *{word}*", "Some words about *{nobody}*", 12),
        ('{"weight":', '{"height":', 16),
        ('"from": 1,', '"from": 1', 16),
        ('"{a}", "from"', '"{nobody}", "from"', 16),
        ("let share", "let word", 16),
        ("ask: How much?\n", "", 12),
        ("number: ± 0.1", "number: near", 19),
        ("number: ± 0.1", "number: 1\nclick: l", 12),
        ('key: {"value": "share"}', 'key: {"value": "nobody"}', 20),
        ("It is {share}", "It is {nobody}", 21),
        ("And more.", "let more = 1", 22),
        ("And more.", "key: 1", 22),
        ("choices: one | {word}", "choices: one", 27),
        ("choices: one | {word}", "choices: one | one", 27),
        ("choices: one | {word}", "choices: one | {nobody}", 27),
        ('key: "one"', 'key: "one"\nkey: "one"', 29),
        ("click: l, h", "click: ,", 35),
        ("covers: verdict", "covers: .a{color:red}", 34),
        ("covers: verdict", "covers: ver*dict", 34),
        ("covers: verdict", "covers: *", 34),
        ("second a: the dog", "second covers: verdict", 8),
    ],
)
def test_a_mistake_names_the_file_and_the_line(tmp_path: Path, old: str, new: str, line: int) -> None:
    assert GOOD.count(old) == 1 or old == "word: cat\n"
    bad = (
        GOOD.replace(old, new)
        if old != "word: cat\n"
        else GOOD.replace("\nword: cat\n", "\nword cat\n")
    )
    with pytest.raises(BadLesson, match=rf"^01-good\.md, line {line}: "):
        read(written(tmp_path, bad))


def test_what_the_head_covers_is_covered_in_all_steps(tmp_path: Path) -> None:
    head = GOOD.replace("concepts: 1, 22", "concepts: 1, 22\ncovers: numbers-*, verdict")
    first, _, third = read(written(tmp_path, head)).steps
    assert first.covers == ("numbers-*", "verdict")
    assert third.covers == ("numbers-*", "verdict", "picture-steps-step")


def test_a_step_leaves_out_parts_that_its_answer_does_not_cover(tmp_path: Path) -> None:
    text = GOOD.replace("covers: verdict", "hides: why, steps-*\ncovers: verdict")
    assert [step.hides for step in read(written(tmp_path, text)).steps[1:]] == [(), ("why", "steps-*")]
    with pytest.raises(BadLesson, match="line 34"):
        read(written(tmp_path, GOOD.replace("covers: verdict", "hides: .a{color:red}")))


def test_a_lesson_without_steps_or_with_too_many_lines_is_none(tmp_path: Path) -> None:
    with pytest.raises(BadLesson, match="steps"):
        read(written(tmp_path, GOOD.partition("## First")[0]))
    with pytest.raises(BadLesson, match="line 131"):
        read(written(tmp_path, GOOD + "\n" * 110))
    with pytest.raises(BadLesson, match="01-one-vector"):
        read(written(tmp_path, GOOD, "good.md"))


def test_lessons_stand_in_their_order(tmp_path: Path) -> None:
    written(tmp_path, GOOD.replace("needs: nothing", "needs: good"), "02-better.md")
    written(tmp_path, GOOD)
    assert [one.name for one in lessons(tmp_path)] == ["good", "better"]
    assert find("better", tmp_path) is lessons(tmp_path)[1]
    assert find("best", tmp_path) is None
    assert lessons(tmp_path / "nowhere") == ()


@pytest.mark.parametrize(
    ("name", "needs"), [("02-good.md", "nothing"), ("01-best.md", "nothing"), ("00-best.md", "good")]
)
def test_two_of_one_name_and_what_needs_a_later_one_are_refused(
    tmp_path: Path, name: str, needs: str
) -> None:
    written(tmp_path, GOOD)
    written(tmp_path, GOOD.replace("needs: nothing", f"needs: {needs}"), name)
    with pytest.raises(BadLesson):
        lessons(tmp_path)
    found, wrong = readable(tmp_path)  # the other one stays
    assert (len(found), len(wrong)) == (1, 1)


def test_what_a_teacher_reads_lists_each_operation_and_its_example_is_a_lesson(tmp_path: Path) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "lessons.md").read_text("utf-8")
    for name, operation in OPERATIONS.items():
        assert f"| `{name}` |" in guide, name
        assert operation.about in guide, name
    example = guide.partition("```markdown\n")[2].partition("```")[0]
    lesson = read(written(tmp_path, example, "11-animals.md"))
    assert (lesson.name, len(lesson.steps)) == ("animals", 1)
    assert set(lesson.second) <= set(lesson.texts)


ROUTE = """# What is it?
aim: To see it.
minutes: 2
needs: nothing
model: minilm
concepts: 1
t: she has a car
word: bank

## First
[Compare](/compare?w={word})
covers: trajectory
let count = {"count": {"tokens": "{word}"}}
*{word}* is {count} tokens,
and no more.

## Second
[Encoder–decoder](/encoder-decoder?t={t})
model: translator
It translates “{t}”.
"""


def test_the_file_00_is_the_route_whose_scenes_ask_nothing(tmp_path: Path) -> None:
    written(tmp_path, GOOD)
    written(tmp_path, ROUTE, "00-way.md")
    found = route(tmp_path)
    assert found is not None
    assert found.is_route
    assert find("way", tmp_path) is found
    assert [one.name for one in lessons(tmp_path)] == ["good"]  # it is none of them
    first, second = found.steps
    assert (first.reveal, first.text, first.question) == (
        "*{word}* is {count} tokens,\nand no more.",
        "",
        "",
    )
    assert isinstance(first.prediction, Watch)
    assert first.covers == ("trajectory",)
    assert (first.model, second.model) == ("minilm", "translator")
    assert route(tmp_path / "nowhere") is None


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("*{word}* is", "ask: Why?\n*{word}* is", 14),
        ("*{word}* is", "reveal: *{word}* is", 14),
        ("It translates “{t}”.\n", "", 17),  # no sentence
        ("“{t}”", "“{u}”", 17),
        ("{count} tokens,", "{key} tokens,", 10),
    ],
)
def test_a_mistake_in_a_scene_names_its_line(tmp_path: Path, old: str, new: str, line: int) -> None:
    with pytest.raises(BadLesson, match=rf"^00-way\.md, line {line}: "):
        read(written(tmp_path, ROUTE.replace(old, new), "00-way.md"))


def test_a_step_may_have_a_model_of_its_own(tmp_path: Path) -> None:
    lesson = read(
        written(tmp_path, GOOD.replace("ask: Which one?", "model: translator\nask: Which one?"))
    )
    assert lesson.model == "minilm"
    assert [one.model for one in lesson.steps] == ["minilm", "translator", "minilm"]


CHECK = "check: What of {a}?\nanswers: this | {word} | that\nright: {word}\nbecause: It is.\n"


def test_a_question_before_and_after_an_own_text_and_a_scale(tmp_path: Path) -> None:
    text = GOOD.replace("a: the cat\n", f"{CHECK}a: the cat\n", 1)
    text = text.replace("number: ± 0.1\n", "number: ± 0.1\nown: a\nscale: 1 {word} | −0.5 far away\n")
    lesson = read(written(tmp_path, text))
    assert lesson.check == Check("What of {a}?", ("this", "{word}", "that"), 1, "It is.")
    assert lesson.steps[0].own == "a"
    assert lesson.steps[0].scale == (Mark(-0.5, "far away"), Mark(1, "{word}"))
    more = "misconceptions: dictionary | -\nrubric: no “a” | {word} “b” | all\n  “c”\n"
    whole = GOOD.replace("a: the cat\n", f"{CHECK}{more}a: the cat\n", 1)
    check = read(written(tmp_path, whole)).check
    assert check is not None
    assert check.misconceptions == ("dictionary", "", "")
    assert check.rubric == (Level("no", "a"), Level("{word}", "b"), Level("all", "c"))
    assert read(written(tmp_path, GOOD)).check is None
    assert (lesson.steps[1].own, lesson.steps[1].scale) == ("", ())


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("a: the cat\n", "check: Why?\na: the cat\n", "needs “answers: …” too"),
        ("a: the cat\n", CHECK.replace("right: {word}", "right: no") + "a: the cat\n", "none of the"),
        ("a: the cat\n", CHECK.replace("It is", "{nobody}") + "a: the cat\n", "no “nobody”"),
        ("a: the cat\n", CHECK + "misconceptions: dictionary\na: the cat\n", "2 wrong answers"),
        ("a: the cat\n", CHECK + "misconceptions: - | nobody\na: the cat\n", "has no “nobody”"),
        ("a: the cat\n", CHECK + "rubric: no “a” | some “b”\na: the cat\n", "0, 1 and 2 points"),
        ("a: the cat\n", CHECK + "rubric: a “b” | c | d “e”\na: the cat\n", "with an example"),
        ("a: the cat\n", "rubric: a “b” | c “d” | e “f”\na: the cat\n", "belongs to a question"),
        ("± 0.1\n", "± 0.1\nown: nobody\n", "no text “nobody”"),
        ("± 0.1\n", "± 0.1\nscale: high\n", "is not a mark"),
        ("± 0.1\n", "± 0.1\nscale: 1 {nobody}\n", "no “nobody”"),
        ("± 0.1\n", "± 0.1\nscale: 1 a | 1.0 b\n", "at one place"),
        ("choices: one | {word}\n", "choices: one | {word}\nscale: 1 a\n", "belongs to a number"),
    ],
)
def test_what_is_wrong_with_them_is_said(tmp_path: Path, old: str, new: str, why: str) -> None:
    assert old in GOOD
    with pytest.raises(BadLesson, match=r"01-good.md, line \d+: ") as raised:
        read(written(tmp_path, GOOD.replace(old, new, 1)))
    assert why in str(raised.value)
