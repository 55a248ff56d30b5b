"""A translation step by step, with the alternatives at each step."""

from __future__ import annotations

from collections.abc import Mapping

import torch

from ...errors import SettingError
from ...records.decoding import Decoding as Decoding
from ...records.prediction import Expectation
from ...transformer import Transformer
from ..languages.vocabulary import END, START_ID, Vocabulary
from . import reading, tracing
from .reading import MOST_TOKENS, Reading
from .writing import expectation


@torch.no_grad()
def decode(
    net: Transformer,
    source: Reading,
    target: Vocabulary,
    forced: Mapping[int, str],
    max_tokens: int,
    name: str,
) -> Decoding:
    """Decode the target of a source: see `Trained.decode`."""
    if not 1 <= max_tokens <= MOST_TOKENS:
        raise SettingError(f"max_tokens is {max_tokens}; it must be from 1 to {MOST_TOKENS}.")
    strange = [word for word in forced.values() if word not in target.words]
    if strange:
        raise SettingError(f"“{strange[0]}” was chosen, but it is not a word that the model can write.")
    memory_BSD = net.encode(source.ids_BL).final_BLD
    tokens: list[str] = []
    expectations: list[Expectation] = []
    ids_BL, past = torch.tensor([[START_ID]]), None
    while len(tokens) < max_tokens and END not in tokens[-1:]:
        prediction = net.decode(ids_BL, memory_BSD, past=past)
        step = len(tokens)
        expected = expectation(prediction.logits_BLV[0, -1], step, "next", target)
        expectations.append(expected)
        tokens.append(forced.get(step, expected.tokens[0]))
        ids_BL, past = torch.tensor([target.ids(tokens[-1:])]), prediction.stack
    reads = reading.started(reading.of_words(target, tokens[:-1]))
    trace = tracing.trace_pair(net, source, reads, name)
    ended = tokens[-1] == END
    return Decoding(tuple(tokens), target.ids(tokens), tuple(expectations), trace, ended)
