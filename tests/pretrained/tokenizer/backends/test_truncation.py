"""What two texts keep of their tokens."""

from __future__ import annotations

from pathlib import Path

from core.pretrained.tokenizer.backends.truncation import fit_as_python
from tests.pretrained.tokenizer_kinds import SLOW


def test_the_pair_rule_of_python_is_that_of_transformers(tmp_path: Path) -> None:
    tokenizer = SLOW["BERT in Python"](tmp_path)
    for room in range(9):
        for first in range(9):
            for second in range(9):
                if first + second <= room:
                    continue
                kept = tokenizer.truncate_sequences(
                    [0] * first, [0] * second, first + second - room, "longest_first"
                )
                assert fit_as_python([first, second], room) == (len(kept[0]), len(kept[1]))
