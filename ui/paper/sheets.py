"""The sheets of a lesson as HTML. Those for the class receive no answers: plan and key do."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from core.lessons import Answer, Choice, Click, Lesson, Number, Phase, Step, keys, plan
from core.lessons.expressions import filled, shown
from core.lessons.pictured import Pictured
from core.localization import _, decimal, ngettext
from ui import text
from ui.lessons.link_keys import called
from ui.page import terms
from ui.paper import pictures
from ui.paper.markdown_html import block, inline
from ui.paper.without_buttons import for_paper, sentences_of

MOST_TERMS = 8  # on the notes: more would leave no room
_RULED = "<i></i>" * 40  # as many lines as a page has; those without room are cut off
_WIDE, _SHORT = '<span class="blank"></span>', '<span class="blank short"></span>'


@dataclass(frozen=True)
class Around:
    """The lesson's surroundings on a sheet: other lessons, and the model.

    Attributes:
        before: the lessons that it needs, "lesson 4, Position".
        after: the lesson after it; "" for the last.
        model: the name of the model in a sentence.
    """

    before: tuple[str, ...]
    after: str
    model: str


Answers: TypeAlias = Sequence[Answer | str]  # of each step; or why there is none


def notes(lesson: Lesson, texts: Mapping[str, str], around: Around) -> str:
    """The text of the lesson, the terms that it uses, and room to write; no answers."""
    steps = [
        f"<section>{head}{_lines_of(step, texts)}</section>"
        for head, step in zip(_heads(lesson, texts), lesson.steps, strict=True)
    ]
    said = "\n".join(step.text for step in lesson.steps)
    defined = "".join(
        f"<dt>{html.escape(one.name)}</dt><dd>{html.escape(one.meaning)}</dd>"
        for one in terms.named_in(said)[:MOST_TERMS]
    )
    title = _("Words of the field")
    words = f"<section><h2>{title}</h2><dl>{defined}</dl></section>" if defined else ""
    noticed = _("What I noticed")
    room = f'<section class="fills"><h2>{noticed}</h2>{_ruled()}</section>'
    facts = f"{_aim(lesson)}<p>{_facts(lesson, around)}</p>"
    header = _header(lesson, _("Notes"), facts)
    return f'{header}<div class="notes fills">{"".join(steps)}{words}{room}</div>'


def questions(lesson: Lesson, texts: Mapping[str, str]) -> str:
    """The questions with room for predictions; no answers."""
    says, because = _("The model says:"), _("Because:")
    steps = [
        f'<section class="fills">{head}{_asked(step, texts)}'
        f"{pictures.line(step, texts)}"
        f'<div class="answer">{_found(step, i)}{_room(step, texts)}<p>{says} {_WIDE}</p></div>'
        f'<div class="because"><span>{because}</span>{_ruled()}</div></section>'
        for i, (head, step) in enumerate(zip(_heads(lesson, texts), lesson.steps, strict=True), 1)
    ]
    words = _("Predict before you see the answer. A wrong prediction costs nothing.")
    why = f"<p>{words}</p>"
    header = _header(lesson, _("Questions"), why, _who())
    return f'{header}<div class="fills">{"".join(steps)}</div>'


def before_and_after(lesson: Lesson, texts: Mapping[str, str]) -> str:
    """The question before and after the lesson, and what its reader can say now; no answers."""
    parts, check = [], lesson.check
    if check is not None:
        said = [inline(filled(one, texts, text.plain)) for one in (check.question, *check.answers)]
        choices = f"<ul class=choices>{''.join(f'<li>{one}</li>' for one in said[1:])}</ul>"
        asked, because = f"<p><b>{said[0]}</b></p>{choices}", _("Because:")
        room = f'<div class="because"><span>{because}</span>{_ruled()}</div>'
        heads = _("Before the lesson"), _("After the lesson, the same question again")
        parts = [f'<section class="fills"><h2>{head}</h2>{asked}{room}</section>' for head in heads]
    can = _("Now I can …")
    parts.append(f'<section class="fills"><h2>{can}</h2>{_ruled()}</section>')
    words = _("Only your first answer can show what you thought: write it before the lesson begins.")
    why = f"<p>{words}</p>" if check else ""
    header = _header(lesson, _("Before and after"), why, _who())
    return f'{header}<div class="fills">{"".join(parts)}</div>'


def _who() -> str:
    name, date = _("Name"), _("Date")
    return f"{name} {_WIDE} &nbsp; {date} {_SHORT}"


def key(
    lesson: Lesson,
    texts: Mapping[str, str],
    around: Around,
    answers: Answers,
    others: Answers,
    shown: Sequence[Pictured | None] = (),
) -> str:
    """The answers, as the model computes them.

    Args:
        lesson: the lesson.
        texts: its texts, the first or the second.
        around: see `Around`.
        answers: the answers for these texts.
        others: the answers for the other texts; empty if there are none.
        shown: the picture of each step; empty without pictures.
    """
    steps, told, seen = [], "", {""}
    second = lesson.with_second() if texts == lesson.texts else lesson.texts
    for i, (head, step) in enumerate(zip(_heads(lesson, texts), lesson.steps, strict=True)):
        other = ""
        if others and keys.reads_texts(lesson, step):
            on = " ".join(html.escape(one) for one in keys.sentences(lesson, step, second))
            other = f"<p>{_other(step, answers[i], others[i], '' if on == told else on)}</p>"
            told = on
        asked = f"<p>{_question(step, texts)}</p>"
        drawn = picture(texts, answers[i], shown[i] if shown else None)
        once, seen = ("" if drawn in seen else drawn), {*seen, drawn}
        steps.append(f"<section>{once}{head}{asked}{answered(step, answers[i])}{other}</section>")
    said = _("Computed with {model}.").format(model=html.escape(around.model))
    by, kind = f"<p>{said}</p>", _("Key")
    return f"{_header(lesson, kind, by)}{''.join(steps)}"


def picture(texts: Mapping[str, str], answer: Answer | str, shown: Pictured | None) -> str:
    """The picture of an answer; "" for none."""
    if isinstance(answer, str):
        return ""
    return pictures.of(shown, (texts.get("low", ""), texts.get("high", "")))


def plan_of(lesson: Lesson, around: Around, answers: Answers) -> str:
    """The plan of a lesson of 45 minutes in front of a class, with the answer to each step."""
    rows = "".join(
        f'<tr><td class="minutes">{phase.start}–{phase.end}</td>'
        f"<td><b>{_phase_title(lesson, phase)}</b></td>"
        f"<td>{_happens(lesson, phase, around, answers)}</td></tr>"
        for phase in plan(lesson)
    )
    facts = f"{_aim(lesson)}<p>{_facts(lesson, around)}</p>"
    kind, needed = _("Plan of 45 minutes"), _("What is needed")
    heads = "".join(f"<th>{one}</th>" for one in (_("Minutes"), _("Phase"), _("What happens")))
    return (
        f"{_header(lesson, kind, facts)}"
        f"<section><h2>{needed}</h2>{_needed(lesson)}</section>"
        f"<table><thead><tr>{heads}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
        f"<p>{_if_short(lesson)}</p>"
    )


def _header(lesson: Lesson, kind: str, below: str, right: str = "") -> str:
    title = _("Lesson {number} · {sheet}").format(number=lesson.number, sheet=kind)
    top = f'<p class="top"><b>{title}</b><span>{right or "Polysee"}</span></p>'
    return f"<header>{top}<h1>{inline(lesson.title)}</h1>{below}</header>"


def _facts(lesson: Lesson, around: Around) -> str:
    takes = ngettext(
        "About {count} minute for one person at a computer, with {model}.",
        "About {count} minutes for one person at a computer, with {model}.",
        lesson.minutes,
    ).format(count=lesson.minutes, model=html.escape(around.model))
    builds = _("It needs no other lesson.")
    if around.before:
        builds = _("It builds on {lessons}.").format(lessons=_both(around.before))
    return f"{takes} {builds}"


def _aim(lesson: Lesson) -> str:
    title = _("Aim.")
    return f"<p><b>{title}</b> {inline(lesson.aim)}</p>"


def _both(named: Sequence[str]) -> str:
    """Names in a row: “A and B”."""
    *others, last = map(html.escape, named)
    return _("{others} and {last}").format(others=", ".join(others), last=last) if others else last


def _heads(lesson: Lesson, texts: Mapping[str, str]) -> Iterator[str]:
    """For each step, its title, its page, and its sentences if they differ from those before."""
    told = ""
    for i, step in enumerate(lesson.steps, 1):
        page = f' <span class="where">· {html.escape(step.page_name)}</span>'
        sentences = _sentences(lesson, step, texts)
        shown, told = ("" if sentences == told else sentences), sentences
        yield f"<h2>{i}. {inline(step.title)}{page}</h2>{shown}"


def _ruled() -> str:
    return f'<div class="lines" aria-hidden="true"><span>{_RULED}</span></div>'


def _lines_of(step: Step, texts: Mapping[str, str]) -> str:
    return block(for_paper(filled(step.text, texts, text.plain)))


def _asked(step: Step, texts: Mapping[str, str]) -> str:
    """What a question is about and, in the line that it ends in, the question: six fit on a page."""
    said, question = _lines_of(step, texts), f"<b>{_question(step, texts)}</b></p>"
    return f"{said[:-4]} {question}" if said.endswith("</p>") else f"{said}<p>{question}"


def _question(step: Step, texts: Mapping[str, str]) -> str:
    return inline(for_paper(filled(step.question, texts, text.plain)))


def _sentences(lesson: Lesson, step: Step, texts: Mapping[str, str]) -> str:
    """The sentences of the lesson that the step’s page shows: two boxes are A and B, as on the page."""
    said = [html.escape(one) for one in keys.sentences(lesson, step, texts)]
    return f"<p>{' &nbsp; '.join(said)}</p>" if said else ""


def _room(step: Step, texts: Mapping[str, str]) -> str:
    """The room for a prediction, and for a sentence of one's own."""
    said = _("My sentence:")
    own = f"<p>{said} {_WIDE}</p>" if step.own else ""
    return f"{own}{_prediction(step, texts)}"


