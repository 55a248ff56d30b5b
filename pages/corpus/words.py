"""The map of all words of the corpus: one point a word, by the mean vector of its occurrences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt
import pandas as pd
import streamlit as st

from core.corpus.querying.typical import Typical
from core.corpus.querying.word_means import WordMeans
from core.corpus.storage.columns import value_name
from core.corpus.storage.filters import is_value
from core.corpus.word_map import Asked, How, WordMap, turned
from core.errors import PolyseeError
from core.figures import Picture, Side, groups_of, style, word_map
from core.figures.cloud import Group
from core.figures.word_map import bounds_of, inside
from core.localization import _, gettext
from core.measures.maps.neighbour_map import has_umap
from core.records.frozen import Array
from pages.corpus import captions, headings, map_captions, near, tables
from pages.corpus.state import BESIDE_CORPUS, BESIDE_NOTHING, BESIDE_VALUES, CorpusState
from ui import figure, files, layout, page, state, text
from ui.corpora import offered, word_maps
from ui.corpora.lines import CachedWord
from ui.corpora.offered import Offered
from ui.corpora.selection import column_name
from ui.corpora.values import values_of
from ui.models import pictures
from ui.models.attempt import attempt
from ui.page import terms

LOOK = 1.0  # seconds between two looks at a map that is being computed
LISTED = 300  # values of a column that a list holds
NEAREST = 10
SHOWN, LINES = 15, 5
SURE = 2.0  # how many times as far as by chance a word must have moved to be listed
_KEY = "corpus words"


class Maps(NamedTuple):
    """One or two maps, beside each other.

    Attributes:
        names: above each; "" if there is one.
        means: of each.
        maps: of each; the second lies on the first.
        same: whether the two are parts of one plane.
        coordinates: of each, (its words, 2).
    """

    names: tuple[str, ...]
    means: tuple[WordMeans, ...]
    maps: tuple[WordMap, ...]
    same: bool
    coordinates: tuple[Array, ...]


class Union(NamedTuple):
    """The words of all maps, the most frequent first.

    Attributes:
        words: each as it is written most often.
        keys: the forms under which they are found.
        of: for each map, (words,) the number of each word in it, −1 for none.
    """

    words: tuple[str, ...]
    keys: tuple[str, ...]
    of: tuple[npt.NDArray[np.int64], ...]


def draw(s: CorpusState, shown: Offered, word: CachedWord) -> None:
    """The controls, the map, and what it says of the chosen word or of those in the lasso."""
    asked = _controls(s, shown, word)
    if asked is None:
        return
    how = cast("How", s.words_how.get()) if has_umap() else "pca"
    found = attempt(_maps, s, shown, asked, how)
    if found is None:
        if attempt(_begin, asked, how) is None:
            return
        found = attempt(_maps, s, shown, asked, "pca") if how != "pca" else None
        page.part(_watch, LOOK, asked, how, waits=found is None)
        if found is None:
            return
    colours = attempt(_colours, s, shown)
    if colours is None:
        return
    groups, typical = colours
    union = _union(found.means)
    _picture(s, shown, word, found, union, groups, typical, asked)
    terms.caption(map_captions.about(found.maps, found.means, typical, same=found.same), _KEY)
    _lasso(s, found, union)
    _neighbours(s, word, found, union)
    if found.same and len(found.means) == 2:
        _farthest(s, shown, asked[0][1], found)


Wanted = list[tuple[Offered, Asked, str]]  # a corpus, what is asked of it, the name above its map


def _controls(s: CorpusState, shown: Offered, word: CachedWord) -> Wanted | None:
    """What is to be mapped; None, with the reason on the page, if that is not said yet."""
    every = offered.every()
    others = {name: gettext(one.title) for name, one in every.items() if name != shown.name}
    ways = {BESIDE_NOTHING: _("nothing"), BESIDE_VALUES: _("another part of the texts")}
    if others:
        ways[BESIDE_CORPUS] = _("another corpus")
    columns = _columns(word)
    if s.words_colour.get() not in columns:
        s.words_colour.set("")
    layer = word.query.layer
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if has_umap():
            state.select(
                s.words_how,
                {"umap": _("neighbours together (UMAP)"), "pca": _("largest differences (PCA)")},
                _("Placed by"),
                width=230,
                about=_(
                    "UMAP keeps words together that are near each other, and little else: neither "
                    "distances between islands nor their sizes mean anything. PCA shows the two "
                    "directions in which the vectors differ most, a faithful shadow that hides all "
                    "other directions."
                ),
            )
        state.select(
            s.words_colour,
            {"": _("one colour")} | headings.columns(columns),
            _("Coloured by"),
            by_names=True,
            width=160,
        )
        beside = state.select(
            s.words_beside, ways, _("Beside it"), width=200, changed=partial(_unlasso, s)
        )
        if beside == BESIDE_CORPUS and others:
            other = state.select(s.words_corpus, others, _("Which"), by_names=True, width=220)
            second = every[other]
            kept = offered.opened(second)[0]
            models = word.corpus.manifest.model, kept.manifest.model
            named = [f", {one}" if models[0] != models[1] else "" for one in models]
            return [
                (shown, Asked(layer), f"{gettext(shown.title)}{named[0]}"),
                (second, Asked(kept.layer().layer), f"{gettext(second.title)}{named[1]}"),
            ]
        if beside == BESIDE_VALUES:
            return _parts(s, shown, word, columns, layer)
    return [(shown, Asked(layer), "")]


def _columns(word: CachedWord) -> list[str]:
    manifest = word.corpus.manifest
    return [*manifest.columns, *(["source"] if len(manifest.sources) > 1 else [])]


def _parts(
    s: CorpusState, shown: Offered, word: CachedWord, columns: Sequence[str], layer: int
) -> Wanted | None:
    """Two values of a column, each a map of its own in one plane."""
    if not columns:
        st.caption(_("These texts have no columns."))
        return None
    if s.words_column.get() not in columns:
        s.words_column.set(columns[0])
    column = state.select(s.words_column, headings.columns(columns), _("By"), by_names=True, width=140)
    values = attempt(values_of, shown, column) or []
    names = {value_name(one): one for one in values if one is not None}
    if not 2 <= len(names) <= LISTED:
        said = _("*{column}* has one value.")
        if len(names) > 2:
            said = _("*{column}* has {count} values: too many for a list.")
        name = text.plain(column_name(column))
        st.caption(said.format(column=name, count=captions.count_of(len(names))))
        return None
    ends = [*names]
    if s.words_first.get() not in names:
        s.words_first.set(ends[0])
    if s.words_second.get() not in names:
        s.words_second.set(next(one for one in ends if one != s.words_first.get()))
    chosen = []
    for field, label in ((s.words_first, _("On the left")), (s.words_second, _("On the right"))):
        chosen.append(state.select(field, {one: one for one in ends}, label, by_names=True, width=140))
    if chosen[0] == chosen[1]:
        st.caption(_("Both maps are of the same texts. Choose two values."))
        return None
    parts = tuple(is_value(column, names[one]) for one in chosen)
    name = column_name(column)
    return [(shown, Asked(layer, parts), f"{name}: {chosen[0]}\0{name}: {chosen[1]}")]


def _maps(s: CorpusState, shown: Offered, wanted: Wanted, how: How) -> Maps | None:
    """The maps that are asked for, if all of them are there."""
    found = [word_maps.get(one, asked, how) for one, asked, _name in wanted]
    if any(one is None for one in found):
        return None
    there = [one for one in found if one is not None]
    names = tuple(name for *_rest, both in wanted for name in both.split("\0"))
    if len(there) == 1:
        means, made = there[0]
        return Maps(names, means, (made,), len(means) == 2, made.coordinates)
    (first, one), (second, two) = ((means[0], made) for means, made in there)
    onto = np.full((len(second), 2), np.nan, np.float32)
    for i, key in enumerate(second.keys):
        if key in first.number:
            onto[i] = one.coordinates[0][first.number[key]]
    placed = turned(onto, two.coordinates[0])
    return Maps(names, (first, second), (one, two), False, (one.coordinates[0], placed))


def _begin(wanted: Wanted, how: How) -> bool:
    for corpus, asked, _name in wanted:
        if word_maps.get(corpus, asked, how) is None:
            word_maps.begin(corpus, asked, how)
    return True


def _watch(wanted: Wanted, how: How, *, waits: bool) -> None:
    """How far the first map is that is not there; the page runs again once one has come.

    Args:
        wanted: what is mapped.
        how: how it is placed.
        waits: whether nothing is shown yet: then the principal components do, too.
    """
    if waits and all(word_maps.get(corpus, asked, "pca") for corpus, asked, _name in wanted):
        st.rerun()
    for corpus, asked, _name in wanted:
        try:
            if word_maps.get(corpus, asked, how) is not None:
                continue
            job = word_maps.begin(corpus, asked, how)
        except PolyseeError as error:
            st.error(text.of_error(error))
            return
        st.progress(*map_captions.progress(job, below=not waits))
        return
    st.rerun()


def _colours(s: CorpusState, shown: Offered) -> tuple[tuple[Group, ...], Typical | None]:
    column = s.words_colour.get()
    grey = Group("", style.LEARNED, style.LEARNED, "circle")
    if not column:
        blue = groups_of([""])[0]
        return (Group("", blue.light, blue.dark, "circle"),), None
    found = word_maps.typical(shown, column)
    names = [_("typical of {value}").format(value=map_captions.value_of(one)) for one in found.values]
    return (*groups_of(names), grey), found


def _union(means: Sequence[WordMeans]) -> Union:
    """The words of all maps."""
    total: dict[str, int] = {}
    written: dict[str, str] = {}
    for one in means:
        for key, word, count in zip(one.keys, one.words, one.counts.tolist(), strict=True):
            total[key] = total.get(key, 0) + count
            written.setdefault(key, word)
    keys = tuple(sorted(total, key=lambda key: (-total[key], key)))
    return Union(
        tuple(written[key] for key in keys),
        keys,
        tuple(np.array([one.number.get(key, -1) for key in keys], np.int64) for one in means),
    )


def _picture(
    s: CorpusState,
    shown: Offered,
    word: CachedWord,
    found: Maps,
    union: Union,
    groups: Sequence[Group],
    typical: Typical | None,
    wanted: Wanted,
) -> None:
    rest = len(groups) - 1
    of = {} if typical is None else typical.of
    group_of = np.array([of.get(key, rest) for key in union.keys], np.uint8)

    def make() -> Picture:
        sides = [
            Side(name, _taken(placed, which), _counts(means, which), group_of)
            for name, placed, means, which in zip(
                found.names, found.coordinates, found.means, union.of, strict=True
            )
        ]
        return word_map(
            union.words,
            sides,
            groups,
            sentence=map_captions.sentence(union.words, found.names),
            name="words",
        )

    versions = tuple((one.name, offered.version(one), asked) for one, asked, _name in wanted)
    picture = pictures.once((_KEY, versions, found.maps[0].how, s.words_colour.get()), make)
    own = _chosen(word, union)
    chosen = {
        "chosen": own,
        "found": s.words_found.get()[:40],
        "lasso": numbers_of(s.words_lasso.get()),
        "side": s.words_side.get(),
        "view": numbers_of(s.words_view.get()),
    }

    def take(sent: Mapping[str, Any]) -> None:
        s.words_found.set(sent["found"])
        s.words_lasso.set(written(sent["lasso"]))
        s.words_side.set(sent["side"])
        s.words_view.set(written(sent["view"]))
        if sent["chosen"] is not None and sent["chosen"] < len(union.words) and sent["chosen"] != own:
            near.look_up(s, union.words[sent["chosen"]])

    figure.show(
        picture.choosing(chosen),
        _KEY,
        on_state=take,
        saved_as=tables.both(partial(table_of, found, union, typical), "words"),
        scale=layout.scale(),
    )


def _taken(coordinates: Array, which: npt.NDArray[np.int64]) -> Array:
    taken: Array = np.where(which[:, None] >= 0, coordinates[which], np.float32(np.nan))
    return taken


def _counts(means: WordMeans, which: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.where(which >= 0, means.counts[which], 0)


def table_of(found: Maps, union: Union, typical: Typical | None) -> pd.DataFrame:
    """A row for each word: how often it occurs, where it lies, what it is typical of."""
    columns: dict[str, Any] = {"word": list(union.words)}
    for name, placed, means, which in zip(
        found.names, found.coordinates, found.means, union.of, strict=True
    ):
        at, said = _taken(placed, which), f" ({name})" if name else ""
        columns[f"occurrences{said}"] = _counts(means, which)
        columns[f"x{said}"], columns[f"y{said}"] = at[:, 0], at[:, 1]
    if typical is not None:
        names = [map_captions.value_of(one) for one in typical.values]
        columns[f"typical of {typical.column}"] = [
            names[typical.of[key]] if key in typical.of else "" for key in union.keys
        ]
    return pd.DataFrame(columns)


def numbers_of(said: str) -> list[int] | None:
    """Numbers as a link writes them, 12.340.9; None for none, or if it says something else."""
    parts = said.split(".")
    if not all(one.isascii() and one.isdecimal() and len(one) < 8 for one in parts):
        return None
    return [int(one) for one in parts]


def written(numbers: Sequence[int] | None) -> str:
    """The inverse of `numbers_of`."""
    return ".".join(map(str, numbers or ()))


def _unlasso(s: CorpusState) -> None:
    s.words_lasso.set("")
    s.words_view.set("")


def _chosen(word: CachedWord, union: Union) -> int | None:
    """The word of the page on the map; None for a phrase, or a word that is too rare."""
    try:
        key = word.corpus.spelling.key(word.lines.word)
    except PolyseeError:
        return None
    return union.keys.index(key) if key in union.keys else None


def _lasso(s: CorpusState, found: Maps, union: Union) -> None:
    """The words inside the lasso, the most frequent first, and a query for their lines."""
    lasso = numbers_of(s.words_lasso.get())
    if lasso is None or len(lasso) < 6 or len(lasso) % 2:
        return
    side = min(s.words_side.get(), len(found.means) - 1)
    placed = [_taken(one, which) for one, which in zip(found.coordinates, union.of, strict=True)]
    within = np.flatnonzero(inside(lasso, placed[side], bounds_of(placed)))
    counts = _counts(found.means[side], union.of[side])[within]
    st.markdown(
        map_captions.lassoed([union.words[i] for i in within[:60]], len(within), int(counts.sum()))
    )
    if 1 < len(within) <= 12:
        state.offer(
            "corpus lassoed",
            ["|".join(union.words[i] for i in within)],
            _("All their lines"),
            partial(near.look_up, s),
        )
    if len(within):
        table = pd.DataFrame({"word": [union.words[i] for i in within], "occurrences": counts})
        with st.container(horizontal=True):
            for file in tables.both(lambda: table, "lassoed-words"):
                files.button(file)


def _neighbours(s: CorpusState, word: CachedWord, found: Maps, union: Union) -> None:
    """The nearest words to the chosen one on each map, exactly; and the first of its lines."""
    own = _chosen(word, union)
    if own is None:
        st.caption(map_captions.not_on_map(word))
        return
    lists: list[list[str]] = []
    with st.container(horizontal=True, gap="medium"):
        for name, means, which in zip(found.names, found.means, union.of, strict=True):
            with st.container(width=400):
                at = int(which[own])
                st.markdown(map_captions.nearest(union.words[own], name))
                if at < 0:
                    st.caption(_("It is too rare here."))
                    continue
                rows = means.nearest(at, NEAREST)
                lists.append([means.words[i] for i, _far in rows])
                headings.draw(
                    pd.DataFrame(
                        {
                            "word": [means.words[i] for i, _cosine in rows],
                            "cosine": [round(cosine, 3) for _i, cosine in rows],
                        }
                    ),
                    digits=3,
                )
        with st.container(width=400):
            st.markdown(map_captions.first_lines(word))
            some = np.arange(min(LINES, len(word.lines)))
            st.markdown("\n".join(f"- {captions.around(*three)}" for three in word.lines.parts(some)))
    terms.caption(map_captions.exact(lists), "corpus word neighbours")
    if lists:
        state.offer("corpus near word", lists[0][:6], _("Look up"), partial(near.look_up, s))


def _farthest(s: CorpusState, shown: Offered, asked: Asked, found: Maps) -> None:
    """The words whose means lie farthest apart in the two parts of the texts."""
    apart = word_maps.farthest(shown, asked, found.means)
    st.markdown(
        _("**Used most differently: {one}, {two}**").format(
            one=text.plain(found.names[0]), two=text.plain(found.names[1])
        )
    )
    sure = [i for i in range(len(apart.here)) if apart.ratio[i] >= SURE][:SHOWN]
    if not sure:
        st.caption(map_captions.nothing_moved(len(apart.here)))
        return
    first, second = found.means
    table = pd.DataFrame(
        {
            "word": [first.words[apart.here[i]] for i in sure],
            "distance": [round(float(max(0.0, apart.distance[i])) ** 0.5, 2) for i in sure],
            "times chance": [round(float(apart.ratio[i]), 1) for i in sure],
            found.names[0]: [int(first.counts[apart.here[i]]) for i in sure],
            found.names[1]: [int(second.counts[apart.there[i]]) for i in sure],
        }
    )
    headings.draw(table, width=620, as_they_are=found.names)
    terms.caption(map_captions.moved(len(apart.here), SURE), "corpus words moved")
    words = [first.words[apart.here[i]] for i in sure[:6]]
    state.offer("corpus moved word", words, _("Look up"), partial(near.look_up, s))
