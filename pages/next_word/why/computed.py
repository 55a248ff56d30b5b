"""What the view shows: the two sums behind a logit, and the words after a change; cached."""

from __future__ import annotations

from typing import NamedTuple

from core.errors import SettingError
from core.localization import _
from core.measures.rivals import rival as rival_of
from core.memory import cached
from core.records.interventions import Change
from core.records.logit_parts import LogitParts
from core.records.prediction import Expectation, probabilities
from core.records.score import Score
from ui.models import model_cache
from ui.models.long_texts import turn

NOTHING = "-"  # in place of the other word


class Query(NamedTuple):
    """Which logit: of a model, after a text and what was written, at one of its tokens.

    Attributes:
        model: the name of the model.
        text: the text.
        written: ids of the tokens behind it that are read.
        word: the next word, as it is written; "" for the likeliest.
        other: the other one; "" for its rival (`core.measures.rivals`), `NOTHING` for none.
    """

    model: str
    text: str
    written: tuple[int, ...] = ()
    word: str = ""
    other: str = ""


class Asked(NamedTuple):
    """The tokens that a query names.

    Attributes:
        ids: the token, and the other one if there is one.
        pieces: of the words that were typed, those of which only the first piece is a token.
    """

    ids: tuple[int, ...]
    pieces: tuple[str, ...]


def asked(query: Query, expected: Expectation) -> Asked:
    """The tokens that are compared, given what is expected.

    Raises:
        SettingError: a word has no token; or both are one token.
    """
    model, pieces = model_cache.model(query.model), []
    taken: list[int] = []
    for typed in (query.word, query.other):
        if typed == NOTHING and taken:
            continue
        if not typed:
            taken.append(rival_of(query.text, expected, taken[0]) if taken else expected.ids[0])
            continue
        found, whole = model.first_token(typed)
        if not whole:
            pieces.append(typed)
        taken.append(found)
    if len({*taken}) < len(taken):
        raise SettingError(
            _("Both words begin with the same token: choose another one to compare with.")
        )
    return Asked(tuple(taken), tuple(pieces))


def rival(query: Query, expected: Expectation) -> str:
    """The other token of a query that names none, as it is written. Raises the errors of `asked`."""
    one = asked(query._replace(other=NOTHING), expected).ids[0]
    return expected.texts[expected.ids.index(rival_of(query.text, expected, one))]


def expects(query: Query) -> Expectation:
    """What the model expects there. Raises the errors of `Model.expects`."""
    return changed(query._replace(word="", other=""), ())[0]


def share(expected: Expectation, token: int) -> float:
    """How likely a token is, at temperature 1."""
    return float(probabilities(expected.logits, 1.0)[token])


def parts(query: Query, ids: tuple[int, ...]) -> LogitParts:
    """Both sums. Raises the errors of `Model.why`."""
    model_cache.model(query.model)
    return _parts(query.model, query.text, query.written, ids)


@cached()
def _parts(model: str, text: str, written: tuple[int, ...], ids: tuple[int, ...]) -> LogitParts:
    with turn(text):
        return model_cache.model(model).why(text, *ids, more=written)


def score(query: Query) -> Score:
    """The text in tokens. Raises the errors of `Model.score`."""
    model_cache.model(query.model)
    return _score(query.model, query.text, query.written)


@cached()
def _score(model: str, text: str, written: tuple[int, ...]) -> Score:
    with turn(text):
        return model_cache.model(model).score(text, more=written)


def changed(query: Query, changes: tuple[Change, ...]) -> tuple[Expectation, Expectation]:
    """What is expected without and with the changes. Raises the errors of `Model.expects_changed`."""
    model_cache.model(query.model)
    before = _changed(query.model, query.text, query.written, ())
    return before, _changed(query.model, query.text, query.written, changes)


@cached()
def _changed(
    model: str, text: str, written: tuple[int, ...], changes: tuple[Change, ...]
) -> Expectation:
    with turn(text):
        return model_cache.model(model).expects_changed(text, *changes, more=written)
