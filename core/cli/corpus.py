"""`polysee corpus`: build a corpus, remove texts from it, print what it contains."""

from ..corpus.command import add_to

__all__ = ["add_to"]
