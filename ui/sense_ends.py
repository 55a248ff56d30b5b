"""The boxes for the two ends of a word's sense axis, and the fields in which a link holds them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple
from zlib import crc32

import streamlit as st

from core.comparison import Ends, dictionary, ends, say
from core.dictionary import NOTICE
from core.figures import style
from core.localization import N_, _, gettext
from core.measures.senses.verdict import Side
from core.records.spelling import UNCASED
from ui import state
from ui.models import answers, model_cache, session_models
from ui.state import Choice, Field, Part, SessionValue, control_sync
from ui.text import plain

SENTENCES_ALONE = N_(
    "This model was trained here, on a small language without the frames around {words}. "
    "The ends are sentences of that language instead."
)
# The name of the list: the model, the compared word, and the words that were named as ends.
_WORDS_LEFT = SessionValue[tuple[str, str, tuple[str, ...]] | None]("words that are no ends", None)
# The meanings chosen of those on offer, the earliest first; one alone while the other is being chosen.
_CHOSEN = SessionValue[tuple[str, tuple[str, ...]]]("meanings chosen", ("", ()))
# The word of which all meanings are shown, where they take more than a row.
_ALL = SessionValue("all meanings shown", "")
MOST_LISTED = 3
ROW = 760  # pixels for the meanings in a row, on a laptop
LETTER, PADDING = 6.5, 34  # pixels: of a letter on a chip, and of what is around its letters
LONG = 16  # letters of a name for which a box is wider
_CHIPS = '[class*="st-key-meanings-chosen"] button[aria-pressed]'
_TIP = (
    "position: absolute; top: calc(100% + .3rem); left: 0; z-index: 9; width: max-content; "
    "max-width: 18rem; padding: .3rem .6rem; border-radius: .4rem; font-size: .8rem; "
    "white-space: normal; text-align: start; color: light-dark(#fff, #10151c); "
    "background: light-dark(#2b3440, #dfe6ee); pointer-events: none;"
)
CONTEXTS = 178  # pixels, the height of a box of contexts with its label


class EndFields(NamedTuple):
    """The fields that hold the ends at −1 and at +1; an empty one takes the page's own end."""

    low: Field[str]
    high: Field[str]


ENDS = EndFields(Field("lo", "low anchors", "", parse=str), Field("hi", "high anchors", "", parse=str))
_SIDES = {"-": "low", "+": "high"}  # as a link has them
# For which sentence a visitor named a meaning that no chip has, and which end it is.
OWN = Choice("ow", "own meaning for", "", ("", *(f"{name}{side}" for name in "AB" for side in _SIDES)))
# The ends that were chosen for two sentences, and these sentences.
_CHOSEN_FOR = SessionValue[tuple[tuple[str, ...], tuple[str, ...]] | None]("ends chosen for", None)


def ends_for(model: str, word: str, texts: Sequence[str]) -> Ends | None:
    """All that is known about a word's two senses; None for an unknown word.

    Args:
        model: its name; a model trained here knows only the sentences of its toy language.
        word: the word.
        texts: the texts on the page, which must not serve as their own reference.
    """
    own = session_models.is_own(model)
    causal = not own and model_cache.model(model).kind == "decoder"
    spelling = UNCASED if own else answers.spelling(model)
    return ends.known(word, texts, spelling, toy=own, causal=causal)


def _typed(fields: EndFields) -> tuple[str, str]:
    """The contents of the two boxes, stripped."""
    return fields.low.get().strip(), fields.high.get().strip()


def unnamed(fields: EndFields) -> str:
    """Say that what stands in a box names no meaning; "" if all do, or are empty (Markdown)."""
    return say.nameless(_typed(fields))


def choose(
    fields: EndFields,
    model: str,
    word: str,
    texts: Sequence[str],
    *,
    proposed: Ends | None = None,
) -> Ends | None:
    """Two boxes of one word each, and behind them all contexts of the ends.

    Args:
        fields: the fields of the ends.
        model: its name.
        word: the word; the page may contain another form of it.
        texts: the texts on the page.
        proposed: two ends for an unknown word.

    Returns:
        None while an end is still empty.
    """
    known = ends_for(model, word, texts)
    if session_models.is_own(model) and known is not None:
        _leave_words(fields, model, word)
    own = known or proposed
    spelling = answers.spelling(model)
    now = ends.settle(_typed(fields), word, own, spelling)
    if now is not None and fields is ENDS and OWN.get() and all(_typed(fields)):
        name, side = OWN.get()[0], OWN.get()[1]
        now = now._replace(own=(name, _SIDES[side]))
    shown = ends.names(_typed(fields), word, own, spelling)
    labels = {1: _("{word} as in …").format(word=word), 0: _("… or as in …")}
    for i, label in labels.items():  # the upper end of the picture first
        _box(fields[i], label, shown[i])
    with st.popover(_("More contexts"), width="content"):
        st.markdown(
            _(
                "Each meaning is the average of its contexts: words that name it, separated by "
                "commas, and sentences with **{word}**, one per line. More contexts give a verdict "
                "more often."
            ).format(word=plain(word))
        )
        for i, where in {1: "+1", 0: "−1"}.items():
            items = ends.contexts(_typed(fields)[i], i, word, own, spelling)
            _area(fields[i], _("“{name}”, at {at}").format(name=shown[i] or "…", at=where), items)
    return now


