"""A class guesses the next word: its answers beside the model's bars, and its cross-entropy."""

from __future__ import annotations

import math
import time
from collections import Counter
from functools import partial
from typing import NamedTuple

import streamlit as st

from core.classroom import MOST_LETTERS, Question, Reveal
from core.dictionary import is_unshown
from core.figures.labels import spelled
from core.localization import N_, _, current, decimal, gettext
from core.records.prediction import Expectation, probabilities
from core.sentences import percent
from pages.next_word import ending, reading
from pages.next_word.state import NextWordState
from ui.classroom import asked
from ui.models import model_cache
from ui.models.attempt import attempt
from ui.query import TextQuery

SHOWN = 10  # words of the model
MOST_WORDS = 30  # different words of a class whose probability is computed; the others count as others
TOSSES = 2  # bits from which on they are told as tosses of a coin
TIED = 3  # words that the class gave equally often, by name
SECONDS = 6.0  # for words of several tokens: each needs a run of the model
HIDDEN = N_("hidden word")
OTHER = N_("other")
FORMULA = N_(
    "The class’s answers are a distribution $q$, the words’ shares of all answers. In a model’s "
    "probabilities $p$, they cost $-\\sum_w q_w \\log_2 p_w$ bits a word: the cross-entropy. A model’s "
    "$p_w$ is the product over the word’s tokens. It is least where every phone typed the model’s "
    "likeliest word."
)


class Guess(NamedTuple):
    """A word that a class gave.

    Attributes:
        word: its commonest spelling.
        times: how often, in any case.
        share: the model's probability that the text goes on with it.
    """

    word: str
    times: int
    share: float


def show(s: NextWordState, model: str) -> None:
    """Offer to ask a class."""
    with st.container(horizontal=True, gap="small", key="guesses"):
        clicked = _button(s, model)
        st.button(
            _("Hide it first"),
            key="class guesses hidden",
            on_click=partial(s.guessing.set, True),
            help=_("Nobody in the room sees what comes next before the class has guessed."),
        )
        with st.popover(_("What happens then?"), type="tertiary"):
            st.markdown(
                _(
                    "Each phone types the word that it expects next. Nobody sees one before you reveal "
                    "all: then two bars show how often the class gave each, and how probable the model "
                    "finds it."
                )
            )
            st.markdown(gettext(FORMULA))
    if clicked and asked.is_open():
        st.rerun()  # rerun the whole page: it has the wall


def before_it(s: NextWordState, model: str) -> None:
    """Say that what comes next is hidden for a class, and offer to ask it, or to show all the same."""
    st.info(_("What comes next is hidden, so that a class can guess it first."))
    with st.container(horizontal=True, gap="small", key="guesses"):
        clicked = _button(s, model)
        st.button(_("Show it"), key="class guesses shown", on_click=partial(s.guessing.set, False))
    if clicked and asked.is_open():
        st.rerun()


def _button(s: NextWordState, model: str) -> bool:
    return st.button(
        _("Ask the class"),
        key="class guesses",
        icon=":material/groups:",
        on_click=_ask,
        args=(s, model, ending.read_of(s, model), s.written.get()),
        help=_(
            "A QR code leads phones to the question “What comes next?”. Nobody sees an answer "
            "before you reveal all of them beside the model’s."
        ),
    )


def _ask(s: NextWordState, model: str, text: str, more: tuple[int, ...]) -> None:
    whole = attempt(_text, model, text, more)
    if whole is None:
        return
    words = _("What comes next? Type one word.")
    question = Question(words, (), (_about(whole),), word=True, language=current())
    asked.ask(None, question, (), partial(reveal, model, text, more))
    s.guessing.set(False)  # from here on, the question hides it until the reveal


def waits(whole: str) -> bool:
    """Whether a class guesses what comes after this text, with what was written, before the reveal."""
    return asked.waits_on_page((_about(whole),))


def _about(whole: str) -> str:
    return whole if len(whole) <= MOST_LETTERS else f"…{whole[1 - MOST_LETTERS :]}"


def _text(model: str, text: str, more: tuple[int, ...]) -> str:
    if not more:
        return text
    return model_cache.model(model).untraced.score(text, more=more).text


def reveal(model: str, text: str, more: tuple[int, ...], words: Counter[str]) -> Reveal | None:
    """The answers of a class beside the model's bars; None with the reason on the page."""
    return attempt(_reveal, model, text, more, words)


def _reveal(model: str, text: str, more: tuple[int, ...], words: Counter[str]) -> Reveal:
    found = reading.read(model, text, more).expectation
    top = found.top(SHOWN, 1.0)
    before = _text(model, text, more)
    every = counted(words)
    shares = shares_of(TextQuery(model, text, more=more), found, before, every)
    guesses = [Guess(word, every[word], share) for word, share in shares.items()]
    total = sum(words.values())
    bars = dict(zip(top.texts, map(float, top.probabilities), strict=True))
    left = len(every) - len(guesses)
    return Reveal(said(guesses, total, bars, left), rows=rows(guesses, total, bars))


def counted(words: Counter[str]) -> Counter[str]:
    """Words counted in any case, each in its commonest spelling."""
    found: dict[str, Counter[str]] = {}
    for word, times in words.items():
        found.setdefault(word.casefold(), Counter())[word] += times
    return Counter({one.most_common(1)[0][0]: sum(one.values()) for one in found.values()})


