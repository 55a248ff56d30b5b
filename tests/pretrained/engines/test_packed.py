"""Texts are multiplied out of packed blocks, whose weights are the unpacked ones to the last bit."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
import torch
from gguf.quants import dequantize, quantize
from torch import Tensor, nn

import core
from core.pretrained.engines import packed, packed_loops
from core.pretrained.engines.packed import PackedMatrix
from core.pretrained.engines.pass_loops import LANES
from tests.pretrained.files.gguf import written
from tests.pretrained.files.gguf.written import Kind

TEXT = "On the river bank"
KINDS = [Kind.Q4_1, Kind.Q8_0]


@pytest.fixture(autouse=True)
def compiled() -> None:
    if not packed_loops.loops():
        pytest.skip("this processor, or its llvmlite, cannot")


def matrix(kind: gguf.GGMLQuantizationType, rows: int, width: int) -> tuple[Tensor, Tensor]:
    """Random weights as they are after packing, and their blocks."""
    drawn = np.random.default_rng(7).normal(size=(rows, width)).astype(np.float32)
    blocks = quantize(drawn, kind)
    return torch.from_numpy(dequantize(blocks, kind).copy()), torch.from_numpy(blocks.copy())


def made(weight: Tensor, blocks: Tensor) -> PackedMatrix:
    """A matrix that has proved itself, so that only its blocks count from here on."""
    one = PackedMatrix(weight.clone(), blocks)
    one.times(torch.randn(1, weight.shape[1]))
    assert one.is_proved
    one._weight_FD = torch.full_like(weight, torch.nan)
    return one


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [7, 16, 37])
def test_each_weight_is_the_unpacked_one_to_the_last_bit(
    kind: gguf.GGMLQuantizationType, rows: int
) -> None:
    weight, blocks = matrix(kind, rows, 96)
    one = made(weight, blocks)
    for column, unit in enumerate(torch.eye(96)):
        assert torch.equal(one.times(unit[None])[0], weight[:, column])
    if rows >= LANES and packed_loops.loops()["Q4_1"].many is not None:
        assert torch.equal(one.times(torch.eye(96)), weight.T)


TOKENS = [1, 2, 3, 4, 5, 16, 17, 33, 64, 100]  # for each loop, and for whole groups and parts of them


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("rows", "width"), [(1, 32), (13, 64), (16, 576), (50, 608), (40, 1536)])
@pytest.mark.parametrize("tokens", TOKENS)
def test_a_product_is_that_of_the_unpacked_weights(
    kind: gguf.GGMLQuantizationType, rows: int, width: int, tokens: int
) -> None:
    weight, blocks = matrix(kind, rows, width)
    one = made(weight, blocks)
    x = torch.randn(tokens, width, generator=torch.Generator().manual_seed(3))
    product = one._out_of_blocks(x)
    if product is None:  # then torch multiplies, with the float32 weights
        few, many = packed_loops.loops()[kind.name]
        assert tokens > len(few)
        assert many is None or rows < LANES
        return
    assert product.shape == (tokens, rows)
    assert (product - x.double() @ weight.double().T).abs().max() < 3e-7 * width


def test_the_numbers_of_a_token_do_not_depend_on_those_beside_it() -> None:
    weight, blocks = matrix(Kind.Q4_1, 48, 1536)
    if packed_loops.loops()["Q4_1"].many is None:
        pytest.skip("this processor multiplies one token at a time")
    one = made(weight, blocks)
    x = torch.randn(70, 1536)
    every = one.times(x)
    for first, last in ((0, 5), (3, 20), (40, 70)):
        assert torch.equal(one.times(x[first:last]), every[first:last])


def test_a_text_that_is_not_contiguous_is_multiplied_as_it_reads() -> None:
    weight, blocks = matrix(Kind.Q8_0, 20, 64)
    x = torch.randn(64, 9)
    torch.testing.assert_close(made(weight, blocks).times(x.T), x.T @ weight.T, atol=1e-4, rtol=0)


def test_very_many_tokens_are_left_to_torch() -> None:
    weight, blocks = matrix(Kind.Q4_1, 16, 32)
    one = PackedMatrix(weight, blocks)
    x = torch.randn(packed._MOST + 1, 32)
    assert torch.equal(one.times(x), nn.functional.linear(x, weight))
    assert not one.is_proved
    assert one.times(x[:0]).shape == (0, 16)


def test_blocks_of_other_weights_are_never_multiplied() -> None:
    weight, blocks = matrix(Kind.Q4_1, 6, 64)
    wrong = blocks.clone()
    wrong[4] = wrong[5]
    x = torch.randn(3, 64)
    one = PackedMatrix(weight, wrong)
    assert torch.equal(one.times(x), nn.functional.linear(x, weight))
    assert torch.equal(one.times(x), nn.functional.linear(x, weight))
    assert not one.is_proved
    for odd in (blocks[:5], blocks[:, :20], blocks.T):
        other = PackedMatrix(weight, odd)
        assert torch.equal(other.times(x), nn.functional.linear(x, weight))


@pytest.mark.parametrize(
    ("machine", "features", "can"),
    [
        ("x86_64", {"avx2": True, "f16c": True, "fma": True}, True),
        ("AMD64", {"avx2": True, "f16c": False, "fma": True}, False),
        ("arm64", {}, True),
        ("riscv64", {}, False),
    ],
)
def test_a_processor_that_would_need_missing_routines_is_left_alone(
    machine: str, features: dict[str, bool], can: bool
) -> None:
    assert packed_loops._is_able(machine.lower(), features) is can


def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: Any, **changes: Any) -> core.Model:
    monkeypatch.setenv("POLYSEE_CACHE", str(tmp_path / "cache"))
    written.write(tmp_path / "m.gguf", written.model(**changes), kind)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", core.ModelNote)
        return core.load(tmp_path / "m.gguf", engine="scratch", name="m")


def _few() -> Sequence[object]:
    return packed_loops.loops()["Q4_1"].few


def multiplied(model: core.Model) -> list[PackedMatrix]:
    """The packed matrices of the network that reads."""
    runner: Any = model._runner
    return [part.matrix for part in runner._reads.modules() if isinstance(part, packed.PackedLinear)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_text_is_written_out_of_the_blocks(
    kind: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seven matrices of each of three layers, queries and keys in their order, and the table."""
    model = small(tmp_path, monkeypatch, kind, tie_word_embeddings=True)
    steps = list(model.generate(TEXT, 6, temperature=0))
    runner: Any = model._runner
    every = [*multiplied(model), runner.packed_table]
    assert len(every) == 22
    assert all(one.is_proved for one in every)
    plain = list(model.generate(TEXT, 6, temperature=0, cache=False))
    for one, other in zip(steps, plain, strict=True):
        assert one.id == other.id
        np.testing.assert_allclose(one.expectation.logits, other.expectation.logits, atol=5e-5)


