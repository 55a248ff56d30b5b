"""The browser's tokens and words are Python's, on texts that tokenizers disagree about."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import icu4py
import numpy as np
import pytest
import regex

import core
from core import web
from core.records import finding, words
from core.records.spelling import CASED
from core.records.unspaced import is_unspaced
from core.web.built import TOKENIZER
from tests.web.texts import texts
from tools import node

_ENCODE = Path(__file__).parents[1] / "figures" / "web" / "engine" / "encode.js"


@pytest.mark.parametrize(
    "count",
    [
        pytest.param(500, marks=pytest.mark.check),
        pytest.param(20_000, marks=[pytest.mark.fuzz, pytest.mark.timeout(1_200)]),
    ],
)
def test_tokens_and_words_are_pythons(
    count: int, web_built: web.Built, minilm: core.Model, tmp_path: Path
) -> None:
    queries = [
        {"text": text, "phrase": _phrase(text, seed)} for seed, text in enumerate(texts(count, count))
    ]
    found = _in_node(web_built.files[TOKENIZER], queries, tmp_path)
    newer, dictionary = 0, _has_our_dictionary()
    for query, ours in zip(queries, found, strict=True):
        wanted = _in_python(minilm, **query)
        if not dictionary and any(is_unspaced(word[0]) for word in wanted["words"]):
            wanted = {name: value for name, value in wanted.items() if name not in _WORDS}
        # A browser's Unicode may be older than Python's: it does not know the newest letters.
        unknown = [one for one in ours.pop("unassigned") if not regex.match(r"\p{Cn}", one)]
        newer += bool(unknown)
        compared = wanted.keys() - (_WORDS if unknown else ())
        assert {name: ours[name] for name in compared} == {name: wanted[name] for name in compared}
    assert newer < count / 5


_WORDS = {"words", "wordIds", "occurrences", "found", "alike"}


def _has_our_dictionary() -> bool:
    """Whether Node's ICU is of Python's version: another one may know other words without spaces."""
    said = subprocess.run(
        [node.NODE / "node", "-p", "process.versions.icu"], check=True, capture_output=True, text=True
    )
    return said.stdout.partition(".")[0] == icu4py.icu_version.partition(".")[0]


def _in_node(tables: Path, queries: list[dict[str, str]], folder: Path) -> list[dict[str, Any]]:
    (folder / "texts.json").write_text(json.dumps(queries))
    files = [tables, folder / "texts.json", folder / "found.json"]
    subprocess.run([node.NODE / "node", _ENCODE, *files], check=True)
    found: list[dict[str, Any]] = json.loads((folder / "found.json").read_text("utf-8"))
    for one in found:
        one["alike"] = _alike(one.pop("keys"))
    return found


def _in_python(model: core.Model, text: str, phrase: str) -> dict[str, Any]:
    encoded = model.read(text)
    (text,), (cut,) = encoded.texts, encoded.left_out_by_text
    spans = np.array(encoded.offsets).reshape(-1, 2)
    end = cut[0] if cut else len(text)
    split = words.split(text)
    spelling = model.spelling
    every = words.occurrences(text, spans, spelling=spelling, end=end)
    pieces = finding.pieces(text, spans, phrase, spelling=spelling, end=end)
    return {
        "text": text,
        "ids": list(encoded.ids),
        "tokens": list(encoded.tokens),
        "offsets": [list(span) for span in encoded.offsets],
        "special": list(encoded.special),
        "leftOut": None if cut is None else list(cut),
        "words": [list(word) for word in split],
        "wordIds": [-1 if word is None else word for word in encoded.word_ids()],
        "occurrences": [[o.word, o.number, o.start, o.end, o.tokens.tolist()] for o in every],
        "found": [tokens.tolist() for tokens in pieces],
        "alike": _alike([[one.key(word.text) for one in (CASED, spelling)] for word in split]),
    }


def _alike(keys: list[list[str]]) -> list[list[int]]:
    """For each word, the first word with the same key, with case and without: keys are never shown."""
    return [[column.index(key) for key in column] for column in map(list, zip(*keys, strict=True))]


def _phrase(text: str, seed: int) -> str:
    """A word of a text, or two in a row; sometimes with a star in place of an end."""
    split = words.split(text)
    if not split:
        return "bank"
    chance = random.Random(seed)
    first = chance.randrange(len(split))
    last = min(len(split) - 1, first + chance.randrange(2))
    phrase = text[split[first].start : split[last].end]
    cut = chance.randrange(1, 1 + len(phrase))
    if regex.match(r"\p{M}", phrase[cut - 1]):  # after a star, which would become another sign
        return phrase
    return chance.choice([phrase, phrase, phrase[:cut] + "*", "*" + phrase[cut - 1 :]])
