"""Passes through large models take turns; those through small ones wait for nobody."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.nn import functional as F

import core
from core.pretrained import cancellation
from core.pretrained.engines import passes
from core.pretrained.engines.scratch import ScratchDecoder

Made = Callable[..., Path]


class Unwanted(Exception):
    """Nobody awaits the work any more."""


@pytest.fixture(autouse=True)
def one_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes, "_turns", passes.Turns(1))


def test_a_model_is_large_by_the_bytes_of_its_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    module = nn.Linear(10, 20)  # 220 numbers of 4 bytes
    monkeypatch.setattr(passes, "LARGE", 879)
    assert passes.is_large(module)
    monkeypatch.setattr(passes, "LARGE", 880)
    assert not passes.is_large(module)


def test_the_second_waits_for_the_first_and_a_small_one_does_not() -> None:
    inside, ended = threading.Event(), threading.Event()

    def second() -> None:
        with passes.turn(True):
            inside.set()
        ended.set()

    with passes.turn(True):
        thread = threading.Thread(target=second, daemon=True)
        thread.start()
        with passes.turn(False):
            assert not inside.wait(0.3)
    assert ended.wait(10)
    thread.join(10)


def test_who_waits_is_asked_whether_the_work_is_still_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise Unwanted

    monkeypatch.setattr(cancellation, "_asks", [refuse])
    with passes.turn(True), pytest.raises(Unwanted), passes.turn(True):
        pass
    with passes.turn(True):  # what did not get a turn gives none back
        pass


def test_turns_come_in_the_order_in_which_they_were_asked_for() -> None:
    turns, came = passes.Turns(1), list[int]()
    threads: list[threading.Thread] = []

    def pass_through(number: int) -> None:
        turns.take()
        came.append(number)
        turns.give_back()

    turns.take()
    for number in range(6):
        threads.append(threading.Thread(target=pass_through, args=(number,)))
        threads[-1].start()
        while len(turns._waiting) <= number:
            time.sleep(0.001)
    turns.give_back()
    for thread in threads:
        thread.join(10)
    assert came == [*range(6)]


def test_a_pass_that_fails_gives_its_turn_back() -> None:
    with pytest.raises(ZeroDivisionError), passes.turn(True):
        _ = 1 / 0
    with passes.turn(True):
        pass


def test_each_pass_of_a_large_decoder_takes_a_turn(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes, "LARGE", 1)
    asked: list[bool] = []
    turn = passes.turn

    def counted(large: bool) -> AbstractContextManager[None]:
        asked.append(large)
        return turn(large)

    monkeypatch.setattr(passes, "turn", counted)
    model = core.load(str(made("llama")))
    model.trace("On the river bank")
    assert asked == [True]
    written = list(model.generate("On the river bank", 3, temperature=0))
    assert asked == [True] * (1 + len(written))
    assert len(written) > 1


def test_texts_that_wait_go_through_together_and_get_their_own_numbers() -> None:
    begun, goes = threading.Event(), threading.Event()
    shapes: list[tuple[int, ...]] = []

    def read(ids_BL: torch.Tensor, lengths: Sequence[int]) -> list[torch.Tensor]:
        shapes.append(tuple(ids_BL.shape))
        if len(shapes) == 1:
            begun.set()
            assert goes.wait(10)
        sums_BL = ids_BL.cumsum(-1)  # causal, as a decoder is
        return [row_L[:length] for row_L, length in zip(sums_BL, lengths, strict=True)]

    together = passes.Together(read)
    texts = [torch.arange(1, n + 1)[None] for n in (4, 3, 7, 5, passes.TOKENS)]
    found: dict[int, torch.Tensor] = {}

    def visit(number: int) -> None:
        found[number] = together(texts[number])

    threads = [threading.Thread(target=visit, args=(number,)) for number in range(len(texts))]
    threads[0].start()
    assert begun.wait(10)
    for thread in threads[1:]:
        thread.start()
    while len(together._waiting) < 4:
        time.sleep(0.001)
    goes.set()
    for thread in threads:
        thread.join(10)
    assert shapes[0] == (1, 4)
    assert sorted(shapes[1:]) == [(1, passes.TOKENS), (3, 7)]  # the long one has no room beside them
    for number, ids in enumerate(texts):
        torch.testing.assert_close(found[number], ids.cumsum(-1)[0])


def test_a_pass_that_fails_fails_for_each_of_them_and_the_next_one_works() -> None:
    wrong = [True]

    def read(ids_BL: torch.Tensor, lengths: Sequence[int]) -> list[torch.Tensor]:
        if wrong.pop():
            raise RuntimeError("no memory")
        return [*ids_BL]

    together = passes.Together(read)
    with pytest.raises(RuntimeError, match="no memory"):
        together(torch.ones(1, 3, dtype=torch.long))
    wrong.append(False)
    assert together(torch.ones(1, 3, dtype=torch.long)).shape == (3,)


def test_who_leaves_while_waiting_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise Unwanted

    together = passes.Together(lambda ids_BL, _: [*ids_BL])
    with passes.turn(True):
        monkeypatch.setattr(cancellation, "_asks", [refuse])
        with pytest.raises(Unwanted):
            together(torch.ones(1, 3, dtype=torch.long))
    assert not together._waiting


@pytest.mark.parametrize("kind", ["llama", "gpt2"])
def test_a_text_beside_others_has_the_numbers_of_a_text_alone(kind: str, made: Made) -> None:
    model = core.load(str(made(kind)))
    engine = model._runner
    assert isinstance(engine, ScratchDecoder)
    texts = [
        torch.tensor([model.read(text).ids]) for text in ("On the river bank", "The old bank", "On")
    ]
    lengths = [ids.shape[1] for ids in texts]
    more_1L = torch.tensor([model.read("the river").ids])
    with torch.inference_mode():
        rows = torch.cat([F.pad(ids, (0, max(lengths) - ids.shape[1])) for ids in texts])
        for ids, (beside_1LD, past) in zip(texts, engine._read_texts(rows, lengths), strict=True):
            ((alone_1LD, its_past),) = engine._read_texts(ids, [ids.shape[1]])
            torch.testing.assert_close(beside_1LD, alone_1LD, rtol=1e-5, atol=1e-5)
            on_1LD, alone_on_1LD = (engine.read_on(more_1L, one)[0] for one in (past, its_past))
            torch.testing.assert_close(on_1LD, alone_on_1LD, rtol=1e-5, atol=1e-5)
