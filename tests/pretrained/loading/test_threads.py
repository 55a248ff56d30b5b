"""torch and NumPy use the number of threads that was set."""

from __future__ import annotations

import pytest

from tests.pretrained.fakes import python

pytestmark = pytest.mark.check

ASK = """
import numpy, torch
from threadpoolctl import threadpool_info
from core.pretrained import limit_threads

for n in (2, 1):
    limit_threads(n)
    blas = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
    print(torch.get_num_threads(), *sorted(set(blas)))
"""


@pytest.mark.fuzz
def test_both_keep_to_the_limit() -> None:
    """In a separate process, because the limit applies to the whole process."""
    assert python(ASK).stdout.split("\n") == ["2 2", "1 1", ""]
