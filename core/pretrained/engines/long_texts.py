"""A decoder's attention on a long text, by blocks of rows: its weights are never there at once.

For each block of queries, scores, row sums, weights and weighted means are computed and left again;
what remains of a layer is its queries, keys, row log-sums, and a map of each head in small. Tokens meet
in attention alone: all other parts of a layer take them in blocks, too, and several threads share the
blocks.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import numpy as np
import torch
from torch import Tensor

from ...records.frozen import Array
from ...transformer import LanguageModel, MultiHeadAttention
from ...transformer.attention import soft_capped
from ...transformer.layers import EncoderLayer

ROWS = 384  # of scores at once: the queries of a block, of all heads that share a key
TOKENS = 256  # at once in the other parts of a layer; both stay within the caches
MOST_THREADS = 4

T = TypeVar("T")


class LongRun(NamedTuple):
    """What is kept of every layer: see `core.records.long_attention.LongAttention`."""

    query_NHLK: Array
    key_NGMK: Array
    log_sums_NHL: Array
    largest_NHCC: Array


def run(
    net: LanguageModel,
    ids_L: Tensor,
    cells: int,
    ask: Callable[[], None] = lambda: None,
    *,
    threads: int = 1,
) -> LongRun:
    """Read a text up to the attention of the last layer: what comes behind it is not computed.

    Args:
        net: a causal model whose positions are no bias on its scores.
        ids_L: the tokens of the text.
        cells: the most cells along a side of a small map.
        ask: called before each layer; it may raise, to end the run.
        threads: how many share the work; each uses as many of torch's as torch is set to.

    Raises:
        ValueError: the model is of another kind.
    """
    if not net.causal or net.distance_bias(net.embeddings.tokens.weight[None, :1]) is not None:
        raise ValueError("Only a causal model without a bias for positions is read by blocks of rows.")
    layers = [layer for layer in net.stack.layers if isinstance(layer, EncoderLayer)]
    windows = net.config.windows or (0,) * len(layers)
    first, n = layers[0].attention, len(ids_L)
    count = -(-n // -(-n // cells))
    heads, groups, width = first.n_heads, first.n_kv_heads, first.d_head
    kept = LongRun(
        np.empty((len(layers), heads, n, width), np.float32),
        np.empty((len(layers), groups, n, width), np.float32),
        np.empty((len(layers), heads, n), np.float32),
        np.zeros((len(layers), heads, count, count), np.float32),
    )
    x_LD = net.embeddings(ids_L[None])[1][0]
    mixed_LHK, value_GMK = x_LD.new_empty(n, heads, width), x_LD.new_empty(groups, n, width)
    blocks = [slice(start, start + TOKENS) for start in range(0, n, TOKENS)]
    with _Workers(threads) as workers:
        for i, (layer, window) in enumerate(zip(layers, windows, strict=True)):
            ask()
            query_HLK, key_GMK, log_sums_HL, largest_HCC = (_there(own[i], x_LD) for own in kept)
            behind = layers[i - 1] if i else None

            def project(
                rows: slice,
                layer: EncoderLayer = layer,
                behind: EncoderLayer | None = behind,
                query_HLK: Tensor = query_HLK,
                key_GMK: Tensor = key_GMK,
            ) -> None:
                """Finish the layer before for some tokens, and give this one their projections."""
                x_BLD = x_LD[None, rows]
                if behind is not None:
                    attended_BLD = behind.attention.output(mixed_LHK[rows].flatten(1))[None]
                    x_BLD = x_LD[None, rows].copy_(behind.after_attention(x_BLD, attended_BLD))
                read_BLD = layer.attention_norm.sublayer_input(x_BLD)
                query_BHLK, key_BHMK, value_BHMK = layer.attention.projected(read_BLD, rows.start)
                query_HLK[:, rows] = query_BHLK[0]
                key_GMK[:, rows] = key_BHMK[0]
                value_GMK[:, rows] = value_BHMK[0]

            workers.each(project, blocks)
            rows = _Rows(
                layer.attention,
                window,
                query_HLK,
                key_GMK,
                value_GMK,
                mixed_LHK,
                log_sums_HL,
                largest_HCC,
            )
            workers.each(rows.attend, rows.parts())
            if not x_LD.is_cpu:
                made = query_HLK, key_GMK, log_sums_HL, largest_HCC
                for own, there in zip(kept, made, strict=True):
                    own[i] = there.cpu().numpy()
    return kept


def threads(device: str) -> int:
    """How many threads share the work: one a processor, unless torch itself has several."""
    alone = device != "cpu" or torch.get_num_threads() > 1
    return 1 if alone else min(MOST_THREADS, os.cpu_count() or 1)


def _there(own: Array, like: Tensor) -> Tensor:
    """An array as a tensor where another one is: on the processor the array itself, else a copy."""
    return torch.from_numpy(own).to(like.device)


class _Workers:
    """Threads that take one thing after another, until all are done. As a context it ends them."""

    def __init__(self, threads: int) -> None:
        self._others = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self._threads = threads

    def __enter__(self) -> _Workers:
        return self

    def __exit__(self, *_: object) -> None:
        if self._others is not None:
            self._others.shutdown()

    def each(self, do: Callable[[T], None], things: Iterable[T]) -> None:
        """Do something with each of these, in any order. Raises what doing it raises."""
        waiting = deque(things)

        def work() -> None:
            with torch.inference_mode():  # it holds for one thread
                while True:
                    try:
                        thing = waiting.popleft()
                    except IndexError:
                        return
                    do(thing)

        others = self._others
        started = [] if others is None else [others.submit(work) for _ in range(self._threads - 1)]
        try:
            work()
        finally:
            waiting.clear()  # after an error the others end, too
            for one in started:
                one.result()


class _Rows(NamedTuple):
    """The attention of one layer, for heads that share a key and a run of queries at a time.

    It writes to the last three: the means of the values, the log-sums, and the largest weight of each
    block of a map.
    """

    attention: MultiHeadAttention
    window: int
    query_HLK: Tensor
    key_GMK: Tensor
    value_GMK: Tensor
    mixed_LHK: Tensor
    log_sums_HL: Tensor
    largest_HCC: Tensor

    @property
    def block(self) -> int:
        """How many tokens are in a cell of a map."""
        return -(-self.query_HLK.shape[1] // self.largest_HCC.shape[1])

    def parts(self) -> list[tuple[int, int, int]]:
        """The group of heads, the first row and the one behind the last; those with most keys first."""
        groups, n, _ = self.key_GMK.shape
        runs = sorted(runs_of_rows(n, self.block, ROWS * groups // len(self.query_HLK)), reverse=True)
        return [(group, *run) for run in runs for group in range(groups)]

    def attend(self, part: tuple[int, int, int]) -> None:
        """Compute one of the parts."""
        group, start, stop = part
        attention, (heads, n, width) = self.attention, self.query_HLK.shape
        times, block, window = heads // len(self.key_GMK), self.block, self.window
        own = slice(group * times, (group + 1) * times)
        scale = width**-0.5 if attention.scale is None else attention.scale
        first = max(0, start - window + 1) // block * block if window else 0
        # Heads that share a key stand in its rows.
        rows_RK = (self.query_HLK[own, start:stop] * scale).view(-1, width)
        scores_RM = _scratch(rows_RK, stop - first)
        torch.mm(rows_RK, self.key_GMK[group, first:stop].T, out=scores_RM)
        if attention.score_cap:
            scores_RM.copy_(soft_capped(scores_RM, attention.score_cap))
        # Later tokens are among the last columns alone.
        seen = first if window else start
        at_M = torch.arange(seen, stop, device=rows_RK.device)
        back_RM = at_M[start - seen :, None] - at_M
        hidden_RM = (back_RM < 0) | (back_RM >= (window or n))
        scores_HRM = scores_RM.view(times, stop - start, -1)
        scores_HRM[..., seen - first :].masked_fill_(hidden_RM, -torch.inf)
        # The largest of each block of columns: of these few, the largest of a row is soon found.
        cells_RC = _largest(scores_RM, 1, block)
        most_R1 = cells_RC.amax(1, keepdim=True)
        weights_RM = scores_RM.sub_(most_R1).exp_()  # they still lack the sum of their row
        sums_R1 = weights_RM.sum(1, keepdim=True)
        mixed_RK = (weights_RM @ self.value_GMK[group, first:stop]).div_(sums_R1)
        log_sums_R1 = sums_R1.log_().add_(most_R1)
        self.mixed_LHK[start:stop, own] = mixed_RK.view(times, -1, width).transpose(0, 1)
        self.log_sums_HL[own, start:stop] = log_sums_R1.view(times, -1)
        cells_HRC = cells_RC.sub_(log_sums_R1).exp_().view(times, stop - start, -1)
        at = slice(start // block, -(-stop // block)), slice(first // block, -(-stop // block))
        cells_HCC = self.largest_HCC[own, at[0], at[1]]  # a view
        torch.maximum(cells_HCC, _largest(cells_HRC, 1, block), out=cells_HCC)


def _scratch(rows_RK: Tensor, columns: int) -> Tensor:
    return rows_RK.new_empty(len(rows_RK), columns)


def runs_of_rows(n: int, block: int, most: int) -> Iterator[tuple[int, int]]:
    """The first row of each run of rows, and the one behind it.

    A run has at most so many rows, however large the blocks of a map are: it is some whole blocks, or a
    part of one.
    """
    most = max(1, most)
    step = max(block, most // block * block)
    for start in range(0, n, step):
        end = min(n, start + step)
        yield from ((first, min(end, first + most)) for first in range(start, end, most))


def _largest(numbers: Tensor, dim: int, block: int) -> Tensor:
    """Each block along an axis as its largest number; the last block may be smaller."""
    count = numbers.shape[dim]
    whole = count // block * block
    made = []
    if whole:
        shape = (*numbers.shape[:dim], -1, block, *numbers.shape[dim + 1 :])
        made.append(numbers.narrow(dim, 0, whole).reshape(shape).amax(dim + 1))
    if count > whole:
        made.append(numbers.narrow(dim, whole, count - whole).amax(dim, keepdim=True))
    return torch.cat(made, dim)
