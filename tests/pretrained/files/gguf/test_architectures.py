"""Every architecture and every packing: a GGUF file gives the numbers of its unpacked weights.

The files are written with the names that llama.cpp's own package has for the tensors of each model.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
import torch
from gguf.quants import dequantize, quantize

import core
from core.pretrained.files.gguf import unpacked
from core.pretrained.files.gguf.architectures import ARCHITECTURES
from tests.pretrained.files.gguf import written
from tests.pretrained.files.gguf.written import Kind

TEXT = "On the river bank 12  34, the bank's riverbank"
SIZES: dict[str, Any] = {
    "hidden_size": 96,
    "intermediate_size": 64,
    "num_hidden_layers": 3,
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "max_position_embeddings": 64,
    "rms_norm_eps": 1e-5,
    "pad_token_id": None,
}
ROPE = {"rope_type": "default", "rope_theta": 500.0}
IN_PART = ROPE | {"partial_rotary_factor": 0.25}
HEADS = {"head_dim": 32}
LLAMA3 = {"rope_type": "llama3", "rope_theta": 5e5, "factor": 32.0, "low_freq_factor": 1.0} | {
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
GEMMA3 = {
    "full_attention": {"rope_type": "linear", "rope_theta": 1e6, "factor": 8.0},
    "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
}
SMALL = {"n_embd": 96, "n_layer": 3, "n_head": 6, "n_positions": 64}
NEOX = {"rope_parameters": ROPE | {"partial_rotary_factor": 0.25}, "layer_norm_eps": 1e-4}
FALCON = {"rope_parameters": ROPE, "ffn_hidden_size": 128, "layer_norm_epsilon": 1e-4}
FALCON |= {"tie_word_embeddings": False}
# name -> (architecture, class, settings)
FAMILIES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "llama 3": ("llama", "Llama", HEADS | {"rope_parameters": LLAMA3}),
    "llama, linear": (
        "llama",
        "Llama",
        {"rope_parameters": {"rope_type": "linear", "rope_theta": 500.0, "factor": 2.5}},
    ),
    "smollm3": ("smollm3", "SmolLM3", {"num_hidden_layers": 5, "rope_parameters": ROPE}),
    "qwen2": ("qwen2", "Qwen2", {"rope_parameters": ROPE}),
    "qwen3": ("qwen3", "Qwen3", HEADS | {"rope_parameters": ROPE, "tie_word_embeddings": True}),
    "olmo2": ("olmo2", "Olmo2", {"rope_parameters": ROPE}),
    "gemma": ("gemma", "Gemma", HEADS | {"rope_parameters": ROPE}),
    "gemma2": (
        "gemma2",
        "Gemma2",
        HEADS
        | {"rope_parameters": ROPE, "sliding_window": 4, "query_pre_attn_scalar": 32}
        | {"attn_logit_softcapping": 2.0, "final_logit_softcapping": 3.0},
    ),
    "gemma3": (
        "gemma3",
        "Gemma3Text",
        HEADS
        | {"num_hidden_layers": 6, "rope_parameters": GEMMA3, "sliding_window": 4}
        | {"query_pre_attn_scalar": 32},
    ),
    "phi3": ("phi3", "Phi3", {"rope_parameters": ROPE, "sliding_window": 5}),
    "phi3, in part": (
        "phi3",
        "Phi3",
        {"rope_parameters": ROPE | {"partial_rotary_factor": 0.75}},
    ),
    "gpt2": ("gpt2", "GPT2", SMALL | {"layer_norm_epsilon": 1e-4}),
    "gptj": ("gptj", "GPTJ", SMALL | {"rotary_dim": 4, "tie_word_embeddings": False}),
    "gptneox": ("gptneox", "GPTNeoX", NEOX),
    "gptneox, one after the other": ("gptneox", "GPTNeoX", NEOX | {"use_parallel_residual": False}),
    "falcon, one key": ("falcon", "Falcon", FALCON | {"new_decoder_architecture": False}),
    "falcon, two norms": (
        "falcon",
        "Falcon",
        FALCON | {"new_decoder_architecture": True, "num_kv_heads": 2},
    ),
    "starcoder2": ("starcoder2", "Starcoder2", {"rope_parameters": ROPE, "sliding_window": None}),
    "stablelm": ("stablelm", "StableLm", {"rope_parameters": IN_PART, "use_qkv_bias": True}),
    "stablelm, parallel": (
        "stablelm",
        "StableLm",
        {"rope_parameters": IN_PART, "use_parallel_residual": True},
    ),
    "phi2": ("phi2", "Phi", {"rope_parameters": IN_PART}),
    "bloom": ("bloom", "Bloom", {"n_layer": 3, "n_head": 6, "seq_length": 64}),
}


def vocabulary() -> tuple[list[str], list[str]]:
    """With the token that the tokenizer of Qwen2 adds where it is not there."""
    tokens, merges = written.vocabulary()
    return [*tokens, "<|endoftext|>"], merges


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEE_CACHE", str(tmp_path / "cache"))


def random_model(family: str, settings: dict[str, Any], size: int = 0) -> Any:
    import transformers

    torch.manual_seed(0)
    config = getattr(transformers, f"{family}Config")(
        attn_implementation="eager",
        vocab_size=size or len(vocabulary()[0]),
        **({"bos_token_id": 1, "eos_token_id": 0} | SIZES | settings),
    )
    made = transformers.AutoModelForCausalLM.from_config(config).eval()
    for tensor in made.parameters():
        torch.nn.init.normal_(tensor, std=0.2)
    return made


def described(writer: Any, architecture: str, config: Any) -> None:
    """The settings as llama.cpp's converter writes them."""
    writer.add_block_count(config.num_hidden_layers)
    writer.add_embedding_length(config.hidden_size)
    writer.add_head_count(config.num_attention_heads)
    if architecture in OLDER:
        described_as_before(writer, architecture, config)
        return
    d_head = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    rope = config.rope_parameters
    rope = rope.get("full_attention", rope)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_key_length(d_head)
    writer.add_value_length(d_head)
    writer.add_rope_freq_base(rope["rope_theta"])
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    if architecture in ("llama", "phi3"):
        writer.add_rope_dimension_count(int(d_head * rope.get("partial_rotary_factor", 1)))
    if rope["rope_type"] == "linear":
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(rope["factor"])
    if architecture in ("gemma2", "gemma3", "phi3") and config.sliding_window:
        writer.add_sliding_window(config.sliding_window)
    if architecture == "gemma2":
        writer.add_attn_logit_softcapping(config.attn_logit_softcapping)
        writer.add_final_logit_softcapping(config.final_logit_softcapping)


