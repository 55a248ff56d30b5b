"""A lesson in a file of Markdown, read into frozen records; a mistake names the file and the line.

# Title
aim: what a visitor can do afterwards, in a sentence
minutes: 8
needs: the names of earlier lessons, separated by commas, or nothing
model: minilm; or "translator"; or "task" and a recipe of Training
concepts: numbers of the concepts that it teaches, separated by commas
covers: as below, for all steps (optional)
a: a text of the lesson, under any name in lower case; the lesson refers to it as {a}
second a: the text that replaces it, to try the lesson on another sentence
check: a question that is asked before the lesson and again after it (optional, with the next three)
answers: one | two | three
right: two                           the right one of these
because: why, in a sentence
misconceptions: what each wrong answer shows, in their order, by its name in misconceptions.md;
                                     "-" for one that shows none (optional)
rubric: none “an example” | some “an example” | all “an example”
                                     how to read a free answer, for 0, 1 and 2 points (optional)

## A step
[Compare](/compare?a={a}&w=bank)     the state of the app, as a link
Some lines of text.
let share = {"weight": …}            a value for the reveal; there may be several
ask: a question
covers: verdict, trajectory          parts of the page that show the answer, hidden until the reveal;
                                     "numbers-*" is all parts whose names begin with "numbers-"
hides: byte-merges                   parts of the page that the step leaves out (optional)
model: translator                    the model of this step alone (optional)
own: a                               the text for which a visitor types one of their own (optional)
scale: -1 {low} | 1 {high}           marks on the line on which a number is drawn (optional)
choices: one | two                   or  number: ± 0.1   or  click: l, h
key: {…}                             the answer: a choice, a number, or the list of clicked values
reveal: words, with {share} and {key} filled in; all lines below belong to it

A line that begins with two spaces continues the line above it.

The file with the number 00 is the *route*: its steps, the scenes, ask nothing. A scene has a title, a
link, values, and a sentence in which they are filled in at once. What it `covers` is not hidden but
brought into view, what it `hides` is left out, and "model: translator" in a scene says that its numbers
are of another model.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias
from urllib.parse import unquote_plus

from .. import localization
from ..errors import PolyseeError
from ..untrusted import Kind
from .expressions import BadExpression, Expression, Literally, names_in, parse, used_in
from .misconceptions import FILE as MISCONCEPTIONS
from .misconceptions import BadMisconceptions, Misconception, misconceptions_of

_PACKAGED = Path(__file__).resolve().with_name("files")
# In a wheel, the lessons are inside this package; in the repository, they have their own folder.
FOLDER = _PACKAGED if _PACKAGED.is_dir() else _PACKAGED.parents[2] / "lessons"
COURSE = "course-"  # the file of a course (`courses`) begins so
_ROUTE = 0  # the number of its file
MOST_LINES = 130
MOST_MINUTES = 10
_FILE = re.compile(r"(\d\d)-([a-z][a-z0-9-]*)\.md")
_HEAD = re.compile(r"(second )?([a-z][a-z0-9_]*): +(.*)")
_LET = re.compile(r"let ([a-z][a-z0-9_]*) = (.+)")
_STATE = re.compile(r"\[([^\]]+)\]\(/([a-z-]*)(?:\?([^)]*))?\)")
_LABEL = re.compile(r"(ask|covers|hides|choices|number|click|own|scale|key|reveal|model): +(.*)")
_POSITIVE = ", never below 0"  # behind the tolerance of a number
_COUNT = ", a count"  # likewise
_MARK = re.compile(r"([-−]?[0-9]+(?:\.[0-9]+)?) +(\S.*)")
_PART_NAME = re.compile(r"[a-z][a-z0-9-]*\*?")
_WANTED = ("aim", "minutes", "needs", "model", "concepts")
_COVERS = "covers"  # in a step, and in the head for all of them
_HIDES = "hides"
_MODEL = "model"  # in the head, and in a scene
_CHECK = ("check", "answers", "right", "because")  # of the question before and after
_EVIDENCE = ("misconceptions", "rubric")  # what may stand with it
_EXAMPLE = re.compile(r"([^“”]+)“([^“”]+)”")
# Names that no text and no value may have.
_OWN = frozenset((*_WANTED, _COVERS, *_CHECK, *_EVIDENCE, "key", "prediction"))


class BadLesson(PolyseeError, ValueError):
    """A file is not a valid lesson; the message names the file and the line."""


@dataclass(frozen=True)
class Choice:
    """A choice between several answers in words, which may contain the lesson's texts."""

    options: tuple[str, ...]


