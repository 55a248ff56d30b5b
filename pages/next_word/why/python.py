"""Python code for the numbers of the view."""

from __future__ import annotations

from pages.next_word.state import NextWordState
from pages.next_word.why.computed import Query
from ui import same_in_python


def lines(s: NextWordState, query: Query, ids: tuple[int, ...]) -> dict[str, str]:
    """Code for both sums, and for one head less.

    Args:
        s: the state of the page.
        query: what is explained.
        ids: the tokens that are compared.
    """
    more = f", more={query.written!r}" if query.written else ""
    rest = "".join(f", {one}" for one in ids[1:])
    heads = s.ablated.get() or ((1, 1),)
    code = [
        same_in_python.imports(query.model),
        "",
        f"model = core.load({query.model!r})",
        f"text = {query.text!r}",
        f"parts = model.why(text, {ids[0]}{rest}{more})",
        f"ablated = core.Ablate({heads[0][0] - 1}, {heads[0][1] - 1})",
        f"before, after = model.next_changed(text, ablated{more})",
        "parts.whole, parts.sources.by_token, parts.by_head, parts.feed_forward",
    ]
    return {"Python": "\n".join(code)}