LAYER_NORM = ("starcoder2", "stablelm", "phi2")
OLDER = ("gpt2", "gptj", "gptneox", "falcon", "bloom", *LAYER_NORM)


def described_as_before(writer: Any, architecture: str, config: Any) -> None:
    """The settings of families without RMSNorm."""
    width = getattr(config, "ffn_hidden_size", 4 * config.hidden_size)
    given = architecture in ("gptneox", *LAYER_NORM)
    writer.add_feed_forward_length(config.intermediate_size if given else width)
    writer.add_context_length(getattr(config, "max_position_embeddings", 64))
    names = ("layer_norm_eps", "layer_norm_epsilon", "norm_epsilon")
    eps = next(found for name in names if (found := getattr(config, name, None)))
    writer.add_layer_norm_eps(eps)
    if architecture == "gptneox":
        share = config.rope_parameters["partial_rotary_factor"]
        d_head = config.hidden_size // config.num_attention_heads
        writer.add_rope_dimension_count(int(share * d_head))
        writer.add_parallel_residual(config.use_parallel_residual)
    if architecture == "gptj":
        writer.add_rope_dimension_count(config.rotary_dim)
    if architecture in LAYER_NORM:
        writer.add_head_count_kv(config.num_key_value_heads)
    if architecture in ("stablelm", "phi2"):
        share = config.rope_parameters["partial_rotary_factor"]
        writer.add_rope_dimension_count(int(share * config.hidden_size // config.num_attention_heads))
    if architecture in ("gptneox", "falcon", *LAYER_NORM):
        writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
    if architecture == "falcon":
        writer.add_head_count_kv(kv_heads(config))


def kv_heads(config: Any) -> int:
    """The number of heads of keys and values."""
    if config.model_type == "falcon":
        return config.num_kv_heads if config.new_decoder_architecture else 1
    older = config.model_type in ("gpt2", "gptj", "gpt_neox", "bloom")
    return config.num_attention_heads if older else config.num_key_value_heads


def all_queries_first(rows: np.ndarray, config: Any) -> np.ndarray:
    """The rows of fused queries, keys and values as the converter orders them, one by one."""
    n_kv, d_head = kv_heads(config), config.hidden_size // config.num_attention_heads
    shared = config.num_attention_heads // n_kv
    order: list[list[int]] = [[], [], []]
    row = 0
    for _ in range(n_kv):
        for which in [0] * shared + [1, 2]:
            order[which] += range(row, row + d_head)
            row += d_head
    return rows[np.concatenate(order)]


def slower(config: Any) -> np.ndarray:
    """The table of Llama 3's rotations, as the converter computes it."""
    rope, d_head = config.rope_parameters, config.head_dim
    factors = []
    for exponent in range(0, d_head, 2):
        wave = 2 * np.pi * rope["rope_theta"] ** (exponent / d_head)
        turns = rope["original_max_position_embeddings"] / wave
        low, high = rope["low_freq_factor"], rope["high_freq_factor"]
        if turns > high:
            factors.append(1.0)
        elif turns < low:
            factors.append(rope["factor"])
        else:
            share = (turns - low) / (high - low)
            factors.append(1 / ((1 - share) / rope["factor"] + share))
    return np.array(factors, np.float32)


def write(
    file: Path,
    architecture: str,
    made: Any,
    kind: Kind = Kind.F32,
    *,
    split: int = 0,
    scored: bool = False,
) -> dict[str, torch.Tensor]:
    """Write a model, and return its weights as they are after packing."""
    config = made.config
    writer = gguf.GGUFWriter(file, architecture, split_max_tensors=split)
    described(writer, architecture, config)
    if scored:
        with_scores(writer, config.vocab_size)
    else:
        listed, merges = vocabulary()
        writer.add_tokenizer_model("gpt2")
        writer.add_tokenizer_pre("smollm")
        writer.add_token_list(listed)
        writer.add_token_types([3 if one.startswith("<|") else 1 for one in listed])
        writer.add_token_merges(merges)
        writer.add_bos_token_id(1)
        writer.add_eos_token_id(0)
    kinds = {name: number for number, name in gguf.MODEL_ARCH_NAMES.items()}
    names = gguf.get_tensor_name_map(kinds[architecture], config.num_hidden_layers)
    heads = {"q_proj": config.num_attention_heads, "k_proj": kv_heads(config)}
    packed: dict[str, torch.Tensor] = {}
    for name, tensor in made.state_dict().items():
        if name == "lm_head.weight" and config.tie_word_embeddings:
            continue
        # The converter of Bloom takes this away before it looks.
        known = name.removeprefix("transformer.") if architecture == "bloom" else name
        theirs = names.get_name(known, try_suffixes=(".weight", ".bias"))
        assert theirs is not None
        rows = tensor.numpy()
        transposed = architecture == "gpt2" and ".h." in name and rows.ndim == 2
        rows = np.ascontiguousarray(rows.T) if transposed else rows
        fused = architecture in ("gptneox", "falcon", "bloom") and "query_key_value" in name
        rows = all_queries_first(rows, config) if fused else rows
        of_heads = next((n for part, n in heads.items() if f".{part}." in name), None)
        turned = of_heads if architecture in ("llama", "smollm3") else None
        if turned:
            rows = written.permuted(rows, turned)
        one = 1.0 if architecture.startswith("gemma") and name.endswith("norm.weight") else 0.0
        own = kind if rows.ndim > 1 else Kind.F32
        raw, back = of_kind(rows + np.float32(one), own)
        writer.add_tensor(theirs, raw, raw_dtype=own)
        back = back - np.float32(one)
        if turned:
            back = back[np.argsort(written.permuted(np.arange(len(rows)), turned))]
        if fused:
            back = back[np.argsort(all_queries_first(np.arange(len(rows)), config))]
        back = back.T if transposed else back
        packed[name] = torch.from_numpy(np.array(back, np.float32))
    if (getattr(config, "rope_parameters", None) or {}).get("rope_type") == "llama3":
        writer.add_tensor("rope_freqs.weight", slower(config))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return packed


SCORED = ["<unk>", "<s>", "</s>", *(f"<0x{i:02X}>" for i in range(256))]
PIECES = [
    "▁",
    *"abeinrtvkhsO1,",
    "▁b",
    "an",
    "ank",
    "bank",
    "▁bank",
    "th",
    "the",
    "▁the",
    "ri",
    "er",
    "ver",
]
PIECES += ["▁▁", "river", "▁river", "e,"]


def with_scores(writer: Any, size: int) -> None:
    """Pieces with scores, and fillers up to the size of the model's table."""
    tokens = [*SCORED, *PIECES]
    tokens += [f"filler{i}" for i in range(size - len(tokens))]
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([-float(i) for i in range(len(tokens))])
    writer.add_token_types([2, 3, 3, *(6 if one in SCORED else 1 for one in tokens[3:])])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)


@functools.cache  # to unpack so many takes a second or two, and a model has sixteen matrices
def small_blocks(kind: Kind) -> np.ndarray:
    """Blocks by chance whose numbers are as small as weights, (count, bytes)."""
    draw = np.random.default_rng(0)
    blocks = draw.integers(0, 256, (40_000, gguf.GGML_QUANT_SIZES[kind][1]), dtype=np.uint8)
    # A scale is a number in half precision; its place in the block differs from kind to kind.
    with np.errstate(all="ignore"):
        largest = np.abs(dequantize(blocks, kind)).reshape(len(blocks), -1).max(-1)
    good = blocks[(largest < 1) & (largest > 0.1)]
    assert len(good) > 20, kind
    return good


def of_kind(rows: np.ndarray, kind: Kind) -> tuple[np.ndarray, np.ndarray]:
    """The packed rows and the numbers that they then stand for.

    Where the package has no packer, blocks by chance whose numbers are as small as weights.
    """
    try:
        raw = quantize(rows, kind)
    except NotImplementedError:
        good = small_blocks(kind)
        shape = (len(rows), rows.shape[1] // gguf.GGML_QUANT_SIZES[kind][0])
        raw = good[np.random.default_rng(1).integers(0, len(good), shape)].reshape(len(rows), -1)
    return raw, dequantize(raw, kind)


def loaded(file: Path, **options: Any) -> core.Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", core.ModelNote)
        return core.load(file, name="m", **options)


def agrees(model: core.Model, made: Any) -> None:
    trace = model.trace(TEXT)
    tokens, _ = vocabulary()
    ids_BL = torch.tensor([[tokens.index(token) for token in trace.tokens]])
    with torch.no_grad():
        want = made(ids_BL, output_hidden_states=True, output_attentions=True)
    assert trace.final is not None
    assert trace.attention is not None
    most = max(1.0, float(want.hidden_states[-1].abs().max()))
    np.testing.assert_allclose(trace.final, want.hidden_states[-1][0], rtol=0, atol=1e-5 * most)
    np.testing.assert_allclose(trace.attention.weights, torch.cat(want.attentions), atol=1e-5)
    (expected,) = model.expects(TEXT)
    np.testing.assert_allclose(expected.logits, want.logits[0, -1], rtol=0, atol=1e-4)


def test_each_architecture_is_tried() -> None:
    assert {architecture for architecture, _, _ in FAMILIES.values()} == {*ARCHITECTURES}


@pytest.mark.few(6)
@pytest.mark.parametrize(
    "name",
    [name if name == "gemma2" else pytest.param(name, marks=pytest.mark.check) for name in FAMILIES],
)
def test_a_file_is_the_model(name: str, tmp_path: Path) -> None:
    architecture, family, settings = FAMILIES[name]
    made = random_model(family, settings)
    made.load_state_dict(write(tmp_path / "m.gguf", architecture, made), strict=False)
    model = loaded(tmp_path / "m.gguf")
    assert model.engine == "scratch"
    agrees(model, made)


@pytest.mark.check
@pytest.mark.parametrize("name", ["bloom", "llama, linear", "gemma2"])
def test_the_weights_are_those_that_transformers_reads(name: str, tmp_path: Path) -> None:
    """Its own reader of GGUF, where it has one for the family: in each packing the same numbers."""
    from transformers import AutoModelForCausalLM

    architecture, family, settings = FAMILIES[name]
    made = random_model(family, settings)
    write(tmp_path / "m.gguf", architecture, made, Kind.Q8_0)
    theirs = AutoModelForCausalLM.from_pretrained(tmp_path, gguf_file="m.gguf", dtype="float32")
    ours = AutoModelForCausalLM.from_pretrained(unpacked(tmp_path / "m.gguf", "m").folder)
    mine = dict(ours.named_parameters())
    for key, tensor in theirs.named_parameters():
        assert torch.equal(mine.pop(key), tensor), key
    assert not mine


# Q8_1 and Q8_K are for what is computed on the way; the package names Q1_0 and does not unpack it.
NOT_IN_FILES = ("F64", "Q8_1", "Q8_K", "Q1_0")
KINDS = [
    kind
    for kind in Kind
    if kind.name.startswith(("F", "BF", "Q", "IQ")) and kind.name not in NOT_IN_FILES
]


@pytest.mark.few(6)
@pytest.mark.check
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_each_packing(kind: Kind, tmp_path: Path) -> None:
    wide = {"hidden_size": 256, "intermediate_size": 256, "num_hidden_layers": 2}
    made = random_model("Qwen2", wide | {"num_attention_heads": 4, "rope_parameters": ROPE})
    with torch.no_grad():
        made.load_state_dict(write(tmp_path / "m.gguf", "qwen2", made, kind))
    assert unpacked(tmp_path / "m.gguf", "m").packing == kind.name
    agrees(loaded(tmp_path / "m.gguf"), made)


def parts_of(folder: Path) -> list[Path]:
    return sorted(folder.glob("m-*.gguf"))


def test_a_model_in_several_files(tmp_path: Path) -> None:
    made = random_model("Qwen2", {"rope_parameters": ROPE, "num_hidden_layers": 2})
    write(tmp_path / "m.gguf", "qwen2", made, split=9)
    first, *rest = parts_of(tmp_path)
    assert len(rest) > 1
    agrees(loaded(tmp_path), made)
    assert unpacked(rest[0], "m").folder == unpacked(first, "m").folder


def broken(tmp_path: Path) -> Iterator[tuple[str, str]]:
    first, second, *_ = parts_of(tmp_path)
    whole = second.read_bytes()
    second.unlink()
    yield "missing", "is not among them"
    second.write_bytes(first.read_bytes())
    yield "the first one twice", "not the parts of one model"
    second.write_bytes(whole)
    yield "", ""


def test_parts_that_do_not_fit_are_said(tmp_path: Path) -> None:
    made = random_model("Qwen2", {"rope_parameters": ROPE, "num_hidden_layers": 2})
    write(tmp_path / "m.gguf", "qwen2", made, split=9)
    first = parts_of(tmp_path)[0]
    for what, said in broken(tmp_path):
        if not said:
            assert unpacked(first, "m").packing == "F32"
            return
        with pytest.raises(core.ModelBroken, match=said):
            unpacked(first, "m")
        assert what


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("qwen2.rope.scaling.type", "yarn", "scales the angles"),
        ("qwen2.rope.scaling.attn_factor", 2.0, "scales the angles"),
        ("qwen2.rope.dimension_count", 8, "only a part of each head"),
        ("qwen2.expert_count", 4, "mixture of experts"),
    ],
)
def test_what_is_not_read_is_said(key: str, value: Any, said: str) -> None:
    from core.pretrained.files.gguf import config

    fields = {
        "general.architecture": "qwen2",
        **{f"qwen2.{name}": 6 for name in ("attention.head_count", "embedding_length", "block_count")},
        "qwen2.embedding_length": 96,
        **{f"qwen2.{name}": 64 for name in ("feed_forward_length", "context_length")},
        "qwen2.attention.layer_norm_rms_epsilon": 1e-5,
    }
    assert config.of(fields, {})["hidden_size"] == 96
    with pytest.raises(config.Unknown, match=said):
        config.of(fields | {key: value}, {})


