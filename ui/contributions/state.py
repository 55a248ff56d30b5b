"""The fields of the section on what put a word there."""

from __future__ import annotations

from core.localization import N_
from ui.state import Choice, Field, Switch, Whole

SENTENCES = {"A": N_("In A"), "B": N_("In B")}
VIEWS = {**SENTENCES, "AB": N_("A minus B")}
KINDS = {
    "cut": N_("it does not attend to"),
    "mask": N_("the model does not see"),
    "replace": N_("another word replaces"),
    "silence": N_("one head is ablated"),
}
OPEN = Switch("yo", "why open")  # on pages where the section is folded
VIEW = Choice("y", "why", "A", VIEWS)
IN = Choice("yi", "why if in", "A", SENTENCES)
KIND = Choice("yk", "why kind", "cut", KINDS)
WORD = Whole("yw", "why word", 0, 0, 999)  # 0 for the word whose cut has the greatest effect
BY = Field("yr", "why by", "", parse=str)
LAYER = Whole("yl", "why layer", 0, 0, 999)  # 0 for all
HEAD = Whole("yh", "why head", 0, 0, 999)
HEADS = Switch("ya", "why heads")
IF = (KIND, WORD, BY, LAYER, HEAD)
STATE = (VIEW, IN, *IF, HEADS)
ON_HEADS = (OPEN, *IF)
