"""Render a chat template in a process of its own: run as a file, with a request on standard input.

The template is a stranger's program. Jinja's sandbox keeps it from Python's insides, and bounds
`range`, but neither nested loops nor `"x" * 10**9`: the process has limits of time and memory, may
write no file, and ends when the output is longer than a conversation can be. It imports nothing of
Polysee, so that it starts in a tenth of a second.
"""

from __future__ import annotations

import contextlib
import json
import sys
from datetime import datetime
from typing import Any

SECONDS = 3  # of the processor
MEMORY = 400_000_000  # bytes that the process may ask for


class Refused(Exception):
    """The template itself refuses the conversation, in its own words."""


def rendered(template: str, messages: list[dict[str, str]], names: dict[str, Any], most: int) -> str:
    """The text that a template makes of messages, as `transformers` renders it.

    Args:
        template: the template.
        messages: {"role", "content"}, the oldest first.
        names: what it may use beside `messages`: special tokens by name, `add_generation_prompt`.
        most: the largest number of characters.

    Raises:
        Refused: the template calls `raise_exception`.
        OverflowError: the text is longer.
        jinja2.TemplateError: the template is damaged, or does what the sandbox forbids.
    """
    made = environment().from_string(template)
    parts: list[str] = []
    length = 0
    for part in made.generate(messages=messages, tools=None, documents=None, **names):
        parts.append(part)
        length += len(part)
        if length > most:
            raise OverflowError("the text is too long")
    return "".join(parts)


def environment() -> Any:
    """The sandbox, with the filters and functions that published templates expect."""
    from jinja2 import ext, nodes
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Generation(ext.Extension):
        """`{% generation %}` marks the answers for a training; here it is nothing."""

        tags = {"generation"}  # noqa: RUF012 - Jinja's way to declare it

        def parse(self, parser: Any) -> Any:
            line = next(parser.stream).lineno
            body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
            return nodes.Scope(body, lineno=line)

    made = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, ext.loopcontrols]
    )
    made.filters["tojson"] = _json
    made.globals["raise_exception"] = _refuse
    del made.globals["lipsum"]
    # As `transformers` does: neither gives a template the class itself.
    made.globals["dict"] = lambda *of, **more: dict(*of, **more)
    made.globals["namespace"] = _namespace
    made.globals["strftime_now"] = lambda form: datetime.now().strftime(form)
    return made


def _json(value: Any, ensure_ascii: bool = False, **more: Any) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, **more)  # Jinja's own escapes for HTML


def _namespace(*of: Any, **more: Any) -> Any:
    from jinja2.exceptions import SecurityError
    from jinja2.utils import Namespace

    class Named(Namespace):
        def __setitem__(self, name: str, value: Any) -> None:
            if name.startswith("_"):
                raise SecurityError("a namespace has no names that begin with _")
            super().__setitem__(name, value)

    if any(str(name).startswith("_") for name in dict(*of, **more)):
        raise SecurityError("a namespace has no names that begin with _")
    return Named(*of, **more)


def _refuse(message: object) -> None:
    raise Refused(str(message))


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The texts of a request, one for each list of messages; or why there is none."""
    from jinja2 import TemplateError

    try:
        return {
            "texts": [
                rendered(request["template"], messages, request["names"], request["most"])
                for messages in request["conversations"]
            ]
        }
    except Refused as error:
        return {"refused": str(error)[:300]}
    except (MemoryError, OverflowError):
        return {"bound": True}
    except RecursionError:
        return {"broken": "it is nested too deeply"}
    except TemplateError as error:
        return {"broken": f"{error.message or type(error).__name__}"[:300]}
    except Exception as error:  # a template may divide by 0, or ask a text for what only numbers have
        return {"broken": f"{type(error).__name__}: {error}"[:300]}


def _limit() -> None:
    try:
        import resource
    except ImportError:  # Windows: the parent's clock alone
        return
    for kind, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, SECONDS),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (most, most))


def main() -> None:
    """Answer the request on standard input as JSON on standard output."""
    request = json.load(sys.stdin)
    import jinja2.sandbox  # noqa: F401 - before the limits: it may write its compiled files

    _limit()
    try:
        said = json.dumps(answer(request))
    except MemoryError:
        said = '{"bound": true}'
    sys.stdout.write(said)


if __name__ == "__main__":
    main()
