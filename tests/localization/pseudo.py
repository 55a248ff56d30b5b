"""A language made for tests: each message of the catalogues stands in ⟦brackets⟧, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from babel.support import Translations

from core.localization import browser, catalogues, messages
from ui.state import LANGUAGE

CODE = "eo"  # one that has no catalogue: caches are kept by language, and none has seen this one
OPENED, CLOSED = "⟦", "⟧"


class Bracketed(Translations):
    """Brackets each message that another catalogue has; any other stays as it is."""

    def __init__(self, like: Translations) -> None:
        super().__init__()
        self._known = {key[0] if isinstance(key, tuple) else key for key in like._catalog}

    def gettext(self, message: str) -> str:
        return self._of(message, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self._of(msgid1, msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return self._of(f"{context}\x04{message}", message)

    def _of(self, key: str, message: str) -> str:
        inner = message.strip()
        return message.replace(inner, f"{OPENED}{inner}{CLOSED}", 1) if key in self._known else message


@contextmanager
def bracketed() -> Iterator[None]:
    """The language is one of ours inside; a link names it as any other. Scripts keep their English."""
    real = catalogues.catalogue
    own = Bracketed(real("de"))

    def catalogue(code: str) -> Translations:
        return own if code == CODE else real(code)

    with (
        patch.object(catalogues, "catalogue", catalogue),
        patch.object(messages, "catalogue", catalogue),
        patch.object(browser, "of", lambda *sources: {}),
        patch.object(browser, "content", lambda code: b"null"),
        patch.object(LANGUAGE, "parse", str),
    ):
        yield


def outside(text: str) -> str:
    """What stands in no bracket."""
    found, depth = [], 0
    for sign in text:
        if sign == OPENED:
            depth += 1
            found.append(" ")
        elif sign == CLOSED:
            depth -= 1
        elif not depth:
            found.append(sign)
    return "".join(found)
