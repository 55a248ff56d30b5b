from __future__ import annotations

import base64
import json
import zlib

import pytest

from ui import compressed_state


@pytest.mark.parametrize("text", ["", "bank", "ضفة النهر " * 750, "🏦\u0000\n<b>&=%", "a" * 50_000])
def test_what_is_packed_comes_back(text: str) -> None:
    state = {"a": text, "l": "3"}
    word = compressed_state.pack(state)
    assert compressed_state.unpack(word) == state
    assert word.replace("-", "a").replace("_", "a").isalnum()


def test_fifteen_kilobytes_of_arabic_fit_a_url() -> None:
    letters = [chr(c) for c in range(0x0627, 0x064B)] + [" "] * 6
    text = "".join(letters[(i * i * 7 + i * 31 + i // 5) % len(letters)] for i in range(8_000))
    assert len(text.encode()) > 14_500
    assert len(compressed_state.pack({"a": text})) < 7_000


def test_half_a_character_is_replaced() -> None:
    assert compressed_state.unpack(compressed_state.pack({"a": "x\ud83d"})) == {"a": "x?"}


@pytest.mark.parametrize(
    "inside",
    [b"", b"[]", b"1", b'{"a": 1}', b"{", b"[" * 100_000, b"\xff", b'"' + b"a" * 2_000_000 + b'"'],
)
def test_foreign_contents_give_nothing(inside: bytes) -> None:
    word = base64.urlsafe_b64encode(zlib.compress(inside)).decode().rstrip("=")
    assert compressed_state.unpack(word) == {}


@pytest.mark.parametrize("word", ["", "=", "é", "AAAA", "a", "x" * 10_001, json.dumps({})])
def test_foreign_words_give_nothing(word: str) -> None:
    assert compressed_state.unpack(word) == {}
