"""How to read the pictures of a word's path, with their numbers (Markdown)."""

from __future__ import annotations

from ..localization import N_, _
from ..markdown import plain
from ..measures.senses.verdict import OneSide, Verdict
from ..records.trace import Array
from ..sentences import listed, percent, sentence, signed

# Below the picture before layer 1, where there is neither an axis nor a path.
START = N_(
    "Before layer 1 there are only the numbers of the table, the same in every sentence. The line "
    "between the two ends begins after layer 1: press *Play*, or move the slider."
)


def of_axis(judged: Verdict | OneSide, behind: str = "") -> str:
    """How to read the path between two ends: its numbers, the word alone, and the grey band.

    Args:
        judged: the verdict on what the picture shows.
        behind: the neutral beginning behind which the word stands alone; "" for none.
    """
    alone = (
        _("behind “{behind}” and nothing else").format(behind=behind)
        if behind
        else _("in a text that holds nothing else")
    )
    read = _(
        "0 is only halfway between the two ends, −1 and +1, and each layer measures them "
        "anew: from layer to layer, compare sides, not sizes. An end is the mean of what "
        "names it, and a sentence can take the word past it. The grey path is the word "
        "*alone*, {alone}: what the sentence adds is counted from there, not from 0."
    ).format(alone=alone)
    if judged.answer is None or not judged.least or judged.bounds is None:
        return read
    right = percent(judged.bounds.right, 0)
    return _(
        "{read} Inside the grey band, up to {least} from 0, a word is *not clear*. Outside "
        "it, {right} of our verdicts on labelled sentences were right; the vaguer the ends, "
        "the wider the band."
    ).format(read=read, least=signed(judged.least), right=right)


def of_cosine(words: tuple[str, str]) -> str:
    """How to read the path by cosine (Markdown)."""
    alone = listed([_("“{word}”").format(word=plain(word)) for word in dict.fromkeys(words)])
    return sentence("legend.cosine", a=":blue[A]", b=":orange[B]", alone=alone)


def of_projection(words: tuple[str, str], shares: Array) -> str:
    """How to read a plain projection, and what it does not show (Markdown)."""
    parts = ", ".join(f"{100 * float(share):.0f} %" for share in shares)
    shown = _(
        "depth, not meaning**: they separate learned vectors from contextual ones, and layer from layer"
    )
    if words[0] != words[1]:
        shown = _(
            "depth and the choice of word, not meaning**: they separate layer from layer and "
            "word from word"
        )
    return _(
        "The {count} directions in which these points differ most (principal components) "
        "hold {parts} of their variance. **They show {shown}, whatever the sentence says."
    ).format(count=len(shares), parts=parts, shown=shown)
