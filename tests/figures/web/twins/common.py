"""What the cases of all twins share: hostile texts, sentences, axes, and how a result is written."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from core.errors import PolyseeError
from core.records.sense_axis import SenseAxis, sense_axis
from core.records.spelling import CASED
from core.records.trace import Trace
from tests.figures.web.twins.traces import UNCASED, tokens_of, traced

Case = tuple[list[Any], Any]  # the arguments, and what is returned


Table = dict[str, dict[str, list[Case]]]


# What people type, and what nobody would: each is a text, a word, a phrase and a part of a link.
TEXTS = (
    *(
        "",
        " ",
        "bank",
        "Bank",
        "banks",
        "BANK'S",
        "the bank’s roof isn't",
        "l'eau d'un'altra",
        "d'you l'11",
    ),
    *(
        "ﬁsh",
        "fish",
        "Straße STRASSE ſ",
        "İstanbul ısı",
        "ΣΊΣΥΦΟΣ ς",
        "naïve café",
        "e\u0301 a\u0308\u0323",
    ),
    *(
        "\u13a0\uab70",
        "ŉ ǰ ΐ",
        "x² 3.14 ½ ٣",
        "Ｂａｎｋ",
        "soft\u00adhyphen zero\u200bwidth join\u200der",
    ),
    *(
        "我在银行存钱",
        "은행에서 은행들은",
        "البَنْكِ بـــنك والبنك",
        "בַּנְק לחם",
        "🎣 👩\u200d👩\u200d👧 🇩🇪",
        "\u200b",
        "\u200d",
    ),
    *(
        "bank*",
        "*ban*k",
        "f**k",
        "**",
        "“bank”",
        "«»",
        "“river bank”",
        "a * b",
        "a*b",
        "[UNK] ##ing ##",
    ),
    *(
        "+3",
        "1_0",
        "0x1",
        "007",
        "1e-3",
        ".5",
        "-0",
        "nan",
        "mean",
        "mean.3",
        "1..2",
        "none",
        "2.second",
    ),
    *(
        "=1+1",
        " \t@x",
        ";=a",
        "a,b\n=c",
        "-->",
        "www.a://b@c",
        "a_b*c`d[e](f)",
        "\x00\x07\x1c",
        "\u2028\u0085",
    ),
    *(
        "constructor",
        "__proto__",
        "die Bank ist zu und der Fluss",
        "a name: b, c\nthe bank: x",
        ", ,",
        "bank: ",
    ),
)


SENTENCES = (
    "A man is fishing on the river bank.",
    "A man is withdrawing money from the bank.",
    "The banks of the river, and a bank.",
    "the bank",
    "Die Frau geht mit ihrem Hund an der Bank vorbei.",
    "I ❤ you ❤",
    "“ﬁne” is fine, Fine and FINE.",
    "ไปธนาคาร",
    " ".join(f"{i} river bank and fish" for i in range(12)),
    "",
    "Le chat dort sur la banquette rouge.",
    "Peter kauft drei Lampen.",
    "Was will der Mann?",
    "They said la vie en rose to him.",
    "Zzyzx Qwrtp Mnbvc Lkjhg",
    "We saw Angela Merkel die yesterday",
)


A, B = SENTENCES[0], SENTENCES[1]


AXES = (
    ("bank", ["river", "shore"], ["money", "I brought the cash to the bank."]),
    ("bank", [A, "The banks of the river, and a bank."], [B, "the bank account"]),
    ("ﬁne", ["good"], ["a fine of money", "fee"]),
    ("बैंक", ["x"], ["y"]),
    ("bank", ["bank"], ["money"]),
    ("bank", ["  ", ","], ["money"]),
    ("bank", ["a text of many words without it"], ["money"]),
    ("bank", ["river"], ["river"]),
    ("zzz", ["river"], ["money"]),
    ("bank", ["❤"], ["money"]),
    ("bank", [f"w{i}" for i in range(60)], ["money"]),
    ("bank", ["river"], ["x" * 45 + " bank " + "y z " * 30]),
    ("b" * 50, ["river"], ["some words that do not have it"]),
)


class Reads:
    """Reads texts, and remembers which."""

    def __init__(self) -> None:
        self.texts: dict[str, None] = {}

    def __call__(self, some: Sequence[str]) -> list[Trace]:
        return [self.one(text_of) for text_of in some]

    def one(self, text_of: str) -> Trace:
        self.texts[text_of] = None
        return traced(text_of)


def plain(value: Any) -> Any:
    """A result in JSON: tuples, sets and arrays as lists, and numbers that JSON has not as texts."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(plain, value))
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, Sequence | range) and not isinstance(value, str | bytes):
        return [plain(one) for one in value]
    return value


def each(function: Callable[..., Any], *lists: Iterable[Any]) -> list[Case]:
    """A function of every combination of some arguments."""
    return [([*args], function(*args)) for args in product(*lists)]


def rounded(value: Any) -> Any:
    """A result's floats in eight digits: processors differ in the last ones."""
    if isinstance(value, float):
        return float(f"{value:.8g}")
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list) else value


def overlapping(one: str, start: int, end: int) -> list[int]:
    return [i for i, (_, a, b) in enumerate(tokens_of(one)[0]) if a < end and b > start]


class _LeftToRight:
    """A trace by a model that puts the cue before the word, and distinguishes upper and lower case."""

    causal = True

    def __init__(self, trace: Trace) -> None:
        self._trace = trace

    def __getattr__(self, name: str) -> Any:
        return getattr(self._trace, name)


def axis_of(
    word: str, low: Sequence[str], high: Sequence[str], reads: Reads, *, causal: bool = False
) -> SenseAxis | str:
    """The axis; or why there is none."""

    def read(some: Sequence[str]) -> Any:
        return [_LeftToRight(one) if causal else one for one in reads(some)]

    spelling = CASED if causal else UNCASED
    try:
        return sense_axis(word, low, high, read, spelling=spelling, model="minilm", causal=causal)
    except PolyseeError as error:
        return str(error)


def vectors(trace: Trace, at: Any) -> Any:
    assert trace.hidden is not None
    return trace.hidden[:, at].astype(np.float64).mean(axis=1)