def meanings(
    fields: EndFields,
    word: str,
    offered: Mapping[str, tuple[str, ...]],
    now: Ends | None,
    first: Side,
) -> None:
    """The meanings of a word as chips, of which two are chosen: a click on a third replaces one.

    Those that take more than a row are shown on demand: the picture stays on the first screen.

    Args:
        fields: the fields of the ends.
        word: the word.
        offered: the name of each meaning -> its words; nothing is drawn for less than two.
        now: the ends in use.
        first: the side of the one that a third meaning replaces first.
    """
    if len(offered) < 2:
        return
    shown = () if now is None else now.names
    weaker = "" if now is None else now.names[first == "high"]
    of, chosen = _CHOSEN.get()
    if of != word or (len(chosen) == 2 and {*chosen} != {*shown}):
        chosen = tuple(sorted((one for one in shown if one in offered), key=lambda one: one != weaker))

    def take(sent: list[str]) -> None:
        # A browser may still report the chips of a word whose sentences are gone: nobody chose these.
        if {*sent} == {*chosen}:
            return
        kept = tuple(one for one in chosen if one in sent)
        two = (*kept, *(one for one in sent if one not in kept))[-2:]
        _CHOSEN.set((word, two))
        if len(two) == 2:
            for field, name in zip(fields, dictionary.sides(two, offered, shown), strict=True):
                items = offered[name]
                field.set(ends.typed_end(name, items, word) if items else "")
            OWN.set("")

    def on_chip(name: str) -> str:
        return plain(called[name])

    called = dict(zip(offered, ends.short([*offered]), strict=True))
    row = [*offered] if _ALL.get() == word else _in_a_row(called, (*shown, *chosen))
    there = [one for one in row if one in chosen]
    key = f"{_CHOSEN.control} {word} {crc32('|'.join(row).encode()):08x}"
    control_sync.send(key, there)
    label = _("*{word}* as in …").format(word=plain(word))
    st.html(_colours(row, shown) + _whole(row, called))
    with st.container(horizontal=True, vertical_alignment="top", gap="small", key="meanings row"):
        st.markdown(
            label,
            width="content",
            help=_(
                "Two meanings are the ends of the axis: a click on a third replaces one of them. "
                "{notice}. Words of your own go into the boxes below the picture."
            ).format(notice=gettext(NOTICE)),
        )
        st.pills(
            label,
            row,
            format_func=on_chip,
            selection_mode="multi",
            default=there,
            key=key,
            on_change=control_sync.on_change(key, take),
            label_visibility="collapsed",
            wrap=True,
        )
        if more := len(offered) - len(row):
            st.button(
                _("{count} more").format(count=more),
                key="more meanings",
                type="tertiary",
                on_click=partial(_ALL.set, word),
            )


def _in_a_row(offered: Mapping[str, str], always: Collection[str]) -> list[str]:
    """The meanings whose chips fit into a row, in their order: those in use, and the first others.

    Args:
        offered: the name of each meaning -> what stands on its chip.
        always: the names of those in use.
    """

    def width(name: str) -> float:
        return LETTER * len(offered[name]) + PADDING

    left = ROW - sum(width(one) for one in offered if one in always)
    row, full = [], False
    for one in offered:
        if one not in always:
            left -= width(one)
            full = full or left < 0
        if one in always or not full:
            row.append(one)
    return row


def _colours(offered: Sequence[str], shown: Sequence[str]) -> str:
    """A style: the chips of the ends in use have the colours and the marks that the picture gives them.

    Args:
        offered: the names on the chips, in order.
        shown: the names of the ends in use, the lower one first; none without ends.
    """
    rules = []
    marks = zip(shown, "▼▲", style.SIGNED_ON_LIGHT, style.SIGNED_ON_DARK, strict=False)
    for name, mark, *pair in marks:
        if name in offered:
            light, dark = ("rgb({} {} {})".format(*one) for one in pair)
            chip = f"{_CHIPS}:nth-child({1 + offered.index(name)})"
            rules += [
                f"{chip} {{--end: light-dark({light}, {dark}); color: var(--end) !important; "
                "border-color: var(--end) !important; "
                "background: color-mix(in srgb, var(--end) 9%, transparent) !important;}",
                f'{chip}::before {{content: "{mark}" / ""; margin-right: .35em; font-size: .75em;}}',
            ]
    return f"<style>{''.join(rules)}</style>"


