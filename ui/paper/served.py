"""The addresses of the sheets: `/paper/qkv/key`, with `?second` for the lesson's second sentences.

`/paper/course/six-sessions` is a course, and `/paper/packs.zip` has the packs of all lessons. The
lessons determine which sheets exist; each is made once. The server looks up a visitor's request
among these names, and uses it for nothing else.
"""

from __future__ import annotations

import asyncio
import html
import time
import zipfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from core import localization
from core.classroom import Buckets
from core.errors import PolyseeError
from core.lessons import Answer, Course, Lesson, courses, find, find_course, readable
from core.lessons.pictured import Pictured
from core.localization import _
from core.memory import cached
from ui.models import lesson_records, model_cache
from ui.paper import course_sheet, links, packs, sheets, shell
from ui.paper.links import EVERY, Kind
from ui.paper.markdown_html import text_of
from ui.serving.routes import root

# A class behind one router opens the same sheets at once.
_LOOKS = Buckets(time.monotonic, burst=300, rate=10)
_NO_CACHE = {"Cache-Control": "no-cache"}
_FOR_CLASS: tuple[Kind, ...] = ("check", "questions", "notes")  # without answers
_FOR_TEACHER: tuple[Kind, ...] = ("plan", "slides", "key", "rubric")
_ANSWERED = frozenset[Kind](("plan", "slides", "key", "pack"))  # which the model takes its time for
_makers = ThreadPoolExecutor(1, "polysee paper")  # a key may train a small model: one at a time


class Sheet(NamedTuple):
    """The requested sheet."""

    lesson: str
    kind: Kind
    second: bool
    language: str = localization.ENGLISH


def _titles() -> dict[Kind, str]:
    return {
        "notes": _("Notes"),
        "questions": _("Questions"),
        "check": _("Before and after"),
        "key": _("Key"),
        "plan": _("Plan of 45 minutes"),
        "rubric": _("Rubric"),
        "slides": _("Slides"),
        "pack": _("All"),
    }


def _print() -> str:
    return f'<button id="print" type="button">{html.escape(_("Print"))}</button>'


def _present(asked: Sheet) -> str:
    """The button that shows slides on the whole screen; the script has it appear."""
    if asked.kind != "slides":
        return ""
    about = html.escape(_("On the whole screen; → and PageDown lead to the next slide"))
    said = html.escape(_("Present"))
    return f'<button id="present" type="button" title="{about}" hidden>{said}</button>'


def _gone() -> Response:
    words = _("There is no such sheet. The page Lessons lists all sheets.")
    return PlainTextResponse(f"{words}\n", 404, {"Cache-Control": "no-store"})


def _speak(request: Request) -> str:
    """Answer in the language of the address; returns its code."""
    said = request.query_params.get(links.LANGUAGE)
    code = localization.preferred(said)
    localization.use(code)
    return code


def routes() -> list[Route]:
    """The routes that answer at these addresses."""
    at = f"{root()}/paper"
    return [
        Route(f"{at}/packs.zip", _all_packs, methods=["GET"]),
        Route(f"{at}/course/{{name}}", _course, methods=["GET"]),
        Route(f"{at}/{{lesson}}/{{kind}}", _answer, methods=["GET"]),
    ]


def _too_often(request: Request) -> Response | None:
    if _LOOKS.take(request.client.host if request.client else ""):
        return None
    words = _("Too many requests come from your network. Wait a moment.")
    return PlainTextResponse(f"{words}\n", 429, {"Cache-Control": "no-store", "Retry-After": "5"})


async def _course(request: Request) -> Response:
    _speak(request)
    if often := _too_often(request):
        return often
    course = find_course(request.path_params["name"])
    if course is None:
        return _gone()
    return HTMLResponse(course_page(course), headers={"Cache-Control": "no-cache"})


def course_page(course: Course, *, alone: bool = False) -> str:
    """The page of a course; `alone` without a way to the app, as a file."""
    others = "" if alone else _home()
    title = f"{html.escape(text_of(course.title))} · Polysee"
    return shell.page(title, f"<p>{_print()}{others}</p>", course_sheet.sheet(course), alone=alone)


