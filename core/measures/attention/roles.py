"""The roles of heads: how much each attends to the right word in sentences whose answers are known.

Clark et al. 2019, "What Does BERT Look At?", section 4, and Voita et al. 2019 find heads that attend to
syntactic relations. Here, a score is the mean weight on the right word, over the relations of our own
sentences (`core.examples.roles`), whose labels hold by construction.

`python -m core.measures.attention.roles minilm` writes the scores that ship with Polysee;
`measure_roles` measures any other model that reads a single text.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ...errors import NotSupported
from ...examples.roles import ROLES, RoleSentence, role_sentences
from ...records.trace import Array, Record, Trace, frozen
from ...records.words import overlaps
from .blocks import as_block
from .visible import missing

MOST_EXAMPLES = 3
_DIGITS = 4
_BATCH = 24  # sentences between two reports of the progress


class Example(NamedTuple):
    """A relation that a head attends to most clearly.

    Attributes:
        sentence: its position among the sentences, from 0.
        query: the first token of the word that attends, from 0.
        key: the token of the right word that receives most, from 0.
        weight: the weight from the word to the right word, 0 to 1.
    """

    sentence: int
    query: int
    key: int
    weight: float


@dataclass(frozen=True, eq=False)
class RoleScores(Record):
    """How strongly each head of a model has each role.

    Attributes:
        model: the name of the model.
        scores: (layers, heads, roles) float32, the mean weight from a word to the right word, 0 to 1,
            over the relations of `core.examples.roles`; a word of several pieces receives the sum and
            gives the mean of its pieces. NaN for a missing head, and for a role that the model cannot
            see, such as a later word in a decoder.
        uniform: (roles,) float32, the chance score: that of a head which spreads every row evenly over
            the tokens that it can see; the mean over the layers. NaN where no head has a score.
        fixed: (roles,) float32, how often the most frequent distance between the two words is right:
            the score of a head that always attends at this distance, whatever the words.
        counts: (roles,) int64, the number of relations.
        examples: (layer, head, role) -> its best relations, each in another sentence.
        sentences: the number of sentences.
    """

    model: str
    scores: Array
    uniform: Array
    fixed: Array
    counts: Array
    examples: Mapping[tuple[int, int, int], tuple[Example, ...]]
    sentences: int

    def __post_init__(self) -> None:
        self._freeze("scores", "uniform", "fixed")
        object.__setattr__(self, "counts", frozen(self.counts, np.int64))

    def all_heads(self, role: int) -> tuple[float, float]:
        """The mean and the 95th percentile of a role's scores over all heads; NaN if none has one."""
        there = self.scores[..., role][np.isfinite(self.scores[..., role])]
        if not there.size:
            return float("nan"), float("nan")
        return float(there.mean()), float(np.quantile(there, 0.95))

    def chance(self, role: int) -> float:
        """The best score without regard to the words: by uniform attention, or by a fixed distance.

        For "previous" the fixed distance is the role itself, and only uniform attention counts.
        """
        if ROLES[role] == "previous":
            return float(self.uniform[role])
        return float(max(self.uniform[role], self.fixed[role]))

    def named(self) -> Mapping[tuple[int, int], int]:
        """The heads that have a role, each with the role in which it exceeds chance most.

        A head has a role if its score is among the upper 5 % of all heads, and if it exceeds `chance`.
        """
        layers, heads, roles = self.scores.shape
        above = np.full(self.scores.shape, -np.inf)
        for role in range(roles):
            limit, chance = self.all_heads(role)[1], self.chance(role)
            values = self.scores[..., role]
            fits = (values >= limit) & (values > chance)
            above[..., role] = np.where(fits, (values - chance) / (1 - chance), -np.inf)
        best = above.argmax(axis=-1)
        found = {
            (layer, head): int(best[layer, head])
            for layer in range(layers)
            for head in range(heads)
            if above[layer, head, best[layer, head]] > 0
        }
        return MappingProxyType(found)

    def to_json(self) -> str:
        """As text, with one line for each head; `from_json` reads it."""
        layers, heads, _ = self.scores.shape
        lines = [
            {
                "head": [layer, head],
                "scores": _rounded(self.scores[layer, head]),
                "examples": [
                    [[e.sentence, e.query, e.key, round(e.weight, _DIGITS)] for e in some]
                    for some in (self.examples.get((layer, head, r), ()) for r in range(len(ROLES)))
                ],
            }
            for layer in range(layers)
            for head in range(heads)
        ]
        about = {
            "model": self.model,
            "roles": ROLES,
            "sentences": self.sentences,
            "grid": [layers, heads],
            "uniform": _rounded(self.uniform),
            "fixed": _rounded(self.fixed),
            "counts": self.counts.tolist(),
        }
        written = ",\n".join(json.dumps(line, separators=(",", ":")) for line in lines)
        return f'{json.dumps(about)[:-1]}, "heads": [\n{written}\n]}}\n'

    @classmethod
    def from_json(cls, text: str) -> RoleScores:
        """Read what `to_json` wrote.

        Raises:
            ValueError: the scores belong to other roles.
        """
        read: dict[str, Any] = json.loads(text)
        if tuple(read["roles"]) != ROLES:
            raise ValueError("These scores belong to other roles.")
        scores = np.full((*read["grid"], len(ROLES)), np.nan)
        examples = {}
        for line in read["heads"]:
            layer, head = line["head"]
            scores[layer, head] = _numbers(line["scores"])
            for role, some in enumerate(line["examples"]):
                examples[layer, head, role] = tuple(Example(*one) for one in some)
        given = (_numbers(read["uniform"]), _numbers(read["fixed"]), np.array(read["counts"]))
        return cls(read["model"], scores, *given, MappingProxyType(examples), read["sentences"])


