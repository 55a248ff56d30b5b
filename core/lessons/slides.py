"""A lesson that a teacher collects in the app: states of its pages, each with a title and a few words.

# My lesson

## The title of a step
[Compare](/compare?a=…&w=bank)     the state of the app, as a link
A few words of your own, which stand above the picture.

It is a lesson without questions (`parsing`): the same headings and the same links. Anyone may have
written such a file; its size is therefore limited, and its words are plain text, not Markdown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl

from .parsing import BadLesson

TITLE = "My lesson"
MOST_SLIDES = 40
MOST_LETTERS = 60_000  # in a file
MOST_QUERY = 3_000  # of a link
MOST_TITLE = 80
MOST_NOTE = 400
_LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]*)\)")
_ADDRESS = re.compile(r"/([a-z][a-z-]{0,30})(?:\?(\S*))?")
_OF_QUESTIONS = re.compile(
    r"(ask|covers|hides|choices|number|click|own|scale|key|reveal|let [a-z]\w*) ?[:=]"
)
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Slide:
    """A state of the app.

    Attributes:
        title: its heading.
        page: the address of its page, "compare" and so on.
        query: what follows the question mark in its link.
        note: the teacher's words about it; "" for none.
    """

    title: str
    page: str
    query: str
    note: str = ""

    def state(self) -> dict[str, str]:
        """The state that its link sets, key -> value."""
        return dict(parse_qsl(self.query, keep_blank_values=True))


def read(text: str) -> tuple[Slide, ...]:
    """The slides in a file.

    Raises:
        BadLesson: it contains no slide, or is too large; the message says where and why.
    """
    if len(text) > MOST_LETTERS:
        raise BadLesson(
            f"A lesson has at most {MOST_LETTERS:,} letters, and this one has {len(text):,}."
        )
    found: list[tuple[int, list[str]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("## "):
            if len(found) == MOST_SLIDES:
                raise BadLesson(f"Line {number}: a lesson of your own has at most {MOST_SLIDES} steps.")
            found.append((number, [line[3:]]))
        elif found:
            found[-1][1].append(line.strip())
        elif line.strip() and not line.startswith("# "):
            raise BadLesson(f"Line {number}: a step begins with “## ” and its title.")
    if not found:
        raise BadLesson("There is no step in it: each begins with “## ” and its title.")
    return tuple(_slide(number, lines) for number, lines in found)


def _slide(number: int, lines: list[str]) -> Slide:
    title, *rest = lines
    page: tuple[str, str] | None = None
    note: list[str] = []
    for at, line in enumerate(rest, number + 1):
        link = _LINK.fullmatch(line)
        if link and page is None:
            page = _address(at, link[2])
        elif _OF_QUESTIONS.match(line):
            raise BadLesson(
                f"Line {at}: “{line.split()[0][:20]}” belongs to a lesson with questions. "
                "Here, a step has a title, a link, and a few words."
            )
        else:
            note.append(line)
    if page is None:
        raise BadLesson(f"Line {number}: this step lacks a link, such as [Compare](/compare?w=bank).")
    return Slide(
        bounded(title, MOST_TITLE) or f"Line {number}", *page, bounded(" ".join(note), MOST_NOTE)
    )


def _address(line: int, address: str) -> tuple[str, str]:
    """The page and the query of a link inside the app."""
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise BadLesson(f"Line {line}: a link leads to a page of this app, such as /compare?w=bank.")
    if len(found[2] or "") > MOST_QUERY:
        raise BadLesson(f"Line {line}: a link has at most {MOST_QUERY:,} letters.")
    return found[1], found[2] or ""


def bounded(words: str, most: int) -> str:
    """Words in one line of at most `most` characters, without invisible ones."""
    line = " ".join(_UNSEEN.sub(" ", words).split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def written(slides: tuple[Slide, ...]) -> str:
    """The content of a file with these slides, which `read` reads."""
    parts = [f"# {TITLE}"]
    for one in slides:
        link = f"[{one.page}](/{one.page}{'?' if one.query else ''}{one.query})"
        parts.append("\n".join(filter(None, (f"## {one.title}", link, one.note))))
    return "\n\n".join(parts) + "\n"
