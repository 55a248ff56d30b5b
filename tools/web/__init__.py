"""`make web`: build what a browser needs to run a model itself into build/web (see `core.web`).

MiniLM's graph is `core.transformer` with MiniLM's weights, exported by torch. It holds no weights: each
one is named by its place in the model package's own safetensors file. A linear layer multiplies by the
transpose of its stored weight, and the graph says so with a Transpose; the run-time does that once,
when it loads the model. `requirements-dev.txt` pins the exporter; the run-time comes from npm. The
graphs of SmolLM2 are written by `decoder_graph`, that of MiniLM's adjoint by `encoder_graph`.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import shutil
import unicodedata
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import safe_open
from safetensors.numpy import save
from torch import Tensor, nn

import core
from core import settings
from core.language.lens import FittedLens
from core.pretrained.files import tensor_names
from core.settings import Packed
from core.transformer import Encoder
from core.web import built
from tools import node
from tools.web import decoder_graph, encoder_graph

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "build" / "web"
RUNTIME = ROOT / "tools" / "onnxruntime_web"  # what npm installs, in the version of its lock file
PIECE = 4 * 2**20  # bytes of a large file that are checked and stored by themselves
# The gigabytes of a device, as browsers round them, below which a model is not offered: MiniLM takes
# .3 of a tab, SmolLM2 one.
LEAST_MEMORY = {built.MODEL: 1, built.LANGUAGE_MODEL: 2}
MOST_TOKENS = 512  # of a text for SmolLM2 in a tab
# Of SmolLM2's 30 layers, in one session: with more, a tab holds more at its height; with fewer, the
# calls take a sixth of a token's time.
LAYERS_AT_ONCE = 3

# Of a fitted lens, what the browser gets.
_MAPS = ("scale", "mean", "offset", "strength", "down", "up")
_LOSSES = ("plain", "fitted", "plain_same", "fitted_same")
OUTPUTS = ("learned", "hidden", "q", "k", "most", "at")


class Steps(nn.Module):
    """Our encoder of one text; it returns what the pictures are made of.

    Outputs, for n tokens: `learned` (n, d_model); `hidden` (layers + 1, n, d_model), the input of the
    first layer and each layer's output; `q` and `k` (layers, heads, n, d_head); and of each row of
    attention weights its largest, `most`, and the key that has it, `at` (layers, heads, n).

    From these two follows the log of the row's sum of e^score, without the rounding of a large
    score in float32: score(at) − log(most), where the score is computed in float64.
    """

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, ids_BL: Tensor) -> tuple[Tensor, ...]:
        """One text, (1, n)."""
        out = self.encoder(ids_BL)
        attention = [layer.attention for layer in out.layers]
        return (
            out.learned_BLD[0],
            torch.cat([out.embedded_BLD, *(layer.output_BLD for layer in out.layers)]),
            torch.cat([one.query_BHLK for one in attention]),
            torch.cat([one.key_BHMK for one in attention]),
            torch.cat([one.weights_BHLM.amax(-1) for one in attention]),
            torch.cat([one.weights_BHLM.argmax(-1) for one in attention]),
        )


def graph(encoder: Encoder, weights: Path) -> bytes:
    """The ONNX graph, whose weights are at their places in the safetensors file `weights`."""
    places = _places(weights)
    ours = {name: tuple(tensor.shape) for name, tensor in encoder.state_dict().items()}
    shapes = {name: shape for name, (_, _, shape) in places.items()}
    source = tensor_names.fit(tensor_names.ours(encoder.config), shapes, ours, built.MODEL)
    # Unoptimized, the graph has each parameter under its own name; the run-time optimizes it.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logging.getLogger("torch.onnx").setLevel(logging.ERROR)
        program = torch.onnx.export(
            Steps(encoder).eval(),
            (torch.full((1, 16), 1037),),
            None,
            input_names=["ids"],
            output_names=list(OUTPUTS),
            dynamo=True,
            dynamic_shapes={"ids_BL": {1: torch.export.Dim("n", min=2, max=512)}},
            optimize=False,
            verbose=False,
        )
    assert program is not None
    model: Any = program.model_proto
    for tensor in model.graph.initializer:
        name = tensor.name.removeprefix("encoder.")
        start, end, _ = places[source[name]]
        tensor.ClearField("raw_data")
        tensor.data_location = tensor.EXTERNAL
        for key, value in (("location", built.WEIGHTS), ("offset", start), ("length", end - start)):
            entry = tensor.external_data.add()
            entry.key, entry.value = key, str(value)
    # What the exporter notes about where in our code each node comes from is ten times the graph.
    for part in (*model.graph.node, *model.graph.initializer, *model.graph.input, *model.graph.output):
        part.ClearField("metadata_props")
        part.ClearField("doc_string")
    for part in (model, model.graph):
        part.ClearField("metadata_props")
        part.ClearField("doc_string")
    model.graph.ClearField("value_info")
    _exact_norms(model.graph)
    _sums_in_parts(model.graph)
    serialized: bytes = model.SerializeToString(deterministic=True)
    return serialized


def _exact_norms(graph: Any) -> None:
    """Compute each layer norm as its formula says.

    The run-time's own takes the variance as E[x²] − E[x]², whose rounding doubles the difference from
    torch.
    """
    from onnx import helper

    make, nodes = helper.make_node, []
    graph.initializer.append(helper.make_tensor("last_axis", 7, [1], [-1]))
    for node_ in graph.node:
        if node_.op_type != "LayerNormalization":
            nodes.append(node_)
            continue
        (x, weight, bias), (out,) = node_.input, node_.output
        eps = next(one.f for one in node_.attribute if one.name == "epsilon")
        graph.initializer.append(helper.make_tensor(f"{out}.eps", 1, [], [eps]))
        nodes += [
            make("ReduceMean", [x, "last_axis"], [f"{out}.mean"], keepdims=1),
            make("Sub", [x, f"{out}.mean"], [f"{out}.centred"]),
            make("Mul", [f"{out}.centred", f"{out}.centred"], [f"{out}.squared"]),
            make("ReduceMean", [f"{out}.squared", "last_axis"], [f"{out}.variance"], keepdims=1),
            make("Add", [f"{out}.variance", f"{out}.eps"], [f"{out}.sum"]),
            make("Sqrt", [f"{out}.sum"], [f"{out}.deviation"]),
            make("Div", [f"{out}.centred", f"{out}.deviation"], [f"{out}.normed"]),
            make("Mul", [f"{out}.normed", weight], [f"{out}.weighted"]),
            make("Add", [f"{out}.weighted", bias], [out]),
        ]
    graph.ClearField("node")
    graph.node.extend(nodes)


def _sums_in_parts(graph: Any, width: int = 192) -> None:
    """Multiply by a stored matrix in parts of so many terms, and add the parts in pairs.

    WebAssembly adds the 384 or 1536 terms of a product one after the other, and rounds after each. The
    parts cost no time that could be measured, and a third of the difference from torch goes.
    """
    from onnx import helper

    make, nodes = helper.make_node, []
    shapes = {tensor.name: tensor.dims for tensor in graph.initializer}
    stored = {
        one.output[0]: one.input[0]
        for one in graph.node
        if one.op_type == "Transpose" and one.input[0] in shapes
    }
    for one in graph.node:
        if one.op_type != "MatMul" or one.input[1] not in stored:
            nodes.append(one)
            continue
        (x, weight), (out,) = one.input, one.output
        count = shapes[stored[weight]][1] // width
        names = [[f"{out}.{what}{i}" for i in range(count)] for what in ("x", "weight", "part")]
        nodes.append(make("Split", [x], names[0], axis=-1, num_outputs=count))
        nodes.append(make("Split", [weight], names[1], axis=0, num_outputs=count))
        nodes += [
            make("MatMul", [left, right], [part]) for left, right, part in zip(*names, strict=True)
        ]
        parts = names[2]
        while len(parts) > 1:
            sums = [f"{left}+" if len(parts) > 2 else out for left in parts[::2]]
            pairs = zip(parts[::2], parts[1::2], sums, strict=True)
            nodes += [make("Add", [left, right], [total]) for left, right, total in pairs]
            parts = sums
    graph.ClearField("node")
    graph.node.extend(nodes)


def _places(weights: Path) -> dict[str, tuple[int, int, tuple[int, ...]]]:
    """Each float32 tensor of a safetensors file: its first byte, the byte after its last, its shape."""
    with weights.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(size))
    with safe_open(weights, "np"):  # checks that the header fits the file
        pass
    header.pop("__metadata__", None)
    return {
        name: (
            8 + size + said["data_offsets"][0],
            8 + size + said["data_offsets"][1],
            tuple(said["shape"]),
        )
        for name, said in header.items()
        if said["dtype"] == "F32"
    }


def wordpiece(tokenizer: Any, max_tokens: int) -> dict[str, Any]:
    """The tables of a BERT tokenizer: what it does to every single character, and its vocabulary.

    It is asked about each character there is, since its library and a browser know different versions
    of Unicode. The keys, of which `engine/wordpiece.js` is the reader:

        vocabulary      the tokens in the order of their ids, a line each
        added           tokens that are found in a text as they are written, before anything else
        classify        what precedes and follows every text; "unknown": the token of unknown words
        longest         the letters of the longest word that is split
        most            the tokens of the longest text, special ones included
        gone            first and last character, in turn, of those that vanish
        spaces, apart, punctuation   the same: blank; a word each; and punctuation
        becomes         a character, a tab, what it becomes: a line each, without Hangul syllables
        order           combining classes of marks
    """
    rules = json.loads(tokenizer.to_str())
    kinds = [rules[part]["type"] for part in ("normalizer", "pre_tokenizer", "model")]
    if kinds != ["BertNormalizer", "BertPreTokenizer", "WordPiece"]:
        raise SystemExit(f"Polysee: the tokenizer of {built.MODEL} has other parts: {kinds}.")
    normalized = {code: tokenizer.normalizer.normalize_str(chr(code)) for code in _codes()}
    split = tokenizer.pre_tokenizer.pre_tokenize_str
    vocabulary = sorted(rules["model"]["vocab"].items(), key=lambda entry: entry[1])
    assert [number for _, number in vocabulary] == list(range(len(vocabulary)))
    apart = [code for code, to in normalized.items() if len(to) > 2 and to[0] == to[-1] == " "]
    becomes = {code: to.strip() for code, to in normalized.items() if to.strip() not in (chr(code), "")}
    hangul = {code: to for code, to in becomes.items() if 0xAC00 <= code <= 0xD7A3}
    assert all(unicodedata.normalize("NFD", chr(code)) == to for code, to in hangul.items())
    assert len(hangul) == 11_172
    left = {code for code, to in normalized.items() if to.strip()}
    return {
        "vocabulary": "\n".join(name for name, _ in vocabulary),
        "added": [token["content"] for token in rules["added_tokens"]],
        "classify": ["[CLS]", "[SEP]"],
        "unknown": rules["model"]["unk_token"],
        "continues": rules["model"]["continuing_subword_prefix"],
        "longest": rules["model"]["max_input_chars_per_word"],
        "most": max_tokens,
        "gone": _ranges(code for code, to in normalized.items() if to == ""),
        "spaces": _ranges(code for code, to in normalized.items() if to and not to.strip()),
        "apart": _ranges(apart),
        "punctuation": _ranges(code for code in sorted(left) if len(split(f"a{chr(code)}a")) == 3),
        "becomes": "\n".join(
            f"{chr(code)}\t{to}" for code, to in becomes.items() if code not in hangul
        ),
        "order": {
            chr(code): order for code in normalized if (order := unicodedata.combining(chr(code)))
        },
    }


def _codes() -> Iterator[int]:
    yield from range(0xD800)
    yield from range(0xE000, 0x110000)


def _ranges(codes: Iterable[int]) -> list[int]:
    """First and last of each run of consecutive numbers."""
    ranges: list[int] = []
    for code in codes:
        if ranges and ranges[-1] == code - 1:
            ranges[-1] = code
        else:
            ranges += [code, code]
    return ranges


def is_current(out: Path = OUT) -> bool:
    """Whether a complete build in `out` is newer than our files and the packages that it is made of."""
    files, _ = built.look((out,))
    if files is None or (files.language is None and built.language_weights() is not None):
        return False
    sources = [*(ROOT / "tools" / "web").glob("*.py"), RUNTIME / "package-lock.json"]
    sources.append(ROOT / ".venv" / "stamp.json")
    for folder in ("transformer", "pretrained", "web"):
        sources += (ROOT / "core" / folder).rglob("*.py")
    newest = max(source.stat().st_mtime for source in sources if source.exists())
    return newest < files.files[built.MANIFEST].stat().st_mtime


def build(out: Path = OUT) -> Mapping[str, Any]:
    """Build everything into the folder `out`, which is replaced, and return its manifest."""
    weights = built.weights()
    if weights is None:
        raise SystemExit(f"Polysee: the package {built.PACKAGE} is not installed.")
    if node.install(RUNTIME):
        raise SystemExit("Polysee: npm did not install onnxruntime-web.")
    model = core.load(built.MODEL)
    encoder = model.scratch_encoder
    assert encoder is not None
    new = out.with_name(f"{out.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    (new / built.GRAPH).write_bytes(graph(encoder, weights))
    (new / built.ADJOINT).write_bytes(encoder_graph.back(encoder.config))
    tables = wordpiece(model._reader._tokenizer, model.max_tokens)
    tables_text = json.dumps(tables, ensure_ascii=False, separators=(",", ":"))
    (new / built.TOKENIZER).write_text(tables_text, "utf-8", newline="\n")
    runtime = RUNTIME / "node_modules" / "onnxruntime-web"
    for name in (*built.RUNTIME, *built.GRAPHICS):
        shutil.copyfile(runtime / "dist" / name, new / name)
    manifests = {built.MANIFEST: _manifest(model, new, weights)}
    packed = built.language_weights()
    if packed is not None:
        manifests[built.LANGUAGE_MANIFEST] = _language(new, packed)
    manifests[built.GRAPHICS_MANIFEST] = _graphics(new)
    kept = {
        key
        for one in manifests.values()
        for name in (*one["stored"], *one["later"])
        for key in one["files"][name].get("pieces", [one["files"][name]["sha256"]])
    }
    for name, one in manifests.items():
        text = json.dumps({**one, "kept": sorted(kept)}, indent=1) + "\n"
        (new / name).write_text(text, "utf-8", newline="\n")
    shutil.rmtree(out, ignore_errors=True)
    new.rename(out)
    return manifests[built.MANIFEST]


def _manifest(model: core.Model, folder: Path, weights: Path) -> dict[str, Any]:
    """What MiniLM's manifest says."""
    kept = (built.GRAPH, built.ADJOINT, built.TOKENIZER, built.RUNTIME[2], built.WEIGHTS)
    shape, encoder = model.shape, model.scratch_encoder
    assert encoder is not None
    config = encoder.config
    return {
        "kind": "encoder",
        **_any(model, folder, kept, weights),
        "most": model.max_tokens,
        "shape": {
            "layers": shape.n_layers,
            "heads": shape.n_heads,
            "size": shape.d_model,
            "headSize": shape.d_head,
            "vocabulary": config.n_vocabulary,
            "normEps": config.norm_eps,
        },
    }


