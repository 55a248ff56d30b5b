"""The file of results: the section that a benchmark replaces when it runs alone."""

from __future__ import annotations

import datetime

from benchmarks.sections import with_sections

RESULTS = "# Benchmarks\n\nWritten.\n\n## One\n\n| 1 |\n\n## Two\n\nold\n"


def test_a_section_takes_the_place_of_its_own_title() -> None:
    found = with_sections(RESULTS, ["## Two\n\nnew\n"])
    alone = f"*Measured by itself on {datetime.date.today()}.*"
    assert found == f"# Benchmarks\n\nWritten.\n\n## One\n\n| 1 |\n\n## Two\n\n{alone}\n\nnew\n"
    assert with_sections(found, ["## Two\n\nnew\n"]) == found


def test_a_new_section_comes_last_and_nothing_else_changes() -> None:
    found = with_sections(RESULTS, ["## Three\n\nthird"])
    assert found.startswith(RESULTS.rstrip())
    assert found.endswith("third\n")
