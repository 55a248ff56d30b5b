"""What a table of five letters foresees of a text: the measure beside which a small model stands.

Interpolated Witten–Bell smoothing (Witten and Bell 1991; Chen and Goodman 1998, section 2.4): a context
that was seen c times with t different next letters gives c / (c + t) to what it counted, and the rest
to the context that is one letter shorter. Below all contexts, each letter has an equal share.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict

from ..errors import SettingError

ORDER = 5
MOST_LETTERS = 5_000_000  # of both texts: every context of each letter is kept while it is counted


def bits_per_letter(text: str, held: str, order: int = ORDER) -> float:
    """The mean surprise of a held-out text by counts of another, in bits a letter.

    Args:
        text: what is counted.
        held: what is foreseen; it goes on from the text.
        order: letters of a context, and the next one.

    Raises:
        SettingError: a text is empty, or they have more letters than `MOST_LETTERS`.
    """
    if len(text) + len(held) > MOST_LETTERS:
        raise SettingError(f"The two texts may have {MOST_LETTERS:,} letters together.")
    if not text or not held:
        raise SettingError("Both texts need letters.")
    whole, start = text + held, len(text)
    # Contexts that the held-out text does not have are not counted: they are nine in ten.
    asked = [{whole[i - n : i] for i in range(start, len(whole)) if i >= n} for n in range(order)]
    counts: list[defaultdict[str, Counter[str]]] = [defaultdict(Counter) for _ in range(order)]
    for i, letter in enumerate(text):
        for n in range(min(order, i + 1)):
            if (context := text[i - n : i]) in asked[n]:
                counts[n][context][letter] += 1
    even = 1 / len({*text, *held})
    bits = 0.0
    for i in range(start, len(whole)):
        p = even
        for n in range(min(order, i + 1)):
            seen = counts[n].get(whole[i - n : i])
            if seen is None:
                break
            total, kinds = seen.total(), len(seen)
            p = (seen[whole[i]] + kinds * p) / (total + kinds)
        bits -= math.log2(p)
    return bits / len(held)
