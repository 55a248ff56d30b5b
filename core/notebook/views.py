"""The functions `core.heads`, `core.compare` and so on: records or texts as pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any, Literal

import numpy as np

from ..comparison import Chosen, Ends, dictionary, say
from ..comparison import ends as choose_ends
from ..comparison.judge import between
from ..comparison.next_step import next_step
from ..comparison.paths import moved
from ..comparison.picture import picture as moving_picture
from ..comparison.source import Direct
from ..comparison.word import choose as choose_word
from ..comparison.word_and_ends import ask
from ..errors import NotSupported
from ..examples import known_ends, labelled
from ..figures import (
    GroupedPoints,
    Picture,
    bare,
    cloud,
    cosine_paths,
    groups_of,
    heads_of,
    layer_of,
    lens_grid,
    next_word_of,
    patching,
    style,
    why_words,
)
from ..figures import copying as figures_of_copying
from ..language import uniform
from ..language.lens import FittedLens
from ..measures import AttentionBlock, Copying, as_block, copies
from ..measures.senses.occurrences import Occurrences, maps
from ..plot.from_records import path_picture
from ..pretrained import Model, TextModel, load
from ..records.attention import Attention
from ..records.chat import Chat
from ..records.finding import occurrence_spans
from ..records.indices import index, is_index
from ..records.lens import LensGrid
from ..records.patching import By
from ..records.spelling import Spelling
from ..records.trace import Trace
from .picture_view import PictureView, StillView

MODEL = "minilm"  # comes with Polysee
SPEAKER = "smollm2"  # is fetched when it is first asked for
_MOST_SAID = 80  # letters of a text in a sentence
TwoEnds = tuple[Sequence[str], Sequence[str]]
_INSTALLED = "anywidget"


def heads(shown: Trace | AttentionBlock | Attention) -> PictureView:
    """All heads at once, as small maps; choose a token to see how much each head attends to it.

    Choices: `token` (a position, or None), `direction` ("to" or "from"), `pattern`, `typical`,
    `threshold`, `special`; `clicked` is the last head that was clicked, {"layer", "head"}.

    Args:
        shown: a trace; a block of `core.measures.blocks`, for one attention of an encoder–decoder; or
            an `Attention` of your own.

    Raises:
        NotSupported: the trace has no attention.

    Examples:
        >>> import core
        >>> view = core.heads(core.load("minilm").trace("She sat on the bank of the river."))
        >>> view.token = 5  # every head by its attention to "bank"
    """
    return view_of(heads_of(shown))


def layer(shown: Trace | AttentionBlock | Attention, layer: int = 0) -> PictureView:
    """One layer, from lines down to one query–key product.

    Choices: `level` ("lines", "head", "token", "product"), `head`, `on` (the heads whose lines are
    drawn), `query`, `key`, `threshold` and more, see `core/figures/web/src/schema.json`; `layer`, which
    can be changed only in Python.

    Args:
        shown: as for `heads`.
        layer: from 0.

    Raises:
        NotSupported: the trace has no attention.
        IndexError: there is no such layer.

    Examples:
        >>> import core
        >>> view = core.layer(core.load("minilm").trace("She sat on the bank of the river."), 2)
        >>> view.query, view.threshold = 5, 0.1
        >>> view.layer = 3
    """
    return _layer(shown, layer, {})


def head(shown: Trace | AttentionBlock | Attention, layer: int, head: int) -> PictureView:
    """One head as a map of its weights; the other zoom levels are available as in `layer`.

    Args:
        shown: as for `heads`.
        layer: from 0.
        head: from 0; −1 for the mean of all heads.

    Raises:
        NotSupported: the trace has no attention.
        IndexError: there is no such layer or head.

    Examples:
        >>> import core
        >>> trace = core.load("minilm").trace("She sat on the bank of the river.")
        >>> view = core.head(trace, 2, 5)
        >>> view.level, view.head
        ('head', 5)
    """
    count = as_block(shown).attention.shape[1]
    if not (is_index(head) and head == -1):
        head = index(head, count, "head", from_end=False)
    on = [head] if head < 0 else list(range(count))
    return _layer(shown, layer, {"level": "head", "head": head, "on": on})


def compare(
    a: str,
    b: str,
    word: str | tuple[str, str],
    *,
    ends: TwoEnds | None = None,
    model: str | TextModel = MODEL,
) -> PictureView:
    """A word's path through the layers in two sentences, and the verdict: what the app shows first.

    The sentences above the picture are those of the app: `view.said` has them as Markdown. Two
    different words, and a word without two ends, are compared by their cosine similarity, without a
    verdict.

    Choice: `depth`, the layer after which the word is shown, 0 for the learned vector.

    Args:
        a: the first sentence.
        b: the second sentence.
        word: a word of both, which a sentence may contain in another form; or its form in each.
        ends: words and sentences for the word's two senses, at −1 and +1, as `Model.sense_axis` takes
            them. By default the known ends of the word; otherwise, a word of each sentence.
        model: a name, as `core.load` takes it, or a model.

    Raises:
        WordNotFound: a sentence does not contain the word, or the model does not know it.
        NotSupported: an end is empty, or the model cannot tell the two ends apart.

    Examples:
        >>> import core
        >>> a, b = "She sat on the bank of the river.", "She put the money in the bank."
        >>> view = core.compare(a, b, "bank", ends=(["money"], ["river"]))
        >>> view.depth  # after the last layer
        6
    """
    words = (word, word) if isinstance(word, str) else word
    source = Direct(_model(model))
    question = ask(source, (a, b), words, lambda found: _given(ends, found, source.spelling))
    found = between(question, source) if question.is_one_word(source.spelling) else None
    if found is None:
        path = moved(question, source)
        drawn = cosine_paths(path.together, path.from_alone)
        return view_of(drawn, said=say.said_without(question, source))
    drawn = moving_picture(found, source, depth=found.axes[0].n_layers)
    step = next_step(found, source)
    return view_of(drawn, said=say.said(found, source, step=step))


def path(
    texts: str | Sequence[str] | Mapping[str, str],
    word: str,
    *,
    ends: TwoEnds | None = None,
    model: str | TextModel = MODEL,
) -> PictureView:
    """The position of a word between two senses after each layer, as curves.

    Args:
        texts: a sentence with the word, several, or names for them -> sentences. Several are called A,
            B, C and so on.
        word: the word.
        ends: as for `compare`.
        model: as for `compare`.

    Raises:
        WordNotFound: a sentence does not contain the word.
        NotSupported: no ends are known for the word.

    Examples:
        >>> import core
        >>> texts = {"river": "on the river bank", "money": "in the savings bank"}
        >>> view = core.path(texts, "bank", ends=(["money"], ["river"]))
    """
    loaded = _model(model)
    named = _named(texts)
    chosen = _ends(loaded, [*named.values()], word, ends)
    axis = loaded.sense_axis(word, chosen.low, chosen.high)
    coordinates = {}
    for name, text in named.items():
        trace = loaded.trace(text)
        coordinates[name] = axis.coordinates(trace, trace.find(word))
    low, high = chosen.names
    return view_of(path_picture(coordinates, low=low, high=high))


def senses(
    word: str,
    texts: Sequence[str] | Mapping[str, Sequence[str]] | None = None,
    *,
    model: str | TextModel = MODEL,
) -> PictureView:
    """The occurrences of a word as points, by their vectors at each depth.

    Choices: `depth`, 0 for the learned vector, and `chosen`, a point.

    Args:
        word: the word.
        texts: sentences with the word; or the name of each sense -> its sentences, which colours them.
            None takes the app's labelled sentences of the word.
        model: as for `compare`.

    Raises:
        NotSupported: there are fewer than two occurrences, or no labelled sentences of the word.

    Examples:
        >>> import core
        >>> texts = {"river": ["on the river bank", "by the canal bank"], "money": ["my bank account"]}
        >>> core.senses("bank", texts)
        <polysee picture: 3 occurrences of “bank”; each point is the projection of its vector.>
    """
    grouped = _by_sense(texts, word)
    sentences = [text for group in grouped.values() for text in group]
    sense_of = [name for name, group in grouped.items() for _ in group]
    loaded = _model(model)
    found = list(loaded.vectors(sentences, word))
    if len(found) < 2:
        raise NotSupported(f"A map needs at least two occurrences of “{word[:40]}”.")
    occurrences = Occurrences(
        np.stack([one.learned for one in found]),
        np.stack([one.hidden for one in found]),
        tuple(one.text for one in found),
    )
    coordinates, _ = maps(occurrences)
    names = list(dict.fromkeys(sense_of))
    steps = ["learned", *(style.layer_name(i) for i in range(occurrences.hidden.shape[1]))]
    groups = groups_of(names)
    points = GroupedPoints(
        coordinates,
        _parts(occurrences, sentences, word, loaded.spelling),
        groups,
        [min(names.index(sense_of[text]), len(groups) - 1) for text in occurrences.texts],
        steps,
    )
    made = cloud(
        points,
        depth=len(steps) - 1,
        titles=("first component, fitted to each layer", "second"),
        words=("on the first component", "on the second"),
        sentence=f"{len(found):,} occurrences of “{word}”; each point is the projection of its vector.",
        name="senses",
    )
    return view_of(made)


def next_word(
    text: str | Chat,
    *,
    model: str | TextModel = SPEAKER,
    more: Sequence[int] = (),
    seed: int = 1,
) -> PictureView:
    """What a model expects after a text: ten bars, and all other tokens as one.

    Choices: `temperature`, `topK` (0 for all), `topP`, `minP`, which reshape the bars in the picture.
    `view.save("page.html", model=True)` writes a page with SmolLM2 inside, which goes on from a disk.

    Args:
        text: the text; or a conversation, as `Model.chat` returns it.
        model: a name, as `core.load` takes it, or a model that predicts the next token.
        more: ids of tokens that follow the text, as `generate` returns them.
        seed: of the number that would draw the next token: that of `generate`.

    Raises:
        NotSupported: the model does not predict the next token; or see `Model.expects`.

    Examples:
        >>> import core
        >>> view = core.next_word("The capital of France is")
        >>> view.temperature = 0.5
        >>> view.picture.header["labels"][0]
        '␣Paris'
    """
    loaded = _model(model)
    if loaded.predicts != "next":
        raise NotSupported(
            loaded.no_predictions
            or f"“{loaded.name}” fills in masked words and does not go on with a text."
        )
    (found,) = loaded.expects(text, more=more)  # type: ignore[arg-type] # only a `Model` reads a `Chat`
    number = uniform(seed, found.position + 1)
    picture = next_word_of(found, ends=loaded.ends, number=number)
    view = view_of(picture, said=[picture.sentence])
    if isinstance(text, str) and loaded.name == SPEAKER:
        written = ".".join(map(str, more))
        object.__setattr__(view, "_link", {"t": text, "g": written, "br": written, "se": str(seed)})
    return view


def lens(
    shown: str | LensGrid,
    *,
    model: str | TextModel = SPEAKER,
    fitted: FittedLens | bool | None = None,
    word: str | int | None = None,
) -> PictureView:
    """What each layer would say: the grid tokens × layers, each cell with its likeliest token.

    `clicked` is the last cell that was clicked, {"index"}, row by row from the last layer.

    Args:
        shown: a text; or a grid of `Model.lens`.
        model: a name, as `core.load` takes it, or a model; only for a text.
        fitted: as for `Model.lens`; None for the fitted lens where the model has one.
        word: a word whose place and probability each cell names as well.

    Raises:
        NotSupported: the model predicts no words, or has no such lens.

    Examples:
        >>> import core
        >>> core.lens("The capital of France is", model="smollm2", word="Paris")
        <polysee picture: What each of 5 tokens reads as after each of 30 layers, by the fitted lens.>
    """
    if isinstance(shown, str):
        loaded = _model(model)
        if not isinstance(loaded, Model):
            raise NotSupported("A lens needs a model that core.load has loaded.")
        chosen = loaded.fitted_lens() if fitted is None else fitted
        shown = loaded.lens(shown, fitted=chosen or False, word=word)
    depths, columns, _ = shown.likeliest.shape
    sentence = (
        f"What each of {columns} tokens reads as after each of {depths - 1} layers, by the "
        f"{shown.lens} lens."
    )
    return view_of(lens_grid(shown, sentence=sentence, name=f"layers-{shown.lens}"))


def patch(
    a: str,
    b: str,
    *,
    answers: tuple[int | str | None, int | str | None] = (None, None),
    by: By = "position",
    at: int | None = -1,
    model: str | TextModel = SPEAKER,
) -> PictureView:
    """How much of the difference between two prompts comes back, state by state or head by head.

    Args:
        a: the prompt from which states are taken.
        b: the prompt into whose run they are put, with as many tokens.
        answers: A's answer and B's; None for the likeliest token, see `Model.patch`.
        by: "position" or "head".
        at: for heads, the token at which their output is exchanged, −1 for the last; None for all.
        model: a name, as `core.load` takes it, or a model that predicts the next token.

    Raises:
        PolyseeError: see `Model.patch`.

    Examples:
        >>> import core
        >>> core.patch("The capital of France is", "The capital of Italy is")
        <polysee picture: How much of the difference comes back when one state of A is put into B: \
