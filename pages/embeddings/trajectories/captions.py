"""What the pictures of trajectories show, and what each kind of map distorts (Markdown)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from core.figures import style
from core.figures.trajectories.trails import alone_in_view
from core.measures import CONTEXTUAL, NeighbourMap, Projection
from core.measures.maps.neighbour_map import FEWEST_FOR_UMAP, MOST_NEIGHBOURS, SEED
from core.records.trace import Array
from pages.embeddings.trajectories.data import Clear, Framed, Without
from ui.text import plain

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def positions(
    names: Sequence[str], coordinates: Sequence[Array], senses: Sequence[tuple[str, str]], depth: int
) -> str:
    """The position of each word on its axis after the first layer, and after a later one.

    Args:
        names: the names of the words.
        coordinates: (layers, 2) for each.
        senses: the names of the two ends of each word's axis.
        depth: the later layer, from 0.
    """
    same = len({*senses}) == 1
    listed = "; ".join(
        f"**{plain(name)}** {style.signed(float(at[0, 0]))} → {style.signed(float(at[depth, 0]))}"
        + ("" if same else f", between {_ends(*ends)}")
        for name, at, ends in zip(names, coordinates, senses, strict=True)
    )
    end = _after(CONTEXTUAL + depth).replace("Layer", "layer")
    between = (
        f"between {_ends(*senses[0])}, each on its own axis" if same else "each between its own ends"
    )
    numbered = (
        " The number in brackets counts equal words from the beginning of their text."
        if any(name.split(" in ")[0].endswith(")") for name in names)
        else ""
    )
    return f"From layer 1 to {end}, {between}: {listed}.{numbered}"


def headline(
    names: Sequence[str],
    words: Sequence[str],
    coordinates: Sequence[Array],
    senses: Sequence[tuple[str, str]],
    depth: int,
    clear: Sequence[Clear],
    of: Mapping[str, int] | None = None,
) -> Headline | None:
    """Whether the uses of a word part, stay or end together, or stand apart from the start.

    Args:
        names: the names of the words: "bank (1)".
        words: the words themselves; occurrences of one word are compared.
        coordinates: (layers, 2) for each.
        senses: the names of the two ends of each word's axis.
        depth: the layer after which, from 0.
        clear: how far from the middle each word must be for its side to be named.
        of: word -> how often the texts have it, where more of its uses than these may be there.

    Returns:
        None without any words.
    """
    by_word: dict[tuple[str, tuple[str, str]], list[_Use]] = {}
    for name, word, at, ends, least in zip(names, words, coordinates, senses, clear, strict=True):
        use = _Use(plain(name), tuple(map(float, at[: depth + 1, 0])), ends, least)
        by_word.setdefault((word, ends), []).append(use)
    layer = _after(CONTEXTUAL + depth).replace("Layer", "layer")
    said = [
        _of_one(uses[0], layer)
        if len(uses) == 1
        else _of_several(word, uses, layer, (of or {}).get(word, 0))
        for (word, _), uses in by_word.items()
    ]
    return (
        Headline(*(" ".join(filter(None, parts)) for parts in zip(*said, strict=True)))
        if said
        else None
    )


class Headline(NamedTuple):
    """What happens, in a line above the picture; and the numbers that it follows from, below it."""

    claim: str
    because: str


class _Use(NamedTuple):
    """An occurrence of a word: its position after each layer down to the one that is shown."""

    name: str
    positions: tuple[float, ...]
    ends: tuple[str, str]
    clear: Clear

    def side(self, least: float, layer: int) -> str:
        """The end with which it sides after a layer; "" where it is no farther out than `least`."""
        at = self.positions[layer]
        return plain(self.ends[at > 0]) if abs(at) > least else ""


def _sides(uses: Sequence[_Use], layer: int = -1) -> list[str]:
    """The end with which each occurrence sides; "" where that is not clear. The rule is Compare's."""
    at = [use.positions[layer] for use in uses]
    apart = min(at) < 0 < max(at)
    return [use.side(use.clear.two if apart else use.clear.one, layer) for use in uses]


def _of_one(use: _Use, layer: str) -> Headline:
    side = use.side(use.clear.alone, -1)
    low, high = map(plain, use.ends)
    where = f"sides with *{side}*" if side else f"is not clear, between *{low}* and *{high}*"
    at = style.signed(use.positions[-1])
    return Headline(f"**After {layer}, {use.name} {where}** ({at}).", "")


