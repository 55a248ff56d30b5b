"""One token is multiplied out of packed blocks, whose weights are the unpacked ones to the last bit."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
import torch
from gguf.quants import dequantize, quantize
from torch import Tensor, nn

import core
from core.pretrained.engines import packed
from core.pretrained.engines.packed import PackedMatrix
from tests.pretrained.files.gguf import written
from tests.pretrained.files.gguf.written import Kind

TEXT = "On the river bank"
KINDS = [Kind.Q4_1, Kind.Q8_0]


@pytest.fixture(autouse=True)
def compiled() -> None:
    if not packed.products():
        pytest.skip("this processor, or its llvmlite, cannot")


def matrix(kind: gguf.GGMLQuantizationType, rows: int, width: int) -> tuple[Tensor, Tensor]:
    """Random weights as they are after packing, and their blocks."""
    drawn = np.random.default_rng(7).normal(size=(rows, width)).astype(np.float32)
    blocks = quantize(drawn, kind)
    return torch.from_numpy(dequantize(blocks, kind).copy()), torch.from_numpy(blocks.copy())


def made(weight: Tensor, blocks: Tensor) -> PackedMatrix:
    """A matrix that has proved itself, so that only its blocks count from here on."""
    one = PackedMatrix(weight.clone(), blocks)
    one.times(torch.randn(weight.shape[1]))
    assert one.is_proved
    one._weight_FD = torch.full_like(weight, torch.nan)
    return one


@pytest.mark.parametrize("kind", KINDS)
def test_each_weight_is_the_unpacked_one_to_the_last_bit(kind: gguf.GGMLQuantizationType) -> None:
    weight, blocks = matrix(kind, 7, 96)
    one = made(weight, blocks)
    for column, unit in enumerate(torch.eye(96)):
        assert torch.equal(one.times(unit), weight[:, column])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("rows", "width"), [(1, 32), (13, 64), (5, 1536)])
def test_a_product_is_that_of_the_unpacked_weights(
    kind: gguf.GGMLQuantizationType, rows: int, width: int
) -> None:
    weight, blocks = matrix(kind, rows, width)
    x = torch.randn(width, generator=torch.Generator().manual_seed(3))
    exact = weight.double() @ x.double()
    assert (made(weight, blocks).times(x) - exact).abs().max() < 3e-7 * width


def test_blocks_of_other_weights_are_never_multiplied() -> None:
    weight, blocks = matrix(Kind.Q4_1, 6, 64)
    wrong = blocks.clone()
    wrong[4] = wrong[5]
    x = torch.randn(64)
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
    assert packed._is_able(machine.lower(), features) is can


def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: Any, **changes: Any) -> core.Model:
    monkeypatch.setenv("POLYSEE_CACHE", str(tmp_path / "cache"))
    written.write(tmp_path / "m.gguf", written.model(**changes), kind)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", core.ModelNote)
        return core.load(tmp_path / "m.gguf", engine="scratch", name="m")


def multiplied(model: core.Model) -> list[PackedMatrix]:
    """The packed matrices of its network for one token."""
    runner: Any = model._runner
    parts = runner._for_one_token.modules()
    return [part._matrix for part in parts if isinstance(part, packed.PackedLinear)]


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


def test_all_else_is_computed_in_float32(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = small(tmp_path, monkeypatch, Kind.Q4_1)
    model.trace("river")
    model.expects("On")
    model.score(TEXT)
    next(model.generate(TEXT, 1, temperature=0))
    assert "_for_one_token" not in vars(model._runner)
    assert "packed_table" not in vars(model._runner)


def test_without_a_compiler_the_float32_weights_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed, "products", dict)
    model = small(tmp_path, monkeypatch, Kind.Q4_1)
    kept = [one.id for one in model.generate(TEXT, 4, temperature=0)]
    assert kept == [one.id for one in model.generate(TEXT, 4, temperature=0, cache=False)]
    runner: Any = model._runner
    assert runner._for_one_token is runner.decoder


def test_a_network_for_one_token_takes_no_memory_of_its_own() -> None:
    class Two(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner, self.outer = nn.Linear(64, 5), nn.Linear(32, 3)

    net = Two()
    weight, blocks = matrix(Kind.Q4_1, 5, 64)
    net.inner.weight = nn.Parameter(weight, requires_grad=False)
    twin: Any = packed.for_one_token(net, {"inner.weight": blocks})
    x = torch.randn(1, 1, 64)
    assert isinstance(twin.inner, packed.PackedLinear)
    assert isinstance(net.inner, nn.Linear)
    torch.testing.assert_close(twin.inner(x), net.inner(x))
    assert twin.outer.weight is net.outer.weight
    assert packed.for_one_token(net, {}) is net
