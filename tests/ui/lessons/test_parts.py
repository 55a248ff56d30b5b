"""Parts of a page that a step leaves out: the style names their elements, and no others."""

from ui.lessons import parts


def test_a_part_is_named_by_itself_or_by_how_its_name_begins() -> None:
    assert parts.selector(["steps-words"]) == ".st-key-steps-words"
    assert parts.selector(["verdict*", "why"]) == '[class*="st-key-verdict"], .st-key-why'


def test_a_part_inside_a_covered_part_is_covered_with_it_and_says_nothing_twice() -> None:
    told = parts.covered(("copying-sink", "copying-first*"))
    both = ':is(.st-key-copying-sink, [class*="st-key-copying-first"])'
    assert f"{both} {both}::before {{content: none;}}" in told
    assert parts.covered(()) == ""


def test_a_step_that_leaves_out_nothing_has_no_style() -> None:
    assert parts.left_out(()) == ""
    told = parts.left_out(("byte-merges",))
    assert ":is(.st-key-byte-merges)" in told
    assert "display: none" in told
