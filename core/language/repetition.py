"""A text that says the same random words twice: whoever copies is surprised by the first half only.

Repeated random tokens are the test of Olsson et al. 2022, "In-context Learning and Induction Heads",
section "Argument 4". `repeated` takes ordinary words that the model reads as one token each, so that
the text can be read and typed; `repeated_tokens` takes any tokens of the model's own vocabulary. One
more stands before both halves, since many heads attend to the first token whatever it is.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence

from ..errors import NotSupported, SettingError

Read = Callable[[str], Sequence[int]]
FIRST = "The"
FEWEST, MOST = 5, 100  # words in one half
_TRIED = 40  # tokens that are looked at for each that is wanted: many are halves of characters
_STARTS = 3  # first tokens that are tried
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


def repeated(read: Read, length: int, seed: int) -> str:
    """`FIRST`, then `length` different random words, then the same again.

    Args:
        read: the ids of the tokens of a text; special ones may surround them.
        length: words in one half, from `FEWEST` to `MOST`.
        seed: which words.

    Raises:
        SettingError: the length is out of range.
        NotSupported: the model reads too few of our words as one token.
    """
    _check(length)
    alone = len(read(FIRST))
    order = random.Random(seed).sample(WORDS, len(WORDS))
    single = [word for word in order if len(read(f"{FIRST} {word}")) == alone + 1][:length]
    if len(single) < length:
        raise NotSupported(
            "This model reads only {n_single} of our words as one token each. Choose a "
            "shorter half, or another model.",
            n_single=len(single),
        )
    text = " ".join([FIRST, *single, *single])
    ids = list(read(text))
    if len(ids) != alone + 2 * length or ids[-2 * length : -length] != ids[-length:]:
        raise NotSupported("This model’s tokenizer does not read a repeated word as the same token.")
    return text


def repeated_tokens(
    read: Read,
    spellings: Callable[[Sequence[int]], Sequence[str | None]],
    vocabulary: int,
    length: int,
    seed: int,
) -> str:
    """A first token, then `length` different random ones of the whole vocabulary, then these again.

    Only tokens are taken that the tokenizer reads back where they stand: two neighbours often merge
    into a third.

    Args:
        read: as for `repeated`.
        spellings: how tokens are written within a text; None for one that no text contains.
        vocabulary: how many ids there are.
        length: tokens in one half, from `FEWEST` to `MOST`.
        seed: which tokens.

    Raises:
        SettingError: the length is out of range.
        NotSupported: the vocabulary has too few tokens that can be told from a text.
    """
    _check(length)
    drawn = random.Random(seed)
    count = min(vocabulary, _TRIED * (length + 1))
    spelled = spellings(drawn.sample(range(vocabulary), count))
    written = [one for one in spelled if one is not None and _is_plain(one)]
    for first in written[:_STARTS]:
        start = first.lstrip()
        half = _half(read, start, written, length)
        if half is not None:
            return start + 2 * half
    raise NotSupported(
        "Too few tokens of this model’s vocabulary can be written one after another "
        "for a half of {length}. Choose a shorter half, or another model.",
        length=length,
    )


def _half(read: Read, start: str, written: Iterable[str], length: int) -> str | None:
    """As many different tokens that are read as they are, also where the second half begins."""
    text, ids = start, _read(read, start)
    begun, known = len(ids), {*ids}
    for piece in written:
        more = _read(read, text + piece)
        if more[:-1] != ids or more[-1] in known:
            continue
        half = (text + piece)[len(start) :]
        if len(more) - begun < length:
            text, ids = text + piece, more
            known.add(more[-1])
        elif _read(read, start + 2 * half) == [*more, *more[-length:]]:
            return half
    return None


def _read(read: Read, text: str) -> list[int]:
    return list(read(text))


def _is_plain(spelling: str) -> bool:
    """Whether a token is at least one sign that can be seen, and a whole one."""
    return bool(spelling.strip()) and spelling.strip(" ").isprintable() and "\ufffd" not in spelling


def _check(length: int) -> None:
    if not FEWEST <= length <= MOST:
        raise SettingError(
            "One half has {fewest} to {most} words, not {length}.",
            fewest=FEWEST,
            most=MOST,
            length=length,
        )
