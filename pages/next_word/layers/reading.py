"""What the states read as, computed once for all who ask for it at the same time."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from core.errors import NotSupported
from core.language.lens import FittedLens
from core.localization import _
from core.memory import Cache, cached
from core.pretrained import Model
from core.records.lens import LensGrid
from ui.models import model_cache
from ui.models.long_texts import turn
from ui.session import SessionValue

MOST_TOKENS = 64  # columns of the grid, the last ones of the text
# The lenses that visitors have fitted, by their names; each visitor sees those of the own texts.
_FITTED: Cache[str, FittedLens] = Cache()
_OWN = SessionValue[Mapping[str, str]]("own lenses", {})


def model_of(name: str) -> Model:
    """The model, if its states can be read.

    Raises:
        NotSupported: it was trained on a page.
    """
    model = model_cache.model(name)
    if not isinstance(model, Model):
        raise NotSupported(
            _(
                "“{name}” was trained here and knows a few made-up words. Choose a published model "
                "to see what its layers would say."
            ).format(name=model_cache.title(name))
        )
    return model


def lens_of(name: str) -> FittedLens | None:
    """The fitted lens of a model: this visitor's own, or the one that comes with Polysee."""
    own = _FITTED.get(_OWN.get().get(name, ""))
    return own or _shipped(name)


def is_own(name: str) -> bool:
    """Whether this visitor has fitted the lens of a model."""
    return _OWN.get().get(name, "") in _FITTED


def keep(name: str, lens: FittedLens) -> None:
    """Keep a lens that this visitor has fitted."""
    key = sha256(lens.to_bytes()).hexdigest()
    _FITTED[key] = lens
    _OWN.set({**_OWN.get(), name: key})


def forget(name: str) -> None:
    """Forget the lens that this visitor has fitted to a model."""
    _OWN.set({one: key for one, key in _OWN.get().items() if one != name})


@cached(weigh=lambda lens: 0)  # it is kept once, whoever asks
def _shipped(name: str) -> FittedLens | None:
    return model_of(name).fitted_lens()


def count(name: str, typed: str, written: tuple[int, ...]) -> int:
    """How many tokens a text and its continuation have, as the model reads them."""
    return len(model_of(name).read(typed)) + len(written)


def read(
    name: str,
    typed: str,
    written: tuple[int, ...],
    *,
    fitted: bool,
    word: str = "",
    column: int | None = None,
) -> LensGrid:
    """What the states read as.

    Args:
        name: the model.
        typed: the text.
        written: the ids of the tokens behind it.
        fitted: whether by the fitted lens, which the model must have.
        word: a word whose probability and rank to give; "" for none.
        column: a token, from 0; None for the last `MOST_TOKENS`.

    Raises:
        PolyseeError: see `Model.lens`.
    """
    model_of(name)
    own = _OWN.get().get(name, "") if fitted else ""
    return _read(name, typed, written, fitted, own if own in _FITTED else "", word.strip("\n"), column)


@cached()
def _read(
    name: str,
    typed: str,
    written: tuple[int, ...],
    fitted: bool,
    own: str,
    word: str,
    column: int | None,
) -> LensGrid:
    model = model_of(name)
    length = len(model.read(typed)) + len(written)
    positions = [column] if column is not None else range(max(0, length - MOST_TOKENS), length)
    lens = _FITTED.get(own) or (_shipped(name) if fitted else None)
    number = int(word[1:]) if word[:1] == "#" and word[1:].isascii() and word[1:].isdigit() else word
    with turn(typed):
        return model.lens(
            typed,
            fitted=False if lens is None else lens,
            word=number if word else None,
            more=written,
            positions=positions,
        )
