"""A text that says the same random words twice: whoever copies is surprised by the first half only.

Repeated random tokens are the test of Olsson et al. 2022, "In-context Learning and Induction Heads",
section "Argument 4". Ours are ordinary words that the model reads as one token each, so that the text
can be read and typed; the word `FIRST` stands before both halves, since many heads attend to the first
token whatever it is.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from ..errors import NotSupported, SettingError

FIRST = "The"
FEWEST, MOST = 5, 100  # words in one half
_LISTED = """
apple arm autumn baby ball band bank basket bath bear bed bell bird boat body bone book bottle
box boy branch bread bridge brother butter button cake camera camp card cat chair cheese child
church circle city class clock cloud coat coffee cold corn country cow cream cup dance daughter
day desk dinner doctor dog door dress dust ear earth east egg engine evening eye face family
farm father field finger fire fish flag floor flower food foot forest fruit game garden gate
girl glass gold grass green hair hall hand hat head heart hill home horse hotel house ice
island jacket juice key king kitchen knee lake lamp land leaf leg letter light line lion lunch
machine man map market milk mirror money moon morning mother mountain mouse mouth music name
neck night north nose ocean oil orange page paint paper park pencil phone picture plane plant
plate pocket queen rain ring river road roof room rose salt sand school sea seat shirt shoe
shop silver sister sky snow soap son song south spoon spring square stage star station stone
street sugar summer sun table tail tea tooth tower town toy train tree uncle valley voice wall
watch water week west wheel wife wind window wine winter woman wood wool world yard year yellow
"""
WORDS = tuple(_LISTED.split())


def repeated(read: Callable[[str], Sequence[int]], length: int, seed: int) -> str:
    """`FIRST`, then `length` different random words, then the same again.

    Args:
        read: the ids of the tokens of a text; special ones may surround them.
        length: words in one half, from `FEWEST` to `MOST`.
        seed: which words.

    Raises:
        SettingError: the length is out of range.
        NotSupported: the model reads too few of our words as one token.
    """
    if not FEWEST <= length <= MOST:
        raise SettingError(f"One half has {FEWEST} to {MOST} words, not {length}.")
    alone = len(read(FIRST))
    order = random.Random(seed).sample(WORDS, len(WORDS))
    single = [word for word in order if len(read(f"{FIRST} {word}")) == alone + 1][:length]
    if len(single) < length:
        raise NotSupported(
            f"This model reads only {len(single)} of our words as one token each. Choose a shorter "
            "half, or another model."
        )
    text = " ".join([FIRST, *single, *single])
    ids = list(read(text))
    if len(ids) != alone + 2 * length or ids[-2 * length : -length] != ids[-length:]:
        raise NotSupported("This model’s tokenizer does not read a repeated word as the same token.")
    return text
