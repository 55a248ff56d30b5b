"""Every word of many texts at once, against the traces of the same texts, one by one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import core
from core.errors import SettingError
from core.records.words import name_of
from tests.pretrained.small_models import TEXT, save

TEXTS = [
    "The bank's roof, and 42 naïve cafés 🎣.",
    "",
    "!",
    "tired " * 700 + "bank",
    "İstanbul’s co\u00adop in der Straße 你好 unbelievably",
    TEXT,
]


@pytest.mark.parametrize("family", ["minilm", "gpt2"])
def test_words_and_vectors_are_those_of_traces(
    family: str, minilm: core.Model, fill_randomly: Callable[..., None], tmp_path: Path
) -> None:
    model = minilm if family == "minilm" else core.load(str(save(tmp_path, family, fill_randomly)))
    texts = TEXTS if family == "minilm" else [TEXT, "the river", TEXT + " " + TEXT]
    layers = [model.shape.n_layers - 1, 0]
    for text, found in zip(texts, model.every_word(texts, layers, batch_size=4), strict=True):
        trace = model.trace(text, keep="hidden")
        occurrences = trace.occurrences()
        assert [(name_of(w.text, model.cased), w.start, w.end) for w in found.words] == [
            (one.word, one.start, one.end) for one in occurrences
        ]
        assert found.left_out == trace.left_out
        assert found.vectors.shape == (2, len(occurrences), model.shape.d_model)
        assert trace.hidden is not None
        for of, layer in zip(found.vectors, layers, strict=True):
            for vector, one in zip(of, occurrences, strict=True):
                np.testing.assert_allclose(
                    vector, trace.hidden[layer, one.tokens].mean(axis=0), atol=1e-4
                )


def test_a_text_is_not_a_list_of_texts(minilm: core.Model) -> None:
    with pytest.raises(SettingError):
        minilm.every_word("The bank.", [0])
    assert minilm.every_word([], [0]) == []
