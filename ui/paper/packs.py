"""A lesson's pack: besides the four sheets, its slides, its rubric, and all of it as one document.

What the class is given says nothing of what is right. A document of several sheets has a leaf for each
(`sheet.css`); each leaf is fitted to a page by itself. A slide is a leaf that lies on its side.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from core.lessons import (
    Answer,
    Check,
    Choice,
    Click,
    Lesson,
    Level,
    Number,
    Step,
    keys,
    misconceptions,
)
from core.lessons.expressions import filled
from core.lessons.pictured import Pictured
from core.localization import _, decimal
from ui import text
from ui.paper import pictures
from ui.paper.markdown_html import block, inline
from ui.paper.sheets import Answers, answered, picture
from ui.paper.without_buttons import for_paper

_POINTS = ("0", "1", "2")


def leaves(sheets: Sequence[tuple[str, str]]) -> str:
    """Several sheets as one document.

    Args:
        sheets: (its kind, its HTML) of each.
    """
    look = {"slides": "leaf slide", "early": "leaf early"}
    return "".join(
        f'<article class="{look.get(kind, "leaf")}" data-kind="{html.escape(kind)}">{content}</article>'
        for kind, content in sheets
    )


def rubric(lesson: Lesson, texts: Mapping[str, str]) -> str:
    """How to read the answers before and after a lesson: ideas behind the choices, points for words."""
    sheet = _("Lesson {number} · {sheet}").format(number=lesson.number, sheet=_("Rubric"))
    top = f'<p class="top"><b>{sheet}</b><span>Polysee</span></p>'
    whom = _("For the teacher: it says what is right.")
    header = f"<header>{top}<h1>{inline(lesson.title)}</h1><p>{whom}</p></header>"
    check = lesson.check
    if check is None:
        none = _("This lesson has no question before and after.")
        return f"{header}<section><p>{none}</p></section>"
    title = _("The question before and after")
    asked = (
        f"<section><h2>{title}</h2>"
        f"<p><b>{_said(check.question, texts)}</b></p>{_choices(check, texts)}"
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
    title = _("What a wrong answer shows")
    heads = _heads(
        _("Answer"),
        _("The idea, what is the case, and where to read about it"),
        _("Before"),
        _("After"),
    )
    hint = _("It is a hint: somebody may have guessed.")
    return (
        f"<section><h2>{title}</h2><table class=ideas>{heads}<tbody>{rows}</tbody></table>"
        f"<p>{hint}</p></section>"
    )


def _heads(*names: str) -> str:
    return f"<thead><tr>{''.join(f'<th>{one}</th>' for one in names)}</tr></thead>"


def _levels(levels: Sequence[Level], texts: Mapping[str, str]) -> str:
    if not levels:
        return ""
    quoted = _("“{word}”")
    rows = "".join(
        f"<tr><td><b>{points}</b></td><td>{_said(level.says, texts)}</td>"
        f"<td>{quoted.format(word=_said(level.example, texts))}</td><td></td><td></td></tr>"
        for points, level in zip(_POINTS, levels, strict=True)
    )
    title = _("What is written: how to read it")
    heads = _heads(_("Points"), _("It says"), _("For example"), _("Before"), _("After"))
    rules = (
        _(
            "Give the points of the highest row that a text reaches. Words of the field are not "
            "needed, and by themselves they earn nothing."
        ),
        _(
            "An empty text counts as not written, not as 0. A text that contradicts itself gets at "
            "most 1."
        ),
        _(
            "Mark all texts from before and after in one heap, without looking which is which. If two "
            "people mark the same ten texts, they see how far they agree."
        ),
        _("The texts have no names: they tell about a class and its lesson, not about a person."),
    )
    listed = "".join(f"<li>{one}</li>" for one in rules)
    return (
        f"<section><h2>{title}</h2><table>{heads}<tbody>{rows}</tbody></table>"
        f"<ul>{listed}</ul></section>"
    )


def slides(
    lesson: Lesson, texts: Mapping[str, str], answers: Answers, shown: Sequence[Pictured | None]
) -> list[str]:
    """The slides, one a page: for each step its question, and then its answer with its picture.

    The question before and after the lesson is the first and the last; nothing answers it.

    Args:
        lesson: the lesson.
        texts: its texts, the first or the second.
        answers: the answers for these texts.
        shown: the picture of each step.
    """
    check, title = lesson.check, inline(lesson.title)
    number = _("Lesson {number}").format(number=lesson.number)
    if check is None:
        made = [_slide(number, f"<h1>{title}</h1><p>{inline(lesson.aim)}</p>")]
    else:  # the aim would answer it
        question = _question(_said(check.question, texts), check, texts)
        before, after = _("Before the lesson"), _("After the lesson")
        made = [_slide(f"{number} · {before}", f"<h1>{title}</h1>{question}")]
    for i, step in enumerate(lesson.steps):
        made += [_asked(lesson, i + 1, step, texts), _told(lesson, i + 1, texts, answers[i], shown[i])]
    if check is not None:
        again, now = _("The same question again"), _("What do you think now, and why?")
        last = f"<h2>{again}</h2>{question}<p>{now}</p>"
        made.append(_slide(f"{number} · {after}", last))
    return made


def _slide(where: str, content: str) -> str:
    return f"<p class=where><span>{where}</span><span>Polysee</span></p><div>{content}</div>"


def _asked(lesson: Lesson, number: int, step: Step, texts: Mapping[str, str]) -> str:
    """The slide of a question, without any answer."""
    said = [html.escape(one) for one in keys.sentences(lesson, step, texts)]
    sentences = f"<p class=sentences>{'<br>'.join(said)}</p>" if said else ""
    words = block(for_paper(filled(step.text, texts, text.plain)))
    where = f"{_where(lesson, number)} · {html.escape(step.page_name)}"
    content = (
        f"<h2>{inline(step.title)}</h2>{sentences}<div class=about>{words}</div>"
        f"{_asks(step, texts)}{_room(step, texts)}"
    )
    return _slide(where, content)


def _asks(step: Step, texts: Mapping[str, str]) -> str:
    asks = inline(for_paper(filled(step.question, texts, text.plain)))
    return f"<p class=asks>{asks}</p>"


def _told(
    lesson: Lesson,
    number: int,
    texts: Mapping[str, str],
    answer: Answer | str,
    shown: Pictured | None,
) -> str:
    """The slide of an answer: what the model says beside its picture."""
    step = lesson.steps[number - 1]
    drawn = picture(texts, answer, shown)
    if isinstance(answer, Answer) and isinstance(answer.key, float) and not drawn:
        drawn = pictures.line(step, texts, answer.key)
    said = f"<div>{answered(step, answer, lettered=True)}</div>"
    beside = " class=pair" if drawn else ""
    model = _("The model’s answer")
    content = f"{_asks(step, texts)}<div{beside}>{said}{drawn}</div>"
    return _slide(f"{_where(lesson, number)} · {model}", content)


def _where(lesson: Lesson, number: int) -> str:
    return _("Lesson {number}, step {step} of {steps}").format(
        number=lesson.number, step=number, steps=len(lesson.steps)
    )


def _room(step: Step, texts: Mapping[str, str]) -> str:
    """What the class chooses from: options, the picture on the screen, or a line of numbers."""
    if isinstance(step.prediction, Choice):
        options = keys.options(step.prediction, texts)
        return _lettered([html.escape(one) for one in options])
    if isinstance(step.prediction, Click):
        said = _("Choose in the picture.")
        return f"<p>{said}</p>"
    assert isinstance(step.prediction, Number)
    near = step.prediction.tolerance
    number = _("A number (± {by} counts as right).").format(by=decimal(f"{near:g}"))
    said = f"<p>{number}</p>" if near else "<p>" + _("A number.") + "</p>"
    return said + pictures.line(step, texts)


def _lettered(options: Sequence[str]) -> str:
    return f"<ol class=letters>{''.join(f'<li>{one}</li>' for one in options)}</ol>"


def _question(words: str, check: Check, texts: Mapping[str, str]) -> str:
    options = _lettered([_said(one, texts) for one in check.answers])
    return f"<p class=asks>{words}</p>{options}"


def _choices(check: Check, texts: Mapping[str, str]) -> str:
    """The answers to a question before and after, the right one marked."""
    options = "".join(
        f"<li{' class=right' if i == check.right else ''}>{_said(one, texts)}</li>"
        for i, one in enumerate(check.answers)
    )
    return f"<ul class=choices>{options}</ul>"


def _said(words: str, texts: Mapping[str, str]) -> str:
    return inline(filled(words, texts, text.plain))
