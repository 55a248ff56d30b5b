"""Parts of a page as a lesson names them: which elements they are, and the style that hides some."""

from __future__ import annotations

from collections.abc import Sequence

from core.localization import _

# Parts that stand within a picture, whose styles are its own: what they take from the page.
IN_PICTURES = {"trajectory-words": "--polysee-sentences"}  # the sentences, and what each word adds


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
    within = "".join(f":root {{{IN_PICTURES[one]}: none;}}" for one in names if one in IN_PICTURES)
    places = selector(names)
    alone = f":has(> [data-testid=stVerticalBlock] > :only-child > :is({places}))"
    places = f":is({places}), [data-testid=stColumn]{alone}"
    return f"<style>{places} {{display: none !important;}}{within}</style>"


def covered(names: Sequence[str], says: str = "") -> str:
    """The style that hides what would say the answer, for the eye and for a screen reader alike.

    Args:
        names: of parts of the page; "numbers-*" stands for all whose names begin with "numbers-".
        says: what stands in their place; "" for how they are revealed.
    """
    if not names:
        return ""
    places, said = selector(names), says or _("Hidden until you press Reveal.")
    return f"""<style>
:is({places}) * {{visibility: hidden !important;}}
:is({places}) {{position: relative; border-radius: .5rem; min-height: 2.2rem;
max-height: 14rem; overflow: hidden; background:
repeating-linear-gradient(45deg, transparent 0 8px, light-dark(#0001, #fff1) 8px 16px);}}
:is({places})::before {{content: "{said}"; position: absolute; left: .8rem; top: .4rem;
font-size: .875rem; opacity: .8;}}
:is({places}) :is({places}) {{background: none;}}
:is({places}) :is({places})::before {{content: none;}}  /* a part in a part is covered with it */
</style>"""


def first(names: Sequence[str]) -> str:
    """The style that puts parts before the controls above them, on a phone; "" for none.

    A part that stands deep in the page takes all that it stands in along. What came before it, and is
    not a text that is asked about, follows it; what came behind it comes last.

    Args:
        names: of parts of the page; "numbers-*" stands for all whose names begin with "numbers-".
    """
    if not names:
        return ""
    part = f":is({selector(names)})"
    holds, card = f":is({part}, :has({part}))", ":is(.st-key-lesson, :has(.st-key-lesson))"
    text = ":has(textarea):not(:has(button[data-variant=segmented_control]))"
    above = f":not({card}, :has(~ .st-key-lesson, ~ * .st-key-lesson), {text})"
    block = ".stMain :is([data-testid=stVerticalBlock], [data-testid=stHorizontalBlock])"
    return f"""<style>@media (max-width: 640px) {{
{block} > :has(~ {part}, ~ * {part}):not({holds}){above} {{order: 1;}}
{block} > {holds} ~ :not({holds}, {card}, :has(~ {part}, ~ * {part})) {{order: 2;}}
}}</style>"""
