"""A comparison as one HTML file, which opens offline with all its pictures."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import streamlit as st

from core.figures import Picture, cosine_paths, word_projection, word_space
from core.figures.saved_page import Part, Series, saved_page
from core.markdown import to_html
from pages.compare import attention, captions, evidence, legends, verdict_captions
from pages.compare.attention import Look
from ui import device, files, permalink
from ui.comparison import Between, Moved, Question, between, moved, picture, shown_parts, sure
from ui.models import blocks
from ui.query import TextQuery
from ui.selection import Chosen
from ui.state import Field

# The whole file stays below 2 MB, or below 4 MB with Plotly, which it includes only for a
# three-dimensional picture.
MOST_HEAD_BYTES = 1_000_000
_ALIVE = "polysee-comparison-alive.html"


def button(question: Question, choices: Mapping[str, Any], *where: Field[Any]) -> None:
    """A button that saves the comparison; the file is made on request, from the choices at that time.

    Args:
        question: the word and the sentences.
        choices: the choices of the page that a model inside the file needs, by their keys in the link.
        where: the fields of layer, head, special tokens, layers back, and how the components are seen.
    """
    now, page = permalink.now(), st.context.url or ""

    def make() -> str:
        layer, head, special, back, view = (now.values[field.key] for field in where)
        look = Look.numbered(layer, head, special=special)
        link = permalink.link(page, now)
        return comparison(question, look, back=back, link=link, solid=view == "pca3")

    st.download_button(
        "Save this comparison",
        make,
        file_name="polysee-comparison.html",
        mime="text/html",
        on_click="ignore",
        help="One HTML file that opens offline and keeps its pictures interactive.",
    )
    device.saved_alive(question.model, files.File("HTML", _ALIVE, make, "alive"), choices)


def comparison(question: Question, look: Look, *, back: int, link: str, solid: bool = False) -> str:
    """The content of the file.

    Args:
        question: the word and the sentences.
        look: the weights shown initially.
        back: the number of layers before the last for the initial depth.
        link: the address of the live page.
        solid: whether to include the paths in three dimensions, if the visitor has chosen that view.

    Raises:
        PolyseeError: see `ui.comparison.moved` and `between`.
    """
    word_paths = moved(question)
    senses = between(question) if question.one else None
    sentences = [] if senses is None or question.ends is None else _verdict(question, senses)
    proof = evidence.proof_in_words(question.model, [one.text for _, one in _sides(question)])
    parts = [
        Part("", _sentences(question) + "".join(map(to_html, sentences))),
        *_moves(question, word_paths, senses, max(0, word_paths.a.n_layers - back), solid),
        _heads(question, look),
        _numbers(question, word_paths),
        Part("Two programs, one answer", to_html(proof)),
    ]
    live = f' <a href="{html.escape(link)}">Open this comparison live</a>.' if link else ""
    words = " and ".join(f"“{word}”" for word in dict.fromkeys(question.words))
    return saved_page(f"{words} in two sentences", parts, foot=f"Made with Polysee.{live}")


def _sides(question: Question) -> Iterator[tuple[str, Chosen]]:
    return zip("AB", (question.a, question.b), strict=True)


def _sentences(question: Question) -> str:
    lines = []
    for name, one in _sides(question):
        shown, chosen = shown_parts(question.model, one)
        start, end = shown[chosen].start, shown[chosen].end
        before, word, after = (
            html.escape(part) for part in (one.text[:start], one.text[start:end], one.text[end:])
        )
        mark = "●" if name == "A" else "■"
        lines.append(
            f'<p class="{name.lower()}" dir="auto">{mark} {name}: '
            f"{before}<mark>{word}</mark>{after}</p>"
        )
    return "\n".join(lines)


def _verdict(question: Question, senses: Between) -> list[str]:
    """The verdict, and how certain it is."""
    assert question.ends is not None
    beside = sure(senses)
    sentences = [
        verdict_captions.headline(question.words, question.ends.names, senses.verdict, senses.same),
        verdict_captions.reasons(senses.verdict if senses.same is None else senses.same),
        verdict_captions.rate(beside.ends, beside.bounds),
        verdict_captions.stands_in(beside.standing),
    ]
    return [one for one in sentences if one]


def _moves(
    question: Question, word_paths: Moved, senses: Between | None, depth: int, solid: bool
) -> Iterator[Part]:
    if senses is not None:
        yield Part("From one dot to two", "", (picture(senses, depth=depth, adds=True),))
    projection, depths = word_paths.projection, word_paths.a.n_layers + 1
    shown = [
        (cosine_paths(word_paths.together, word_paths.from_alone), legends.of_cosine(question.words)),
        (
            word_projection(projection, question.names, depth=depths),
            legends.of_projection(question.words, projection.shares[:2]),
        ),
    ]
    if solid:
        space = word_space(projection, question.names, depth=depths)
        shown.append((space, legends.of_projection(question.words, projection.shares)))
    yield Part(
        "In all directions at once: cosine similarity and principal components",
        "",
        tuple(picture for picture, _ in shown),
        tuple(to_html(words) for _, words in shown),
    )


def _heads(question: Question, look: Look) -> Part:
    """Which token attends to which: as many layers and heads as fit into the file."""
    gone = blocks.block(_query(question, question.a)).absent
    layers: Sequence[int | None] = (None, *np.flatnonzero(~gone.all(axis=1)).tolist())
    heads: Sequence[int | None] = (None, *np.flatnonzero(~gone.all(axis=0)).tolist())
    size = sum(len(one.to_bytes()) for one in _look(question, look)) * 4 // 3
    note = "This file holds all layers and heads."
    if size * len(layers) * len(heads) > MOST_HEAD_BYTES:
        layers, note = (
            (look.layer,),
            "This file holds the heads of one layer; the live page has them all.",
        )
    if size * len(layers) * len(heads) > MOST_HEAD_BYTES:
        heads, note = (look.head,), "This file holds one head; the live page has them all."
    if size > MOST_HEAD_BYTES:
        note = (
            "These texts are too long for whole heads to fit in this file; the live page has "
            "them. This file shows what the compared word attends to in every layer."
        )
        rows = (
            attention.by_layer(name, attention.every_layer(_query(question, one), one, look), one, look)
            for name, one in _sides(question)
        )
        return Part("Which token attends to which", to_html(note), tuple(rows))
    sets = tuple(_look(question, Look(layer, head, look.special)) for layer in layers for head in heads)
    sliders = tuple(
        (name, tuple("mean" if step is None else str(step + 1) for step in steps))
        for name, steps in (("Layer", layers), ("Head", heads))
    )
    chosen = layers.index(look.layer), heads.index(look.head)
    order = "A, then B, then A minus B for the tokens that both contain."
    return Part(
        "Which token attends to which",
        to_html(f"{note} From left to right: {order} {captions.DIFFERENCE}"),
        (Series(sliders, chosen, sets),),
    )


def _query(question: Question, one: Chosen) -> TextQuery:
    return TextQuery(question.model, one.text)


def _look(question: Question, look: Look) -> tuple[Picture, ...]:
    a, b = (attention.seen(name, _query(question, one), one, look) for name, one in _sides(question))
    pictures = [attention.picture(a, look), attention.picture(b, look)]
    if set(a.tokens) & set(b.tokens):
        pictures.append(attention.difference(attention.less(a, b), look))
    return tuple(pictures)


def _numbers(question: Question, word_paths: Moved) -> Part:
    paths = {"A": word_paths.a, "B": word_paths.b}
    words = dict(zip("AB", question.words, strict=True))
    named = evidence.vectors(paths)
    first = html.escape(captions.first_numbers(named))
    return Part(
        "The numbers",
        to_html(captions.about_vectors(words, paths)) + f"<pre>{first}</pre>",
        (evidence.colour_strips(named),),
    )
