"""What the pictures of trajectories show, and what each kind of map distorts (Markdown)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from core.figures import style
from core.figures.trajectories.trails import alone_in_view
from core.localization import N_, _, decimal, gettext, ngettext
from core.measures import NeighbourMap, Projection
from core.measures.maps.neighbour_map import FEWEST_FOR_UMAP, MOST_NEIGHBOURS, SEED
from core.records.trace import Array
from core.sentences import listed
from pages.embeddings.trajectories.data import Clear, Framed, Without
from ui.text import plain

_COUNTS = (
    *(N_("two"), N_("three"), N_("four"), N_("five"), N_("six"), N_("seven"), N_("eight")),
    *(N_("nine"), N_("ten")),
)


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
    said = [
        _of_one(uses[0], depth + 1)
        if len(uses) == 1
        else _of_several(word, uses, depth + 1, (of or {}).get(word, 0))
        for (word, _ends), uses in by_word.items()
    ]
    if not said:
        return None
    limits = dict.fromkeys(filter(None, (_limit(uses) for uses in by_word.values())))
    return Headline(
        " ".join(one.claim for one in said), " ".join(one.because for one in said), " ".join(limits)
    )


class Headline(NamedTuple):
    """What happens, and why.

    Attributes:
        claim: a line above the picture.
        because: the numbers that it follows from, below the picture.
        limits: the limits that were applied, in the fold that says how the picture is made.
    """

    claim: str
    because: str
    limits: str = ""


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

    def moved(self) -> str:
        """Where it stood after layer 1, and where it stands."""
        ends = self.positions[:: max(1, len(self.positions) - 1)]
        return " → ".join(style.signed(at) for at in ends)


def _least(uses: Sequence[_Use], layer: int = -1) -> list[float]:
    """How far from the middle each occurrence must be for its side. The rule is Compare's."""
    if len(uses) == 1:
        return [uses[0].clear.alone]
    apart = _are_apart(uses, layer)
    return [use.clear.two if apart else use.clear.one for use in uses]


def _are_apart(uses: Sequence[_Use], layer: int = -1) -> bool:
    """Whether the occurrences of a word stand on both sides of the middle."""
    at = [use.positions[layer] for use in uses]
    return min(at) < 0 < max(at)


def _limit(uses: Sequence[_Use]) -> str:
    """The limit that was applied to the uses of a word, and why the other one was not."""
    clear, least = uses[0].clear, _least(uses)[0]
    if math.isinf(least):
        return ""
    if len(uses) == 1 or clear.one == clear.two:
        said = _("A side is named beyond {least} from 0.")
    elif _are_apart(uses):
        said = (
            _("On opposite sides, a side is named beyond {least} from 0; on one side, never.")
            if math.isinf(clear.one)
            else _(
                "On opposite sides, a side is named beyond {least} from 0; on one side, beyond {one}."
            )
        )
    elif math.isinf(clear.two):
        said = _(
            "Where all stand on one side, it is named beyond {least} from 0; on opposite sides, never."
        )
    else:
        said = _(
            "Where all stand on one side, it is named beyond {least} from 0; on opposite sides, beyond "
            "{two}."
        )
    one, two = style.signed(clear.one), style.signed(clear.two)
    return said.format(least=style.signed(least), one=one, two=two)


def _sides(uses: Sequence[_Use], layer: int = -1) -> list[str]:
    """The end with which each occurrence sides; "" where that is not clear."""
    return [use.side(least, layer) for use, least in zip(uses, _least(uses, layer), strict=True)]


def _of_one(use: _Use, layer: int) -> Headline:
    (side,) = _sides([use])
    low, high = map(plain, use.ends)
    claim = (
        _("**After layer {layer}, {word} sides with *{side}***.")
        if side
        else _("**After layer {layer}, {word} is not clear, between *{low}* and *{high}***.")
    )
    filled = claim.format(layer=layer, word=use.name, side=side, low=low, high=high)
    return Headline(filled, _positions([use], [side], layer))


