"""Before the first visitor: check the settings, compute the opening comparison, answer `/ready`.

No page's script runs before the first visitor. What must happen earlier happens here, called from the
ASGI entry in `app.py`.
"""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from streamlit.commands import navigation as streamlit_navigation
from streamlit.runtime.pages_manager import PagesManager

from core import settings
from core.corpus import extra
from core.dictionary import meanings_of
from core.errors import PolyseeError
from core.examples import first_texts
from core.memory import BUDGET
from ui import sense_ends
from ui.corpora import first_use
from ui.corpora.offered import SUPPLIED
from ui.models import answers, long_texts, map_queue, model_cache, session_models
from ui.serving import metrics
from ui.state import MODEL

_done = threading.Event()
_why_not = ["The model is being loaded."]


def check_settings() -> None:
    """Stop the server with a message of one sentence if an environment variable is invalid."""
    try:
        settings.read()
    except PolyseeError as error:
        raise SystemExit(f"Polysee cannot start: {error}") from None


def use_navigation_alone() -> None:
    """Make `st.navigation` define the pages of the app from the first visitor on.

    Until navigation has run once, Streamlit takes a folder named `pages` for its older kind of pages: a
    first visitor to /heads would see that page without the frame around it.
    """
    PagesManager.uses_pages_directory = False
    # Its dialog says no more than that; `ui.page.no_such_page` says where to go.
    streamlit_navigation.send_page_not_found = lambda ctx: None


@asynccontextmanager
async def lifespan(_: Any) -> AsyncIterator[None]:
    """Warm up in the background, while the server already answers."""
    _count()
    threading.Thread(target=_warm_up, daemon=True).start()
    yield
    map_queue.UMAP.end()


def _count() -> None:
    """Metrics of the model cache, the cached traces and the training queue for Prometheus."""
    metrics.gauge("polysee_models", "Models in memory", model_cache.n_loaded)
    metrics.gauge(
        "polysee_cache_hits",
        "Traces that came from the cache",
        lambda: answers.cache_info()[0],
    )
    metrics.gauge(
        "polysee_cache_misses",
        "Traces that a model computed",
        lambda: answers.cache_info()[1],
    )
    metrics.gauge("polysee_cache_bytes", "Bytes of all caches together", lambda: BUDGET.taken)
    texts = long_texts.queue()
    metrics.gauge("polysee_long_texts", "Long texts that a model is reading", lambda: texts.at_work)
    metrics.gauge(
        "polysee_long_texts_waiting",
        "Visitors who wait with a long text",
        lambda: texts.waiting,
    )
    metrics.gauge("polysee_trainings", "Visitors who are training", lambda: session_models.busy()[0])
    metrics.gauge(
        "polysee_trainings_waiting",
        "Visitors who wait to train",
        lambda: session_models.busy()[1],
    )


def _warm_up() -> None:
    """Load the first model on both engines, and compute what the first page shows."""
    opening, name = first_texts.OPENING, str(MODEL.default)
    # Every page needs this module. Objects that exist when the last model is loaded are exempt from the
    # garbage collection that follows each rerun (`model_cache`); if the first visitor imported it, they
    # would not be.
    import_module("pandas")
    try:
        model_cache.wait_for(name)
        for text in (opening.text_a, opening.text_b):
            answers.trace(name, text)
        meanings_of(opening.word)  # reads the dictionary, which otherwise the first visitor waits for
        if (
            ends := sense_ends.ends_for(name, opening.word, (opening.text_a, opening.text_b))
        ) is not None:
            answers.axis(name, opening.word, ends.low, ends.high)
        model_cache.wait_for(name, "huggingface")
        for text in (opening.text_a, opening.text_b):
            answers.agreed(name, text)
    except PolyseeError as error:
        _why_not[0] = str(error)
        return
    _done.set()
    _import_corpora()
    if settings.read().umap == "start":
        map_queue.UMAP.begin()  # beside the server, and only with cores that visitors leave free


def _import_corpora() -> None:
    """What a first concordance needs takes two seconds to import; only if there is a corpus to ask."""
    there = settings.read().corpora is not None or any(map(first_use.is_there, SUPPLIED))
    if not extra.missing() and there:
        extra.require("lancedb")
        for name in ("core.corpus.querying.corpus", "sklearn.cluster"):
            import_module(name)


async def ready(_: Request) -> Response:
    """`/ready`: 200 once the first model answers, before that 503 with the reason."""
    if _done.is_set():
        return PlainTextResponse("ready\n")
    return PlainTextResponse(_why_not[0] + "\n", status_code=503)
