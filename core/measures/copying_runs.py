"""The induction experiment on a model: a text said twice, its heads, and runs without some of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import NotSupported, SettingError
from ..language.repetition import repeated, repeated_tokens
from ..records.interventions import Ablate
from ..records.score import Score
from .attention.copying import Copying, CopyingHeads, Head, control_heads, copying_heads
from .attention.require_attention import weights_of

if TYPE_CHECKING:
    from ..pretrained import TextModel

MOST_ABLATED, MOST_DRAWS = 100, 100


def copies(
    model: TextModel,
    *,
    length: int = 25,
    seed: int = 1,
    vocabulary: bool = False,
    ablate: int = 3,
    draws: int = 5,
) -> Copying:
    """Say random tokens twice to a model, find the heads that copy, and run it without them.

    Args:
        model: a model that predicts the next token.
        length: tokens in one half, 5 to 100.
        seed: of the tokens, and of the random heads.
        vocabulary: whether the tokens are drawn from the model's whole vocabulary, not from a list of
            words that it reads as one token each.
        ablate: how many of the best induction heads are ablated; 0 for none.
        draws: how many times as many random heads are ablated instead.

    Raises:
        NotSupported: the model scores no text, or gives no attention; or see
            `core.language.repetition`.
        SettingError: a number is out of range.

    Examples:
        >>> import core
        >>> found = core.measures.copies(core.load("smollm2"), ablate=0)
        >>> first, second = found.halves()
        >>> second < first / 4
        True
    """
    if not 0 <= ablate <= MOST_ABLATED or not 0 <= draws <= MOST_DRAWS:
        raise SettingError(
            "0 to {most_ablated} heads are ablated, in 0 to {most_draws} draws; not "
            "{ablate} in {draws}.",
            most_ablated=MOST_ABLATED,
            most_draws=MOST_DRAWS,
            ablate=ablate,
            draws=draws,
        )
    text = random_text(model, length, seed, vocabulary=vocabulary)
    heads = copying_heads(weights_of(model.trace(text, keep="attention")), length)

    def score(without: tuple[Head, ...]) -> Score:
        changes = [Ablate(*head) for head in without]
        return model.score_changed(text, *changes) if changes else model.score(text)

    return copying_runs(score, length, heads, ablate=ablate, draws=draws, seed=seed)


def copying_runs(
    score: Callable[[tuple[Head, ...]], Score],
    length: int,
    heads: CopyingHeads | None,
    *,
    ablate: int,
    draws: int,
    seed: int,
    on_run: Callable[[float], object] = lambda share: None,
) -> Copying:
    """The runs of a text: with every head, without the best, and without random ones.

    Args:
        score: how surprised the model is by the text without these heads.
        length: tokens in one half.
        heads: what each head attends to; None for no ablation.
        ablate: see `copies`.
        draws: see `copies`.
        seed: of the draws.
        on_run: called with the share of the ablations that is done.
    """
    whole = score(())
    best = tuple(heads.ranked()[:ablate]) if heads is not None else ()
    if heads is None or not best:
        return Copying(length, whole, heads)
    controls = tuple(control_heads(heads, len(best), draws, seed))
    runs = []
    for i, some in enumerate((best, *controls)):
        runs.append(score(some))
        on_run((i + 1) / (1 + len(controls)))
    return Copying(length, whole, heads, best, runs[0], controls, tuple(runs[1:]))


def random_text(model: TextModel, length: int, seed: int, *, vocabulary: bool) -> str:
    """A first token, then random ones twice, as the model reads them.

    Args:
        model: the model.
        length: see `copies`.
        seed: of the tokens.
        vocabulary: see `copies`.

    Raises:
        NotSupported: the model cannot read such a text, or reads less than both halves.
        SettingError: the length is out of range.
    """

    def read(text: str) -> tuple[int, ...]:
        return model.read(text).ids

    text = (
        repeated_tokens(read, model.spellings, model.n_vocabulary, length, seed)
        if vocabulary
        else repeated(read, length, seed)
    )
    if model.read(text).left_out_by_text[0] is not None:
        raise NotSupported(
            "Two halves of {length} tokens are longer than what this model reads. Choose a "
            "shorter half.",
            length=length,
        )
    return text
