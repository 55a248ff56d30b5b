"""`polysee corpus`: build a corpus, take texts out of it, say what it holds."""

from ..corpus.command import add_to

__all__ = ["add_to"]
