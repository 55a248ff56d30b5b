"""The frame of each page: its title, its tools, "Try this" and its footnotes."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.localization import _
from ui import layout, permalink
from ui.classroom import asked
from ui.page import english_parts, leads, menu, no_break, prose, terms, try_this_view
from ui.state import PROJECTOR, thread, toggle

_IN_A_ROW = 3  # examples
# Streamlit leaves 6 rem above a page; with less, the first picture fits on a laptop's screen. Dark
# mode's light blue accent would drown white letters, so the letters are dark there. Streamlit also
# removes the border that a choice shares with the chosen one beside it: where choices break into lines,
# the border is missing. On a phone, where they do break, each choice has its own border, corners and
# margin. Streamlit's own CSV of a table would hold formulas that somebody typed (`core.spreadsheet`).
# Its captions and quotations have 3.9 times the contrast of their ground; small letters need 4.5 (WCAG
# 2.2, AA).
_STYLE = """<style>
.stMainBlockContainer {padding-top: 3.6rem; padding-bottom: 2rem;}
.stMainBlockContainer h1 {padding: 0 0 .2rem 0;}
.stMain .stPageLink a {padding: 0; min-height: 0; background: none;}
.stMain .stPageLink p {font-size: .875rem; color: light-dark(#2c6199, #7cb2ea); margin: 0;}
.stMain .stPageLink a:is(:hover, :focus-visible) p {text-decoration: underline;}
:is([data-testid="stSidebarNavLink"], .stPageLink a):focus-visible {
outline: 2px solid light-dark(#3B6EA8, #7FB2E5); outline-offset: 1px;}
.st-key-point button {min-height: 2.1rem; padding-block: .1rem;}
.st-key-trail {margin: 0 0 -1rem; row-gap: 0;}
.st-key-trail p {font-size: .875rem; margin: 0; line-height: 1.3;}
.st-key-trail [data-testid="stMarkdownContainer"] {margin: 0;}
.st-key-verdict p {font-size: 1.15rem; line-height: 1.35;}
.st-key-verdict [data-testid="stCaptionContainer"] p {font-size: .875rem;}
.st-key-ways-on {row-gap: 0; align-items: baseline;}
.st-key-ways-on button {min-height: 1.6rem; padding-block: 0;}
:is(.st-key-ways-on, .st-key-more-meanings) button p {
font-size: .875rem !important; color: light-dark(#2c6199, #7cb2ea); text-decoration: underline;}
[data-testid="stBaseButton-primary"]:not(:disabled), .stMultiSelect [data-tag],
.stMultiSelect [data-tag] button {color: light-dark(#fff, #10151c);}
[data-testid="stBaseButton-primary"] kbd {opacity: 1;}
[data-testid="stCaptionContainer"] {
opacity: 1; color: color-mix(in srgb, currentColor 75%, transparent);}
.stMain [data-testid="stMarkdownContainer"] blockquote {opacity: .8;}
.stMain [data-testid="stAlert"] :is(blockquote, blockquote p) {opacity: 1 !important; color: inherit;}
[data-testid="stCaptionContainer"] code {color: inherit;}
[data-testid="stElementToolbarButton"]:has([aria-label^="Download as CSV"]) {display: none;}
button[data-variant="segmented_control"]:not([data-selected]) {
border-color: color-mix(in srgb, currentColor 20%, transparent) !important;}
:has(> .st-key-none-fits) {order: 1;}  /* behind what else can be done */
.st-key-meanings-row {flex-wrap: nowrap; row-gap: 0;}
.st-key-meanings-row > :first-child {flex-shrink: 0; padding-top: .3rem;}
.st-key-meanings-row > :nth-child(2) {flex: 1 1 0 !important; min-width: 0; max-width: 100%;}
.st-key-more-meanings {flex-shrink: 0;}
@media (max-width: 640px) {  /* in a column, Streamlit lets choices scroll: six and fewer have lines */
.stColumn [role="radiogroup"]:not(:has(> :nth-child(7))) {flex-wrap: wrap;}
:has(> button[data-variant="segmented_control"]) {gap: .25rem;}
button[data-variant="segmented_control"] {border-radius: .5rem; margin: 0;}
:has(> button[data-variant="segmented_control"]:nth-child(6)) > button {padding-inline: .45rem;}
:has(> button[data-variant="segmented_control"]:nth-child(6)) > button p {font-size: .8rem;}
/* Thirty layers are a row to scroll: lines would push the picture off. */
:has(> button[data-variant="segmented_control"]:nth-child(16)) {flex-wrap: nowrap; overflow-x: auto;}
:has(> button[data-variant="segmented_control"]:nth-child(16)) > button {flex-shrink: 0;}
/* Rows that scroll hide what can be chosen: these wrap, each below its label. */
.st-key-meanings-row {flex-wrap: wrap !important;}
.st-key-meanings-row > :nth-child(2) {flex-basis: 100% !important;}
.st-key-meanings-row :has(> button + button) {gap: .25rem;}
.st-key-meanings-row :has(> button + button) > button {min-height: 1.7rem; padding-block: 0;}
.st-key-meanings-row :has(> button + button) > button p {font-size: .8rem;}
.st-key-first > :has(> .st-key-meanings-by-name) {order: 1;}
.st-key-point {row-gap: .2rem; margin-bottom: -.5rem;}
.st-key-first > * > .stHorizontalBlock:has(> .stColumn) {row-gap: .5rem;}
.stMainBlockContainer:has(.st-key-meanings-row, .st-key-meanings-by-name) .st-key-point {display: none;}
.stMainBlockContainer:has(.st-key-meanings-row, .st-key-meanings-by-name) h1 {font-size: 1.5rem;}
:has(> .st-key-senses-word-control) {flex-wrap: nowrap !important; gap: .5rem;}
:has(> .st-key-senses-word-control) > * {
width: auto !important; min-width: 0 !important; flex: 4 1 0 !important;}
:has(> .st-key-senses-word-control) > .st-key-senses-preset-control {flex-grow: 7 !important;}
:has(> button[data-variant="segmented_control"]:nth-child(16)) > [data-selected] {
scroll-initial-target: nearest;}  /* of such a row alone: else the page would scroll to it */
.stMain .stPageLink a :is(span, p) {white-space: normal;}
.st-key-striking > :first-child {order: 1;}  /* the head before the words about it */
}
</style>"""
# With larger letters, the page leaves less room above, so that the first picture still fits on the
# screen.
_PROJECTOR_STYLE = f"""<style>
button[data-variant="segmented_control"] {{padding-inline: .7rem !important;}}
html {{font-size: {100 * layout.LARGER:.0f}% !important;}}
.stMainBlockContainer {{padding-top: 2rem;}}
@media (max-height: 800px) {{  /* a verdict says more than the page's title and promise */
.stMainBlockContainer:has(.st-key-verdict) {{padding-top: 2.8rem;}}
.stMainBlockContainer:has(.st-key-verdict) .st-key-point {{display: none;}}
.stMainBlockContainer:has(.st-key-verdict) .stElementContainer:has(> .stHeading) {{
position: absolute; clip-path: inset(50%);}}
}}
</style>"""


def head(words: prose.Prose, offer: Callable[[], None] | None = None) -> None:
    """Draw the title and the point of the page, on the screen before anything is computed.

    Args:
        words: the words of the page.
        offer: draws what a newcomer is offered beside the point.
    """
    short_head(words)
    terms.begin(words.point)
    if offer is None:
        st.markdown(terms.linked(words.point))
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="point"):
        st.markdown(terms.linked(words.point), width="content")
        offer()


def short_head(words: prose.Prose) -> None:
    """Draw the title alone, where a lesson says what the page is for."""
    st.html(_STYLE + terms.STYLE)
    leads.up()
    st.title(words.title, anchor=False)


def tools(fields: permalink.Fields) -> None:
    """In the sidebar: large type for a projector, and a button to reset the page.

    Args:
        fields: the fields that a reset sets to their defaults.
    """
    with st.sidebar:
        english_parts.switch()
        large = toggle(PROJECTOR, _("Large type, for a projector"))
    if large:
        st.html(_PROJECTOR_STYLE)
    st.sidebar.button(
        _("Reset the page"),
        key="reset",
        on_click=_reset,
        args=(fields,),
        width="stretch",
        help=_(
            "Sets the texts, words, layers and all other choices of this page back to what they were "
            "when it first opened. Other pages stay as they are, and nothing from this page is carried "
            "over to them."
        ),
    )
    with st.sidebar:
        menu.fold_after_a_choice()
        no_break.keep()


def _reset(fields: permalink.Fields) -> None:
    permalink.go(fields, {})
    thread.end()


def try_this(words: prose.Prose, fields: permalink.Fields, picture: str = "") -> None:
    """Draw the buttons that set the page, each with a note on what to look for; not before a class.

    Args:
        words: the words of the page.
        fields: the fields that the buttons set.
        picture: the key of the container of the picture that the examples are about, with "-" for " ";
            "" for the first picture of the page. A button brings it into view.
    """
    if asked.is_open():  # the notes say what comes out, and the class sees this page
        return
    title, *columns = st.columns([1, *[3] * len(words.tries)])
    with title:
        st.markdown("**" + _("Try this") + "**")
        try_this_view.bring(picture)
    for i, (column, item) in enumerate(zip(columns, words.tries, strict=True)):
        _example(column, f"try {i}", item, fields)
    if words.more:
        with st.expander(_("More examples")):
            for first in range(0, len(words.more), _IN_A_ROW):
                row = words.more[first : first + _IN_A_ROW]
                for i, column in enumerate(st.columns(_IN_A_ROW)[: len(row)]):
                    _example(column, f"try more {first + i}", row[i], fields)


def _example(column: DeltaGenerator, key: str, item: prose.Try, fields: permalink.Fields) -> None:
    args = fields, dict(item.state)
    column.button(item.label, key=key, width="stretch", on_click=permalink.go, args=args)
    if item.look_for:
        with column:
            terms.caption(item.look_for, key)


def computed(words: prose.Prose) -> None:
    """Draw how the page computes its numbers, folded."""
    with st.expander(_("How it is computed")):
        english_parts.say_computed(words)
        st.markdown(terms.linked(words.computed))


def limitations(words: prose.Prose) -> None:
    """Draw what the numbers of the page do not say."""
    title = _("What it does not say.")
    st.caption(f"**{title}** {terms.linked(words.limitations)}")
