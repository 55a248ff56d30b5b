"""Whether a page is presented to a class, and the lesson that a teacher has collected."""

from __future__ import annotations

from typing import NamedTuple

from core.lessons import BadLesson, Slide, slides
from core.localization import _, said
from ui import compressed_state, formats
from ui.state.fields import Field, Switch, Whole

_PART = "lesson"  # of what is packed


class Mine(NamedTuple):
    """The lesson of one's own, and what is wrong with the link or file that was to bring one."""

    slides: tuple[Slide, ...] = ()
    wrong: str = ""


def _read(word: str) -> Mine:
    if not word.strip():
        return Mine()
    try:
        return Mine(slides.read(compressed_state.unpack(word).get(_PART, "")))
    except BadLesson as error:
        return Mine(wrong=_("The lesson in this link cannot be read. {why}").format(why=said(error)))


def write(mine: Mine) -> str:
    """As one word of a link."""
    return compressed_state.pack({_PART: slides.written(mine.slides)}) if mine.slides else ""


PRESENT = Switch("present", "present", scope="app")
# The question of a lesson that is asked twice, in the place of its first step or of its last.
MOMENTS = ("before", "after")
CHECK = Field("check", "presented check", "", parse=formats.Words(("", *MOMENTS)), scope="app")
# Which step of one's own lesson is presented, from 1; 0 for none.
AT = Whole("at", "present at", 0, 0, slides.MOST_SLIDES)
# A link that says nothing of it leaves it as it is, and so do Back and Forward.
MINE = Field("mine", "my lesson", Mine(), parse=_read, write=write, scope="app", stays=True)
