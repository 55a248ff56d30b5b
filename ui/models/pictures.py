"""Pictures, cached by their content: a choice in a picture does not recompute its numbers.

A choice in a picture goes back to the server and reruns the page. The choice is small, and is set in
the cached picture (`Picture.choosing`), whose numbers are already packed and have an address.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from core import localization
from core.figures import Picture
from core.memory import cached


@cached(key=lambda query, make: (localization.current(), query))
def once(query: Hashable, make: Callable[[], Picture]) -> Picture:
    """The picture of a query, made once for everyone who requests it at the same time.

    Args:
        query: everything that its numbers depend on, as strings and numbers: the kind of picture, the
            model, the text, and so on; but not the choices in it.
        make: makes the picture, with any choices.

    Raises:
        PolyseeError: see `make`; then nothing is cached.
    """
    made = make()
    made.numbers()  # pack them now, because the cache then weighs the picture
    return made
