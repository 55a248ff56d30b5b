"""Python code for the numbers of each view of Embeddings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pages.embeddings.anchor_groups import Groups
from pages.embeddings.state import LEARNED
from pages.embeddings.trajectories.data import TrajectoryQuery
from ui import same_in_python

_OF_PAIR = "near.dot[0, 1], near.cosine[0, 1], near.distance[0, 1]"


def words(model: str, typed: str, depth: str, pair: tuple[int, int]) -> dict[str, str]:
    """Code for two tokens of a text.

    Args:
        model: its name.
        typed: the text.
        depth: "learned", or the number of layers that they have gone through.
        pair: their positions.
    """
    where = f"hidden[{int(depth) - 1}]" if depth not in (LEARNED, "0") else ""
    where = where or ("learned" if depth == LEARNED else "embedded")
    return _python(
        same_in_python.imports(model),
        "from core.measures import pairwise_similarity",
        "",
        f"trace = core.load({model!r}).trace({typed!r})",
        f"vectors = trace.{where}  # (tokens, d_model)",
        f"near = pairwise_similarity(vectors[{list(pair)!r}])",
        f"{_OF_PAIR}  # {' and '.join(f'token {i + 1}' for i in pair)}",
    )


def sentences(model: str, lines: Sequence[str], pair: tuple[int, int]) -> dict[str, str]:
    """Code for two sentences, by the means of their vectors."""
    return _python(
        "import numpy as np",
        same_in_python.imports(model),
        "from core.measures import pairwise_similarity, sentence_vector",
        "",
        f"model = core.load({model!r})",
        "sentences = [",
        *(f"    {lines[i]!r}," for i in pair),
        "]",
        "vectors = np.stack([sentence_vector(model.trace(one)) for one in sentences])",
        "near = pairwise_similarity(vectors)",
        _OF_PAIR,
    )


def between(query: TrajectoryQuery, groups: Mapping[str, Groups]) -> dict[str, str]:
    """Code for words between two senses: their coordinates on the axes, after each layer."""
    shown = [one for one in query.words if one.word in groups]
    code = [same_in_python.imports(query.model), "", f"model = core.load({query.model!r})"]
    axes = {word: f"axis_{i + 1}" for i, word in enumerate(dict.fromkeys(one.word for one in shown))}
    for word, axis in axes.items():
        low, high = (list(group.words) for group in groups[word])
        code.append(f"{axis} = model.sense_axis({word!r}, {low!r}, {high!r})")
    texts = {text: f"trace_{i + 1}" for i, text in enumerate(dict.fromkeys(one.text for one in shown))}
    code += [f"{trace} = model.trace({text!r})" for text, trace in texts.items()]
    code.append("# after each layer, −1 to +1 (the picture’s x):")
    code.append("[")
    for one in shown:
        trace = texts[one.text]
        found = f"{trace}.find({one.word!r}, {one.number})"
        code.append(f"    {axes[one.word]}.coordinates({trace}, {found}),")
    return _python(*code, "]")


def mapped(query: TrajectoryQuery, how: str, components: int) -> dict[str, str]:
    """Code for words on a map of all their vectors."""
    code = [
        same_in_python.imports(query.model),
        f"from core.measures import {how}, word_path",
        "",
        f"model = core.load({query.model!r})",
    ]
    texts = {
        text: f"trace_{i + 1}" for i, text in enumerate(dict.fromkeys(one.text for one in query.words))
    }
    code += [f"{trace} = model.trace({text!r})" for text, trace in texts.items()]
    code.append("paths = [")
    for one in query.words:
        trace = texts[one.text]
        code.append(f"    word_path({trace}, {trace}.find({one.word!r}, {one.number})),")
    code.append("]")
    dimensions = f"{how}(paths, {components})" if how != "pca" else "pca(paths)"
    shown = f"[..., :{components}]" if how == "pca" else ""
    return _python(*code, f"{dimensions}.coordinates{shown}  # (words, depths, {components})")


def _python(*code: str) -> dict[str, str]:
    return {"Python": "\n".join(code)}