def _of_several(word: str, uses: Sequence[_Use], layer: str, of: int) -> Headline:
    """Whether occurrences of one word, out of so many, stand on different sides, and since when."""
    many, every = _count(len(uses)), "both" if len(uses) == 2 else "all"
    which = f"{many.capitalize()} of the {_count(of)}" if of > len(uses) else f"The {many}"
    called = f"**{which} uses of *{plain(word)}*"
    at_the_end = _sides(uses)
    now = "; ".join(
        f"{use.name} {style.signed(use.positions[-1])} ({f'*{side}*' if side else 'not clear'})"
        for use, side in zip(uses, at_the_end, strict=True)
    )
    sides = dict.fromkeys(at_the_end)
    first = {*_sides(uses, 0)}
    if len(sides) == 1 and "" not in sides:
        (side,) = sides
        wrong = f"If they mean different things, one is on the wrong side: after {layer}, {now}."
        layers = range(len(uses[0].positions))
        stay = {one for at in layers for one in _sides(uses, at)} <= {side, ""}
        verb = "stay" if stay else "end"
        return Headline(f"{called} {verb} together**, on the side of *{side}*.", wrong)
    if "" in sides:
        return Headline(f"{called} do not clearly part**.", f"After {layer}, {now}.")
    if len(first) == 1 and "" not in first:
        was = f"After layer 1, {every} stood on the side of *{min(first)}*"
        low, high = map(plain, uses[0].ends)
        ends = f"on the sides of *{low}* and *{high}*"
        return Headline(f"{called} part**, and end {ends}.", f"{was}; after {layer}, {now}.")
    if all(len({at > 0 for at in use.positions}) == 1 for use in uses):
        since = f"They are on different sides after each layer; after {layer}, {now}."
        return Headline(f"{called} stand apart from layer 1 on**.", since)
    return Headline(f"{called} end on different sides**.", f"After {layer}, {now}.")


def _count(number: int) -> str:
    return _COUNTS[number] if number < len(_COUNTS) else f"{number:,}"


def _ends(low: str, high: str) -> str:
    return f"*{plain(low)}* (−1) and *{plain(high)}* (+1)"


def no_senses(words: Sequence[str]) -> str:
    """Which words are left out because no senses of them are known, and what to do."""
    named = _and([f"**{plain(style.short(word, 40))}**" for word in words])
    return (
        f"Polysee knows no two senses of {named}. Name words for two senses under *Name two senses*, "
        "or press *Show in PCA*: it shows the path of any word, without senses."
    )


def alone(at: Mapping[str, Array], depth: int) -> str:
    """Where each word stands alone, before a text moves it: (layers, 2) for each."""
    listed = "; ".join(
        f"*{plain(word)}* {style.signed(float(places[depth, 0]))}" for word, places in at.items()
    )
    return f" Alone, after that layer: {listed}." if listed else ""