def shipped_roles(model: str) -> RoleScores | None:
    """The scores that ship with Polysee for a model of its catalogue; None for others."""
    return _shipped().get(model)


def measure_roles(
    trace_many: Callable[[Sequence[str]], Sequence[Trace]],
    model: str,
    *,
    sentences: Sequence[RoleSentence] | None = None,
    on_sentence: Callable[[int, int], None] = lambda done, total: None,
) -> RoleScores:
    """Score every head of a model for every role.

    Args:
        trace_many: traces several texts with their attention.
        model: the name of the model.
        sentences: the labelled sentences; by default our own.
        on_sentence: called with the number of sentences done, and the number of all.

    Raises:
        PolyseeError: see `Model.trace_many`; NotSupported if the model has no attention, or reads none
            of the words.
    """
    given = role_sentences() if sentences is None else sentences
    tally = _Tally()
    for start in range(0, len(given), _BATCH):
        some = given[start : start + _BATCH]
        traces = trace_many([one.text for one in some])
        for number, (sentence, trace) in enumerate(zip(some, traces, strict=True), start):
            tally.add(number, sentence, trace)
        on_sentence(min(start + _BATCH, len(given)), len(given))
    return tally.scores(model, given)


def fixed_distances(sentences: Sequence[RoleSentence]) -> Array:
    """(roles,): how often the most frequent distance in words leads to the right word."""
    shares = []
    for role in ROLES:
        relations = [relation for one in sentences for relation in one.relations[role]]
        counts = Counter(
            distance
            for relation in relations
            for distance in {target - relation.source for target in relation.targets}
        )
        shares.append(max(counts.values(), default=0) / len(relations) if relations else np.nan)
    return np.array(shares)