def _found(step: Step, number: int) -> str:
    """Room for what the class found in the earlier steps that a question names; "" for none."""
    said = " ".join((step.text, step.question)).casefold()
    words = [one.strip(".,;:!?()") for one in said.replace("*", "").split()]
    pairs = {*pairwise(words)}
    room = _("In step {number} you found:")
    named = _("step {number}").casefold()
    earlier = (one for one in range(1, number) if (*named.format(number=one).split(),) in pairs)
    return "".join(f"<p>{room.format(number=one)} {_WIDE}</p>" for one in earlier)


def _prediction(step: Step, texts: Mapping[str, str]) -> str:
    prediction = step.prediction
    if isinstance(prediction, Choice):
        options = "".join(f"<li>{html.escape(one)}</li>" for one in keys.options(prediction, texts))
        return f'<ul class="choices">{options}</ul>'
    if isinstance(prediction, Click):
        blanks = " &nbsp; ".join(f"{_called(one)} {_SHORT}" for one in prediction.keys)
        said = _("My choice in the picture:")
        return f"<p>{said} {blanks}</p>"
    said = _("My prediction:")
    return f"<p>{said} {_WIDE}{_near(step)}</p>"


def _called(key: str) -> str:
    return html.escape(called(key))


def answered(step: Step, answer: Answer | str, *, lettered: bool = False) -> str:
    """The answer to a step with what is told of it; or why there is none.

    Args:
        step: the step.
        answer: its answer, or why there is none.
        lettered: whether the options have letters, as on a slide, instead of boxes.
    """
    if isinstance(answer, str):
        none = _("There is no answer here.")
        return f"<p><b>{none}</b> {html.escape(answer)}</p>"
    told = block(for_paper(answer.reveal))
    if isinstance(step.prediction, Choice):
        options = "".join(
            f"<li{' class=right' if one == answer.key else ''}>{html.escape(one)}</li>"
            for one in answer.options
        )
        said = _("None of them is right: the answer is {key}.").format(key=_said(step, answer))
        none = f"<p>{said}</p>"
        right = "" if answer.key in answer.options else none
        listed = (
            f"<ol class=letters>{options}</ol>" if lettered else f'<ul class="choices">{options}</ul>'
        )
        return f"{listed}{right}{told}"
    said = _("Answer:")
    return f"<p>{said} <b>{_said(step, answer)}</b>{_near(step)}</p>{told}"


