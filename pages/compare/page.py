"""Compare, the home page: one word in two sentences, from one dot to two meanings."""

from __future__ import annotations

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.comparison import Chosen, Ends, Question, dictionary, language, next_step
from core.comparison.judge import Between
from core.comparison.word import WordOccurrence
from core.localization import _
from core.records.trace import Trace
from pages.compare import (
    attention,
    directions,
    evidence,
    examples,
    folds,
    on_device,
    onboarding,
    own_tries,
    python,
    saved_comparison,
    verdict,
)
from pages.compare.state import CompareState
from ui import device, page, same_in_python, sense_ends, word_choice
from ui.comparison import Cached, is_one_word
from ui.contributions import section
from ui.contributions import state as why
from ui.lessons import route
from ui.models import model_cache
from ui.models.attempt import attempt, attempt_trace
from ui.models.choice import choose_model
from ui.page import prose
from ui.state import LESSON, text


def compare(s: CompareState) -> None:
    first = st.container(gap="xsmall", key="first")
    with first:
        onboarding.invite(s)
        # Side by side on a phone they would be too narrow; stacked, they leave little space between
        # them.
        for column, (name, field) in zip(st.columns(2, gap="small"), s.texts.items(), strict=True):
            with column:
                label = _("Sentence {name}").format(name=name)
                text(field, label, placeholder=label, named=False)
    model = choose_model(model_cache.reader)
    onboarding.show(s)  # above the tools, to be seen on a laptop without scrolling
    page.tools(s.link())
    if model:
        device.switch(model, device.BOTH)
    typed = {name: field.get() for name, field in s.texts.items()}
    traces = {
        name: trace
        for name, sentence in typed.items()
        if model
        and (trace := attempt_trace(model, sentence, _("Sentence {name}").format(name=name)))
        is not None
    }
    with first:
        said = st.container(gap="xsmall")
        by_name = st.container(horizontal=True, vertical_alignment="bottom", key="meanings by name")
    with (
        page.rest(_("Word, ends and examples")),
        st.container(horizontal=True, vertical_alignment="bottom", key="choices"),
    ):
        occurrences = word_choice.choose(s.words, traces, forget=(*sense_ends.ENDS, s.own))
        place = st.container(horizontal=True, vertical_alignment="bottom", width="content")
        examples.choose(s, [one.word for one in occurrences.values()], model)
    if len(occurrences) == 2:
        sense_ends.leave_if_others(sense_ends.ENDS, occurrences["A"].word, (*typed.values(),))
    between = _ends(model, traces, occurrences, place, by_name)
    word_choice.explain(s.words, occurrences, traces)
    sides = {name: Chosen(typed[name], one.word, one.number) for name, one in occurrences.items()}
    question = None
    with first:
        if model and len(sides) == 2:
            question = Question(model, sides["A"], sides["B"], between)
            comparison = verdict.compared(question)
            # Before its verdict, which would else stand above the picture of the text before.
            page.part(verdict.show, None, question, s.back)
            with said:
                own = partial(_own_meaning, question, comparison)
                drawn = comparison is not None and verdict.say(comparison, s.back.get(), s.texts, own)
                _meanings(question, comparison)
                if not drawn:
                    own()
        elif model:
            _alone(s, model, between, traces, sides, said)
        if model:
            device.line(model, partial(on_device.context, s, question), device.BOTH)
    with page.rest(_("Try this")):
        page.try_this(own_tries.words(__file__, s, occurrences, traces), s.lesson)
        onboarding.on_phone()
    folds.unfold(s.use, (s.numbers, s.python))
    read = {name: typed[name] for name in traces}
    if model and traces:
        _questions(s, model, question, read, sides)
    lines = partial(_for_use, s, model, question, read, sides)
    with page.rest(_("To check and to save")):
        folds.show(_("For your own use"), s.use, lines, at_once=True)
    if question is not None and is_one_word(question):
        verdict.ahead(question)


def _ends(
    model: str | None,
    traces: dict[str, Trace],
    occurrences: dict[str, WordOccurrence],
    place: DeltaGenerator,
    by_name: DeltaGenerator,
) -> Ends | None:
    """The two ends of the word's axis: typed, known, or proposed; None if there are none.

    Args:
        model: its name.
        traces: that of each sentence.
        occurrences: the word in each.
        place: for the boxes in which they are named.
        by_name: the same beside the verdict, for a word whose meanings only the visitor knows.
    """
    if model is None or not occurrences:
        return None
    texts = tuple(trace.texts[0] for trace in traces.values())
    word = next(iter(occurrences.values())).word
    sides = [Chosen(traces[name].texts[0], one.word, one.number) for name, one in occurrences.items()]
    proposed = None
    if sense_ends.ends_for(model, word, texts) is None:
        proposed = attempt(dictionary.proposed, Cached(model), sides)
    with by_name if proposed is not None and proposed.proposed else place:
        return sense_ends.choose(sense_ends.ENDS, model, word, texts, proposed=proposed)


