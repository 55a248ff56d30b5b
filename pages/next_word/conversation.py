"""A conversation of a visitor in a link: what was said before, in a bounded list of texts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TypeAlias

from core import untrusted

Turns: TypeAlias = tuple[tuple[str, str], ...]  # (what the visitor said, what the model answered)

MESSAGE = "What is the capital of France?"
MOST_TURNS = 8
MOST_BYTES = 4_000  # of all of them in a link; an address may have 8,000


def turns(text: str) -> Turns:
    """Turns out of a link.

    Raises:
        ValueError: it is none, or has more than there may be.
    """
    if not text:
        return ()
    found = untrusted.parse(text.encode("utf-8", "replace"), most_bytes=MOST_BYTES)
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found) or len(found) % 2:
        raise ValueError(text[:80])
    made = tuple(zip(found[::2], found[1::2], strict=True))
    if not made or len(made) > MOST_TURNS:
        raise ValueError(text[:80])
    return made


def turns_written(value: Turns) -> str:
    """The inverse of `turns`."""
    flat = [part for turn in value for part in turn]
    return json.dumps(flat, ensure_ascii=False, separators=(",", ":")) if flat else ""


def kept(value: Turns) -> Turns:
    """The last turns that a link has room for."""
    some = value[-MOST_TURNS:]
    while some and len(turns_written(some).encode("utf-8", "replace")) > MOST_BYTES:
        some = some[1:]
    return some


def messages(system: str, before: Turns, message: str) -> list[dict[str, str]]:
    """A conversation in the form of `Model.chat`; an empty system message is none."""
    found: list[dict[str, str]] = []
    if system.strip():
        found.append({"role": "system", "content": system})
    for said, answered in before:
        found += [{"role": "user", "content": said}, {"role": "assistant", "content": answered}]
    return [*found, {"role": "user", "content": message}]


def plain(contents: Sequence[dict[str, str]]) -> str:
    """The same without a template: the texts, each on its own line."""
    return "\n".join(one["content"] for one in contents)
