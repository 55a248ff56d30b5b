"""The states of a small encoder–decoder: what its decoder's read as, and two sources patched.

The counterpart of `core.pretrained.pair_states`, for models whose tokens are words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ...attribution import paired_patching
from ...errors import NotSupported, SettingError
from ...records.indices import index
from ...records.lens import LensGrid
from ...records.patching import LEAST, Half, Patching
from ...transformer import Transformer
from ..languages.vocabulary import Vocabulary
from .pair_attribution import Pair, head

TOP = 5


@torch.no_grad()
def lens(net: Transformer, pair: Pair, target: Vocabulary, name: str, word: int | None) -> LensGrid:
    """See `core.pretrained.pair_states.PairStates.pair_lens`.

    Args:
        net: the model.
        pair: the source, and what the decoder has read.
        target: the words that it writes.
        name: its name.
        word: the id of a word whose probability and rank to give; None for none.

    Raises:
        SettingError: there is no such word.
    """
    if word is not None and not 0 <= word < len(target):
        raise SettingError(
            "There is no word {word}; there are {n_target}.",
            word=word,
            n_target=len(target),
        )
    run = _run(net, pair)
    states_NLD = torch.cat(paired_patching.states(run.decoder))
    if net.decoder.norm is not None:
        states_NLD = net.decoder.norm(states_NLD)
    shares_NLV = torch.softmax(_logits(net, states_NLD), dim=-1)
    best = shares_NLV.topk(min(TOP, len(target)), dim=-1)
    own: dict[str, Any] = {"word_probabilities": None, "word_ranks": None}
    if word is not None:
        of_word_NL1 = shares_NLV[..., word, None]
        own["word_probabilities"] = of_word_NL1[..., 0].numpy()
        own["word_ranks"] = (shares_NLV > of_word_NL1).sum(-1).numpy()
    read = pair.target
    text, offsets = _without_spaces(read.text, read.offsets)
    return LensGrid(
        tokens=read.tokens,
        ids=read.ids,
        offsets=offsets,
        positions=tuple(range(len(read.tokens))),
        likeliest=best.indices.numpy(),
        probabilities=best.values.numpy(),
        names=dict(enumerate(target.words)),
        word=word,
        lens="plain",
        fitted_on="",
        predicts="next",
        model=name,
        text=text,
        **own,
    )


def _without_spaces(
    text: str, offsets: Sequence[tuple[int, int]]
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The words one behind the other: a token of these models is a word, without a space."""
    joined, places = "", []
    for start, end in offsets:
        places.append((len(joined), len(joined) + end - start) if end > start else (start, end))
        joined += text[start:end]
    return joined, tuple(places)


@torch.no_grad()
def patch(
    net: Transformer,
    a: Pair,
    b: Pair,
    target: Vocabulary,
    name: str,
    block: Half,
    answers: tuple[int | None, int | None],
    at: int | None,
) -> Patching:
    """See `core.pretrained.pair_states.PairStates.patch_pair`; the decoder has read the same in both.

    Raises:
        NotSupported: the sources are the same, or for the encoder not equally long; the answers are the
            same, or differ as much after B as after A.
        SettingError: there is no such block or word.
        OutOfRange: there is no such token.
    """
    if block not in ("encoder", "decoder", "cross"):
        raise SettingError(f"The block is “{block}”; it must be “encoder”, “decoder” or “cross”.")
    n, m = len(a.source.tokens), len(b.source.tokens)
    if a.source.ids == b.source.ids:
        raise NotSupported("Both sources have the same words: there is nothing to exchange.")
    if block == "encoder" and n != m:
        raise NotSupported(
            "Source A has {n} words and source B {m}, and each word needs one to be "
            "exchanged with. Make them equally long.",
            n=n,
            m=m,
        )
    runs = run_a, run_b = _run(net, a), _run(net, b)
    ends = [_logits(net, one.decoder.final_BLD[0, -1]) for one in runs]
    ids = [
        int(end.argmax()) if answer is None else answer
        for end, answer in zip(ends, answers, strict=True)
    ]
    if not all(0 <= one < len(target) for one in ids):
        raise SettingError(
            "There is no such word; there are {n_target}.",
            n_target=len(target),
        )
    of_a, of_b = (float(end[ids[0]] - end[ids[1]]) for end in ends)
    _refuse_equal([target.words[one] for one in ids], of_a, of_b)

    def lead(vectors_BD: Tensor) -> Any:
        logits_BV = _logits(net, vectors_BD)
        return (logits_BV[:, ids[0]] - logits_BV[:, ids[1]]).numpy()

    cross, of_encoder = block == "cross", block == "encoder"
    read = (a.source, b.source) if of_encoder else (a.target, b.target)
    length = len(read[0].tokens)
    if cross:
        at = None if at is None else index(at, length, "token")
        where = range(length) if at is None else [at]
        rows = [
            lead(paired_patching.of_cross_heads(net, run_a, run_b, layer, where))
            for layer in range(len(net.decoder.layers))
        ]
        differences, words = np.stack(rows), np.full(length, of_b, np.float32)
    else:
        run = paired_patching.of_encoder if of_encoder else paired_patching.of_decoder
        differences = np.stack([lead(run(net, run_a, run_b, i)) for i in range(length)], axis=1)
        words = differences[0]
    x, y = read
    return Patching(
        by="head" if cross else "position",
        tokens=(x.tokens, y.tokens),
        offsets=(x.offsets, y.offsets),
        texts=(x.text, y.text),
        answers=(target.words[ids[0]], target.words[ids[1]]),
        ids=(ids[0], ids[1]),
        a=of_a,
        b=of_b,
        words=words,
        differences=differences,
        at=at if cross else None,
        model=name,
        block=block,
    )


@torch.no_grad()
def patched(net: Transformer, a: Pair, b: Pair, block: Half, depth: int, position: int) -> Tensor:
    """(V,): the logits behind source B with one state of A; `block`: "encoder" or "decoder".

    Raises:
        OutOfRange: there is no such depth or token.
    """
    of_encoder = block == "encoder"
    stack = net.encoder if of_encoder else net.decoder
    tokens = b.source.tokens if of_encoder else b.target.tokens
    depth = index(depth, len(stack.layers) + 1, "depth", from_end=False)
    position = index(position, len(tokens), "token")
    run = paired_patching.of_encoder if of_encoder else paired_patching.of_decoder
    return _logits(net, run(net, _run(net, a), _run(net, b), position)[depth])


def _run(net: Transformer, pair: Pair) -> paired_patching.PairRun:
    return paired_patching.run(net, pair.source.ids_BL, pair.target.ids_BL)


def _refuse_equal(words: list[str], of_a: float, of_b: float) -> None:
    one, other = words
    if one == other:
        raise NotSupported(
            "Both answers are “{one}”, and nothing differs between them. Choose a step at "
            "which the two sources are answered differently, or another source.",
            one=one,
        )
    if abs(of_a - of_b) < LEAST:
        raise NotSupported(
            "After A the logit of “{one}” is {of_a:+.3f} above that of “{other}”, after B "
            "{of_b:+.3f}: there is no difference that could come back. Change a source.",
            one=one,
            of_a=of_a,
            other=other,
            of_b=of_b,
        )


def _logits(net: Transformer, vectors: Tensor) -> Tensor:
    matrix_VD, bias_V = head(net)
    return vectors @ matrix_VD.T + bias_V