def _graphics(folder: Path) -> dict[str, Any]:
    """The manifest of the run-time for a graphics card (`GraphicsManifest` in engine/types.d.ts)."""
    script, start, binary = built.GRAPHICS
    return {
        "runTime": {"provider": "webgpu", "script": script, "start": start, "binary": binary},
        "stored": [binary],
        "later": [],
        "piece": PIECE,
        "files": {name: _described(folder / name) for name in built.GRAPHICS},
    }


def _language(folder: Path, weights: Path) -> dict[str, Any]:
    """Write SmolLM2's graphs and whose work it is; returns what its manifest says."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", core.ModelNote)  # that its weights are those of a packed copy
        model = core.load(built.LANGUAGE_MODEL)
    decoder = model.scratch_decoder
    assert decoder is not None
    config = decoder.config
    (folder / built.LAYERS).write_bytes(decoder_graph.layers(config, LAYERS_AT_ONCE))
    (folder / built.HEAD).write_bytes(decoder_graph.head(config))
    (folder / built.BACK).write_bytes(decoder_graph.back(config))
    (folder / built.CHANGED).write_bytes(decoder_graph.changed(config))
    fitted = model.fitted_lens()
    assert fitted is not None
    (folder / built.LENS).write_bytes(lens(fitted))
    (folder / built.LICENCE).write_text(_licence(weights.name), "utf-8", newline="\n")
    graphs = (built.LAYERS, built.HEAD, built.BACK, built.CHANGED)
    kept = (*graphs, built.LICENCE, built.RUNTIME[2], weights.name)
    return {
        "kind": "decoder",
        **_any(model, folder, kept, weights, later=(built.LENS,)),
        "most": MOST_TOKENS,
        "weights": weights.name,
        "lens": built.LENS,
        "shape": decoder_shape(model, LAYERS_AT_ONCE),
    }


def decoder_shape(model: core.Model, layers_at_once: int) -> dict[str, Any]:
    """What a browser must know of a decoder's sizes (`DecoderShape` in engine/types.d.ts)."""
    decoder, shape = model.scratch_decoder, model.shape
    assert decoder is not None
    config = decoder.config
    return {
        "layers": shape.n_layers,
        "heads": shape.n_heads,
        "kvHeads": config.parts.n_kv_heads or shape.n_heads,
        "size": shape.d_model,
        "headSize": shape.d_head,
        "vocabulary": config.n_vocabulary,
        "normEps": config.norm_eps,
        "theta": config.parts.rotation.base,
        "layersAtOnce": layers_at_once,
        "weights": {name: list(one) for name, one in decoder_graph.layer_weights(config).items()},
    }