def _positions(uses: Sequence[_Use], sides: Sequence[str], layer: int) -> str:
    """The numbers of each use, said once: after layer 1 and after the layer that is shown."""
    every = "; ".join(
        f"**{use.name}** {use.moved()} ({f'*{side}*' if side else _unclear(least)})"
        for use, side, least in zip(uses, sides, _least(uses), strict=True)
    )
    said = _("After layer 1: {uses}.") if layer == 1 else _("From layer 1 to layer {layer}: {uses}.")
    return said.format(layer=layer, uses=every)


def _unclear(least: float) -> str:
    """That no side is named, and how far from 0 none is: the limit differs by the ends of a word."""
    if math.isinf(least):
        return _("not clear")
    return _("not clear up to {least} from 0").format(least=style.signed(least))


def _of_several(word: str, uses: Sequence[_Use], layer: int, of: int) -> Headline:
    """Whether occurrences of one word, out of so many, stand on different sides, and since when."""
    at_the_end = _sides(uses)
    claim, why = _parted(uses, at_the_end)
    called = (
        _("{some} of the {all} uses of *{word}*").format(
            some=_capital(_count(len(uses))), all=_count(of), word=plain(word)
        )
        if of > len(uses)
        else _("The {count} uses of *{word}*").format(count=_count(len(uses)), word=plain(word))
    )
    low, high = map(plain, uses[0].ends)
    near = [f"*{use.name}*" for use, side in zip(uses, at_the_end, strict=True) if not side]
    filled = claim.format(
        uses=called, side=at_the_end[0], low=low, high=high, near=listed(near) if near else ""
    )
    because = f"{why} {_positions(uses, at_the_end, layer)}"
    return Headline(filled, because.strip())


def _parted(uses: Sequence[_Use], at_the_end: Sequence[str]) -> tuple[str, str]:
    """What happens to several uses, to be filled in; and a sentence about it, or ""."""
    sides, first = {*at_the_end}, {*_sides(uses, 0)}
    if len(sides) == 1 and "" not in sides:
        layers = range(len(uses[0].positions))
        stay = {one for at in layers for one in _sides(uses, at)} <= {*sides, ""}
        return (
            _("**{uses} stay together**, on the side of *{side}*.")
            if stay
            else _("**{uses} end together**, on the side of *{side}*."),
            _("If they mean different things, one is on the wrong side."),
        )
    if "" in sides:
        return (
            ngettext(
                "**{uses} do not clearly part**: {near} is too near the middle.",
                "**{uses} do not clearly part**: {near} are too near the middle.",
                at_the_end.count(""),
            ),
            "",
        )
    if len(first) == 1 and "" not in first:
        was = (
            _("After layer 1, both stood on the side of *{side}*.")
            if len(uses) == 2
            else _("After layer 1, all stood on the side of *{side}*.")
        )
        return (
            _("**{uses} part**, and end on the sides of *{low}* and *{high}*."),
            was.format(side=min(first)),
        )
    if all(len({at > 0 for at in use.positions}) == 1 for use in uses):
        return (
            _("**{uses} stand apart from layer 1 on**."),
            _("They are on different sides after each layer."),
        )
    return _("**{uses} end on different sides**."), ""


def _count(number: int) -> str:
    return gettext(_COUNTS[number - 2]) if 2 <= number <= 10 else decimal(f"{number:,}")


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def no_senses(words: Sequence[str]) -> str:
    """Which words are left out because no senses of them are known, and what to do."""
    named = listed([f"**{plain(style.short(word, 40))}**" for word in words])
    return _(
        "Polysee knows no two senses of {words}. Name words for two senses under *Name two senses*, or "
        "press *Show in PCA*: it shows the path of any word, without senses."
    ).format(words=named)


def alone(at: Mapping[str, Array], depth: int) -> str:
    """Where each word stands alone, before a text moves it: (layers, 2) for each.

    Args:
        at: the words.
        depth: the layer that is shown, from 0.
    """
    if not at:
        return ""
    found = "; ".join(
        f"*{plain(word)}* {style.signed(float(places[depth, 0]))}" for word, places in at.items()
    )
    return _("Alone, without a text, after layer {layer}: {words}.").format(
        layer=depth + 1, words=found
    )


