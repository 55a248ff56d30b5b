"""The card of a lesson above a page: what to look at, a question, a prediction, the answer.

A prediction comes before its reveal, and stays with it. A choice and a number are predicted in the
card; a click is predicted in the picture, and is what the page's link says when *Reveal* is pressed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Literal, NamedTuple

import streamlit as st

from core import localization
from core.classroom import Question, Reveal, mentioned, plain
from core.lessons import (
    Answer,
    Choice,
    Click,
    Lesson,
    Number,
    Step,
    Value,
    holds,
    language_of,
    readable,
)
from core.lessons import keys as answered
from core.lessons.expressions import counted, filled, shown
from core.lessons.told import told
from core.localization import _
from core.sentences import sentence
from ui import permalink, text
from ui.classroom import asked
from ui.lessons import drawn, learns, own_text, parts, progress, reveal, route, step_links
from ui.lessons.link_keys import called
from ui.models import lesson_records
from ui.models.attempt import attempt
from ui.page import terms
from ui.paper import links as paper
from ui.paper.without_buttons import for_paper
from ui.session import SessionValue
from ui.state import CHECK, LESSON, MODEL, PRESENT, Place, predict, predict_number

# The page's own title makes room for the lesson, for its picture to stay on the first screen.
STYLE = """<style>
.stMainBlockContainer h1 {font-size: 1.35rem !important;}
.st-key-lesson {padding: .5rem .9rem .6rem !important; border-left: 3px solid
light-dark(#3B6EA8, #7FB2E5) !important;}
.st-key-lesson p {line-height: 1.4; text-wrap: pretty;}  /* no last line of one word */
.st-key-lesson [data-testid="stVerticalBlock"] {gap: .35rem;}
.st-key-lesson button {min-height: 2rem;}
.st-key-lesson [data-testid="stHeaderActionElements"] {display: none;}
.st-key-lesson h5:focus {outline: none;}
.st-key-lesson :is(h5:focus-visible > span, p:focus-visible) {outline: 2px solid
light-dark(#3B6EA8, #7FB2E5); outline-offset: 2px; border-radius: 2px;}
.st-key-lesson-progress {position: absolute;}
.st-key-lesson-asks {flex-wrap: nowrap !important;}
.st-key-lesson-asks > div:last-child {min-width: 0;}
@media (max-width: 640px) {  /* the card leaves room for the picture, and shows all its words */
.stMainBlockContainer h1 {font-size: 1rem !important; white-space: nowrap; overflow: hidden;
text-overflow: ellipsis;}
.st-key-lesson {padding: .3rem .7rem .4rem !important;}
.st-key-lesson h5 {padding: 0 !important;}
.st-key-lesson p:has(+ * > h5) {font-size: .875rem;}  /* where one is: on one line */
.st-key-lesson .stRadio [role="radiogroup"] {row-gap: .4rem; min-height: 1.75rem;}
.st-key-trail {margin-bottom: 0;}  /* the rows are nearer to each other than elsewhere */
.stMainBlockContainer [data-testid="stHeading"] {height: 1.5rem;}
.st-key-lesson :is(p, h5, [data-testid="stMarkdownContainer"], [data-testid="stCaptionContainer"])
{line-height: 1.3; margin-bottom: 0;}
.st-key-lesson [data-testid="stHorizontalBlock"] {gap: .3rem .6rem;}
.stMainBlockContainer :is([data-testid="stVerticalBlock"], [data-testid="stHorizontalBlock"])
{row-gap: .35rem;}
}
</style>"""


def show(fields: permalink.Fields, page: str) -> None:
    """Draw the card of the step where the visitor is; nothing outside of a lesson.

    Args:
        fields: those of the page.
        page: its address.
    """
    place = LESSON.get()
    if place is None:
        return
    if place.lesson.is_route:
        route.show(place, fields, page)
        return
    terms.begin(place.its_step.text, place.its_step.question)
    hidden = place.its_step.page == page and not reveal.is_shown(place)
    here = place.its_step.page == page
    placed = parts.left_out(place.its_step.hides) + parts.first(place.its_step.covers) if here else ""
    st.html(STYLE + placed + (parts.covered(place.its_step.covers) if hidden else ""))
    with st.container(border=True, key="lesson"):
        # The answer is longer than the words: it gets the wider column, or the picture would go down.
        revealed = place.its_step.page == page and reveal.is_shown(place)
        left, right = st.columns([2, 3] if revealed else [11, 9], gap="medium")
        with left:
            _title(place)
            if place.its_step.page == page and place.step == 1:
                _check(place, "before", folded=revealed)  # above the words: they say its answer
            _words(place, fields, page)
            _besides(place, fields, page)
        with right, st.container(gap="xsmall"):
            if place.its_step.page == page:
                _question(place, fields)
            else:
                st.markdown(_elsewhere())
            _ways(place, fields, page)
        progress.note(place, revealed=reveal.is_shown(place))


class Offers(NamedTuple):
    """What the presenter can do with a step; None for what it cannot.

    Attributes:
        reveal: shows the model's answer, to a class that is asked as well.
        ask: asks the class.
    """

    reveal: Callable[[], None] | None = None
    ask: Callable[[], None] | None = None


def present(fields: permalink.Fields, page: str) -> Offers:
    """Draw the words of the step where the visitor is, as the presenter has them.

    Args:
        fields: those of the page.
        page: its address.
    """
    place = LESSON.get()
    if place is None:
        return Offers()
    if place.lesson.is_route:
        route.present(place, fields, page)
        return Offers()
    if moment(place):
        return _present_check(place)
    step, here = place.its_step, place.its_step.page == page
    terms.begin(step.text, step.question)
    st.markdown(f"## {step.title}")
    texts = _texts(place, fields if here else ())
    shown = here and reveal.is_shown(place)
    # Each has a place of its own: while the answer is computed, nothing old stands in another's.
    words, sentences, style, asks, told = (st.empty() for _place in range(5))
    if not shown:  # the answer takes the place of the text: the picture needs the room
        words.markdown(terms.linked(filled(step.text, texts, text.plain)))
    if not here:
        st.markdown(f"**{_elsewhere()}**")
        _back(place, fields, page)
        return Offers()
    # What is covered would show the sentences that it is about. One's own stands nowhere else, but in
    # the picture of Compare.
    if step.covers and (not shown or (step.own and step.page != "compare")):
        about = asked.bounded(answered.sentences(place.lesson, step, texts))
        sentences.markdown(" · ".join(map(text.plain, about)))
    if hidden := parts.left_out(step.hides) + ("" if shown else parts.covered(step.covers)):
        style.html(hidden)
    question_said = f"**{terms.linked(filled(step.question, texts, text.plain))}**"
    if isinstance(step.prediction, Choice) and not shown:
        options = answered.options(step.prediction, texts)
        question_said = f"{question_said} {' · '.join(_lettered(map(text.plain, options)))}"
    asks.markdown(question_said)
    if shown:
        with told.container():
            if (answer := _answer(place, fields, texts)) is not None:
                _tell_alone(step, answer)
    question = _for_phones(place.lesson, step, texts)
    can_ask = question is not None and asked.can_ask(place)
    return Offers(
        None if shown else partial(_reveal, place, partial(reveal.given, place), to_all=True),
        partial(asked.ask, place, question, tuple(texts.items())) if can_ask and question else None,
    )


def moment(place: Place | None) -> str:
    """Which of a lesson's two times its question is presented, "before" or "after"; "" for a step."""
    if place is None or place.lesson.check is None or not PRESENT.get():
        return ""
    return CHECK.get()


def begins_with(place: Place | None) -> str:
    """Who begins to present at a first step that is not answered begins with its lesson’s question."""
    if place is None or place.lesson.check is None or place.step != 1 or reveal.is_shown(place):
        return ""
    # A class that is asked the step's own question is at it.
    return "" if asked.is_asked(place) and asked.can_ask_check(place) else "before"


def _present_check(place: Place) -> Offers:
    """The question before the lesson and after it; only after it, there is an answer."""
    check = place.lesson.check
    assert check is not None
    texts = place.lesson.with_second() if place.second else place.lesson.texts
    before, shown = moment(place) == "before", _check_shown(place)
    st.markdown("## " + (_("Before the lesson") if before else _("And now?")))
    right = shown.get() and not before
    with st.container(key="presented-check", gap="small"):
        st.markdown(f"**{filled(check.question, texts, text.plain)}**")
        answers = (filled(one, texts, text.plain) for one in check.answers)
        for at, said in enumerate(_lettered(answers)):
            st.markdown(f"**✓ {said}**" if right and at == check.right else said)
        if right:
            st.markdown(filled(check.because, texts, text.plain))
        else:
            st.caption(
                _("Choose one, and say why. The same question comes again at the end.")
                if before
                else _("You have answered it before. What do you say now, and why?")
            )

    def show() -> None:
        shown.set(True)
        asked.reveal_check(place)

    question, told = _asked_twice(place)
    ask = partial(asked.ask, place, question, (), told) if asked.can_ask_check(place) else None
    return Offers(None if before or right else show, ask)


def _lettered(options: Iterable[str]) -> list[str]:
    """Options with the letters that they have on the wall."""
    return [f"{chr(ord('A') + i)}) {one}" for i, one in enumerate(options)]


def _check_shown(place: Place) -> SessionValue[bool]:
    """Whether the answer to a lesson's question is shown to the class."""
    return SessionValue(f"lesson check shown {place.name}", False)


def wall(fields: permalink.Fields, page: str) -> None:
    """Draw the answers of a class while its room is open, on whatever page its teacher is.

    Args:
        fields: those of the page.
        page: its address.
    """
    place = LESSON.get()
    if place is not None and place.its_step.page == page:
        texts = _texts(place, fields)
        question = _for_phones(place.lesson, place.its_step, texts)
        then = asked.Next(question, tuple(texts.items()))

        def answer(of: asked.Texts) -> Answer | None:
            if learns.going(place.name, place.step - 1, _model(place, fields), of):
                asked.reveal(place)  # again once it is trained: the card then draws the page anew
                return None
            return _answer(place, fields, dict(of))

        asked.show(place, then, answer)
    else:
        asked.show(place, None, lambda of: None)


def _for_phones(lesson: Lesson, step: Step, texts: Mapping[str, str]) -> Question | None:
    """The question of a step as a class is asked it; that for a number has its scale."""
    marks = [str(one["name"]) for one in drawn.marks(step, texts)]
    scale = f" ({' … '.join(marks)})" if marks else ""
    return asked.question_of(
        step,
        f"{_asked_in_plain(lesson, step.question, texts)}{scale}",
        answered.options(step.prediction, texts),
        answered.sentences(lesson, step, texts),
        for_paper(filled(step.text, texts)),
        language_of(lesson.name),
    )


def _asked_in_plain(lesson: Lesson, question: str, texts: Mapping[str, str]) -> str:
    """A question for phones, which show no emphasis: what it mentions stands in quotation marks."""
    with localization.spoken(language_of(lesson.name)):
        return mentioned(filled(question, texts))


def _for_a_class(place: Place, fields: permalink.Fields) -> None:
    """A button that asks a class the question of the step."""
    texts = _texts(place, fields)
    question = _for_phones(place.lesson, place.its_step, texts)
    asked.button(place, question, tuple(texts.items()))


def _title(place: Place) -> None:
    lesson, step = place.lesson, place.its_step
    st.markdown(
        _("**Lesson {number}: {title}** · step {step} of {steps}").format(
            number=lesson.number, title=lesson.title, step=place.step, steps=len(lesson.steps)
        )
        + f"  \n##### {step.title}"
    )


def _words(place: Place, fields: permalink.Fields, page: str) -> None:
    step = place.its_step
    with st.container(key="lesson-words"):
        texts = _texts(place, fields if step.page == page else ())
        st.markdown(terms.linked(filled(step.text, texts, text.plain)))


def _texts(place: Place, fields: permalink.Fields) -> Mapping[str, str]:
    """The lesson's texts, as the page has them."""
    lesson = place.lesson
    own = lesson.with_second() if place.second else lesson.texts
    bound = answered.texts_on(lesson, place.its_step, step_links.on_page(fields), own)
    return own_text.with_own(place, bound)


def _question(place: Place, fields: permalink.Fields) -> None:
    step, texts = place.its_step, _texts(place, fields)
    st.markdown(f"**{terms.linked(filled(step.question, texts, text.plain))}**")
    if step.own:
        own_text.box(place, fields, partial(reveal.cover, place))
    if not reveal.is_shown(place):
        _predict(place, fields, texts)
        if place.lesson.check and place.step == len(place.lesson.steps) and not asked.is_open():
            st.caption(sentence("lesson.waits"))
        return
    predicted = reveal.predicted(place).get()
    answer = _answer(place, fields, texts)
    if answer is not None and predicted is None:  # revealed to a class, by a teacher without one
        _tell_alone(step, answer)
    elif answer is not None and predicted is not None:
        given = _in_words(step, predicted, texts)
        right = _tell(step, answer, given)
        grid = lesson_records.grid_of(_model(place, fields))
        drawn.show(drawn.facts_of(step, answer, given, texts, grid))
        told = _model_says(step, answer)
        progress.keep(place, filled(step.question, texts), _named(step, given), told, right=right)
    progress.why(place)
    if place.step == len(place.lesson.steps):
        _check(place, "after")


def _predict(place: Place, fields: permalink.Fields, texts: Mapping[str, str]) -> None:
    """Ask for a prediction, and offer to reveal once there is one."""
    step = place.its_step
    given: Value | None = None
    # What is in the box arrives with the click that leaves it: the button does not wait for Enter.
    reads: Callable[[], Value | None] = partial(reveal.given, place)
    if isinstance(step.prediction, Choice):
        options = answered.options(step.prediction, texts)
        at = predict(reveal.choice(place), [text.plain(one) for one in options], _label(step, texts))
        given = None if at is None else float(at)
    elif isinstance(step.prediction, Number):
        kind = step.prediction.kind
        positive = step.prediction.positive
        given = predict_number(reveal.number(place), _label(step, texts), kind, positive=positive)
    else:
        reads = partial(_clicked, place, fields)
    waits, first = _waits(place).take(), own_text.missing(place, texts)
    if isinstance(step.prediction, Click):
        st.caption(
            _("**Nothing is chosen in the picture yet.** Choose something there, then press Reveal.")
            if waits
            else _("Make your choice in the picture below, then press Reveal.")
        )
    elif waits and not first and given is None and not reveal.number(place).get().strip():
        first = _("Make a prediction first. A wrong one costs you nothing.")
    if waits and first:
        st.caption(f"**{first}**")
    if asked.waits(place):  # one button for all: the room's
        st.caption(
            _("*Reveal to all*, below, shows the answer here, on the wall and on the phones at once.")
        )
        progress.why(place)
        return
    # One row: the picture is to begin on the first screen of a phone.
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="lesson-asks"):
        st.button(
            _("Reveal"),
            key="lesson reveal",
            type="primary",
            on_click=_reveal,
            args=(place, partial(_read, place, fields, reads)),
        )
        progress.why(place)


def _read(place: Place, fields: permalink.Fields, reads: Callable[[], Value | None]) -> Value | None:
    """The prediction, in a callback; None without one, or without the text that it is about."""
    return None if own_text.missing(place, _texts(place, fields)) else reads()


def _label(step: Step, texts: Mapping[str, str]) -> str:
    """The question as a screen reader says it, without Markdown."""
    return plain(filled(step.question, texts))


def _check_of_class(place: Place) -> None:
    """At the first step and at the last, a button that asks a class the question before and after."""
    if place.lesson.check is not None and place.step in (1, len(place.lesson.steps)):
        asked.check_button(place, *_asked_twice(place))


def _asked_twice(place: Place) -> tuple[Question, Reveal]:
    """A lesson's question as a class is asked it before and after, and its answer."""
    check = place.lesson.check
    assert check is not None
    texts = place.lesson.with_second() if place.second else place.lesson.texts
    answers = tuple(plain(filled(one, texts), 200) for one in check.answers)
    told = Reveal(plain(filled(check.because, texts)), option=check.right)  # its mark says which
    words = plain(_asked_in_plain(place.lesson, check.question, texts), 600)
    asked_twice = Question(
        words,
        answers,
        twice=True,
        shows=check.misconceptions,
        language=language_of(place.lesson.name),
    )
    return asked_twice, told


def _check(place: Place, moment: Literal["before", "after"], *, folded: bool = False) -> None:
    """The question before the lesson and after it, which only the browser keeps."""
    check = place.lesson.check
    if check is None or asked.is_open():  # the phones of a class answer it
        return
    texts = place.lesson.with_second() if place.second else place.lesson.texts
    progress.check(place.name, moment, progress.question(check, texts), folded=folded)


def _reveal(place: Place, reads: Callable[[], Value | None], *, to_all: bool = False) -> None:
    """Show the answer, in a callback; without a prediction, only where a class is to see it."""
    predicted = reads()
    _waits(place).set(predicted is None and not to_all)
    if predicted is not None or to_all:
        reveal.show(place, predicted)
        asked.reveal(place)


def _waits(place: Place) -> SessionValue[bool]:
    """Whether a step was to be revealed before anything was predicted."""
    return SessionValue(f"lesson waits {place}", False)


def _clicked(place: Place, fields: permalink.Fields) -> Value | None:
    """What is chosen in the picture, by the keys of the link; None where it is as the step opened."""
    step = place.its_step
    assert isinstance(step.prediction, Click)
    on_page, opened = step_links.on_page(fields), step_links.query(place)
    defaults = step_links.written({one: one.default for one in fields})
    before = tuple(opened.get(key, defaults.get(key, "")) for key in step.prediction.keys)
    now = tuple(on_page.get(key, "") for key in step.prediction.keys)
    return None if now == before else now


def _in_words(step: Step, predicted: Value, texts: Mapping[str, str]) -> Value:
    """The prediction as the key has it: of a choice, its words."""
    if isinstance(step.prediction, Choice) and isinstance(predicted, float):
        return answered.options(step.prediction, texts)[int(predicted)]
    return predicted


def _model(place: Place, fields: permalink.Fields) -> str:
    """The model that answers: that of the page, if the step is about one that reads texts."""
    own = place.its_step.model
    if not lesson_records.is_text_model(own):
        return own
    chosen = next((one for one in fields if one.url == MODEL.url), None)  # a page may have its own
    return own if chosen is None else str(chosen.get() or own)


def _answer(place: Place, fields: permalink.Fields, texts: Mapping[str, str]) -> Answer | None:
    """The answer of the model on the page; or None, with the reason, or while it is still trained."""
    own, model = place.its_step.model, _model(place, fields)
    about = lesson_records.called(own)
    if learns.show(place.name, place.step - 1, model, tuple(sorted(texts.items()))):
        return None
    with st.spinner(_("The model computes …"), show_time=False):
        asked_of = place.name, place.step - 1, model, tuple(sorted(texts.items()))
        if place.its_step.own and model == own:
            return own_text.attempt(lesson_records.answer_of, *asked_of)
        made: Answer | None = attempt(lesson_records.answer_of, *asked_of)
    if made is None:
        st.caption(_("The lesson is about {model}, and about its own sentences.").format(model=about))
    elif model != own:
        other = text.plain(lesson_records.called(model))
        said = _("The lesson is about {model}. What follows is computed on {other}.")
        st.caption(said.format(model=about, other=other))
    return made


def _model_says(step: Step, answer: Answer) -> str:
    """The answer in words; of a click, each key with its value."""
    return answer.in_words if not isinstance(step.prediction, Click) else _pairs(step, answer)


def _tell(step: Step, answer: Answer, given: Value) -> bool:
    """Say whether the prediction holds, and return it."""
    right = holds(step.prediction, answer, given)
    own, model = text.plain(_named(step, given)), text.plain(_model_says(step, answer))
    exact = isinstance(step.prediction, Number) and given == answer.key
    _say(told(step, answer, model, own, right=right, exact=exact), answer)
    return right


def _tell_alone(step: Step, answer: Answer) -> None:
    """The answer of the model to whoever has predicted nothing."""
    _say(told(step, answer, text.plain(_model_says(step, answer))), answer)


def _say(verdict: str, answer: Answer) -> None:
    with st.container(key="lesson-answer"):  # which takes the focus
        st.markdown(f"{verdict} {terms.linked(answer.reveal)}".lstrip())


def _named(step: Step, value: Value) -> str:
    """A prediction in words; of a click, each key with its value."""
    if isinstance(step.prediction, Click) and isinstance(value, tuple):
        return _joined(step.prediction.keys, [str(one) or _("nothing") for one in value])
    return counted(value)


def _pairs(step: Step, answer: Answer) -> str:
    assert isinstance(step.prediction, Click)
    key = answer.key if isinstance(answer.key, tuple) else (answer.key,)
    return _joined(step.prediction.keys, [shown(one) for one in key])


def _joined(keys: tuple[str, ...], values: list[str]) -> str:
    return ", ".join(f"{called(key)} {value}" for key, value in zip(keys, values, strict=False))


def _ways(place: Place, fields: permalink.Fields, page: str) -> None:
    """Previous and next, the step as it was or without its answer, and the way out."""
    lesson = place.lesson
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        before = place._replace(step=place.step - 1) if place.step > 1 else None
        if before:
            step_links.button(_("← Previous"), "lesson previous", before, fields, page)
        if place.step < len(lesson.steps):
            step_links.button(
                _("Next →"), "lesson next", place._replace(step=place.step + 1), fields, page
            )
        elif following := _after(lesson):
            label = _("Lesson {number} →").format(number=following.number)
            step_links.button(label, "lesson next", Place(following.name, 1), fields, page)
        elif st.button(_("All lessons"), key="lesson all"):  # the last one ends where all are listed
            step_links.go_to("lessons", permalink.VERSION)
        if place.its_step.page != page:
            _back(place, fields, page)
        elif _model(place, fields) != (own := place.its_step.model):
            label = _("With {model}").format(model=text.plain(lesson_records.called(own)))
            step_links.button(label, "lesson back", place, fields, page)
        elif reveal.is_shown(place):
            alone = reveal.predicted(place).get() is None
            label = _("Hide the answer") if alone else _("Predict again")
            st.button(label, key="lesson again", type="tertiary", on_click=reveal.cover, args=(place,))
        st.button(_("Leave"), key="lesson leave", type="tertiary", on_click=LESSON.set, args=(None,))


def _elsewhere() -> str:
    return _("This step belongs to another page.")


def _back(place: Place, fields: permalink.Fields, page: str) -> None:
    step_links.button(_("Back to this step"), "lesson back", place, fields, page)


def _besides(place: Place, fields: permalink.Fields, page: str) -> None:
    """Another sentence, and the step in front of a class: below the words, where there is room."""
    if place.its_step.page != page:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="lesson-besides"):
        if place.lesson.second:
            other = place._replace(second=not place.second)
            label = _("The first sentence") if place.second else _("Another sentence")
            step_links.button(label, "lesson other", other, fields, page)
        with _teachers():
            _for_a_class(place, fields)
            _check_of_class(place)
            paper.button(place.lesson.name, second=place.second)


def _teachers() -> AbstractContextManager[object]:
    """What a student has no use for: behind one word, until a class has joined."""
    if asked.is_open():
        return nullcontext()
    return st.popover(_("For a class"), type="tertiary", key="lesson-class")


def _after(lesson: Lesson) -> Lesson | None:
    """The lesson after this one."""
    return next((one for one in readable()[0] if one.number > lesson.number), None)
