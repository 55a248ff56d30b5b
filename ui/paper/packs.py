"""A lesson's pack: besides the four sheets, its slides, its rubric, and all of it as one document.

Only the key and the rubric say what is right. A document of several sheets has a leaf for each
(`sheet.css`); each leaf is fitted to a page by itself.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from core.lessons import Check, Choice, Click, Lesson, Level, Number, Step, keys, misconceptions
from core.lessons.expressions import filled
from ui import text
from ui.paper.markdown_html import block, inline
from ui.paper.sheets import for_paper

SLIDES_A_LEAF = 2
_POINTS = ("0", "1", "2")


def leaves(sheets: Sequence[tuple[str, str]]) -> str:
    """Several sheets as one document.

    Args:
        sheets: (its kind, its HTML) of each.
    """
    return "".join(
        f'<article class="leaf" data-kind="{html.escape(kind)}">{content}</article>'
        for kind, content in sheets
    )


def rubric(lesson: Lesson, texts: Mapping[str, str]) -> str:
    """How to read the answers before and after a lesson: ideas behind the choices, points for words."""
    top = f'<p class="top"><b>Lesson {lesson.number} · Rubric</b><span>Polysee</span></p>'
    whom = "<p>For the teacher: it says what is right.</p>"
    header = f"<header>{top}<h1>{inline(lesson.title)}</h1>{whom}</header>"
    check = lesson.check
    if check is None:
        return f"{header}<section><p>This lesson has no question before and after.</p></section>"
    asked = (
        "<section><h2>The question before and after</h2>"
        f"<p><b>{_said(check.question, texts)}</b></p>{_choices(check, texts, told=True)}"
        f"<p>{_said(check.because, texts)}</p></section>"
    )
    return f"{header}{asked}{_ideas(check, texts)}{_levels(check.rubric, texts)}"


def _ideas(check: Check, texts: Mapping[str, str]) -> str:
    known = misconceptions()
    shown = zip(check.answers, check.misconceptions, strict=False)
    rows = "".join(
        f"<tr><td>{_said(answer, texts)}</td>"
        f"<td><b>{html.escape(one.says)}</b> {html.escape(one.instead)}"
        f"<br><small>{html.escape('; '.join(one.sources))}</small></td><td></td><td></td></tr>"
        for answer, name in shown
        if (one := known.get(name)) is not None
    )
    if not rows:
        return ""
    return (
        "<section><h2>What a wrong answer shows</h2><table class=ideas><thead><tr><th>Answer</th>"
        "<th>The idea, what is the case, and where to read about it</th><th>Before</th><th>After</th>"
        f"</tr></thead><tbody>{rows}</tbody></table>"
        "<p>It is a hint: somebody may have guessed.</p></section>"
    )


def _levels(levels: Sequence[Level], texts: Mapping[str, str]) -> str:
    if not levels:
        return ""
    rows = "".join(
        f"<tr><td><b>{points}</b></td><td>{_said(level.says, texts)}</td>"
        f"<td>“{_said(level.example, texts)}”</td><td></td><td></td></tr>"
        for points, level in zip(_POINTS, levels, strict=True)
    )
    return (
        "<section><h2>What is written: how to read it</h2><table><thead><tr><th>Points</th>"
        "<th>It says</th><th>For example</th><th>Before</th><th>After</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
        "<ul><li>Give the points of the highest row that a text reaches. Words of the field are not "
        "needed, and by themselves they earn nothing.</li>"
        "<li>An empty text counts as not written, not as 0. A text that contradicts itself gets "
        "at most 1.</li>"
        "<li>Mark all texts from before and after in one heap, without looking which is which. "
        "If two people mark the same ten texts, they see how far they agree.</li>"
        "<li>The texts have no names: they tell about a class and its lesson, not about a person.</li>"
        "</ul></section>"
    )


def slides(lesson: Lesson, texts: Mapping[str, str]) -> list[str]:
    """The presenter's steps on paper, two on a leaf; no answers. The picture is on the screen."""
    check = lesson.check
    question = "" if check is None else _question(_said(check.question, texts), check, texts)
    first = (
        f"<p class=where>Lesson {lesson.number}</p><h2>{inline(lesson.title)}</h2>"
        f"<p>{inline(lesson.aim)}</p>"
    )
    made = [first + (f"<p class=where>Before the lesson</p>{question}" if question else "")]
    made += [_slide(lesson, i, step, texts) for i, step in enumerate(lesson.steps, 1)]
    if question:
        again = "<p class=where>After the lesson</p><h2>The same question again</h2>"
        made.append(f"{again}{question}<p>What do you think now, and why?</p>")
    parts = [f'<section class="slide">{one}</section>' for one in made]
    return ["".join(parts[i : i + SLIDES_A_LEAF]) for i in range(0, len(parts), SLIDES_A_LEAF)]


def _slide(lesson: Lesson, number: int, step: Step, texts: Mapping[str, str]) -> str:
    said = [html.escape(one) for one in keys.sentences(lesson, step, texts)]
    sentences = f"<p class=sentences>{'<br>'.join(said)}</p>" if said else ""
    words = block(for_paper(filled(step.text, texts, text.plain)))
    asks = inline(for_paper(filled(step.question, texts, text.plain)))
    return (
        f"<p class=where>Lesson {lesson.number}, step {number} of {len(lesson.steps)} · "
        f"{html.escape(step.page_name)}</p><h2>{inline(step.title)}</h2>{sentences}{words}"
        f"<p><b>{asks}</b></p>{_room(step, texts)}"
    )


def _room(step: Step, texts: Mapping[str, str]) -> str:
    if isinstance(step.prediction, Choice):
        options = keys.options(step.prediction, texts)
        return f"<ul class=choices>{''.join(f'<li>{html.escape(one)}</li>' for one in options)}</ul>"
    if isinstance(step.prediction, Click):
        return "<p>Choose in the picture.</p>"
    assert isinstance(step.prediction, Number)
    near = step.prediction.tolerance
    return f"<p>A number{f' (± {near:g} counts as right)' if near else ''}.</p>"


def _question(words: str, check: Check, texts: Mapping[str, str]) -> str:
    return f"<p><b>{words}</b></p>{_choices(check, texts)}"


def _choices(check: Check, texts: Mapping[str, str], *, told: bool = False) -> str:
    options = "".join(
        f"<li{' class=right' if told and i == check.right else ''}>{_said(one, texts)}</li>"
        for i, one in enumerate(check.answers)
    )
    return f"<ul class=choices>{options}</ul>"


def _said(words: str, texts: Mapping[str, str]) -> str:
    return inline(filled(words, texts, text.plain))
