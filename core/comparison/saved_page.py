"""A comparison as one HTML file, which opens offline with all its pictures."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence

import numpy as np

from ..figures import Picture, cosine_paths, word_projection, word_space
from ..figures.saved_page import Part, Series, saved_page
from ..localization import _, gettext
from ..markdown import to_html
from . import heads, how_to_read, numbers, say
from .heads import Look
from .judge import between, sure
from .moves_by_part import shown_parts
from .paths import Moved, moved
from .picture import picture
from .question import Chosen, Question
from .source import Source

# The whole file stays below 2 MB, or below 4 MB with Plotly, which it includes only for a
# three-dimensional picture.
MOST_HEAD_BYTES = 1_000_000


def page(
    question: Question, look: Look, source: Source, *, back: int, link: str, solid: bool = False
) -> str:
    """The content of the file.

    Args:
        question: the word and the sentences.
        look: the weights shown initially.
        source: the model.
        back: the number of layers before that of the verdict for the initial depth.
        link: the address of the live page.
        solid: whether to include the paths in three dimensions, if the visitor has chosen that view.

    Raises:
        PolyseeError: see `paths.moved` and `judge.between`.
    """
    word_paths = moved(question, source)
    senses = between(question, source) if question.is_one_word(source.spelling) else None
    if senses is None:
        sentences = say.said_without(question, source)
    else:
        sentences = say.said_at_length(senses, sure(senses, source), source)
    moving = None
    if senses is not None:
        moving = picture(senses, source, depth=senses.depth(back))
    proof = numbers.proof(question.texts, source)
    parts = [
        Part("", _sentences(question, source) + "".join(map(to_html, sentences))),
        *_moves(question, word_paths, moving, solid),
        _heads(question, look, source),
        _numbers(question, word_paths),
        Part(_("Two programs, one answer"), to_html(proof)),
    ]
    live = (
        _(' <a href="{link}">Open this comparison live</a>.').format(link=html.escape(link))
        if link
        else ""
    )
    words = " and ".join(f"“{word}”" for word in dict.fromkeys(question.words))
    return saved_page(
        _("{words} in two sentences").format(words=words),
        parts,
        foot=_("Made with Polysee.") + live,
    )


def _sides(question: Question) -> Iterator[tuple[str, Chosen]]:
    return zip("AB", (question.a, question.b), strict=True)


def _sentences(question: Question, source: Source) -> str:
    lines = []
    for name, one in _sides(question):
        shown, chosen = shown_parts(source.trace(one.text), one)
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


def _moves(
    question: Question, word_paths: Moved, moving: Picture | None, solid: bool
) -> Iterator[Part]:
    if moving is not None:
        yield Part(_("From one dot to two"), "", (moving,))
    projection, depths = word_paths.projection, word_paths.a.n_layers + 1
    shown = [
        (
            cosine_paths(word_paths.together, word_paths.from_alone),
            how_to_read.of_cosine(question.words),
        ),
        (
            word_projection(projection, question.names, depth=depths),
            how_to_read.of_projection(question.words, projection.shares[:2]),
        ),
    ]
    if solid:
        space = word_space(projection, question.names, depth=depths)
        shown.append((space, how_to_read.of_projection(question.words, projection.shares)))
    yield Part(
        _("In all directions at once: cosine similarity and principal components"),
        "",
        tuple(picture for picture, _ in shown),
        tuple(to_html(words) for _, words in shown),
    )


def _heads(question: Question, look: Look, source: Source) -> Part:
    """Which token attends to which: as many layers and heads as fit into the file."""
    gone = source.block(question.a.text).absent
    layers: Sequence[int | None] = (None, *np.flatnonzero(~gone.all(axis=1)).tolist())
    each: Sequence[int | None] = (None, *np.flatnonzero(~gone.all(axis=0)).tolist())
    size = sum(len(one.to_bytes()) for one in _look(question, look, source)) * 4 // 3
    note = _("This file holds all layers and heads.")
    if size * len(layers) * len(each) > MOST_HEAD_BYTES:
        layers, note = (
            (look.layer,),
            _("This file holds the heads of one layer; the live page has them all."),
        )
    if size * len(layers) * len(each) > MOST_HEAD_BYTES:
        each, note = (look.head,), _("This file holds one head; the live page has them all.")
    if size > MOST_HEAD_BYTES:
        note = _(
            "These texts are too long for whole heads to fit in this file; the live page has "
            "them. This file shows what the compared word attends to in every layer."
        )
        rows = (
            heads.by_layer(name, heads.every_layer(one, look, source), one, look)
            for name, one in _sides(question)
        )
        return Part(_("Which token attends to which"), to_html(note), tuple(rows))
    sets = tuple(
        _look(question, Look(layer, head, look.special), source) for layer in layers for head in each
    )
    sliders = tuple(
        (name, tuple(_("mean") if step is None else str(step + 1) for step in steps))
        for name, steps in ((_("Layer"), layers), (_("Head"), each))
    )
    chosen = layers.index(look.layer), each.index(look.head)
    order = _("A, then B, then A minus B for the tokens that both contain.")
    return Part(
        _("Which token attends to which"),
        to_html(
            _("{note} From left to right: {order} {difference}").format(
                note=note, order=order, difference=gettext(heads.DIFFERENCE)
            )
        ),
        (Series(sliders, chosen, sets),),
    )


def _look(question: Question, look: Look, source: Source) -> tuple[Picture, ...]:
    a, b = (heads.seen(name, one.text, one, look, source) for name, one in _sides(question))
    pictures = [heads.picture(a, look), heads.picture(b, look)]
    if set(a.tokens) & set(b.tokens):
        pictures.append(heads.difference(heads.less(a, b), look))
    return tuple(pictures)


def _numbers(question: Question, word_paths: Moved) -> Part:
    paths = {"A": word_paths.a, "B": word_paths.b}
    words = dict(zip("AB", question.words, strict=True))
    named = numbers.vectors(paths)
    first = html.escape(numbers.first_numbers(named))
    return Part(
        _("The numbers"),
        to_html(numbers.about_vectors(words, paths)) + f"<pre>{first}</pre>",
        (numbers.colour_strips(named),),
    )
