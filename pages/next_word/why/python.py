"""Python code for the numbers of the view."""

from __future__ import annotations

from collections.abc import Sequence

from core.records.interventions import Change
from pages.next_word.why.computed import Query
from ui import same_in_python


def lines(query: Query, ids: tuple[int, ...], changes: Sequence[Change]) -> dict[str, str]:
    """Code for both sums, and for the changes if there are any.

    Args:
        query: what is explained.
        ids: the tokens that are compared.
        changes: what was changed.
    """
    more = f", more={query.written!r}" if query.written else ""
    rest = "".join(f", {one}" for one in ids[1:])
    code = [
        same_in_python.imports(query.model),
        "",
        f"model = core.load({query.model!r})",
        f"text = {query.text!r}",
        f"parts = model.why(text, {ids[0]}{rest}{more})",
    ]
    found = "parts.whole, parts.sources.by_token, parts.by_head, parts.feed_forward"
    if changes:
        code += ["changes = [", *(f"    core.{one!r}," for one in changes), "]"]
        code.append(f"before = model.expects_changed(text{more})")
        code.append(f"after = model.expects_changed(text, *changes{more})")
        found += ", before.texts[:10], after.texts[:10]"
    return {"Python": "\n".join([*code, found])}
