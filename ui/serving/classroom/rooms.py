"""The addresses of a room: the student's page, what it shows now, an answer; the wall and its tally.

A room is at `/class/SEAT/NAME`. The seat is for a proxy in front of several servers: the one that the
teacher's cookie leads to (`deploy/nginx.conf`); a server itself ignores it.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import secrets
import time
from functools import cache
from pathlib import Path

from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from core import localization, untrusted
from core.classroom import (
    LIFE,
    Buckets,
    Question,
    Reveal,
    Rooms,
    StudentView,
    Verdict,
    Wall,
    called,
    wanted,
)
from core.lessons.expressions import counted
from core.localization import _, decimal
from ui import typeface
from ui.classroom import address, wall_data
from ui.serving.classroom import wall_page
from ui.serving.routes import root
from ui.state import LANGUAGE

ROOMS = Rooms()
MOST_BYTES = 1200  # of an answer with its reason
COOKIE = "polysee_room"
KEY = "x-room-key"
_TOKEN = re.compile(r"[0-9a-f]{24}")
_HERE = Path(__file__).parent
# 30 phones behind one router send 20 requests a second, and answer within a second.
_LOOKS = Buckets(time.monotonic, burst=3000, rate=400)
_ANSWERS = Buckets(time.monotonic, burst=400, rate=40)
_STATUS = {
    Verdict.COUNTED: 200,
    Verdict.LATE: 409,
    Verdict.WRONG: 422,
    Verdict.FULL: 429,
    Verdict.GONE: 404,
}
_NOT_KEPT = {"Cache-Control": "no-store"}


def routes() -> list[Route]:
    """The routes that answer at these addresses."""
    at = f"{root()}/class/{{seat}}/{{name}}"
    return [
        Route(at, _page, methods=["GET"]),
        Route(f"{at}/state", _state, methods=["GET"]),
        Route(f"{at}/vote", _vote, methods=["POST"]),
        Route(f"{at}/tally", _tally, methods=["GET"]),
        Route(f"{at}/wall", _wall, methods=["GET"]),
    ]


def path_of(seat: str, name: str) -> str:
    """The path of a room's page."""
    return f"{root()}/class/{seat}/{name}"


@cache
def _parts() -> tuple[str, str, str]:
    """The page with its two places, its style and its script."""
    return (
        (_HERE / "student.html").read_text("utf-8"),
        typeface.style("../../") + (_HERE / "student.css").read_text("utf-8"),
        (_HERE / "student.js").read_text("utf-8"),
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


# Each page of a room has one style, one script and the app's typeface, and asks this server alone.
STUDENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        f"style-src {_hash(_parts()[1])} {_hash(wall_page.STYLE)}",
        f"script-src {_hash(_parts()[2])} {_hash(wall_page.SCRIPT)}",
        "img-src data:",
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)


def page(name: str) -> str:
    """The student's page of a room; the script fills it."""
    return _written(html.escape(name), "…", _parts()[2])


def _written(name: str, said: str, script: str) -> str:
    """The page in the language of the context."""
    written, style, _script = _parts()
    kept = _(
        "Nobody is told who answers what. This server keeps in its memory: the answers and your "
        "reasons, a random number in a cookie of this room, so that each browser counts once, and how "
        "many answers came from which network address. All of it is gone when the room is closed, at "
        "the latest after {hours} hours."
    )
    return written.format(
        language=localization.current(),
        words=html.escape(json.dumps(_words())),
        name=name,
        said=said,
        hidden="" if script else " hidden",  # of a room that is closed, nothing is kept
        style=style,
        script=script,
        room=_("Room"),
        intro=_("What this is about"),
        why=_("Why?"),
        own=html.escape(_("in your own words, if you like")),
        scripts=_("Your browser runs no scripts here. Say your answer aloud instead."),
        kept=kept.format(hours=round(LIFE / 3600)),
    )


