"""Text models of every kind of `transformers`, small and random, equal to eager `transformers`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tiers import some
from tools.every_model import small
from tools.every_model.__main__ import WITHOUT, page
from tools.every_model.walk import Verdict, walk

ROOT = Path(__file__).parents[3]
# The types that practitioners use, and one of each unusual construction.
WHOLE = (
    "modernbert eurobert ernie bert-generation albert xlm-roberta esm camembert nomic_bert "
    "gemma gemma2 gemma3_text mistral mixtral phi phi3 gpt_neox smollm3 olmo2 qwen3_moe granite "
    "gpt2 gpt_bigcode llama4_text deepseek_v3 deepseek_v32 gpt_oss diffllama longcat_flash qwen3_next "
    "jamba bamba zamba2 gemma3n_text mt5 mbart m2m_100 pegasus t5gemma2 nllb-moe"
)
WEIGHTS = (
    "deberta deberta-v2 roformer gptj gpt_neo falcon bloom mpt xlnet xlm longformer led big_bird "
    "squeezebert prophetnet convbert"
)
# Their layers see different tokens: windows, chunks, or the keys that an indexer selects.
LOCAL = "modernbert gemma2 gemma3_text gemma3n_text mistral gpt_oss llama4_text t5gemma2 deepseek_v32"


@pytest.fixture(scope="module", autouse=True)
def quiet() -> Iterator[None]:
    """Silence the warnings of transformers about unrealistic models."""
    from transformers.utils import logging

    before = logging.get_verbosity()
    logging.set_verbosity_error()
    yield
    logging.set_verbosity(before)


@pytest.mark.few(1)
@pytest.mark.check
@pytest.mark.parametrize("kind", some(WHOLE.split(), 6))
def test_with_query_and_key(kind: str) -> None:
    verdict = walk(kind)
    assert (verdict.state, verdict.why) == ("whole", "")
    assert ("local layers" in verdict.notes) == (kind in LOCAL.split())


@pytest.mark.check
@pytest.mark.parametrize("kind", some(WEIGHTS.split(), 3))
def test_by_the_weights_alone(kind: str) -> None:
    verdict = walk(kind)
    assert verdict.state == "weights", verdict.why
    assert "transformers computes" in verdict.why


@pytest.mark.few(4)
@pytest.mark.parametrize("kind", sorted(WITHOUT))
def test_what_has_no_attention_or_reads_no_text_says_so(kind: str) -> None:
    verdict = walk(kind)
    assert verdict.state == "refused"
    assert re.search("no attention|cannot read a text|not a text model", verdict.why)


def test_the_page_lists_every_type_as_it_is() -> None:
    text = (ROOT / "docs" / "models.md").read_text("utf-8")
    listed = set(re.findall(r"^[|-] `([^`]+)`", text, re.MULTILINE))
    assert listed == set(small.types())


def test_the_page_counts_what_has_attention() -> None:
    made = page(
        [
            Verdict("a", "whole", layers="4 of 4", predicts="next"),
            Verdict("b", "weights", "somewhere else"),
            Verdict("c", "refused", "its | blocks"),
            Verdict("mamba", "refused", "none"),
            Verdict("d", "large", "9 parameters"),
        ]
    )
    assert "Of the 3 types" in made
    assert "2 are read (67 %)" in made
    assert "| `c` |  | not read |  |  | its / blocks |" in made
    assert "| `mamba` |  | no attention (state space) |" in made
    assert "- `d`: 9 parameters" in made


@pytest.mark.fuzz
@pytest.mark.timeout(1200)
def test_all_of_them() -> None:
    verdicts = [walk(kind) for kind in small.types()]
    assert [v for v in verdicts if v.state == "wrong"] == []
    there = [
        v for v in verdicts if v.state in ("whole", "weights", "refused") and v.kind not in WITHOUT
    ]
    assert sum(v.state != "refused" for v in there) >= 0.8 * len(there)
    assert len(there) >= 200
