"""Parts of the page that show the numbers behind it: the vectors, and the agreement of two programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.figures import Picture, strips, style
from core.measures import WordPath
from core.records.trace import Array
from pages.compare import captions
from ui import figure, files, layout, tables, text
from ui.models import answers, model_cache, session_models
from ui.models.attempt import attempt
from ui.page import terms
from ui.selection import Chosen

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


def numbers(model: str, sides: Mapping[str, Chosen]) -> None:
    """Draw the learned vector of the word and its contextual vectors as numbers."""
    if not sides:
        return
    quoted = " and ".join(f"“{text.plain(w)}”" for w in dict.fromkeys(s.word for s in sides.values()))
    st.subheader(f"The numbers of {quoted}", anchor=False)
    paths = {name: answers.path(model, *side) for name, side in sides.items()}
    named = vectors(paths)
    figure.show(
        colour_strips(named),
        "vectors",
        saved_as=[files.csv(lambda: tables.vectors(named), "vectors")],
        scale=layout.scale(),
    )
    st.code(captions.first_numbers(named), language=None)
    terms.caption(
        captions.about_vectors({name: side.word for name, side in sides.items()}, paths), "vectors"
    )


def proof(model: str, texts: Sequence[str]) -> None:
    """Draw how much our transformer and Hugging Face's differ on these texts."""
    st.subheader("Two programs, one answer", anchor=False)
    sentence = attempt(proof_in_words, model, texts)
    if sentence is not None:
        st.markdown(sentence)


def proof_in_words(model: str, texts: Sequence[str]) -> str:
    """The same as a sentence (Markdown).

    Raises:
        PolyseeError: see `core.load` and `Model.trace`.
    """
    if session_models.is_own(model):
        return "This model was trained here. There is no other implementation of it to compare with."
    if model_cache.model(model).engine == "huggingface":
        return (
            "Our own transformer cannot run this architecture. All numbers come from Hugging "
            "Face’s code."
        )
    return captions.agreed(
        [answers.agreed(model, typed) for typed in texts], model_cache.model(model).bound
    )
