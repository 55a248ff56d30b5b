"""The Senses page: a map of a word's occurrences, nearest-centroid accuracy, nearest sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from core import localization
from core.figures import Picture, style
from core.localization import _, decimal
from core.measures.senses.clusters import Clusters
from core.measures.senses.occurrences import nearest
from core.reading import Merged, Sentence
from core.records.finding import counted
from core.records.trace import Array
from pages.senses import captions, pictures, python
from pages.senses.captions import labelled
from pages.senses.state import CLUSTER, SPACES, SensesState
from ui import figure, files, layout, page, same_in_python, state
from ui.corpora import examples
from ui.models import answers, model_cache
from ui.models.attempt import attempt
from ui.models.unknown_words import unknown_note, unknown_words
from ui.models.word_vectors import CachedOccurrences
from ui.page import terms
from ui.state.side import take_side
from ui.text import clipped, plain

SHORT, NEAR = 60, 5
MOST_WORD = 40  # letters of a word in the name of a link
LISTED = 200  # occurrences in a list to choose from; if there are more, a visitor enters a number


def show(s: SensesState, cached: CachedOccurrences, merged: Merged) -> None:
    """Draw the page below its boxes.

    Args:
        s: the state of the page.
        cached: the vectors of the word.
        merged: the sentences that were read, each once.
    """
    occurrences, sentences = cached.occurrences, merged.sentences
    if attempt(cached.maps) is None:
        return
    labels = tuple(sentences[text].label for text in occurrences.texts)
    names = pictures.depth_names(occurrences)
    last = len(names) - 1
    depth = max(0, last - s.depth.get())
    accuracy = cached.label_accuracy(labels)
    groups = _clusters_of(s, cached)
    if groups is not None:  # what was asked for comes first
        agreed = cached.agreed(groups.k, depth, labels)
        if said := captions.agreement(agreed, names[depth]):
            st.markdown(said)
    if accuracy is not None:
        claim, by_numbers = captions.claim(cached.query.word, accuracy, occurrences.n_learned)
        st.markdown(claim)
    elif note := captions.no_accuracy(labels):
        st.caption(note)
    if note := unknown_note(_unknown(cached, sentences)):
        st.warning(note)
    if note := captions.merged(merged):
        st.caption(note)
    if note := _counted(cached):
        st.caption(note)
    if note := captions.matched(_matched(cached, sentences), cached.query.word):
        st.caption(note)
    one = state.clamp(s.sentence, 1, len(occurrences.texts))

    def take(seen: Mapping[str, Any]) -> None:
        s.depth.set(min(max(0, last - int(seen["depth"])), last))
        take_side(s.side, seen)
        if seen["chosen"] is not None:
            s.sentence.set(int(seen["chosen"]) + 1)

    left, right = st.columns([8, 5], gap="medium")
    with left:
        how, coordinates = _placed(s, cached)
        picture = _map(cached, sentences, labels, groups, how, coordinates)
        components = coordinates.shape[2]
        chosen = {"depth": depth, "chosen": one - 1}
        if components == 3:
            shown, key = picture.choosing({**chosen, "view": s.side.get()}), "map in space"
        else:
            shown, key = picture.choosing(chosen), "map"
        numbers = files.csv(
            lambda: pictures.map_table(occurrences, merged, coordinates, groups), "senses-map"
        )
        figure.show(shown, key, on_state=take, saved_as=[numbers], scale=layout.scale())
        share = float(cached.maps(components)[1][depth])
        terms.caption(captions.seen(how, names[depth], share, components), "senses map")
    with right:
        if accuracy is not None:
            st.markdown(
                _("**Nearest-centroid accuracy**: how often the nearest centroid has the right label")
            )
            st.markdown(by_numbers)
            numbers = files.csv(
                partial(pictures.accuracy_table, accuracy, names),
                "senses-accuracy",
            )
            figure.show(
                pictures.accuracy_picture(accuracy, names),
                "accuracy",
                saved_as=[numbers],
                scale=layout.scale(),
            )
        else:
            _near(s, cached, sentences, depth, names[depth])
    if accuracy is not None:
        _near(s, cached, sentences, depth, names[depth])
    if groups is not None:
        _clusters(cached, sentences, labels, groups, depth, names[depth])
    _corpus(cached.query.word)
    lines = partial(
        python.lines,
        cached.query,
        sentences,
        scored=accuracy is not None,
        one=one - 1,
        depth=depth,
    )
    same_in_python.show(s.python, lines, cached.query.model)


def _placed(s: SensesState, cached: CachedOccurrences) -> tuple[str, Array]:
    """The method of the map, and the coordinates of all points; PCA if another method is impossible."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        how = state.select(s.space, SPACES, _("Projection"), style="segments")
        components = 3 if state.toggle(s.solid, _("In 3-D")) else 2
    with st.container():  # the message has a permanent place
        said = _("{method} is placing all points, layer by layer.").format(method=SPACES[how])
        waiting = st.spinner(said, show_time=True)
        with waiting:
            coordinates = attempt(cached.coordinates, how, components)
    if coordinates is None:
        return "pca", cached.coordinates("pca", components)
    return how, coordinates


def _clusters_of(s: SensesState, cached: CachedOccurrences) -> Clusters | None:
    """The clusters, if the points are coloured by cluster."""
    if s.colour.get() != CLUSTER:
        return None
    with st.spinner(_("Looking for clusters …")):
        return cached.clusters(s.clusters.get())


