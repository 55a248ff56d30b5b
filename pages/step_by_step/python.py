"""The lines of Python that split the words of a text into tokens."""

from __future__ import annotations

from ui import same_in_python


def subwords(model: str | None, typed: str, merges: int, cut: tuple[int, int] | None) -> dict[str, str]:
    """Byte pairs learned from a text, and the longest match of its words.

    Args:
        model: whose pieces are matched; None: none are.
        typed: the text.
        merges: how many are made.
        cut: to how many words, and to how many letters of each, where the page shows fewer.
    """
    words = f"words_of({typed!r})"
    if cut is not None:
        words = f"[word[:{cut[1]}] for word in {words}[:{cut[0]}]]"
    code = [f"words = {words}", f"pairs = byte_pairs(words, {merges})"]
    if model is None:
        start = ["from core.walkthroughs.subwords import byte_pairs, words_of", ""]
        return {"Python": "\n".join([*start, *code, "pairs.states[-1]"])}
    return {
        "Python": "\n".join(
            [
                same_in_python.imports(model),
                "from core.walkthroughs.subwords import byte_pairs, longest_match, seen, words_of",
                "",
                *code,
                f"vocabulary = core.load({model!r}).word_pieces()",
                "matches = [longest_match(seen(word), vocabulary) for word in words]",
                "pairs.states[-1], [[one.piece for one in match] for match in matches]",
            ]
        )
    }