def shares_of(
    query: TextQuery, found: Expectation, before: str, words: Counter[str]
) -> dict[str, float]:
    """The probability of each word, the commonest first, as `share_of`.

    A word of one token has it among the probabilities that are there already. A further run is begun
    only within `SECONDS`, and no more than `MOST_WORDS` words are looked at: the others are left out.
    """
    model = model_cache.model(query.model).untraced
    base = model.read(before).ids
    known = base == (*model.read(query.text).ids, *query.more)
    all_p, end = probabilities(found.logits, 1.0), time.monotonic() + SECONDS
    shares: dict[str, float] = {}
    for word, __ in words.most_common(MOST_WORDS):
        ids = model.read(behind(before, word)).ids
        if known and len(ids) == len(base) + 1 and ids[:-1] == base:
            shares[word] = float(all_p[ids[-1]])
        elif time.monotonic() < end:
            shares[word] = share_of(query.model, before, word)
    return shares


def behind(before: str, word: str) -> str:
    """A text and a word behind it. A space stands between the two, unless the text ends in one."""
    return f"{before}{'' if not before or before[-1].isspace() else ' '}{word}"


def share_of(model: str, before: str, word: str) -> float:
    """The probability that a text goes on with a word: the product over the word's tokens."""
    score = model_cache.model(model).untraced.score(behind(before, word))
    own = [i for i, (_, end) in enumerate(score.offsets) if end > len(before)]
    if any(int(score.ranks[i]) < 0 for i in own):
        return 0.0
    return float(2.0 ** -sum(float(score.bits[i]) for i in own))


def rows(
    guesses: list[Guess], total: int, bars: dict[str, float]
) -> tuple[tuple[str, int, float], ...]:
    """The model's ten bars with the class's counts, the class's further words, and all others.

    Words of the list that no class sees stand as one row without their names.
    """
    left = {one.word.casefold(): one for one in guesses}
    shown: list[tuple[str, int, float]] = []
    hidden_times, hidden_share = 0, 0.0
    for text, share in bars.items():
        own = left.pop(text.strip().casefold(), None)
        times = own.times if own is not None else 0
        if hidden(text):
            hidden_times, hidden_share = hidden_times + times, hidden_share + share
        else:
            shown.append((_name(text), times, share))
    for one in left.values():
        if hidden(one.word):
            hidden_times, hidden_share = hidden_times + one.times, hidden_share + one.share
        else:
            shown.append((one.word, one.times, one.share))
    if hidden_times or hidden_share:
        shown.append((gettext(HIDDEN), hidden_times, hidden_share))
    counts = sum(times for _, times, _ in shown)
    rest = max(0.0, 1.0 - sum(share for _, _, share in shown))
    return (*shown, (gettext(OTHER), total - counts, rest))


def _name(text: str) -> str:
    return spelled(text.strip(" ") or text)


def hidden(word: str) -> bool:
    """Whether a class's screen never shows a word."""
    return is_unshown(word)


def cross_entropy(guesses: list[Guess]) -> float:
    """−Σ q log₂ p, in bits: what the class's words cost the model; ∞ where it excludes one."""
    total = sum(one.times for one in guesses)
    if any(one.share <= 0 for one in guesses):
        return math.inf
    return float(-sum(one.times / total * math.log2(one.share) for one in guesses))


def said(guesses: list[Guess], total: int, bars: dict[str, float], left: int = 0) -> str:
    """The reveal in words; `left`: how many different words have no probability."""
    first, share = next(iter(bars.items()))
    name = gettext(HIDDEN) if hidden(first) else _name(first)
    model = _("The model’s likeliest is “{word}” ({share})").format(word=name, share=percent(share))
    if not guesses:
        return _("{model}. Nobody in the class has answered.").format(model=model)
    times = guesses[0].times
    most = [one.word for one in guesses if one.times == times]
    names = [_("“{word}”").format(word=gettext(HIDDEN) if hidden(one) else one) for one in most[:TIED]]
    if len(most) == 1:
        liked = _("the class’s {word} ({times} of {total})")
    elif len(most) <= TIED:
        liked = _("the class’s, in a tie, {word} ({times} of {total} each)")
    else:
        liked = _("the class’s, in a tie of {count} words, {word} … ({times} of {total} each)")
    chosen = liked.format(word=", ".join(names), times=times, total=total, count=len(most))
    bits = cross_entropy(guesses)
    cost = (
        _("more bits than can be counted")
        if math.isinf(bits)
        else _("{bits} bits a word").format(bits=decimal(f"{bits:.1f}"))
    )
    if TOSSES <= bits < math.inf:
        cost = _("{cost} (as for guessing {count} tosses of a coin in a row)").format(
            cost=cost, count=round(bits)
        )
    words = _("the class’s words")
    if left:
        words = _("{count} of the class’s {all} words").format(
            count=len(guesses), all=len(guesses) + left
        )
    return _(
        "{model}, {chosen}. Cross-entropy of {words} under the model: "
        "{cost}; the model’s own likeliest would cost {bits}."
    ).format(
        model=model,
        chosen=chosen,
        words=words,
        cost=cost,
        bits=decimal(f"{-math.log2(share):.1f}"),
    )
