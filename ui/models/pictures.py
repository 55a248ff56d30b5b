"""Pictures, cached by what they show: to choose something in one makes none of its numbers anew.

A choice in a picture comes back to the server and runs the page. What was chosen is small, and is put
into the picture that is there (`Picture.choosing`), with its numbers packed and their address known.
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
    """The picture of a query, made once for all who ask for it at the same time.

    Args:
        query: all that its numbers depend on, in strings and numbers: the kind of picture, the model,
            the text, and so on; not what is chosen in it.
        make: makes it, whatever is chosen in it.

    Raises:
        PolyseeError: as `make`, of which then nothing is kept.
    """
    made = make()
    made.numbers()  # packed before others wait for the cache, which asks how large it is
    return made
