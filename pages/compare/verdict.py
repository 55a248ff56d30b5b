"""The verdict, the moving picture, and how certain the verdict is: the first screen of Compare."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.comparison import Question, ends, how_to_read
from core.comparison import say as sentences
from core.comparison.alone import position_alone
from core.comparison.close_ends import close_layers
from core.comparison.judge import Between, limit
from core.comparison.next_step import Cue, NextStep, next_step
from core.errors import NotSupported, PolyseeError
from core.figures import cosine_paths, style
from core.localization import N_, _, gettext
from core.measures.contributions.sentence_parts import LEFT_OUT
from core.records.contributions import beginning
from core.records.trace import SINK
from core.records.words import split
from core.sentences import sentence
from pages.compare import directions, examples
from ui import figure, files, layout, page, permalink, sense_ends, session
from ui.comparison import Cached, between, is_one_word, moved, picture, shown_parts, sure
from ui.contributions import computed
from ui.lessons import reveal, route
from ui.models import answers, calibrations
from ui.models.attempt import attempt
from ui.page import terms
from ui.state import LESSON, Field, SessionValue, Whole
from ui.text import plain

MEASURE = N_("Measure it under *Why*, in *How sure is this?*")  # where a model can be
MOST_WRITTEN = 34  # letters of a sentence on a link
PICTURE = "trajectory"  # its name on the page
_WANTED = SessionValue("contributions wanted", "")


def compared(question: Question) -> Between | None:
    """The comparison; None if there is no axis. The picture says why.

    Args:
        question: the word, the sentences and the two ends.
    """
    try:
        return between(question) if is_one_word(question) else None
    except PolyseeError:
        return None


def say(
    comparison: Between,
    back: int,
    texts: Mapping[str, Field[str]],
    own: Callable[[], None] = lambda: None,
) -> bool:
    """The verdict, and what one must know beside it; returns whether `own` was drawn.

    Args:
        comparison: the positions and the verdict.
        back: how many layers before the last the picture shows. The verdict is one after the last, and
            then says it.
        texts: the fields of the two sentences.
        own: draws a box for a meaning of the visitor's own, behind what else can be done.
    """
    question = comparison.question
    with st.container(key="verdict", gap="xxsmall"):
        measure = gettext(MEASURE) if calibrations.can_measure(question.model) else ""
        step = attempt(next_step, comparison, Cached(question.model))
        headline, *beside = sentences.said(comparison, Cached(question.model), measure, step)
        last = comparison.verdict.layer is None and back
        after = (
            _("After layer {layer}, the last: ").format(layer=comparison.axes[0].n_layers)
            if last
            else ""
        )
        with st.container(key="presented line"):  # stays with the picture in front of a class
            st.markdown(f"{after}{headline}")
        numbers = sentences.fits_in_numbers(comparison, Cached(question.model)) or None
        for one in beside:
            st.caption(one, help=numbers)
        if another := permalink.of_another_version():
            st.caption(another)
        if left := sense_ends.words_left(question.model, question.a.word):
            st.caption(left)
        if step is None:
            return False
        with st.container(key="presented line ways"):
            return _ways_on(step, question.a.word, texts, own)


def _ways_on(
    step: NextStep, word: str, texts: Mapping[str, Field[str]], own: Callable[[], None]
) -> bool:
    """One click each: the guessed meanings are the right ones, or a sentence has another one."""
    ways = [] if step.confirmed is None else [(_("Yes, these two"), step.confirmed)]
    meant = ends.short([one.meaning for one in step.tries])
    ways += [
        (_("In {name}: {meaning}").format(name=one.name, meaning=plain(name)), one.ends)
        for one, name in zip(step.tries, meant, strict=True)
    ]
    if not (ways or step.cues or step.first):
        return False
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="ways on"):
        if step.first:
            _rewrite(_("Put the clue first"), step.first, texts, word)
        if ways:
            right, other = _("Is the guess right?"), _("Is another meaning meant?")
            st.caption(other if step.confirmed is None else right, width="content")
        for label, chosen in ways:
            taken = (sense_ends.ENDS, word, chosen)
            st.button(
                label, key=f"way on {label}", type="tertiary", on_click=sense_ends.take, args=taken
            )
        if step.missing:  # before the click, what it leads to
            reasons = plain(" ".join(step.missing))
            st.caption(sentence("verdict.which.missing", reasons=reasons), width="content")
        if step.cues:
            clue, these = _("Put a clue before it:"), _("These two, with a clue:")
            st.caption(these if step.missing else clue, width="content")
        argued = ends.short([one.towards for one in step.cues])
        for one, towards in zip(step.cues, argued, strict=True):
            said = plain(_beginning_of(one.text))
            label = _("{name}: “{text}”, towards “{end}”")
            label = label.format(name=one.name, text=said, end=plain(towards))
            _rewrite(label, (one,), texts, word)
        own()
    return True


def _beginning_of(text: str) -> str:
    """As many words of a sentence as a link has room for."""
    if len(text) <= MOST_WRITTEN:
        return text
    whole = text[: MOST_WRITTEN + 1].rpartition(" ")[0]
    return f"{whole or text[:MOST_WRITTEN]} …"


def _rewrite(label: str, cues: Sequence[Cue], texts: Mapping[str, Field[str]], word: str) -> None:
    """A click that writes sentences with a cue before the word, and chooses the ends with it."""

    def write() -> None:
        for one in cues:
            if one.ends is not None:
                sense_ends.take(sense_ends.ENDS, word, one.ends)
            texts[one.name].set(one.text)

    said = "\n\n".join(f"{one.name}: {plain(one.text)}" for one in cues)
    st.button(label, key=f"cue {label}", type="tertiary", help=said, on_click=write)


def show(question: Question, back: Whole) -> None:
    """The picture; without an axis, how far the two vectors lie apart.

    Args:
        question: as in `compared`.
        back: the field for the number of layers before the last.
    """
    comparison = attempt(between, question) if is_one_word(question) else None
    if comparison is None:
        _without(question)
    else:
        _moving(comparison, back)


def _moving(
    comparison: Between, back: Whole, names: str = "AB", texts: tuple[str, ...] | None = None
) -> None:
    """Draw the moving picture of these sentences, with what to look for and its numbers."""
    question = comparison.question
    depth = comparison.depth(back.get())
    # Only once per session and in each scene of the route, and never if a link sets a depth, or below
    # the answer of a lesson, whose numbers are those of the end. It would end after the last layer,
    # which may not be that of the verdict.
    scene = route.scene()
    answered = LESSON.get() is not None and not scene
    still = back.get() or comparison.verdict.layer is not None or answered
    play = session.first_time(f"trajectory moves by itself {scene}") and not still
    wanted = _WANTED.get() == question.id

    def want() -> None:
        _WANTED.set(question.id)

    def take(chosen: Mapping[str, Any]) -> None:
        back.set(comparison.back(int(chosen["depth"])))

    made = attempt(partial(picture, comparison, depth=depth, play=play, adds=wanted, names=names))
    if made is not None:
        numbers = files.csv(partial(table, comparison, names), "trajectory")
        of = texts or question.texts
        figure.show(made, PICTURE, on_state=take, on_wanted=want, saved_as=[numbers], of=of)
        with st.container(horizontal=True, vertical_alignment="center", key="verdict hint"):
            if hint := _hint(question):
                st.caption(sentence("look-for", hint=hint))
            with st.container(horizontal=True, width="content", key="origins"):
                _origins(comparison, depth, names)
        if reveal.is_hidden(PICTURE):
            return  # it would explain what nobody sees
        causal = answers.trace(question.model, question.a.text).causal
        read, more = gettext(how_to_read.START), None
        if depth:
            needed = limit(comparison, Cached(question.model).calibration)
            of_ends = how_to_read.of_close_ends(comparison, names)
            before = 0 if comparison.judged == comparison.axes[0].n_layers else comparison.judged
            close = max(close_layers(comparison.axes[0], comparison.judged), default=0)
            sides = zip((question.a, question.b), comparison.axes, strict=True)
            source = Cached(question.model)
            alone = [position_alone(side, source, axis) for side, axis in sides]
            under = how_to_read.hides_alone(comparison, alone, names)
            read = how_to_read.in_short(needed, beginning(causal=causal), before, close, under)
            shares = how_to_read.of_shares() if Cached(question.model).adds else ""
            axis = how_to_read.of_axis(needed, beginning(causal=causal))
            more = " ".join(part for part in (shares, axis, of_ends) if part)
        terms.caption(read, "axis", more)
        for long in filter(None, (_how_much(question, name) for name in names)):
            st.caption(long)


def _how_much(question: Question, name: str) -> str:
    """How much of a long sentence the model read, if the picture shows only a stretch; else ""."""
    side = question.side(name)
    shown = shown_parts(question.model, side)[0]
    if all(part.text != LEFT_OUT for part in shown):
        return ""
    trace = answers.trace(question.model, side.text)
    text = trace.texts[0]
    read = text[: trace.left_out[0]] if trace.left_out else text
    there = [text[part.start : part.end] for part in shown if part.text != LEFT_OUT]
    few, many = (
        sum(any(map(str.isalnum, one.text)) for one in split(said)) for said in ("".join(there), read)
    )
    return _(
        "Of {name}, the model read {count} words; the picture shows {shown} of them, around *{word}*."
    ).format(name=name, count=many, shown=few, word=plain(side.word))


def ahead(question: Question) -> None:
    """Compute what each word adds while the browser paints the dots: it asks for that next.

    Args:
        question: as in `compared`.
    """
    if question.ends is None or not Cached(question.model).adds:
        return
    both = question.a, question.b
    try:
        computed.ahead(question.model, both, question.ends)
        for side in both:
            Cached(question.model).added(side, question.ends)
    except PolyseeError:  # the picture says why
        return


def _origins(comparison: Between, depth: int, names: str) -> None:
    """Links to the steps that made the vectors of the word after this layer."""
    question = comparison.question
    for name in names:
        side = question.side(name)
        trace = answers.trace(question.model, side.text)
        token = int(trace.find(side.word, side.number)[0])
        page.to_vector(
            side.text,
            token,
            depth,
            label=_("Where does the vector in {name} come from?").format(name=name),
        )


def _hint(question: Question) -> str | None:
    """What to look for in a preset, if its own ends are used."""
    own = question.ends == sense_ends.ends_for(question.model, question.a.word, question.texts)
    preset = examples.find(question.texts, question.words) if own else None
    # What one kind of model shows need not be true of the other.
    if preset is None or preset not in examples.of(question.model):
        return None
    return gettext(preset.look_for)


def _without(question: Question) -> None:
    """Draw two words, or one without ends, by cosine similarity alone."""
    word_paths = attempt(moved, question)
    if word_paths is None:
        return
    boxes = sense_ends.unnamed(sense_ends.ENDS)
    first, *notes = sentences.said_without(question, Cached(question.model), boxes)
    st.markdown(first)
    for note in notes:
        st.caption(note)
    figure.show(
        cosine_paths(word_paths.together, word_paths.from_alone),
        "path",
        saved_as=[files.csv(partial(directions.cosine_table, word_paths), "path")],
        scale=layout.scale(),
    )
    terms.caption(how_to_read.of_cosine(question.words), "path")


def show_sure(question: Question) -> None:
    """Draw how far the verdict can be trusted, and what the ends are."""
    if not is_one_word(question) or question.ends is None:
        st.caption(_("There is no verdict yet: name one word for each of two meanings."))
        return
    comparison = attempt(between, question)
    if comparison is None:
        return
    beside = attempt(sure, comparison)
    if beside is None:
        return
    for one in sentences.evidence(comparison, beside, Cached(question.model)):
        st.markdown(one)
    if calibrations.can_measure(question.model):
        _offer(question.model)


def _offer(model: str) -> None:
    if not st.button(
        _("Measure this model"), help=_("On 192 labelled sentences and more; a minute or two.")
    ):
        return
    bar = st.progress(0.0, _("Reading our labelled sentences …"))

    def on_word(done: int, total: int) -> None:
        bar.progress(done / total)

    made = attempt(calibrations.measure, model, on_word)
    if made is not None:
        st.rerun()


def say_one(question: Question, name: str, note: str) -> None:
    """Where the word of a single sentence stands, without one to compare.

    Args:
        question: the sentence, given twice.
        name: "A" or "B".
        note: a remark on its language.
    """
    comparison = compared(question)
    if comparison is None or question.ends is None:
        if note:
            st.caption(note)
        return
    assert comparison.same is not None
    with st.container(key="verdict", gap="xxsmall"):
        headline, *beside = sentences.said_of_one(comparison, name, note, Cached(question.model))
        st.markdown(headline)
        for one in (*beside, sense_ends.words_left(question.model, question.a.word)):
            if one:
                st.caption(one)


def show_one(question: Question, name: str, back: Whole, texts: tuple[str, ...]) -> None:
    """Draw the picture of a single sentence.

    Args:
        question: as in `say_one`.
        name: "A" or "B".
        back: the field for the number of layers before the last.
        texts: what stands in the two boxes.
    """
    comparison = attempt(between, question)
    if comparison is not None and question.ends is not None:
        _moving(comparison, back, name, texts)


def table(comparison: Between, names: str = "AB") -> pd.DataFrame:
    """The numbers of the picture: a row for each layer.

    The position is the sum of the position alone and of what each part of the sentence adds, if that is
    known.
    """
    question = comparison.question
    assert question.ends is not None
    rows: dict[str, object] = {}
    for name in names:
        rows[_("{name}: position").format(name=name)] = comparison.coordinates["AB".index(name)]
        rows[_("{name}: alone").format(name=name)] = position_alone(
            question.side(name), Cached(question.model), comparison.axes["AB".index(name)]
        )
        try:
            sums = Cached(question.model).added(question.side(name), question.ends)
        except NotSupported:  # no contributions in this model: only positions
            continue
        shown = shown_parts(question.model, question.side(name))[0]
        for i, (part, column) in enumerate(zip(shown, sums.parts.T, strict=True)):
            if not np.isnan(column).all():
                rows[f"{name}: {part.text.strip()} ({i})"] = column
        trace = answers.trace(question.model, question.side(name).text)
        none_of_words = gettext(SINK) if trace.first_is_sink else _("special tokens")
        for title, column in ((none_of_words, sums.special), (_("biases"), sums.bias)):
            rows[f"{name}: {title}"] = column
    layers = [style.layer_name(i) for i in range(comparison.axes[0].n_layers)]
    return pd.DataFrame(rows, index=pd.Index(layers, name=_("after")))
