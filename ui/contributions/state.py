"""What is chosen where a page says what put a word there."""

from __future__ import annotations

from ui import permalink

SENTENCES = {"A": "In A", "B": "In B"}
VIEWS = {**SENTENCES, "AB": "A less B"}
KINDS = {
    "cut": "it does not attend to",
    "mask": "the model does not see",
    "replace": "another word replaces",
    "silence": "one head is ablated",
}
AXES = {"anchors": "anchor words", "labels": "labelled sentences"}
_COUNT = permalink.whole(0, 999)
OPEN = permalink.Parameter("yo", "why open", False, permalink.switch)  # where it is folded away
VIEW = permalink.Parameter("y", "why", "A", permalink.one_of(*VIEWS))
IN = permalink.Parameter("yi", "why if in", "A", permalink.one_of(*SENTENCES))
KIND = permalink.Parameter("yk", "why kind", "cut", permalink.one_of(*KINDS))
WORD = permalink.Parameter("yw", "why word", 0, _COUNT)  # 0: the one whose cut does most
BY = permalink.Parameter("yr", "why by", "")
LAYER = permalink.Parameter("yl", "why layer", 0, _COUNT)  # 0: all
HEAD = permalink.Parameter("yh", "why head", 0, _COUNT)
HEADS = permalink.Parameter("ya", "why heads", False, permalink.switch)
AXIS = permalink.Parameter("yb", "why axis", "anchors", permalink.one_of(*AXES))
LINES = permalink.Parameter("yt", "why sentences", "")  # "": our own about the word
FROM = permalink.Parameter("y1", "why from", "")  # a label; "": the first of them
TO = permalink.Parameter("y2", "why to", "")  # "": the next one
IF = (KIND, WORD, BY, LAYER, HEAD)
BETWEEN = (AXIS, LINES, FROM, TO)
STATE = (VIEW, IN, *IF, HEADS, *BETWEEN)
ON_HEADS = (OPEN, *IF, *BETWEEN)
