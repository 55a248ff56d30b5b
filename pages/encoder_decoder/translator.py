"""The models that translate, by their names in a link, and their cached results."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from core.errors import NotSupported, PolyseeError
from core.localization import _
from core.memory import cached
from core.pretrained import models
from pages.encoder_decoder import published
from pages.encoder_decoder.published import Published
from pages.encoder_decoder.state import SHIPPED, TO_ENGLISH, TranslationState
from ui.models import long_texts, model_cache, session_models, translators
from ui.models.attempt import attempt
from ui.state import OwnModel
from ui.state.location import Stack

if TYPE_CHECKING:
    from core.tasks import Decoding, Sentence, TaskName, Trained

_TASKS: Mapping[str, TaskName] = {SHIPPED: "translation", TO_ENGLISH: "to-english"}
MOST_WRITTEN = 24  # tokens


def names() -> dict[str, str]:
    """The models that this visitor can choose: name -> title on the screen."""
    paired = {one.name: one.title for one in attempt(models) or () if one.paired}
    own = session_models.own_titles("pair")
    return {SHIPPED: _("the one that comes with Polysee")} | own | paired


def trained(name: str) -> Trained:
    """The model with this name, if it was trained in Polysee, in whatever session.

    Raises:
        NotSupported: if there is none.
        ModelNotFound: if it was trained in another session.
        ModelBroken: as `core.tasks.shipped`.
    """
    if name in _TASKS:
        return translators.shipped(_TASKS[name])
    if session_models.is_own(name) and (own := session_models.own(name)).source is not None:
        return own
    raise NotSupported(_("There is no translator named “{name}” here.").format(name=name))


def is_published(name: str) -> bool:
    """Whether this is the name of a model from a folder or the hub."""
    return name not in _TASKS and not session_models.is_own(name)


def model(name: str) -> Trained | Published:
    """The model with this name. A name stands for one model, and can be a key for cached results.

    Raises:
        PolyseeError: see `trained` and `published.model`.
    """
    return published.model(name) if is_published(name) else trained(name)


@cache
def _published(name: str) -> Mapping[str, Any]:
    from core.tasks.trained.shipping import published

    return published(_TASKS[name])


def figures(name: str) -> Mapping[str, Any] | None:
    """The measured results of a model, if they are stored beside it: see `core.tasks.Figures`."""
    return _published(name) if name in _TASKS else None


def is_taught(name: str) -> bool:
    """Whether a part of the loss taught a model what to attend to: see `core.tasks`, "guidance"."""
    shown = model(name)
    return not isinstance(shown, Published) and shown.recipe.guidance > 0


def on_map(s: TranslationState) -> OwnModel | None:
    """The stacks of the model, for the drawing in the sidebar; None if the model is not here."""
    name = s.model.get()
    if is_published(name) and model_cache.if_loaded(name) is None:
        return None  # the drawing waits for a model, and loads none
    try:
        shown = model(name)
    except PolyseeError:
        return None
    if isinstance(shown, Published):
        encoder, decoder = shown.loaded.shape, shown.loaded.decoder_shape
        stacks: dict[Stack, int] = {"encoder": encoder.n_layers, "decoder": decoder.n_layers}
        heads, across = encoder.n_heads, decoder.n_heads
        if s.block.get() != "encoder":
            heads = decoder.n_heads
    else:
        recipe = shown.recipe
        stacks = {"encoder": recipe.n_encoder_layers, "decoder": recipe.n_decoder_layers}
        heads, across = recipe.n_heads, recipe.n_cross_heads
    return OwnModel(stacks, heads, s.block, s.layer, s.picture["head"], across)


class TranslationQuery(NamedTuple):
    """A query to a translator, only strings and numbers, so that it can be a key of a cache.

    Attributes:
        name: the name of the model.
        text: the text to translate.
        forced: (step, word): words that are written whatever is likeliest; steps from 0, in order.
            For a published model, the words are those of `published.code`.
    """

    name: str
    text: str
    forced: tuple[tuple[int, str], ...] = ()


def decoding(query: TranslationQuery) -> Decoding:
    """The translation of a text by a model: see `Trained.decode`.

    Raises:
        PolyseeError: see `model` and `Trained.decode`.
    """
    model(query.name)  # raises an error if the model is gone, even if its results are still cached
    return _decoding(query)


@cached()
def _decoding(query: TranslationQuery) -> Decoding:
    with long_texts.turn(query.text):
        return model(query.name).decode(query.text, dict(query.forced), max_tokens=MOST_WRITTEN)


@cached()
def references(task: TaskName, words: tuple[str, ...]) -> tuple[Sentence, ...]:
    """The translations of the grammar; none for letters, or for a sentence outside the grammar.

    Args:
        task: the task of the model.
        words: the words that its encoder reads.
    """
    from core.tasks.languages.directions import DIRECTIONS

    direction = DIRECTIONS.get(task)
    return () if direction is None else direction.references(words)
