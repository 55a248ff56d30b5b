"""Words become tokens: byte pairs learned from the text, beside WordPiece's longest match."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from core.errors import NotSupported
from core.figures import Line, Picture, StepAxis, ValueAxis, bars, lines, style
from core.figures.curves import counted
from core.figures.labels import named_edges
from core.localization import _, decimal, ngettext
from core.measures.attention.token_names import names
from core.memory import cached
from core.walkthroughs.subwords import (
    UNKNOWN,
    BytePairs,
    Match,
    byte_pairs,
    longest_match,
    seen,
    words_of,
)
from pages.step_by_step import python
from pages.step_by_step.state import StepsState
from ui import figure, files, layout, same_in_python
from ui.layout import choose_named
from ui.models import answers, model_cache
from ui.models.attempt import attempt
from ui.state import slider
from ui.text import plain

MOST_WORDS, LONGEST = 60, 30  # words of a text, letters of a word
SHOWN = 6  # pairs
WORD, MERGES = 200, 380  # pixels


@cached()
def learned(text: str) -> BytePairs:
    """All merges of a text, until each word is one token. Longer texts and words are truncated."""
    words = [word[:LONGEST] for word in words_of(text)[:MOST_WORDS]]
    return byte_pairs(words, sum(map(len, words)))


def show(s: StepsState, model: str | None) -> None:
    """Byte pairs and WordPiece beside each other, for the words of one text."""
    typed = s.subwords.get()
    found = learned(typed)
    if not found.words:
        st.info(_("There is no word yet. Type a sentence."))
        return
    left, right = st.columns(2, gap="medium")
    with left, st.container(key="byte merges"):
        done = _byte_pairs(s, found)
    with right, st.container(key="word pieces"):
        matched = model is not None and _word_pieces(s, model, found.words)
    every = words_of(typed)
    if len(every) > MOST_WORDS:
        said = _("This page shows {count} words: the text is cut there.")
        st.caption(said.format(count=MOST_WORDS))
    cut = (MOST_WORDS, LONGEST) if every != found.words else None
    used = model if matched else None
    same_in_python.show(s.python, partial(python.subwords, used, typed, done, cut), used)


def _byte_pairs(s: StepsState, found: BytePairs) -> int:
    """The text after so many merges; returns how many."""
    most = len(found.merges)
    with st.container(width=round(MERGES * layout.scale())):
        done = slider(s.merges, _("Merges"), most=most) if most else 0
    state = found.states[done]
    st.markdown(
        _(
            "**Byte pairs**, learned from this text: {tokens} tokens after {merges}, {letters} "
            "characters at the start."
        ).format(
            tokens=decimal(f"{found.lengths[done]:,}"),
            merges=_merges(done),
            letters=decimal(f"{found.lengths[0]:,}"),
        )
        + f"\n\n{_joined(state)}"
    )
    pairs = found.candidates[done][:SHOWN]
    if not pairs:
        st.markdown(_("No pair is left: each word is one token."))
    else:
        best, total = pairs[0], sum(pair.times for pair in found.candidates[done])
        st.markdown(
            ngettext(
                "Next merge: **{left} + {right}**. This pair occurs once in the text, and no pair "
                "occurs more often.",
                "Next merge: **{left} + {right}**. This pair occurs {count} times in the text, and no "
                "pair occurs more often.",
                best.times,
            ).format(left=_token(best.left), right=_token(best.right), count=decimal(f"{best.times:,}"))
        )
        picture = bars(
            [pair.times for pair in pairs],
            [f"{named_edges(pair.left)} + {named_edges(pair.right)}" for pair in pairs],
            unit=_("occurrences in the text"),
            sentence=_("The most frequent pairs of tokens within words, before the next merge."),
            name="byte-pairs",
            notes=[
                _("{count} of {all} pairs").format(
                    count=decimal(f"{pair.times:,}"), all=decimal(f"{total:,}")
                )
                for pair in pairs
            ],
            chosen=0,
            kind="counts",
        )
        figure.show(picture, "byte pairs", scale=layout.scale())
    if most:
        table = pd.DataFrame(found.merges, pd.RangeIndex(1, most + 1, name="merge"))
        merges = files.csv(lambda: table, "byte-pair-merges")
        figure.show(_curve(found), "byte pairs curve", saved_as=[merges], scale=layout.scale())
    return done


def _curve(found: BytePairs) -> Picture:
    letters, words = found.lengths[0], len(found.words)
    numbers = [str(i) for i in range(len(found.lengths))]
    guides = [
        *counted(letters, but=[words]),
        (
            words,
            ngettext("{count} word", "{count} words", words).format(count=decimal(f"{words:,}")),
        ),
    ]
    return lines(
        [Line(_("tokens"), found.lengths, style.SENTENCE_A, mark="none")],
        StepAxis([_merges(int(number)) for number in numbers], numbers, _("merges")),
        ValueAxis(guides, bounds=(0, letters), unit=_("tokens"), digits=0),
        sentence=_("How many tokens the text has after each merge."),
        name="byte-pairs-tokens",
        height=240,
    )


def _word_pieces(s: StepsState, model: str, words: Sequence[str]) -> bool:
    """The longest matches; returns whether the model has such pieces."""
    vocabulary = attempt(_vocabulary, model)
    if vocabulary is None:
        return False
    if not vocabulary:
        _own_tokens(model, words)
        return False
    every = [longest_match(seen(word), vocabulary) for word in words]
    count = sum(map(len, every))
    numbered = {i: f"{word} ({i + 1})" for i, word in enumerate(words)}
    at = choose_named(s.subword, _("Word"), numbered, WORD)
    title = model_cache.markdown_title(model)
    st.markdown(
        ngettext(
            "**WordPiece**, with the vocabulary of {model}, learned from other texts: {count} token.",
            "**WordPiece**, with the vocabulary of {model}, learned from other texts: {count} tokens.",
            count,
        ).format(model=title, count=decimal(f"{count:,}"))
        + f"\n\n{_joined([[one.piece for one in of] for of in every])}"
    )
    st.caption(made_of(vocabulary, model_cache.model(model).n_vocabulary))
    st.markdown(_("**{word}**, the longest match first:").format(word=plain(words[at])))
    st.markdown("\n".join(_tried(i, match) for i, match in enumerate(every[at], 1)))
    if joiners := len(words[at]) - len(seen(words[at])):
        st.caption(
            ngettext(
                "This word holds {count} zero-width joiner (ZWJ or ZWNJ), which is invisible. "
                "WordPiece removes it first; a byte pair can contain it.",
                "This word holds {count} zero-width joiners (ZWJ or ZWNJ), which are invisible. "
                "WordPiece removes them first; a byte pair can contain one.",
                joiners,
            ).format(count=joiners)
        )
    return True


def made_of(pieces: Collection[str], n_vocabulary: int) -> str:
    """What a WordPiece vocabulary consists of, in numbers that add up to its size.

    Args:
        pieces: its tokens without special and unused ones.
        n_vocabulary: the number of all its tokens.
    """
    inner = sum(piece.startswith("##") and len(piece) > len("##") for piece in pieces)
    rest = n_vocabulary - len(pieces)
    said = (
        _(
            "Its vocabulary has {all} tokens: {first} that are whole words or begin one, {inner} that "
            "continue one (##), and {rest} special or unused tokens."
        )
        if rest
        else _(
            "Its vocabulary has {all} tokens: {first} that are whole words or begin one, {inner} that "
            "continue one (##)."
        )
    )
    counts = {"all": n_vocabulary, "first": len(pieces) - inner, "inner": inner, "rest": rest}
    return said.format(**{name: decimal(f"{count:,}") for name, count in counts.items()})


def _vocabulary(model: str) -> frozenset[str]:
    """The word pieces of a model; none if its tokens are of another kind.

    Raises:
        PolyseeError: see `core.load`.
    """
    loaded = model_cache.model(model)
    try:
        return loaded.word_pieces()
    except NotSupported:
        return frozenset()


def _own_tokens(model: str, words: Sequence[str]) -> None:
    """The tokens of a model that does not split words by WordPiece."""
    trace = attempt(answers.trace, model, " ".join(words))
    if trace is None:
        return
    read = [name for name, special in zip(names(trace), trace.special, strict=True) if not special]
    title, entries = model_cache.markdown_title(model), model_cache.model(model).n_vocabulary
    said = ngettext(
        "**The tokens of {model}**, out of a vocabulary of {entries} that it learned from other texts: "
        "one token.",
        "**The tokens of {model}**, out of a vocabulary of {entries} that it learned from other texts: "
        "{count} tokens.",
        len(read),
    ).format(model=title, entries=decimal(f"{entries:,}"), count=decimal(f"{len(read):,}"))
    st.markdown(f"{said}\n\n{_joined(grouped(read))}")
    st.caption(
        _(
            "It does not split words by WordPiece. To see the longest match tried step by step, choose "
            "MiniLM or another BERT."
        )
    )


def grouped(read: Sequence[str]) -> list[list[str]]:
    """The tokens of each word, from names in which ## marks a token that continues one."""
    words: list[list[str]] = []
    for name in read:
        if words and name.startswith("##") and len(name) > len("##"):
            words[-1].append(name.removeprefix("##"))
        else:
            words.append([name])
    return words


def _tried(number: int, match: Match) -> str:
    """One piece, with the longer strings that were tried before it (Markdown)."""
    tried = ", ".join(plain(piece) for piece in match.tried)
    if match.piece == UNKNOWN:
        none = _("{tried}: none is in the vocabulary. The word becomes {unknown}.")
        return f"{number}. {none.format(tried=tried, unknown=plain(UNKNOWN))}"
    before = _("not {tried}; ").format(tried=tried) if tried else ""
    return f"{number}. {before}**{plain(match.piece)}**"


def _joined(words: Sequence[Sequence[str]]) -> str:
    """The tokens of each word with bars between them (Markdown); a dot marks a piece elsewhere."""
    return " \u2003".join("\u2009|\u2009".join(map(_token, word)) for word in words)


def _token(token: str) -> str:
    return plain(named_edges(token))


def _merges(count: int) -> str:
    return ngettext("{count} merge", "{count} merges", count).format(count=decimal(f"{count:,}"))