def of_compare(compare: Clear | None = None) -> str:
    """Why Compare has other numbers for a word whose ends it completes by sentences.

    Args:
        compare: the bounds of Compare with such ends; None if they were not measured.
    """
    if compare is None or not all(map(math.isfinite, compare)):
        return _("*Compare* gives other numbers: there, whole sentences are part of the ends.")
    if compare.one == compare.two:
        said = _(
            "*Compare* gives other numbers: there, whole sentences are part of the ends, and its limit "
            "with them is {one}."
        )
    else:
        said = _(
            "*Compare* gives other numbers: there, whole sentences are part of the ends, and its "
            "limits with them are {one} on one side and {two} on opposite sides."
        )
    return said.format(one=style.signed(compare.one), two=style.signed(compare.two))


def missing(words: Sequence[str], shown: Sequence[str], texts: int, late: Sequence[str] = ()) -> str:
    """Which requested words are missing, and what is shown instead.

    Args:
        words: the words.
        shown: the names of those that are shown.
        texts: how many texts there are.
        late: those of the words that come after the point where the model stops reading.
    """
    instead = ", ".join(map(plain, shown))
    if late and len(late) == len(words):
        return ngettext(
            "{words} comes only after the point where the model stops reading. Shown instead: {shown}.",
            "{words} come only after the point where the model stops reading. Shown instead: {shown}.",
            len(late),
        ).format(words=_quoted(late), shown=instead)
    named = _quoted(words)
    if len(words) > 3:
        named = _("{words} and {count} more").format(words=named, count=len(words) - 3)
    where = (
        ngettext(
            "{words} is not in this text. Shown instead: {shown}.",
            "{words} are not in this text. Shown instead: {shown}.",
            len(words),
        )
        if texts == 1
        else ngettext(
            "{words} is not in these texts. Shown instead: {shown}.",
            "{words} are not in these texts. Shown instead: {shown}.",
            len(words),
        )
    )
    return where.format(words=named, shown=instead)


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(_("“{word}”").format(word=plain(style.short(word, 40))) for word in words[:3])


def without(words: Sequence[Without]) -> str:
    """Which words have no axis between the two senses, with the reasons."""
    return " ".join(
        _("**{word}** is not shown. {why}").format(word=plain(one.word), why=plain(one.why))
        for one in words
    )


def legend(framed: Framed, words: Sequence[str] = ()) -> str:
    """How to read the plane of the sense axes, in a line.

    Args:
        framed: the plane.
        words: the words of `framed.senses`.
    """
    word, said = plain(framed.beside), []
    if word:
        low, high = map(plain, framed.senses[0])
        said = [
            _(
                "From left to right: how near a word is to *{low}* (−1) or to *{high}* (+1), measured "
                "anew in each layer."
            ).format(low=low, high=high),
            _("Small triangles (◁ ▷): **{word}** beside words of the two senses.").format(word=word),
        ]
    else:
        each_of = _("*{word}* from *{low}* (−1) to *{high}* (+1)")
        axes = dict.fromkeys(zip(words, framed.senses, strict=False))
        named = "; ".join(
            each_of.format(word=plain(one), low=plain(low), high=plain(high))
            for one, (low, high) in axes
        )
        between = _("From left to right: how near each word is to the ends of its own axis: {axes}.")
        said = [between.format(axes=named)]
    if framed.among.alone:
        said.append(_("Grey ring (○): a word alone, in a text that holds nothing else."))
    said.append(_("The height only spreads the words out."))
    return " ".join(said)


def beginning(framed: Framed) -> str:
    """Why the paths of one word begin after layer 1 (Markdown); "" for several words."""
    if not (word := plain(framed.beside)):
        return ""
    return _(
        "A path begins after layer 1: before it, each **{word}** is the same learned vector, and there "
        "is nothing to tell apart."
    ).format(word=word)