def _map(
    cached: CachedOccurrences,
    sentences: Sequence[Sentence],
    labels: tuple[str, ...],
    groups: Clusters | None,
    how: str,
    coordinates: Array,
) -> Picture:
    """The map, which is rebuilt only if the colours change."""
    occurrences, shown = cached.occurrences, _parts(cached, sentences)
    coloured = pictures.by_label(labels) if groups is None else pictures.by_cluster(groups, labels)
    of = labels if groups is None else (groups.k, labels)
    return cached.once(
        ("map", localization.current(), of, how, coordinates.shape[2]),
        lambda: pictures.map_picture(occurrences, shown, coordinates, coloured, SPACES[how]),
    )


def _parts(cached: CachedOccurrences, sentences: Sequence[Sentence]) -> Sequence[tuple[str, str, str]]:
    """The sentence of each occurrence: before the word, the word, after it."""
    occurrences, (model, word, _) = cached.occurrences, cached.query
    spelling = model_cache.model(model).spelling
    return cached.once("parts", lambda: pictures.parts(occurrences, sentences, word, spelling))


def _counted(cached: CachedOccurrences) -> str:
    """How many sentences contain the word, and why the others have no point."""
    name, word, texts = cached.query
    model = model_cache.model(name)
    why = (
        _(
            "the first {count} pieces of a sentence, for which this server has memory "
            "(POLYSEE\\_TRACE\\_MB)"
        )
        if model_cache.ends_early(name)
        else _("the first {count} pieces of a sentence, where {model} stops reading")
    )

    def is_cut(text: str) -> bool:
        return model.read(text).left_out_by_text[0] is not None

    def make() -> str:
        most = model.max_tokens
        unread = captions.unread(cached.occurrences, texts, word, model.spelling, is_cut)
        reads = why.format(count=decimal(f"{most:,}"), model=model_cache.markdown_title(name))
        return captions.counted(cached.occurrences, len(texts), unread, reads)

    return cached.once(("counted", localization.current()), make)


def _matched(cached: CachedOccurrences, sentences: Sequence[Sentence]) -> Mapping[str, int]:
    """The different words in which the word was found, and how often."""
    spelling = model_cache.model(cached.query.model).spelling
    written = [word for _, word, _ in _parts(cached, sentences)]
    return cached.once("matched", lambda: counted(written, cached.query.word, spelling=spelling))


def _unknown(cached: CachedOccurrences, sentences: Sequence[Sentence]) -> list[str]:
    """Those of the words that were found which the model reads as its token for the unknown."""
    model = model_cache.model(cached.query.model)

    def make() -> list[str]:
        return unknown_words(model, _parts(cached, sentences))

    return cached.once("unknown", make)


def _near(
    s: SensesState, cached: CachedOccurrences, sentences: Sequence[Sentence], depth: int, name: str
) -> None:
    occurrences = cached.occurrences
    count = len(occurrences.texts)
    if count <= LISTED:
        called = {
            i + 1: f"{i + 1}. {style.short(sentences[text].text, SHORT)}"
            for i, text in enumerate(occurrences.texts)
        }
        of = state.select(s.sentence, called, _("Nearest to"), by_names=True) - 1
    else:
        of = state.number(s.sentence, _("Nearest to number"), most=count, width=180) - 1
    st.markdown(f"> {labelled(sentences[occurrences.texts[of]], of + 1)}")
    _origin(cached, of, depth)
    near = nearest(occurrences, of, depth, NEAR)
    st.markdown(
        "\n".join(
            f"- **{style.signed(value)}** · {labelled(sentences[occurrences.texts[other]], other + 1)}"
            for other, value in near
        )
    )
    terms.caption(
        _(
            "Ranked by the cosine similarity of their vectors, {name}. Click a point of the map to "
            "choose it."
        ).format(name=name),
        "nearest occurrences",
    )


def _origin(cached: CachedOccurrences, of: int, depth: int) -> None:
    """A link to the steps that computed the vector of this occurrence."""
    query, text_of = cached.query, cached.occurrences.texts
    text = query.texts[text_of[of]]
    trace = attempt(answers.trace, query.model, text)
    if trace is not None:
        token = trace.find(query.word, text_of[:of].count(text_of[of]))[0]
        page.to_vector(text, int(token), depth)


def _corpus(word: str) -> None:
    """A link to every occurrence of the word: in a visitor's own corpus where there is one."""
    page.down(
        _("Every occurrence of “{word}” in a corpus").format(word=plain(clipped(word, MOST_WORD))),
        "corpus",
        {"c": examples.first_corpus(), "w": word},
    )


def _clusters(
    cached: CachedOccurrences,
    sentences: Sequence[Sentence],
    labels: tuple[str, ...],
    groups: Clusters,
    depth: int,
    name: str,
) -> None:
    """Draw each cluster with its most typical sentence, and the labels in it."""
    of = groups.of[depth]
    st.markdown(
        _(
            "**Clusters**, {name}: the number of occurrences of each, and its most typical sentence"
        ).format(name=name)
    )
    for i, typical in enumerate(groups.typical[depth]):
        if typical >= 0:
            sentence = sentences[cached.occurrences.texts[typical]]
            size = int((of == i).sum())
            said = _("- **Cluster {number}** ({count}): {sentence}")
            st.markdown(
                said.format(
                    number=i + 1,
                    count=decimal(f"{size:,}"),
                    sentence=labelled(sentence, typical + 1),
                )
            )
    if table := captions.labels_by_cluster(cached.agreed(groups.k, depth, labels), groups.k):
        st.markdown(table)