def _and(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def missing(words: Sequence[str], shown: Sequence[str], texts: int, late: Sequence[str] = ()) -> str:
    """Which requested words are missing, and what is shown instead.

    Args:
        words: the words.
        shown: the names of those that are shown.
        texts: how many texts there are.
        late: those of the words that come after the point where the model stops reading.
    """
    if late and len(late) == len(words):
        named = ", ".join(f"“{plain(style.short(word, 40))}”" for word in late[:3])
        verb = "comes" if len(late) == 1 else "come"
        return (
            f"{named} {verb} only after the point where the model stops reading. Shown instead: "
            f"{', '.join(map(plain, shown))}."
        )
    named = ", ".join(f"“{plain(style.short(word, 40))}”" for word in words[:3])
    more = f" and {len(words) - 3} more" if len(words) > 3 else ""
    verb = "is" if len(words) == 1 else "are"
    where = "this text" if texts == 1 else "these texts"
    return f"{named}{more} {verb} not in {where}. Shown instead: {', '.join(map(plain, shown))}."


def without(words: Sequence[Without]) -> str:
    """Which words have no axis between the two senses, with the reasons."""
    return " ".join(f"**{plain(one.word)}** is not shown. {plain(one.why)}" for one in words)


def of_frame(framed: Framed) -> str:
    """How to read the plane of the sense axes."""
    word = plain(framed.beside)
    sentences = [
        "From left to right: each word’s position on its own axis. The axis is computed anew in "
        "each layer, from the vectors that the word has next to the words of its two ends.",
        _not_clear(framed.clear),
    ]
    if word:
        fitted_to = f"**{word}** beside these words"
        sentences.append(f"The small triangles (◁ ▷) show **{word}** beside them.")
    else:
        fitted_to = "all the words beside their ends, each measured from the middle of its axis,"
        sentences.append(
            "The words have different ends: a position relates a word only to its own ends."
        )
    fitted_to += " and to the words of the text" * framed.few
    if framed.ends:
        named = " and ".join(f"*{plain(end)}*" for end in framed.ends[:3])
        sentences.append(f"{named}: a word that is itself an end is left out of its own axis.")
    if framed.unknown:
        sentences.append(
            "Some of these contexts contain a piece that the model does not know: trust the axis less."
        )
    if framed.among.alone:
        where = f"behind “{framed.beginning}” and" if framed.beginning else "in a text that holds"
        sentences.append(
            f"The grey ring (○) is the word alone, {where} nothing else: from there its text moves it."
        )
        sentences += out_of_view(framed)
    sentences.append(
        "From bottom to top: how far the words lie apart in one more direction, perpendicular to all "
        f"these axes and the same for every word: that in which {fitted_to} differs most after the "
        f"last layer. It shows {100 * framed.among.share:.0f} % of their variance beside the axes; "
        "the rest is not in the picture."
    )
    return " ".join(sentences)


def _not_clear(clear: Sequence[Clear]) -> str:
    """How far from the middle no side is named, and why Compare may show another number."""
    one, two = (max(filter(math.isfinite, of), default=math.inf) for of in zip(*clear, strict=True))
    sides = [(one, "the same side"), (two, "opposite sides")]
    if one == two:
        sides = [(one, "")]
    said = " and ".join(
        f"up to {style.signed(least)} from 0" + (f" on {where}" if where else "")
        for least, where in sides
        if math.isfinite(least)
    )
    never = "" if said else "A side is never named between such ends. "
    return (
        (f"By the rule of *Compare*, two uses are *not clear* {said}. " if said else never)
        + "*Compare* may place the same word a little differently: for the twelve words that it knows "
        "best, its ends hold whole sentences too."
    )


def out_of_view(framed: Framed) -> list[str]:
    """After which layers a word alone lies too far out for the picture, a sentence a word."""
    shown = alone_in_view(framed.among, framed.coordinates)
    said = []
    for word, at in framed.among.alone.items():
        if not (far := np.flatnonzero(np.isnan(shown[word][:, 0]) & ~np.isnan(at[:, 0]))).size:
            continue
        layers = [_after(CONTEXTUAL + i).replace("Layer", "layer") for i in far[:3]]
        named = [
            f"after {layer} ({style.signed(float(at[i, 0]))})"
            for layer, i in zip(layers, far, strict=False)
        ]
        more = f" and {far.size - 3} more layers" if far.size > 3 else ""
        said.append(
            f"It is not drawn where it lies far outside: *{plain(word)}* {', '.join(named)}{more}."
        )
    return said


def of_panels(framed: Framed) -> str:
    """How to read the two planes."""
    return (
        "Both planes have the same scale. Dashed lines lead from a word’s point after the "
        f"first layer to its point now. {of_frame(framed)}"
    )


def of_map(how: str, mapped: Projection | NeighbourMap, points: int, components: int) -> str:
    """What a map preserves and what it distorts."""
    if isinstance(mapped, Projection):
        shares = ", ".join(f"{100 * float(share):.0f} %" for share in mapped.shares[:components])
        scales = (
            "points that seem near can be far apart, never the other way round."
            if components == 3
            else "points that seem near can be far apart. The two axes have different scales: "
            "a step to the right is not as long as the same step up."
        )
        return (
            f"PCA: the {components} directions in which these points differ most, with "
            f"{shares} of their variance. The map shows nothing of the other directions: "
            f"{scales}{_tells(mapped, components)}"
        )
    if how == "tsne":
        return (
            "t-SNE keeps neighbours in the model near each other, and nothing else. The "
            "distances between groups, their sizes and the direction upwards mean nothing. "
            f"All {points} points were placed in one fit, with perplexity {mapped.near:.1f} and seed "
            f"{SEED}; another seed gives another picture."
        )
    return (
        f"UMAP: of the {points} points, each stays near its {mapped.near - 1:.0f} nearest neighbours. "
        "The map can invent distances between groups, their sizes and gaps, and even a straight path. "
        f"All {points} points were placed in one fit, with seed {SEED}; another seed gives another "
        "picture."
    )


def _tells(projection: Projection, components: int) -> str:
    """What each direction of several words separates, as measured."""
    if len(projection.coordinates) < 2:
        return ""
    words, depths = projection.between[:, :components]
    listed = "; ".join(
        f"{name}: {100 * word:.0f} % and {100 * depth:.0f} %"
        for name, word, depth in zip(("first", "second", "third"), words, depths, strict=False)
    )
    return (
        " Along each direction, part of the variance lies between words and part between "
        f"layers ({listed})."
    )


def too_few(count: int, *, has_more: bool) -> str:
    """Why UMAP does not draw these words, and what would do (Markdown).

    Args:
        count: the different points of the words.
        has_more: whether the texts have words enough.
    """
    why = (
        f"UMAP keeps each point together with its {MOST_NEIGHBOURS} nearest, itself included. A point "
        f"is a word after a layer, and these words have only {count}: nearly all would be neighbours. "
        f"With {FEWEST_FOR_UMAP} points there is something to see"
    )
    return f"{why}." if has_more else f"{why}: type a longer text, or a second one."


def directions(how: str, mapped: Projection | NeighbourMap, components: int) -> list[str]:
    """The titles of the axes of a map."""
    if isinstance(mapped, Projection):
        # A rotated axis title has little room: the text below gives the rest.
        before, after = ("PCA ", "") if components == 3 else ("component ", " of variance")
        return [
            f"{before}{i + 1}: {100 * float(share):.0f} %{after}"
            for i, share in enumerate(mapped.shares[:components])
        ]
    name = {"tsne": "t-SNE", "umap": "UMAP"}[how]
    return [f"{name} {i + 1}" for i in range(components)]


def _after(depth: int) -> str:
    return ("itself", "with its position added")[depth] if depth < 2 else style.depth_name(depth)