def test_a_text_is_read_out_of_the_blocks_as_out_of_the_float32_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The very same trace, surprise and next words, within rounding."""
    ours = small(tmp_path, monkeypatch, Kind.Q4_1, tie_word_embeddings=True)
    one = ours.trace(TEXT)
    assert any(each.is_proved for each in multiplied(ours)) or len(_few()) < len(one.tokens)
    monkeypatch.setattr(packed_loops, "loops", dict)
    plain = small(tmp_path, monkeypatch, Kind.Q4_1, tie_word_embeddings=True)
    other = plain.trace(TEXT)
    assert not multiplied(plain)
    assert one.attention is not None
    assert other.attention is not None
    np.testing.assert_allclose(one.attention.weights, other.attention.weights, atol=1e-5)
    for name in ("hidden", "query", "key", "value"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), atol=2e-5)
    for a, b in zip(ours.expects(TEXT), plain.expects(TEXT), strict=True):
        np.testing.assert_allclose(a.logits, b.logits, atol=5e-5)
    np.testing.assert_allclose(ours.score(TEXT).bits, plain.score(TEXT).bits, atol=5e-5)


def test_without_a_compiler_the_float32_weights_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed_loops, "loops", dict)
    model = small(tmp_path, monkeypatch, Kind.Q4_1)
    kept = [one.id for one in model.generate(TEXT, 4, temperature=0)]
    assert kept == [one.id for one in model.generate(TEXT, 4, temperature=0, cache=False)]
    runner: Any = model._runner
    assert runner._reads is runner.decoder


def test_a_network_with_blocks_takes_no_memory_of_its_own() -> None:
    class Two(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner, self.outer = nn.Linear(64, 5), nn.Linear(32, 3)

    net = Two()
    weight, blocks = matrix(Kind.Q4_1, 5, 64)
    net.inner.weight = nn.Parameter(weight, requires_grad=False)
    twin: Any = packed.with_blocks(net, {"inner.weight": blocks})
    x = torch.randn(2, 3, 64)
    assert isinstance(twin.inner, packed.PackedLinear)
    assert not isinstance(net.inner, packed.PackedLinear)
    torch.testing.assert_close(twin.inner(x), net.inner(x))
    assert twin.outer.weight is net.outer.weight
    assert packed.with_blocks(net, {}) is net