def _words() -> dict[str, str]:
    """What the student's script says; "{…}" is filled in there."""
    return {
        "sending": _("Your answer is on its way …"),
        "lost": _("Your answer did not arrive. Try again."),
        "both": _("class {times}, model {share}"),
        "word": _("You answered “{answer}”."),
        "number": _("You answered {answer}."),
        "one": _("one word"),
        "digits": _("a number"),
        "answer": _("Answer"),
        "change": _("Change it"),
        "gaveOne": _("The class gave 1 answer."),
        "gave": _("The class gave {count} answers."),
        "first": _("Wait for the first question."),
        "next": _("Wait for the next question."),
        "before": _("Before the lesson you answered: {answer}"),
        "here": _("The answer is here."),
        "holds": _("Your prediction holds."),
        "otherwise": _("The model says otherwise."),
        "right": _("Your answer is right."),
        "wrong": _("Another answer is right."),
        "saved": _("✓ saved"),
        "answered": _("You have answered. Until the reveal, you can change your answer."),
        "closed": _("This room is closed."),
        "gone": _("What was answered here is gone."),
        "point": decimal("."),
        "offline": _("No connection. This page keeps trying."),
    }


def _often() -> str:
    return _("Too many requests come from your network. Wait a moment.")


def _why(verdict: Verdict) -> str:
    """What is said to a phone of its answer."""
    return {
        Verdict.COUNTED: "",
        Verdict.LATE: _("This question can no longer be answered."),
        Verdict.WRONG: _("This answer does not fit the question."),
        Verdict.FULL: _("This room takes no further answers."),
        Verdict.GONE: _("This room is closed."),
    }[verdict]


def _speak(request: Request, language: str | None = None) -> None:
    """Answer in this language, or in the one that a phone prefers."""
    accepted = language or request.headers.get("accept-language")
    localization.use(localization.preferred(accepted))


def _gone() -> HTMLResponse:
    said = _("This room is closed, or never was open. Look at the address again.")
    closed = _written(_("closed"), said, "")
    return HTMLResponse(closed, 404, _NOT_KEPT)


async def _page(request: Request) -> Response:
    _speak(request)
    name = request.path_params["name"]
    if not _LOOKS.take(_address(request)):
        return HTMLResponse(_often(), 429, {**_NOT_KEPT, "Retry-After": "5"})
    if not ROOMS.is_open(name):
        return _gone()
    answer = HTMLResponse(page(name), headers=_NOT_KEPT)
    if _token(request) is None:
        answer.set_cookie(
            COOKIE,
            secrets.token_hex(12),
            max_age=round(LIFE),
            path=request.url.path.rstrip("/"),
            secure=_is_secure(request),
            httponly=True,
            samesite="strict",
        )
    return answer


async def _wall(request: Request) -> Response:
    """The wall in a window of its own: who has no key sees the way into the room, and no answers."""
    _speak(request)
    name, seat = request.path_params["name"], request.path_params["seat"]
    if not _LOOKS.take(_address(request)):
        return HTMLResponse(_often(), 429, {**_NOT_KEPT, "Retry-After": "5"})
    if not ROOMS.is_open(name):
        return _gone()
    data = wall_data.of(name, path_of(seat, name), _origin(request))
    return HTMLResponse(wall_page.written(name, data), headers=_NOT_KEPT)


async def _state(request: Request) -> Response:
    _speak(request)
    if not _LOOKS.take(_address(request)):
        return _json({"why": _often()}, 429)
    view = ROOMS.student_view(request.path_params["name"], _token(request) or "")
    return _json({"why": _why(Verdict.GONE)}, 404) if view is None else _json(_of_phone(view))