@pytest.mark.parametrize(
    ("architecture", "more", "there", "said"),
    [
        ("falcon", {"attention.head_count_kv": 2}, (), "second generation"),
        ("bloom", {"feed_forward_length": 99}, (), "four times as wide"),
        ("gptj", {"rope.dimension_count": 8}, (), "no bias at its head"),
        ("phi2", {}, (), "no bias at its head"),
        ("gptneox", {"use_parallel_residual": 1}, (), "blocks are parallel"),
        ("falcon", {"attention.head_count_kv": 4}, ("blk.0.attn_norm_2.weight",), "unevenly"),
    ],
)
def test_what_is_not_read_of_older_families_is_said(
    architecture: str, more: dict[str, Any], there: tuple[str, ...], said: str
) -> None:
    from core.pretrained.files.gguf import config

    fields = {"embedding_length": 96, "block_count": 2, "attention.head_count": 6} | {
        "context_length": 64,
        "feed_forward_length": 384,
        "attention.layer_norm_epsilon": 1e-5,
    }
    named = {f"{architecture}.{key}": value for key, value in (fields | more).items()}
    with pytest.raises(config.Unknown, match=said):
        config.of(named | {"general.architecture": architecture}, dict.fromkeys(there, (96,)))


@pytest.mark.parametrize(
    ("architecture", "tensor", "rows"),
    [("llama", "attn_q", 12), ("llama", "attn_k", 6), ("gptneox", "attn_qkv", 25)],
)
def test_rows_that_the_heads_do_not_divide_are_refused(
    architecture: str, tensor: str, rows: int
) -> None:
    from core.pretrained.files.gguf import config, tensors
    from core.pretrained.files.gguf.architectures import ARCHITECTURES

    own = ARCHITECTURES[architecture]
    place = tensors.placed(f"blk.0.{tensor}.weight", own)
    heads = (8, 4) if own.permuted else (8, 8)
    tensors._in_order(np.zeros((48, 2), np.float32), place, heads, own)
    with pytest.raises(config.Unknown, match="do not fit its heads"):
        tensors._in_order(np.zeros((rows, 2), np.float32), place, heads, own)