@dataclass(frozen=True)
class Number:
    """A number, right if it is within this distance of the key.

    Attributes:
        tolerance: that distance.
        positive: whether what is asked for is never below 0, as a probability or a count.
        kind: what is typed: for a scale from 0 to 1, a percentage as well.
    """

    tolerance: float
    positive: bool = False
    kind: Kind = "number"


@dataclass(frozen=True)
class Click:
    """A choice in the picture: the values of these keys of the page's link."""

    keys: tuple[str, ...]


@dataclass(frozen=True)
class Watch:
    """Nothing is predicted: a scene of the route says at once what there is to see."""


Prediction: TypeAlias = Choice | Number | Click | Watch


@dataclass(frozen=True)
class Level:
    """What a free answer says that gets a number of points, with an example of one."""

    says: str
    example: str


@dataclass(frozen=True)
class Check:
    """A question about what the lesson teaches, asked before its first step and after its last.

    Attributes:
        question: the question; like the rest, it may contain the lesson's texts.
        answers: the choices.
        right: the index of the right one, from 0.
        because: why it is right, in a sentence.
        misconceptions: the name of what each answer shows, "" for the right one and one that shows
            none; empty if the lesson names none.
        rubric: what a free answer says for 0, 1 and 2 points; empty if the lesson has none.
    """

    question: str
    answers: tuple[str, ...]
    right: int
    because: str
    misconceptions: tuple[str, ...] = ()
    rubric: tuple[Level, ...] = ()


@dataclass(frozen=True)
class Mark:
    """A named value on the line on which a predicted number is drawn beside the answer."""

    at: float
    name: str


@dataclass(frozen=True)
class Step:
    """One step of a lesson.

    Attributes:
        title: its heading.
        page_name: the name of the page in its link.
        page: the address of its page, "compare" and so on.
        state: the query of its link, (key, value); a value may contain the lesson's texts.
        text: a few lines of Markdown.
        values: (name, expression) of the values for the reveal.
        question: the question.
        prediction: the kind of answer.
        key: the answer, computed by the model.
        reveal: the text that appears with the answer.
        covers: the names of the parts of the page that are hidden until then; "numbers-*" stands
            for all names that begin with "numbers-". Of a scene: the part that is brought into view.
        hides: those that the step leaves out, before the reveal and after it.
        model: the model that answers: that of its lesson, or its own.
        own: the name of the text for which a visitor types one of their own; "" for none.
        scale: marks on the line of a number.
        line: the line in the file where it begins.
    """

    title: str
    page_name: str
    page: str
    state: tuple[tuple[str, str], ...]
    text: str
    values: tuple[tuple[str, Expression], ...]
    question: str
    prediction: Prediction
    key: Expression
    reveal: str
    covers: tuple[str, ...]
    hides: tuple[str, ...]
    model: str
    own: str
    scale: tuple[Mark, ...]
    line: int


@dataclass(frozen=True)
class Lesson:
    """A lesson.

    Attributes:
        name: its name in links: the file's name without its number and its ending.
        number: its position in the order; 0 of the route.
        title: the title.
        aim: what a student can do afterwards.
        minutes: its length.
        needs: the names of the lessons that come before it.
        model: the model that it is about.
        concepts: the numbers of the concepts that it teaches.
        texts: its texts by name.
        second: the texts that can replace some of them.
        check: the question before and after; None if there is none.
        steps: the steps, at least one.
    """

    name: str
    number: int
    title: str
    aim: str
    minutes: int
    needs: tuple[str, ...]
    model: str
    concepts: tuple[int, ...]
    texts: Mapping[str, str]
    second: Mapping[str, str]
    check: Check | None
    steps: tuple[Step, ...]

    @property
    def is_route(self) -> bool:
        """Whether its steps are scenes, which ask nothing."""
        return self.number == _ROUTE

    def with_second(self) -> Mapping[str, str]:
        """Its texts, with the second ones in place of the first."""
        return MappingProxyType({**self.texts, **self.second})


@dataclass(frozen=True)
class _Line:
    text: str
    number: int


