"""The numbers behind a comparison: its vectors, and whether two programs agree on them (Markdown)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..figures import Picture, strips, style
from ..markdown import plain
from ..measures import Agreement, WordPath
from ..records.trace import Array
from .source import Source

_COLOURS = {"in A": style.SENTENCE_A, "in B": style.SENTENCE_B}


def vectors(paths: Mapping[str, WordPath]) -> dict[str, Array]:
    """The learned vector of a word and its contextual vectors in sentence "A", "B", …, by name."""
    learned = {name: path.vectors[0] for name, path in paths.items()}
    first, *others = learned.values()
    if all((first == other).all() for other in others):
        learned = {"learned": first}
    else:
        learned = {f"learned {name}": vector for name, vector in learned.items()}
    return learned | {f"in {name}": path.vectors[-1] for name, path in paths.items()}


def colour_strips(named: Mapping[str, Array]) -> Picture:
    """These vectors as strips of colour, without a learned vector of another width (ALBERT's)."""
    width = named[list(named)[-1]].size
    return strips(
        {name: vector for name, vector in named.items() if vector.size == width},
        sentence="The learned and the contextual vectors of the word as strips of colour.",
        name="vectors",
        colours={name: _COLOURS.get(name, style.LEARNED) for name in named},
    )


def first_numbers(vectors: Mapping[str, Array]) -> str:
    """The first five numbers of each vector with two decimals, one line each, names in a column."""
    width = max(map(len, vectors))
    rows = {name: ", ".join(f"{x:.2f}" for x in vector[:5]) for name, vector in vectors.items()}
    return "\n".join(f"{name:<{width}} [{row}]" for name, row in rows.items())


def about_vectors(words: Mapping[str, str], paths: Mapping[str, WordPath]) -> str:
    """A caption for the printed vectors (Markdown).

    Args:
        words: the word of each sentence, by the sentence's name.
        paths: the path of the word in each sentence.
    """
    first = next(iter(paths.values()))
    row = "the word’s row in the model’s table, the same in every sentence"
    if len({*words.values()}) > 1:
        row = "a word’s row in the model’s table"
    elif not all(np.array_equal(path.vectors[0], first.vectors[0]) for path in paths.values()):
        row = "the word’s row in the model’s table, which is another token in A than in B"
    names = " and ".join(f"*in {name}*" for name in paths)
    caption = (
        f"The first of {first.vectors[-1].size} numbers. *Learned* is {row}; {names} "
        f"{'is the vector' if len(paths) == 1 else 'are the vectors'} after layer "
        f"{first.n_layers} in that sentence: "
        f"{'a contextual vector' if len(paths) == 1 else 'contextual vectors'}."
    )
    pieces = {words[name]: path.pieces for name, path in paths.items() if path.pieces > 1}
    for word, count in pieces.items():
        caption += (
            f" The model splits “{plain(word)}” into {count} pieces; the numbers are the mean "
            "over the pieces."
        )
    return caption


def agreed(agreements: Sequence[Agreement], bound: float) -> str:
    """Whether our transformer and Hugging Face's agree, with the largest difference (Markdown)."""
    worst = max(f.worst for f in agreements)
    numbers = sum(f.numbers for f in agreements)
    if worst == 0:
        return (
            "Our own transformer and Hugging Face’s ran these texts with the same "
            f"published weights. All **{numbers:,}** numbers, at every layer, are equal "
            "**to the last bit**: the largest difference is **0**."
        )
    verdict = "agree" if worst <= bound else "**do not agree**"
    return (
        "Our own transformer and Hugging Face’s ran these texts with the same published "
        f"weights, and they {verdict}: over {numbers:,} numbers, at every layer, the "
        f"largest difference is **{style.scientific(worst, 1)}** (it should stay below "
        f"{style.scientific(bound, 0)})."
    )


def proof(texts: Sequence[str], source: Source) -> str:
    """How far our transformer and Hugging Face's differ on these texts, in a sentence (Markdown).

    Raises:
        PolyseeError: see `core.load` and `Model.trace`.
    """
    if source.toy:
        return "This model was trained here. There is no other implementation of it to compare with."
    if source.engine == "huggingface":
        return (
            "Our own transformer cannot run this architecture. All numbers come from Hugging "
            "Face’s code."
        )
    return agreed([source.agreement(text) for text in texts], source.bound)
