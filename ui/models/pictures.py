"""Pictures, cached by their content: a choice in a picture does not recompute its numbers.

A choice in a picture goes back to the server and reruns the page. The choice is small, and is set in
the cached picture (`Picture.choosing`), whose numbers are already packed and have an address.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Condition

import cachetools

from core.figures import Picture

ROOM = 64 * 10**6  # bytes; a layer of 512 tokens is 4 MB, one of a short text 0.1 MB


_made: cachetools.LRUCache[Hashable, Picture]
_made = cachetools.LRUCache(ROOM, getsizeof=lambda picture: picture.nbytes)


@cachetools.cached(_made, key=lambda query, make: query, condition=Condition())
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
    made.numbers()  # pack them now, because the cache then asks for the size
    return made
