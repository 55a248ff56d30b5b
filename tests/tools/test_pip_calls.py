from __future__ import annotations

import pytest

from tools import pip_calls


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("WARNING: Retrying after 'NewConnectionError(...)'\nERROR: No matching", "cannot be reach"),
        ("ERROR: No matching distribution found for torch==2.13.0", "has no torch==2.13.0 for"),
        ("ERROR: Could not install: [Errno 28] No space left on device", "the disk is full"),
        ("noise\nERROR: something else\n", "ERROR: something else"),
        ("", "ended without a word"),
    ],
)
def test_a_failing_pip_ends_in_a_sentence(words: str, sentence: str) -> None:
    assert sentence in pip_calls.why_pip_failed(words)


def test_pip_looks_nowhere_else() -> None:
    kept = pip_calls.pip_environment(
        {"PYTHONPATH": "/x", "PYTHONHOME": "/y", "PIP_USER": "1", "A": "b"}
    )
    assert kept == {"PIP_USER": "0", "A": "b"}
