"""The browser's speaker is `core.Model`: the same words drawn, the same bars, the same surprise."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import core
from core.pretrained.engines.scratch import ScratchDecoder
from core.records.next_token import NextToken
from tests.left_to_right import decoder
from tests.web import pairs
from tools import node

_SPEAK = Path(__file__).parents[1] / "figures" / "web" / "engine" / "speak.js"
_TEXTS = ("the bank of the river", "a", "don't 12 <|start|> é🎣")
_PLAIN = {"temperature": 1.0, "topK": 0, "topP": 1, "minP": 0}
_WAYS: tuple[dict[str, Any], ...] = (
    {"sampling": {**_PLAIN, "temperature": 0}, "seed": 0},
    {"sampling": _PLAIN, "seed": 13},
    {"sampling": {**_PLAIN, "temperature": 1.7, "topK": 40}, "seed": 999_999},
    {"sampling": {**_PLAIN, "temperature": 0.6, "topP": 0.9}, "seed": 4},
    {"sampling": {**_PLAIN, "minP": 0.1, "topK": 100, "topP": 0.95}, "seed": 7, "stops": ["e", "\n"]},
    {"sampling": {**_PLAIN, "temperature": 2.0}, "seed": 2, "more": [260, 140]},
)
_COUNT = 24


@pytest.mark.check
def test_what_is_written_and_expected_is_pythons(tmp_path: Path) -> None:
    model = decoder(tmp_path)
    asked = [
        {"text": text, "more": [], "count": _COUNT, "how": way} | {"more": way.get("more", [])}
        for text in _TEXTS
        for way in _WAYS
    ]
    logits: dict[str, list[float]] = {}
    wanted = [_in_python(model, one, logits) for one in asked]
    assert sum(len(written) for written, _ in wanted) > 200
    own = pairs.of_file(tmp_path / "bare.gguf")
    found = _in_node({"settings": own, "most": model.max_tokens, "logits": logits}, asked, tmp_path)
    for (written, then), one in zip(wanted, found, strict=True):
        drawn = [{name: getattr(token, name) for name in one["written"][0]} for token in written]
        for ours, theirs in zip(one["written"], drawn, strict=True):
            # ours in float64, theirs in float32: by which order a processor adds, they differ
            assert ours.pop("probability") == pytest.approx(theirs.pop("probability"), rel=2e-6)
            assert ours == theirs
        _same(one, then, model)
    said = [tuple(one["spelled"]) for one in found[:: len(_WAYS)]]
    assert said == [model.special_in(text) for text in _TEXTS]
    assert any(said)


def _same(one: dict[str, Any], then: NextToken, model: core.Model) -> None:
    score, top = then.score, then.top(min(200, len(then.ids)))
    assert score is not None
    assert one["ids"] == list(score.ids)
    assert one["ends"] == list(model.ends)
    assert (one["top"]["ids"], one["top"]["texts"]) == ([*top.ids], [*top.texts])
    assert one["top"]["probabilities"] == pytest.approx(top.probabilities.tolist(), rel=1e-5)
    assert one["logits"] == pytest.approx(np.sort(then.logits)[::-1].tolist(), rel=1e-6)
    ours = one["score"]
    assert ours["text"] == score.text
    assert ours["spans"] == [list(span) for span in score.offsets]
    assert ours["bits"] == pytest.approx(score.bits[1:].tolist(), rel=1e-4, abs=1e-5)
    assert ours["ranks"] == score.ranks.tolist()
    assert ours["likeliest"] == [list(some) for some in score.likeliest]
    for shares, theirs in zip(ours["probabilities"][1:], score.probabilities[1:], strict=True):
        assert shares == pytest.approx(theirs.tolist(), rel=1e-4)


def _in_python(
    model: core.Model, asked: dict[str, Any], logits: dict[str, list[float]]
) -> tuple[list[Any], NextToken]:
    """What is written, and what comes then; all logits on the way go into `logits`, by the tokens."""
    how = asked["how"]["sampling"]
    written = list(
        model.generate(
            asked["text"],
            asked["count"],
            more=asked["more"],
            temperature=how["temperature"],
            top_k=how["topK"] or None,
            top_p=how["topP"],
            min_p=how["minP"],
            seed=asked["how"]["seed"],
            stop=asked["how"].get("stops", ()),
        )
    )
    more = [*asked["more"], *(one.id for one in written)]
    runner, encoded = model._runner, model._with(model.read(asked["text"]), more)
    assert isinstance(runner, ScratchDecoder)
    vectors_1LD, _ = runner.read_on(torch.tensor([encoded.ids]), None)
    for place, row in enumerate(model._of_head(vectors_1LD[0])):
        logits[" ".join(map(str, encoded.ids[: place + 1]))] = row.tolist()
    return written, model.next_token(asked["text"], more=more)


def _in_node(model: dict[str, Any], asked: list[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    files = [folder / name for name in ("model.json", "asked.json", "found.json")]
    for file, content in zip(files, (model, asked), strict=False):
        file.write_text(json.dumps(content))
    subprocess.run([node.NODE / "node", _SPEAK, *files], check=True)
    found: list[dict[str, Any]] = json.loads(files[-1].read_text("utf-8"))
    return found
