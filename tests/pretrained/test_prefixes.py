"""Texts that begin alike: the numbers are those of a text read as a whole, and less is read."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

import core
from core.pretrained import prefixes
from core.pretrained.engines import passes
from core.pretrained.engines.scratch import ScratchDecoder
from core.pretrained.prefixes import Prefixes, TextRead
from core.records.next_token import NextToken
from core.records.score import Score
from core.settings import MOST_PREDICTIONS

Made = Callable[..., Path]
TYPED = "On the river bank, the"
# As somebody types, deletes, changes a word in the middle, and comes back.
TEXTS = (
    *(TYPED[:end] for end in range(4, len(TYPED) + 1)),
    TYPED[:-6],
    TYPED[:-6] + " was a",
    "On the old bank, the",
    TYPED,
    TYPED,
    "The river",
)


def load(
    made: Made, monkeypatch: pytest.MonkeyPatch, kind: str, *, large: bool, **options: Any
) -> core.Model:
    """A small decoder that takes itself for a large one, or does not."""
    monkeypatch.setattr(passes, "LARGE", 1 if large else 10**12)
    return core.load(str(made(kind, **options)))


def score_of(found: NextToken) -> Score:
    assert found.score is not None
    return found.score


def assert_same(found: NextToken, want: NextToken) -> None:
    np.testing.assert_allclose(found.expectation.logits, want.expectation.logits, rtol=1e-5, atol=1e-5)
    assert (found.ids, found.texts) == (want.ids, want.texts)
    assert found.expectation.position == want.expectation.position
    one, other = score_of(found), score_of(want)
    assert (one.tokens, one.ids, one.offsets) == (other.tokens, other.ids, other.offsets)
    assert (one.text, one.likeliest) == (other.text, other.likeliest)
    assert one.ranks.tolist() == other.ranks.tolist()
    for name in ("bits", "entropy", "probabilities"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("kind", ["llama", "gpt2"])
def test_what_is_typed_on_has_the_numbers_of_a_text_read_as_a_whole(
    kind: str, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed, whole = (load(made, monkeypatch, kind, large=large) for large in (True, False))
    for text in TEXTS:
        assert_same(typed.next_token(text), whole.next_token(text))
    more = tuple(one.id for one in whole.generate(TYPED, 5, seed=3))
    for count in (5, 4, 1, 3):  # as undo does
        tail = more[:count]
        assert_same(typed.next_token(TYPED, more=tail), whole.next_token(TYPED, more=tail))
    few = typed.score(TYPED, top=3)
    assert few.probabilities.shape == (len(few.tokens), 3)  # ten were kept
    assert few.likeliest == whole.score(TYPED, top=3).likeliest


@pytest.mark.parametrize("top", [10, MOST_PREDICTIONS])
def test_only_the_last_tokens_are_read_and_only_they_go_through_the_head(
    top: int, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = load(made, monkeypatch, "llama", large=True)
    engine = model._runner
    assert isinstance(engine, ScratchDecoder)
    read, rows, head = list[int](), list[int](), model._words.head
    logits_of, read_by = head.logits, engine.decoder.read

    def counted(ids_BL: Tensor, **more: Any) -> Any:
        read.append(ids_BL.shape[1])
        return read_by(ids_BL, **more)

    def logits(vectors_LD: Tensor, **_: bool) -> Tensor:
        rows.append(len(vectors_LD))
        return logits_of(vectors_LD)

    monkeypatch.setattr(engine.decoder, "read", counted)
    monkeypatch.setattr(head, "logits", logits)
    count = len(score_of(model.next_token("On the river bank", top=top)).ids)
    model.next_token("On the river bank of", top=top)
    model.next_token("On the river bank of", top=top)
    new = len(model.read("On the river bank of")) - count
    assert read == [count, new, 1]
    assert rows == [count, new + 1, 2]


def test_each_text_of_a_class_gets_its_own_numbers(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    typed, whole = (load(made, monkeypatch, "llama", large=large) for large in (True, False))
    texts = [
        f"On the {word} bank"[: 9 + keys] for word in ("river", "old", "money") for keys in range(9)
    ]
    want = {text: whole.next_token(text) for text in texts}
    found: dict[tuple[int, str], NextToken] = {}

    def visit(number: int) -> None:
        for text in texts[number % 3 :: 3]:
            found[number, text] = typed.next_token(text)

    threads = [threading.Thread(target=visit, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(found) == 2 * len(texts)
    for (_, text), one in found.items():
        assert_same(one, want[text])


def text_read(made: Made, monkeypatch: pytest.MonkeyPatch) -> TextRead:
    model = load(made, monkeypatch, "gpt2", large=True)
    model.next_token("On the river bank")
    (found,) = model._prefixes._texts.values()
    return found


def test_the_longest_common_beginning_is_found_and_never_holds_the_last_token(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, kept = text_read(made, monkeypatch), Prefixes()
    assert kept.longest((1, 2, 3)) is None
    for ids in ((1, 2, 3, 4, 5, 6, 7), (1, 2, 3, 9, 9, 9, 9, 9), (7, 7, 7, 7)):
        kept.keep(ids, known)
    assert kept.longest((1, 2, 3, 4, 8)) == (known, 4)
    assert kept.longest((1, 2, 3, 9, 9, 8)) == (known, 5)
    assert kept.longest((7, 7, 7, 7)) == (known, 3)
    assert kept.longest((5, 1, 2)) is None
    assert kept.longest((1,)) is None
    assert kept.longest(()) is None


def test_a_text_takes_the_place_of_those_that_it_contains(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, kept = text_read(made, monkeypatch), Prefixes()
    kept.keep((1, 2, 3, 4, 5, 6, 7, 8), known)
    kept.keep((1, 2, 3, 4, 5), known)  # 6, 7 and 8 are read again in one pass
    assert [*kept._texts] == [(1, 2, 3, 4, 5)]
    kept.keep((1, 9, 9, 9), known)
    assert [*kept._texts] == [(1, 2, 3, 4, 5), (1, 9, 9, 9)]  # four would be lost
    for number in range(100, 100 + prefixes.MOST):
        kept.keep(tuple(range(number, number + 4)), known)
    assert len(kept._texts) <= prefixes.MOST


def test_keys_and_values_are_all_that_is_kept(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    known = text_read(made, monkeypatch)
    attention = known.past.layers[0].attention
    tokens = len(known.score.tokens)
    assert attention.key_BHMK.shape[2] == attention.value_BHMK.shape[2] == tokens
    left = (known.past.learned_BLD, known.past.final_BLD, attention.output_BLD, attention.query_BHLK)
    assert all(one.untyped_storage().nbytes() == 0 for one in left)


def test_a_small_model_and_one_of_transformers_keep_nothing(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = load(made, monkeypatch, "llama", large=False)
    small.next_token("On the river bank")
    assert not small._prefixes._texts
    monkeypatch.setattr(passes, "LARGE", 1)
    other = core.load(str(made("llama")), engine="huggingface")
    other.next_token("On the river bank")
    assert not other._prefixes._texts


def test_what_fails_is_not_kept_and_gives_its_turn_back(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = load(made, monkeypatch, "llama", large=True)
    monkeypatch.setattr(passes, "_turns", passes.Turns(1))
    nan = torch.tensor(float("nan"))
    with monkeypatch.context() as broken:
        broken.setattr(model._words.head, "logits", lambda vectors_LD, **_: vectors_LD * nan)
        with pytest.raises(core.ModelBroken):
            model.next_token("On the river bank")
    assert not model._prefixes._texts
    assert model.next_token("On the river bank").ids
