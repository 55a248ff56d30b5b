"""The Senses page: a map of a word's occurrences, how well they are told apart, who is near."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import pandas as pd
import streamlit as st

from core.figures import style
from core.figures.web import Axis, Line, Picture, Point, lines, scatter
from core.measures.occurrences import Occurrences, nearest
from core.trace import Array
from ui import controls, frame, web, word_senses_kept
from ui.steps_choose import choose
from ui.text import plain
from ui.word_senses_kept import Asked, Sentence
from ui.word_senses_state import DEPTH, ONE

MARKS: tuple[Literal["circle", "square", "diamond", "ring"], ...] = (
    "circle",
    "square",
    "diamond",
    "ring",
)
SHORT, NEAR = 46, 5


def depth_names(found: Occurrences) -> list[str]:
    """What the depths are called: there is no "+ position" among them."""
    return ["learned", *(style.layer_name(i) for i in range(len(found.depths) - 1))]


def map_picture(
    found: Occurrences, sentences: Sequence[Sentence], places: Array, depth: int
) -> Picture:
    """A point for each occurrence, coloured and marked by label; a slider through the depths."""
    labels = list(dict.fromkeys(one.label for one in sentences))
    points = [
        Point(
            f"{text + 1}. {style.short(sentences[text].text, SHORT)}",
            places[i],
            style.LABELS[min(labels.index(sentences[text].label), 3)],
            MARKS[min(labels.index(sentences[text].label), 3)],
        )
        for i, text in enumerate(found.texts)
    ]
    return scatter(
        points,
        steps=depth_names(found),
        depth=depth,
        x=Axis("first component, of each layer anew"),
        y=Axis("second"),
        sentence=f"The word in {len(points)} places, by its vector at each depth, projected.",
        name="senses-map",
        words=("on the first component", "on the second"),
        height=460,
    )


def accuracy_picture(accuracy: Array, labels: int, names: Sequence[str]) -> Picture:
    """How often the label is told, at every depth, and what guessing gives."""
    chance = 1 / labels
    return lines(
        [Line("told right", accuracy, style.LEARNED, label=f"{style.signed(float(accuracy[-1]))}")],
        steps=names,
        ticks=["◆", *(str(i + 1) for i in range(len(names) - 1))],
        axis="after layer",
        guides=[(0.0, "0"), (chance, f"guess {style.signed(chance)}"), (1.0, "all 1")],
        bounds=(0.0, 1.0),
        sentence="How often the nearest centroid tells the label, at every depth.",
        name="senses-accuracy",
        height=300,
    )


def show(of: Asked, found: Occurrences, sentences: Sequence[Sentence]) -> None:
    """The page below its boxes.

    Args:
        of: what was asked.
        found: the vectors of the word.
        sentences: what was typed.
    """
    used = [sentences[text].label for text in found.texts]
    labels = list(dict.fromkeys(used))
    names = depth_names(found)
    last = len(names) - 1
    depth = max(0, last - int(st.session_state[DEPTH.key]))
    mapped = controls.attempt(word_senses_kept.mapped, of)
    if mapped is None:
        return
    places, shares = mapped
    accuracy = None
    if len(labels) > 1 and min(used.count(label) for label in labels) > 1:
        accuracy = word_senses_kept.accuracy(of, tuple(used))
        st.markdown(f"**{plain(of.word)}**: {_claim(accuracy, labels, len(used))}")

    def take(chosen: int) -> None:
        st.session_state[DEPTH.key] = min(max(0, last - chosen), last)

    left, right = st.columns([8, 5], gap="medium")
    with left:
        st.markdown(_legend(labels))
        picture = map_picture(found, sentences, places, depth)
        web.show(picture, "map", on_depth=take, scale=frame.scale())
        st.caption(_shown(names[depth], float(shares[depth])))
        frame.csv(lambda: map_table(found, sentences, places), "senses-map")
    with right:
        if accuracy is not None:
            st.markdown("**Told apart** by the nearest centroid")
            picture = accuracy_picture(accuracy, len(labels), names)
            web.show(picture, "accuracy", scale=frame.scale())
            frame.csv(
                lambda: pd.DataFrame({"told right": accuracy}, index=pd.Index(names, name="after")),
                "senses-accuracy",
            )
        _near(found, sentences, depth, names[depth])


def map_table(found: Occurrences, sentences: Sequence[Sentence], places: Array) -> pd.DataFrame:
    """Where each occurrence lies at every depth."""
    columns = [f"{name} {axis}" for name in depth_names(found) for axis in ("x", "y")]
    table = pd.DataFrame(places.reshape(len(places), -1), columns=columns)
    table.insert(0, "sentence", [sentences[text].text for text in found.texts])
    table.insert(0, "label", [sentences[text].label for text in found.texts])
    return table


def _claim(accuracy: Array, labels: Sequence[str], count: int) -> str:
    named = " or ".join(f"*{plain(label)}*" for label in labels[:4])
    return (
        f"{named}? In {count} places, the learned vector, one for all, tells "
        f"**{100 * float(accuracy[0]):.0f} %** right; what the last layer makes of it, "
        f"**{100 * float(accuracy[-1]):.0f} %**. Guessing gives {100 / len(labels):.0f} %."
    )


def _shown(name: str, share: float) -> str:
    if not share:
        return f"{name.capitalize()}: one vector for all of them, so that all lie in one place."
    return (
        f"{name.capitalize()}: two directions hold {100 * share:.0f} % of the spread. Each layer has "
        "directions of its own, turned to lie like those before."
    )


def _legend(labels: Sequence[str]) -> str:
    signs = ("●", "■", "◆", "○")
    shown = [
        f"{signs[min(i, 3)]} {plain(label) if label else 'without a label'}"
        for i, label in enumerate(labels)
    ]
    return "**The map**: " + ", ".join(shown[:8])


def _near(found: Occurrences, sentences: Sequence[Sentence], depth: int, name: str) -> None:
    called = {
        i + 1: f"{text + 1}. {style.short(sentences[text].text, SHORT)}"
        for i, text in enumerate(found.texts)
    }
    controls.keep(ONE.key, min(int(st.session_state[ONE.key]), len(called)))
    of = int(choose(ONE, "Nearest to", called, _nothing, width=420)) - 1
    near = nearest(found, of, depth)[:NEAR]
    st.markdown(
        "\n".join(
            f"{i}. {style.signed(value)} {_labelled(sentences[found.texts[other]])}"
            for i, (other, value) in enumerate(near, 1)
        )
    )
    st.caption(f"By the cosine of their vectors, {name}.")


def _labelled(sentence: Sentence) -> str:
    label = f" (*{plain(sentence.label)}*)" if sentence.label else ""
    return f"{plain(style.short(sentence.text, 80))}{label}"


def _nothing() -> None:
    """The page runs again by itself."""
