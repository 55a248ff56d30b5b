"""Before and after in words, and the file of a room: each count, and no formula."""

from __future__ import annotations

import csv
import io

from core.classroom import Question, Reveal, Wall, tally
from core.classroom.evidence import gathered
from core.classroom.questions import Bar, Tally
from ui.classroom import evidence

ASKED = Question("Why?", ("=a", "b", "c"), twice=True, shows=("dictionary", "", "no-such-idea"))


def test_what_changed_is_a_sentence_of_its_numbers() -> None:
    before = {str(i): (0.0, "") for i in range(5)} | {"x": (2.0, ""), "y": (1.0, "")}
    after = {str(i): (1.0, "") for i in range(4)} | {"4": (2.0, ""), "x": (2.0, ""), "y": (0.0, "")}
    said = evidence.moved(gathered(ASKED, 1, before, after))
    assert said == (
        "Of 7 who answered both times, **4** changed to the right answer, 1 away from it, "
        "1 from one wrong answer to another, 1 kept theirs (0 the right one)."
    )
    assert evidence.moved(gathered(ASKED, None, before, after)) == ""
    assert "asked once" in evidence.moved(gathered(ASKED, 1, before, None))
    (idea,) = evidence.ideas(
        gathered(ASKED, 1, before, after)
    )  # one that the list does not have is left out
    assert idea.startswith("“The model looks words up in a dictionary.”: before **5**, after **1**.")


def test_the_file_has_a_row_for_each_answer_change_and_reason_and_no_formula() -> None:
    plain = Question("=1+1?", ("@a", "b, “c”"))
    told = Reveal("", option=1)
    walls = (
        Wall(1, plain, tally(plain, (0.0, 1.0, 1.0), told), told, (("@a", "+why"),)),
        Wall(2, Question("How far?"), tally(Question("How far?"), (-2.0,)), None),
        Wall(3, ASKED, tally(ASKED, (0.0, 2.0)), None),
        Wall(4, ASKED, tally(ASKED, (1.0, 2.0), told), told),
        Wall(5, None, tally(Question("…"), ()), None),
    )
    found = gathered(ASKED, 1, {"a": (0.0, ""), "b": (2.0, "")}, {"a": (1.0, ""), "b": (2.0, "")})
    header, *rows = csv.reader(io.StringIO(evidence.table(walls, [found])))
    assert header == [*evidence.COLUMNS]
    assert rows == [
        ["answer", "1", "'=1+1?", "", "'@a", "", "1", "", "", "no", "", ""],
        ["answer", "1", "'=1+1?", "", "b, “c”", "", "2", "", "", "yes", "", ""],
        ["answer", "2", "How far?", "", "−2", "", "1", "", "", "", "", ""],
        ["answer", "3", "Why?", "", "'=a", "", "1", "", "", "", "dictionary", ""],
        ["answer", "3", "Why?", "", "b", "", "0", "", "", "", "", ""],
        ["answer", "3", "Why?", "", "c", "", "1", "", "", "", "no-such-idea", ""],
        ["answer", "4", "Why?", "", "'=a", "", "0", "", "", "no", "dictionary", ""],
        ["answer", "4", "Why?", "", "b", "", "1", "", "", "yes", "", ""],
        ["answer", "4", "Why?", "", "c", "", "1", "", "", "no", "no-such-idea", ""],
        ["change", "4", "Why?", "", "b", "'=a", "1", "", "", "", "", ""],
        ["change", "4", "Why?", "", "c", "c", "1", "", "", "", "", ""],
        ["reason", "1", "'=1+1?", "", "'@a", "", "", "", "", "", "", "'+why"],
    ]


def test_the_file_of_a_guess_has_its_text_and_what_the_model_gives_each_word() -> None:
    asked = Question("What comes next?", (), ("The sky is",), word=True)
    told = Reveal("", rows=(("blue", 3, 0.5), ("other", 0, 0.5)))
    bars = Bar("blue", 3, share=0.5), Bar("other", 0, share=0.5)
    walls = (Wall(1, asked, Tally(3, bars), told),)
    _, first, _ = csv.reader(io.StringIO(evidence.table(walls, [])))
    assert first == [
        "answer",
        "1",
        "What comes next?",
        "The sky is",
        "blue",
        "",
        "3",
        "",
        "0.5",
        "",
        "",
        "",
    ]
