"""A header that lies is refused in a sentence, quickly, before a library believes it."""

from __future__ import annotations

import contextlib
import random
import struct
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

import core
from core.pretrained.files.gguf import bounds, unpacked
from tests.pretrained.files.gguf import written


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    file = tmp_path_factory.mktemp("gguf") / "m.gguf"
    written.write(file, written.model(num_hidden_layers=1))
    return file.read_bytes()


def text(value: bytes) -> bytes:
    return struct.pack("<Q", len(value)) + value


def setting(key: bytes, kind: int, value: bytes) -> bytes:
    return text(key) + struct.pack("<I", kind) + value


def tensor(name: bytes, shape: tuple[int, ...], kind: int, offset: int) -> bytes:
    sizes = struct.pack(f"<{len(shape)}Q", *shape)
    return text(name) + struct.pack("<I", len(shape)) + sizes + struct.pack("<IQ", kind, offset)


def file(
    keys: list[bytes], tensors: list[bytes], data: int = 4096, counts: tuple[int, int] | None = None
) -> bytes:
    n_tensors, n_keys = counts or (len(tensors), len(keys))
    head = b"GGUF" + struct.pack("<IQQ", 3, n_tensors, n_keys)
    return head + b"".join(keys) + b"".join(tensors) + bytes(data)


ONE = tensor(b"a", (32,), 0, 0)
LIES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "too short"),
    "another file": (b"PK" + bytes(100), "no GGUF"),
    "version 1": (b"GGUF" + struct.pack("<IQQ", 1, 1, 0) + bytes(100), "version 1"),
    "endless settings": (file([], [ONE], counts=(1, 2**63)), "settings"),
    "endless tensors": (file([], [ONE], counts=(2**63, 0)), "tensors"),
    "no tensors": (file([], []), "0 tensors"),
    "a text of an exabyte": (file([struct.pack("<Q", 2**60)], [ONE]), "text"),
    "ten million tokens": (
        file([setting(b"t", 9, struct.pack("<IQ", 8, 10**7))], [ONE]),
        "lists more than",
    ),
    "ten million numbers": (
        file([setting(b"t", 9, struct.pack("<IQ", 0, 2**62))], [ONE]),
        "lists more than",
    ),
    "lists of lists": (file([setting(b"t", 9, struct.pack("<IQ", 9, 2))], [ONE]), "list of lists"),
    "an unknown type": (file([setting(b"t", 99, b"")], [ONE]), "type 99"),
    "a setting twice": (file([setting(b"t", 0, b"a"), setting(b"t", 0, b"a")], [ONE]), "twice"),
    "an alignment of 0": (
        file([setting(b"general.alignment", 4, struct.pack("<I", 0))], [ONE]),
        "aligns",
    ),
    "an alignment that is a text": (file([setting(b"general.alignment", 8, text(b"x"))], [ONE]), "no"),
    "a tensor of a thousand dimensions": (
        file([], [text(b"a") + struct.pack("<I", 1000)]),
        "1,000 dimensions",
    ),
    "an empty tensor": (file([], [tensor(b"a", (0, 5), 0, 0)]), "empty"),
    "a tensor whose size overflows": (
        file([], [tensor(b"a", (2**32, 2**32, 2), 0, 0)]),
        "larger than any",
    ),
    "a tensor behind the end": (file([], [tensor(b"a", (32,), 0, 2**40)]), "cut short"),
    "a tensor that reaches over the end": (file([], [tensor(b"a", (2**20,), 0, 0)]), "cut short"),
    "a bomb": (
        file([], [tensor(b"%d" % i, (512,), 0, 0) for i in range(100)]),
        "two tensors in one place",
    ),
    "half a block": (file([], [tensor(b"a", (33,), 3, 0)]), "whole blocks"),
    "a packing of tomorrow": (file([], [tensor(b"a", (32,), 200, 0)]), "type 200"),
}


@pytest.mark.parametrize("case", LIES)
def test_a_lie_is_said_at_once(case: str, tmp_path: Path) -> None:
    content, word = LIES[case]
    path = tmp_path / "m.gguf"
    path.write_bytes(content)
    with pytest.raises(bounds.Lie, match=word):
        bounds.check(path)
    with pytest.raises(core.ModelBroken, match=word):
        core.load(path, name="x")


def test_a_true_file_passes(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(whole)
    bounds.check(path)


def test_memory_follows_the_file_and_not_its_claims(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(file([setting(b"t", 9, struct.pack("<IQ", 8, 2_999_999))], [ONE]))
    tracemalloc.start()
    begun = time.perf_counter()
    with pytest.raises(bounds.Lie, match=r"ends in the middle|text of"):
        bounds.check(path)
    assert time.perf_counter() - begun < 30  # not a speed: without the bound it is hours
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


def broken(whole: bytes, seed: int) -> bytes:
    chance = random.Random(seed)
    change: Callable[[], bytes] = chance.choice(
        [
            lambda: whole[: chance.randrange(len(whole))],
            lambda: flipped(whole, chance, 8_000),
            lambda: flipped(whole, chance, 300),
        ]
    )
    return change()


def flipped(whole: bytes, chance: random.Random, within: int) -> bytes:
    data = bytearray(whole)
    for _ in range(chance.randint(1, 4)):
        data[chance.randrange(min(within, len(data)))] = chance.choice([0, 1, 127, 255])
    return bytes(data)


@pytest.mark.few(12)
@pytest.mark.parametrize("seed", range(200))
def test_a_damaged_file_is_a_sentence_or_a_model(
    seed: int, whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYSEE_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "m.gguf"
    path.write_bytes(broken(whole, seed))
    with contextlib.suppress(core.ModelBroken):  # any other error fails
        folder = unpacked(path, "m").folder
        assert (folder / "config.json").is_file()
