"""Layer by layer: what each state of a text reads as, by the plain lens and by a fitted one.

`view` draws the page's part, `reading` asks the model and keeps its answers, `fitting` fits a lens to a
model that has none, in the thread of `job`, `captions` makes sentences of the numbers, `python` gives
them in a notebook.
"""

from .view import show

__all__ = ["show"]
