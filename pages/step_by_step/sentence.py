"""A text on the page Step by step: only a few tokens, each with its origin."""

from __future__ import annotations

from typing import NamedTuple

from core.errors import NotSupported
from core.localization import _
from core.measures.attention.token_names import names
from core.records.trace import Trace
from core.records.unknown import UNKNOWN
from core.sentences import listed
from core.sentences import sentence as template
from ui.models import answers, model_cache
from ui.text import plain

MOST_TOKENS = 16


class Sentence(NamedTuple):
    """A text as this page shows it.

    Attributes:
        text: the text, truncated if it was too long.
        tokens: readable names of its tokens.
        ids: their ids.
        types: the segment of each.
        notes: for each, where it is from.
        special: for each, whether it is a special token that the model puts around a text.
        cut: whether it was truncated.
        paper: whether it goes through an untrained encoder of the paper's size.
    """

    text: str
    tokens: tuple[str, ...]
    ids: tuple[int, ...]
    types: tuple[int, ...]
    notes: tuple[str, ...]
    special: tuple[bool, ...]
    cut: bool
    paper: bool = False

    @property
    def backwards(self) -> tuple[int, ...]:
        """The ids in reverse order; special tokens stay in place."""
        own = [number for number, mark in zip(self.ids, self.special, strict=True) if not mark]
        pairs = zip(self.ids, self.special, strict=True)
        return tuple(number if mark else own.pop() for number, mark in pairs)


def sentence(name: str, typed: str, *, paper: bool = False) -> Sentence:
    """A text truncated to what this page shows, at the end of a word if possible.

    Args:
        name: the model that tokenizes it.
        typed: the text.
        paper: whether it goes through an encoder of the paper's size.

    Raises:
        PolyseeError: see `core.load` and `Model.trace`.
    """
    model, cut, text = model_cache.model(name), False, typed
    read = model.read(text)
    if len(read) > MOST_TOKENS:
        cut = True
        room = MOST_TOKENS - sum(read.special)
        own = [i for i, special in enumerate(read.special) if not special]
        words = read.word_ids()
        ends = [n for n in range(1, room + 1) if words[own[n - 1]] != words[own[n]]] or [room]
        text = typed[: read.offsets[own[ends[-1] - 1]][1]]
        read = model.read(text)
        if len(read) > MOST_TOKENS:
            said = _("This text does not fit into {count} tokens. Type a shorter one.")
            raise NotSupported(said.format(count=MOST_TOKENS))
    trace = answers.trace(name, text)
    pieces = names(trace), read.ids, read.types, _notes(trace), read.special
    return Sentence(text, *pieces, cut, paper)


def most(read: Sentence) -> str:
    """The most tokens that this page shows, and whether they include special ones (Markdown)."""
    special = [plain(token) for token, mark in zip(read.tokens, read.special, strict=True) if mark]
    if not special:
        return _("This page shows at most {count} tokens.").format(count=MOST_TOKENS)
    return _("This page shows at most {count} tokens, {special} among them.").format(
        count=MOST_TOKENS, special=listed([*dict.fromkeys(special)])
    )


def _notes(trace: Trace) -> tuple[str, ...]:
    """For each token, the word that it is, or belongs to."""
    notes = []
    for i, word in enumerate(trace.word_ids):
        if trace.special[i]:
            notes.append(template("steps.special"))
            continue
        pieces = [i] if word is None else [j for j, w in enumerate(trace.word_ids) if w == word]
        if trace.tokens[i] in UNKNOWN:
            notes.append(template("steps.unknown", word=_name(trace, [i])))
            continue
        name, number, count = _name(trace, pieces), str(pieces.index(i) + 1), str(len(pieces))
        if len(pieces) > 1:
            notes.append(template("steps.piece", number=number, count=count, word=name))
        else:
            notes.append(template("steps.word", word=name))
    return tuple(notes)


def _name(trace: Trace, pieces: list[int]) -> str:
    start, end = trace.offsets[pieces[0]][0], trace.offsets[pieces[-1]][1]
    return trace.texts[0][start:end].strip()[:40]
