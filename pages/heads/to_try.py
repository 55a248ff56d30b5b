"""What to try on Heads: the examples of a decoder name no head and leave the model as it is."""

from __future__ import annotations

from dataclasses import replace

from core.localization import N_, gettext
from pages.heads.state import HeadsState
from ui.models import model_cache
from ui.page.prose import Prose, Try

DECODER = (
    Try(
        N_("Who gets the drink?"),
        (("t", "When Mary and John went to the store, John gave a drink to"),),
        N_(
            "Which heads attend from the last *to* back to *Mary*? Below, *What the model expects* "
            "says how likely it continues with her."
        ),
    ),
    Try(
        N_("A pattern that returns"),
        (("t", "red blue green, red blue green, red blue"), ("f", "same")),
        N_(
            "The heads that come first attend to the same word elsewhere. What does the model expect "
            "next?"
        ),
    ),
    Try(
        N_("The word before"),
        (("t", "The cat sat on the mat because it was tired."), ("f", "previous")),
        N_(
            "In the heads that come first, each token attends to the one before, whatever the words "
            "mean."
        ),
    ),
)


def words(of_page: Prose) -> Prose:
    """The words of the page, with the examples of the model that it shows."""
    if not model_cache.is_decoder(HeadsState.model.get()):
        return of_page
    tries = tuple(
        replace(one, label=gettext(one.label), look_for=gettext(one.look_for)) for one in DECODER
    )
    return replace(of_page, tries=tries, more=())
