"""Two prompts, and which state of one moves the other's answer: activation patching.

`view` arranges, `computed` asks the model in its turn, `job` does so in a thread and `progress` shows
how far it is, `captions` makes sentences of the numbers.
"""

from pages.next_word.prompts.view import show

__all__ = ["show"]
