"""Text: messages and names for the screen, escaped; lists and anchor groups; remaining times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import regex

from core.errors import without_paths
from core.localization import _, said
from core.markdown import escaped as escaped
from core.markdown import isolated as isolated
from core.markdown import plain as plain
from core.records import unknown
from core.records.comparison import AnchorGroup
from core.records.trace import Array, Trace
from core.records.words import split
from core.sentences import listed, sentence

MOST_OF_END = 40  # characters of a text that was cut
_SPACES = {" ": "␣", "\n": "↵", "\r": "↵", "\t": "⇥"}
_NAMED_SPACES = {"Ġ": "␣", "▁": "␣", "Ċ": "↵", "č": "↵", "ĉ": "⇥"}  # in a byte-level vocabulary
_AHEAD = 60  # characters beyond a cut that are read, to see where the word there ends
_QUOTE = regex.compile("(?<=“)[^“”]+(?=”)")
_SIGN = regex.compile(r"\X")


def of_error(error: Exception) -> str:
    """The message of an error as Markdown text, without the paths of the server.

    What it quotes is isolated alone: isolated as a whole, an English message about a Hebrew word would
    run from right to left.
    """
    return _QUOTE.sub(lambda quote: isolated(quote[0]), escaped(without_paths(said(error))))


def words_of(typed: str) -> tuple[str, ...]:
    """The words of a comma-separated list, each once."""
    return tuple(dict.fromkeys(word.strip() for word in typed.split(",") if word.strip()))


def group_of(typed: str) -> AnchorGroup:
    """Parse anchor words: "name: word, word", or "word, word", which takes its first word as name."""
    name, colon, rest = typed.partition(":")
    named = bool(colon and name) and "," not in name and rest[:1].isspace()  # not the colon of 10:30
    words = words_of(rest if named else typed)
    return AnchorGroup(name.strip() if named else (words[0] if words else ""), words)


def typed_group(group: AnchorGroup) -> str:
    """The text that `group_of` parses as this group."""
    words = ", ".join(group.words)
    return words if group.name == group.words[0] else f"{group.name}: {words}"


def cut(sentence: str, typed: str, end: int, *, memory: bool = False) -> str:
    """A message that says where a sentence was truncated (Markdown).

    With `memory`, the limit is the memory that this server allows for a text (`POLYSEE_TRACE_MB`), not
    the model's length.
    """
    why = (
        _("is longer than this server has memory for")
        if memory
        else _("is longer than the model accepts")
    )
    return _("{sentence} {why}. It was cut after {end}.").format(
        sentence=sentence, why=why, end=end_of(typed[:end])
    )


def special(name: str, tokens: Sequence[str]) -> str:
    """That special tokens in a typed text are read as such (Markdown).

    Args:
        name: the box of the text, as the start of a sentence.
        tokens: the tokens, at least one.
    """
    named = listed([f"`{one.strip()}`" for one in tokens])
    which = "text.special-token" if len(tokens) == 1 else "text.special-tokens"
    return sentence(which, name=name, tokens=named)


def end_of(read: str, most: int = MOST_OF_END) -> str:
    """The end of a text as a quotation that begins with a word: “… on the river bank” (Markdown).

    Args:
        read: the text.
        most: characters that are shown; of a longer last word, its end.
    """
    read = " ".join(read.split())
    end = read[-most:]
    if len(read) > most and read[-most - 1] != " " and " " in end:
        end = end.partition(" ")[2]
    return _("“… {end}”").format(end=plain(end.lstrip()))


def clipped(text: str, most: int, *, keep: Literal["start", "end"] = "start") -> str:
    """A text of at most `most` characters that ends where a word ends: "on the river…".

    Args:
        text: the text, in any script. Where no word ends early enough, it ends between two letters.
        most: characters, the ellipsis included.
        keep: which end of the text stays; of "end", the result begins where a word begins.
    """
    if len(text) <= most:
        return text
    room = max(1, most - 1)
    if keep == "start":
        part = text[: room + _AHEAD]
        ends = [word.end for word in split(part) if word.end <= room]
        ends = ends or [sign.end() for sign in _SIGN.finditer(part) if sign.end() <= room]
        return f"{text[: ends[-1] if ends else 0]}…"
    part = text[-room - _AHEAD :]
    least = len(part) - room
    starts = [word.start for word in split(part) if word.start >= least]
    starts = starts or [sign.start() for sign in _SIGN.finditer(part) if sign.start() >= least]
    return f"…{part[starts[0] if starts else len(part) :]}"


def all_unknown(trace: Trace, tokens: Array) -> bool:
    """Whether all of these tokens are unknown to the model."""
    return unknown.all_unknown(trace.tokens, tokens)


def about(seconds: float) -> str:
    """A rough time in words: seconds, or minutes above a minute and a half."""
    if seconds >= 90:
        return _("about {minutes} min").format(minutes=round(seconds / 60))
    return _("about {seconds} s").format(seconds=max(1, round(seconds)))


def time_left(seconds: float) -> str:
    """A remaining time in words: see `about`."""
    return _("{time} left").format(time=about(seconds))


def token_text(read: str, token: str) -> str:
    """A predicted token for display: without a leading space, and marked if it continues a word.

    Args:
        read: its spelling within a text.
        token: its name in the tokenizer.
    """
    if not read or is_control(token):
        return token
    if not read.strip():
        return "".join(_SPACES.get(sign, sign) for sign in read)
    if "\ufffd" in read or token.startswith("##"):
        # some bytes of a character are no text: the tokenizer's own name says more
        return "".join(_NAMED_SPACES.get(sign, sign) for sign in token)
    if read.startswith(" ") or not read[0].isalnum():
        within = read.removeprefix(" ").rstrip(" ")
        return "".join(_SPACES.get(sign, sign) if sign != " " else sign for sign in within)
    return f"##{read}" if token == read else read


def is_control(token: str) -> bool:
    """Whether a token spells no text and controls a model instead: "<|im_end|>", "</s>"."""
    return (token.startswith("<|") and token.endswith("|>")) or token in ("<s>", "</s>", "<eos>")
