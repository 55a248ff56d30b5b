"""The accuracy of a small model while no row attends where it should, one sentence at a time."""

from __future__ import annotations

import numpy as np
import pytest

import core
from core.errors import NotSupported
from core.tasks import Trained
from core.tasks.languages import readable
from core.tasks.training.batches import NOWHERE, collate


def test_it_is_the_accuracy_of_runs_with_that_attention_cut(bank: Trained) -> None:
    examples = bank.task.held_out(6)
    batch = collate(examples)
    predicted = np.zeros_like(batch.labels_BL)
    for row, example in enumerate(examples):
        ((query, key),) = ((at, to) for at, to in enumerate(example.attend_to) if to != NOWHERE)
        trace, expected = bank.changed(
            readable.text_of(bank.task, example).input, [core.Cut(query, key)]
        )
        assert trace.attention is not None
        assert not trace.attention.weights[:, :, query, key].any()
        np.testing.assert_allclose(trace.attention.weights.sum(axis=-1), 1, atol=1e-5)
        predicted[row, query] = bank.target.ids([expected(query).tokens[0]])[0]
    assert bank.accuracy_without_pattern(6) == bank.task.accuracy(predicted, batch)


def test_a_model_of_two_texts_has_no_such_number(reverse: Trained) -> None:
    with pytest.raises(NotSupported):
        reverse.accuracy_without_pattern()
