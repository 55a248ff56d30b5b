"""The numbers behind a comparison: its vectors, and whether two programs agree on them (Markdown)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..figures import Picture, strips, style
from ..localization import _, decimal, ngettext
from ..markdown import plain
from ..measures import Agreement, WordPath
from ..records.trace import Array
from .source import Source


def vectors(paths: Mapping[str, WordPath]) -> dict[str, Array]:
    """The learned vector of a word and its contextual vectors in sentence "A", "B", …, by name."""
    learned = {name: path.vectors[0] for name, path in paths.items()}
    first, *others = learned.values()
    if all((first == other).all() for other in others):
        learned = {_("learned"): first}
    else:
        learned = {_("learned {name}").format(name=name): vector for name, vector in learned.items()}
    return learned | {
        _("in {name}").format(name=name): path.vectors[-1] for name, path in paths.items()
    }


def colour_strips(named: Mapping[str, Array]) -> Picture:
    """These vectors as strips of colour, without a learned vector of another width (ALBERT's)."""
    width = named[list(named)[-1]].size
    sentences = {"A": style.SENTENCE_A, "B": style.SENTENCE_B}
    colours = {_("in {name}").format(name=name): colour for name, colour in sentences.items()}
    return strips(
        {name: vector for name, vector in named.items() if vector.size == width},
        sentence=_("The learned and the contextual vectors of the word as strips of colour."),
        name="vectors",
        colours={name: colours.get(name, style.LEARNED) for name in named},
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
    row = _("the word’s row in the model’s table, the same in every sentence")
    if len({*words.values()}) > 1:
        row = _("a word’s row in the model’s table")
    elif not all(np.array_equal(path.vectors[0], first.vectors[0]) for path in paths.values()):
        row = _("the word’s row in the model’s table, which is another token in A than in B")
    names = _(" and ").join(_("*in {name}*").format(name=name) for name in paths)
    caption = ngettext(
        "The first of {size} numbers. *Learned* is {row}; {names} is the vector after layer {layer} "
        "in that sentence: a contextual vector.",
        "The first of {size} numbers. *Learned* is {row}; {names} are the vectors after layer "
        "{layer} in that sentence: contextual vectors.",
        len(paths),
    ).format(size=first.vectors[-1].size, row=row, names=names, layer=first.n_layers)
    pieces = {words[name]: path.pieces for name, path in paths.items() if path.pieces > 1}
    for word, count in pieces.items():
        caption += _(
            " The model splits “{word}” into {count} pieces; the numbers are the mean over the pieces."
        ).format(word=plain(word), count=count)
    return caption


def agreed(agreements: Sequence[Agreement], bound: float) -> str:
    """Whether our transformer and Hugging Face's agree, with the largest difference (Markdown)."""
    worst = max(f.worst for f in agreements)
    numbers = sum(f.numbers for f in agreements)
    if worst == 0:
        return _(
            "Our own transformer and Hugging Face’s ran these texts with the same published "
            "weights. All **{numbers}** numbers, at every layer, are equal **to the last bit**: "
            "the largest difference is **0**."
        ).format(numbers=decimal(f"{numbers:,}"))
    verdict = _("agree") if worst <= bound else _("**do not agree**")
    return _(
        "Our own transformer and Hugging Face’s ran these texts with the same published "
        "weights, and they {verdict}: over {numbers} numbers, at every layer, the largest "
        "difference is **{worst}** (it should stay below {bound})."
    ).format(
        verdict=verdict,
        numbers=decimal(f"{numbers:,}"),
        worst=style.scientific(worst, 1),
        bound=style.scientific(bound, 0),
    )


def proof(texts: Sequence[str], source: Source) -> str:
    """How far our transformer and Hugging Face's differ on these texts, in a sentence (Markdown).

    Raises:
        PolyseeError: see `core.load` and `Model.trace`.
    """
    if source.toy:
        return _("This model was trained here. There is no other implementation of it to compare with.")
    if source.engine == "huggingface":
        return _(
            "Our own transformer cannot run this architecture. All numbers come from Hugging "
            "Face’s code."
        )
    return agreed([source.agreement(text) for text in texts], source.bound)