class _Tally:
    """Sums over the sentences read so far; each array is (layers, heads, roles)."""

    def __init__(self) -> None:
        self.sums: Array | None = None
        self.best: dict[tuple[int, int, int], list[Example]] = {}

    def add(self, number: int, sentence: RoleSentence, trace: Trace) -> None:
        """Add the weights of one sentence."""
        block = as_block(trace)
        weights = block.attention.weights
        layers, heads = weights.shape[:2]
        if self.sums is None:
            self.sums = np.zeros((layers, heads, len(ROLES)))
            self.uniform = np.zeros(self.sums.shape)
            self.counts = np.zeros(self.sums.shape, np.int64)
        there = ~missing(weights)
        masks = [block.mask(layer) for layer in range(layers)]
        seen = np.stack([np.ones(weights.shape[2:], bool) if mask is None else ~mask for mask in masks])
        for role, query, keys in _tokens(sentence, trace):
            # a relation counts in the layers in which a piece of the right word can be seen
            sees: Array = np.asarray(seen[:, query][:, :, keys].any(axis=(1, 2)))
            counted = sees[:, None] & there[:, :, query].all(axis=-1)
            given = weights[:, :, query][..., keys]
            weight = np.where(counted, given.sum(axis=-1).mean(axis=-1), 0)
            share = seen[:, query][:, :, keys].sum(axis=-1) / seen[:, query].sum(axis=-1)
            self.sums[..., role] += weight
            self.uniform[..., role] += np.where(counted, share.mean(axis=-1)[:, None], 0)
            self.counts[..., role] += counted
            strongest = keys[given.mean(axis=2).argmax(axis=-1)]
            self._keep(role, number, int(query[0]), strongest, weight)

    def _keep(self, role: int, number: int, query: int, keys: Array, weight: Array) -> None:
        """Keep the relation for each head for which it is among the best, at most one per sentence."""
        for layer, head in np.ndindex(*weight.shape):
            value = float(weight[layer, head])
            best = self.best.setdefault((layer, head, role), [])
            if value <= 0 or (len(best) == MOST_EXAMPLES and value <= best[-1].weight):
                continue
            same = next((i for i, one in enumerate(best) if one.sentence == number), None)
            if same is not None:
                if value <= best[same].weight:
                    continue
                best.pop(same)
            best.append(Example(number, query, int(keys[layer, head]), value))
            best.sort(key=lambda one: -one.weight)
            del best[MOST_EXAMPLES:]

    def scores(self, model: str, sentences: Sequence[RoleSentence]) -> RoleScores:
        """The mean scores."""
        if self.sums is None or not self.counts.any():
            raise NotSupported("The model’s vocabulary contains none of the words of our sentences.")

        def mean(sums: Array) -> Array:
            none = np.full(sums.shape, np.nan)
            made: Array = np.divide(sums, self.counts, out=none, where=self.counts > 0)
            return made

        uniform = mean(self.uniform)
        known: Array = np.asarray((self.counts > 0).any(axis=(0, 1)))
        by_role = [
            np.nanmean(uniform[..., role]) if known[role] else np.nan for role in range(len(ROLES))
        ]
        return RoleScores(
            model,
            mean(self.sums),
            np.array(by_role),
            fixed_distances(sentences),
            self.counts.max(axis=(0, 1)),
            MappingProxyType({at: tuple(some) for at, some in self.best.items()}),
            len(sentences),
        )


def _tokens(sentence: RoleSentence, trace: Trace) -> Iterator[tuple[int, Array, Array]]:
    """Each relation as tokens: its role, the tokens of the word, those of the right words.

    Words without their own token are left out, and so are relations within one token.
    """
    offsets = np.array(trace.offsets)
    special = np.array(trace.special)
    of_words = [
        np.flatnonzero(overlaps(offsets, start, end) & ~special) for start, end in sentence.spans
    ]
    added = np.flatnonzero(special)
    for role, name in enumerate(ROLES):
        for source, targets in sentence.relations[name]:
            query = of_words[source]
            keys = np.unique(np.concatenate([of_words[target] for target in targets]))
            if name == "delimiters":
                keys = np.union1d(keys, added)
            if query.size and keys.size and not np.isin(query, keys).any():
                yield role, query, keys


def _rounded(values: Array) -> list[float | None]:
    return [None if np.isnan(one) else round(float(one), _DIGITS) for one in values]


def _numbers(values: Sequence[float | None]) -> Array:
    return np.array([np.nan if one is None else one for one in values])


@cache
def _shipped() -> Mapping[str, RoleScores]:
    folder = files(__package__).joinpath("measured_roles")
    read = [
        RoleScores.from_json(file.read_text("utf-8"))
        for file in folder.iterdir()
        if file.name.endswith(".json")
    ]
    return MappingProxyType({one.model: one for one in read})


def main(arguments: Sequence[str]) -> None:
    """Measure a model of the catalogue, and write the scores that Polysee ships."""
    from ...pretrained import load

    (name,) = arguments
    model = load(name)
    scores = measure_roles(lambda texts: model.trace_many(texts, keep="attention"), name)
    folder = Path(__file__).parent / "measured_roles"
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json").write_text(scores.to_json(), "utf-8")
    for role, title in enumerate(ROLES):
        best = np.unravel_index(np.nanargmax(scores.scores[..., role]), scores.scores.shape[:2])
        mean, upper = scores.all_heads(role)
        print(
            f"{title:20} layer {best[0] + 1}, head {best[1] + 1}: {scores.scores[*best, role]:.3f}; "
            f"uniform {scores.uniform[role]:.3f}, fixed distance {scores.fixed[role]:.3f}, all heads "
            f"{mean:.3f}, upper 5 % {upper:.3f}, of {scores.counts[role]}"
        )
    print({f"{a + 1}.{b + 1}": ROLES[r] for (a, b), r in scores.named().items()})


if __name__ == "__main__":
    main(sys.argv[1:])