def test_a_table_of_rotations_is_read_only_if_it_is_llama_3_s() -> None:
    from core.pretrained.files.gguf import config

    fields = {
        "general.architecture": "llama",
        **{f"llama.{name}": 3 for name in ("attention.head_count", "block_count")},
        **{f"llama.{name}": 96 for name in ("feed_forward_length", "context_length")},
        "llama.embedding_length": 96,
        "llama.rope.freq_base": 5e5,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
    }
    table = slower(random_model("Llama", HEADS | {"rope_parameters": LLAMA3}).config)
    assert config.of(fields, {}, table)["rope_parameters"]["factor"] == 32
    for other in (table * 1.01, table[:-1], np.linspace(1, 32, len(table))):
        with pytest.raises(config.Unknown, match="not Llama 3"):
            config.of(fields, {}, other)


NASTY = [
    TEXT,
    "a  1234567 ,,it's IT'S\r\n\n  the",
    "ﬁsh 🎣 ١٢٣٤ e\u0301 é",
    "the<|endoftext|>the",
    "  bank\t",
]


def rebuilt(cut: str | None, architecture: str = "llama") -> Any:
    from core.pretrained.files.gguf import tokenizer

    tokens, merges = vocabulary()
    made, _ = tokenizer.of(
        ({} if cut is None else {"tokenizer.ggml.pre": cut})
        | {
            "general.architecture": architecture,
            "tokenizer.ggml.model": "gpt2",
            "tokenizer.ggml.tokens": tokens,
            "tokenizer.ggml.merges": merges,
            "tokenizer.ggml.token_type": [3 if one.startswith("<|") else 1 for one in tokens],
        }
    )
    return made


