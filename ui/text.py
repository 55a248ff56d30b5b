"""Text that a visitor typed, made safe to show; anchor groups as one types them; a remaining time."""

from __future__ import annotations

import re
import string
import unicodedata

from core.records.comparison import AnchorGroup
from core.records.trace import Array, Trace

# What Streamlit's page makes of text after Markdown has had its turn, escaped or not: arrows, dashes,
# comparison signs, links, addresses and its own logo. A sign that is not seen keeps the parts apart.
_STILL_ALIVE = re.compile(
    r"(?<=-)(?=[->])|(?<=<)(?=[-=])|(?<=[>~])(?==)"
    r"|(?<=:)(?=//)|(?<=www)(?=\.)|(?<=@)|(?<=:)(?=streamlit:)",
    re.IGNORECASE,
)
_WORD_JOINER = "\u2060"


def plain(text: str) -> str:
    """Text that Markdown shows as it is, in one line: what a visitor typed stays text."""
    apart = _STILL_ALIVE.sub(_WORD_JOINER, " ".join(text.split()))
    escaped = "".join(f"\\{c}" if c in string.punctuation else c for c in apart)
    # Isolated, or a Hebrew or Arabic word would turn round the numbers beside it.
    return isolated(escaped)


def isolated(name: str) -> str:
    """A name that may run from right to left, kept from turning round what stands beside it."""
    turned = any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in name)
    return f"\u2068{name}\u2069" if turned else name


def words_of(typed: str) -> tuple[str, ...]:
    """A list typed with commas, each word once."""
    return tuple(dict.fromkeys(word.strip() for word in typed.split(",") if word.strip()))


def group_of(typed: str) -> AnchorGroup:
    """Anchor words typed as "name: word, word" or "word, word"; then the first word is the name."""
    named = re.match(r"\s*([^,:]+):\s+(.*)", typed, re.DOTALL)  # not the colon of 10:30
    words = words_of(named[2] if named else typed)
    return AnchorGroup(named[1].strip() if named else (words[0] if words else ""), words)


def typed_group(group: AnchorGroup) -> str:
    """What `group_of` reads as this group."""
    words = ", ".join(group.words)
    return words if group.name == group.words[0] else f"{group.name}: {words}"


def cut(sentence: str, typed: str, end: int, *, memory: bool = False) -> str:
    """Where a sentence was cut because the model takes no more (Markdown).

    `memory`: or because the model would, and the memory that this server gives to a text does not.
    """
    why = (
        "is longer than this server has memory for (POLYSEE\\_TRACE\\_MB)"
        if memory
        else "is longer than the model accepts"
    )
    return f"{sentence} {why}. It was cut after “… {plain(typed[:end].rstrip()[-40:])}”."


def all_unknown(trace: Trace, tokens: Array) -> bool:
    """Whether the model knows nothing of what stands at these tokens."""
    return all(trace.tokens[i] in ("[UNK]", "<unk>") for i in tokens)


def time_left(seconds: float) -> str:
    """A remaining time in words: seconds, and minutes from a minute and a half on."""
    if seconds >= 90:
        return f"about {round(seconds / 60)} min left"
    return f"about {max(1, round(seconds))} s left"


def token_text(read: str, token: str) -> str:
    """A predicted word without the blank before it; a piece that goes on a word as such.

    Args:
        read: how it reads within a text.
        token: its name, as the tokenizer has it.
    """
    if not read.strip() or "\ufffd" in read or token.startswith("##"):
        return token  # some bytes of a character are no text: the tokenizer's own name says more
    if read.startswith(" ") or not read[0].isalnum():
        return read.strip()
    return f"##{read}" if token == read else read