def of_frame(framed: Framed) -> str:
    """How the plane of the sense axes is made."""
    word = plain(framed.beside)
    sentences = [
        _(
            "From left to right: each word’s position on its own axis. The axis is computed anew in "
            "each layer, from the vectors that the word has next to the words of its two ends."
        ),
        _not_clear(framed.clear),
    ]
    if word:
        shown = _("The small triangles (◁ ▷) show **{word}** beside them.")
        sentences.append(shown.format(word=word))
    else:
        sentences.append(
            _("The words have different ends: a position relates a word only to its own ends.")
        )
    if framed.ends:
        named = listed([f"*{plain(end)}*" for end in framed.ends[:3]])
        own = _("{words}: a word that is itself an end is left out of its own axis.")
        sentences.append(own.format(words=named))
    if framed.unknown:
        sentences.append(
            _(
                "Some of these contexts contain a piece that the model does not know: trust the axis "
                "less."
            )
        )
    if framed.among.alone:
        sentences.append(
            (
                _(
                    "The grey ring (○) is the word alone, behind “{beginning}” and nothing else: from "
                    "there its text moves it."
                )
                if framed.beginning
                else _(
                    "The grey ring (○) is the word alone, in a text that holds nothing else: from "
                    "there its text moves it."
                )
            ).format(beginning=framed.beginning)
        )
        sentences += out_of_view(framed)
    sentences.append(
        _(
            "From bottom to top: how far the words lie apart in one more direction, perpendicular to "
            "all these axes and the same for every word: that in which {fitted} differs most after the"
            " last layer. It shows {share} % of their variance beside the axes; the rest is not in the"
            " picture."
        ).format(fitted=_fitted(framed), share=f"{100 * framed.among.share:.0f}")
    )
    return " ".join(sentences)


def _fitted(framed: Framed) -> str:
    """To what the direction across the axes was fitted: the subject of a sentence."""
    if framed.beside:
        said = (
            _("**{word}** beside these words, and beside those of the text,")
            if framed.few
            else _("**{word}** beside these words")
        )
        return said.format(word=plain(framed.beside))
    if framed.few:
        return _("each word beside its ends and in the text, measured from the middle of its axis,")
    return _("each word beside its ends, measured from the middle of its axis,")


def _not_clear(clear: Sequence[Clear]) -> str:
    """How far from the middle no side is named, and why Compare may show another number."""
    one, two = (max(filter(math.isfinite, of), default=math.inf) for of in zip(*clear, strict=True))
    if math.isfinite(one) and math.isfinite(two) and one != two:
        said = _(
            "By the rule of *Compare*, two uses are *not clear* up to {one} from 0 on the same side "
            "and up to {two} from 0 on opposite sides."
        )
    elif one == two and math.isfinite(one):
        said = _("By the rule of *Compare*, two uses are *not clear* up to {one} from 0.")
    elif math.isfinite(one):
        said = _(
            "By the rule of *Compare*, two uses are *not clear* up to {one} from 0 on the same side."
        )
    elif math.isfinite(two):
        said = _(
            "By the rule of *Compare*, two uses are *not clear* up to {two} from 0 on opposite sides."
        )
    else:
        said = _("A side is never named between such ends.")
    other = _(
        "*Compare* may place the same word a little differently: for the twelve words that it knows "
        "best, its ends hold whole sentences too."
    )
    why = _(
        "We chose each limit on labelled sentences, for each kind of ends: beyond it, the verdict is "
        "right often enough."
    )
    return f"{said.format(one=style.signed(one), two=style.signed(two))} {why} {other}"


def out_of_view(framed: Framed) -> list[str]:
    """After which layers a word alone lies too far out for the picture, a sentence a word."""
    shown = alone_in_view(framed.among, framed.coordinates)
    said = []
    for word, at in framed.among.alone.items():
        if not (far := np.flatnonzero(np.isnan(shown[word][:, 0]) & ~np.isnan(at[:, 0]))).size:
            continue
        named = ", ".join(
            _("after layer {layer} ({position})").format(
                layer=int(i) + 1, position=style.signed(float(at[i, 0]))
            )
            for i in far[:3]
        )
        if far.size > 3:
            named = ngettext(
                "{layers} and {count} more layer", "{layers} and {count} more layers", far.size - 3
            ).format(layers=named, count=far.size - 3)
        outside = _("It is not drawn where it lies far outside: *{word}* {layers}.")
        said.append(outside.format(word=plain(word), layers=named))
    return said


