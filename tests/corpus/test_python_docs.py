from __future__ import annotations

import pydoc_data.topics

import pytest

from core.corpus import python_docs


def test_emphasis_goes_and_code_in_quotation_marks_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'Calls\n*****\n\nWhen "**expression" is used, it is collected\nby the "**" parameter.\n\n'
    text += 'It is *not* **very** bold; see "*args" and "a * b * c".\n'
    monkeypatch.setattr(pydoc_data.topics, "topics", {"calls": text})
    assert [one["text"] for one in python_docs.passages()] == [
        "Calls",
        'When "**expression" is used, it is collected by the "**" parameter.',
        'It is not very bold; see "*args" and "a * b * c".',
    ]