def _near(step: Step) -> str:
    """The tolerance of a number, in words."""
    if not isinstance(step.prediction, Number):
        return ""
    by = step.prediction.tolerance
    said = _("(± {by} counts as right)").format(by=decimal(f"{by:,g}"))
    return f" {said}" if by else ""


def _said(step: Step, answer: Answer) -> str:
    if not isinstance(step.prediction, Click):
        return html.escape(answer.in_words)
    values = answer.key if isinstance(answer.key, tuple) else (answer.key,)
    pairs = zip(step.prediction.keys, values, strict=True)
    return ", ".join(f"{_called(one)} {html.escape(shown(value))}" for one, value in pairs)


def _other(step: Step, answer: Answer | str, other: Answer | str, on: str) -> str:
    """The answer on the lesson's other sentence, which is quoted unless it stands above.

    Of what is told of it, only the sentences that differ: the others stand in the line above.
    """
    if isinstance(other, str):
        none = _("With the other sentence there is no answer.")
        return f"{none} {html.escape(other)}"
    said = _("With the other sentence:")
    if on:
        said = _("With the other sentence ({sentence}):").format(sentence=on)
    above = set() if isinstance(answer, str) else {*sentences_of(for_paper(answer.reveal))}
    differ = (one for one in sentences_of(for_paper(other.reveal)) if one not in above)
    return f"{said} <b>{_said(step, other)}</b>. {inline(' '.join(differ))}".rstrip()