def lens(fitted: FittedLens) -> bytes:
    """A fitted lens as the browser reads it (`engine/lens.js`): its maps, and how good they are."""
    arrays = {name: getattr(fitted, name) for name in _MAPS}
    arrays |= {f"loss_{name}": getattr(fitted.losses, name) for name in _LOSSES}
    about = {"fitted_on": fitted.fitted_on}
    about |= {"tokens": str(fitted.tokens), "tested_on": str(fitted.losses.tokens)}
    whole = {name: np.ascontiguousarray(one) for name, one in arrays.items()}
    return save(whole, about)


def _any(
    model: core.Model,
    folder: Path,
    kept: Sequence[str],
    weights: Path,
    later: Sequence[str] = (),
) -> dict[str, Any]:
    """What any manifest says; `kept` and `later` are the files that a browser keeps."""
    runtime = RUNTIME / "node_modules" / "onnxruntime-web" / "package.json"
    return {
        "model": model.name,
        "cased": model.cased,
        "memory": LEAST_MEMORY[model.name],
        "stored": list(kept),
        "later": list(later),
        "piece": PIECE,
        "files": {
            name: _described(weights if name == weights.name else folder / name)
            for name in (*kept, *later, *built.RUNTIME[:2])
        },
        "versions": {
            "polysee": core.__version__,
            "torch": torch.__version__.partition("+")[0],
            "onnx": version("onnx"),
            "onnxscript": version("onnxscript"),
            "onnxruntime-web": json.loads(runtime.read_text("utf-8"))["version"],
        },
    }


