"""Parts of a page as a lesson names them: which elements they are, and the style that hides some."""

from __future__ import annotations

from collections.abc import Sequence


def selector(names: Sequence[str]) -> str:
    """The CSS selectors of parts of a page.

    Args:
        names: such as "trajectory"; "numbers-*" stands for all whose names begin with "numbers-".
    """
    return ", ".join(
        f'[class*="st-key-{name[:-1]}"]' if name.endswith("*") else f".st-key-{name}" for name in names
    )


def left_out(names: Sequence[str]) -> str:
    """The style that leaves out parts, and columns that hold nothing else; "" for none."""
    if not names:
        return ""
    places = selector(names)
    alone = f":has(> [data-testid=stVerticalBlock] > :only-child > :is({places}))"
    return f"<style>:is({places}), [data-testid=stColumn]{alone} {{display: none !important;}}</style>"
