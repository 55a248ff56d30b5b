"""The words with which a corpus opens: those that are frequent in it and spread over it."""

from __future__ import annotations

from core.corpus import Corpus
from core.corpus.querying.concordance import LEAST_FREQUENT, Spread, commonest, spread
from core.errors import PolyseeError
from core.memory import cached
from ui.corpora import offered
from ui.corpora.offered import WRITTEN, Offered

MOST = 3


def first_corpus() -> str:
    """The name of the corpus with which the page opens: the first own one whose words are examples.

    Of own ones that are all too small for examples, the first; without any, English by SmolLM2.
    """
    try:
        every = offered.every()
        offered.require_extra()
    except PolyseeError:
        return WRITTEN
    own = [name for name, one in every.items() if not offered.is_supplied(one) and _opens(one)]
    large = (name for name in own if any(each.lines >= LEAST_FREQUENT for each in of(every[name])))
    return next(large, own[0] if own else WRITTEN)


def _opens(one: Offered) -> bool:
    try:
        return offered.opened(one)[0].manifest.words > 0
    except PolyseeError:
        return False


def of(one: Offered) -> tuple[Spread, ...]:
    """Words that are frequent in a corpus and spread over it, best first; none if it is unreadable."""
    try:
        corpus, version = offered.opened(one)
        return _drawn((one.name, version), corpus)
    except PolyseeError:
        return ()


def first_word(one: Offered) -> str:
    """The word with which a corpus opens; "" if it has none."""
    found = of(one)
    if found:
        return found[0].word
    try:
        return next(iter(commonest(offered.opened(one)[0], 1)), "")
    except PolyseeError:
        return ""


@cached(key=lambda key, corpus: key)
def _drawn(key: tuple[str, str], corpus: Corpus) -> tuple[Spread, ...]:
    return tuple(spread(corpus, MOST))