def lessons(folder: Path | None = None) -> tuple[Lesson, ...]:
    """The lessons of a folder in order; none if there is no such folder.

    Args:
        folder: the folder; None for our own lessons, in the language of the context. What that language
            does not have yet is English. This holds for all functions here.

    Raises:
        BadLesson: a file is not a valid lesson, two have the same name or number, or one needs a later
            one.
    """
    found, wrong = readable(folder)
    if wrong:
        raise BadLesson(wrong[0])
    return found


def readable(folder: Path | None = None) -> tuple[tuple[Lesson, ...], tuple[str, ...]]:
    """The valid lessons of a folder, and for each other file a sentence that says why it is invalid."""
    found, wrong = _of(folder)
    return tuple(one for one in found if not one.is_route), wrong


def route(folder: Path | None = None) -> Lesson | None:
    """The route of a folder; None if there is no valid one."""
    return next((one for one in _of(folder)[0] if one.is_route), None)


def misconceptions() -> Mapping[str, Misconception]:
    """Our list of misconceptions by name, in the language of the context.

    Raises:
        BadMisconceptions: it cannot be read.
    """
    found = misconceptions_of(FOLDER)
    code = localization.current()
    return found if code == localization.ENGLISH else {**found, **misconceptions_of(FOLDER / code)}


def _of(folder: Path | None) -> tuple[tuple[Lesson, ...], tuple[str, ...]]:
    """As `_files`; our own in the language of the context for None."""
    return _files(folder) if folder is not None else _translated(localization.current())


@cache
def _translated(language: str) -> tuple[tuple[Lesson, ...], tuple[str, ...]]:
    """Our lessons, each in a language if that has it; the folder of a language is named by its code."""
    found, wrong = _files(FOLDER)
    if language == localization.ENGLISH:
        return found, wrong
    translated, wrong_too = _files(FOLDER / language)
    by_name = {one.name: one for one in translated}
    return tuple(by_name.get(one.name, one) for one in found), (*wrong, *wrong_too)


@cache
def _files(folder: Path) -> tuple[tuple[Lesson, ...], tuple[str, ...]]:
    """The lessons and the route, and what is wrong with each other file."""
    found: list[Lesson] = []
    wrong: list[str] = []
    for path in sorted(folder.glob("*.md")):
        if path.name == MISCONCEPTIONS or path.name.startswith(COURSE):
            continue
        try:
            found.append(_in_order(read(path), found))
        except BadLesson as error:
            wrong.append(str(error))
    return tuple(found), tuple(wrong)


def _in_order(one: Lesson, earlier: Sequence[Lesson]) -> Lesson:
    """The lesson, checked against the earlier ones."""
    file, names = f"{one.number:02}-{one.name}.md", [other.name for other in earlier]
    if one.name in names or one.number in {other.number for other in earlier}:
        raise BadLesson(f"{file}: another lesson has this name or this number.")
    if missing := [name for name in one.needs if name not in names]:
        raise BadLesson(f"{file}: it needs “{missing[0]}”, which is not an earlier lesson.")
    return one


def language_of(name: str) -> str:
    """The code of the language in which this context has one of our lessons."""
    code = localization.current()
    own = _files(FOLDER / code)[0] if code != localization.ENGLISH else ()
    return code if any(one.name == name for one in own) else localization.ENGLISH


def find(name: str, folder: Path | None = None) -> Lesson | None:
    """The lesson or the route of this name; None if there is no valid one."""
    return next((one for one in _of(folder)[0] if one.name == name), None)


def read(path: Path) -> Lesson:
    """The lesson in a file.

    Raises:
        BadLesson: it is not a valid lesson; the message says where and why.
    """
    named = _FILE.fullmatch(path.name)
    if named is None:
        raise BadLesson(f"{path.name}: the file of a lesson needs a name like “01-one-vector.md”.")
    text = path.read_text("utf-8")
    return _Reader(path.name, int(named[1]), named[2], path.parent).lesson(text)


