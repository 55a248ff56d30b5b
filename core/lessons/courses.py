"""A course: sessions in order, each made from lessons, in a file of the folder of the lessons.

# Six sessions
aim: what the whole course leads to, in a sentence
for: whom it is for (optional)

## The first session
lessons: one-vector, tokens         the lessons in class, by their names
home: nearness                      those that each does alone, until the next session (optional)
minutes: 90
can: what one can do afterwards     there may be several
[The class guesses](/next-word)     a link into the app (optional; there may be several)
Some lines for the teacher (optional).

The name of its file is `course-` and the name of the course in links, such as "course-six-sessions.md".
A line that begins with two spaces continues the line above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from .. import localization
from .parsing import COURSE, FOLDER, BadLesson, Lesson, readable

MOST_LINES = 130
MOST_MINUTES = 480  # of a session
_FILE = re.compile(rf"{COURSE}([a-z][a-z0-9-]*)\.md")
_LABEL = re.compile(r"(aim|for|lessons|home|minutes|can): +(.*)")
_LINK = re.compile(r"\[([^\]]+)\]\((/[a-z-]*(?:\?[^)\s]*)?)\)")


@dataclass(frozen=True)
class Session:
    """One session of a course.

    Attributes:
        title: its heading.
        lessons: the lessons in class, in order.
        home: the lessons that each does alone afterwards.
        minutes: its length.
        can: what one can do afterwards; the aims of its lessons where the file does not say.
        links: (words, address in the app).
        text: a few lines for the teacher, Markdown.
        missing: lessons that one of its lessons builds on and that come in no session up to this one.
    """

    title: str
    lessons: tuple[Lesson, ...]
    home: tuple[Lesson, ...]
    minutes: int
    can: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    text: str
    missing: tuple[Lesson, ...]


@dataclass(frozen=True)
class Course:
    """A course.

    Attributes:
        name: its name in links.
        title: the title.
        aim: what it leads to.
        audience: whom it is for; "" where the file does not say.
        sessions: the sessions, at least one.
    """

    name: str
    title: str
    aim: str
    audience: str
    sessions: tuple[Session, ...]


def courses(folder: Path | None = None) -> tuple[tuple[Course, ...], tuple[str, ...]]:
    """The valid courses of a folder by their names, and for each other file why it is invalid.

    Args:
        folder: the folder; None for our own courses, in the language of the context. One that this does
            not have yet is English.
    """
    if folder is not None:
        return _files(folder)
    found, wrong = _files(FOLDER)
    code = localization.current()
    if code == localization.ENGLISH:
        return found, wrong
    translated, wrong_too = _files(FOLDER / code)
    by_name = {one.name: one for one in translated}
    return tuple(by_name.get(one.name, one) for one in found), (*wrong, *wrong_too)


@cache
def _files(folder: Path) -> tuple[tuple[Course, ...], tuple[str, ...]]:
    """The courses of a folder, and what is wrong with each other file."""
    found: list[Course] = []
    wrong: list[str] = []
    for path in sorted(folder.glob(f"{COURSE}*.md")):
        try:
            found.append(read(path, readable(folder)[0]))
        except BadLesson as error:
            wrong.append(str(error))
    return tuple(found), tuple(wrong)


def find_course(name: str, folder: Path | None = None) -> Course | None:
    """The course of this name; None if there is no valid one."""
    return next((one for one in courses(folder)[0] if one.name == name), None)


@dataclass
class _Part:
    """The head or a session, as it is written."""

    title: str
    line: int
    fields: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    links: list[tuple[str, str]] = field(default_factory=list)
    text: list[str] = field(default_factory=list)


def read(path: Path, lessons: Sequence[Lesson]) -> Course:
    """The course in a file.

    Args:
        path: of the file.
        lessons: those that there are.

    Raises:
        BadLesson: it is no valid course; the message says where and why.
    """
    named = _FILE.fullmatch(path.name)
    if named is None:
        raise BadLesson(f"{path.name}: a course needs a name like “{COURSE}six-sessions.md”.")
    lines = path.read_text("utf-8").splitlines()
    if len(lines) > MOST_LINES:
        raise BadLesson(f"{path.name}: a course has at most {MOST_LINES} lines, not {len(lines)}.")
    head, *parts = _parts(path.name, lines)
    aim = head.fields.get("aim")
    if aim is None:
        raise BadLesson(f"{path.name}, line 1: the head has no line “aim: …”.")
    if not parts:
        raise BadLesson(f"{path.name}: a course has sessions, each with a heading “## ”.")
    known, seen, sessions = {one.name: one for one in lessons}, set[str](), []
    for part in parts:
        sessions.append(_session(path.name, part, known, seen))
    audience = " ".join(words for _, words in head.fields.get("for", []))
    return Course(named[1], head.title, aim[0][1], audience, tuple(sessions))


def _session(file: str, part: _Part, known: Mapping[str, Lesson], seen: set[str]) -> Session:
    where = f"{file}, line {part.line}"
    if missing := [name for name in ("lessons", "minutes") if name not in part.fields]:
        raise BadLesson(f"{where}: this session has no line “{missing[0]}: …”.")

    def named(label: str) -> tuple[Lesson, ...]:
        found = []
        for line, words in part.fields.get(label, []):
            for name in filter(None, (one.strip() for one in words.split(","))):
                if name not in known:
                    raise BadLesson(f"{file}, line {line}: there is no lesson “{name[:40]}”.")
                found.append(known[name])
        return tuple(found)

    line, minutes = part.fields["minutes"][0]
    whole = minutes.isascii() and minutes.isdigit() and len(minutes) <= 3
    if not (whole and 1 <= int(minutes) <= MOST_MINUTES):
        raise BadLesson(f"{file}, line {line}: a session takes 1 to {MOST_MINUTES} minutes.")
    here, home = named("lessons"), named("home")
    if not here:
        raise BadLesson(f"{where}: a session has a lesson.")
    seen |= {one.name for one in (*here, *home)}
    needed = dict.fromkeys(name for one in (*here, *home) for name in one.needs if name not in seen)
    return Session(
        part.title,
        here,
        home,
        int(minutes),
        tuple(words for _, words in part.fields.get("can", [])) or tuple(one.aim for one in here),
        tuple(part.links),
        "\n".join(part.text).strip(),
        tuple(known[name] for name in needed if name in known),
    )


def _parts(file: str, lines: Sequence[str]) -> Iterator[_Part]:
    """The head and the sessions."""
    if not lines or not lines[0].startswith("# "):
        raise BadLesson(f"{file}, line 1: a course begins with “# ” and its title.")
    part, last = _Part(lines[0][2:].strip(), 1), ""
    for number, line in enumerate(lines[1:], 2):
        if line.startswith("## "):
            yield part
            part, last = _Part(line[3:].strip(), number), ""
        elif line.startswith("  ") and line.strip() and last:
            at, words = part.fields[last].pop()
            part.fields[last].append((at, f"{words} {line.strip()}"))
        elif label := _LABEL.fullmatch(line):
            last = label[1]
            part.fields.setdefault(last, []).append((number, label[2].strip()))
        elif link := _LINK.fullmatch(line.strip()):
            part.links.append((link[1], link[2]))
            last = ""
        else:
            part.text.append(line)
            last = ""
    yield part
