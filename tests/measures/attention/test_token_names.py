from __future__ import annotations

from collections.abc import Callable

from core.measures.attention.token_names import names
from core.records.trace import Trace

MakeTrace = Callable[..., Trace]


def test_word_pieces_keep_their_names(make_trace: MakeTrace) -> None:
    assert names(make_trace(("[CLS]", "count", "##ing"))) == ("[CLS]", "count", "##ing")


def test_blanks_are_not_a_part_of_a_name_and_pieces_go_on(make_trace: MakeTrace) -> None:
    trace = make_trace(
        ("On", "Ġb", "ank", "'", "s", "Ġ", "x", "</s>"),
        offsets=((0, 2), (2, 4), (4, 7), (7, 8), (8, 9), (9, 10), (10, 11), (11, 11)),
        word_ids=(0, 1, 1, 1, 1, None, 2, None),
        special=(False,) * 7 + (True,),
        texts=("On bank's x",),
    )
    assert names(trace) == ("On", "b", "##ank", "##'", "##s", " ", "x", "</s>")


def test_bytes_of_one_character_stand_for_it(make_trace: MakeTrace) -> None:
    trace = make_trace(
        ("▁", "O", "▁", "<0xC3>", "<0xA9>"),
        offsets=((0, 1), (0, 1), (1, 2), (2, 3), (2, 3)),
        word_ids=(0, 0, None, 1, 1),
        texts=("O é",),
    )
    assert names(trace) == (" ", "O", " ", "é", "##é")


def test_a_piece_that_the_model_does_not_know_is_called_unknown(make_trace: MakeTrace) -> None:
    trace = make_trace(
        ("▁see", "▁", "<unk>", "bank", "▁", "[UNK]", "▁<", "unk", ">", "<unk>"),
        offsets=(
            (0, 3),
            (3, 4),
            (4, 5),
            (5, 9),
            (9, 10),
            (10, 11),
            (11, 13),
            (13, 16),
            (16, 17),
            (18, 23),
        ),
        word_ids=(0, None, 1, 2, None, 3, 4, 5, 6, 7),
        texts=("see 🎣bank 🐟 <unk> <UNK>",),
    )
    # The last one was typed by the visitor, and is its own spelling.
    assert names(trace) == ("see", " ", "<unk>", "bank", " ", "[UNK]", "<", "unk", ">", "<UNK>")


def test_a_hidden_token_is_called_by_the_mask(make_trace: MakeTrace) -> None:
    trace = make_trace(
        ("On", "<mask>", "Ġbank", "ing"),
        offsets=((0, 2), (2, 8), (8, 13), (13, 16)),
        word_ids=(0, 1, 2, 2),
        texts=("On river banking",),
    )
    assert names(trace) == ("On", "<mask>", "bank", "##ing")
