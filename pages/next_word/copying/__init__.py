"""It copies: repeated words, the heads that find them, examples in a prompt, and the sink."""

from pages.next_word.copying.section import show

__all__ = ["show"]