def _packed() -> Packed:
    packed = settings.CATALOGUE[built.LANGUAGE_MODEL].packed
    assert packed is not None
    return packed


def _licence(weights: str) -> str:
    """Whose work the language model is, and what was changed in it; with the text of its licence."""
    packed = _packed()
    notice = (
        f"{weights} is SmolLM2-135M-Instruct by Hugging Face, under the Apache License 2.0:\n"
        "https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct\n\n"
        "It is a changed copy: its weights were rounded to 4 bits each (8 in the table of word "
        f"vectors) and put into one GGUF file, which the package {packed.project} {packed.version} "
        "distributes. Polysee serves that file unchanged; a browser that computes with it unpacks the "
        "rounded weights to float32."
    )
    return f"{notice}\n\n\n{_text_of_licence(packed.project)}"


def _text_of_licence(project: str) -> str:
    """The Apache License as the package brings it; as `transformers` does, if only its file is here."""
    for name in (project, "transformers"):
        with contextlib.suppress(PackageNotFoundError):
            for file in distribution(name).files or ():
                if file.name.startswith("LICENSE"):
                    return Path(str(file.locate())).read_text("utf-8")
    raise SystemExit(f"Polysee: the text of the licence of {project} is not here.")


def _described(file: Path) -> dict[str, Any]:
    data = file.read_bytes()
    said = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    if len(data) <= PIECE:
        return said
    pieces = (data[at : at + PIECE] for at in range(0, len(data), PIECE))
    return {**said, "pieces": [hashlib.sha256(piece).hexdigest() for piece in pieces]}


def main() -> int:
    """Build, unless that was done already, and say how much a browser fetches."""
    if not is_current():
        build()
    made, why = built.look((OUT,))
    if made is None:
        raise SystemExit(f"Polysee: {why}")
    print(f"Polysee: build/web is built; a browser fetches {made.bytes_fetched / 1e6:.1f} MB once.")
    if made.language:
        size = made.language_bytes_fetched / 1e6
        print(f"Polysee: with SmolLM2, which can be chosen instead, {size:.1f} MB.")
    return 0
