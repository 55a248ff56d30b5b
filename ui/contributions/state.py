"""The fields of the section on what put a word there."""

from __future__ import annotations

from ui.state import Choice, Field, Switch, Whole

SENTENCES = {"A": "In A", "B": "In B"}
VIEWS = {**SENTENCES, "AB": "A minus B"}
KINDS = {
    "cut": "it does not attend to",
    "mask": "the model does not see",
    "replace": "another word replaces",
    "silence": "one head is ablated",
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
