"""What a model expects next, in sentences (Markdown)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.figures.labels import aloud, spelled
from core.localization import N_, _, decimal, ngettext
from core.records.prediction import Prediction
from core.records.score import Score
from core.sentences import listed, percent, sentence
from pages.next_word import hidden
from ui import text

SURE, LEANS = 0.5, 0.2  # from these probabilities on, one word stands for the answer
MOST_NAMED = 3
ODD_FROM = 10  # written tokens from which an odd one is likely among them
MOST_QUOTED = 60  # letters of a link in a sentence
BYTES = N_(
    "A name such as *⟨F0 9F⟩* is a part of a character, here its bytes. Emoji and rarer "
    "letters take several tokens; the next one goes on with the character."
)


def headline(top: Prediction, *, ends: frozenset[int], ended: bool = False, before: str = "") -> str:
    """What comes next, and how sure the model is.

    Args:
        top: the likeliest tokens at temperature 1, at least one.
        ends: the tokens that end a text.
        ended: whether such a token stands last.
        before: the text that stands before.
    """
    top = replace(top, texts=tuple(hidden.shown(before, top.texts)))
    if ended:
        return sentence("next-word.ended", others=_others(top, 0, ends))
    first, share = top.ids[0], float(top.probabilities[0])
    if first in ends:
        return sentence("next-word.ends", share=percent(share))
    word = {"word": _named(top, 0, ends), "share": percent(share)}
    if share >= SURE:
        return sentence("next-word.sure", **word)
    if share >= LEANS:
        return sentence("next-word.leans", **word, others=_others(top, 1, ends))
    return sentence("next-word.open", others=_others(top, 0, ends))


def _others(top: Prediction, start: int, ends: frozenset[int]) -> str:
    some = range(start, min(start + MOST_NAMED, len(top.ids)))
    named = [
        sentence(
            "next-word.one",
            word=_named(top, i, ends),
            share=percent(float(top.probabilities[i])),
        )
        for i in some
    ]
    return listed(named)


def _named(top: Prediction, place: int, ends: frozenset[int]) -> str:
    if top.ids[place] in ends:
        return sentence("next-word.end")
    name = top.texts[place] or top.tokens[place]
    return quoted(spelled(name.strip(" ")) if name.strip(" ") else spelled(name))


def quoted(token: str) -> str:
    """A token in a sentence (Markdown): signs and digits quoted, a space or a break in words."""
    if (said := aloud(token)) != token:
        return text.plain(said)
    shown = text.plain(token)
    bare = any(sign.isalpha() or sign in "↵␣" for sign in token)
    return shown if bare else sentence("next-word.quoted", word=shown)


def unread(part: str) -> str:
    """That a part of the link, such as "g=x", could not be read (Markdown)."""
    shown = text.clipped(part, MOST_QUOTED).replace("`", "’")
    return _(
        "A part of this link cannot be read: `{part}`. The page shows the rest, without it."
    ).format(part=shown)


def unknown_tokens(ids: Sequence[int], count: int, name: str) -> str:
    """That a link goes on with tokens that the model does not have (Markdown).

    Args:
        ids: those tokens, one at least.
        count: how many the model has.
        name: what a sentence calls it, as Markdown.
    """
    named = listed([decimal(f"{one:,}") for one in ids[:MOST_NAMED]])
    return _(
        "This link goes on with token {ids}, but {name} has {count} tokens, from 0 on: what "
        "was written behind the text is left out. The link may be of another model."
    ).format(ids=named, name=name, count=decimal(f"{count:,}"))


def beyond(what: str, asked: int, count: int, instead: str) -> str:
    """That a link asks for something that this text does not have (Markdown).

    Args:
        what: "word", "token", "layer".
        asked: the one that it asks for, from 1.
        count: how many there are.
        instead: what is shown.
    """
    return _("The link asks for {what} {asked}, and there are {count}: {instead}.").format(
        what=what, asked=decimal(f"{asked:,}"), count=decimal(f"{count:,}"), instead=instead
    )


def expected(score: Score, place: int) -> str:
    """What the model expected where a token of a text stands: "river 31 %, the 12 %, “,” 3 %"."""
    names, shares = score.likeliest[place], score.probabilities[place]
    if not names:
        return sentence("next-word.nothing-before")
    some = list(zip(names, shares, strict=False))[:MOST_NAMED]
    seen = hidden.shown("", [name or sentence("next-word.special") for name, _ in some])
    said = ", ".join(
        f"{_apart(spelled(name))} {percent(float(share))}"
        for name, (_, share) in zip(seen, some, strict=True)
    )
    rank = int(score.ranks[place])
    behind = sentence("next-word.place", place=decimal(f"{rank + 1:,}"))
    here = behind if rank else sentence("next-word.likeliest")
    return sentence("next-word.expected", here=here, words=said)


def _apart(name: str) -> str:
    """A token in a list, as plain text: signs in quotation marks, else a comma separates commas."""
    bare = any(sign.isalnum() or sign in "↵␣“”" for sign in name)
    return name if bare else sentence("next-word.quoted", word=name)


def surprise(score: Score, count: int, tokens: int = 0) -> str:
    """How surprised the model is by the whole text.

    A published model without a sign for the beginning has its attention sink in the first token, and
    expects nearly the same after any: what the second token costs says little about the text.

    Args:
        score: how surprised it is by each token.
        count: how many tokens at the end are its own.
        tokens: how many tokens the model knows; 0 for one whose first token is as any other.
    """
    if not score.scored:
        return ""
    found = [i for i, rank in enumerate(score.ranks) if rank >= 0]
    second, *later = found
    apart = bool(tokens and second and later)
    most = max(later if apart else found, key=lambda i: float(score.bits[i]))
    said = sentence(
        "next-word.surprise",
        word=_scored(score, most),
        bits=decimal(f"{float(score.bits[most]):.1f}"),
        mean=decimal(f"{score.per_token:.2f}"),
    )
    bits, blind = float(score.bits[second]), math.log2(tokens) if apart else 0.0
    if apart and bits > min(blind, float(score.bits[most])):
        guess = {"count": decimal(f"{tokens:,}"), "blind": decimal(f"{blind:.1f}")}
        said = sentence(
            "next-word.surprise.second",
            said=said,
            word=_scored(score, second),
            bits=decimal(f"{bits:.1f}"),
            guess=sentence("next-word.surprise.guess", **guess) if bits > blind else "",
            rest=decimal(f"{sum(float(score.bits[i]) for i in later) / len(later):.2f}"),
        )
    own = count > 1
    return sentence("next-word.surprise.own", said=said, count=str(count)) if own else said


def _scored(score: Score, place: int) -> str:
    name = hidden.text(score.text[slice(*score.offsets[place])]) or score.tokens[place]
    return quoted(spelled(name.strip(" ") or name))


def trailing(typed: str, written: int) -> str:
    """What a reader should know of a text that ends in a space; "" for any other (Markdown)."""
    if written or not typed.endswith(" "):
        return ""
    return sentence("next-word.space")


def noise(written: int, drawn: Mapping[str, float], tokens: int) -> str:
    """Why what is drawn out of all tokens reads oddly; "" where little is written, or some are cut.

    Args:
        written: how many tokens the model has written.
        drawn: how: see `NextWordState.sampling`.
        tokens: how many the model has.
    """
    whole = not drawn["topK"] and drawn["topP"] >= 1 and not drawn["minP"]
    if written < ODD_FROM or drawn["temperature"] < 1 or not whole:
        return ""
    return _(
        "Drawn out of all {count} tokens. Each is unlikely, but together the unlikely ones "
        "have a share, so now and then one falls, and the text goes on from there. *Top-p* "
        "at 0.9, or a lower *temperature*, cuts them off."
    ).format(count=decimal(f"{tokens:,}"))


def forbidden(count: int) -> str:
    """That the model's settings forbid some tokens here; "" if they forbid none."""
    if not count:
        return ""
    return ngettext(
        "{count} token is missing: the model’s own settings forbid them here.",
        "{count} tokens are missing: the model’s own settings forbid them here.",
        count,
    ).format(count=decimal(f"{count:,}"))