def _home() -> str:
    code = localization.current()
    query = "" if code == localization.ENGLISH else f"?{links.LANGUAGE}={code}"
    return f'<a href="{root()}/lessons{query}">{html.escape(_("Lessons"))}</a>'


async def _all_packs(request: Request) -> Response:
    code = _speak(request)
    if often := _too_often(request):
        return often
    name = {"Content-Disposition": 'attachment; filename="polysee-packs.zip"'}
    return StreamingResponse(_zipped(code), media_type="application/zip", headers=name)


class _Written:
    """A file that is only written; what was written is taken from it piece by piece."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing waits."""

    def taken(self) -> bytes:
        made, self._parts = b"".join(self._parts), []
        return made


async def _zipped(language: str) -> AsyncIterator[bytes]:
    """The ZIP file of all packs, a lesson at a time: whoever waits sees it grow."""
    written, loop, files = _Written(), asyncio.get_running_loop(), every_pack(language)
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as made:  # type: ignore[call-overload]
        while (one := await loop.run_in_executor(_makers, next, files, None)) is not None:
            made.writestr(*one)
            yield written.taken()
    yield written.taken()


def course_file(course: Course) -> str:
    """The name of the file of a course."""
    return f"course-{course.name}.html"


def pack_file(lesson: Lesson) -> str:
    """The name of the file of a lesson's pack."""
    return f"{lesson.number:02}-{lesson.name}.html"


def every_pack(language: str = localization.ENGLISH) -> Iterator[tuple[str, str]]:
    """(name, HTML) of a file for each lesson's pack, and for each course; they need no server."""
    for course in courses()[0]:
        with localization.spoken(language):
            found = find_course(course.name) or course
            made = course_page(found, alone=True)
        yield course_file(course), made
    for one in readable()[0]:
        with localization.spoken(language):
            lesson = find(one.name) or one
            asked = Sheet(lesson.name, "pack", False, language)
            title = f"{html.escape(text_of(lesson.title))} · Polysee"
            made = shell.page(title, f"<p>{_print()}</p>", _content(lesson, asked), alone=True)
        yield pack_file(lesson), made


async def _answer(request: Request) -> Response:
    if often := _too_often(request):
        return often
    code = _speak(request)
    kind = next((one for one in EVERY if one == request.path_params["kind"]), None)
    lesson = find(request.path_params["lesson"])
    if kind is None or lesson is None or lesson.is_route:
        return _gone()
    second = "second" in request.query_params and bool(lesson.second)
    asked = Sheet(lesson.name, kind, second, code)
    if kind in _ANSWERED:
        return StreamingResponse(_growing(asked), media_type="text/html", headers=_NO_CACHE)
    made = await asyncio.get_running_loop().run_in_executor(_makers, page, asked)
    return HTMLResponse(made, headers=_NO_CACHE)


async def _growing(asked: Sheet) -> AsyncIterator[str]:
    """The pieces of a sheet; between two answers of the model, another visitor's sheet may be made."""
    loop, pieces = asyncio.get_running_loop(), growing(asked)
    yield await loop.run_in_executor(None, next, pieces)  # it needs no model, and waits for none
    while (piece := await loop.run_in_executor(_makers, next, pieces, None)) is not None:
        yield piece


