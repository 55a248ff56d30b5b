"""Why a next token: the words that were read, and the parts that wrote, each with what it adds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..localization import _
from ..records.logit_parts import LogitParts
from ..sentences import sentence
from . import style
from .bars import bars
from .labels import spelled
from .matrices import signed_heatmap
from .picture import Picture
from .scales import rounded_up
from .shaded import shaded_text

STRONGEST = 7  # words with a bar of their own
LITTLE = 0.005  # what two decimals do not show


def why_text(parts: LogitParts, pieces: Sequence[str]) -> Picture:
    """The text, each token shaded by what it adds; the first token does not set the end of the shades.

    Args:
        parts: the sums.
        pieces: the tokens, spelled as in the text, with the spaces before them.
    """
    rest = float(np.abs(parts.sources.by_token[1:]).max(initial=0))
    return shaded_text(
        pieces,
        parts.sources.by_token,
        kind="signed",
        most=rounded_up(rest) if rest else None,
        unit=_("logits"),
        title=_unit(parts),
        sentence=sentence("why.text"),
        name="why-text",
    )


def why_words(parts: LogitParts, words: Sequence[str], *, unit: str = "") -> Picture:
    """The strongest words, all others as one bar, the first token and the biases: they add up.

    Args:
        parts: the sums.
        words: the tokens as they are named.
        unit: the name of the number; "" for that of the logit, or of the difference of two.
    """
    of = np.array(parts.sources.by_token, np.float64)
    rest = [i for i in range(len(of)) if i or len(of) == 1]
    strongest = sorted(sorted(rest, key=lambda i: -abs(of[i]))[:STRONGEST])
    left = [i for i in rest if i not in strongest]
    rows = [(apart(words, i), float(of[i])) for i in strongest]
    if left:
        count = "why.other" if len(left) == 1 else "why.others"
        rows.append((sentence(count, count=str(len(left))), float(of[left].sum())))
    if len(of) > 1:
        rows.append((sentence("why.sink", word=words[0]), float(of[0])))
    if abs(parts.sources.bias) >= LITTLE:
        rows.append((_("biases"), parts.sources.bias))
    return bars(
        [value for _, value in rows],
        [label for label, _ in rows],
        kind="signed",
        unit=unit or _unit(parts),
        digits=2,
        sentence=sentence("why.words", whole=style.signed(parts.whole)),
        name="why-words",
    )


def apart(words: Sequence[str], i: int) -> str:
    """A word; of several that are alike, with its number: "John (2)"."""
    alike = [k for k, word in enumerate(words) if word == words[i]]
    return words[i] if len(alike) == 1 else f"{words[i]} ({alike.index(i) + 1})"


def why_parts(parts: LogitParts, *, unit: str = "") -> Picture:
    """Layers downwards; each head, the feed-forward network, and the whole layer with its biases.

    `unit`: see `why_words`.
    """
    heads = parts.by_head
    return signed_heatmap(
        [sentence("why.layer", layer=str(i + 1)) for i in range(len(heads))],
        [*(str(h + 1) for h in range(heads.shape[1])), _("feed-forward"), _("whole layer")],
        np.concatenate([heads, parts.feed_forward[:, None], parts.by_layer[:, None]], axis=1),
        title=unit or _unit(parts),
        of=(_("layer"), _("head")),
        between=_(", head "),
        sentence=_("What each head and each feed-forward network adds to the number."),
        name="why-parts",
    )


def _unit(parts: LogitParts) -> str:
    one = sentence("why.unit", word=bare(parts.token))
    if parts.other is None:
        return one
    return sentence("why.unit.both", one=one, other=sentence("why.unit", word=bare(parts.other)))


def bare(token: str) -> str:
    """A token without the space before it, what cannot be seen made visible."""
    return spelled(token.strip(" ") or token)
