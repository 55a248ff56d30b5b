"""The third view of Embeddings: trajectories of words, between senses or on a map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.comparison import Chosen, language
from core.comparison.word import WordOccurrence, occurrences, shared_in
from core.figures import style
from core.figures.trajectories.trails import (
    Mark,
    Trajectory,
    before_after,
    map_trajectories,
    sense_trajectories,
    space_trajectories,
)
from core.localization import _, each
from core.measures import CONTEXTUAL
from core.measures.maps.neighbour_map import FEWEST_FOR_UMAP
from core.records.finding import occurrence_spans
from core.records.trace import Array, Trace
from pages.embeddings import anchor_groups, python
from pages.embeddings.state import FRAMED, MAPS, EmbeddingsState
from pages.embeddings.trajectories import captions as say
from pages.embeddings.trajectories import chosen_words, data
from pages.embeddings.trajectories.chosen_words import Picked
from pages.embeddings.trajectories.data import Framed, TrajectoryQuery
from ui import figure, files, layout, permalink, same_in_python, session, tables
from ui.comparison import Cached
from ui.models.attempt import attempt, attempt_trace
from ui.page import terms
from ui.state import select, toggle
from ui.state.side import point_in, take_point, take_side

MARKS: tuple[Mark, ...] = ("circle", "square", "diamond", "ring")
SENTENCES = (style.SENTENCE_A, style.SENTENCE_B)


def show(s: EmbeddingsState, model: str) -> None:
    """Draw the picture below the two text boxes, and the choice of words below the picture."""
    traces = _traces(s, model)
    if not traces:
        return
    if note := language.warning(Cached(model), [trace.texts[0] for trace in traces]):
        st.caption(note)
    phrases = chosen_words.phrases(s.words.get())
    there = [occurrences(trace, *phrases) for trace in traces]
    if not any(there):
        st.info(_("This text has no word that the model knows. Type one."))
        return
    # The picture comes first on the screen; the choice of its words comes below it.
    picture, choices, reading = st.container(), st.container(), st.container()
    with choices:
        names, space, groups = _choose(s, there, traces)
    texts = [trace.texts[0] for trace in traces]
    query = _query(model, texts, [*names])
    with picture:
        typed = s.words.get()
        if typed != s.words.default and (
            lost := chosen_words.missing(typed, there, traces[0].spelling)
        ):
            late = [word for word in lost if any(_comes_late(trace, word) for trace in traces)]
            st.caption(say.missing(lost, [*names.values()], len(there), late))
    if space in MAPS:
        offers = partial(_offer_more, s, model, names, there, texts)
        _map(s, query, names, space, picture, reading, offers)
        lines = partial(python.mapped, query, space, 3 if s.solid.get() else 2)
    else:
        of = Counter(one.word for occurrences in there for one in occurrences)
        _between(s, query, names, groups, of, space, picture, reading)
        lines = partial(python.between, query, groups)
    if space in MAPS or any(one.word in groups for one in names):
        same_in_python.show(s.python, lines, model)


def _comes_late(trace: Trace, word: str) -> bool:
    """Whether a word stands in a text only after the point where the model stops reading."""
    if trace.left_out is None:
        return False
    start, end = trace.left_out
    return bool(occurrence_spans(trace.texts[0][start:end], word, spelling=trace.spelling))


def _choose(
    s: EmbeddingsState,
    there: Sequence[Sequence[WordOccurrence]],
    traces: Sequence[Trace],
) -> tuple[dict[Picked, str], str, dict[str, anchor_groups.Groups]]:
    """Choose the words, the kind of picture, and, for an axis, the two ends of each word."""
    room, spelling = [76, 82, 32], traces[0].spelling
    if layout.scale() > 1:  # the words have their own row
        left, (middle, right) = st.container(), st.columns(room[1:], vertical_alignment="bottom")
    else:
        left, middle, right = st.columns(room, vertical_alignment="bottom")
    with left:
        names = chosen_words.choose(s.words, there, spelling, partial(shared_in, traces))
    with middle:
        space = select(s.space, each(FRAMED | MAPS), _("Projection"), style="segments", wrap=True)
    groups = dict[str, anchor_groups.Groups]()
    with right:
        if space in MAPS:
            toggle(s.solid, _("In 3-D"))
        else:
            shown = [*dict.fromkeys(one.word for one in names)]
            groups = anchor_groups.choose((s.low, s.high), shown, spelling)
    return names, space, groups


def _traces(s: EmbeddingsState, model: str) -> list[Trace]:
    """The traces of the text and, if there is one, of the second text; none without the first."""
    second = s.second.get()
    first = attempt_trace(model, s.text.get(), _("The text"))
    if first is None:
        return []
    other = attempt_trace(model, second, _("The second text")) if second.strip() else None
    return [first] if other is None else [first, other]


def _between(
    s: EmbeddingsState,
    query: TrajectoryQuery,
    names: Mapping[Picked, str],
    groups: Mapping[str, anchor_groups.Groups],
    of: Mapping[str, int],
    space: str,
    container: DeltaGenerator,
    reading: DeltaGenerator,
) -> None:
    """Draw trajectories between two ends in `container`, and how to read them in `reading`.

    `of` tells how often the texts have each word.
    """
    with container:
        framed = attempt(data.framed, query, groups) if groups else None
        if framed is not None:
            limits = _between_ends(s, names, framed, of, space)
        if unknown := [*dict.fromkeys(one.word for one in names if one.word not in groups)]:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(say.no_senses(unknown), width="content")
                st.button(_("Show in PCA"), on_click=s.space.set, args=(next(iter(MAPS)),))
            st.caption(anchor_groups.known_senses())
    if framed is None:
        return
    with reading, st.expander(_("How the picture is made")):
        if known := " ".join(filter(None, (limits, say.beginning(framed)))):
            st.caption(known)
        terms.caption(
            say.of_frame(framed) if space == "senses" else say.of_panels(framed), "trajectories"
        )


def _numbers(names: Mapping[Picked, str], framed: Framed) -> files.File:
    """The number of words, and of those that are ends."""
    shown = [name for i, name in enumerate(names.values()) if i in framed.words]
    among = framed.among
    ends = {f"{framed.beside} beside {end}": at for end, at in {**among.low, **among.high}.items()}
    alone = {f"{word} alone": at for word, at in among.alone.items()}
    everything = dict(zip(shown, framed.coordinates, strict=True)) | ends | alone
    make = partial(tables.coordinates_by_depth, everything, "xy", CONTEXTUAL)
    return files.csv(make, "trajectories")


def _between_ends(
    s: EmbeddingsState,
    names: Mapping[Picked, str],
    framed: Framed,
    of: Mapping[str, int],
    space: str,
) -> str:
    """Draw them, with what they show; returns which limits were applied (Markdown)."""
    shown = {one: name for i, (one, name) in enumerate(names.items()) if i in framed.words}
    trajectories = _trajectories(names, dict(zip(shown, framed.coordinates, strict=True)))
    depth, take = _depth(s, len(framed.coordinates[0]))
    words = [one.word for one in shown]
    headline = say.headline(
        [*shown.values()], words, framed.coordinates, framed.senses, depth, framed.clear, of
    )
    with st.container(gap="xsmall"):  # the picture stands on the first screen, in large letters too
        if headline is not None:
            st.markdown(headline.claim)
        look: dict[str, Any] = {"saved_as": [_numbers(names, framed)], "scale": layout.scale()}
        if space == "senses":
            # Only once per session, and never if a link sets a depth.
            opens = session.first_time("trajectories move by themselves") and not s.back.get()
            picture = sense_trajectories(trajectories, framed.among, depth=depth, opens=opens)
            figure.show(picture, "trajectories", on_state=take, **look)
        else:
            left, right = st.columns(2, gap="medium")
            before, after = before_after(trajectories, framed.among, depth=depth)
            with left:
                figure.show(before, "before", **look)
            with right:
                figure.show(after, "after", on_state=take, **look)
    alone = say.alone(framed.among.alone, depth)
    because = "" if headline is None else headline.because
    st.markdown(" ".join(filter(None, (because, alone))))
    st.caption(say.legend(framed, words))
    if another := permalink.of_another_version():
        st.caption(another)
    if framed.without:
        st.caption(say.without(framed.without))
    # Ends that somebody named have no sentences.
    sentences = framed.among.alone and not (s.low.get() or s.high.get())
    compare = say.of_compare(framed.with_sentences) if sentences else ""
    return " ".join(filter(None, ("" if headline is None else headline.limits, compare)))


def _map(
    s: EmbeddingsState,
    query: TrajectoryQuery,
    names: Mapping[Picked, str],
    how: str,
    container: DeltaGenerator,
    reading: DeltaGenerator,
    offers_more: Callable[[int], None],
) -> None:
    components = 3 if s.solid.get() else 2
    with container, st.container():  # the message has a permanent place
        waiting = _("{map} is placing all points.").format(map=each(MAPS)[how])
        count = attempt(data.count_points, query) if how == "umap" else None
        if count is not None and count < FEWEST_FOR_UMAP:
            offers_more(count)
            return
        with st.spinner(waiting, show_time=True):
            mapped = attempt(data.mapped, query, how, components)
    if mapped is None:
        return
    placed = mapped.coordinates[..., :components]
    trajectories = _trajectories(names, dict(zip(names, placed, strict=True)))
    titles = say.directions(how, mapped, components)
    depth, take = _depth(s, placed.shape[1])
    if components == 2:
        x, y = titles
        picture = map_trajectories(trajectories, depth=depth, x=x, y=y, name=how)
    else:
        name = f"space-{how}"
        made = space_trajectories(trajectories, depth=depth, titles=titles, name=name)
        chosen = point_in(s.point, len(made.header["texts"]))
        picture = made.choosing({"depth": depth, "view": s.side.get(), "chosen": chosen})
    key = f"map {how} {components}"

    def turned(sent: Mapping[str, Any]) -> None:
        take(sent)
        if components == 3:
            take_side(s.side, sent)
            take_point(s.point, sent)

    named = dict(zip(names.values(), placed, strict=True))
    make = partial(tables.coordinates_by_depth, named, "xyz"[:components])
    numbers = files.csv(make, f"trajectories-{how}")
    with container:
        figure.show(picture, key, on_state=turned, saved_as=[numbers], scale=layout.scale())
    with reading:
        terms.caption(
            say.of_map(how, mapped, placed.shape[0] * placed.shape[1], components), "trajectories"
        )


def _query(model: str, texts: Sequence[str], picked: Sequence[Picked]) -> TrajectoryQuery:
    return TrajectoryQuery(
        model, tuple(Chosen(texts[one.text], one.word, one.number) for one in picked)
    )


def _offer_more(
    s: EmbeddingsState,
    model: str,
    names: Mapping[Picked, str],
    there: Sequence[Sequence[WordOccurrence]],
    texts: Sequence[str],
    count: int,
) -> None:
    """Where a map of neighbours would have too few points: a click takes more words, or another map."""
    enough = next(
        (
            more
            for more in chosen_words.with_more([*names], there)
            if data.count_points(_query(model, texts, more)) >= FEWEST_FOR_UMAP
        ),
        None,
    )
    st.markdown(say.too_few(count, has_more=enough is not None))
    with st.container(horizontal=True, gap="small"):
        if enough is not None:
            label = _("Take {count} words").format(count=len(enough))
            typed = chosen_words.typed(enough)
            st.button(label, type="primary", on_click=s.words.set, args=(typed,))
        st.button(_("Show in PCA"), on_click=s.space.set, args=(next(iter(MAPS)),))


def _trajectories(names: Mapping[Picked, str], coordinates: Mapping[Picked, Array]) -> list[Trajectory]:
    """Words of one text differ by colour and mark; with two texts, those of A are blue, of B orange.

    A word looks the same whether or not the other chosen words have coordinates.
    """
    two = any(one.text for one in names)
    trajectories = []
    for i, (one, name) in enumerate(names.items()):
        if one in coordinates:
            colour = SENTENCES[one.text] if two else style.LABELS[i % len(style.LABELS)]
            mark = MARKS[(i + i // len(MARKS)) % len(MARKS)]
            trajectories.append(Trajectory(name, one.word, coordinates[one], colour, mark))
    return trajectories


def _depth(s: EmbeddingsState, depths: int) -> tuple[int, Callable[[Mapping[str, Any]], None]]:
    """The depth shown, and a callback for when a visitor moves a picture to another."""
    last = depths - 1

    def take(chosen: Mapping[str, Any]) -> None:
        s.back.set(min(max(0, last - int(chosen["depth"])), last))

    return max(0, last - s.back.get()), take