BESIDE = N_(
    "A is the text above, with what was written behind it. Both have the same scale. A "
    "*word* is what stands between spaces, a *letter* any character, spaces included. "
    "Texts are cut into tokens differently: compare bits a letter where the lengths "
    "differ. The first token of each has no surprise, since nothing stands before it, "
    "and does not count."
)


def sums(score: Score) -> str:
    """The sum of a text's surprise and its means (Markdown)."""
    if not score.scored:
        return _("one token alone: nothing was expected")
    return _(
        "{total} bits in all: {token} a token, {word} a word, {letter} a letter ({tokens} "
        "tokens, {words} words, {letters} letters)"
    ).format(
        total=decimal(f"{score.total:.1f}"),
        token=decimal(f"{score.per_token:.2f}"),
        word=decimal(f"{score.per_word:.2f}"),
        letter=decimal(f"{score.per_letter:.2f}"),
        tokens=decimal(f"{score.scored:,}"),
        words=decimal(f"{score.words:,}"),
        letters=decimal(f"{score.letters:,}"),
    )


def beside(a: Score, b: Score) -> str:
    """Which of two texts surprises the model less (Markdown)."""
    if not (a.scored and b.scored):
        return _("A text of one token has no surprise: nothing stands before it.")
    if a.ids == b.ids:
        return _("To the model, the two texts are the same.")
    less, more = sorted((a, b), key=lambda one: one.per_letter)
    name, by = ("A" if less is a else "B"), more.per_letter / max(less.per_letter, 1e-9)
    return _(
        "**{name} surprises the model less**: {less} against {more} bits a letter, a factor "
        "of {factor}; in all {less_total} against {more_total} bits."
    ).format(
        name=name,
        less=decimal(f"{less.per_letter:.2f}"),
        more=decimal(f"{more.per_letter:.2f}"),
        factor=decimal(f"{by:.1f}"),
        less_total=decimal(f"{less.total:.1f}"),
        more_total=decimal(f"{more.total:.1f}"),
    )
