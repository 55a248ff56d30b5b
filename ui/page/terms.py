"""Terms of the field in a page's words: each links to the glossary, and shows its meaning on the spot.

The link has a title, which a browser shows under the pointer; a stylesheet shows it on keyboard focus.
The glossary opens in a new tab, so that the page stays as it is.
"""

from __future__ import annotations

import re
from functools import cache

import streamlit as st

from core import glossary, localization
from core.markdown import LABEL, TARGET
from core.memory import cached
from ui.session import SessionValue

# Words that also have an everyday meaning ("press a key", "keep their values"): a page's words mark the
# term by hand, as [key](glossary).
PLAIN = frozenset(
    {"key", "keys", "value", "values", "scaling", "score", "scores", "end", "ends", "alone", "adds"}
    | {"position", "positions", "cut", "cuts", "cutting"}
    | {
        "ende",
        "enden",
        "allein",
        "wort allein",
        "trägt bei",
        "schnitt",
        "schnitte",
        "überraschung",
        "zweig",
        "zweige",
    }
    | {"position", "positionen", "value", "beitrag", "beiträge"}
)
# Terms that captions name in every line; the words of each page link them.
COMMON = frozenset({"attention", "attention head", "layer", "token", "encoder", "decoder"})
MARK = "glossary"  # the target of such a link
# What is not running text: code, formulas, links and images, headings, and emphasised text such as
# names of pages and the first words of a paragraph.
# A run of stars is one mark, and is tried once.
_EMPHASIS = r"(?<!\*)\*+[^*\n]+\*+"
_APART = re.compile(
    rf"(`[^`]*`|{_EMPHASIS}|\$\$.*?\$\$|\$[^$\n]+\$|!?\[{LABEL}*\]\({TARGET}*\)|^#+ .*$)",
    re.DOTALL | re.M,
)
_MARKED = re.compile(rf"\[({LABEL}+)\]\({MARK}\)")
_QUOTED = re.compile(r"(“[^“”]*”)")
_EMPHASISED = re.compile(r"(?<!\*)\*+([^*\n]+)\*+")
_ANCHOR = re.compile(r"\(glossary\?g=([a-z0-9-]+) ")

STYLE = """<style>
a[href*="glossary?g="] {color: inherit !important; text-decoration: underline dotted 1px;
text-underline-offset: .2em; position: relative;}
a[href*="glossary?g="]:hover {text-decoration-style: solid;}
a[href*="glossary?g="]:focus-visible::after {content: attr(title) / ""; position: absolute; z-index: 9;
left: 0; top: 1.5em; width: max-content; max-width: min(22rem, 80vw); padding: .5rem .7rem;
border-radius: .4rem; font-size: .85rem; line-height: 1.35; white-space: normal; text-align: left;
color: light-dark(#fff, #10151c); background: light-dark(#20262e, #e8ecf1);}
</style>"""


# The terms that captions of this page have linked, and at which place; "" for the page's own words. A
# part of a page that runs alone then links the same terms again, and no others.
_OWNERS = SessionValue[dict[str, str]]("terms linked", {})


def linked(markdown: str) -> str:
    """The words with the first occurrence of each term as a link to the glossary (Markdown).

    Code, formulas, links, headings and emphasised text stay as they are. Of a language that inflects
    its words, those forms are found that its glossary has; a language without one links nothing.
    """
    own = localization.current()
    return _linked_whole(markdown, own) if glossary.is_in(own) else _unmarked(markdown)


@cached()  # a page's words are the same in each run; a lesson's contain a visitor's texts
def _linked_whole(markdown: str, language: str) -> str:
    return _linked(markdown, frozenset(), language)[0]


def linked_but(markdown: str, name: str) -> str:
    """The same for the meaning of a term, which does not link to itself (Markdown).

    A meaning links others in its own language.
    """
    return _linked(markdown, frozenset({name}), _language())[0]


def in_meaning(one: glossary.Term) -> tuple[glossary.Term, ...]:
    """The terms that stand in the meaning of a term, in their order."""
    found = (
        glossary.find(anchor, _language())
        for anchor in _ANCHOR.findall(linked_but(one.meaning, one.name))
    )
    return tuple(term for term in found if term)


def _language() -> str:
    own = localization.current()
    return own if glossary.is_in(own) else localization.ENGLISH