def test_qwen_s_tokenizer_is_the_one_of_transformers() -> None:
    from transformers import Qwen2Tokenizer

    tokens, merges = vocabulary()
    theirs = Qwen2Tokenizer(
        vocab={token: i for i, token in enumerate(tokens)},
        merges=[(a, b) for a, b in (one.split() for one in merges)],
    )
    made = rebuilt("qwen2")
    for text in NASTY:
        assert made.encode(text).ids == theirs(text)["input_ids"], text


def spelled(pieces: list[str]) -> list[str]:
    """Pieces of letters that stand for bytes, as the text that they were."""
    from transformers.convert_slow_tokenizer import bytes_to_unicode

    back = {letter: byte for byte, letter in bytes_to_unicode().items()}
    return [bytes(back[letter] for letter in piece).decode() for piece in pieces]


@pytest.mark.parametrize(
    ("architecture", "text", "pieces"),
    [
        # What the patterns of llama.cpp say of each text, by hand (`llama-vocab.cpp`).
        ("falcon", "it's 1234 a--b", ["it", "'", "s", " ", "123", "4", " a", "--", "b"]),
        ("bloom", "it's 1234, a--b", ["it's", " 1234", ",", " a--b"]),
        ("gptneox", "it's 1234, a--b", ["it", "'s", " 1234", ",", " a", "--", "b"]),
        ("gpt2", "it's 1234, a--b", ["it", "'s", " 1234", ",", " a", "--", "b"]),
    ],
)
def test_a_file_without_a_name_for_it_is_cut_as_its_family(
    architecture: str, text: str, pieces: list[str]
) -> None:
    made = rebuilt(None, architecture)
    cut = [piece for piece, _ in made.pre_tokenizer.pre_tokenize_str(text)]
    assert spelled(cut) == pieces
    # GPT-NeoX alone joins letters and their accents first.
    assert (made.normalizer is not None) == (architecture == "gptneox")


