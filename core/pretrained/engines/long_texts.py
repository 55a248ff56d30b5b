"""A decoder's attention on a long text, by blocks of rows: its weights are never there at once.

For each block of queries, scores, row sums, weights and weighted means are computed and left again;
what remains of a layer is its queries, keys, row log-sums, and a map of each head in small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from ...transformer import LanguageModel, MultiHeadAttention
from ...transformer.attention import soft_capped
from ...transformer.layers import EncoderLayer

ROWS = 256  # queries at once; scores of all heads stay within the caches


class LongRun(NamedTuple):
    """What is kept of every layer: see `core.records.long_attention.LongAttention`."""

    query_NHLK: Tensor
    key_NGMK: Tensor
    log_sums_NHL: Tensor
    largest_NHCC: Tensor
    final_LD: Tensor


def run(
    net: LanguageModel, ids_L: Tensor, cells: int, ask: Callable[[], None] = lambda: None
) -> LongRun:
    """Read a text, without its logits.

    Args:
        net: a causal model whose positions are no bias on its scores.
        ids_L: the tokens of the text.
        cells: the most cells along a side of a small map.
        ask: called before each layer; it may raise, to end the run.

    Raises:
        ValueError: the model is of another kind.
    """
    if not net.causal or net.distance_bias(net.embeddings.tokens.weight[None, :1]) is not None:
        raise ValueError("Only a causal model without a bias for positions is read by blocks of rows.")
    config, n = net.config, len(ids_L)
    block = -(-n // cells)
    windows = config.windows or (0,) * config.n_layers
    x_BLD = net.embeddings(ids_L[None])[1]
    kept: list[tuple[Tensor, ...]] = []
    for layer, window in zip(net.stack.layers, windows, strict=True):
        ask()
        assert isinstance(layer, EncoderLayer)
        attention, read_BLD = layer.attention, layer.attention_norm.sublayer_input(x_BLD)
        query_BHLK, key_BHMK, value_BHMK = attention.projected(read_BLD)
        mixed_HLK, *rest = _by_rows(attention, query_BHLK[0], key_BHMK[0], value_BHMK[0], window, block)
        x_BLD = layer.after_attention(
            x_BLD, attention.output(mixed_HLK.transpose(0, 1).flatten(1))[None]
        )
        kept.append((query_BHLK[0], key_BHMK[0], *rest))
    final_BLD = x_BLD if net.stack.norm is None else net.stack.norm(x_BLD)
    query, key, log_sums, largest = (torch.stack(each) for each in zip(*kept, strict=True))
    return LongRun(query, key, log_sums, largest, final_BLD[0])


def _by_rows(
    attention: MultiHeadAttention,
    query_HLK: Tensor,
    key_GMK: Tensor,
    value_GMK: Tensor,
    window: int,
    block: int,
) -> tuple[Tensor, Tensor, Tensor]:
    """The means of the values, the log-sums, and the largest weight of each block of a map."""
    heads, n, _ = query_HLK.shape
    shared = len(key_GMK)
    scale = query_HLK.shape[-1] ** -0.5 if attention.scale is None else attention.scale
    mixed_HLK, log_sums_HL = torch.empty_like(query_HLK), query_HLK.new_empty(heads, n)
    cells = -(-n // block)
    largest_HCC = query_HLK.new_zeros(heads, cells, cells)
    for start, stop in _runs(n, block):
        first = max(0, start - window + 1) // block * block if window else 0
        # Heads that share a key stand in its rows.
        rows_GRK = (query_HLK[:, start:stop] * scale).reshape(shared, -1, query_HLK.shape[-1])
        scores_GRM = rows_GRK @ key_GMK[:, first:stop].transpose(1, 2)
        if attention.score_cap:
            scores_GRM = soft_capped(scores_GRM, attention.score_cap)
        scores_HRM = scores_GRM.view(heads, stop - start, stop - first)
        # Later tokens are among the last columns alone.
        seen = first if window else start
        back_RM = torch.arange(start, stop)[:, None] - torch.arange(seen, stop)
        hidden_RM = (back_RM < 0) | (back_RM >= (window or n))
        scores_HRM[..., seen - first :].masked_fill_(hidden_RM, -torch.inf)
        most_HR1 = scores_HRM.amax(-1, keepdim=True)
        weights_HRM = scores_HRM.sub_(most_HR1).exp_()
        sums_HR1 = weights_HRM.sum(-1, keepdim=True)
        log_sums_HL[:, start:stop] = (most_HR1 + sums_HR1.log())[..., 0]
        weights_HRM.div_(sums_HR1)
        weights_GRM = weights_HRM.view(shared, -1, stop - first)
        mixed_HLK[:, start:stop] = (weights_GRM @ value_GMK[:, first:stop]).view(
            heads, stop - start, -1
        )
        at = slice(start // block, -(-stop // block)), slice(first // block, -(-stop // block))
        cells_HCC = largest_HCC[:, at[0], at[1]]  # a view
        torch.maximum(cells_HCC, _largest(weights_HRM, block), out=cells_HCC)
    return mixed_HLK, log_sums_HL, largest_HCC


def _runs(n: int, block: int) -> Iterator[tuple[int, int]]:
    """The first row of each run of rows, and the one behind it.

    A run has at most `ROWS` rows, however large the blocks of a map are: it is some whole blocks, or a
    part of one.
    """
    step = max(block, ROWS // block * block)
    for start in range(0, n, step):
        end = min(n, start + step)
        yield from ((first, min(end, first + ROWS)) for first in range(start, end, ROWS))


def _largest(weights_HRM: Tensor, block: int) -> Tensor:
    """Each block of cells as its largest one; the last of a side may be smaller."""
    for dim in (1, 2):  # rows first: what is left of them is small
        count = weights_HRM.shape[dim]
        whole = count // block * block
        made = []
        if whole:
            shape = (*weights_HRM.shape[:dim], -1, block, *weights_HRM.shape[dim + 1 :])
            made.append(weights_HRM.narrow(dim, 0, whole).reshape(shape).amax(dim + 1))
        if count > whole:
            made.append(weights_HRM.narrow(dim, whole, count - whole).amax(dim, keepdim=True))
        weights_HRM = torch.cat(made, dim)
    return weights_HRM
