"""A chat template rendered in a process of its own, with limits of time, memory and length."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import ModelBroken, NotSupported, TooLarge
from . import isolated

MOST_TEMPLATE = 200_000  # characters; the longest published ones have 20,000
MOST_RENDERED = 1_000_000  # characters of a conversation
SECONDS = 10.0  # of the clock: on a machine that does much else, three seconds of its processor
_AT_ONCE = threading.BoundedSemaphore(4)  # processes; further ones wait
# Of the environment, what Python itself needs: a template is a stranger's, and sees no more.
_KEPT = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TZ")

Messages = Sequence[Mapping[str, str]]


def render(
    template: str, conversations: Sequence[Messages], names: Mapping[str, Any], model: str
) -> list[str]:
    """The text that a template makes of each of some conversations.

    Args:
        template: the template, in Jinja.
        conversations: messages of {"role", "content"}, the oldest first.
        names: what the template may use beside `messages`.
        model: the name of the model in messages.

    Raises:
        NotSupported: the template refuses the conversation, such as one without a user.
        ModelBroken: the template is damaged or too long, or does what the sandbox forbids.
        TooLarge: it takes too much time or memory, or makes too long a text.
    """
    if len(template) > MOST_TEMPLATE:
        raise ModelBroken(
            "The chat template of “{model}” has {n_template:,} characters; Polysee runs "
            "{most_template:,} at most.",
            model=model,
            n_template=len(template),
            most_template=MOST_TEMPLATE,
        )
    request = {
        "template": template,
        "conversations": [[dict(one) for one in messages] for messages in conversations],
        "names": dict(names),
        "most": MOST_RENDERED,
    }
    said = _asked(json.dumps(request).encode(), model)
    if "refused" in said:
        raise NotSupported(
            "The chat template of “{model}” refuses this conversation: “{said}”.",
            model=model,
            said=said["refused"],
        )
    if "broken" in said:
        raise ModelBroken(
            "The chat template of “{model}” cannot be run: {said}.",
            model=model,
            said=said["broken"],
        )
    if "texts" not in said:
        raise _too_large(model)
    texts: list[str] = said["texts"]
    return texts


def _asked(request: bytes, model: str) -> dict[str, Any]:
    environment = {key: value for key, value in os.environ.items() if key.upper() in _KEPT}
    environment |= {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONIOENCODING": "utf-8"}
    with _AT_ONCE:
        try:
            done = subprocess.run(
                [sys.executable, "-P", "-B", str(Path(isolated.__file__))],
                input=request,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise _too_large(model) from error
    try:
        said = json.loads(done.stdout)
    except ValueError:  # the system has ended it, at one of its limits
        return {}
    return said if isinstance(said, dict) else {}


def _too_large(model: str) -> TooLarge:
    return TooLarge(
        "The chat template of “{model}” was stopped: it may take {seconds} seconds and "
        "{memory} MB, and write {most_rendered:,} characters.",
        model=model,
        seconds=isolated.SECONDS,
        memory=isolated.MEMORY // 10**6,
        most_rendered=MOST_RENDERED,
    )
