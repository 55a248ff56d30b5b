"""The state of the server before its first visitor."""

from __future__ import annotations

import pytest

from tests.pretrained.fakes import python
from tests.tiers import some

pytestmark = pytest.mark.check

WARM_UP = """
import gc
from ui.models import map_queue, warm

warm._warm_up()
assert warm._done.is_set()
found = gc.get_objects()  # those that the next collection of garbage goes through
import pandas, torch
print(any(one is pandas.DataFrame or one is torch.nn.Module for one in found))
print(map_queue.UMAP.number is not None)
"""


@pytest.mark.fuzz
@pytest.mark.parametrize(("when", "begun"), some([("", True), ("asked", False)], 1))
def test_what_every_page_needs_is_ready_and_umap_unless_it_is_to_wait(when: str, begun: bool) -> None:
    """It is left out of the collection after each rerun; and UMAP is being compiled."""
    warmed = python(WARM_UP, POLYSEE_UMAP=when)
    assert warmed.stdout == f"False\n{begun}\n", warmed.stderr