async def _vote(request: Request) -> Response:
    _speak(request)
    address = _address(request)
    if not _ANSWERS.take(address):
        return _json({"why": _often()}, 429)
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return _json({"why": _why(Verdict.WRONG)}, 415)
    token = _token(request)
    if token is None:
        return _json(
            {"why": _("Your browser must keep a cookie of this room. Allow it and reload.")}, 403
        )
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > MOST_BYTES:
                return _json({"why": _("This answer is too long.")}, 413)
    except ClientDisconnect:  # or `Bodies` has waited long enough
        return _json({"why": _("Your answer did not arrive in time. Send it again.")}, 408)
    try:
        sent = untrusted.parse(body, most_bytes=MOST_BYTES)
        number, answer, why = sent["round"], sent["answer"], sent.get("why")
    except (ValueError, KeyError, TypeError, AttributeError):
        return _json({"why": _why(Verdict.WRONG)}, 422)
    if type(number) is not int:  # true is none
        return _json({"why": _why(Verdict.WRONG)}, 422)
    verdict = ROOMS.vote(request.path_params["name"], token, address, number, answer, why)
    return _json({"why": _why(verdict)}, _STATUS[verdict])


async def _tally(request: Request) -> Response:
    _speak(request, request.query_params.get(LANGUAGE.url))
    wall = ROOMS.wall(request.path_params["name"], request.headers.get(KEY, ""))
    return _json({"why": _why(Verdict.GONE)}, 404) if wall is None else _json(_of_wall(wall))


def _of_phone(view: StudentView) -> dict[str, object]:
    question, reveal, given = view.question, view.reveal, view.given
    chosen = isinstance(given, float) and question is not None and bool(question.options)
    shown = int(given) if chosen and given is not None else given
    return {
        "round": view.round,
        **_asked(question),
        "intro": question.intro if question else "",
        "options": question.options if question else (),
        "word": bool(question and question.word),
        "twice": bool(question and question.twice),
        "wanted": wanted(question) if question else "",
        "given": shown,
        "answered": called(question, given) if question and given is not None else None,
        "before": view.before,
        "bars": [bar._asdict() for bar in view.tally.bars] if view.tally else (),
        "reveal": reveal
        and {
            **_told(reveal),
            "option": reveal.option,
            "right": given is not None and reveal.holds(given),
        },
    }


def _of_wall(wall: Wall) -> dict[str, object]:
    return {
        "round": wall.round,
        **_asked(wall.question),
        "options": wall.question.options if wall.question else (),
        "labels": _language_of_labels(wall.question),
        "answers": wall.tally.answers,
        "reasons": len(wall.whys),
        "right": wall.tally.right,
        # A class that saw how the others answer would follow them.
        "bars": [bar._asdict() for bar in wall.tally.bars] if wall.reveal else [],
        "reveal": wall.reveal and _told(wall.reveal),
    }


def _language_of_labels(question: Question | None) -> str:
    """That of the bars: numbers are written for whoever looks."""
    theirs = question is not None and (question.options or question.word)
    return question.language if question is not None and theirs else localization.current()


def _asked(question: Question | None) -> dict[str, object]:
    """A question in its own language, which is not always that of whoever looks."""
    return {
        "question": question and question.text,
        "about": question.about if question else (),
        "language": question.language if question else "",
    }


def _told(reveal: Reveal) -> dict[str, object]:
    """The answer in the language of whoever looks, and the words of the lesson in its own."""
    key = "" if reveal.key is None else counted(reveal.key)
    said = _("The model’s answer: {key}.").format(key=key) if key else ""
    return {"answer": said, "words": reveal.words}


def _json(content: object, status: int = 200) -> JSONResponse:
    return JSONResponse(content, status, _NOT_KEPT)


def _token(request: Request) -> str | None:
    """The random number of a browser, which we gave it; what is none is not taken for one."""
    found = request.cookies.get(COOKIE, "")
    return found if _TOKEN.fullmatch(found) else None


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _origin(request: Request) -> str:
    """The origin for the phones, "" if there is none; a host is whatever a client sends as its name."""
    scheme = "https" if _is_secure(request) else "http"
    try:
        return address.reached(f"{scheme}://{request.headers.get('host', '')}/").origin
    except ValueError:
        return ""


def _is_secure(request: Request) -> bool:
    return "https" in (request.url.scheme, request.headers.get("x-forwarded-proto", ""))
