"""The sheets as HTML: the content of each, and answers only in the key."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.lessons import Answer, Choice, Lesson, keys, lessons, plan, read
from ui.paper.sheets import Around, before_and_after, key, notes, plan_of, questions
from ui.paper.without_buttons import for_paper

OURS = lessons()
AROUND = Around(("lesson 1, “First”",), "lesson 3, “Third”", "MiniLM")
# Words that occur nowhere else: SECRET in everything that reveals an answer, HOSTILE in all shown text.
HOSTILE = "<img src=x onerror=alert(1)>"
MADE = f"""# Title {HOSTILE}
aim: Aim {HOSTILE}
minutes: 5
needs: nothing
model: minilm
concepts: 1
a: the cat {HOSTILE}
second a: the dog sat
one: cat
second one: dog

## Choice {HOSTILE}
[Compare {HOSTILE}](/compare?a={{a}})
The row of a *query* is {HOSTILE} in {{a}}.
let secretname = "SECRETLET"
ask: Which is it {HOSTILE}?
covers: secretcover
choices: {{one}} | other {HOSTILE}
key: {{"if": [{{"=": ["SECRETKEY", "x"]}}, "{{one}}", "{{one}}"]}}
reveal: SECRETREVEAL {{secretname}} {HOSTILE}

## Number
[Heads](/heads?t={{a}}&l=4&h=SECRETSTATE)
ask: How much?
number: ± 0.25
key: 12.345
reveal: SECRETREVEAL {{key:1}}.

## Click
[Heads](/heads?t={{a}})
ask: Which head?
click: l, h
key: {{"list": [77, 88]}}
reveal: SECRETREVEAL {{key}}
"""


@pytest.fixture
def made(tmp_path: Path) -> Lesson:
    (tmp_path / "11-made.md").write_text(MADE)
    return read(tmp_path / "11-made.md")


def answers(one: str) -> list[Answer | str]:
    """Answers as `core.lessons.answer` computes them."""
    return [
        Answer(one, (one, f"other {HOSTILE}"), "SECRETREVEAL"),
        Answer(12.345, (), "SECRETREVEAL 12\\.3\\."),
        Answer((77.0, 88.0), (), "SECRETREVEAL 77, 88"),
    ]


def visible(page: str) -> str:
    """The text of a page without tags."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


@pytest.mark.parametrize("second", [False, True])
def test_questions_and_notes_know_no_answers(made: Lesson, second: bool) -> None:
    texts = made.with_second() if second else made.texts
    for page in (questions(made, texts), notes(made, texts, AROUND)):
        assert "secret" not in page.lower()  # in no tag and no attribute either
        assert not re.search(r"12\.3|77|88", page)


def test_the_question_before_and_after_stands_twice_on_its_sheet_and_is_not_answered() -> None:
    (lesson,) = (one for one in OURS if one.name == "next-word")
    assert lesson.check is not None
    page = before_and_after(lesson, lesson.texts)
    said = visible(page)
    for words in (lesson.check.question, *lesson.check.answers):
        assert said.count(words) == 2
    assert said.count("Because:") == 2
    assert "Now I can …" in said
    assert "On the sheet Before and after" in " ".join(
        visible(plan_of(lesson, AROUND, [""] * len(lesson.steps))).split()
    )
    assert "class=right" not in page
    assert lesson.check.because not in said


def test_a_lesson_without_such_a_question_has_the_line_alone(made: Lesson) -> None:
    said = visible(before_and_after(made, made.texts))
    assert "Now I can …" in said
    assert "Because:" not in said


def test_the_plan_has_each_answer_and_not_what_is_told_of_it(made: Lesson) -> None:
    page = plan_of(made, AROUND, answers("SECRETKEY"))
    said = visible(page)
    assert page.count("SECRETKEY") == 1
    for one in ("SECRETKEY", r"12\.3[45]", "layer 77, head 88"):
        assert re.search(rf"then Reveal ?: *{one}", said)
    assert not re.search("SECRET(?!KEY)", page)
    without = plan_of(made, AROUND, ["No model."] * len(made.steps))
    assert "secret" not in without.lower()


def test_a_choice_looks_the_same_whichever_is_right(made: Lesson) -> None:
    page = questions(made, made.texts)
    (listed,) = re.findall(r'<ul class="choices">(.*?)</ul>', page)
    assert set(re.findall(r"<li[^>]*>", listed)) == {"<li>"}
    assert listed.startswith("<li>cat</li>")


def test_questions_say_what_they_are_about_and_the_key_does_not(made: Lesson) -> None:
    said = "The row of a <em>query</em> is"
    assert said in questions(made, made.texts)
    assert said not in key(made, made.texts, AROUND, [""] * len(made.steps), [])


def test_questions_have_room_for_each_kind_of_prediction(made: Lesson) -> None:
    said = visible(questions(made, made.texts))
    assert "± 0.25 counts as right" in said
    assert re.search(r"My choice in the picture: layer .* head", said)
    assert said.count("Because:") == said.count("The model says:") == 3
    assert "Name" in said