5 tokens, at the input (0) and after each of 30 layers.>
    """
    return view_of(patching(_model(model).patch(a, b, answers=answers, by=by, at=at)))


def copying(
    shown: Copying | None = None,
    *,
    picture: Literal["surprise", "halves", "induction", "previous", "duplicate", "sink"] = "surprise",
    model: str | TextModel = SPEAKER,
    length: int = 25,
    seed: int = 1,
    vocabulary: bool = False,
    ablate: int = 3,
    draws: int = 5,
) -> PictureView:
    """Random tokens, said twice: what surprises a model less the second time, and the heads behind it.

    `clicked` is the last head that was clicked, {"row", "column"}, where `picture` shows all heads.

    Args:
        shown: runs of `core.measures.copies`; None runs the model.
        picture: "surprise" for the curves of both halves, "halves" for their means, or a score of all
            heads.
        model: a name, as `core.load` takes it, or a model that predicts the next token.
        length: see `core.measures.copies`.
        seed: see `core.measures.copies`.
        vocabulary: see `core.measures.copies`.
        ablate: see `core.measures.copies`.
        draws: see `core.measures.copies`.

    Raises:
        PolyseeError: see `core.measures.copies`; or the runs have no scores of heads.

    Examples:
        >>> import core
        >>> view = core.copying(ablate=0)
        >>> view.said[0]
        'Random tokens surprise it by 13.7 bits a token the first time, 2.0 the second: it copies \
what it has read.'
    """
    found = shown or copies(
        _model(model), length=length, seed=seed, vocabulary=vocabulary, ablate=ablate, draws=draws
    )
    if picture == "surprise":
        drawn = figures_of_copying.copying(found)
    elif picture == "halves":
        drawn = figures_of_copying.copying_halves(found)
    elif found.heads is None:
        raise NotSupported("These runs have no scores of heads.")
    else:
        drawn = figures_of_copying.copying_heads(found.heads, picture)
    return view_of(drawn, said=[figures_of_copying.copied(found)])


def why(
    text: str,
    token: int | str | None = None,
    other: int | str | None = None,
    *,
    model: str | TextModel = SPEAKER,
) -> PictureView:
    """Why a next token, or why it rather than another: what each word of the text adds to its logit.

    Args:
        text: the text.
        token: the token, or the word as it is written; None for the likeliest.
        other: the one whose logit is subtracted; None for none.
        model: a name, as `core.load` takes it, or a model that predicts the next token.

    Raises:
        PolyseeError: see `Model.why`.

    Examples:
        >>> import core
        >>> core.why("When Mary and John went to the store, John gave a drink to", "Mary", "John")
        <polysee picture: What each word adds: together 6.12.>
    """
    own = _model(model)
    one, two = (own.first_token(each)[0] if isinstance(each, str) else each for each in (token, other))
    parts = own.why(text, own.expects(text)[0].ids[0] if one is None else one, two)
    return view_of(why_words(parts, [bare(piece) for piece in own.score(text).pieces]))


def view_of_record(attention: Attention) -> PictureView:
    """The view that displays an `Attention`: all heads, or its layer if there is only one."""
    return heads(attention) if attention.shape[0] > 1 else layer(attention)


def view_of(picture: Picture, **more: Any) -> PictureView:
    """The widget of any picture of `core.figures`; without anywidget, a view that shows it too.

    Args:
        picture: the picture.
        **more: `said`, the sentences above it; `layer` and `of_layer`, if it shows one layer of
            several, see `widget.widget`.

    Examples:
        >>> import core
        >>> from core.figures import bars
        >>> from core.notebook import view_of
        >>> picture = bars([0.7, 0.3], ["a", "b"], unit="share", sentence="Two shares.", name="shares")
        >>> view_of(picture)
        <polysee picture: Two shares.>
    """
    if find_spec(_INSTALLED) is None:
        return StillView(picture, **more)
    from .widget import widget

    return widget(picture, **more)


def _layer(
    shown: Trace | AttentionBlock | Attention, layer: int, state: Mapping[str, Any]
) -> PictureView:
    of_layer: Callable[[int], Picture] = lambda at: _layer_picture(shown, at)  # noqa: E731
    return view_of(of_layer(layer).choosing(state), layer=layer, of_layer=of_layer)


def _layer_picture(shown: Trace | AttentionBlock | Attention, layer: int) -> Picture:
    count = as_block(shown).attention.shape[0]
    return layer_of(shown, index(layer, count, "layer", from_end=False))


def _given(ends: TwoEnds | None, word: str, spelling: Spelling) -> Ends | None:
    return None if ends is None else choose_ends.given(*ends, word, spelling)


def _ends(model: TextModel, texts: Sequence[str], word: str, ends: TwoEnds | None) -> Ends:
    """The ends of a word of some texts: as they are given, known, or drawn from two of them."""
    chosen = _given(ends, word, model.spelling) or choose_ends.known(
        word, texts, model.spelling, causal=model.kind == "decoder"
    )
    if chosen is None and len(texts) == 2:
        a, b = (model.trace(text) for text in texts)
        at_a, at_b = choose_word([a, b], (word, ""), (0, 0)).chosen
        if at_a is not None and at_b is not None:
            sides = [Chosen(trace.texts[0], at.word, at.number) for trace, at in ((a, at_a), (b, at_b))]
            chosen = dictionary.proposed(Direct(model), sides)
    if chosen is None:
        raise NotSupported(
            f"No two meanings of “{word[:40]}” are known. Name them: "
            'ends=(["a word for one"], ["a word for the other"]).'
        )
    return chosen


def _named(texts: str | Sequence[str] | Mapping[str, str]) -> dict[str, str]:
    if isinstance(texts, str):
        return {"A": texts}
    if isinstance(texts, Mapping):
        return dict(texts)
    return {chr(ord("A") + i) if i < 26 else str(i + 1): text for i, text in enumerate(texts)}


def _by_sense(
    texts: Sequence[str] | Mapping[str, Sequence[str]] | None, word: str
) -> dict[str, list[str]]:
    if isinstance(texts, Mapping):
        return {name: list(group) for name, group in texts.items()}
    if texts is not None:
        return {"": list(texts)}
    groups: dict[str, list[str]] = {}
    known = known_ends(word)
    for one in labelled(known.word) if known else ():
        groups.setdefault(one.sense, []).append(one.text)
    if not groups:
        raise NotSupported(
            f"There are no labelled sentences of “{word[:40]}”: pass your own as `texts`."
        )
    return groups


def _parts(
    occurrences: Occurrences, sentences: Sequence[str], word: str, spelling: Spelling
) -> list[tuple[str, str, str]]:
    """For each occurrence: the text before the word, the word in that form, and the rest."""
    cut, at, before = [], 0, -1
    for text in occurrences.texts:
        at, before = at + 1 if text == before else 0, text
        whole = sentences[text]
        start, end = occurrence_spans(whole, word, spelling=spelling)[at]
        cut.append((whole[:start], whole[start:end], whole[end:]))
    return cut


def _model(model: str | TextModel) -> TextModel:
    return _loaded(model) if isinstance(model, str) else model


@cache
def _loaded(name: str) -> TextModel:
    return load(name)