def _whole(row: Sequence[str], called: Mapping[str, str]) -> str:
    """A style: the whole definition below a chip that has room only for its first words, on hover."""
    rules = [
        f"{_CHIPS}:nth-child({i}):is(:hover, :focus-visible)::after "
        f'{{content: {_quoted(name)} / ""; {_TIP}}}'
        for i, name in enumerate(row, 1)
        if called[name] != name
    ]
    return f"<style>{_CHIPS} {{position: relative; overflow: visible;}} {''.join(rules)}</style>"


def _quoted(text: str) -> str:
    """A text as a string in a style sheet; no sign of it can end the string, or the sheet."""
    return (
        '"'
        + "".join(one if one.isalnum() or one in " -'…" else f"\\{ord(one):x} " for one in text)
        + '"'
    )


def own_meaning(fields: EndFields, word: str, now: Ends | None, name: str, side: Side) -> None:
    """A box for a meaning that no chip has, such as a name: it takes the place of one end.

    Args:
        fields: the fields of the ends.
        word: the compared word.
        now: the ends in use.
        name: the sentence in which the chosen meanings describe the word least, "A" or "B".
        side: the end that the typed word replaces; the other one stays as it is.
    """
    if now is None:
        return

    def replace(typed: str) -> None:
        if not (typed := typed.strip()):
            return
        take(fields, word, now)
        (fields.low if side == "low" else fields.high).set(typed)
        OWN.set(name + ("-" if side == "low" else "+"))

    box = Part(f"{fields.high.key} own meaning", lambda: "", replace)
    state.text(
        box,
        _("None of these in {name}? Name what {word} means there, in one word:").format(
            name=name, word=word
        ),
        follows=False,
        width=320,
        placeholder=_("None of these in {name}? One word for it …").format(name=name),
        named=False,
    )


def take(fields: EndFields, word: str, chosen: Ends) -> None:
    """Set both ends, as if a visitor had named them.

    Args:
        fields: the fields of the ends.
        word: the word.
        chosen: the ends.
    """
    for field, name, items in zip(fields, chosen.names, (chosen.low, chosen.high), strict=True):
        field.set(ends.typed_end(name, items, word))
    OWN.set("")


def leave_if_others(fields: EndFields, word: str, texts: tuple[str, ...]) -> None:
    """Forget ends that were chosen for other sentences: meanings on chips, and a word for one of them.

    A sentence that was only changed is still the same: a word that settles it may have been added.

    Args:
        fields: the fields of the ends.
        word: the word.
        texts: the texts on the page.
    """
    typed, own = _typed(fields), OWN.get()
    chosen = own or any(dictionary.is_meaning(ends.end_of(one, word)[1], word) for one in typed if one)
    if not chosen:
        _CHOSEN_FOR.set(None)
        return
    now, before = (word.casefold(), *typed, own), _CHOSEN_FOR.get()
    if before is None or before[0] != now:
        _CHOSEN_FOR.set((now, texts))
        return
    others = [
        not ends.continues(first, text, word) for first, text in zip(before[1], texts, strict=True)
    ]
    if others["AB".index(own[0])] if own else all(others):
        for field in (*fields, OWN):
            field.set(field.default)


def _box(field: Field[str], label: str, now: str) -> None:
    """The box for the name of one end; a name that is typed there replaces all its contexts."""
    one = _box_of(field, "box", now)
    # A pause must not send an empty box: the end's own name would come back while the visitor types
    # another.
    width = 130 if len(now) < LONG else 200
    state.text(one, label, follows=False, width=width, placeholder=_("one word"))


def _area(field: Field[str], label: str, now: str) -> None:
    """The box for all contexts of one end, behind the two small boxes."""
    state.paragraph(_box_of(field, "contexts", now), label, height=CONTEXTS)


def _box_of(field: Field[str], what: str, now: str) -> Part[str]:
    """The name of an end's box for this content, which is the field's value only if it was typed."""

    def take(typed: str) -> None:
        field.set(typed.strip())
        OWN.set("")

    return Part(f"{field.key} {what}", lambda: now, take)


def _leave_words(fields: EndFields, model: str, word: str) -> None:
    """Keep only the sentences of each end: the model knows no frame in which a word could stand."""
    left, spelling = list[str](), answers.spelling(model)
    for field, typed in zip(fields, _typed(fields), strict=True):
        kept, words = ends.sentences_alone(typed, word, spelling)
        if words:
            left += words
            field.set(kept)
    if left:
        _WORDS_LEFT.set((model, word, tuple(dict.fromkeys(left))))
    elif any(_typed(fields)):  # the ends have changed since
        _WORDS_LEFT.set(None)


def words_left(model: str, word: str) -> str:
    """Say which words were named as ends but mean nothing to this model; "" if none.

    Args:
        model: the name of the model.
        word: the compared word.
    """
    of = _WORDS_LEFT.get()
    if of is None or of[:2] != (model, word):
        return ""
    named = [f"*{plain(one)}*" for one in of[2][:MOST_LISTED]]
    more = len(of[2]) - len(named)
    return gettext(SENTENCES_ALONE).format(
        words=", ".join(named) + (_(" and {count} more").format(count=more) if more else "")
    )