def of_panels(framed: Framed) -> str:
    """How to read the two planes."""
    both = _(
        "Both planes have the same scale. Dashed lines lead from a word’s point after the first layer "
        "to its point now."
    )
    return f"{both} {of_frame(framed)}"


def of_map(how: str, mapped: Projection | NeighbourMap, points: int, components: int) -> str:
    """What a map preserves and what it distorts."""
    if isinstance(mapped, Projection):
        shares = ", ".join(f"{100 * float(share):.0f} %" for share in mapped.shares[:components])
        scales = (
            _(
                "PCA: the {count} directions in which these points differ most, with {shares} of their "
                "variance. The map shows nothing of the other directions: points that seem near can be "
                "far apart, never the other way round."
            )
            if components == 3
            else _(
                "PCA: the {count} directions in which these points differ most, with {shares} of their "
                "variance. The map shows nothing of the other directions: points that seem near can be "
                "far apart. The two axes have different scales: a step to the right is not as long as "
                "the same step up."
            )
        )
        said = scales.format(count=components, shares=shares)
        return " ".join(filter(None, (said, _tells(mapped, components))))
    if how == "tsne":
        return _(
            "t-SNE keeps neighbours in the model near each other, and nothing else. The distances "
            "between groups, their sizes and the direction upwards mean nothing. All {points} points "
            "were placed in one fit, with perplexity {perplexity} and seed {seed}; another seed gives "
            "another picture."
        ).format(points=points, perplexity=style.signed(mapped.near, 1), seed=SEED)
    return _(
        "UMAP: of the {points} points, each stays near its {near} nearest neighbours. The map can "
        "invent distances between groups, their sizes and gaps, and even a straight path. All {points}"
        " points were placed in one fit, with seed {seed}; another seed gives another picture."
    ).format(points=points, near=f"{mapped.near - 1:.0f}", seed=SEED)


def _tells(projection: Projection, components: int) -> str:
    """What each direction of several words separates, as measured."""
    if len(projection.coordinates) < 2:
        return ""
    words, depths = projection.between[:, :components]
    shares = "; ".join(
        _("{which}: {words} % and {layers} %").format(
            which=gettext(which), words=f"{100 * word:.0f}", layers=f"{100 * depth:.0f}"
        )
        for which, word, depth in zip(_WHICH, words, depths, strict=False)
    )
    return _(
        "Along each direction, part of the variance lies between words and part between layers "
        "({shares})."
    ).format(shares=shares)


_WHICH = (N_("first"), N_("second"), N_("third"))


def too_few(count: int, *, has_more: bool) -> str:
    """Why UMAP does not draw these words, and what would do (Markdown).

    Args:
        count: the different points of the words.
        has_more: whether the texts have words enough.
    """
    said = (
        _(
            "UMAP keeps each point together with its {near} nearest, itself included. A point is a "
            "word after a layer, and these words have only {count}: nearly all would be neighbours. "
            "With {enough} points there is something to see."
        )
        if has_more
        else _(
            "UMAP keeps each point together with its {near} nearest, itself included. A point is a "
            "word after a layer, and these words have only {count}: nearly all would be neighbours. "
            "With {enough} points there is something to see: type a longer text, or a second one."
        )
    )
    return said.format(near=MOST_NEIGHBOURS, count=count, enough=FEWEST_FOR_UMAP)


def directions(how: str, mapped: Projection | NeighbourMap, components: int) -> list[str]:
    """The titles of the axes of a map."""
    if isinstance(mapped, Projection):
        # A rotated axis title has little room: the text below gives the rest.
        title = (
            _("PCA {number}: {share} %")
            if components == 3
            else _("component {number}: {share} % of variance")
        )
        return [
            title.format(number=i + 1, share=f"{100 * float(share):.0f}")
            for i, share in enumerate(mapped.shares[:components])
        ]
    name = {"tsne": "t-SNE", "umap": "UMAP"}[how]
    return [f"{name} {i + 1}" for i in range(components)]
