"""What a class answered before a lesson and after it, below the wall: drawn once it is revealed.

The counts stand at once. What students wrote is folded, for the teacher to read first: each text has a
button that hides it from the wall and from the file of the room.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pandas as pd
import streamlit as st

from core import spreadsheet
from core.classroom import Evidence, Wall, Words
from core.lessons import misconceptions
from core.localization import _, ngettext
from ui import text

MOST_SHOWN = 30  # texts of one moment, each with a button; the file has all
_STYLE = f"<style>{Path(__file__).with_name('evidence.css').read_text('utf-8')}</style>"
COLUMNS = (
    "row",  # answer, change or reason: whoever counts takes the rows of one kind
    "question",
    "asked",
    "text",
    "answer",
    "answer before",
    "count",
    "count before",
    "model",
    "right",
    "misconception",
    "why",
)


def show(found: Evidence, hide: Callable[[str, bool], None]) -> None:
    """Draw the answers to one question, before and after beside each other.

    Args:
        found: the answers.
        hide: hides a text that was written, or shows it again; called in a callback.
    """
    with st.container(key="class evidence", gap="xsmall"):
        st.html(_STYLE + _table(found))
        for words in (moved(found), *ideas(found)):
            if words:
                st.markdown(words)
        _written(found, hide)


def _table(found: Evidence) -> str:
    """A row for each choice, with a bar for each of the two moments on one scale."""
    most = max(*found.before, *(found.after or (0,)), 1)
    rows = "".join(
        f"<tr{' class=right' if i == found.right else ''}><th scope=row>"
        f"{'✓ ' if i == found.right else ''}{html.escape(label)}</th>"
        f"{_bar(found.before[i], most)}{_bar(found.after[i], most) if found.after else ''}</tr>"
        for i, label in enumerate(found.question.options)
    )
    heads = "".join(
        f"<th scope=col>{moment} ({sum(counts)})</th>"
        for moment, counts in ((_("Before"), found.before), (_("After"), found.after))
        if counts or counts is found.before
    )
    return (
        '<div class="polysee-evidence"><table><caption>'
        + _("The same question, before and after")
        + "</caption>"
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _bar(times: int, most: int) -> str:
    """A cell with a bar and its number."""
    drawn = f'<span aria-hidden="true"><i style="width:{100 * times / most:.1f}%"></i></span>'
    return f"<td><div>{drawn}<b>{times}</b></div></td>"


def moved(found: Evidence) -> str:
    """What changed, in a sentence; "" where nobody answered twice or nothing is revealed."""
    if not found.both or found.right is None:
        return "" if found.after else _("It was asked once. Ask it again after the lesson.")
    to, away, between = found.moved()
    same = found.both - to - away - between
    stayed = found.changes[found.right][found.right]
    parts = [
        _("**{count}** changed to the right answer").format(count=to),
        _("{count} away from it").format(count=away) if away else "",
        _("{count} from one wrong answer to another").format(count=between) if between else "",
        _("{count} kept theirs ({right} the right one)").format(count=same, right=stayed),
    ]
    who = ngettext(
        "Of one who answered twice", "Of {count} who answered both times", found.both
    ).format(count=found.both)
    return f"{who}, {', '.join(filter(None, parts))}."


def ideas(found: Evidence) -> list[str]:
    """The misconceptions that the answers showed, each with what is the case."""
    known = misconceptions()
    return [
        f"“{one.says}”: {_times(idea.before, idea.after)}. {one.instead}"
        for idea in found.ideas
        if (one := known.get(idea.name)) is not None and (idea.before or idea.after)
    ]


def _times(before: int, after: int | None) -> str:
    if after is None:
        return f"**{before}**"
    return _("before **{before}**, after **{after}**").format(before=before, after=after)


def _written(found: Evidence, hide: Callable[[str, bool], None]) -> None:
    """What students wrote, folded; the two moments beside each other."""
    before, after = (_("Before"), found.wrote_before), (_("After"), found.wrote_after)
    reasons((before, after) if found.wrote_after else (before,), hide)


def reasons(moments: Sequence[tuple[str, Sequence[Words]]], hide: Callable[[str, bool], None]) -> None:
    """Draw what students wrote, folded, and nothing where they wrote nothing.

    Args:
        moments: the moments beside each other: the name of each ("" for the only one), and its words.
        hide: see `show`.
    """
    many = sum(one.times for _name, words in moments for one in words)
    if not many:
        return
    with st.expander(_("What they wrote ({count}): read it before you show it").format(count=many)):
        for moment, (column, (name, words)) in enumerate(
            zip(st.columns(len(moments)), moments, strict=True)
        ):
            with column:
                if name:
                    st.markdown(f"**{name}**")
                for i, one in enumerate(words[:MOST_SHOWN]):
                    _one(one, f"{moment} {i}", hide)
                if more := words[MOST_SHOWN:]:
                    st.caption(_("{count} more are in the CSV.").format(count=len(more)))
        st.caption(_("What you hide is also left out of the CSV. Nothing of it outlasts the room."))


def _one(words: Words, key: str, hide: Callable[[str, bool], None]) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        times = f" **× {words.times}**" if words.times > 1 else ""
        st.markdown(_("*hidden*") if words.hidden else f"“{text.plain(words.text)}”{times}")
        st.button(
            _("Show") if words.hidden else _("Hide"),
            key=f"class words {key}",
            type="tertiary",
            on_click=partial(hide, words.text, not words.hidden),
        )


def table(walls: Sequence[Wall], found: Sequence[Evidence]) -> str:
    """All answers of a room as CSV.

    Args:
        walls: its rounds: a row for each answer to each question, with the model's probability where
            it has one, and a row for each reason.
        found: its questions before and after: a row for each change from one answer to another.
    """
    rows: list[dict[str, object]] = []
    for wall in walls:
        if wall.question is None:
            continue
        about = "\n".join(wall.question.about)
        of = {"row": "answer", "question": wall.round, "asked": wall.question.text, "text": about}
        shows = wall.question.shows or ("",) * len(wall.tally.bars)
        rows += [
            {
                **of,
                "answer": bar.label,
                "count": bar.times,
                "count before": bar.before,
                "model": bar.share,
                "right": "" if bar.right is None else ("yes" if bar.right else "no"),
                "misconception": name,
            }
            for bar, name in zip(wall.tally.bars, shows, strict=True)
        ]
    for one in found:
        last = max(wall.round for wall in walls if wall.question == one.question)
        rows += [
            {
                "row": "change",
                "question": last,
                "asked": one.question.text,
                "answer": one.question.options[now],
                "answer before": one.question.options[was],
                "count": times,
            }
            for was, row in enumerate(one.changes)
            for now, times in enumerate(row)
            if times
        ]
    rows += [
        {
            "row": "reason",
            "question": wall.round,
            "asked": wall.question.text,
            "answer": answer,
            "why": why,
        }
        for wall in walls
        if wall.question is not None
        for answer, why in wall.whys
    ]
    whole = [{name: row.get(name) for name in COLUMNS} for row in rows]
    made = pd.DataFrame(whole, columns=[*COLUMNS], dtype=object)
    counts = {name: made[name].astype("Int64") for name in ("count", "count before")}
    return spreadsheet.csv(made.assign(**counts), index=False)