def growing(asked: Sheet) -> Iterator[str]:
    """The page of a sheet with answers, piece by piece: first what needs no model, then how far it is.

    Each piece says more than the one before, and hides it (`sheet.css`). Together, they are the page.
    """
    with localization.spoken(asked.language):
        lesson = find(asked.lesson)
        assert lesson is not None  # `_answer` has looked
        title = f"{html.escape(text_of(lesson.title))} · {_titles()[asked.kind]} · Polysee"
        before, after = shell.around(title, f"{_nav(lesson, asked)}{_soon(asked.kind)}")
        first = _at_once(lesson, asked)
        texts = _asked_texts(lesson, asked)
        count = len(texts) * len(lesson.steps)
        start = f'{before}{packs.leaves(first)}<div class="waits" role="status">{_so_far(0, count)}'
    yield start
    for done, (one, i) in enumerate(
        ((one, i) for one in texts for i in range(len(lesson.steps))), start=1
    ):
        with localization.spoken(asked.language):
            first_of_all = _first_of_all(lesson.steps[i].model)
        if first_of_all:
            yield first_of_all
        yield from _while_it_learns(lesson, i, one, asked.language)
        with localization.spoken(asked.language):
            _told(lesson, i, one)
            if done == count:
                far = _said_of(_("All answers are ready. The sheet is being made."))
            else:
                far = _so_far(done, count)
        yield far
    with localization.spoken(asked.language):
        pack = asked.kind == "pack"
        last = packs.leaves(_leaves(lesson, asked, _FOR_TEACHER)) if pack else _content(lesson, asked)
    yield f'<i class="done" hidden></i></div>{last}{after}'


def _at_once(lesson: Lesson, asked: Sheet) -> list[tuple[str, str]]:
    """The leaves that need no answer: what the class is given, and a plan that its answers replace."""
    if asked.kind not in ("pack", "plan"):
        return []
    planned = sheets.plan_of(lesson, _around(lesson), [""] * len(lesson.steps))
    given = _leaves(lesson, asked, _FOR_CLASS) if asked.kind == "pack" else []
    return [*given, ("early", planned)]


def _asked_texts(lesson: Lesson, asked: Sheet) -> list[Mapping[str, str]]:
    """The texts on which a sheet has answers: the plan has those of the first alone."""
    first, second = lesson.texts, lesson.with_second()
    if asked.kind == "plan":
        return [first]
    if asked.kind == "slides":
        return [second if asked.second else first]
    return [first, *([second] if lesson.second else [])]


def _first_of_all(model: str) -> str:
    """What has to be done before a model answers for the first time, and takes long; "" for nothing."""
    if not lesson_records.is_text_model(model) or model_cache.shape_if_loaded(model) is not None:
        return ""
    said = _("{model} is being loaded. It then answers the questions of this lesson.")
    return _said_of(said.format(model=lesson_records.called(model)))


def _while_it_learns(lesson: Lesson, i: int, texts: Mapping[str, str], language: str) -> Iterator[str]:
    """How far the training is that an answer waits for; nothing where it waits for none."""
    model = lesson.steps[i].model
    with localization.spoken(language):
        training = lesson_records.learning(lesson.name, i, model, tuple(sorted(texts.items())))
    while training is not None and not training.wait(1.0):
        with localization.spoken(language):
            far = _("The small model of this lesson is being trained: step {step} of {steps}.")
            said = far.format(step=training.step, steps=training.steps)
        yield _said_of(said)


def _said_of(words: str) -> str:
    return f"<p>{html.escape(words)}</p>"


def _so_far(done: int, count: int) -> str:
    said = _("The model answers the questions of this lesson: {done} of {count} are ready.")
    return _said_of(said.format(done=done, count=count))


def _soon(kind: Kind) -> str:
    said = (
        _(
            "The answers are being computed: this takes up to a minute. What the class is given is "
            "below, with the plan; slides, key and rubric follow."
        )
        if kind == "pack"
        else _(
            "The answers are being computed: this takes up to a minute. The sheet appears by itself."
        )
    )
    return f'<p class="soon">{html.escape(said)}</p>'


@cached()
def page(asked: Sheet) -> str:
    """The page of a sheet."""
    with localization.spoken(asked.language):
        lesson = find(asked.lesson)
        assert lesson is not None  # `_answer` has looked
        title = f"{html.escape(text_of(lesson.title))} · {_titles()[asked.kind]} · Polysee"
        return shell.page(title, _nav(lesson, asked), _content(lesson, asked))