def _meanings(question: Question, comparison: Between | None) -> None:
    """The meanings of the word to choose from, unless there is a verdict between two that we know.

    Args:
        question: what is compared.
        comparison: the verdict; None without an axis.
    """
    judged = None if comparison is None else comparison.verdict
    known = judged is not None and not dictionary.is_partly_of(question)
    # A scene of the route has its own sentences: a choice would push its picture down.
    if judged is not None and known and (judged.is_clear or route.scene()):
        return
    source, both = Cached(question.model), [question.a, question.b]
    every = attempt(dictionary.offered, source, both)
    ordered = attempt(dictionary.likeliest, source, both, every) if every else None
    if ordered:
        offered = dictionary.choices(question.a.word, ordered)
        first = "low" if judged is None else judged.weaker_side
        with st.container(key="presented line meanings"):  # a class chooses, too
            sense_ends.meanings(sense_ends.ENDS, question.a.word, offered, question.ends, first)


def _own_meaning(question: Question, comparison: Between | None) -> None:
    """A box for a meaning that no chip has."""
    if comparison is not None and comparison.same is None and dictionary.is_partly_of(question):
        lacks = attempt(next_step.unnamed, comparison, Cached(question.model))
        if lacks is not None:
            with st.container(key="none fits", width="content"):
                sense_ends.own_meaning(sense_ends.ENDS, question.a.word, question.ends, *lacks)


def _alone(
    s: CompareState,
    model: str,
    ends: Ends | None,
    traces: dict[str, Trace],
    sides: dict[str, Chosen],
    said: DeltaGenerator,
) -> None:
    """Show what is possible if there is nothing to compare; `said` stands above the picture."""
    note = language.warning(Cached(model), [trace.texts[0] for trace in traces.values()])
    if ends and sides:
        (name, side), *_ = sides.items()
        question, texts = Question(model, side, side, ends), tuple(f.get() for f in s.texts.values())
        page.part(verdict.show_one, None, question, name, s.back, texts)
        with said:
            verdict.say_one(question, name, note)
    elif note:
        st.caption(note)


# The session stores the arguments of a part as long as the visitor stays: strings, no traces.
def _questions(
    s: CompareState,
    model: str,
    question: Question | None,
    typed: dict[str, str],
    sides: dict[str, Chosen],
) -> None:
    """The questions that a visitor may ask next, each folded, under few headings."""
    # A link to a fold opens what it is in as well.
    folds.unfold(s.what_if, (why.IN, *why.IF))
    folds.unfold(s.attends, (s.layer, s.head, s.special))
    folds.unfold(s.directions, (s.view,))
    # In a lesson, the step that is about “What if …?” has it before all else.
    inside = (s.sure,) if LESSON.get() is not None else (s.sure, s.what_if)
    folds.unfold(s.moved_by, (why.VIEW, why.HEADS, *inside))
    folds.unfold(s.more, (s.attends, s.directions))
    first = question is not None and s.what_if.get() and LESSON.get() is not None
    if question is not None and first:
        folds.show(_("What if …?"), s.what_if, partial(section.show_if, question))
    with page.rest(_("More questions")):
        if question is not None:
            because = partial(_why, s, question, if_too=not first)
            folds.show(_("Why: which words moved it"), s.moved_by, because)
        more = partial(_more, s, model, question, typed, sides)
        folds.show(_("More about these sentences"), s.more, more, at_once=True)


def _why(s: CompareState, question: Question, *, if_too: bool) -> None:
    """What moved the word, what else would have moved it, and how far to trust the verdict."""
    section.show(question)
    if if_too:
        folds.show(_("What if …?"), s.what_if, partial(section.show_if, question))
    folds.show(_("How sure is this?"), s.sure, partial(verdict.show_sure, question))


def _more(
    s: CompareState,
    model: str,
    question: Question | None,
    typed: dict[str, str],
    sides: dict[str, Chosen],
) -> None:
    """Other views of the same sentences."""
    heads = partial(attention.show_chosen, s, model, typed, sides)
    folds.show(_("Which token attends to which?"), s.attends, heads)
    if question is not None:
        views = partial(directions.show, question, s.view, (s.space_back, s.side, s.point))
        folds.show(_("And in all directions at once?"), s.directions, views)


def _for_use(
    s: CompareState,
    model: str | None,
    question: Question | None,
    typed: dict[str, str],
    sides: dict[str, Chosen],
) -> None:
    """What a visitor can check, save and compute again."""
    if model and typed:
        right = partial(_right, s, model, typed, sides, question)
        folds.show(_("Are the numbers right?"), s.numbers, right)
        if question is not None:
            page.part(same_in_python.show, None, s.python, partial(python.lines, question), model)
    page.computed(prose.read(__file__))


def _right(
    s: CompareState,
    model: str,
    typed: dict[str, str],
    sides: dict[str, Chosen],
    question: Question | None,
) -> None:
    evidence.agreement(model, [*typed.values()])
    if question:
        texts = {name.lower(): one.text for name, one in sides.items()}
        choices = {**on_device.with_ends(on_device.choices(s), question), **texts, "d": s.back.get()}
        saved_comparison.button(question, choices, s.layer, s.head, s.special, s.back, s.view)
    evidence.numbers(model, sides)


page.run(
    __file__,
    CompareState,
    compare,
    tools=False,
    examples=False,
    computed=False,
    translated=True,
    offer=onboarding.offer,
)
