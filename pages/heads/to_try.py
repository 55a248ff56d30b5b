"""What to try on Heads: the examples of a decoder name no head and leave the model as it is."""

from __future__ import annotations

from dataclasses import replace

from pages.heads.state import HeadsState
from ui.models import model_cache
from ui.page.prose import Prose, Try

DECODER = (
    Try(
        "Who gets the drink?",
        (("t", "When Mary and John went to the store, John gave a drink to"),),
        "Which heads attend from the last *to* back to *Mary*? Below, *What the model expects* says "
        "how likely it continues with her.",
    ),
    Try(
        "A pattern that returns",
        (("t", "red blue green, red blue green, red blue"), ("f", "same")),
        "The heads that come first attend to the same word elsewhere. What does the model expect next?",
    ),
    Try(
        "The word before",
        (("t", "The cat sat on the mat because it was tired."), ("f", "previous")),
        "In the heads that come first, each token attends to the one before, whatever the words mean.",
    ),
)


def words(of_page: Prose) -> Prose:
    """The words of the page, with the examples of the model that it shows."""
    if not model_cache.is_decoder(HeadsState.model.get()):
        return of_page
    return replace(of_page, tries=DECODER, more=())
