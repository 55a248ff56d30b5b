"""Glossary: one term of the field in full, with the page that shows it, and a line for each other."""

from __future__ import annotations

from functools import partial
from urllib.parse import parse_qsl

import streamlit as st

from core import glossary
from core.glossary import Term
from core.localization import _, current, gettext
from pages.glossary.state import GlossaryState
from ui import navigation, page, same_in_python, state, text
from ui.page import leads, terms
from ui.session import SessionValue
from ui.state import text as text_box

_SUBJECT = SessionValue("glossary subject", 0)  # that of the term, among all of them
_FROM_A_TO_Z = "glossary from a to z"
_SAID = "first-sentence"
# The term in letters that can be read from the back of a room. Below it, each name has a column of its
# own, as in a table; on a phone, a line.
_STYLE = f"""<style>
.st-key-{_SAID} p {{font-size: 1.35rem; line-height: 1.4;}}
[class*="st-key-try-term"] button {{justify-content: flex-start; min-height: 2rem;
padding: .15rem .5rem;}}
[class*="st-key-try-term"] button > div {{width: 100%; justify-content: flex-start;}}
[class*="st-key-try-term"] p {{text-align: left; padding-inline-start: 14rem; text-indent: -14rem;}}
[class*="st-key-try-term"] strong {{display: inline-block; width: 14rem; padding-inline-end: 1rem;
text-indent: 0; vertical-align: top; color: light-dark(#2c6199, #7cb2ea);}}
.st-key-all-terms {{gap: .1rem;}}
@media (max-width: 640px) {{
[class*="st-key-try-term"] p {{padding-inline-start: 0; text-indent: 0;}}
[class*="st-key-try-term"] strong {{display: block; width: auto;}}
}}
</style>"""


def words(s: GlossaryState) -> None:
    """The search, one term in full, and below it those of its subject, or those that were found."""
    st.html(_STYLE)
    chosen = glossary.find(s.term.get(), current())
    typed = text_box(s.typed, _("Find a term"))
    found = glossary.matching(typed, current())
    if not found:
        none = _("No term contains “{typed}”. Look for a shorter word.")
        st.info(none.format(typed=text.plain(typed.strip()[:40])))
    else:
        shown = chosen if chosen in found else found[0]
        if not typed.strip():
            found = _of_its_subject(s, shown)
        _entry(s, shown)
        with st.container(key="all terms"):
            for one in found:
                _line(s, one, shown)
    _from_a_to_z(s)
    same_in_python.show(s.python, partial(_lines, chosen))


def _of_its_subject(s: GlossaryState, shown: Term) -> tuple[Term, ...]:
    """Choose a subject, which opens its first term; returns the terms of the one that is shown."""
    every = glossary.terms(current())
    subjects = list(dict.fromkeys(one.subject for one in every))
    _SUBJECT.set(subjects.index(shown.subject))

    def opened() -> None:
        subject = subjects[_SUBJECT.get()]
        s.term.set(next(one.anchor for one in every if one.subject == subject))

    names = dict(enumerate(subjects))
    state.select(_SUBJECT, names, _("Subject"), style="segments", wrap=True, changed=opened)
    return tuple(one for one in every if one.subject == shown.subject)


def _from_a_to_z(s: GlossaryState) -> None:
    """Every term by its name alone."""
    every = sorted(glossary.terms(current()), key=lambda one: one.name.casefold())
    with st.expander(_("All {count} terms from A to Z").format(count=len(every))):
        names = {one.name: one for one in every}
        state.offer(_FROM_A_TO_Z, names, _("Open a term"), lambda name: _open(s, names[name]))


def _open(s: GlossaryState, one: Term) -> None:
    s.term.set(one.anchor)
    s.typed.set("")


def _line(s: GlossaryState, one: Term, shown: Term) -> None:
    """A term and what it is; its button opens it, and brings it into view as an example does."""
    st.button(
        f"**{one.name}** {_literal(one.in_a_line)}",
        key=f"try-term {one.anchor}",
        type="secondary" if one == shown else "tertiary",
        width="stretch",
        on_click=s.term.set,
        args=(one.anchor,),
    )


def _lines(chosen: Term | None) -> dict[str, str]:
    """Python code for the requested term, or the names of all terms."""
    asked = f"glossary.find({chosen.anchor!r})" if chosen else "[one.name for one in glossary.terms()]"
    return {"Python": f"from core import glossary\n\n{asked}"}


def _entry(s: GlossaryState, one: Term) -> None:
    """A term in full."""
    with st.container(border=True, key="term"):
        st.markdown(f"### {one.name}")
        with st.container(key=_SAID):
            st.markdown(_literal(one.in_a_line))
        if one.formula:
            st.markdown(f"$$\n{one.formula}\n$$")
        if one.further:
            st.markdown(_literal(one.further))
        st.markdown(_("*For example:* {example}").format(example=_literal(one.shown_by)))
        _where_it_shows(one)
        within = {other.name: other for other in terms.in_meaning(one)}
        if within:
            state.offer(
                f"glossary within {one.anchor}",
                within,
                _("Terms in it"),
                lambda name: _open(s, within[name]),
            )
        paper = _("Paper: {paper}").format(paper=one.paper)
        code = _("Code: {code}").format(code=f"`{one.code}`")
        also = [_("Also: {forms}").format(forms=", ".join(one.also))] if one.also else []
        st.caption(" · ".join([paper, code, *also]))


def _where_it_shows(one: Term) -> None:
    """A link to the page that shows the term."""
    address, _sign, query = one.see.removeprefix("./").partition("?")
    folder = navigation.folder(address)
    title = gettext(navigation.pages()[folder].title)
    leads.down(_("See it on {page}").format(page=title), folder, dict(parse_qsl(query)))


def _literal(said: str) -> str:
    """Our words as Markdown in which [CLS] is not a link, and ## not a heading."""
    return said.replace("[", r"\[").replace("#", r"\#")


page.run(__file__, GlossaryState, words, picture="term", translated=True)
