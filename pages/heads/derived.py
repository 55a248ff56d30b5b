"""What a panel works out of an answer, as `ui.models.blocks` caches it."""

from ui.models.blocks import mean, similarity, words

__all__ = ["mean", "similarity", "words"]
