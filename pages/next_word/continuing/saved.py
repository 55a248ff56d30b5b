"""The button that saves what comes next as one HTML file, in which the model goes on."""

from __future__ import annotations

from collections.abc import Sequence

from core.figures import Picture
from core.figures.saved_page import Part
from core.figures.speaking_page import speaking_page
from core.localization import N_, gettext
from core.markdown import to_html
from core.web.inside import speaking
from pages.next_word.state import NextWordState
from ui import device, files

TITLE = N_("Next word")


def button(s: NextWordState, model: str, said: str, pictures: Sequence[Picture]) -> None:
    """Draw the button, for the model that a browser can run.

    Args:
        s: the state of the page, which the file opens with.
        model: the name of the model that is shown.
        said: what it expects next (Markdown).
        pictures: those of the page, from top to bottom.
    """
    choices = {one.url: one.write(one.get()) for one in s.examples() if one.get() != one.default}

    def make() -> str:
        parts = [Part("", to_html(said)), *(Part("", shown=(one,)) for one in pictures)]
        return speaking_page(gettext(TITLE), parts, speaking())

    file = files.File("HTML", "polysee-next-word.html", make, "alive")
    device.saved_alive(model, file, {s.text.url: s.text.get(), **choices})
