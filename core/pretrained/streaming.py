"""Stream the vectors of one word from many texts, window by window."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from ..records.spelling import Spelling
from .engines.batches import Together, batches
from .engines.engine import Keep, Run
from .recording import WordVector, found, gather
from .tokenizer.reader import Encoded


def stream(
    texts: Iterator[str],
    word: str,
    spelling: Spelling,
    read: Callable[[str], Encoded],
    run: Callable[[Sequence[Encoded], Keep], Run],
    *,
    window: int,
    size: int,
    together: Callable[[], Together],
    most: Callable[[int], int],
) -> Iterator[WordVector]:
    """Each occurrence of a word, in the order of the texts; memory does not grow with them.

    Args:
        texts: the texts; may be endless.
        word: the word or phrase.
        spelling: which spellings are one word.
        read: splits a text into tokens.
        run: runs a batch of texts.
        window: the number of texts that are sorted by length together, to reduce padding.
        size: the number of texts that run at once.
        together: returns which texts may share a batch, see `batches`.
        most: returns the number of texts of a length that fit into memory.
    """
    first = 0
    while now := list(islice(texts, window)):
        encoded = [read(text) for text in now]
        by_text = [found(one, word, spelling) for one in encoded]
        with_word = [i for i, occurrences in enumerate(by_text) if occurrences]
        result: dict[int, list[WordVector]] = {}
        for batch in batches([encoded[i] for i in with_word], size, together=together, most=most):
            indices = [with_word[i] for i in batch]
            learned, hidden = gather(
                run([encoded[i] for i in indices], "hidden"),
                [[tokens for _, tokens in by_text[i]] for i in indices],
            )
            at = 0
            for i in indices:
                result[i] = []
                for n, (written, tokens) in enumerate(by_text[i]):
                    rows = slice(at, at := at + len(tokens))
                    result[i].append(
                        WordVector(learned[rows].mean(0), hidden[rows].mean(0), first + i, n, written)
                    )
        for i in sorted(result):
            yield from result[i]
        first += len(now)