def test_the_tokenizer_of_pythia_is_the_one_of_transformers() -> None:
    from transformers import GPTNeoXTokenizer

    tokens, merges = vocabulary()
    theirs = GPTNeoXTokenizer(
        vocab={token: i for i, token in enumerate(tokens)},
        merges=[(a, b) for a, b in (one.split() for one in merges)],
    )
    for cut in ("olmo", "mpt"):
        made = rebuilt(cut)
        for text in NASTY:
            assert made.encode(text).ids == theirs(text)["input_ids"], text


def test_llama_3_cuts_words_as_the_converter_of_transformers_does() -> None:
    import inspect

    from tokenizers import Regex, pre_tokenizers
    from transformers.convert_slow_tokenizer import TikTokenConverter

    pattern = inspect.signature(TikTokenConverter.__init__).parameters["pattern"].default
    theirs = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(pattern), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    made = rebuilt("llama-bpe")
    for text in NASTY:
        assert made.pre_tokenizer.pre_tokenize_str(text) == theirs.pre_tokenize_str(text), text
    assert made.model.ignore_merges


@pytest.mark.parametrize("architecture", ["phi3", "gemma2"])
def test_pieces_with_scores_are_joined_as_in_transformers(architecture: str) -> None:
    from transformers.integrations.gguf import gguf_tokenizer_mapping

    from core.pretrained.files.gguf import tokenizer

    tokens = [*SCORED, *PIECES]
    if architecture == "gemma2":
        tokens[tokens.index("▁▁")] = "  "
    draw = np.random.default_rng(0).permutation(len(tokens))
    scores = [-float(one) for one in (draw if architecture == "phi3" else range(len(tokens)))]
    kinds = [2, 3, 3, *(6 for _ in range(256)), *(1 for _ in PIECES)]
    made, settings = tokenizer.of(
        {
            "general.architecture": architecture,
            "tokenizer.ggml.model": "llama",
            "tokenizer.ggml.tokens": tokens,
            "tokenizer.ggml.scores": scores,
            "tokenizer.ggml.token_type": kinds,
            "tokenizer.ggml.unknown_token_id": 0,
            "tokenizer.ggml.bos_token_id": 1,
            "tokenizer.ggml.add_space_prefix": architecture == "phi3",
        }
    )
    theirs, _ = gguf_tokenizer_mapping.convert_gguf_tokenizer(
        architecture,
        {"tokens": tokens, "scores": scores, "token_type": kinds, "tokenizer_type": "llama"},
    )
    for text in ("the river bank", "  the bank,the 11", "é 🎣 bankriver", "O", "a   b"):
        mine = made.encode(text, add_special_tokens=False)
        assert mine.ids == theirs.encode(text, add_special_tokens=False).ids, text
        assert made.decode(mine.ids).strip() == text.strip()
    assert made.encode("the").tokens[0] == "<s>"
    assert settings["bos_token"] == "<s>"


@pytest.mark.check
@pytest.mark.parametrize("name", ["llama, linear", "phi3", "gemma"])
def test_a_model_with_such_pieces_reads_a_text_so(name: str, tmp_path: Path) -> None:
    architecture, family, settings = FAMILIES[name]
    made = random_model(family, settings | {"bos_token_id": 1}, size=len(SCORED) + len(PIECES) + 3)
    write(tmp_path / "m.gguf", architecture, made, scored=True)
    tokens = loaded(tmp_path / "m.gguf").read("the river bank é").tokens
    assert tokens[:4] == ("<s>", "▁the", "▁river", "▁bank")
    assert tokens[-2:] == ("<0xC3>", "<0xA9>")
