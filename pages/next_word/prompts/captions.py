"""What the patched runs of two prompts say, in sentences (Markdown)."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from core.figures.labels import aloud
from core.figures.patching import named
from core.localization import _, decimal, ngettext
from core.measures import Holder, holders, leads_from, sharers, strongest_heads
from core.records.patching import Patching
from core.records.prediction import Expectation, probabilities
from core.sentences import listed, percent, signed
from ui.text import plain

MOST_NAMED = 3
MOST_SHARING = 4  # tokens that are named where several share the difference
WHOLE = 0.995  # from this share on, a token holds all
NOTICED = 0.01  # a head that brings less back is not named


def headline(found: Patching) -> str:
    """The point, in one sentence."""
    return _by_head(found) if found.by == "head" else _by_position(found)


def ends(found: Patching) -> str:
    """What is measured: the answers, and their logits in the two runs."""
    one, other = (f"*{answer(text)}*" for text in found.answers)
    a, b = (_apart(number) for number in (found.a, found.b))
    columns = (
        _(
            " Columns are the layers after which the *state* of one token, its vector, was taken "
            "from A’s run (the pass over prompt A) into B’s; 0 is the input."
        )
        if found.by == "position"
        else ""
    )
    rows = (
        _(" Tokens before the first that differs have no row: their states are the same in both.")
        if found.by == "position" and found.differ[0]
        else ""
    )
    return _(
        "After A the logit of {one} is {at_a} that of {other}, after B {at_b} it: the first "
        "is 100 %, the second 0 %.{rows}{columns}"
    ).format(one=one, at_a=a, other=other, at_b=b, rows=rows, columns=columns)


def colours(found: Patching, expected: tuple[Expectation, Expectation]) -> str:
    """The two answers, and what the colours of both pictures say about them."""
    one, other = (f"*{answer(text)}*" for text in found.answers)
    likeliest = tuple(after.ids[0] for after in expected)
    said = (
        _("After A the model says {one}, after B {other}.")
        if likeliest == found.ids
        else _("Two answers are compared: {one} for A, {other} for B.")
    )
    up, down = (one, other) if found.a > found.b else (other, one)
    scale = _(
        "**Green**: back towards {up}, at 100 % as far as in A. **Purple**: further towards {down}."
    )
    shares = found.recovered[np.isfinite(found.recovered)]
    over = (shares > 1 + NOTICED).any()
    beyond = _(" Above 100 %: further than in A itself.") if over else ""
    return f"{said} {scale}{beyond}".format(one=one, other=other, up=up, down=down)


def answer(text: str) -> str:
    """A token in a sentence (Markdown): a space or a line break alone in words."""
    return plain(aloud(named(text)))


def same_answer(expected: tuple[Expectation, Expectation], pair: tuple[int, int] | None) -> str:
    """That both prompts go on with the same word, and which two words would show a difference.

    Args:
        expected: what follows A, and B.
        pair: the two tokens in which they differ most; None if there are none.
    """
    tops = [one.top(1, 1.0) for one in expected]
    a, b = (percent(float(top.probabilities[0])) for top in tops)
    said = _(
        "After both prompts the likeliest word is *{word}* ({a} after A, {b} after B), and "
        "of one answer alone no difference can come back: name two words to compare."
    ).format(word=answer(tops[0].texts[0]), a=a, b=b)
    if pair is None:
        return said
    of = [probabilities(one.logits, 1.0) for one in expected]
    words = [
        _("*{word}* ({a} after A, {b} after B)").format(
            word=answer(one.texts[one.ids.index(i)]),
            a=percent(float(of[0][i])),
            b=percent(float(of[1][i])),
        )
        for one, i in zip(expected, pair, strict=True)
    ]
    return _("{said} The two prompts differ most in {words}.").format(said=said, words=listed(words))


def _by_position(found: Patching) -> str:
    names, held = names_of(found), holders(found)
    last, top = len(names) - 1, len(found.differences) - 1
    first = held[0] if held and held[0].first == 0 else None
    if first is not None and first.position == last and first.last == top:
        much = _all(found, first)
        return _("From the input on, {share} of the difference sits at the last word, {word}.").format(
            share=much, word=names[last]
        )
    end = held[-1]
    said = _at_the_input(found)
    if first is not None:
        upto = _("Up to layer {layer}").format(layer=first.last) if first.last else _("At the input")
        said = _("{upto}, {share} of the difference sits at {word}").format(
            upto=upto, share=_all(found, first), word=names[first.position]
        )
    between = [one for one in held if one not in (first, end)]
    over = [
        _("{layers} at {word}").format(layers=_layers(one.first, one.last), word=names[one.position])
        for one in between[:MOST_NAMED]
    ]
    closing = _("from layer {layer} on it sits at the last word, {word}").format(
        layer=end.first, word=names[last]
    )
    if end.first == top:
        closing = _("only after the last layer it sits at the last word, {word}").format(
            word=names[last]
        )
    if first is not None and not over:
        said += _sharing(found, first.last + 1, end)
    return f"{said}; {listed([*over, closing])}."


def _all(found: Patching, held: Holder) -> str:
    """How much a token holds at each of its depths: all of it, or at least so many per cent."""
    least = float(found.recovered[held.first : held.last + 1, held.position].min())
    return _("all") if least >= WHOLE else _("at least {share} %").format(share=math.floor(100 * least))


def _sharing(found: Patching, start: int, end: Holder) -> str:
    """Which tokens have a part before one holds all again, and in which layers; "" if one alone has."""
    parts = sharers(found, start, end.first)
    if len(parts) < 2:
        return ""
    names, values = names_of(found), found.recovered[start : end.first]
    largest = sorted(parts, key=lambda i: -float(values[:, i].max()))[:MOST_SHARING]
    if len({parts[i] for i in largest}) == 1:  # a stretch that all of them share is said once
        some = [names[i] for i in sorted(largest)]
        where = _stretches(parts[largest[0]])
        said = _("; then it is shared by {words} ({layers})").format(words=listed(some), layers=where)
    else:
        some = [
            _("{word} ({layers})").format(word=names[i], layers=_stretches(parts[i]))
            for i in sorted(largest)
        ]
        said = _("; then it is shared by {words}").format(words=listed(some))
    since = leads_from(found, end.position, end.first)
    if start <= since < end.first:
        said += _(", the largest part at {word} from layer {layer} on").format(
            word=names[end.position], layer=since
        )
    return said


def _stretches(runs: tuple[tuple[int, int], ...]) -> str:
    """Some stretches of layers: "layers 3 to 6 and 9"."""
    if len(runs) == 1 and runs[0][0] == runs[0][1]:
        return _("layer {layer}").format(layer=runs[0][0])
    some = [
        str(first) if first == last else _("{first} to {last}").format(first=first, last=last)
        for first, last in runs
    ]
    return _("layers {some}").format(some=listed(some))


def _at_the_input(found: Patching) -> str:
    """Which words make the difference, where no single one makes all of it."""
    names, shares = names_of(found), found.recovered_by_word
    most = sorted(found.differ, key=lambda i: -abs(float(shares[i])))[:MOST_NAMED]
    said = listed([f"{names[i]} {share(float(shares[i]))}" for i in most])
    return _("No single word holds all of the difference at the input: {words}").format(words=said)


def _by_head(found: Patching) -> str:
    names = names_of(found)
    where = _("at all tokens") if found.at is None else _("at {word}").format(word=names[found.at])
    if found.at == len(names) - 1:
        where = _("at the last word")
    most = [
        (layer, head, float(found.recovered[layer, head]))
        for layer, head in strongest_heads(found, MOST_NAMED)
    ]
    some = [one for one in most if abs(one[2]) >= NOTICED]
    if not some:
        return _("Put in {where}, no single head brings as much as 1 % of the difference back.").format(
            where=where
        )
    (layer, head, much), *others = some
    does = (
        _("brings {share} back").format(share=share(much))
        if much > 0
        else _("pushes away by {share}").format(share=share(-much))
    )
    more = "".join(
        said.format(heads=listed([_head(*one) for one in some]))
        for said, some in _by_sign(much > 0, others)
    )
    return _("Put in {where}, head {head} of layer {layer} alone {does}{more}.").format(
        where=where, head=head + 1, layer=layer + 1, does=does, more=more
    )


def _head(layer: int, head: int, much: float) -> str:
    return _("head {head} of layer {layer} ({share})").format(
        head=head + 1, layer=layer + 1, share=share(much)
    )


def _by_sign(
    back: bool, heads: list[tuple[int, int, float]]
) -> Iterator[tuple[str, list[tuple[int, int, float]]]]:
    """The heads behind the strongest one, those of its own sign first: how they are said, and which.

    Args:
        back: whether the strongest one brings a part back.
        heads: layer, head and share of each.
    """
    own = [one for one in heads if (one[2] > 0) == back]
    against = [one for one in heads if (one[2] > 0) != back]
    if own:
        yield ngettext("; next comes {heads}", "; next come {heads}", len(own)), own
    if against and back:
        yield ngettext("; {heads} works against it", "; {heads} work against it", len(against)), against
    elif against:
        yield (
            ngettext("; {heads} brings a part back", "; {heads} bring a part back", len(against)),
            against,
        )


def names_of(found: Patching) -> list[str]:
    """Each token; of two that differ, both: "*France*/*Italy*"."""
    return [
        f"*{answer(one)}*" if one == other else f"*{answer(one)}*/*{answer(other)}*"
        for one, other in zip(*found.pieces, strict=True)
    ]


def cell(found: Patching, depth: int, position: int) -> str:
    """What one patched run is, above its bars."""
    much = float(found.recovered[depth, position])
    where = _("after layer {layer}").format(layer=depth) if depth else _("at the input")
    difference = signed(float(found.differences[depth, position]), plus=True)
    one, other = (f"*{answer(text)}*" for text in found.answers)
    return _(
        "B with the state of A at {word}, {where}: {share} comes back ({one} − {other}: "
        "{logits} logits)."
    ).format(
        word=names_of(found)[position],
        where=where,
        share=share(much),
        one=one,
        other=other,
        logits=difference,
    )


def share(value: float) -> str:
    """A share as every sentence here has it: 55 %, −23 %."""
    return f"{signed(100 * value, 0)} %"


def _layers(first: int, last: int) -> str:
    return (
        _("after layer {layer}").format(layer=first)
        if first == last
        else _("from layer {layer} to {last}").format(layer=first, last=last)
    )


def _apart(number: float) -> str:
    said = _("{number} above") if number >= 0 else _("{number} below")
    return said.format(number=decimal(f"{abs(number):.2f}"))
