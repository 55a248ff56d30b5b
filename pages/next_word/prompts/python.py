"""Python code for the patched runs of two prompts."""

from __future__ import annotations

from pages.next_word.prompts.computed import Query, written
from ui import same_in_python


def lines(query: Query, cell: tuple[int, ...]) -> dict[str, str]:
    """Code for the matrix, and for the ten words of the chosen run.

    Args:
        query: what the page shows.
        cell: its depth and its position; () for none.
    """
    named = tuple(written(one) for one in query.answers)
    more = f", answers={named!r}" if any(named) else ""
    more += f", by={query.by!r}, at={query.at!r}" if query.by == "head" else ""
    code = [
        same_in_python.imports(query.model),
        "",
        f"model = core.load({query.model!r})",
        f"a, b = {query.a!r}, {query.b!r}",
        f"found = model.patch(a, b{more})",
    ]
    last = "found.answers, found.recovered"
    if cell and query.by == "position":
        code.append(f"run = model.patched(a, b, {cell[0]}, [{cell[1]}]).top(10)")
        last += ", run.texts, run.probabilities"
    return {"Python": "\n".join([*code, last])}
