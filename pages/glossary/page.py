"""Glossary: the terms of the field, each with its meaning, its formula, its paper and our code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import groupby

import streamlit as st

from core import glossary
from core.glossary import Term
from core.localization import _, current
from pages.glossary.state import GlossaryState
from ui import page, same_in_python, text
from ui.page import terms
from ui.state import text as text_box


def words(s: GlossaryState) -> None:
    chosen = glossary.find(s.term.get(), current())
    if chosen:
        with st.container(border=True, key="term"):
            _entry(chosen, large=True)
    typed = text_box(s.typed, _("Find a term"))
    found = glossary.matching(typed, current())
    if not found:
        none = _("No term contains “{typed}”. Look for a shorter word.")
        st.info(none.format(typed=text.plain(typed.strip()[:40])))
    if typed.strip():  # the best match first, regardless of subject
        _columns(found)
    else:
        # One subject stands open, so that the page explains a term at once.
        first = found[0].subject if found and chosen is None else ""
        for subject, group in groupby(found, lambda one: one.subject):
            some = list(group)
            names = ", ".join(_literal(one.name) for one in some)
            # All of them open would be 30 phones long.
            with st.expander(f"**{subject}** · {names}", expanded=subject == first):
                _columns(some)
    same_in_python.show(s.python, partial(_lines, chosen))


def _lines(chosen: Term | None) -> dict[str, str]:
    """Python code for the requested term, or the names of all terms."""
    asked = f"glossary.find({chosen.anchor!r})" if chosen else "[one.name for one in glossary.terms()]"
    return {"Python": f"from core import glossary\n\n{asked}"}


def _columns(some: Sequence[Term]) -> None:
    """The terms in two columns, read downwards."""
    half = _middle([_lines_of(one) for one in some])
    for column, part in zip(st.columns(2, gap="large"), (some[:half], some[half:]), strict=True):
        with column:
            for one in part:
                _entry(one)


def _lines_of(one: Term) -> int:
    """About how many lines an entry takes in its column."""
    return 4 + (len(one.meaning) + len(one.example)) // 55 + 2 * bool(one.formula)


def _middle(lines: Sequence[int]) -> int:
    """How many entries the left column takes, so that the two end as nearly alike as they can."""
    return min(range(len(lines) + 1), key=lambda i: (abs(2 * sum(lines[:i]) - sum(lines)), -i))


def _entry(one: Term, *, large: bool = False) -> None:
    title = f"#### {one.name}" if large else f"**{one.name}**"
    also = f" ({', '.join(one.also)})" if large and one.also else ""
    st.markdown(f"{title}{also}  \n{terms.linked_but(_literal(one.meaning), one.name)}")
    if one.formula:
        st.markdown(f"$$\n{one.formula}\n$$" if large else f"${one.formula}$")
    example = _("*For example:* {example}").format(example=_literal_but_links(one.example))
    st.markdown(example)
    paper = _("Paper: {paper}").format(paper=one.paper)
    code = _("Code: {code}").format(code=f"`{one.code}`")
    st.caption(f"{paper}  \n{code}" if large else paper)


def _literal(meaning: str) -> str:
    """A meaning as Markdown in which [CLS] is not a link, and ## not a heading."""
    return meaning.replace("[", r"\[").replace("#", r"\#")


_LINK = re.compile(r"(\[[^\]]+\]\([^)]+\))$")  # the last thing in an example


def _literal_but_links(example: str) -> str:
    """An example as Markdown, in which nothing but its link is one."""
    said, *link = _LINK.split(example)[:2]
    return _literal(said) + "".join(link)


page.run(__file__, GlossaryState, words, picture="term", translated=True)
