"""What the browser reads out of a GGUF file is what the `gguf` package reads, to the bit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gguf import GGMLQuantizationType as Kind
from gguf import GGUFWriter
from gguf.quants import dequantize, quantize

from core.pretrained.files.gguf.tensors import unpermuted
from tests.web.in_node import run

PROGRAM = "unpack.js"
HEADS = 3
TENSORS = {
    "embedding": (Kind.Q8_0, (5, 64)),
    "attn_q": (Kind.Q4_1, (2 * HEADS * 4, 96)),
    "attn_k": (Kind.F16, (HEADS * 4, 7)),
    "norm": (Kind.F32, (11,)),
}


def written(path: Path) -> dict[str, np.ndarray[Any, Any]]:
    """A file of each packing, and its numbers as the package unpacks them."""
    random, writer, found = np.random.default_rng(7), GGUFWriter(path, "llama"), {}
    writer.add_string("general.name", "naïve 東京")
    writer.add_array("tokenizer.ggml.tokens", ["a", "Ġb", ""])
    for name, (kind, shape) in TENSORS.items():
        numbers = (random.standard_normal(shape) * 10 ** random.uniform(-6, 3)).astype(np.float32)
        packed = quantize(numbers, kind)
        writer.add_tensor(name, packed, raw_dtype=kind)
        found[name] = dequantize(packed, kind).astype(np.float32).reshape(shape)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return found


def read(tmp_path: Path, heads: dict[str, int]) -> bytes:
    out = tmp_path / "out"
    run(PROGRAM, str(tmp_path / "file.gguf"), json.dumps(heads), str(out))
    return out.read_bytes()


def test_every_packing_is_unpacked_to_the_bit(tmp_path: Path) -> None:
    wanted = written(tmp_path / "file.gguf")
    assert read(tmp_path, {}) == b"".join(one.tobytes() for one in wanted.values())


def test_rows_of_q_and_k_come_in_our_order(tmp_path: Path) -> None:
    wanted, heads = written(tmp_path / "file.gguf"), {"attn_q": 2 * HEADS, "attn_k": HEADS}
    ours = {
        name: unpermuted(one, heads[name]) if name in heads else one for name, one in wanted.items()
    }
    assert read(tmp_path, heads) == b"".join(one.tobytes() for one in ours.values())
    assert not np.array_equal(ours["attn_q"], wanted["attn_q"])


@pytest.mark.parametrize(
    ("at", "byte", "why"),
    [(0, b"X", "four letters"), (4, b"\x09", "version 9"), (16, b"\xff" * 6, "settings")],
)
def test_a_file_that_lies_is_refused(tmp_path: Path, at: int, byte: bytes, why: str) -> None:
    written(tmp_path / "file.gguf")
    content = bytearray((tmp_path / "file.gguf").read_bytes())
    content[at : at + len(byte)] = byte
    (tmp_path / "file.gguf").write_bytes(content)
    assert why in read(tmp_path, {}).decode()


def test_a_file_that_is_cut_is_refused(tmp_path: Path) -> None:
    written(tmp_path / "file.gguf")
    content = (tmp_path / "file.gguf").read_bytes()
    (tmp_path / "file.gguf").write_bytes(content[:-400])
    assert "cut short" in read(tmp_path, {}).decode()
