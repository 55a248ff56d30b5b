"""Why a word comes next, in sentences (Markdown)."""

from __future__ import annotations

import numpy as np

from core.figures import bare, style
from core.figures.logit_parts import LITTLE
from core.localization import _, decimal
from core.records.logit_parts import LogitParts
from core.sentences import listed, percent, sentence
from pages.next_word.captions import quoted

NAMED = 3  # words in the headline
NEAR = 0.25  # logits: below, one word is less than 1.3 times as likely as the other
_ORDINALS = {2: "why.ordinal.2", 3: "why.ordinal.3"}


def name(token: str) -> str:
    """A token as a word in a sentence."""
    return quoted(bare(token))


def number(value: float) -> str:
    """A number of logits with its sign."""
    return style.signed(value, plus=True)


def headline(parts: LogitParts, words: list[str], probability: float) -> str:
    """How far a word stands above the other, and which words of the text put it there.

    Args:
        parts: the sums.
        words: the tokens of the text, as they are shown.
        probability: how likely the word is.
    """
    of = np.array(parts.sources.by_token, np.float64)
    order = [int(i) for i in np.argsort(-np.abs(of)) if abs(of[i]) >= LITTLE][:NAMED]
    named = [f"{_called(parts, words, i)} {number(of[i])}" for i in order]
    one = sentence("why.word", word=name(parts.token), share=percent(probability))
    if parts.other is None:
        said = sentence("why.logit", word=one, logit=style.signed(parts.whole))
    else:
        where = "why.above" if parts.whole >= 0 else "why.below"
        values = {
            "difference": decimal(f"{abs(parts.whole):.2f}"),
            "other": name(parts.other),
        }
        said = sentence(where, word=one, **values)
        if abs(parts.whole) < NEAR:
            said = sentence("why.near", said=said, times=decimal(f"{np.exp(abs(parts.whole)):.2f}"))
    if not named:
        return f"{said}."
    rest = parts.whole - float(of[order].sum())
    if abs(rest) < LITTLE:
        return sentence("why.named", said=said, words=listed(named))
    return sentence("why.named.rest", said=said, words=listed(named), rest=number(rest))


def asks(parts: LogitParts) -> str:
    """What the comparison of two words asks; "" for one alone."""
    if parts.other is None:
        return ""
    return sentence("why.asks", word=name(parts.token), other=name(parts.other))


def _called(parts: LogitParts, words: list[str], i: int) -> str:
    at, called = parts.sources.word[0], quoted(words[i])
    if i == 0 and len(words) > 1:
        return sentence("why.first-token", word=called)
    if i == at:
        return sentence("why.last-token", word=called)
    same = [k for k, word in enumerate(words) if word == words[i]]
    if same.index(i):
        return sentence("why.again", number=_ordinal(same.index(i) + 1), word=called)
    return sentence("why.first", word=called) if len(same) > 1 else f"*{called}*"


def _ordinal(n: int) -> str:
    return sentence(_ORDINALS.get(n, "why.ordinal"), number=str(n))


def parts_said(parts: LogitParts) -> str:
    """Which head and which network add most, and that all adds up."""
    heads, networks = parts.by_head, parts.feed_forward
    layer, head = np.unravel_index(int(np.abs(heads).argmax()), heads.shape)
    network = int(np.abs(networks).argmax())
    biases = abs(parts.constant) >= LITTLE
    return sentence(
        "why.parts",
        heads=number(float(heads.sum())),
        head=head_name(int(layer), int(head)),
        most_head=number(float(heads[layer, head])),
        networks=number(float(networks.sum())),
        layer=str(network + 1),
        most_network=number(float(networks[network])),
        embedding=number(parts.embedding),
        rest=sentence("why.biases", number=number(parts.constant)) if biases else "",
        whole=style.signed(parts.whole),
    )


def head_name(layer: int, head: int) -> str:
    """A head in a sentence, both from 0: "head 4 of layer 24"."""
    return sentence("why.head", layer=str(layer + 1), head=str(head + 1))


def after(
    before: tuple[float, float | None], now: tuple[float, float | None], names: tuple[str, str | None]
) -> str:
    """What a change did to the difference, or to the one probability.

    Args:
        before: the logit difference (or the logit) and the probability of the word, as it was.
        now: the same after the change.
        names: the word, and the other one.
    """
    one, other = names
    moved = round(now[0] or 0.0, 2) - round(before[0] or 0.0, 2)
    what = (
        _("*{one}* − *{other}*").format(one=one, other=other)
        if other
        else _("the logit of *{one}*").format(one=one)
    )
    was, here = (f" ({percent(p)})" if p is not None else "" for p in (before[1], now[1]))
    return _("With the change, {what} is **{now}**{here}, not {before}{was}: **{moved}**.").format(
        what=what,
        now=style.signed(now[0] or 0.0),
        here=here,
        before=style.signed(before[0] or 0.0),
        was=was,
        moved=number(moved),
    )


def added_and_cut(added: float, moved: float, what: str) -> str:
    """What a part added, beside what happened when it was taken away."""
    if abs(-added - moved) < 0.05:
        return _("In the sum, {what} had added {added}: about what is missing now.").format(
            what=what, added=number(added)
        )
    return _(
        "In the sum, {what} had added {added}; without it, the score moves by {moved}. The two differ "
        "because the sum holds everything else as it was, while here all later parts answer "
        "to the change: attention goes elsewhere, and norms and gates follow."
    ).format(what=what, added=number(added), moved=number(moved))