def test_the_key_has_answers_with_their_words_and_those_of_the_other_sentence(made: Lesson) -> None:
    page = key(made, made.texts, AROUND, answers("cat"), answers("dog"))
    assert "<li class=right>cat</li>" in page
    said = visible(page)
    assert said.count("SECRETREVEAL") == 3
    assert re.search(r"Answer: *12\.3[45] *\(± 0\.25 counts as right\)", said)
    assert "12.3." in said  # without the signs that keep it text
    assert re.search(r"Answer: *layer 77, head 88", said)
    assert "the dog sat" in said
    # Whose sentence stands there once, so that the key can be read alone.
    assert re.search(r"With the other sentence(?: \([^)]*\))?: *dog", said)
    assert "MiniLM" in said


def test_the_key_says_why_there_is_no_answer(made: Lesson) -> None:
    without: list[Answer | str] = ["No <head> here."] * 3
    page = key(made, made.texts, AROUND, without, [])
    assert page.count("No &lt;head&gt; here.") == 3
    assert "other sentence" not in page
    none = [Answer("neither", ("cat", "dog"), "So."), *answers("cat")[1:]]
    assert "None of them is right: the answer is neither." in visible(
        key(made, made.texts, AROUND, none, [])
    )


def test_hostile_words_stay_words(made: Lesson) -> None:
    pages = (
        notes(made, made.texts, AROUND),
        questions(made, made.texts),
        before_and_after(made, made.texts),
        key(made, made.texts, AROUND, answers("cat"), answers("dog")),
        plan_of(made, AROUND, [""] * len(made.steps)),
    )
    for page in pages:
        assert "<img" not in page
        assert "onerror=alert" in page  # as text


def test_notes_have_the_aim_the_words_of_each_step_and_the_terms(made: Lesson) -> None:
    said = visible(notes(made, made.texts, AROUND))
    assert "Aim." in said
    assert "What a token looks for" in said  # of “query”, in the glossary
    assert "lesson 1, “First”" in said


@pytest.mark.parametrize("lesson", OURS, ids=lambda lesson: lesson.name)
def test_the_sheets_of_our_lessons_name_all_steps_and_choices(lesson: Lesson) -> None:
    asked = visible(questions(lesson, lesson.texts))
    said = visible(notes(lesson, lesson.texts, AROUND))
    planned = plan_of(lesson, AROUND, [""] * len(lesson.steps))
    for i, step in enumerate(lesson.steps, 1):
        for page in (asked, said, visible(planned)):
            assert f"{i}. {step.title}" in page
        if isinstance(step.prediction, Choice):
            assert all(one in asked for one in step.prediction.options if "{" not in one)
    for page in (asked, said, visible(planned)):
        assert "{" not in page
    rows = re.findall(r'<td class="minutes">(\d+)–(\d+)</td>', planned)
    assert [(int(a), int(b)) for a, b in rows] == [(one.start, one.end) for one in plan(lesson)]
    assert rows[-1][1] == "45"


def test_the_sentences_are_named_as_on_the_page() -> None:
    first, nearness = OURS[0], OURS[2]
    said = visible(questions(first, first.with_second()))
    assert f"A: “{first.second['a']}”" in said
    assert f"B: “{first.second['b']}”" in said
    assert first.texts["a"] not in said
    said = visible(questions(nearness, nearness.texts))
    assert f"“{nearness.texts['s1']}” “{nearness.texts['s2']}”".replace("'", "&#x27;") in re.sub(
        r" (&nbsp;|\s)+", " ", said
    )


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        ("It is sure. Press *Start* and watch. It learns.", "It is sure. It learns."),
        ("Predict, then press Reveal, and then Play below it.", ""),
        ("Click on “Play”!\nThen look.", "Then look."),
        ("First.\n\nNow press *Play*.\n\nLast.", "First.\n\nLast."),
        ("The keys press on, and *Start* is a word.", "The keys press on, and *Start* is a word."),
        ("Newspapers press him. A click is heard.", "Newspapers press him. A click is heard."),
        ("- press *A*\n- look", "- press *A*\n- look"),
        ("", ""),
    ],
)
def test_a_sentence_that_names_a_button_is_not_printed(said: str, printed: str) -> None:
    assert for_paper(said) == printed


@pytest.mark.parametrize("lesson", OURS, ids=lambda one: one.name)
def test_what_a_student_gets_is_about_the_lesson_and_not_about_the_app(lesson: Lesson) -> None:
    for texts in (lesson.texts, lesson.with_second()):
        said = visible(notes(lesson, texts, AROUND) + questions(lesson, texts)).lower()
        for word in ("press reveal", "press start", "then play", "server", "download", "stands in"):
            assert word not in said


def test_a_sheet_says_what_the_lesson_takes_and_builds_on() -> None:
    said = visible(notes(OURS[0], OURS[0].texts, AROUND))
    assert "at a computer, with MiniLM. It builds on lesson 1, “First”." in said
    said = visible(notes(OURS[0], OURS[0].texts, Around((), "", "MiniLM")))
    assert "It needs no other lesson." in said


def test_only_a_step_that_reads_a_text_has_an_answer_for_the_other() -> None:
    (copies,) = (one for one in OURS if one.name == "it-copies")
    assert [keys.reads_texts(copies, one) for one in copies.steps] == [True, True, True, False, True]
    some: list[Answer | str] = [Answer(1.0, (), "")] * 5
    assert key(copies, copies.texts, AROUND, some, some).count("With the other sentence") == 4
