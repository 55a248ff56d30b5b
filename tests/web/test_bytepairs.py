"""The browser's byte-level BPE is Python's, with SmolLM2's vocabulary, on hostile texts."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import icu4py
import numpy as np
import pytest
import regex

from core import settings
from core.pretrained import token_edits
from core.pretrained.files import in_package
from core.pretrained.tokenizer.reader import TextReader
from core.records import words
from core.records.pieces import pieces_of
from core.records.unspaced import is_unspaced
from tests.web import pairs
from tests.web.texts import texts
from tools import node

_ENCODE = Path(__file__).parents[1] / "figures" / "web" / "engine" / "pairs.js"
_MOST = 8192
_SIGNS = "<|endoftext|> <|im_start|> <|im_end|> <repo_name> <reponame> <|im_start im_end|> <file_sep>"
_SHORT = "'s 'S 're 'll ’s 't 've 'm 'd don't I'LL can't"
_NUMBERS = "0 7 42 1000000 ٣٤ ① Ⅷ ½ ² 〇 三 𝟗 𞥐 ๓ 1️⃣ 0x1F 3.14"
_WRITTEN = (
    "def return bank naïve café 東京 日本語 한국어 ภาษาไทย العربية עברית क्षि 🎣 👩‍👩‍👧 🇩🇪 👍🏽 🏳️‍🌈"
)
_ODD = "e\u0301 ﬁ ß ſ _ __ -- ... ((( === // \U000e0041 \U000f0000 \U0010ffff \ufffd \ud800"
_SPACES = " |  |   |\n|\n\n|\t|\r\n|\u00a0|\u3000|\u2028|\u0085|\x0b|\x1c|\u200b|\ufeff| \n |\u180e"
_LOST = "\x00 \x04 \x13 \x1d \x7f \U0005ffff \U00042345"  # most with a byte that no token stands for
_PARTS = (
    *(one.split(" ") for one in (_SIGNS, _SHORT, _NUMBERS, _WRITTEN, _ODD, _LOST)),
    _SPACES.split("|"),
)
_LONG = (
    *("word " * 8_000, "🎣" * 3_000, "東" * 9_000, "7" * 9_000, " " * 9_000, "\n" * 5_000),
    *("<|im_end|>" * 8_200, "x" * 40_000, "ab" * 20_000, "a\U0005ffff" * 3_000),
)
_WORDS = {"words", "wordIds", "occurrences"}


def hostile(count: int) -> Iterator[str]:
    """So many texts, the same ones for the same number."""
    long = _LONG if count > 1_000 else _LONG[::3]  # the longest take most of the time
    yield from long
    some = count // 2
    yield from texts(some, count)
    chance = random.Random(count)
    for _ in range(count - some - len(long)):
        parts = (
            chance.choice(chance.choice(_PARTS)) + chance.choice(("", "", " "))
            if chance.random() < 0.85
            else chr(chance.choice((chance.randrange(0xD800), chance.randrange(0xE000, 0x110000))))
            for _ in range(chance.choice((1, 2, 4, 8, 16, 40)))
        )
        # As JSON carries it: two halves in a row are one character.
        units = "".join(parts).encode("utf-16-le", "surrogatepass")
        yield units.decode("utf-16-le", "surrogatepass")


@pytest.mark.parametrize(
    "count",
    [
        pytest.param(50, marks=pytest.mark.check),
        pytest.param(20_000, marks=[pytest.mark.fuzz, pytest.mark.timeout(1_200)]),
    ],
)
def test_tokens_and_words_are_pythons(count: int, tmp_path: Path) -> None:
    own = pairs.of_file(_file())
    reader = pairs.reader(own, _MOST)
    chance = random.Random(count)
    queries: list[dict[str, Any]] = [
        {"text": text, "more": [chance.randrange(49_152) for _ in range(chance.randrange(5))]}
        for text in hostile(count)
    ]
    found = _in_node(own, queries, tmp_path)
    dictionary, newer = _has_our_dictionary(), 0
    for query, ours in zip(queries, found, strict=True):
        wanted = _in_python(reader, **query)
        # A browser's Unicode may be older than Python's, or have other words without spaces.
        unknown = [one for one in ours.pop("unassigned") if not regex.match(r"\p{Cn}", one)]
        newer += bool(unknown)
        unsure = unknown or (not dictionary and any(is_unspaced(word[0]) for word in wanted["words"]))
        compared = wanted.keys() - (_WORDS if unsure else set())
        assert {name: ours[name] for name in compared} == {name: wanted[name] for name in compared}
    assert newer < count / 5


def _file() -> Path:
    packed = settings.CATALOGUE["smollm2"].packed
    assert packed is not None
    file = in_package.here(packed)
    assert file is not None
    return file


def _has_our_dictionary() -> bool:
    said = subprocess.run(
        [node.NODE / "node", "-p", "process.versions.icu"], check=True, capture_output=True, text=True
    )
    return said.stdout.partition(".")[0] == icu4py.icu_version.partition(".")[0]


def _in_node(own: dict[str, Any], queries: list[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    (folder / "settings.json").write_text(json.dumps(own))
    (folder / "texts.json").write_text(json.dumps(queries))
    files = [folder / name for name in ("settings.json", "texts.json", "found.json")]
    subprocess.run([node.NODE / "node", _ENCODE, *files], check=True)
    found: list[dict[str, Any]] = json.loads((folder / "found.json").read_text("utf-8"))
    return found


def _in_python(reader: TextReader, text: str, more: list[int]) -> dict[str, Any]:
    encoded = reader.read(text)
    (text,), (cut,) = encoded.texts, encoded.left_out_by_text
    own = encoded
    if cut is None:
        own = token_edits.continued(encoded, more, reader, vocabulary=49_152, most=_MOST + 5, name="")
    spans = np.array(encoded.offsets).reshape(-1, 2)
    split = words.split(text)
    every = words.occurrences(text, spans, spelling=reader.spelling, end=cut[0] if cut else len(text))
    return {
        "text": text,
        "ids": list(encoded.ids),
        "tokens": list(encoded.tokens),
        "offsets": [list(span) for span in encoded.offsets],
        "leftOut": None if cut is None else list(cut),
        "decoded": reader.decode(encoded.ids),
        "written": [reader.surface_form(one) for one in more],
        "continued": [own.texts[0], [list(span) for span in own.offsets], list(own.special)],
        "pieces": list(pieces_of(own.texts[0], own.tokens, own.offsets)),
        "words": [list(word) for word in split],
        "wordIds": [-1 if word is None else word for word in encoded.word_ids()],
        "occurrences": [[o.word, o.number, o.start, o.end, o.tokens.tolist()] for o in every],
    }
