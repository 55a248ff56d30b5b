"""One log for everything, on standard error, as text or JSON; it never contains what a visitor typed.

Other libraries put texts into their messages as arguments, and into tracebacks as error messages. Of
their records, we therefore write only the constant part and numbers; of an error, only types and
places.
"""

from __future__ import annotations

import json
import logging
import sys
import threading
import time
import traceback
import warnings
from pathlib import Path
from types import TracebackType
from typing import Any

from streamlit import config
from streamlit import logger as streamlits

ROOT = Path(__file__).resolve().parents[2]
_OURS = logging.getLogger("polysee")
_SERVERS = ("uvicorn", "uvicorn.access", "uvicorn.asgi", "uvicorn.error", "websockets")
_DEEPEST = 12  # frames of an error to log, the innermost ones


def event(
    what: str, level: int = logging.INFO, error: BaseException | None = None, **facts: object
) -> None:
    """Log an event: constant words, and facts that contain nothing a visitor typed."""
    _OURS.log(level, what, extra={"facts": facts}, exc_info=error)


def set_up(kind: str) -> None:
    """Send all log records to one place.

    Args:
        kind: see `core.settings.Settings.log`.
    """
    handler: logging.Handler = logging.NullHandler()
    if kind != "off":
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(_Json() if kind == "json" else _Text())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    _OURS.setLevel(logging.INFO)
    # If the package rich is installed, Streamlit would print errors with it, bypassing every log.
    config.set_option("logger.enableRich", False)
    # Streamlit gives each of its loggers a handler, including those that it creates later.
    streamlits.setup_formatter = _adopt
    for logger in [*streamlits._loggers.values(), *map(logging.getLogger, _SERVERS)]:
        _adopt(logger)
    for name in _SERVERS:
        # At level "info" they log each connection, with its address and query; see `ui.serving.watch`.
        logging.getLogger(name).setLevel(logging.WARNING)
    threading.excepthook = _in_thread
    warnings.showwarning = _warned  # type: ignore[assignment]  # takes what it is given


def _adopt(logger: logging.Logger) -> None:
    logger.handlers.clear()
    logger.propagate = True
    if logger.name == "streamlit.error_util" and not logger.filters:
        logger.addFilter(_not_logged_twice)


def _not_logged_twice(record: logging.LogRecord) -> bool:
    """False for errors of pages, which `ui.serving.errors` logs with an id."""
    return record.msg != "Uncaught app execution"


def _in_thread(args: threading.ExceptHookArgs) -> None:
    event("error in a thread", logging.ERROR, args.exc_value)


def _warned(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, *_: Any
) -> None:
    event("warning", logging.WARNING, kind=category.__name__, at=f"{_short(filename)}:{lineno}")


def message(record: logging.LogRecord) -> str:
    """The text of a record, without anything that may come from a visitor."""
    if record.name == _OURS.name:
        return record.getMessage()
    constant = str(record.msg).partition("\n")[0]
    numbers = record.args if isinstance(record.args, tuple) else ()
    try:
        return constant % tuple(a if isinstance(a, int | float) else "…" for a in numbers)
    except (TypeError, ValueError):
        return constant


def call_sites(error: BaseException) -> list[str]:
    """The call stack of an error, the outermost call first: file, line and function, no values."""
    frames = traceback.extract_tb(error.__traceback__)[-_DEEPEST:]
    return [f"{_short(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames]


def kinds(error: BaseException) -> str:
    """The type of an error, and of its causes."""
    names = [type(error).__name__]
    behind = error.__cause__ or error.__context__
    while behind is not None and len(names) < 5:
        names.append(type(behind).__name__)
        behind = behind.__cause__ or behind.__context__
    return " from ".join(names)


def _short(filename: str) -> str:
    """A path within the checkout for our files; for others only its end, without personal folders."""
    path = Path(filename)
    inside = path.relative_to(ROOT) if path.is_relative_to(ROOT) else None
    ours = inside is not None and not inside.parts[0].startswith(".")
    return str(inside) if ours else "/".join(path.parts[-3:])


def _facts(record: logging.LogRecord) -> dict[str, Any]:
    info: tuple[type[BaseException], BaseException, TracebackType | None] | Any = record.exc_info
    error = info[1] if isinstance(info, tuple) else None
    about_error = {"error": kinds(error), "at": call_sites(error)} if error is not None else {}
    source = {} if record.name == _OURS.name else {"from": record.name}
    return {**source, **getattr(record, "facts", {}), **about_error}


def _when(record: logging.LogRecord) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{record.msecs:03.0f}Z"


class _Json(logging.Formatter):
    """A formatter that writes one JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {"time": _when(record), "level": record.levelname.lower(), "event": message(record)}
        return json.dumps({**fields, **_facts(record)}, ensure_ascii=False, default=str)


class _Text(logging.Formatter):
    """A formatter for people: one line, and the call sites of an error below."""

    def format(self, record: logging.LogRecord) -> str:
        facts = _facts(record)
        at = facts.pop("at", []) if "error" in facts else []
        parts = [_when(record), record.levelname.lower(), message(record)]
        parts += [f"{name}={value}" for name, value in facts.items()]
        return "\n    ".join([" ".join(parts), *at])
