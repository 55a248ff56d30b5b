"""The tokens that an example chooses, counted as the model on the page counts them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.errors import PolyseeError
from ui.models import model_cache
from ui.page.prose import Prose, Try
from ui.state import MODEL

if TYPE_CHECKING:
    from core.pretrained import TextModel

TOKENS = frozenset({"q", "k"})  # in links: the chosen row and column
_OWN_NUMBERS = ("ti", "1")  # of a tiny model, which has words of its own


def counted(words: Prose) -> Prose:
    """The words of a page whose examples choose tokens by their number.

    In MiniLM, [CLS] is number 0. A model that puts no token of its own in front of a text, as SmolLM2,
    has each word one place earlier.
    """
    if not _begins_with_a_word(model_cache.if_loaded(MODEL.get())):
        return words
    return replace(
        words, tries=tuple(map(_earlier, words.tries)), more=tuple(map(_earlier, words.more))
    )


def _begins_with_a_word(model: TextModel | None) -> bool:
    try:
        return model is not None and not model.read("a").special[0]
    except (PolyseeError, IndexError):  # it reads pairs alone, or nothing of this
        return False


def _earlier(one: Try) -> Try:
    if _OWN_NUMBERS in one.state:
        return one
    state = tuple(
        (key, str(max(0, int(value) - 1)) if key in TOKENS and value.isdigit() else value)
        for key, value in one.state
    )
    return replace(one, state=state)
