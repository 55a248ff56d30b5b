"""The links of Markdown, as patterns that take time in proportion to a text, whoever wrote it.

A label ends at the next bracket of either kind, and a target at the next link: a pattern that looks
further reads the rest of a text again for each "[" that no "](" follows.
"""

from __future__ import annotations

LABEL = r"[^\[\]]"  # one character of a link's label
TARGET = r"(?:[^)\]]|\](?!\())"  # one character of its target
