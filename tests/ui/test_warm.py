"""What there is before the first visitor comes."""

from __future__ import annotations

from tests.pretrained.fakes import python

WARM_UP = """
import gc
from ui import warm

warm._warm_up()
assert warm._done.is_set()
found = gc.get_objects()  # those that the next collection of garbage goes through
import pandas, torch
print(any(one is pandas.DataFrame or one is torch.nn.Module for one in found))
"""


def test_what_every_page_needs_is_left_out_of_the_collection_after_each_rerun() -> None:
    warmed = python(WARM_UP)
    assert warmed.stdout == "False\n", warmed.stderr