def _phase_title(lesson: Lesson, phase: Phase) -> str:
    if phase.step:
        return f"{phase.step}. {inline(lesson.steps[phase.step - 1].title)}"
    return {
        "starter": _("Starter"),
        "second": _("Another sentence"),
        "own": _("Sentences of their own"),
        "next": _("Time that is left"),
        "wrap-up": _("Wrap-up"),
    }[phase.kind]


def _happens(lesson: Lesson, phase: Phase, around: Around, answers: Answers) -> str:
    if phase.step:
        at = phase.step - 1
        return _step_happens(lesson.steps[at], lesson.texts, phase, answers[at])
    if phase.kind == "starter":
        return _starter(lesson, around)
    if phase.kind == "second":
        return _(
            "Open a step where many were wrong, and press <i>Another sentence</i>. Pairs say first "
            "whether the answer changes, and why; then reveal. The key has both answers."
        )
    if phase.kind == "own":
        return _(
            "Pairs type a sentence of their own into the page of a step, predict, and reveal. "
            "One pair shows a sentence that changes the answer."
        )
    if phase.kind == "next":
        begin = _("The steps are done. Begin {lesson}.").format(lesson=html.escape(around.after))
        back = _("The steps are done. Go back to the question that most predicted wrongly.")
        return begin if around.after else back
    again = _("<i>Ask again after it</i>, and reveal: what has changed in the class, and why?")
    last = _(
        "On the sheet <i>Before and after</i>, each student completes “Now I can …” and compares it "
        "with the aim. One thing that these pictures did <i>not</i> show is said aloud."
    )
    following = _("Next time: {lesson}.").format(lesson=html.escape(around.after))
    said = (again if lesson.check else "", last, following if around.after else "")
    return " ".join(filter(None, said))


