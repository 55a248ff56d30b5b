"""Cases of a byte-level BPE."""

from __future__ import annotations

from functools import cache
from typing import Any

from core.figures import labels
from core.pretrained import token_edits
from core.pretrained.tokenizer.reader import Encoded, TextReader
from core.records.pieces import pieces_of
from tests.figures.web.twins.common import SENTENCES, TEXTS, Case, Table, each
from tests.web import pairs

MOST = 60  # tokens
ODD = (
    *("the bank of the river", "don't we'll I'M he's 'tis ''s \u200d's", "7 77 x7y ٣٤ ½ Ⅷ"),
    *("  two  spaces ", "a \n\n b", "\t\tx", "x \u00a0y", "a\u0085's", "\ufeff a", "abc bc abbc"),
    *("<|start|>user<|end|>", "<|start", "<|start|", "<|<|end|>|>", " <file> <file", "\x04bank\x13 7"),
    *(
        "a\U0005ffffb🎣c",
        "\x04\x13",
        "\U000f1111 \x04!!",
        "x" * 70,
        "<file>" * 61,
        "a\ud800b",
        "é" * 70,
    ),
)
MORE = (
    (),
    (300, 1, 2, 301),
    (0,),
    *((160, 162, 163), (130, 131), (227, 140, 131, 90), (227, 140), (227, 0, 140, 131), (3, 2)),
)


@cache
def _reader() -> TextReader:
    return pairs.reader(pairs.small(), MOST)


def _plain(found: Encoded) -> dict[str, Any]:
    return {
        "text": found.texts[0],
        "ids": found.ids,
        "tokens": found.tokens,
        "starts": [start for start, _ in found.offsets],
        "ends": [end for _, end in found.offsets],
        "special": found.special,
        "leftOut": found.left_out_by_text[0],
        "length": len(found.texts[0]),
    }


def _continued(text: str, more: tuple[int, ...]) -> dict[str, Any]:
    own = _reader()
    settings: dict[str, Any] = {
        "vocabulary": len(pairs.small()["tokenizer.ggml.tokens"]),
        "most": MOST,
        "name": "",
    }
    return _plain(token_edits.continued(own.read(text), more, own, **settings))


def _pieces(text: str, more: tuple[int, ...]) -> tuple[dict[str, Any], tuple[str, ...]]:
    own = _continued(text, more)
    spans = tuple(zip(own["starts"], own["ends"], strict=True))
    return own, pieces_of(own["text"], own["tokens"], spans)


def of_pairs() -> Table:
    own, every = _reader(), (*ODD, *TEXTS, *SENTENCES)
    ids = range(len(pairs.small()["tokenizer.ggml.tokens"]))
    some = [ids[start : start + 7] for start in range(0, len(ids), 7)]
    brief = ("the bank", "", "🎣 x", "<file>")
    cases: list[Case] = [
        *((["encode", text], _plain(own.read(text))) for text in every if "\ud800" not in text),
        (["encode", "a\ufffdb"], _plain(own.read("a\ud800b"))),
        *((["decode", [*part]], own.decode(part)) for part in some),
        *((["surfaceForm", one], own.surface_form(one)) for one in ids),
        *((["behind", one], own.behind(one)) for one in (" bank", "bc", "b", "", "don't", "🎣")),
        *((["isSpecial", one], own.is_special(one)) for one in range(5)),
        *((["continued", text, [*more]], _continued(text, more)) for text in brief for more in MORE),
    ]
    return {
        "engine/bytepairs.js": {
            "BytePairs": cases,
            "pieces": [([own], pieces) for text in brief for own, pieces in [_pieces(text, MORE[5])]]
            + [([own], pieces) for text in ODD[:12] for own, pieces in [_pieces(text, ())]],
        },
        "derive/labels.js": {"spelled": each(labels.spelled, (*TEXTS, *SPELLED))},
    }


SPELLED = (
    "",
    " ",
    "  a ",
    " a\n b",
    "\r\n",
    "\n\n",
    "\u200da\u200b",
    " \u00ad",
    "\x00\t\x7f",
    "\u3000a",
)
