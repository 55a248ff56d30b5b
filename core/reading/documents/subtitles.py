"""Subtitles (SubRip, WebVTT): what is spoken, without numbers, times, tags and sounds.

A cue is a piece of a sentence that fits on the screen. Cues are therefore joined until a sentence ends,
another one speaks, or a pause of seconds follows. Who speaks becomes the column "speaker".
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator

from ..files import Lines
from ..sentences import is_end, joined
from ..understood import Passage
from .report import Report

_TIME = re.compile(
    r"\s*(?:(\d{1,3}):)?(\d{1,2}):(\d\d)[.,](\d{1,3}) *--> *"
    r"(?:(\d{1,3}):)?(\d{1,2}):(\d\d)[.,](\d{1,3})",
    re.ASCII,
)
_VOICE = re.compile(r"<v(?:\.[^\s>]{0,80})?\s+([^>]{1,80})>")
_TAG = re.compile(r"<[^<>]{0,200}>|\{\\[^{}]{0,80}\}")
_SOUND = re.compile(r"\[[^\[\]]{1,80}\]|\([A-Z][A-Z ,.'’-]{2,80}\)|[♪♫][^♪♫]{0,200}[♪♫]?")
# "ANNA: Come in." Only capitals: "One thing: come in." has no speaker.
_SPEAKER = re.compile(r"(?:-\s*)?([^\W\d_][^:]{1,30}):\s+(?=\S)")
_DASH = re.compile(r"^\s*(?:-|–|—|>>+)\s*")
_PAUSE = 4.0  # seconds, after which nothing goes on
_MOST_CUE = 2_000  # characters; more is no subtitle


def passages(lines: Lines, report: Report, *, cues: bool) -> Iterator[Passage]:
    """What is spoken, in order.

    Args:
        lines: the lines of the file.
        report: counts what is left out.
        cues: whether each cue is a text of its own.
    """
    said: list[str] = []
    speaker, where, last = "", "", 0.0
    for begin, end, place, spoken in _cues(lines, report):
        for who, text in spoken:
            new = bool(who) and who != speaker
            if said and (cues or new or begin - last > _PAUSE or is_end(said[-1]) or len(said) > 60):
                yield _passage(said, speaker, where)
                said = []
            if not said:
                where = place
            # A speaker is named once, until another one is.
            speaker = who or speaker
            said.append(text)
            last = end
    if said:
        yield _passage(said, speaker, where)


def _passage(said: list[str], speaker: str, where: str) -> Passage:
    return Passage(joined(said), {"speaker": speaker} if speaker else {}, where)


def _cues(
    lines: Iterable[str], report: Report
) -> Iterator[tuple[float, float, str, list[tuple[str, str]]]]:
    """Each cue: when it begins and ends (seconds), its place, and who says what in it."""
    begin = end = 0.0
    number = size = 0
    spoken: list[str] = []
    inside = False
    for line in lines:
        text = line.strip()
        if found := _TIME.match(text):
            if inside and spoken:
                # SubRip files without empty lines: the number of this cue is no text of the last one.
                if spoken[-1].isdecimal():
                    spoken.pop()
                yield begin, end, f"cue {number}", _spoken(spoken, report)
            begin, end = _seconds(found.groups()[:4]), _seconds(found.groups()[4:])
            number, spoken, size, inside = number + 1, [], 0, True
        elif not text:
            if inside and spoken:
                yield begin, end, f"cue {number}", _spoken(spoken, report)
                spoken, inside = [], False
        elif inside and size < _MOST_CUE:
            spoken.append(text[:_MOST_CUE])
            size += len(text)
    if inside and spoken:
        yield begin, end, f"cue {number}", _spoken(spoken, report)


def _seconds(parts: tuple[str | None, ...]) -> float:
    hours, minutes, seconds, rest = parts
    return 3600 * int(hours or 0) + 60 * int(minutes or 0) + int(seconds or 0) + float(f"0.{rest}")


def _spoken(lines: list[str], report: Report) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for line in lines:
        voice = _VOICE.search(line)
        line = html.unescape(_TAG.sub("", line))
        silent, sounds = _SOUND.subn("", line)
        report.add("sound or song", "sounds and songs", sounds)
        who = " ".join(voice.group(1).split()) if voice else ""
        named = _SPEAKER.match(silent.strip())
        if not who and named and named.group(1).isupper():
            who, silent = named.group(1).strip(), silent.strip()[named.end() :]
        dashed = _DASH.match(silent) is not None
        text = " ".join(_DASH.sub("", silent).split())
        if not text:
            continue
        if found and not who and not dashed:
            found[-1] = found[-1][0], joined([found[-1][1], text])
        else:
            found.append((who, text))
    return found
