"""What a model expects next, in sentences (Markdown)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.figures.labels import spelled
from core.records.prediction import Prediction
from core.records.score import Score
from core.sentences import listed, percent, sentence
from pages.next_word import hidden
from ui import text

SURE, LEANS = 0.5, 0.2  # from these probabilities on, one word stands for the answer
MOST_NAMED = 3
ODD_FROM = 10  # written tokens from which an odd one is likely among them
MOST_QUOTED = 60  # letters of a link in a sentence
BYTES = (
    "A name such as *⟨F0 9F⟩* is a part of a character, here its bytes. Emoji and rarer letters take "
    "several tokens; the next one goes on with the character."
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
        return sentence("next-word.ended", others=_others(top, 0))
    first, share = top.ids[0], float(top.probabilities[0])
    if first in ends:
        return sentence("next-word.ends", share=percent(share))
    word = {"word": _named(top, 0), "share": percent(share)}
    if share >= SURE:
        return sentence("next-word.sure", **word)
    if share >= LEANS:
        return sentence("next-word.leans", **word, others=_others(top, 1))
    return sentence("next-word.open", others=_others(top, 0))


def _others(top: Prediction, start: int) -> str:
    some = range(start, min(start + MOST_NAMED, len(top.ids)))
    named = [
        sentence("next-word.one", word=_named(top, i), share=percent(float(top.probabilities[i])))
        for i in some
    ]
    return listed(named)


def _named(top: Prediction, place: int) -> str:
    name = top.texts[place] or top.tokens[place]
    return quoted(spelled(name.strip(" ")) if name.strip(" ") else spelled(name))


def quoted(token: str) -> str:
    """A token in a sentence (Markdown): punctuation stands in quotation marks."""
    shown = text.plain(token)
    bare = any(sign.isalnum() or sign in "↵␣" for sign in token)
    return shown if bare else sentence("next-word.quoted", word=shown)


def unread(part: str) -> str:
    """That a part of the link, such as "g=x", could not be read (Markdown)."""
    shown = text.clipped(part, MOST_QUOTED).replace("`", "’")
    return f"A part of this link cannot be read: `{shown}`. The page shows the rest, without it."


def unknown_tokens(ids: Sequence[int], count: int, name: str) -> str:
    """That a link goes on with tokens that the model does not have (Markdown).

    Args:
        ids: those tokens, one at least.
        count: how many the model has.
        name: what a sentence calls it, as Markdown.
    """
    named = listed([f"{one:,}" for one in ids[:MOST_NAMED]])
    return (
        f"This link goes on with token {named}, but {name} has {count:,} tokens, from 0 on: what was "
        "written behind the text is left out. The link may be of another model."
    )


def beyond(what: str, asked: int, count: int, instead: str) -> str:
    """That a link asks for something that this text does not have (Markdown).

    Args:
        what: "word", "token", "layer".
        asked: the one that it asks for, from 1.
        count: how many there are.
        instead: what is shown.
    """
    return f"The link asks for {what} {asked:,}, and there are {count:,}: {instead}."


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
    behind = sentence("next-word.place", place=f"{rank + 1:,}")
    here = behind if rank else sentence("next-word.likeliest")
    return sentence("next-word.expected", here=here, words=said)


def _apart(name: str) -> str:
    """A token in a list, as plain text: signs in quotation marks, else a comma separates commas."""
    bare = any(sign.isalnum() or sign == "↵" for sign in name)
    return name if bare else sentence("next-word.quoted", word=name)


def surprise(score: Score, count: int) -> str:
    """How surprised the model is by the whole text; the last `count` tokens are its own."""
    if not score.scored:
        return ""
    found = [i for i, rank in enumerate(score.ranks) if rank >= 0]
    most = max(found, key=lambda i: float(score.bits[i]))
    name = hidden.text(score.text[slice(*score.offsets[most])]) or score.tokens[most]
    said = sentence(
        "next-word.surprise",
        word=text.plain(spelled(name)),
        bits=f"{float(score.bits[most]):.1f}",
        mean=f"{score.per_token:.2f}",
    )
    own = count > 1
    return sentence("next-word.surprise.own", said=said, count=str(count)) if own else said


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
    return (
        f"Drawn out of all {tokens:,} tokens. Each is unlikely, but together the unlikely ones have a "
        "share, so now and then one falls, and the text goes on from there. *Top-p* at 0.9, or a lower "
        "*temperature*, cuts them off."
    )


def forbidden(count: int) -> str:
    """That the model's settings forbid some tokens here; "" if they forbid none."""
    if not count:
        return ""
    are = "s are" if count > 1 else " is"
    return f"{count:,} token{are} missing: the model’s own settings forbid them here."


BESIDE = (
    "A is the text above, with what was written behind it. Both have the same scale. A *word* is what "
    "stands between spaces, a *letter* any character, spaces included. Texts are cut into tokens "
    "differently: compare bits a letter where the lengths differ. The first token of each has no "
    "surprise, since nothing stands before it, and does not count."
)


def sums(score: Score) -> str:
    """The sum of a text's surprise and its means (Markdown)."""
    if not score.scored:
        return "one token alone: nothing was expected"
    return (
        f"{score.total:.1f} bits in all: {score.per_token:.2f} a token, {score.per_word:.2f} a word, "
        f"{score.per_letter:.2f} a letter ({score.scored:,} tokens, {score.words:,} words, "
        f"{score.letters:,} letters)"
    )


def beside(a: Score, b: Score) -> str:
    """Which of two texts surprises the model less (Markdown)."""
    if not (a.scored and b.scored):
        return "A text of one token has no surprise: nothing stands before it."
    if a.ids == b.ids:
        return "To the model, the two texts are the same."
    less, more = sorted((a, b), key=lambda one: one.per_letter)
    name, by = ("A" if less is a else "B"), more.per_letter / max(less.per_letter, 1e-9)
    return (
        f"**{name} surprises the model less**: {less.per_letter:.2f} against {more.per_letter:.2f} "
        f"bits a letter, a factor of {by:.1f}; in all {less.total:.1f} against {more.total:.1f} bits."
    )
