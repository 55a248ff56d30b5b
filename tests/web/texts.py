"""Texts that tokenizers disagree about, made of what visitors type and of every part of Unicode."""

from __future__ import annotations

import random
from collections.abc import Iterator

_LINE = (
    "bank Bank BANK river don't don’t bank's BANK’S it'ſ naïve café CAFÉ Straße STRASSE "
    "İstanbul ısı antidisestablishmentarianism hyper-active co-op e-mail www.example.org a.b.c "
    "3.14 1,000,000 x² ½ ﬁne [SEP] [CLS] [MASK] [PAD] [UNK] [unused0] [sep] [SE P] ##ing ## [ "
    "] _under_score_ «bank» 東京 日本語 ひらがな カタカナー 한국어 각 क्षि ภาษาไทย العربية "
    "עברית Ελλάδα ΣΊΣΥΦΟΣ Σ ς ŉ ǰ ΐ ﬀ ſ ẞ K Å 🎣 👩‍👩‍👧 🇩🇪 🏳️‍🌈 👍🏽 1️⃣ e\u0301 "
    "a\u0308\u0323 o\u0338\u0327 ー\u0301 東\u0301 \u302e\u302f \u0345 soft\u00adhyphen "
    "zero\u200bwidth join\u200der \u2066ltr\u2069 "
    "l'eau qu’il d'un'altra 我在银行存钱 銀行のコーヒーｺｰﾋｰ ธนาคารริมแม่น้ำ ဘဏ်ကို ធនាគារ ທະນາຄານ "
    "은행에서 البَنْكِ بـــنك בַּנְק Ｂａｎｋ ﬁne か\u3099くせい * **"
)
_WORDS = _LINE.split(" ")
_SPACES = (
    " ",
    " ",
    " ",
    " ",
    "",
    "",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "\u00a0",
    "\u2003",
    "\u3000",
    "\u2028",
    "\u0085",
    "\x0b",
    "\x1c",
)
_ODD = (
    "\x00", "\x07", "\x7f", "\ufffd", "\ufeff", "\u200d", "\ufe0f", "\ud800", "\udfff", "\ue000",
    "\U000f0000", "\u0378", "\U0010ffff", "\U000e0041", "\u180e", "\u115f", "'", "’",
    "'s", "''", "s'", "_", ".", "…",
)  # fmt: skip


def texts(count: int, seed: int) -> Iterator[str]:
    """So many texts, the same ones for the same seed."""
    yield from (
        "",
        " ",
        "[SEP]",
        "[CLS][SEP]",
        "a" * 100,
        "a" * 101,
        "b" * 1000,
        "'s",
        "’S’s",
        "\ud800",
    )
    yield from (
        "bank " * 600,
        "[MASK]" * 600,
        "🎣" * 600,
        "don't " * 300,
        "x" * 509 + " y",
        "東" * 510,
        "東" * 511,
    )
    chance = random.Random(seed)
    for _ in range(max(0, count - 17)):
        parts = [
            _part(chance) + chance.choice(_SPACES) for _ in range(chance.choice((1, 2, 4, 8, 8, 16)))
        ]
        # As JSON carries it: two halves in a row are one character.
        units = "".join(parts).encode("utf-16-le", "surrogatepass")
        yield units.decode("utf-16-le", "surrogatepass")


def _part(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.6:
        return chance.choice(_WORDS)
    if kind < 0.75:
        return chance.choice(_ODD)
    if kind < 0.9:  # letters of one neighbourhood
        start = chance.choice(
            (0x20, 0xA0, 0x250, 0x300, 0x370, 0x590, 0x1E00, 0x2000, 0x3040, 0xAC00, 0xF900)
        )
        return "".join(chr(start + chance.randrange(256)) for _ in range(chance.randrange(1, 6)))
    return "".join(
        chr(chance.choice((chance.randrange(0xD800), chance.randrange(0xE000, 0x110000))))
        for _ in range(3)
    )
