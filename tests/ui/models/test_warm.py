"""The state of the server before its first visitor."""

from __future__ import annotations

import pytest

from tests.pretrained.fakes import python

pytestmark = pytest.mark.check

WARM_UP = """
import gc
from ui.models import warm

warm._warm_up()
assert warm._done.is_set()
found = gc.get_objects()  # those that the next collection of garbage goes through
import pandas, torch
print(any(one is pandas.DataFrame or one is torch.nn.Module for one in found))
"""
COMPILES = """
from ui.models import map_queue, warm

warm._warm_up()
assert warm._done.is_set()
print(map_queue.UMAP.number is not None)
"""


def test_what_every_page_needs_is_left_out_of_the_collection_after_each_rerun() -> None:
    warmed = python(WARM_UP, POLYSEE_UMAP="asked")
    assert warmed.stdout == "False\n", warmed.stderr


@pytest.mark.parametrize(("when", "begun"), [("", True), ("asked", False)])
def test_umap_is_compiled_before_the_first_visitor_unless_it_is_to_wait(when: str, begun: bool) -> None:
    warmed = python(COMPILES, POLYSEE_UMAP=when)
    assert warmed.stdout == f"{begun}\n", warmed.stderr
