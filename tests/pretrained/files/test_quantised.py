"""Quantised folders, packed here number by number, give the matrices that the numbers stand for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

import core
from core.pretrained.files.quantised import dequantised
from core.pretrained.files.weight_files import TensorHeader
from tests.pretrained.small_models import TEXT, save

Tensors = dict[str, torch.Tensor]
Packed = tuple[Tensors, np.ndarray]  # what a file holds of a matrix, and the matrix

SIZES: dict[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_attention_heads": 4,
    "head_dim": 8,
}
SIZES |= {"num_key_value_heads": 2, "num_hidden_layers": 1}
GROUP = 16


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory, fill_randomly: Callable[..., None]) -> Path:
    return save(tmp_path_factory.mktemp("plain"), "llama", fill_randomly, "ForCausalLM", **SIZES)


def word(numbers: Any, bits: int) -> int:
    """Small numbers in 32 bits, the first one lowest, as a signed number."""
    made = sum(int(number) << (bits * i) for i, number in enumerate(numbers))
    return made - 2**32 if made >= 2**31 else made


def random_groups(shape: tuple[int, int], top: int, draw: np.random.Generator) -> Any:
    """Numbers (in, out), and zeros and scales (groups, out)."""
    outputs, inputs = shape
    groups = inputs // GROUP
    numbers = draw.integers(0, top + 1, (inputs, outputs))
    zeros = draw.integers(1, top, (groups, outputs))
    scales = (draw.random((groups, outputs)) * 0.1 + 0.01).astype(np.float16)
    return numbers, zeros, scales


def gptq(shape: tuple[int, int], draw: np.random.Generator, bits: int = 4) -> Packed:
    numbers, zeros, scales = random_groups(shape, 2**bits - 1, draw)
    inputs, outputs = numbers.shape
    per = 32 // bits
    of = draw.permutation(np.arange(inputs) // GROUP)  # act-order: groups in any order
    rows = [
        [word(numbers[i : i + per, j], bits) for j in range(outputs)] for i in range(0, inputs, per)
    ]
    kept = [[word(row[j : j + per] - 1, bits) for j in range(0, outputs, per)] for row in zeros]
    made = np.empty(shape, np.float32)
    for i in range(inputs):
        for j in range(outputs):
            made[j, i] = np.float32(scales[of[i], j]) * (numbers[i, j] - zeros[of[i], j])
    tensors = {
        "qweight": torch.tensor(rows, dtype=torch.int32),
        "qzeros": torch.tensor(kept, dtype=torch.int32),
        "scales": torch.from_numpy(scales),
        "g_idx": torch.tensor(of, dtype=torch.int32),
    }
    return tensors, made


def awq(shape: tuple[int, int], draw: np.random.Generator) -> Packed:
    numbers, zeros, scales = random_groups(shape, 15, draw)
    inputs, outputs = numbers.shape
    order = [0, 2, 4, 6, 1, 3, 5, 7]

    def packed(rows: Any) -> torch.Tensor:
        words = [[word([row[j + at] for at in order], 4) for j in range(0, outputs, 8)] for row in rows]
        return torch.tensor(words, dtype=torch.int32)

    made = np.empty(shape, np.float32)
    for i in range(inputs):
        for j in range(outputs):
            at = i // GROUP, j
            made[j, i] = np.float32(scales[at]) * (numbers[i, j] - zeros[at])
    tensors = {"qweight": packed(numbers), "qzeros": packed(zeros), "scales": torch.from_numpy(scales)}
    return tensors, made


def fp8(shape: tuple[int, int], draw: np.random.Generator) -> Packed:
    """In blocks of 24 × 10, which do not divide the matrix."""
    numbers = torch.from_numpy(draw.normal(size=shape).astype(np.float32)).to(torch.float8_e4m3fn)
    blocks = -(-shape[0] // 24), -(-shape[1] // 10)
    scales = draw.random(blocks).astype(np.float32) + 0.1
    made = numbers.float().numpy().copy()
    for i in range(shape[0]):
        for j in range(shape[1]):
            made[i, j] *= scales[i // 24, j // 10]
    return {"weight": numbers, "weight_scale_inv": torch.from_numpy(scales)}, made


def rows_of_fp8(shape: tuple[int, int], draw: np.random.Generator) -> Packed:
    numbers = torch.from_numpy(draw.normal(size=shape).astype(np.float32)).to(torch.float8_e4m3fn)
    scales = torch.from_numpy(draw.random((shape[0], 1)).astype(np.float32) + 0.1)
    return {"weight": numbers, "weight_scale": scales}, (numbers.float() * scales).numpy()


def int8(shape: tuple[int, int], draw: np.random.Generator) -> Packed:
    numbers = draw.integers(-127, 128, shape)
    most = draw.random(shape[0]).astype(np.float32) + 0.2
    made = numbers * (most[:, None].astype(np.float64) / 127)
    tensors = {
        "weight": torch.from_numpy(numbers.astype(np.int8)),
        "SCB": torch.from_numpy(most),
        "weight_format": torch.tensor(0, dtype=torch.uint8),
    }
    return tensors, made.astype(np.float32)


def nf4(shape: tuple[int, int], draw: np.random.Generator, *, nested: bool = False) -> Packed:
    count, size = shape[0] * shape[1], 64
    numbers = draw.integers(0, 16, count)
    values = np.sort(draw.normal(size=16)).astype(np.float32)
    blocks = -(-count // size)
    about: dict[str, Any] = {"quant_type": "nf4", "blocksize": size, "shape": [*shape]}
    about["dtype"] = "float16"
    tensors: Tensors = {}
    if nested:
        coarse = np.sort(draw.normal(size=256)).astype(np.float32)
        codes = draw.integers(0, 256, blocks)
        tops = draw.random(-(-blocks // 8)).astype(np.float32)
        most = np.array([coarse[code] * tops[i // 8] + 0.25 for i, code in enumerate(codes)])
        about |= {"nested_blocksize": 8, "nested_offset": 0.25, "nested_dtype": "float32"}
        tensors["weight.absmax"] = torch.from_numpy(codes.astype(np.uint8))
        tensors["weight.nested_absmax"] = torch.from_numpy(tops)
        tensors["weight.nested_quant_map"] = torch.from_numpy(coarse)
    else:
        most = draw.random(blocks).astype(np.float32)
        tensors["weight.absmax"] = torch.from_numpy(most)
    octets = [16 * numbers[i] + numbers[i + 1] for i in range(0, count, 2)]
    tensors["weight"] = torch.tensor(octets, dtype=torch.uint8)[:, None]
    tensors["weight.quant_map"] = torch.from_numpy(values)
    state = torch.tensor([*json.dumps(about).encode()], dtype=torch.uint8)
    tensors["weight.quant_state.bitsandbytes__nf4"] = state
    made = np.array([values[number] * most[i // size] for i, number in enumerate(numbers)])
    return tensors, made.reshape(shape).astype(np.float32)


METHODS: dict[str, tuple[dict[str, Any], Callable[..., Packed], dict[str, Any]]] = {
    "gptq": ({"quant_method": "gptq", "bits": 4, "group_size": GROUP, "desc_act": True}, gptq, {}),
    "gptq, 8 bits": ({"quant_method": "gptq", "bits": 8, "group_size": GROUP}, gptq, {"bits": 8}),
    "awq": ({"quant_method": "awq", "bits": 4, "group_size": GROUP, "version": "gemm"}, awq, {}),
    "fp8": ({"quant_method": "fp8", "weight_block_size": [24, 10]}, fp8, {}),
    "compressed": (
        {"quant_method": "compressed-tensors", "format": "float-quantized"},
        rows_of_fp8,
        {},
    ),
    "int8": ({"quant_method": "bitsandbytes", "load_in_8bit": True}, int8, {}),
    "nf4": ({"load_in_4bit": True}, nf4, {}),
    "nf4, nested": ({"load_in_4bit": True, "bnb_4bit_use_double_quant": True}, nf4, {"nested": True}),
}


def quantise(plain: Path, into: Path, method: str) -> Tensors:
    """A folder with every matrix of the layers quantised; returns all tensors as they should be."""
    settings, pack, options = METHODS[method]
    draw = np.random.default_rng(7)
    kept, expected = Tensors(), Tensors()
    for key, tensor in load_file(plain / "model.safetensors").items():
        path = key.removesuffix(".weight")
        if "_proj" not in key:
            kept[key] = expected[key] = tensor
            continue
        parts, made = pack(tuple(tensor.shape), draw, **options)
        kept |= {f"{path}.{end}": part.contiguous() for end, part in parts.items()}
        expected[key] = torch.from_numpy(made)
    into.mkdir(exist_ok=True)
    for file in plain.iterdir():
        if file.suffix != ".safetensors":
            (into / file.name).write_bytes(file.read_bytes())
    config = json.loads((plain / "config.json").read_text("utf-8"))
    config["quantization_config"] = settings
    (into / "config.json").write_text(json.dumps(config), "utf-8")
    save_file(kept, into / "model.safetensors", {"format": "pt"})
    return expected


@pytest.mark.parametrize("method", METHODS)
def test_the_matrices_are_what_the_numbers_stand_for(method: str, plain: Path, tmp_path: Path) -> None:
    expected = quantise(plain, tmp_path / "q", method)
    with pytest.warns(core.ModelNote, match="quantised"):
        model = core.load(str(tmp_path / "q"))
    assert model.engine == "scratch"
    (layer,) = model._runner.layers  # type: ignore[attr-defined]
    attention, network = layer.attention, layer.feed_forward
    modules = {"self_attn.q_proj": attention.query, "self_attn.k_proj": attention.key}
    modules |= {"self_attn.o_proj": attention.output, "mlp.down_proj": network.outer}
    for path, module in modules.items():
        wanted = expected[f"model.layers.0.{path}.weight"]
        assert module.weight.shape == wanted.shape
        most = float(wanted.abs().max())
        assert float((module.weight - wanted).abs().max()) <= 1e-6 * most


@pytest.mark.parametrize("method", ["awq", "nf4, nested"])
def test_both_engines_read_them_alike(method: str, plain: Path, tmp_path: Path) -> None:
    quantise(plain, tmp_path / "q", method)
    with pytest.warns(core.ModelNote, match="quantised"):
        ours, theirs = (
            core.load(str(tmp_path / "q"), engine=engine) for engine in ("scratch", "huggingface")
        )
    a, b = ours.trace(TEXT).contextual, theirs.trace(TEXT).contextual
    assert float(np.abs(a - b).max()) <= 1e-5 * float(np.abs(b).max())
    assert ours.predicts == "next"


def changed(folder: Path, **tensors: torch.Tensor) -> None:
    file = folder / "model.safetensors"
    save_file(load_file(file) | tensors, file, {"format": "pt"})


def test_what_is_not_exact_is_refused_and_says_why(plain: Path, tmp_path: Path) -> None:
    folder = tmp_path / "q"
    refused = [
        ("gptq", {"quant_method": "hqq"}, "method “hqq”"),
        ("gptq", METHODS["gptq"][0] | {"bits": 3}, "3 bits"),
        ("awq", METHODS["awq"][0] | {"version": "gemv"}, "version gemv"),
        ("compressed", METHODS["compressed"][0] | {"format": "nvfp4-pack-quantized"}, "nvfp4"),
        ("compressed", METHODS["fp8"][0] | {"weight_block_size": [0, 3]}, "blocks of"),
    ]
    for method, settings, message in refused:
        quantise(plain, folder, method)
        file = folder / "config.json"
        config = json.loads(file.read_text("utf-8")) | {"quantization_config": settings}
        file.write_text(json.dumps(config), "utf-8")
        with pytest.raises(core.NotSupported, match=message):
            core.load(str(folder))


def test_tensors_that_do_not_fit_are_refused(plain: Path, tmp_path: Path) -> None:
    folder, path = tmp_path / "q", "model.layers.0.self_attn.q_proj"
    quantise(plain, folder, "gptq")
    all_ones = load_file(folder / "model.safetensors")[f"{path}.qzeros"] * 0 - 1
    changed(folder, **{f"{path}.qzeros": all_ones})
    with pytest.raises(core.NotSupported, match="two ways"):
        core.load(str(folder))
    quantise(plain, folder, "awq")
    changed(folder, **{f"{path}.scales": torch.ones(5, 7)})
    with pytest.raises(core.ModelBroken, match="do not fit each other"):
        core.load(str(folder))
    quantise(plain, folder, "nf4")
    changed(folder, **{f"{path}.weight": torch.zeros(3, 1, dtype=torch.uint8)})
    with pytest.raises(core.ModelBroken, match="do not fit each other"):
        core.load(str(folder))


HEADERS: dict[str, dict[str, tuple[str, tuple[int, ...]]]] = {
    "gptq": {"qweight": ("I32", (2, 8)), "qzeros": ("I32", (1, 1)), "scales": ("F16", (1, 8))},
    "awq": {"qweight": ("I32", (16, 1)), "qzeros": ("I32", (1, 1)), "scales": ("F16", (1, 8))},
    "compressed": {"weight": ("I8", (8, 16)), "weight_scale": ("F32", (8, 1))},
    "int8": {"weight": ("I8", (8, 16)), "SCB": ("F32", (8,))},
}


def shapes(method: str, settings: dict[str, Any], **other: tuple[str, tuple[int, ...]]) -> Any:
    """The shapes that the headers of one matrix come to, some of them replaced."""
    headers = {
        f"m.{end}": TensorHeader(shape, dtype, Path("x"), f"m.{end}")
        for end, (dtype, shape) in (HEADERS[method] | other).items()
    }
    made, _ = dequantised(headers, METHODS[method][0] | settings, "m")
    return made["m.weight"].shape


@pytest.mark.parametrize(
    ("method", "other"),
    [
        ("gptq", {"qweight": ("I32", (2,))}),
        ("gptq", {"qweight": ("F32", (2, 8))}),
        ("gptq", {"qweight": ("I32", (0, 8))}),
        ("gptq", {"scales": ("F16", ())}),
        ("gptq", {"g_idx": ("I32", ())}),
        ("awq", {"qweight": ("I32", (16,))}),
        ("awq", {"scales": ("F16", ())}),
        ("compressed", {"weight": ("I8", ())}),
        ("int8", {"weight": ("I8", ()), "SCB": ("F32", ())}),
    ],
)
def test_headers_of_other_ranks_are_refused(
    method: str, other: dict[str, tuple[str, tuple[int, ...]]]
) -> None:
    settings = {"format": "int-quantized"} if method == "compressed" else {}
    assert shapes(method, settings) == (8, 16)
    with pytest.raises(core.ModelBroken, match="do not fit each other"):
        shapes(method, settings, **other)


@pytest.mark.parametrize(
    ("method", "settings", "said"),
    [
        ("gptq", {"bits": 4.0}, "4.0 bits"),
        ("gptq", {"group_size": "abc"}, "groups of abc"),
        ("gptq", {"group_size": True}, "groups of True"),
        ("awq", {"bits": 4.0}, "4.0 bits"),
    ],
)
def test_settings_that_are_no_whole_numbers_are_refused(
    method: str, settings: dict[str, Any], said: str
) -> None:
    assert shapes(method, {}) == (8, 16)
    with pytest.raises(core.NotSupported, match=said):
        shapes(method, settings)
