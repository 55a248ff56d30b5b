"""The addresses of the sheets: `/paper/qkv/key`, with `?second` for the lesson's second sentences.

The lessons determine which sheets exist; each is made once. The server looks up a visitor's request
among these names, and uses it for nothing else.
"""

from __future__ import annotations

import asyncio
import html
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from core.classroom import Buckets
from core.errors import PolyseeError
from core.lessons import Answer, Lesson, find, readable
from core.memory import cached
from ui.models import lesson_records, model_cache
from ui.paper import links, sheets, shell
from ui.paper.links import KINDS, Kind
from ui.paper.markdown_html import text_of
from ui.serving.routes import root

_GONE = "There is no such sheet. The page Lessons lists all sheets.\n"
_OFTEN = "Too many requests come from your network. Wait a moment.\n"
_TITLES: dict[Kind, str] = {
    "notes": "Notes",
    "questions": "Questions",
    "key": "Key",
    "plan": "Plan of 45 minutes",
}
# A class behind one router opens the same sheets at once.
_LOOKS = Buckets(time.monotonic, burst=300, rate=10)
_makers = ThreadPoolExecutor(1, "polysee paper")  # a key may train a small model: one at a time


class Sheet(NamedTuple):
    """The requested sheet."""

    lesson: str
    kind: Kind
    second: bool


def routes() -> list[Route]:
    """The route that answers at these addresses."""
    return [Route(f"{root()}/paper/{{lesson}}/{{kind}}", _answer, methods=["GET"])]


async def _answer(request: Request) -> Response:
    if not _LOOKS.take(request.client.host if request.client else ""):
        return PlainTextResponse(_OFTEN, 429, {"Cache-Control": "no-store", "Retry-After": "5"})
    kind = next((one for one in KINDS if one == request.path_params["kind"]), None)
    lesson = find(request.path_params["lesson"])
    if kind is None or lesson is None or lesson.is_route:
        return PlainTextResponse(_GONE, 404, {"Cache-Control": "no-store"})
    second = "second" in request.query_params and bool(lesson.second)
    asked = Sheet(lesson.name, kind, second)
    made = await asyncio.get_running_loop().run_in_executor(_makers, page, asked)
    return HTMLResponse(made, headers={"Cache-Control": "no-cache"})


@cached()
def page(asked: Sheet) -> str:
    """The page of a sheet."""
    lesson = find(asked.lesson)
    assert lesson is not None  # `_answer` has looked
    title = f"{html.escape(text_of(lesson.title))} · {_TITLES[asked.kind]} · Polysee"
    return shell.page(title, _nav(lesson, asked), _content(lesson, asked))


def _content(lesson: Lesson, asked: Sheet) -> str:
    texts = lesson.with_second() if asked.second else lesson.texts
    if asked.kind == "notes":
        return sheets.notes(lesson, texts, _around(lesson))
    if asked.kind == "questions":
        return sheets.questions(lesson, texts)
    if asked.kind == "plan":
        return sheets.plan_of(lesson, _around(lesson))
    others = answers(lesson, second=not asked.second) if lesson.second else []
    return sheets.key(lesson, texts, _around(lesson), answers(lesson, second=asked.second), others)


def answers(lesson: Lesson, *, second: bool) -> list[Answer | str]:
    """The answer to each step's question, by the lesson's model; or why there is none."""
    texts = tuple(sorted((lesson.with_second() if second else lesson.texts).items()))
    made: list[Answer | str] = []
    for i, step in enumerate(lesson.steps):
        try:
            if lesson_records.is_text_model(step.model):
                model_cache.wait_for(step.model)  # no page is there to show its progress
            made.append(lesson_records.answer_of(lesson.name, i, step.model, texts))
        except PolyseeError as error:
            made.append(str(error))
    return made


def _around(lesson: Lesson) -> sheets.Around:
    every = readable()[0]
    before = tuple(_named(one) for one in every if one.name in lesson.needs)
    after = next((_named(one) for one in every if one.number > lesson.number), "")
    return sheets.Around(before, after, lesson_records.called(lesson.model))


def _named(lesson: Lesson) -> str:
    return f"lesson {lesson.number}, “{text_of(lesson.title)}”"


def _nav(lesson: Lesson, asked: Sheet) -> str:
    """The bar above the sheet on the screen: print, the other sheets, the other sentence."""
    others = " ".join(
        f'<a href="{links.address(lesson.name, kind, second=asked.second)}"'
        f"{' aria-current=page' if kind == asked.kind else ''}>{_TITLES[kind]}</a>"
        for kind in KINDS
    )
    other = (
        f'<a href="{links.address(lesson.name, asked.kind, second=not asked.second)}">'
        f"{'The first sentence' if asked.second else 'Another sentence'}</a>"
        if lesson.second and asked.kind != "plan"
        else ""
    )
    home = f'<a href="{root()}/lessons">Lessons</a>'
    return f'<p><button id="print" type="button">Print</button>{others}{other}{home}</p>'