def _starter(lesson: Lesson, around: Around) -> str:
    sentence = next((one for one in lesson.texts.values() if len(one.split()) > 2), "")
    first = _(
        "First of all, under <i>For a class</i>, <i>Ask before the lesson</i>: each answers in a "
        "minute, with a reason; nothing is revealed."
    )
    recall = board = wonder = ""
    if around.before:
        recall = _("Two students recall {lessons}.").format(lessons=_both(around.before))
    if sentence:
        written = sentence if sentence[-1] in ".?!" else f"{sentence} …"  # the beginning of one
        board = _("On the board: “{sentence}”").format(sentence=html.escape(written))
    if board and not recall:
        wonder = _("Ask what a computer must know to understand it.")
    last = _("Read the aim aloud, and hand out the questions.")
    said = (first if lesson.check is not None else "", recall, board, wonder, last)
    return " ".join(filter(None, said))


def _step_happens(step: Step, texts: Mapping[str, str], phase: Phase, answer: Answer | str) -> str:
    page = html.escape(step.page_name)
    vote = (
        _("students name their choice, hands up for each")
        if isinstance(step.prediction, Click)
        else _("<i>Ask the class</i>, or hands up")
    )
    timed = [_("{count} min: predict in writing").format(count=phase.predict)]
    lasts = _("{count} min: {what}")
    timed += [lasts.format(count=phase.vote, what=vote)] if phase.vote else []
    timed += [lasts.format(count=phase.talk, what=_talk(step))]
    # Of each one's own text, nobody knows it yet.
    told = "" if isinstance(answer, str) or step.own else f": <b>{_said(step, answer)}</b>"
    return f"<i>{page}</i>: <b>{_question(step, texts)}</b><br>{'; '.join(timed)}{told}."


def _talk(step: Step) -> str:
    if isinstance(step.prediction, Choice):
        return _("one voice for each answer, then <i>Reveal</i>")
    if isinstance(step.prediction, Number):
        return _("the lowest and the highest prediction give reasons, then <i>Reveal</i>")
    return _("one student opens it at the projector, then <i>Reveal</i>")


def _needed(lesson: Lesson) -> str:
    by_phone = sum(not isinstance(step.prediction, Click) for step in lesson.steps)
    count = len(lesson.steps)
    votes = _("every question")
    if by_phone < count:
        votes = _("{some} of the {count} questions").format(some=by_phone, count=count)
    phones = _("For the vote: raised hands, since each answer is a choice in the picture.")
    if by_phone:
        phones = _(
            "For the vote: phones, for {questions} (<i>Ask the class</i> shows a QR code), or raised "
            "hands."
        ).format(questions=votes)
    items = (
        _(
            "A projector with this lesson open at step 1: <i>Present</i>, in the sidebar, fills it "
            "with one picture and its sentence; where the page itself is to be seen, "
            "<i>Large type</i>."
        ),
        _(
            "<i>Before and after</i> and the questions, a copy of each for each student; the key for "
            "the teacher; the notes to take home."
        ),
        phones,
    )
    return f"<ul>{''.join(f'<li>{one}</li>' for one in items)}</ul>"


def _if_short(lesson: Lesson) -> str:
    kinds = [phase.kind for phase in plan(lesson)]
    leave = {"own": _("the sentences of their own"), "second": _("the other sentence")}
    first = next((leave[kind] for kind in ("own", "second") if kind in kinds), "")
    last = _("step {number}").format(number=len(lesson.steps)) if len(lesson.steps) > 1 else ""
    parts = [one for one in (first, last) if one]
    said = _("If time runs short, leave out {parts}.")
    return said.format(parts=_(", then ").join(parts)) if parts else ""