def _unmarked(markdown: str) -> str:
    """The words without the marks of terms."""
    return _MARKED.sub(r"\1", markdown)


def caption(markdown: str, place: str, more: str | None = None) -> None:
    """Draw a caption with links for the terms that no other text of this page has linked above.

    What a caption names all the time, such as a head and its number, gets no link in it, nor does a
    quotation, which may be a visitor's.

    Args:
        markdown: the caption, with all that a visitor typed in quotation marks or emphasised.
        place: the name of its place on the page, the same in each run.
        more: what is shown only on demand, behind a question mark.
    """
    own_language = localization.current()
    if not glossary.is_in(own_language):
        st.caption(_unmarked(markdown), help=more)
        return
    owners = _OWNERS.get()
    others = {name for name, owner in owners.items() if owner != place}
    own = {name: owner for name, owner in owners.items() if owner != place}
    made = []
    for i, part in enumerate(_QUOTED.split(markdown)):
        but = _names() if i % 2 else frozenset((*others, *COMMON))
        linked_part, used = _linked(part, but, own_language)
        others |= used
        own |= dict.fromkeys(used, place)
        made.append(linked_part)
    _OWNERS.set(own)
    st.caption("".join(made), help=more)


def begin(*above: str) -> None:
    """Begin a page: no caption has linked a term yet.

    Args:
        above: the page's own words that stand above its captions, as `linked` draws them.
    """
    drawn = " ".join(map(linked, above))
    found = (glossary.find(anchor) for anchor in _ANCHOR.findall(drawn))
    _OWNERS.set({one.name: "" for one in found if one})


def _linked(
    markdown: str, but: frozenset[str], language: str = localization.ENGLISH
) -> tuple[str, frozenset[str]]:
    """The words with links, and the names of the terms that are linked; `but` are not."""
    forms, pattern = _forms(language)
    used: set[str] = set()

    def by_hand(match: re.Match[str]) -> str:
        term = forms.get(match[1].casefold())
        if term is None:  # a form that the glossary of this language does not have
            return match[1]
        used.add(_english(term))
        return _link(match[1], term)

    def link(match: re.Match[str]) -> str:
        term = forms[match[0].casefold()]
        if (
            {_english(term), term.name} & (used | but)
            or match[0].casefold() in PLAIN
            or not _in_its_case(match[0], term)
        ):
            return match[0]
        used.add(_english(term))
        return _link(match[0], term)

    parts = _APART.split(_MARKED.sub(by_hand, markdown))
    made = "".join(part if i % 2 else pattern.sub(link, part) for i, part in enumerate(parts))
    return made, frozenset(used)


def named_in(markdown: str) -> tuple[glossary.Term, ...]:
    """The terms that a text introduces, by emphasis, and then those that stand in it otherwise.

    They are those of its language, in the forms that the glossary has.
    """
    own = _language()
    emphasised = " ".join(
        f"[{one}]({MARK})" for one in _EMPHASISED.findall(markdown) if one.casefold() in _forms(own)[0]
    )
    whole = _linked(f"{emphasised} {markdown.replace('*', '')}", frozenset(), own)[0]
    anchors = dict.fromkeys(_ANCHOR.findall(whole))
    return tuple(one for anchor in anchors if (one := glossary.find(anchor, own)))


def _english(term: glossary.Term) -> str:
    """The name by which a term is known in every language."""
    return term.english or term.name


def _link(text: str, term: glossary.Term) -> str:
    return f'[{text}](glossary?g={term.anchor} "{term.meaning}")'


def _in_its_case(text: str, term: glossary.Term) -> bool:
    """Whether the case is right: an abbreviation counts only as it is written, "PCA" but not "pca"."""
    return not any(form.isupper() for form in term.forms if form.casefold() == text.casefold()) or (
        text in term.forms
    )


@cache
def _names() -> frozenset[str]:
    return frozenset(term.name for term in glossary.terms())


@cache
def _forms(language: str = localization.ENGLISH) -> tuple[dict[str, glossary.Term], re.Pattern[str]]:
    """Each form in lower case -> its term; and a pattern that finds any form, the longest first."""
    forms = {form.casefold(): term for term in glossary.terms(language) for form in term.forms}
    longest = sorted(forms, key=len, reverse=True)
    found = "|".join(re.escape(form) for form in longest)
    return forms, re.compile(rf"(?<![\w-])(?:{found})(?![\w-])", re.IGNORECASE)
