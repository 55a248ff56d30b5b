"""The similarity of vectors: by hand and by torch; the vector of a text: by transformers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

import core
from core import settings
from core.measures import pairwise_similarity, sentence_vector


def test_by_hand() -> None:
    found = pairwise_similarity([[3.0, 4.0], [4.0, 3.0], [-3.0, -4.0], [0.0, 0.0]])
    np.testing.assert_allclose(found.lengths, [5, 5, 5, 0])
    np.testing.assert_allclose(found.dot[0], [25, 24, -25, 0])
    np.testing.assert_allclose(found.cosine[0], [1, 24 / 25, -1, 0], rtol=1e-6)  # no direction: 0
    np.testing.assert_allclose(found.distance[0], [0, np.sqrt(2), 10, 5], rtol=1e-6)


def test_as_torch_has_it() -> None:
    vectors = np.random.default_rng(5).normal(size=(7, 11))
    found, x = pairwise_similarity(vectors), torch.tensor(vectors)
    cosine = torch.nn.functional.cosine_similarity(x[:, None], x[None], dim=-1)
    np.testing.assert_allclose(found.dot, x @ x.T, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(found.cosine, cosine, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(found.distance, torch.cdist(x, x), rtol=1e-6, atol=1e-6)
    assert not found.dot.flags.writeable


def test_vectors_that_are_all_but_equal_keep_their_distance() -> None:
    one = np.full(384, 3.0)
    other = one.copy()
    other[7] += 1e-6
    assert pairwise_similarity([one, other]).distance[0, 1] == pytest.approx(1e-6, rel=1e-3)


def test_the_nearest_come_first_by_each_measure() -> None:
    found = pairwise_similarity([[1.0, 0.0], [10.0, 10.0], [1.0, 0.1], [1.0, 0.1], [-1.0, 0.0]])
    assert found.nearest("dot", 0) == (1, 2, 3, 4)  # the longest
    assert found.nearest("cosine", 0) == (2, 3, 1, 4)  # ties in their order
    assert found.nearest("distance", 0) == (2, 3, 4, 1)  # the longest is the farthest
    with pytest.raises(ValueError, match="choose one of dot, cosine, distance"):
        found.nearest("taxi", 0)


@pytest.mark.parametrize(
    "vectors", [np.zeros((0, 3)), np.zeros((3, 0)), np.zeros(3), [[1.0, np.nan]], [[np.inf]]]
)
def test_what_cannot_be_compared_is_refused(vectors: object) -> None:
    with pytest.raises(ValueError, match=r"Vectors are|finite"):
        pairwise_similarity(vectors)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["On the river bank", "bank", "a bank " * 100])
def test_a_sentence_is_the_mean_of_its_tokens(
    minilm: core.Model, minilm_folder: Path, text: str
) -> None:
    """Mean pooling, by the published weights in transformers."""
    from transformers import AutoModel, AutoTokenizer

    inputs = AutoTokenizer.from_pretrained(minilm_folder)(text, return_tensors="pt", padding=False)
    with torch.no_grad():
        states = AutoModel.from_pretrained(minilm_folder)(**inputs).last_hidden_state
    np.testing.assert_allclose(
        sentence_vector(minilm.trace(text)), states[0].mean(dim=0).numpy(), atol=1e-5
    )


@pytest.mark.check
def test_a_sentence_is_what_sentence_transformers_says_up_to_its_256_tokens(
    minilm: core.Model, minilm_folder: Path
) -> None:
    from sentence_transformers import SentenceTransformer

    theirs = SentenceTransformer(str(minilm_folder), device="cpu")
    assert theirs.max_seq_length == settings.CATALOGUE["minilm"].sentence_tokens == 256
    for text, tokens in (
        ("On the river bank", 6),
        ("a bank " * 126 + "x", 255),
        ("a bank " * 127, 256),
    ):
        trace = minilm.trace(text)
        assert len(trace.tokens) == tokens
        vector = sentence_vector(trace)  # they scale theirs to length 1
        np.testing.assert_allclose(vector / np.linalg.norm(vector), theirs.encode(text), atol=1e-5)
    longer = sentence_vector(minilm.trace("a bank " * 128))  # which they cut, and the page says so
    assert np.abs(longer / np.linalg.norm(longer) - theirs.encode("a bank " * 128)).max() > 1e-4