class _Reader:
    """Reads one file."""

    def __init__(self, file: str, number: int, name: str, folder: Path) -> None:
        self.file, self.number, self.name, self.folder = file, number, name, folder

    def wrong(self, line: int, why: str) -> BadLesson:
        return BadLesson(f"{self.file}, line {line}: {why}")

    def lesson(self, text: str) -> Lesson:
        if (count := len(text.splitlines())) > MOST_LINES:
            raise self.wrong(MOST_LINES + 1, f"a lesson has at most {MOST_LINES} lines, not {count}.")
        head, *parts = self._parts(text)
        if not head or not head[0].text.startswith("# "):
            raise self.wrong(1, "a lesson begins with “# ” and its title.")
        fields, texts, second = self._head(head[1:])
        if not parts:
            raise self.wrong(len(text.splitlines()), "a lesson has steps, each with a heading “## ”.")
        if strange := [name for name in second if name not in texts]:
            raise self.wrong(fields["second"].number, f"there is no text “{strange[0]}” to exchange.")
        covers = self._covers(fields.get(_COVERS))
        return Lesson(
            name=self.name,
            number=self.number,
            title=head[0].text[2:].strip(),
            aim=fields["aim"].text,
            minutes=self._minutes(fields["minutes"]),
            needs=_listed("" if fields["needs"].text == "nothing" else fields["needs"].text),
            model=fields[_MODEL].text,
            concepts=tuple(
                self._whole(fields["concepts"], one) for one in _listed(fields["concepts"].text)
            ),
            texts=MappingProxyType(texts),
            second=MappingProxyType(second),
            check=self._check(fields, set(texts)),
            steps=tuple(self._step(part, set(texts), covers, fields[_MODEL].text) for part in parts),
        )

    def _parts(self, text: str) -> list[list[_Line]]:
        """The lines of the head and of the steps; a continuation is appended to its line."""
        parts: list[list[_Line]] = [[]]
        for number, line in enumerate(text.splitlines(), 1):
            if line.startswith("## "):
                parts.append([])
            if line.startswith("  ") and line.strip() and parts[-1]:
                last = parts[-1].pop()
                parts[-1].append(_Line(f"{last.text} {line.strip()}", last.number))
            elif line.strip() or (parts[-1] and parts[-1][-1].text):
                parts[-1].append(_Line(line.strip(), number))
        return parts

    def _head(self, lines: list[_Line]) -> tuple[dict[str, _Line], dict[str, str], dict[str, str]]:
        fields: dict[str, _Line] = {}
        texts: dict[str, str] = {}
        second: dict[str, str] = {}
        for line in lines:
            if not line.text:
                continue
            match = _HEAD.fullmatch(line.text)
            if match is None:
                raise self.wrong(
                    line.number,
                    f"“{line.text[:30]}” is not a line such as “aim: …”, with its name in lower case.",
                )
            again, name, value = match[1], match[2], match[3].strip()
            if again:
                fields.setdefault("second", line)
            elif name in (*_WANTED, _COVERS, *_CHECK, *_EVIDENCE):
                fields[name] = _Line(value, line.number)
                continue
            if name in _OWN:
                raise self.wrong(line.number, f"no text can be called “{name}”.")
            (second if again else texts)[name] = value
        if missing := [name for name in _WANTED if name not in fields]:
            raise self.wrong(1, f"the head has no line “{missing[0]}: …”.")
        return fields, texts, second

    def _check(self, fields: Mapping[str, _Line], texts: set[str]) -> Check | None:
        given = {name: fields[name] for name in _CHECK if name in fields}
        if not given:
            if alone := [fields[name] for name in _EVIDENCE if name in fields]:
                raise self.wrong(alone[0].number, "this belongs to a question: “check: …”.")
            return None
        if missing := [name for name in _CHECK if name not in given]:
            line = next(iter(given.values()))
            raise self.wrong(line.number, f"a question before and after needs “{missing[0]}: …” too.")
        for line in given.values():
            self._known(line, texts)
        answers, right = self._options(given["answers"]), given["right"].text
        if right not in answers:
            raise self.wrong(given["right"].number, f"“{right[:40]}” is none of the answers.")
        at = answers.index(right)
        return Check(
            given["check"].text,
            answers,
            at,
            given["because"].text,
            self._shown(fields.get("misconceptions"), len(answers), at),
            self._rubric(fields.get("rubric"), texts),
        )

    def _shown(self, line: _Line | None, answers: int, right: int) -> tuple[str, ...]:
        """The misconception of each answer."""
        if line is None:
            return ()
        named = [one.strip() for one in line.text.split("|")]
        if len(named) != answers - 1:
            raise self.wrong(line.number, f"there are {answers - 1} wrong answers, one name for each.")
        try:
            known = misconceptions_of(self.folder) or misconceptions_of(FOLDER)
        except BadMisconceptions as error:
            raise self.wrong(line.number, str(error)) from error
        if strange := [one for one in named if one not in known and one != "-"]:
            raise self.wrong(line.number, f"{MISCONCEPTIONS} has no “{strange[0][:40]}”.")
        shown = ["" if one == "-" else one for one in named]
        return (*shown[:right], "", *shown[right:])

    def _rubric(self, line: _Line | None, texts: set[str]) -> tuple[Level, ...]:
        if line is None:
            return ()
        self._known(line, texts)
        levels = [_EXAMPLE.fullmatch(one.strip()) for one in line.text.split("|")]
        if len(levels) != 3 or None in levels:
            raise self.wrong(
                line.number,
                "a rubric says what gets 0, 1 and 2 points, each with an example in “…”, "
                "and “|” between them.",
            )
        return tuple(Level(one[1].strip(), one[2].strip()) for one in levels if one is not None)

    def _minutes(self, line: _Line) -> int:
        minutes = self._whole(line, line.text)
        if not 1 <= minutes <= MOST_MINUTES:
            raise self.wrong(line.number, f"a lesson takes 1 to {MOST_MINUTES} minutes.")
        return minutes

    def _whole(self, line: _Line, typed: str) -> int:
        if not (typed.isascii() and typed.isdigit()):
            raise self.wrong(line.number, f"“{typed}” is not a whole number in digits.")
        return int(typed)

    def _step(self, lines: list[_Line], texts: set[str], covers: tuple[str, ...], model: str) -> Step:
        title, *rest = lines
        state: tuple[str, str, tuple[tuple[str, str], ...]] | None = None
        text: list[str] = []
        values: dict[str, tuple[Expression, int]] = {}
        fields: dict[str, _Line] = {}
        for line in rest:
            match, let = _LABEL.fullmatch(line.text), _LET.fullmatch(line.text)
            if "reveal" in fields:
                if match or let:
                    raise self.wrong(line.number, "the reveal must come last in a step.")
                whole = f"{fields['reveal'].text}\n{line.text}"
                fields["reveal"] = _Line(whole, fields["reveal"].number)
            elif match:
                if match[1] in fields:
                    raise self.wrong(line.number, f"“{match[1]}” occurs twice in this step.")
                fields[match[1]] = _Line(match[2].strip(), line.number)
            elif let:
                if let[1] in values or let[1] in texts or let[1] in _OWN:
                    raise self.wrong(line.number, f"“{let[1]}” is the name of something else.")
                values[let[1]] = self._expression(let[2], line, texts | set(values)), line.number
            elif state is None and (link := _STATE.fullmatch(line.text)):
                state = link[1], link[2], self._query(link[3] or "", line, texts)
            else:
                text.append(line.text)
        if state is None:
            raise self.wrong(
                title.number,
                "a step has a link in a line of its own, without the address of the server, "
                "such as [Compare](/compare?w=bank).",
            )
        known = texts | set(values)
        whole_text = "\n".join(text).strip()
        step = partial(
            Step,
            title=title.text[3:].strip(),
            page_name=state[0],
            page=state[1],
            state=state[2],
            values=tuple((name, one) for name, (one, _) in values.items()),
            covers=tuple(dict.fromkeys((*covers, *self._covers(fields.get(_COVERS))))),
            hides=self._covers(fields.get(_HIDES)),
            own=self._own(fields.get("own"), texts),
            scale=self._scale(fields, texts),
            line=title.number,
        )
        if self.number == _ROUTE:
            for name in fields.keys() - {_COVERS, _HIDES, _MODEL}:
                raise self.wrong(fields[name].number, f"a scene of the route has no “{name}: …”.")
            if not whole_text:
                raise self.wrong(title.number, "a scene says what there is to see, in a sentence.")
            self._known(_Line(whole_text, title.number), known)
            return step(
                text="",
                question="",
                prediction=Watch(),
                key=Literally(""),
                reveal=whole_text,
                model=fields[_MODEL].text if _MODEL in fields else model,
            )
        for name in ("ask", "key", "reveal"):
            if name not in fields:
                raise self.wrong(title.number, f"this step has no line “{name}: …”.")
        self._known(fields["ask"], texts)
        self._known(fields["reveal"], known | {"key"})
        self._known(_Line(whole_text, title.number), texts)
        return step(
            text=whole_text,
            question=fields["ask"].text,
            prediction=self._prediction(fields, title, texts),
            key=self._expression(fields["key"].text, fields["key"], known),
            reveal=fields["reveal"].text.strip(),
            model=fields[_MODEL].text if _MODEL in fields else model,
        )

    def _expression(self, text: str, line: _Line, known: set[str]) -> Expression:
        try:
            made = parse(text)
        except BadExpression as error:
            raise self.wrong(line.number, str(error)) from error
        if unknown := sorted(names_in(made) - known):
            raise self.wrong(line.number, f"there is no “{unknown[0]}” here.")
        return made

    def _known(self, line: _Line, known: set[str]) -> None:
        if unknown := sorted(used_in(line.text) - known):
            raise self.wrong(line.number, f"there is no “{unknown[0]}” here.")

    def _query(self, query: str, line: _Line, texts: set[str]) -> tuple[tuple[str, str], ...]:
        pairs = []
        for part in query.split("&") if query else ():
            key, equals, value = part.partition("=")
            if not equals or not key:
                raise self.wrong(line.number, f"“{part}” in the link is not of the form “key=value”.")
            pairs.append((key, unquote_plus(value)))
        self._known(_Line(" ".join(value for _, value in pairs), line.number), texts)
        return tuple(pairs)

    def _covers(self, line: _Line | None) -> tuple[str, ...]:
        names = () if line is None else _listed(line.text)
        if line is not None and (bad := [one for one in names if not _PART_NAME.fullmatch(one)]):
            raise self.wrong(line.number, f"“{bad[0]}” is not the name of a part of a page.")
        return names

    def _own(self, line: _Line | None, texts: set[str]) -> str:
        if line is not None and line.text not in texts:
            raise self.wrong(
                line.number, f"there is no text “{line.text[:40]}” to replace by one’s own."
            )
        return "" if line is None else line.text

    def _scale(self, fields: Mapping[str, _Line], texts: set[str]) -> tuple[Mark, ...]:
        line = fields.get("scale")
        if line is None:
            return ()
        if "number" not in fields:
            raise self.wrong(line.number, "a scale belongs to a number.")
        self._known(line, texts)
        marks = []
        for part in line.text.split("|"):
            match = _MARK.fullmatch(part.strip())
            if match is None:
                raise self.wrong(
                    line.number, f"“{part.strip()[:40]}” is not a mark such as “1 {{high}}”."
                )
            marks.append(Mark(float(match[1].replace("−", "-")), match[2]))
        if len({one.at for one in marks}) < len(marks):
            raise self.wrong(line.number, "two marks of a scale are at one place.")
        return tuple(sorted(marks, key=lambda one: one.at))

    def _options(self, line: _Line) -> tuple[str, ...]:
        options = tuple(one.strip() for one in line.text.split("|"))
        if len(options) < 2 or len({*options}) < len(options) or not all(options):
            raise self.wrong(line.number, "choices are two or more, with “|” between them.")
        return options

    def _prediction(self, fields: Mapping[str, _Line], title: _Line, texts: set[str]) -> Prediction:
        given: dict[str, Any] = {
            name: fields[name] for name in ("choices", "number", "click") if name in fields
        }
        if len(given) != 1:
            raise self.wrong(
                title.number, "a step has one of “choices: …”, “number: …” and “click: …”."
            )
        ((kind, line),) = given.items()
        if kind == "choices":
            options = self._options(line)
            self._known(line, texts)
            return Choice(options)
        if kind == "click":
            keys = _listed(line.text)
            if not keys:
                raise self.wrong(line.number, "a click names keys of the page’s link.")
            return Click(keys)
        count = line.text.endswith(_COUNT)
        positive = count or line.text.endswith(_POSITIVE)
        tolerance = line.text.removesuffix(_POSITIVE).removesuffix(_COUNT).removeprefix("±").strip()
        if not re.fullmatch(r"\d+(\.\d+)?", tolerance):
            raise self.wrong(line.number, f"“{line.text}” is not a tolerance such as “± 0.1”.")
        shares = tuple(one.at for one in self._scale(fields, texts)) == (0, 1)
        return Number(float(tolerance), positive, "whole" if count else "share" if shares else "number")


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())