def _content(lesson: Lesson, asked: Sheet) -> str:
    texts = lesson.with_second() if asked.second else lesson.texts
    if asked.kind == "notes":
        return sheets.notes(lesson, texts, _around(lesson))
    if asked.kind == "questions":
        return sheets.questions(lesson, texts)
    if asked.kind == "check":
        return sheets.before_and_after(lesson, texts)
    if asked.kind == "plan":
        return sheets.plan_of(lesson, _around(lesson), answers(lesson, second=False))
    if asked.kind == "rubric":
        return packs.rubric(lesson, texts)
    if asked.kind == "slides":
        return packs.leaves(_leaves(lesson, asked, ("slides",)))
    if asked.kind == "pack":
        return packs.leaves(_leaves(lesson, asked, (*_FOR_CLASS, *_FOR_TEACHER)))
    others = answers(lesson, second=not asked.second) if lesson.second else []
    told = answers(lesson, second=asked.second)
    shown = _pictures(lesson, texts)
    return sheets.key(lesson, texts, _around(lesson), told, others, shown)


def _leaves(lesson: Lesson, asked: Sheet, kinds: Sequence[Kind]) -> list[tuple[str, str]]:
    """The leaves of a pack: (kind, HTML) of each."""
    found: list[tuple[str, str]] = []
    for kind in kinds:
        if kind == "slides":
            texts = lesson.with_second() if asked.second else lesson.texts
            told, shown = answers(lesson, second=asked.second), _pictures(lesson, texts)
            found += [(kind, one) for one in packs.slides(lesson, texts, told, shown)]
        else:
            found.append((kind, _content(lesson, asked._replace(kind=kind))))
    return found


def answers(lesson: Lesson, *, second: bool) -> list[Answer | str]:
    """The answer to each step's question, by the lesson's model; or why there is none."""
    texts = lesson.with_second() if second else lesson.texts
    return [_told(lesson, i, texts) for i in range(len(lesson.steps))]


def _told(lesson: Lesson, i: int, texts: Mapping[str, str]) -> Answer | str:
    """The answer of a step, from 0, which is computed once; or why there is none."""
    model = lesson.steps[i].model
    try:
        if lesson_records.is_text_model(model):
            model_cache.wait_for(model)  # no page is there to show its progress
        return lesson_records.answer_of(lesson.name, i, model, tuple(sorted(texts.items())))
    except PolyseeError as error:
        return str(error)


def _pictures(lesson: Lesson, texts: Mapping[str, str]) -> list[Pictured | None]:
    return [_pictured(lesson, i, texts) for i in range(len(lesson.steps))]


def _pictured(lesson: Lesson, i: int, texts: Mapping[str, str]) -> Pictured | None:
    """The picture of the answer to a step, from 0; None where there is none."""
    try:
        model = lesson.steps[i].model
        return lesson_records.pictured_of(lesson.name, i, model, tuple(sorted(texts.items())))
    except PolyseeError:  # the key says why there is no answer
        return None


def _around(lesson: Lesson) -> sheets.Around:
    every = readable()[0]
    before = tuple(_named(one) for one in every if one.name in lesson.needs)
    after = next((_named(one) for one in every if one.number > lesson.number), "")
    return sheets.Around(before, after, lesson_records.called(lesson.model))


def _named(lesson: Lesson) -> str:
    said = _("lesson {number}, “{title}”")
    return said.format(number=lesson.number, title=text_of(lesson.title))


def _nav(lesson: Lesson, asked: Sheet) -> str:
    """The bar above the sheet on the screen: print, the other sheets, the other sentence."""
    first, another = _("The first sentence"), _("Another sentence")
    others = " ".join(
        f'<a href="{links.address(lesson.name, kind, second=asked.second)}"'
        f"{' aria-current=page' if kind == asked.kind else ''}>{html.escape(_titles()[kind])}</a>"
        for kind in EVERY
    )
    other = (
        f'<a href="{links.address(lesson.name, asked.kind, second=not asked.second)}">'
        f"{html.escape(first if asked.second else another)}</a>"
        if lesson.second and asked.kind != "plan"
        else ""
    )
    return f"<p>{_print()}{_present(asked)}{others}{other}{_home()}</p>"
