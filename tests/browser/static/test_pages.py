"""Step by step, Senses and Embeddings in the folder: Python's numbers, from the visitor's own texts."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import core
from core.measures.senses.occurrences import Occurrences, maps, nearest_centroid_accuracy
from core.measures.similarity import pairwise_similarity, sentence_vector
from pages.step_by_step import computed, sentence
from tests.browser.static.conftest import Plain
from tests.web.steps import same_steps

pytestmark = [pytest.mark.check, pytest.mark.fuzz]  # a model is fetched and started
Visit = Callable[..., Page]
START = 240_000  # milliseconds
TEXT = "The boat left the muddy bank."
LINES = (
    "river | The boat left the muddy bank.",
    "river | Reeds grow on the bank.",
    "money | The bank lent him the money.",
    "money | He robbed a bank.",
)
_STEPS = """async ([base, manifest, text, asked]) => {
  const { Engine } = await import("/steps-engine.js");
  const engine = await Engine.at({ base, manifest });
  await engine.start();
  const of = await engine.steps(text, asked);
  engine.close();
  return JSON.parse(JSON.stringify(of, (_, one) => (ArrayBuffer.isView(one) ? [...one] : one)));
}"""


@pytest.fixture
def opened(folder: Path, visit: Visit) -> Callable[[str], Page]:
    server = Plain(folder)

    def opening(address: str) -> Page:
        page = visit(server.address() + address)
        page.get_by_role("button", name=re.compile("Fetch the model")).locator("visible=true").click()
        expect(page.locator(".drawn:visible > div").first).to_be_attached(timeout=START)
        expect(page.locator("main[aria-busy]")).to_have_count(0, timeout=START)
        return page

    return opening


@pytest.mark.parametrize(("model", "layer", "head"), [("minilm", 4, 7), ("smollm2", 13, 5)])
def test_every_number_of_a_layer_is_pythons(
    folder: Path, visit: Visit, model: str, layer: int, head: int
) -> None:
    server = Plain(folder)
    page = visit(f"{server.address()}glossary/")
    script = (Path(core.__file__).parent / "figures/web/dist/engine/engine.js").read_text("utf-8")
    page.route(
        "**/steps-engine.js", lambda route: route.fulfill(body=script, content_type="text/javascript")
    )
    manifest = {"minilm": "manifest.json", "smollm2": "smollm2.json"}[model]
    asked = {"layer": layer, "head": head, "block": 2}
    found = page.evaluate(_STEPS, [f"{server.address()}engine/", manifest, TEXT, asked])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", core.ModelNote)
        read = sentence.sentence(model, TEXT)
        of = computed.of_model if model == "minilm" else computed.of_decoder_alone
        wanted = of(model, read, layer - 1, head - 1, 2)
    assert found["tokens"] == [*read.tokens]
    same_steps(found["steps"], wanted.steps)
    server.stop()


def test_steps_follow_the_text_and_the_link(opened: Callable[[str], Page]) -> None:
    page = opened("step-by-step/?v=2&t=The+river&zl=matrix&st=query&l=2")
    words = page.locator("[data-part=step-words]")
    expect(words).to_contain_text("5. Queries")
    page.get_by_role("button", name="Next →").click()
    expect(words).to_contain_text("6. Keys")
    expect(page).to_have_url(re.compile("st=key"))
    page.get_by_role("textbox", name="Text").fill(TEXT)
    expect(page.locator("[data-part=forward] .sentence")).to_contain_text("K, 9 by 32", timeout=START)
    expect(page.get_by_text("As a check")).to_contain_text("layer 2 returns and the result of step 20")


def test_senses_measures_a_visitors_own_sentences(opened: Callable[[str], Page]) -> None:
    page = opened("senses/")
    page.get_by_role("textbox", name="Sentences, one per line").fill("\n".join(LINES))
    said = page.locator("[data-part=headline]")
    expect(said).to_contain_text("of 4 occurrences", timeout=START)
    texts, labels = [line.split("| ")[1] for line in LINES], [line.split(" |")[0] for line in LINES]
    model = core.load("minilm")
    traces = [model.trace(text) for text in texts]
    hidden = [trace.hidden for trace in traces]
    at = [list(trace.find("bank")) for trace in traces]
    pairs = list(zip(traces, hidden, at, strict=True))
    own = Occurrences(
        np.stack([trace.learned[one].mean(axis=0) for trace, _, one in pairs]),
        np.stack([layers[:, one].mean(axis=1) for _, layers, one in pairs if layers is not None]),
        tuple(range(len(texts))),
    )
    right = float(nearest_centroid_accuracy(own, labels)[-1])
    expect(said).to_contain_text(f"gives {100 * right:.4g} % of 4")
    share = float(maps(own)[1][-1])
    expect(page.get_by_text("These two directions hold")).to_contain_text(f"{100 * share:.1f} %")


def test_embeddings_compares_whole_sentences(opened: Callable[[str], Page]) -> None:
    page = opened("embeddings/?v=2&p=sentences")
    box = page.get_by_role("textbox", name="Sentences, one per line")
    lines = ["The boat left.", "A ship sailed away.", "He ate bread."]
    box.fill("\n".join(lines))
    model = core.load("minilm")
    near = pairwise_similarity([sentence_vector(model.trace(line)) for line in lines])
    said = page.locator("[data-part=pair]")
    expect(said).to_contain_text("A ship sailed away.", timeout=START)
    expect(said).to_contain_text(f"cosine similarity {near.cosine[0, 1]:.3f}")
    expect(said).to_contain_text(f"distance {near.distance[0, 1]:.3f}")
